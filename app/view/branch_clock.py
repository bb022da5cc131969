"""The clocks of branches: steps to times of the axis and back, for any branch of a timeline.

The axis shows simulated time, which never goes back on it: where a script has set the time back, the axis goes on.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.run.history.timeline import NO_BRANCH, BranchView, Pace, Timeline
from app.view.time_axis import Span

# what is shown at least, in steps and seconds
LEAST_STEPS, LEAST_SECONDS = 50, 5.0
# the shortest span that one can zoom to, in steps
CLOSEST_STEPS = 10
# a length is rounded to its power of ten divided by this
GRID = 50
NO_TIMESTEP = 1e-3


@dataclass(frozen=True)
class BranchClock:
    """Steps of a branch and of what led to it, as a piecewise linear function."""

    steps: list[int]
    times: list[float]
    timesteps: list[float]

    def time_of(self, step: int) -> float:
        """The place of a step on the axis, s."""
        k = max(bisect_right(self.steps, step) - 1, 0)
        return self.times[k] + (step - self.steps[k]) * self.timesteps[k]

    def times_of(self, steps: NDArray[np.int64]) -> NDArray[np.float64]:
        """The places of many steps."""
        k = np.maximum(np.searchsorted(self.steps, steps, "right") - 1, 0)
        begins, times, timesteps = np.array(self.steps), np.array(self.times), np.array(self.timesteps)
        places: NDArray[np.float64] = times[k] + (steps - begins[k]) * timesteps[k]
        return places

    def step_at(self, time: float, first: int, last: int) -> int:
        """The step nearest to a time, between two steps."""
        k = max(bisect_right(self.times, time) - 1, 0)
        timestep = self.timesteps[k]
        step = self.steps[k] + (round((time - self.times[k]) / timestep) if timestep > 0 else 0)
        if k + 1 < len(self.steps):
            step = min(step, self.steps[k + 1])
        return min(max(step, first), last)


@dataclass(frozen=True)
class _Known:
    """A clock, and what it was made from."""

    paces: Sequence[Pace]
    parent: BranchClock | None
    clock: BranchClock


class Clocks:
    """The clocks of all branches of a timeline; those that have not changed are kept."""

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}
        self._timeline = Timeline()
        # the times of all branches, and a little more if these are few
        self.whole: Span = (0.0, 1.0)
        self.update(self._timeline)

    def update(self, timeline: Timeline) -> None:
        """Take another timeline."""
        self._timeline = timeline
        branches = {branch.id: branch for branch in timeline.branches}
        self._known = {key: known for key, known in self._known.items() if key in branches}
        done: set[int] = set()
        for branch in timeline.branches:
            self._renew(branch, branches, done)
        self.whole = self._span()

    def _renew(self, branch: BranchView, branches: dict[int, BranchView], done: set[int]) -> BranchClock:
        """The clock of a branch, made again if its paces or its parent's clock are others."""
        # parents first, without recursion: there may be a thousand generations
        waiting = [branch]
        while waiting[-1].parent != NO_BRANCH and waiting[-1].parent not in done:
            waiting.append(branches[waiting[-1].parent])
        for next_one in reversed(waiting):
            parent = None if next_one.parent == NO_BRANCH else self._known[next_one.parent].clock
            known = self._known.get(next_one.id)
            if known is None or known.parent is not parent or known.paces != next_one.paces:
                made = _clock(next_one, parent)
                self._known[next_one.id] = _Known(next_one.paces, parent, made)
            done.add(next_one.id)
        return self._known[branch.id].clock

    def __getitem__(self, branch: int) -> BranchClock:
        """The clock of a branch."""
        return self._known[branch].clock

    @property
    def present(self) -> BranchClock:
        """The clock of the present branch."""
        return self[self._timeline.branch]

    def _span(self) -> Span:
        """The times of all branches, rounded up a little, so that the axis rests while time passes."""
        timeline = self._timeline
        root = timeline.line()[0].branch.id
        roots = [self[b.id].time_of(b.fork) for b in timeline.branches if b.parent == NO_BRANCH and b.id != root]
        first = min([self.present.time_of(timeline.first), *roots])
        last = max(self[b.id].time_of(b.last) for b in timeline.branches)
        length = max(last - first, min(LEAST_SECONDS, LEAST_STEPS * self.timestep))
        grid = 10.0 ** math.floor(math.log10(length)) / GRID
        return first, first + math.ceil(length / grid - 1e-9) * grid

    @property
    def timestep(self) -> float:
        """The present timestep, s."""
        return self.present.timesteps[-1] or NO_TIMESTEP

    @property
    def least(self) -> float:
        """The shortest span that is shown, s."""
        return CLOSEST_STEPS * self.timestep


def _clock(branch: BranchView, parent: BranchClock | None) -> BranchClock:
    """The clock of a branch: that of its parent up to the fork, then its own paces."""
    steps: list[int] = []
    times: list[float] = []
    timesteps: list[float] = []
    # how far the axis is ahead of simulated time
    ahead = 0.0
    if parent is not None:
        count = bisect_left(parent.steps, branch.fork)
        steps, times, timesteps = parent.steps[:count], parent.times[:count], parent.timesteps[:count]
        start = branch.paces[0].time
        ahead = parent.time_of(branch.fork) - (start if math.isfinite(start) else 0.0)
    for pace in branch.paces:
        expected = times[-1] + (pace.step - steps[-1]) * timesteps[-1] if steps else 0.0
        # a script can set any time, even one that is not a number
        time = pace.time if math.isfinite(pace.time) else 0.0
        if steps and time + ahead < expected:
            ahead = expected - time
        steps.append(pace.step)
        times.append(time + ahead)
        timesteps.append(pace.timestep)
    return BranchClock(steps, times, timesteps)
