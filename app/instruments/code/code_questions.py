"""What the Code instrument asks: the index of the code and what of it the model uses, a coloured file, a value."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.instruments.code.source_text import Line, coloured_lines
from sim.file_stamp import stamps
from sim.script.kernels.index import KernelIndex, make_index, used_by

if TYPE_CHECKING:
    from app.background.probe import Moment

# numbers of a field in a tooltip
MOST_NUMBERS = 12


@dataclass(frozen=True, eq=False)
class CodeAnswer:
    """The index, and the names of the functions that the step of the model may call."""

    index: KernelIndex
    used: frozenset[str]


@dataclass(frozen=True)
class IndexQuestion:
    """All of the code; another number asks again, after an edit of the model or of a source."""

    number: int

    def answer(self, moment: Moment) -> CodeAnswer:
        """The index, made again if a source has changed."""
        return CodeAnswer(_indices.newest(), used_by(moment.model))


@dataclass(frozen=True)
class SourceQuestion:
    """The coloured lines of a file."""

    file: Path
    text: str

    def answer(self, _: Moment) -> tuple[Line, ...]:
        """The lines."""
        return coloured_lines(self.text)


@dataclass(frozen=True, eq=False)
class FieldValue:
    """A field now: its shape, and the first of its numbers, of one row if there is one."""

    shape: tuple[int, ...]
    row: int
    numbers: tuple[float, ...]


@dataclass(frozen=True)
class FieldQuestion:
    """A field, `d.xpos`, and the row that is of interest, or -1."""

    field: str
    row: int = -1

    def answer(self, moment: Moment) -> FieldValue:
        """Its value at the current moment."""
        struct, _, name = self.field.partition(".")
        value = np.asarray((moment.data if struct == "d" else moment.model).read(name))
        row = self.row if value.ndim and 0 <= self.row < len(value) else -1
        shown = value[row] if row >= 0 else value
        return FieldValue(value.shape, row, tuple(float(x) for x in np.ravel(shown)[:MOST_NUMBERS]))


class _Indices:
    """The newest index, and the files that it was made from."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._index: KernelIndex | None = None
        self._stamps: object = None

    def newest(self) -> KernelIndex:
        """The index of the sources as they are now."""
        with self._lock:
            files = {code.file for code in self._index.codes.values()} if self._index is not None else set()
            now = stamps(files)
            if self._index is None or now != self._stamps:
                self._index = make_index()
                self._stamps = stamps({code.file for code in self._index.codes.values()})
            return self._index


_indices = _Indices()
