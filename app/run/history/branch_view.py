"""What the timeline shows of each branch, made again only where something has changed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from app.run.history.markers import Markers
from app.run.history.timeline import BranchView, Pace
from sim.recording.run import Run

# times that differ by less are the same, s
SAME_TIME = 1e-9
# of uneven rows: how far the timeline may be off, in rows
ROWS_OFF = 2.0
# of one branch: a script may set the time back again and again; beyond them, older times become less exact
MOST_PACES = 10_000


class BranchViews:
    """The views of the branches of a run."""

    def __init__(self) -> None:
        self._paces: dict[int, list[Pace]] = {}
        self._views: dict[int, BranchView] = {}

    def begin(self, branch: int, step: int, time: float, timestep: float) -> None:
        """Steps of this length are made from here on."""
        last = self._paces.get(branch, [None])[-1]
        if last is not None and last.timestep == timestep:
            expected = last.time + (step - last.step) * timestep
            if abs(expected - time) <= SAME_TIME * (1.0 + abs(time)):
                return
        self.set_time(branch, step, time, timestep)

    def set_time(self, branch: int, step: int, time: float, timestep: float) -> None:
        """Time goes on from here."""
        paces = self._paces.setdefault(branch, [])
        while paces and paces[-1].step >= step:
            paces.pop()
        paces.append(Pace(step, time, timestep))
        if len(paces) > MOST_PACES:
            del paces[1 : MOST_PACES // 2 : 2]

    def follow(self, branch: int, step: int, times: NDArray[np.float64], timestep: float) -> None:
        """The moments from a step on have these times: a script may make several steps between two of them."""
        gaps = np.diff(times)
        mean = float(gaps.mean()) if len(gaps) else timestep
        even = not len(gaps) or float(np.ptp(gaps)) <= SAME_TIME * (1.0 + abs(mean))
        last = self._paces[branch][-1]
        expected = last.time + (step + np.arange(len(times)) - last.step) * last.timestep
        off = SAME_TIME * (1.0 + abs(float(times[-1]))) if even else ROWS_OFF * mean
        if not np.abs(expected - times).max() <= off:
            self.set_time(branch, step, float(times[0]), mean)

    def views(self, run: Run, markers: Mapping[int, Markers]) -> tuple[BranchView, ...]:
        """All branches, in the order in which they began."""
        for branch in run.branches.values():
            paces, marks = self._paces[branch.id], markers[branch.id].all
            known = self._views.get(branch.id)
            if (
                known is None
                or known.last != branch.last
                or known.markers is not marks
                or known.name != branch.name
                or known.paces[-1] is not paces[-1]
            ):
                self._views[branch.id] = BranchView(
                    branch.id, branch.parent, branch.fork, branch.last, branch.name, branch.colour, tuple(paces), marks
                )
        return tuple(self._views[number] for number in run.branches)
