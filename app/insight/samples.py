"""Samples of expressions at moments of a run: they belong to a branch and a step, and nothing erases them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.history.timeline import Timeline
from app.insight.curve import Array, Curve, GrowingArray

Steps = NDArray[np.int64]
# samples of one expression and branch that are kept; they can be computed again
MOST = 1 << 17


@dataclass(frozen=True, eq=False)
class StepCurve:
    """Values at steps of a branch, and where time goes back between two of them."""

    steps: Steps
    times: Array
    values: Array
    cuts: tuple[int, ...] = ()


@dataclass(frozen=True)
class Shown:
    """The expressions at the moment that is shown: numbers, or why there is none."""

    branch: int = 0
    step: int = -1
    time: float = 0.0
    values: Mapping[str, float | str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Sampled:
    """All samples so far, by expression and branch; `version` grows with each change."""

    curves: Mapping[tuple[str, int], StepCurve] = field(default_factory=dict)
    shown: Shown = Shown()
    # whether more samples of what is shown are on their way
    refining: bool = False
    version: int = 0


class Samples:
    """Samples of one expression at steps of one branch, in order, as they come."""

    def __init__(self) -> None:
        self._steps, self._times, self._values = GrowingArray(np.int64), GrowingArray(), GrowingArray()
        # steps that were asked for; where one could not be had, the sample is of one before it
        self._asked = GrowingArray(np.int64)

    def lacks(self, steps: Steps) -> NDArray[np.bool_]:
        """Which steps were not asked for."""
        asked = self._asked.view()
        if not len(asked):
            return np.ones(len(steps), bool)
        places = np.minimum(np.searchsorted(asked, steps), len(asked) - 1)
        lacking: NDArray[np.bool_] = asked[places] != steps
        return lacking

    def add(self, asked: Steps, steps: Steps, times: Array, values: Array) -> None:
        """Add samples in order of their steps; one that is there already is replaced."""
        if len(steps) and (not len(self._steps) or steps[0] > self._steps.view()[-1]):
            for array, new in ((self._steps, steps), (self._times, times), (self._values, values)):
                array.extend(new)
        elif len(steps):
            # of equal steps the first of the sorted ones is taken: the newer
            every = np.concatenate([steps, self._steps.view()])
            kept, order = np.unique(every, return_index=True)
            self._steps = _grown(kept)
            self._times = _grown(np.concatenate([times, self._times.view()])[order])
            self._values = _grown(np.concatenate([values, self._values.view()])[order])
        if len(asked) and (not len(self._asked) or asked[0] > self._asked.view()[-1]):
            self._asked.extend(asked)
        elif len(asked):
            self._asked = _grown(np.union1d(self._asked.view(), asked))

    def drop_after(self, step: int) -> None:
        """The branch has no later steps any more."""
        if (len(self._steps) and self._steps.view()[-1] > step) or (len(self._asked) and self._asked.view()[-1] > step):
            self._keep(self._steps.view() <= step, self._asked.view() <= step)

    def thin(self, first: int, last: int) -> None:
        """If there are too many, every other one goes, except from step `first` to `last`."""
        if len(self._steps) > MOST:
            steps, asked = self._steps.view(), self._asked.view()
            here, there = ((first <= x) & (x <= last) for x in (steps, asked))
            self._keep(here | (np.arange(len(steps)) % 2 == 0), there | np.isin(asked, steps[::2]))

    def _keep(self, kept: NDArray[np.bool_], asked: NDArray[np.bool_]) -> None:
        self._steps, self._times, self._values = (
            _grown(array.view()[kept]) for array in (self._steps, self._times, self._values)
        )
        self._asked = _grown(self._asked.view()[asked])

    def frozen(self) -> StepCurve:
        """As they are now."""
        times = self._times.view()
        return StepCurve(self._steps.view(), times, self._values.view(), tuple(np.flatnonzero(np.diff(times) < 0) + 1))


def _grown(values: NDArray[Any]) -> GrowingArray:
    array = GrowingArray(values.dtype.type)
    array.extend(values)
    return array


def line_curves(sampled: Sampled, timeline: Timeline, branch: int, expression: str) -> list[Curve]:
    """An expression along the line of a branch: curves that follow each other."""
    curves: list[Curve] = []
    line = timeline.line(branch)
    for part, after in zip(line, (*line[1:], None), strict=True):
        found = sampled.curves.get((expression, part.branch.id))
        end = part.last if after is None else after.first - 1
        if found is not None:
            curves += _between(found, part.first, end)
        shown = sampled.shown
        # the newest moment may still change: it is no sample yet
        if (shown.branch, shown.step) == (part.branch.id, end) and after is None:
            value = shown.values.get(expression)
            if isinstance(value, float):
                curves.append(Curve(np.array([shown.time]), np.array([value])))
    return curves


def _between(found: StepCurve, first: int, last: int) -> Sequence[Curve]:
    """The samples from step `first` to `last`, cut where time goes back."""
    low, high = np.searchsorted(found.steps, (first, last + 1)).tolist()
    edges = [low, *(cut for cut in found.cuts if low < cut < high), high]
    return [Curve(found.times[a:b], found.values[a:b]) for a, b in pairwise(edges) if a < b]
