"""Replayer: any moment of a recorded run, from rows that were kept and steps that are computed again, to the bit.

It looks for the nearest row at or before a step, on the line of its branch: in the caller's memory, among rows that it
computed lately, in blocks. From there it makes the steps of each segment with a model of its own, to which it gives the
segment's edits, and keeps the rows on the way: the neighbours of a moment cost nothing. What a script computed cannot
be computed again: all rows of it are in blocks.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from sim.edits import NO_EDITS
from sim.enums import STATE_RECORD, STATE_SLEEP
from sim.model import Data, Model
from sim.recording.run import Array, Block, Branch, Run, Segment
from sim.script.check_state import check_rows

# memory for rows that were read or computed
CACHE_BYTES = 64 << 20
# a window takes at most this part of it
SHARE = 4
# steps that are made beyond a moment, or as many as led to it
AHEAD = 256
# models are large
MODELS = 2

ModelOf = Callable[[int], Model]
RowsInMemory = Callable[[Branch, Segment, int], Array | None]


class Place(NamedTuple):
    """A segment: its branch, and its number there."""

    branch: Branch
    number: int

    @property
    def segment(self) -> Segment:
        """The segment."""
        return self.branch.segments[self.number]


class Window(NamedTuple):
    """Rows of consecutive steps of a segment, which is held so that its id stays its own."""

    segment: Segment
    first: int
    rows: Array

    @property
    def end(self) -> int:
        """The step after the last."""
        return self.first + len(self.rows)


class Cache:
    """Windows that were read or computed lately, within a budget; those that were not used for longest go."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._used = 0
        # by segment and first step, the latest used last
        self._windows: OrderedDict[tuple[int, int], Window] = OrderedDict()
        # the first steps of the windows of a segment
        self._firsts: dict[int, list[int]] = {}

    def find(self, segment: Segment, step: int) -> Window | None:
        """The last window of a segment that begins at or before a step."""
        firsts = self._firsts.get(id(segment), [])
        at = bisect_right(firsts, step) - 1
        if at < 0:
            return None
        self._windows.move_to_end((id(segment), firsts[at]))
        return self._windows[id(segment), firsts[at]]

    def put(self, window: Window) -> Window:
        """Keep a window."""
        key = id(window.segment), window.first
        if key in self._windows:
            self._remove(key)
        self._windows[key] = window
        insort(self._firsts.setdefault(key[0], []), window.first)
        self._used += window.rows.nbytes
        while self._used > self._budget and len(self._windows) > 1:
            self._remove(next(iter(self._windows)))
        return window

    def _remove(self, key: tuple[int, int]) -> None:
        self._used -= self._windows.pop(key).rows.nbytes
        self._firsts[key[0]].remove(key[1])
        if not self._firsts[key[0]]:
            del self._firsts[key[0]]


class Replayer:
    """Moments of a run; for one thread.

    `model_of` gives the model of a version, which is copied: the caller may go on editing it. `rows_in_memory` gives
    the row of a step in a segment, if the caller has it at hand.
    """

    def __init__(
        self,
        run: Run,
        model_of: ModelOf,
        rows_in_memory: RowsInMemory = lambda branch, segment, step: None,
        budget: int = CACHE_BYTES,
    ) -> None:
        self._run, self._model_of, self._rows_in_memory, self._budget = run, model_of, rows_in_memory, budget
        self._models: OrderedDict[int, tuple[Model, Data]] = OrderedDict()
        self._cache = Cache(budget)

    def row(self, branch: int, step: int) -> Array:
        """The state of a moment; ValueError if it is not recorded or damaged, or its model cannot be loaded."""
        place = self._place(branch, step)
        found = self._known(place, step)
        return np.array(self._compute(place, step) if found is None else found)

    def rows(self, branch: int, first: int, last: int) -> Array:
        """The states of all moments from one step to another, on the line of a branch; of equal width."""
        found = [self.row(branch, first)]
        while len(found) <= last - first:
            found.extend(self._some(branch, first + len(found), last))
        if len({len(row) for row in found}) > 1:
            raise ValueError(f"steps {first} to {last}: sleeping was switched on or off between them")
        return np.array(found)

    def moment(self, branch: int, step: int) -> tuple[Model, Data]:
        """A moment in the replayer's own Data, with the model as it was then; valid until the next call."""
        row = self.row(branch, step)
        model, data = self.prepared(self._run.find(branch, step))
        model.engine.set_state(model, data, row, _signature(model, row), check=False)
        return model, data

    # ---- what is known

    def _place(self, branch: int, step: int) -> Place:
        """The segment of a moment: of those that meet there, the last."""
        if branch not in self._run.branches:
            raise ValueError(f"there is no branch {branch}")
        owner = self._run.owner(branch, step)
        index = bisect_right(owner.segments, step, key=lambda segment: segment.first) - 1
        if index < 0 or step > owner.segments[index].last:
            raise ValueError(f"step {step} of branch {branch} is not recorded")
        return Place(owner, index)

    def _some(self, branch: int, step: int, last: int) -> Iterable[Array]:
        """Rows from a step on, as many as one window has, up to another step."""
        place = self._place(branch, step)
        row, window = self._known(place, step), self._cache.find(place.segment, step)
        if row is None:
            row = self._compute(place, step)
            window = self._cache.find(place.segment, step)
        if window is None or step >= window.end or self._rows_in_memory(place.branch, place.segment, step) is not None:
            return [row]
        end = min(window.end, last + 1, self._end(branch, place))
        return window.rows[step - window.first : max(end, step + 1) - window.first]

    def _end(self, branch: int, place: Place) -> int:
        """The first step on the line of a branch that does not belong to a segment of it any more."""
        following = place.branch.segments[place.number + 1 : place.number + 2]
        ends = [segment.first for segment in following] or [place.segment.last + 1]
        line = self._run.line(branch)
        younger = line[line.index(place.branch) + 1 :][:1]
        return min([*ends, *(child.fork for child in younger)])

    def _known(self, place: Place, step: int) -> Array | None:
        """The row of a step, if it need not be computed."""
        segment = place.segment
        row = self._rows_in_memory(place.branch, segment, step)
        if row is not None:
            return row
        window = self._cache.find(segment, step)
        if window is None or step >= window.end:
            block = _block(segment, step)
            if block is None or step >= block.first + block.count:
                return None
            window = self._read(place, block)
        return window.rows[step - window.first]

    def _nearest(self, place: Place, step: int) -> tuple[int, Array] | None:
        """The last known row at or before a step of a segment, and its step."""
        row = self._known(place, step)
        if row is not None:
            return step, row
        block, window = _block(place.segment, step), self._cache.find(place.segment, step)
        if window is not None and (block is None or window.end >= block.first + block.count):
            return window.end - 1, window.rows[-1]
        return None if block is None else (block.first + block.count - 1, self._read(place, block).rows[-1])

    def _read(self, place: Place, block: Block) -> Window:
        """The rows of a block, checked."""
        segment = place.segment
        model, _ = self.prepared(segment)
        try:
            rows = np.ascontiguousarray(block.rows.read(), float)
            if rows.ndim != 2 or len(rows) != block.count or not block.count:
                raise ValueError(f"{block.count} rows do not have the shape {rows.shape}")
            check_rows(model, rows, _signature(model, rows[0]))
        except ValueError as error:
            last = block.first + block.count - 1
            raise ValueError(f"steps {block.first} to {last} of branch {place.branch.id}: {error}") from error
        window = Window(segment, block.first, rows)
        # single rows are read again faster than they are found
        return self._cache.put(window) if block.count > 1 else window

    # ---- what is computed

    def _compute(self, place: Place, step: int) -> Array:
        """The row of a step that is not known, from the nearest one on its line."""
        # segments on the way back to a known row, each with the step to which it is computed
        way = [(place, step)]
        while (start := self._nearest(*way[-1])) is None:
            here = way[-1][0]
            if here.segment.dense or here.segment.change is None:
                raise ValueError(f"step {way[-1][1]} of branch {here.branch.id} is not recorded")
            way.append((self._before(here), here.segment.first))
        at, row = start
        while True:
            place, target = way.pop()
            row = self._advance(place, at, row, target, beyond=not way)
            if not way:
                return row
            at, row = target, self._changed(row, way[-1][0])

    def _before(self, place: Place) -> Place:
        """The segment whose last row comes before the first one of another."""
        if place.number:
            return Place(place.branch, place.number - 1)
        if place.branch.parent not in self._run.branches:
            raise ValueError(f"the first row of branch {place.branch.id} is not recorded")
        return self._place(place.branch.parent, place.branch.fork)

    def _changed(self, row: Array, place: Place) -> Array:
        """The first row of a segment, from the one before it."""
        change = place.segment.change
        assert change is not None
        model, _ = self.prepared(place.segment)
        try:
            if len(change.indices) and not 0 <= change.indices.min() <= change.indices.max() < len(row):
                raise ValueError(f"a change is outside of a row of {len(row)} numbers")
            row = row.copy()
            row[change.indices] = change.values
            check_rows(model, row[None], _signature(model, row))
        except ValueError as error:
            raise ValueError(f"step {place.segment.first} of branch {place.branch.id}: {error}") from error
        return row

    def _advance(self, place: Place, at: int, row: Array, target: int, beyond: bool) -> Array:
        """The row of a step of a segment, computed from an earlier one; `beyond`: some more, for the next to ask."""
        segment = place.segment
        if at == target:
            return row
        if segment.dense:
            raise ValueError(f"step {target} of branch {place.branch.id} is not recorded")
        model, data = self.prepared(segment)
        engine, sig = model.engine, _signature(model, row)
        most = max(self._budget // SHARE // row.nbytes, 1)
        stop = min(_stop(segment, target), target + max(AHEAD, target - at)) if beyond else target
        engine.trace(model, data, 0)
        engine.set_state(model, data, row, sig, check=False)
        # of a long way only the end is kept
        skipped = max(target - most // 2 - at, 0) if stop - at > most else 0
        engine.step(model, data, skipped)
        first, count = at + skipped, min(stop - at - skipped, most)
        rows = np.empty((count + 1, len(row)))
        rows[0] = engine.get_state(model, data, sig) if skipped else row
        engine.trace(model, data, rows[1:])
        engine.step(model, data, count)
        engine.trace(model, data, 0)
        self._cache.put(Window(segment, first, rows))
        return rows[target - first]

    def prepared(self, segment: Segment) -> tuple[Model, Data]:
        """The model of a segment, with its edits, and Data for it; valid until the next call."""
        version = segment.version
        if version not in self._models:
            try:
                model = self._model_of(version).copy()
            except Exception as error:
                what = f"steps {segment.first} to {segment.last}: version {version} of the model cannot be loaded"
                raise ValueError(f"{what}: {error}") from error
            # trees that an edit lets start asleep need not be able to
            model.engine.apply_edits(model, NO_EDITS)
            self._models[version] = model, model.engine.Data(model)
            if len(self._models) > MODELS:
                self._models.popitem(last=False)
        self._models.move_to_end(version)
        model, data = self._models[version]
        model.engine.apply_edits(model, segment.edits)
        return model, data


def _signature(m: Model, row: Array) -> int:
    """What the numbers of a row are, by their count."""
    own = m.engine.record_signature(m)
    for sig in (own, STATE_RECORD, STATE_RECORD | STATE_SLEEP):
        if m.engine.state_size(m, sig) == len(row):
            return sig
    raise ValueError(f"a row has {m.engine.state_size(m, own)} numbers in this model, not {len(row)}")


def _block(segment: Segment, step: int) -> Block | None:
    """The last block of a segment that begins at or before a step."""
    at = bisect_right(segment.blocks, step, key=lambda block: block.first) - 1
    return segment.blocks[at] if at >= 0 else None


def _stop(segment: Segment, step: int) -> int:
    """Where the next block after a step begins, or the segment ends."""
    at = bisect_right(segment.blocks, step, key=lambda block: block.first)
    return min([segment.last, *(block.first for block in segment.blocks[at : at + 1])])
