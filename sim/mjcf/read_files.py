"""The files that a model was read from, kept in memory so that it can be compiled again, in a recording say.

What the reader read is kept as it was, for files are edited while a model runs. Of assets beyond `KEPT` bytes only the
digest is kept: they are read again when they are needed, and whether they have changed since is known.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from sim.file_stamp import absolute

# the name of a model that was given as a text
TEXT_FILE = "model.xml"
# bytes of one model's files
KEPT = 64 << 20


@dataclass(frozen=True)
class ReadFile:
    """A file as it was read; of a large one only the digest."""

    data: bytes | None
    sha256: bytes


@dataclass
class ReadFiles:
    """Files on disk by absolute path, files that the caller gave by name, and the main file, which may be a text."""

    main: Path
    text: bytes | None = None
    on_disk: dict[Path, ReadFile] = field(default_factory=dict)
    given: dict[str, bytes] = field(default_factory=dict)
    # folders in which ROS looks for packages, by environment variable
    packages: dict[str, list[Path]] = field(default_factory=dict)
    _size: int = 0

    def note(self, path: Path, data: bytes) -> None:
        """A file on disk was read."""
        place = absolute(path)
        if place not in self.on_disk:
            self._size += len(data)
            kept = self._size <= KEPT
            self.on_disk[place] = ReadFile(data if kept else None, b"" if kept else hashlib.sha256(data).digest())

    def note_given(self, name: str, data: bytes | str) -> None:
        """A file of the caller's was used."""
        self.given[name] = data.encode() if isinstance(data, str) else data
