"""Watches the files of the open model, so that it is reloaded when one of them is saved.

The files are the main one, those it includes, and the assets it names, whether they exist or not: a deleted file may
come back. They are polled several times a second. That costs 3 us a file, and sees what the system's notifications
miss: folders that come and go, network disks, and a file saved just when the watch begins.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

# editors write in several steps: a change counts when two polls agree on it
POLL_SECONDS = 0.12
_FILE = re.compile(r"""\bfile\s*=\s*["']([^"']+)["']""")
_FOLDER = re.compile(r"""\b(?:meshdir|texturedir|assetdir)\s*=\s*["']([^"']+)["']""")

# modification time, size and inode of a file; None if there is none
Stamp = tuple[int, int, int] | None


def model_files(path: Path) -> set[Path]:
    """The main file and every file it names, also through includes and attached models.

    A name may mean a file in any of the model's folders: those that exist, otherwise all candidates.
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
    """The text of a file; empty if it cannot be read."""
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
    """Calls `changed`, on its own thread, with the watched files that were saved, deleted or created."""

    def __init__(self, changed: Callable[[list[Path]], None], poll_seconds: float = POLL_SECONDS) -> None:
        self._changed, self._poll_seconds = changed, poll_seconds
        self._stop = threading.Event()

    def watch_model(self, path: str) -> None:
        """Watch the files of this model and no others."""
        try:
            files = sorted(model_files(Path(path)))
        except OSError:
            # the folder in which the program was started is gone
            files = []
        self.watch(files)

    def watch(self, files: list[Path]) -> None:
        """Watch these files and no others; anything saved after this call is noticed."""
        self.close()
        self._stop = threading.Event()
        arguments = (files, _stamps(files), self._stop)
        threading.Thread(target=self._work, args=arguments, name="watcher", daemon=True).start()

    def close(self) -> None:
        """Stop watching."""
        self._stop.set()

    def _work(self, files: list[Path], known: list[Stamp], stop: threading.Event) -> None:
        """Report changes until stopped."""
        seen = known
        while not stop.wait(self._poll_seconds):
            before, seen = seen, _stamps(files)
            if seen != known and seen == before:
                changed = [file for file, old, new in zip(files, known, seen, strict=True) if old != new]
                known = seen
                self._changed(changed)
