"""Rows that are kept for good: in memory up to a budget, then in a scratch file.

A scratch file has no name: it is gone with the process. If it cannot be written, or is as large as it may get, rows
stay in memory, and `fault` says why: then whoever keeps rows has to forget some.
"""

from __future__ import annotations

import os
import tempfile
from collections import deque
from typing import IO

import numpy as np
from numpy.typing import NDArray

# of the scratch file
DISK_BYTES = 8 << 30

Array = NDArray[np.float64]


class KeptRows:
    """Rows in memory, or in the scratch file of a store."""

    def __init__(self, rows: Array) -> None:
        self._rows: Array | None = rows
        self._shape = rows.shape
        self._nbytes = int(rows.nbytes)
        self._file: IO[bytes] | None = None
        self._offset = 0

    @property
    def nbytes(self) -> int:
        """How much memory they need."""
        return self._nbytes

    def read(self) -> Array:
        """The rows; on any thread."""
        rows, file = self._rows, self._file
        if rows is None:
            assert file is not None
            rows = np.frombuffer(os.pread(file.fileno(), self.nbytes, self._offset), float).reshape(self._shape)
        return rows

    def move(self, file: IO[bytes]) -> None:
        """Move them to the end of a file."""
        assert self._rows is not None
        self._offset = file.seek(0, os.SEEK_END)
        file.write(self._rows.data)
        file.flush()
        # another thread that has seen no rows must find the file
        self._file = file
        self._rows = None


class RowStore:
    """All rows that are kept, the oldest in a file."""

    def __init__(self, budget: int, disk: int = DISK_BYTES) -> None:
        self.budget, self._most = budget, disk
        self._in_memory: deque[KeptRows] = deque()
        self._file: IO[bytes] | None = None
        self.memory = 0
        self.disk = 0
        self.fault = ""

    def keep(self, rows: Array) -> KeptRows:
        """Keep a copy of some rows."""
        kept = KeptRows(np.array(np.atleast_2d(rows)))
        self._in_memory.append(kept)
        self.memory += kept.nbytes
        if self.memory > self.budget and not self.fault:
            self._spill()
        return kept

    def _spill(self) -> None:
        """Move the oldest half to the file."""
        if self.disk + self.budget > self._most:
            self.fault = f"the scratch file of the history has {self.disk >> 20} MB, as many as it may"
            return
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(prefix="kinetoscope-")  # noqa: SIM115
            while self.memory > self.budget // 2:
                oldest = self._in_memory[0]
                oldest.move(self._file)
                self._in_memory.popleft()
                self.memory -= oldest.nbytes
                self.disk += oldest.nbytes
        except OSError as error:
            self.fault = f"the scratch file of the history cannot be written: {error.strerror or error}"

    @property
    def full(self) -> bool:
        """Whether some rows have to be forgotten."""
        return bool(self.fault) and self.memory > 2 * self.budget

    def forget(self, rows: KeptRows) -> None:
        """These rows are not needed any more."""
        if rows in self._in_memory:
            self._in_memory.remove(rows)
            self.memory -= rows.nbytes
