"""Rows that are kept for good: in memory up to a budget, then in scratch files.

A scratch file has no name: it is gone with the process, or once all of its rows are forgotten and nobody reads them. If
none can be written, or all have as much as they may, rows stay in memory, and `fault` says why: then whoever keeps rows
has to forget some.
"""

from __future__ import annotations

import os
import tempfile
from collections import deque
from typing import IO

import numpy as np
from numpy.typing import NDArray

# of all scratch files, and how many there are: space comes back by the file
DISK_BYTES, DISK_FILES = 8 << 30, 16

Array = NDArray[np.float64]


class ScratchFile:
    """Rows of a store on disk: how many bytes were written, and how many of them are needed."""

    def __init__(self) -> None:
        self.file: IO[bytes] = tempfile.TemporaryFile(prefix="kinetoscope-")  # noqa: SIM115
        self.size = self.needed = 0

    def write(self, rows: Array) -> int:
        """Add rows; returns where they begin. After an error the next ones take their place."""
        start = self.file.seek(self.size)
        self.file.write(rows.data)
        self.file.flush()
        self.size += rows.nbytes
        self.needed += rows.nbytes
        return start


class KeptRows:
    """Rows in memory, or in a scratch file of a store."""

    def __init__(self, rows: Array) -> None:
        self._rows: Array | None = rows
        self._shape = rows.shape
        self.nbytes = int(rows.nbytes)
        # where they are, unless in memory
        self.scratch: ScratchFile | None = None
        self._offset = 0

    def read(self) -> Array:
        """The rows; on any thread."""
        rows, scratch = self._rows, self.scratch
        if rows is None:
            assert scratch is not None
            content = os.pread(scratch.file.fileno(), self.nbytes, self._offset)
            rows = np.frombuffer(content, float).reshape(self._shape)
        return rows

    def move(self, scratch: ScratchFile) -> None:
        """Move them to a file."""
        assert self._rows is not None
        self._offset = scratch.write(self._rows)
        # another thread that has seen no rows must find the file
        self.scratch = scratch
        self._rows = None


class RowStore:
    """All rows that are kept, the oldest in files."""

    def __init__(self, budget: int, disk: int = DISK_BYTES) -> None:
        self.budget, self._most = budget, disk
        self._in_memory: deque[KeptRows] = deque()
        # the newest file; the others are where their rows are
        self._scratch: ScratchFile | None = None
        self._unwritable = False
        self.memory = 0
        self.disk = 0
        self.fault = ""

    def keep(self, rows: Array) -> KeptRows:
        """Keep a copy of some rows."""
        kept = KeptRows(np.array(np.atleast_2d(rows)))
        self._in_memory.append(kept)
        self.memory += kept.nbytes
        if self.memory > self.budget and not self._unwritable:
            self._spill()
        return kept

    def _spill(self) -> None:
        """Move the oldest half to files."""
        try:
            while self.memory > self.budget // 2:
                oldest = self._in_memory[0]
                if self.disk + oldest.nbytes > self._most:
                    self.fault = f"the history's scratch files have reached their limit of {self._most >> 20} MB"
                    return
                if self._scratch is None or self._scratch.size + oldest.nbytes > self._most // DISK_FILES:
                    self._scratch = ScratchFile()
                oldest.move(self._scratch)
                self._in_memory.popleft()
                self.memory -= oldest.nbytes
                self.disk += oldest.nbytes
        except OSError as error:
            self._unwritable = True
            self.fault = f"the history's scratch file cannot be written: {error.strerror or error}"

    @property
    def full(self) -> bool:
        """Whether some rows have to be forgotten."""
        return self.memory > self.budget and (self._unwritable or self.disk + self.budget > self._most)

    def forget(self, rows: KeptRows) -> None:
        """These rows are not needed any more."""
        scratch = rows.scratch
        if scratch is None:
            self._in_memory.remove(rows)
            self.memory -= rows.nbytes
            return
        scratch.needed -= rows.nbytes
        if not scratch.needed:
            self.disk -= scratch.size
            if scratch is self._scratch:
                self._scratch = None
