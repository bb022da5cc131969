"""The clocks of branches: steps to times of the axis and back, for any branch of a timeline.

The axis shows simulated time, which never goes back on it: where a script has set the time back, the axis goes on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.history.timeline import NO_BRANCH, BranchView, Pace, Timeline
from app.view.time_axis import Span

# what is shown at least, in steps and seconds
LEAST_STEPS, LEAST_SECONDS = 50, 5.0
# the shortest span that one can zoom to, in steps
CLOSEST_STEPS = 10
NO_TIMESTEP = 1e-3


@dataclass(frozen=True)
class BranchClock:
    """Steps of a branch and of what led to it, as a piecewise linear function."""

    steps: NDArray[np.int64]
    times: NDArray[np.float64]
    timesteps: NDArray[np.float64]

    def time_of(self, step: int) -> float:
        """The place of a step on the axis, s."""
        k = max(int(np.searchsorted(self.steps, step, "right")) - 1, 0)
        return float(self.times[k] + (step - self.steps[k]) * self.timesteps[k])

    def times_of(self, steps: NDArray[np.int64]) -> NDArray[np.float64]:
        """The places of many steps."""
        k = np.maximum(np.searchsorted(self.steps, steps, "right") - 1, 0)
        places: NDArray[np.float64] = self.times[k] + (steps - self.steps[k]) * self.timesteps[k]
        return places

    def step_at(self, time: float, first: int, last: int) -> int:
        """The step nearest to a time, between two steps."""
        k = max(int(np.searchsorted(self.times, time, "right")) - 1, 0)
        timestep = float(self.timesteps[k])
        step = int(self.steps[k]) + (round((time - float(self.times[k])) / timestep) if timestep > 0 else 0)
        if k + 1 < len(self.steps):
            step = min(step, int(self.steps[k + 1]))
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
        self.update(self._timeline)

    def update(self, timeline: Timeline) -> None:
        """Take another timeline."""
        self._timeline = timeline
        branches = {branch.id: branch for branch in timeline.branches}
        self._known = {key: known for key, known in self._known.items() if key in branches}
        done: set[int] = set()
        for branch in timeline.branches:
            self._renew(branch, branches, done)

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

    @property
    def whole(self) -> Span:
        """The times of all branches, and a little more if these are few."""
        timeline, oldest = self._timeline, self.present.time_of(self._timeline.first)
        root = timeline.line()[0].branch.id
        first = min(
            (self[b.id].time_of(b.fork) for b in timeline.branches if b.parent == NO_BRANCH and b.id != root),
            default=oldest,
        )
        first, last = min(first, oldest), max(self[b.id].time_of(b.last) for b in timeline.branches)
        return first, max(last, first + min(LEAST_SECONDS, LEAST_STEPS * self.timestep))

    @property
    def timestep(self) -> float:
        """The present timestep, s."""
        return float(self.present.timesteps[-1]) or NO_TIMESTEP

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
        count = int(np.searchsorted(parent.steps, branch.fork, "left"))
        steps, times, timesteps = (part[:count].tolist() for part in (parent.steps, parent.times, parent.timesteps))
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
    return BranchClock(np.array(steps, np.int64), np.array(times), np.array(timesteps))
