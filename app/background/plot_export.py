"""Exports plots to a file, on a thread of its own: every step of a range, or the samples that are shown."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from app.background.plot_file import Block, write_plot_file
from app.background.row_source import RowSource, Taken, Values
from app.files.output import reason
from app.run.background_thread import answer_of, low_priority_thread
from app.run.history.timeline import Part

# rows that are asked for at a time
ROWS = 256


@dataclass(frozen=True)
class Line:
    """A line to evaluate: its name, and its steps by the branch that they belong to."""

    name: str
    parts: tuple[Part, ...]

    @property
    def count(self) -> int:
        """How many steps it has."""
        return sum(part.last - part.first + 1 for part in self.parts)


class Cancelled(Exception):
    """The user does not want it any more."""


class PlotExport:
    """One export: expressions at every step of some lines, and blocks that are there already."""

    def __init__(
        self,
        path: Path,
        source: RowSource,
        expressions: Sequence[str],
        lines: Sequence[Line],
        blocks: Sequence[Block],
        names: Sequence[str] = (),
    ) -> None:
        self.path = path
        # of the columns; without them, the expressions
        self._names = tuple(names or expressions)
        self._source, self._expressions, self._lines, self._blocks = source, tuple(expressions), lines, blocks
        self._cancelled = threading.Event()
        self._total = sum(line.count for line in lines)
        self._evaluated = 0
        # steps that could not be computed again
        self.left_out = 0
        # set at the end: why it failed; empty if it did not
        self.fault = ""
        self.done = False
        self._thread = low_priority_thread("export", self.run)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def cancel(self) -> None:
        """Stop, and write nothing."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        """Whether it was cancelled."""
        return self._cancelled.is_set()

    @property
    def progress(self) -> float:
        """From 0 to 1."""
        return self._evaluated / self._total if self._total else 0.0

    def run(self) -> None:
        """Evaluate and write; on the thread."""
        try:
            made = [self._evaluate(line) for line in self._lines]
            write_plot_file(self.path, [*made, *self._blocks])
        except Cancelled:
            pass
        except OSError as error:
            self.fault = f"{self.path.parent}: {reason(error)}"
        except Exception as error:
            self.fault = f"{type(error).__name__}: {error}"
        self.done = True

    def _evaluate(self, line: Line) -> Block:
        """The expressions at every step of a line."""
        found: list[Values] = []
        for part in line.parts:
            for first in range(part.first, part.last + 1, ROWS):
                last = min(first + ROWS - 1, part.last)
                found.append(self._source.values(self._rows(part.branch.id, first, last), self._expressions))
                self.left_out += last - first + 1 - len(found[-1].steps)
                self._evaluated += last - first + 1
        steps, times = (np.concatenate([getattr(v, name) for v in found]) for name in ("steps", "times"))
        values = np.concatenate([v.values for v in found], axis=1)
        return Block(line.name, times, dict(zip(self._names, values, strict=True)), steps)

    def _rows(self, branch: int, first: int, last: int) -> Taken:
        """Rows of some steps, from the simulation."""
        ask = partial(self._source.ask, branch, range(first, last + 1), exact=True)
        rows: Taken | None = answer_of(ask, self._cancelled.is_set)
        if rows is None:
            raise Cancelled
        return rows
