"""The states of two runs at the same moments, and how far apart they are; in long runs some moments are left out."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.edits import ModelEdits

Array = NDArray[np.float64]

# memory for the rows of both
MOST_BYTES = 128 << 20


class Apart(NamedTuple):
    """The largest distance of a body at a moment, m, and the largest angle, rad; and which bodies these are."""

    metres: float
    radians: float
    farthest: int
    most_turned: int


class Moment(NamedTuple):
    """A step of A, its time, the rows of both, the edits of both models then, and how far apart they are."""

    step: int
    time: float
    a: Array
    b: Array
    a_edits: ModelEdits
    b_edits: ModelEdits
    apart: Apart


@dataclass
class PairRecord:
    """Moments in order; every `stride`th is kept, and the newest."""

    moments: list[Moment] = field(default_factory=list)
    stride: int = 1
    budget: int = MOST_BYTES
    _bytes: int = 0

    def add(self, moment: Moment) -> None:
        """The next moment, or the last one once more."""
        if self.moments and self.moments[-1].step == moment.step:
            self.pop()
        # it is not the newest any more
        if len(self.moments) > 1 and (self.moments[-1].step - self.first) % self.stride:
            self.pop()
        self.moments.append(moment)
        self._bytes += _size(moment)
        if self._bytes > self.budget and len(self.moments) > 2:
            self.stride *= 2
            self.moments = [m for m in self.moments if (m.step - self.first) % self.stride == 0 or m is moment]
            self._bytes = sum(map(_size, self.moments))

    def pop(self) -> None:
        """Forget the last moment."""
        self._bytes -= _size(self.moments.pop())

    def cut(self, step: int) -> None:
        """Forget all after a step."""
        while self.moments and self.moments[-1].step > step:
            self.pop()

    @property
    def first(self) -> int:
        """The first step."""
        return self.moments[0].step

    def index(self, step: int) -> int:
        """The last moment at or before a step; -1 if there is none."""
        return bisect_right(self.moments, step, key=lambda moment: moment.step) - 1


def _size(moment: Moment) -> int:
    return int(moment.a.nbytes + moment.b.nbytes)
