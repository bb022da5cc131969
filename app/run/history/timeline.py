"""The timeline: branches, moments and markers of a run as the GUI sees them; immutable, part of every snapshot.

A moment is a branch and a step: step k is the state after k steps since the reset at the branch's root. A branch begins
at step `fork` of its parent. The line of a branch is what led to its head: from the root through its ancestors, each up
to the fork, to its own last step. On a line a step alone names a moment.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from app.run.history.markers import Marker

NO_BRANCH = -1


@dataclass(frozen=True)
class Pace:
    """From a step on, time grows by `timestep` per step, from `time` on."""

    step: int
    time: float
    timestep: float


@dataclass(frozen=True)
class BranchView:
    """A branch: its own steps are those from `fork` to `last`."""

    id: int
    parent: int = NO_BRANCH
    fork: int = 0
    last: int = 0
    name: str = ""
    # of the palette of branches
    colour: int = 0
    # from `fork` on; time is linear between two of them
    paces: tuple[Pace, ...] = (Pace(0, 0.0, 0.0),)
    markers: tuple[Marker, ...] = ()

    def time_of(self, step: int) -> float:
        """The simulated time of one of its own steps, s."""
        pace = self.pace(step)
        return pace.time + (step - pace.step) * pace.timestep

    def pace(self, step: int) -> Pace:
        """How time grows at one of its own steps."""
        return self.paces[max(bisect_right(self.paces, step, key=lambda pace: pace.step) - 1, 0)]


@dataclass(frozen=True)
class Part:
    """The steps from `first` to `last` of a branch, as part of a line."""

    branch: BranchView
    first: int
    last: int


@dataclass(frozen=True)
class MemoryUse:
    """What the history takes, in bytes, and how many of the latest steps are there without computing them again."""

    tape: int = 0
    checkpoints: int = 0
    disk: int = 0
    dense_steps: int = 0


@dataclass(frozen=True)
class Timeline:
    """All branches of a run, and the moment that is shown: step `now` of branch `branch`."""

    branches: tuple[BranchView, ...] = (BranchView(0),)
    branch: int = 0
    now: int = 0
    # the oldest step of the line that can be gone to
    first: int = 0
    # steps of the line that replay repeats
    loop: tuple[int, int] | None = None
    # the branch that is drawn as a ghost, at the same time
    ghost: int = NO_BRANCH
    memory: MemoryUse = field(default_factory=MemoryUse)
    # the number of the history: the moments of another one are others
    run: int = 0

    def find(self, branch: int) -> BranchView:
        """The branch of an id."""
        return next(known for known in self.branches if known.id == branch)

    def line(self, branch: int | None = None) -> tuple[Part, ...]:
        """The line of a branch, or of the present one, from the root on."""
        part = self.find(self.branch if branch is None else branch)
        parts = [Part(part, part.fork, part.last)]
        while part.parent != NO_BRANCH:
            fork, part = part.fork, self.find(part.parent)
            parts.append(Part(part, part.fork, fork))
        return tuple(reversed(parts))

    @property
    def last(self) -> int:
        """The last step of the line."""
        return self.find(self.branch).last

    @property
    def at_head(self) -> bool:
        """Whether the newest moment of the branch is shown: steps can be made there."""
        return self.now == self.last

    def time_of(self, step: int, branch: int | None = None) -> float:
        """The simulated time of a step of a line, s."""
        return self._owner(step, branch).time_of(step)

    def timestep_at(self, step: int) -> float:
        """Simulated time between two moments there, s: a script may make several steps between them."""
        return self._owner(step, None).pace(step).timestep

    def step_at(self, time: float, branch: int | None = None) -> int:
        """The last step of a line at which its time has not passed `time`; the first step if there is none."""
        parts = self.line(branch)
        low, high = parts[0].first, parts[-1].last
        while low < high:
            middle = (low + high + 1) // 2
            owner = next(part.branch for part in reversed(parts) if middle >= part.first)
            if owner.time_of(middle) <= time * (1 + 1e-12) + 1e-12:
                low = middle
            else:
                high = middle - 1
        return low

    def _owner(self, step: int, branch: int | None) -> BranchView:
        """The branch that a step of a line belongs to: at a fork the younger one."""
        parts = self.line(branch)
        return next((part.branch for part in reversed(parts) if step >= part.first), parts[0].branch)

    @property
    def markers(self) -> tuple[Marker, ...]:
        """The markers of the present line, in order."""
        parts = self.line()
        ends = [part.last for part in parts[:-1]]
        own = parts[-1].branch.markers
        before = (
            marker
            for part, end in zip(parts, ends, strict=False)
            for marker in part.branch.markers
            if marker.moment <= end
        )
        return (*before, *own)

    @property
    def first_time(self) -> float:
        """Time of the oldest step, s."""
        return self.time_of(self.first)

    @property
    def last_time(self) -> float:
        """Time of the last step, s."""
        return self.time_of(self.last)
