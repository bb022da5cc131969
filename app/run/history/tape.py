"""The tape: the states of the latest steps in a ring of rows, written by the engine inside its native loop.

Rows are counted in the order in which they were computed, whatever the branch; the oldest are overwritten.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim import Data, Model
from sim.engine import Engine
from sim.recording.run import Segment

MIN_ROWS = 64

Array = NDArray[np.float64]


class Tape:
    """The ring of one Data."""

    def __init__(self, engine: Engine, model: Model, data: Data, budget: int) -> None:
        self._engine, self._model, self._data = engine, model, data
        self.signature = engine.record_signature(model)
        self.width = engine.state_size(model, self.signature)
        self.size = max(budget // (8 * max(self.width, 1)), MIN_ROWS)
        engine.trace(model, data, self.size)
        self.closed = False

    @property
    def count(self) -> int:
        """How many rows were written."""
        return int(self._data.trace.count)

    def fits(self, model: Model) -> bool:
        """Whether the states of a model, as it is edited now, are such rows."""
        return self._engine.record_signature(model) == self.signature

    def state(self) -> Array:
        """The present state as a row."""
        return self._engine.get_state(self._model, self._data, self.signature)

    def append(self, row: Array) -> int:
        """Write a row; returns its number."""
        number = self.count
        self._data.trace.state[number % self.size] = row
        self._data.trace.count = number + 1
        return number

    def put(self, number: int, row: Array) -> None:
        """Write the row of a number again."""
        self._data.trace.state[number % self.size] = row

    def row(self, number: int) -> Array | None:
        """A copy of the row of a number; None if it was overwritten."""
        if self.closed or not max(self.count - self.size, 0) <= number < self.count:
            return None
        return np.array(self._data.trace.state[number % self.size])

    def rows(self, first: int, last: int, width: int | None = None) -> Array:
        """The rows of some numbers, as far as they are there; or the first `width` numbers of each."""
        start, end = max(first, self.count - self.size), last + 1
        state: Array = self._data.trace.state
        # in one piece, or in two around the end of the ring: a third of the time that a list of numbers takes
        turn = min(max(start - start % self.size + self.size, start), end)
        parts = (state[start % self.size :][: turn - start, :width], state[: max(end - turn, 0), :width])
        return np.concatenate(parts)

    def close(self) -> None:
        """Stop recording; the rows are gone."""
        self.closed = True
        self._engine.trace(self._model, self._data, 0)


class TapedSegment(Segment):
    """A segment with the number of its first row on the tape."""

    tape: Tape | None = None
    number: int = 0

    @property
    def end_number(self) -> int:
        """The number of the row after its last one."""
        return self.number + self.last - self.first + 1

    def row(self, step: int) -> Array | None:
        """The state at a step, if the tape has it."""
        return None if self.tape is None else self.tape.row(self.number + step - self.first)
