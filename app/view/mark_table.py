"""The marks of the timeline as arrays: what falls on each pixel, what is near the pointer, which mark is next.

Marks come as tuples that grow at the end, one for each branch; only what is new in them is read. Drawing costs as much
as there are pixels, however many marks there are.
"""

from __future__ import annotations

import operator
from bisect import bisect_left
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.run.history.markers import Marker, MarkerType
from app.run.history.timeline import Timeline
from app.view.branch_clock import BranchClock, Clocks
from app.view.time_axis import TimeAxis

# what is seen where several fall on one pixel: the last one of these
ORDER = (
    MarkerType.CONTACT,
    MarkerType.WAKE,
    MarkerType.BRANCH,
    MarkerType.START,
    MarkerType.PERTURB,
    MarkerType.EDIT,
    MarkerType.FILE,
    MarkerType.JUMP,
    MarkerType.BREAKPOINT,
    MarkerType.DIVERGENCE,
)
# types that come by the thousand: each has its own row of ticks, the others share one
FREQUENT = (MarkerType.CONTACT, MarkerType.WAKE)
RANK = {type_: rank for rank, type_ in enumerate(ORDER)}
COLUMNS = ("marks", "moments", "lasts", "begins", "ends", "ranks")
NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True)
class MarkArrays:
    """Marks in order of time: the tuple that they come from, places on the axis, and ranks of types."""

    source: tuple[Marker, ...] = ()
    # whether they had to be sorted: then they are not in the order of the tuple
    moved: bool = False
    clock: BranchClock | None = None
    marks: NDArray[np.object_] = field(default_factory=lambda: np.empty(0, object))
    moments: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    lasts: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    begins: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    ends: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    ranks: NDArray[np.int8] = field(default_factory=lambda: np.empty(0, np.int8))

    def upto(self, moment: int) -> MarkArrays:
        """The marks that begin at a moment or before."""
        if not len(self.moments) or self.moments[-1] <= moment:
            return self
        return self.chosen(slice(0, int(np.searchsorted(self.moments, moment, "right"))))

    def chosen(self, which: slice | NDArray[Any]) -> MarkArrays:
        """Some of the marks, by a slice, a mask or their places."""
        return replace(self, **{name: getattr(self, name)[which] for name in COLUMNS})


def grown(known: MarkArrays, source: tuple[Marker, ...], clock: BranchClock) -> MarkArrays:
    """The arrays of some marks, from those of a moment ago."""
    if known.source is source and known.clock is clock:
        return known
    same = _common(known.source, source) if known.clock is clock and not known.moved else 0
    fresh = source[same:]
    moments = np.array([mark.moment for mark in fresh], np.int64)
    lasts = np.array([mark.last for mark in fresh], np.int64)
    ranks = np.array([RANK[mark.type] for mark in fresh], np.int8)
    columns: tuple[Any, ...] = (_objects(fresh), moments, lasts, clock.times_of(moments), clock.times_of(lasts), ranks)
    joined: dict[str, Any] = {
        name: np.concatenate((getattr(known, name)[:same], column))
        for name, column in zip(COLUMNS, columns, strict=True)
    }
    made = MarkArrays(source, False, clock, **joined)
    if (np.diff(made.moments[max(same - 1, 0) :]) < 0).any():
        made = replace(made.chosen(np.argsort(made.moments, kind="stable")), moved=True)
    return made


def _common(before: tuple[Marker, ...], after: tuple[Marker, ...]) -> int:
    """How many marks at the beginning are the same."""
    most = min(len(before), len(after))
    # nearly always all but the last few
    for count in (most, most - 1, most - 8):
        if count > 0 and before[:count] == after[:count]:
            return count
    return bisect_left(range(most), 1, key=lambda k: int(before[: k + 1] != after[: k + 1]))


def _objects(marks: tuple[Marker, ...]) -> NDArray[np.object_]:
    """Marks as an array."""
    made = np.empty(len(marks), object)
    made[:] = marks
    return made


class Run(NamedTuple):
    """Neighbouring pixels that show marks of one type, from `left` to `right`; the mark, if it is a single one."""

    left: float
    right: float
    rank: int
    alone: Marker | None = None

    @property
    def type(self) -> MarkerType:
        """The type of its marks."""
        return ORDER[self.rank]


class MarkTable:
    """The marks of the present line that are not hidden."""

    def __init__(self) -> None:
        self._known: dict[int, MarkArrays] = {}
        # what the arrays were made from
        self._parts: list[MarkArrays] = []
        self._limits: tuple[object, ...] = ()
        self.arrays = MarkArrays()
        self._drawn: tuple[object, list[Run], list[Run]] | None = None

    def update(self, timeline: Timeline, clocks: Clocks, hidden: set[MarkerType]) -> None:
        """Take the marks of a timeline."""
        line = timeline.line()
        parts = [grown(self._known.get(p.branch.id, MarkArrays()), p.branch.markers, clocks[p.branch.id]) for p in line]
        self._known = {part.branch.id: arrays for part, arrays in zip(line, parts, strict=True)}
        ends = tuple(part.last for part in line[:-1])
        limits = (ends, timeline.first, frozenset(hidden))
        same = len(parts) == len(self._parts) and all(map(operator.is_, parts, self._parts))
        if same and limits == self._limits:
            return
        self._parts, self._limits, self._drawn = parts, limits, None
        # marks of an older branch after the fork are not on this line
        cut = [part.upto(end) for part, end in zip(parts, (*ends, NEVER), strict=True)]
        whole = cut[0]
        if len(cut) > 1:
            joined: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in cut]) for name in COLUMNS}
            whole = MarkArrays(**joined)
        keep = whole.lasts >= timeline.first
        for type_ in hidden:
            keep &= whole.ranks != RANK[type_]
        self.arrays = whole if keep.all() else whole.chosen(keep)

    def runs(self, axis: TimeAxis, width: float) -> tuple[list[Run], list[Run]]:
        """What to draw: bars of marks that last, and ticks, of at least `width` pixels."""
        key = (axis, width)
        if self._drawn is None or self._drawn[0] != key:
            self._drawn = (key, self._bars(axis, width), self._ticks(axis, width))
        return self._drawn[1:]

    def _ticks(self, axis: TimeAxis, width: float) -> list[Run]:
        low, high = np.searchsorted(self.arrays.begins, (axis.first - width / axis.scale, axis.last), "left").tolist()
        places = np.arange(low, high)
        ranks = self.arrays.ranks[low:high]
        frequent = [ranks == RANK[type_] for type_ in FREQUENT]
        rows = [places[row] for row in (*frequent, ~np.logical_or.reduce(frequent))]
        return [run for row in rows if len(row) for run in self._row(row, axis, width)]

    def _row(self, places: NDArray[np.int64], axis: TimeAxis, width: float) -> list[Run]:
        """The ticks of some marks, given by their places in the arrays."""
        arrays = self.arrays
        # counted from time zero, so that ticks do not jump between pixels while the axis moves
        cells = np.floor(arrays.begins[places] * (axis.scale / width)).astype(np.int64)
        starts = np.flatnonzero(np.diff(cells, prepend=cells[0] - 1))
        ranks = np.maximum.reduceat(arrays.ranks[places], starts)
        counts = np.diff(starts, append=len(cells))
        # neighbours of one type are one rectangle
        cells = cells[starts]
        breaks = np.flatnonzero((np.diff(cells, prepend=cells[0] - 2) != 1) | (np.diff(ranks, prepend=-1) != 0))
        ends = cells[np.append(breaks[1:], len(cells)) - 1] + 1
        offset = axis.left - axis.first * axis.scale
        columns = (
            offset + cells[breaks] * width,
            offset + ends * width,
            ranks[breaks],
            places[starts[breaks]],
            np.add.reduceat(counts, breaks),
        )
        return [
            Run(left, right, rank, arrays.marks[first] if count == 1 else None)
            for left, right, rank, first, count in zip(*(column.tolist() for column in columns), strict=True)
        ]

    def _bars(self, axis: TimeAxis, width: float) -> list[Run]:
        arrays, lengths = self.arrays, self.arrays.ends - self.arrays.begins
        # a shorter one is hidden by its tick
        seen = np.flatnonzero(lengths * axis.scale > width)
        seen = seen[(arrays.ends[seen] >= axis.first) & (arrays.begins[seen] <= axis.last)]
        lefts = axis.left + (np.maximum(arrays.begins[seen], axis.first) - axis.first) * axis.scale
        rights = axis.left + (np.minimum(arrays.ends[seen], axis.last) - axis.first) * axis.scale
        made = []
        for rank in np.unique(arrays.ranks[seen]).tolist():
            chosen = arrays.ranks[seen] == rank
            left, reach = lefts[chosen], np.maximum.accumulate(rights[chosen])
            breaks = np.flatnonzero(np.append(True, left[1:] > reach[:-1] + 1.0))
            last = np.append(breaks[1:], len(left)) - 1
            made += [Run(x0, x1, rank) for x0, x1 in zip(left[breaks].tolist(), reach[last].tolist(), strict=True)]
        return made

    def near(self, axis: TimeAxis, x: float, reach: float) -> list[Marker]:
        """The marks at most `reach` pixels from a pixel, the nearest first; of several in one place the latest."""
        arrays, time, distance = self.arrays, axis.time(x), reach / axis.scale
        gaps = np.maximum(np.maximum(arrays.begins - time, time - arrays.ends), 0.0)
        found = np.flatnonzero(gaps <= distance)
        order = np.lexsort((-found, np.round(gaps[found] * axis.scale)))
        return list(arrays.marks[found[order]])

    def next(self, step: int, direction: int, first: int, last: int) -> Marker | None:
        """The next mark after a step, or before it; None if there is none."""
        # of a divergence, the last good moment before it
        goals = self.arrays.moments - (self.arrays.ranks == RANK[MarkerType.DIVERGENCE])
        goals = np.clip(goals, first, last)
        ahead = np.flatnonzero(goals > step if direction > 0 else goals < step)
        if not len(ahead):
            return None
        best = ahead[np.argmin(goals[ahead])] if direction > 0 else ahead[np.argmax(goals[ahead])]
        mark: Marker = self.arrays.marks[best]
        return mark
