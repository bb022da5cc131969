"""Watches files, so that the open model is read again when one of its own is saved.

A model is its main file, what that includes, and the assets it names, whether they are there or not: what was deleted
may come back. Files are looked at several times a second. That costs 3 us a file, and sees what notifications of the
system miss: folders that come and go, other machines' disks, and what is saved just when the watch begins.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

# editors write in several goes: a change counts when it is the same at two looks
LOOK_SECONDS = 0.12
_FILE = re.compile(r"""\bfile\s*=\s*["']([^"']+)["']""")
_FOLDER = re.compile(r"""\b(?:meshdir|texturedir|assetdir)\s*=\s*["']([^"']+)["']""")

# when a file was changed last, its size, and which file it is; None if there is none
Stamp = tuple[int, int, int] | None


def files_of(path: Path) -> set[Path]:
    """The model's own file and every file it names, through includes and attached models too.

    A name may mean a file in any of the model's folders: the one that is there, or else all that could be.
    """
    main = Path(os.path.abspath(path))
    found, waiting, folders = {main}, [main], {main.parent}
    while waiting:
        file = waiting.pop()
        text = _text(file) if file.suffix.lower() == ".xml" else ""
        folders |= {_below(file.parent, name) for name in _FOLDER.findall(text)} | {file.parent}
        for name in _FILE.findall(text):
            possible = {_below(folder, name) for folder in folders}
            meant = {place for place in possible if os.path.isfile(place)} or possible
            waiting += meant - found
            found |= meant
    return found


def _below(folder: Path, name: str) -> Path:
    return Path(os.path.normpath(folder / name))


def _text(file: Path) -> str:
    """What a file says; nothing if it cannot be read."""
    try:
        return file.read_text(encoding="utf-8", errors="replace") if os.path.isfile(file) else ""
    except OSError:
        return ""


def _stamps(files: Iterable[Path]) -> list[Stamp]:
    return [_stamp(file) for file in files]


def _stamp(file: Path) -> Stamp:
    try:
        seen = os.stat(file)
    except (OSError, ValueError):
        return None
    return seen.st_mtime_ns, seen.st_size, seen.st_ino


class Watcher:
    """Calls `changed` from a thread of its own with the watched files that were saved, have gone or come back."""

    def __init__(self, changed: Callable[[list[Path]], None], look_seconds: float = LOOK_SECONDS) -> None:
        self._changed, self._look_seconds = changed, look_seconds
        self._stop = threading.Event()

    def watch_model(self, path: str) -> None:
        """Watch the files of this model instead of any others."""
        try:
            files = sorted(files_of(Path(path)))
        except OSError:
            # the folder in which the program was started is gone
            files = []
        self.watch(files)

    def watch(self, files: list[Path]) -> None:
        """Watch these files instead of any others: what is saved after this call is noticed."""
        self.close()
        self._stop = threading.Event()
        arguments = (files, _stamps(files), self._stop)
        threading.Thread(target=self._work, args=arguments, name="watcher", daemon=True).start()

    def close(self) -> None:
        """Watch nothing any more."""
        self._stop.set()

    def _work(self, files: list[Path], known: list[Stamp], stop: threading.Event) -> None:
        """Report changes until told to stop."""
        seen = known
        while not stop.wait(self._look_seconds):
            before, seen = seen, _stamps(files)
            if seen != known and seen == before:
                changed = [file for file, old, new in zip(files, known, seen, strict=True) if old != new]
                known = seen
                self._changed(changed)
