"""A recorded run: branches of segments, each of them steps that can be computed again to the bit.

A row is the whole state of a moment: sim.get_state(m, d, sim.record_signature(m)). A moment is a branch and a step: the
state after so many steps since the reset at the branch's root, and after all that was changed there before the next
step. A segment has steps that were made with one model, one set of edits and no interference: restore a row of it,
apply its edits, step. What interferes begins another segment: at the same step, with a first row of its own. A branch
begins at step `fork` of its parent, with a row of its own too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sim.edits import CellValue, Key, ModelEdits

__all__ = [
    "NO_BRANCH",
    "Array",
    "Block",
    "Branch",
    "CellValue",
    "Change",
    "Key",
    "ModelEdits",
    "Rows",
    "Run",
    "Segment",
]

Array = NDArray[np.float64]
NO_BRANCH = -1


class Rows(Protocol):
    """Rows that are kept: in memory or in a file."""

    def read(self) -> Array:
        """The rows, one for each step; ValueError if they are damaged."""
        ...


@dataclass
class Block:
    """Rows of consecutive steps from `first` on; a single one is a checkpoint."""

    first: int
    count: int
    rows: Rows


# a change of more numbers than this share is kept as a whole row
SPARSE = 0.25


@dataclass(frozen=True, eq=False)
class Change:
    """How the first row of a segment differs from the last row before it."""

    indices: NDArray[np.int32]
    values: Array

    @classmethod
    def between(cls, before: Array | None, row: Array) -> Change | None:
        """The difference of two rows; None if too much of it differs to be worth it."""
        if before is None or before.shape != row.shape:
            return None
        # bits, not numbers: NaN is not equal to itself, and -0 is not 0
        differs = np.flatnonzero(before.view(np.int64) != row.view(np.int64))
        return cls(differs.astype(np.int32), row[differs]) if differs.size <= SPARSE * row.size else None


@dataclass(eq=False)
class Segment:
    """Steps without interference. Without `change`, the first block begins at `first`."""

    first: int
    last: int
    # of the model's file, among those of the run
    version: int
    edits: ModelEdits
    # at `first`; a step takes `timestep`
    time: float
    timestep: float
    change: Change | None = None
    blocks: list[Block] = field(default_factory=list)
    # a script made the steps: they cannot be computed again, and all rows are in blocks
    dense: bool = False
    # what the application keeps with it
    note: Any = None


@dataclass
class Branch:
    """A line of steps that began at step `fork` of its parent."""

    id: int
    parent: int = NO_BRANCH
    fork: int = 0
    name: str = ""
    colour: int = 0
    segments: list[Segment] = field(default_factory=list)

    @property
    def last(self) -> int:
        """Its newest step."""
        return self.segments[-1].last


@dataclass
class Run:
    """All branches, by id, in the order in which they began."""

    branches: dict[int, Branch] = field(default_factory=dict)

    def line(self, branch: int) -> list[Branch]:
        """What led to a branch, from the root on."""
        line = [self.branches[branch]]
        while line[-1].parent != NO_BRANCH:
            line.append(self.branches[line[-1].parent])
        return line[::-1]

    def owner(self, branch: int, step: int) -> Branch:
        """The branch on the line of another that a step belongs to; at a fork the younger one."""
        owner = self.branches[branch]
        while step < owner.fork and owner.parent != NO_BRANCH:
            owner = self.branches[owner.parent]
        return owner

    def find(self, branch: int, step: int) -> Segment:
        """The segment of a moment: of those that meet there, the last."""
        segments = self.owner(branch, step).segments
        low, high = 0, len(segments) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if segments[middle].first <= step:
                low = middle
            else:
                high = middle - 1
        return segments[low]
