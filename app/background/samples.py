"""Samples of expressions at moments of a run: they belong to a branch and a step, and nothing erases them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.background.curve import Array, Curve, GrowingArray
from app.run.history.timeline import Timeline

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
    """The expressions at the current state: numbers, or why there is none."""

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
        # steps that are done: there is a sample, or there can be none; and steps that have a sample near before them
        self._done, self._near = GrowingArray(np.int64), GrowingArray(np.int64)

    def lacks(self, steps: Steps, exact: bool = True) -> NDArray[np.bool_]:
        """Which steps are not done; unless it has to be `exact`, a sample near before one will do."""
        lacking = ~_among(self._done.view(), steps)
        return lacking if exact else lacking & ~_among(self._near.view(), steps)

    def add(self, asked: Steps, steps: Steps, times: Array, values: Array, exact: bool = True) -> None:
        """Add samples in order of their steps; one that is there already is replaced.

        Of the steps that were asked for, those that have none are done all the same if they had to be `exact`.
        """
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
        here = np.ones(len(asked), bool) if exact else _among(steps, asked)
        self._done, self._near = _with(self._done, asked[here]), _with(self._near, asked[~here])

    def drop_after(self, step: int) -> None:
        """The branch has no later steps any more."""
        if any(len(array) and array.view()[-1] > step for array in (self._steps, self._done, self._near)):
            self._keep(lambda steps: steps <= step)

    def thin(self, first: int, last: int) -> None:
        """If there are too many, every other one goes, except from step `first` to `last`."""
        if len(self._steps) > MOST:
            left = self._steps.view()[::2]
            self._keep(lambda steps: ((first <= steps) & (steps <= last)) | _among(left, steps))

    def _keep(self, which: Callable[[Steps], NDArray[np.bool_]]) -> None:
        kept = which(self._steps.view())
        self._times, self._values = (_grown(array.view()[kept]) for array in (self._times, self._values))
        self._steps, self._done, self._near = (
            _grown(array.view()[which(array.view())]) for array in (self._steps, self._done, self._near)
        )

    def frozen(self) -> StepCurve:
        """As they are now."""
        times = self._times.view()
        return StepCurve(self._steps.view(), times, self._values.view(), tuple(np.flatnonzero(np.diff(times) < 0) + 1))


def _among(known: Steps, steps: Steps) -> NDArray[np.bool_]:
    """Which steps are among others, which are in order."""
    if not len(known):
        return np.zeros(len(steps), bool)
    found: NDArray[np.bool_] = known[np.minimum(np.searchsorted(known, steps), len(known) - 1)] == steps
    return found


def _with(array: GrowingArray, steps: Steps) -> GrowingArray:
    """An array of steps in order, and some more."""
    if len(steps) and len(array) and steps[0] <= array.view()[-1]:
        return _grown(np.union1d(array.view(), steps))
    array.extend(steps)
    return array


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
        # the newest state may still change: it is not a sample yet
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
