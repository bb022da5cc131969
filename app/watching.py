"""Watches the files of the open model, so that it is read again when one of them is saved.

A model is its main file, what that includes, and the assets it names. Folders are watched rather than files, because
many editors save by putting a new file in place of the old one.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from pathlib import Path

# wait for so many milliseconds of silence: editors write in several goes
QUIET_MS = 120
_FILE = re.compile(r"""\bfile\s*=\s*["']([^"']+)["']""")
_FOLDER = re.compile(r"""\b(?:meshdir|texturedir|assetdir)\s*=\s*["']([^"']+)["']""")


def files_of(path: Path) -> set[Path]:
    """The model's own file and every file it names that exists, through includes and attached models too."""
    found: set[Path] = set()
    waiting = [path.resolve()]
    folders = {path.resolve().parent}
    while waiting:
        file = waiting.pop()
        if file in found or not file.is_file():
            continue
        found.add(file)
        if file.suffix.lower() != ".xml":
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        folders |= {(file.parent / name).resolve() for name in _FOLDER.findall(text)} | {file.parent}
        waiting += [(folder / name).resolve() for name in _FILE.findall(text) for folder in folders]
    return found


class Watcher:
    """Calls `changed` from a thread of its own whenever a file of the watched model is saved."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._stop: threading.Event | None = None
        self._files: set[Path] = set()

    def watch(self, path: str) -> None:
        """Watch this model from now on, instead of any other."""
        try:
            files = files_of(Path(path))
        except OSError:
            files = set()
        if files == self._files:
            return
        self.close()
        self._files = files
        if files:
            self._stop = threading.Event()
            threading.Thread(target=self._work, args=(files, self._stop), name="watcher", daemon=True).start()

    def close(self) -> None:
        """Watch nothing any more."""
        self._files = set()
        if self._stop is not None:
            self._stop.set()
            self._stop = None

    def _work(self, files: set[Path], stop: threading.Event) -> None:
        """Report changes until told to stop."""
        from watchfiles import watch

        try:
            folders = {file.parent for file in files}
            for changes in watch(*folders, stop_event=stop, debounce=QUIET_MS * 4, step=QUIET_MS, recursive=False):
                if not stop.is_set() and any(Path(name) in files for _, name in changes):
                    self._changed()
        except (OSError, RuntimeError):
            # too many watches, or the folder is gone: Ctrl+L still works
            return
