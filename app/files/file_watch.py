"""Watches the files of the open model, so that it is reloaded when one of them is saved.

The files are those that the compiler read or looked for: one that is missing may come into being. A change is one
since the compiler looked, so a file that is saved while the model is compiled is noticed too. Files are polled several
times a second. That costs 3 us a file, and sees what the system's notifications miss: folders that come and go, and
network disks.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from sim.file_stamp import Stamp, stamp

# editors write in several steps: a change counts when two polls agree on it
POLL_SECONDS = 0.12


class Watcher:
    """Calls `changed`, on its own thread, with the watched files that were saved, deleted or created."""

    def __init__(self, changed: Callable[[list[Path]], None], poll_seconds: float = POLL_SECONDS) -> None:
        self._changed, self._poll_seconds = changed, poll_seconds
        self._stop = threading.Event()

    def watch(self, files: Mapping[Path, Stamp]) -> None:
        """Watch these files and no others, for changes since they had these stamps."""
        self.close()
        self._stop = threading.Event()
        arguments = ([*files], [*files.values()], self._stop)
        threading.Thread(target=self._work, args=arguments, name="watcher", daemon=True).start()

    def close(self) -> None:
        """Stop watching."""
        self._stop.set()

    def _work(self, files: list[Path], known: list[Stamp], stop: threading.Event) -> None:
        """Report changes until stopped."""
        seen = known
        while not stop.wait(self._poll_seconds):
            before, seen = seen, [stamp(file) for file in files]
            if seen != known and seen == before:
                changed = [file for file, old, new in zip(files, known, seen, strict=True) if old != new]
                known = seen
                self._changed(changed)
