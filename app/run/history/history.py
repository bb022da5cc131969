"""The history of a run: all its branches, the present moment, and every state to go back to.

The engine writes the latest states to the tape inside its native loop. Now and then one of them is kept as a
checkpoint; between two checkpoints, steps are computed again to the same bits when one goes there (`Replayer`). What
the user changes, in the model or in the state, begins a new segment at the present moment; in the past it begins a
branch, and the old future stays. A reset begins another root. Nothing is forgotten, except by `remove`.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.problem import Problem
from app.run.history import divergence
from app.run.history.branch_view import BranchViews
from app.run.history.checkpoints import Checkpoints
from app.run.history.events import Events
from app.run.history.excerpt import Excerpt, excerpt
from app.run.history.markers import Marker, Markers, MarkerType
from app.run.history.taken_rows import TakenRows
from app.run.history.tape import Tape, TapedSegment
from app.run.history.timeline import NO_BRANCH, MemoryUse, Timeline
from sim import Data, Model
from sim.callback import any_callback
from sim.engine import Engine
from sim.recording.replay import Replayer
from sim.recording.run import Branch, Change, ModelEdits, Run, Segment

# memory for the latest states: a few minutes of a humanoid; and for checkpoints, before they go to a file
HISTORY_BYTES, KEPT_BYTES = 256 << 20, 128 << 20
# each history of the process has another one
NUMBERS = itertools.count(1)

Array = NDArray[np.float64]


class History:
    """The branches of a run, and its present moment."""

    def __init__(self, engine: Engine, budget: int = HISTORY_BYTES, kept: int = KEPT_BYTES) -> None:
        self._engine, self._budget = engine, budget
        self.run = Run()
        self.versions: list[Model] = []
        self._checkpoints = Checkpoints(self.run, kept)
        self._views = BranchViews()
        self._markers: dict[int, Markers] = {}
        self._replayer = Replayer(self.run, self.versions.__getitem__, self._on_tape)
        self._events = Events()
        self._recording: Tape | None = None
        # set by `begin`
        self._model: Model
        self._data: Data
        self._branch = Branch(NO_BRANCH)
        self._now = 0
        self._number = next(NUMBERS)
        # how many branches began: the number of one that is gone is not another's
        self._begun = 0
        # the change that was entered in later segments last, and what these had before
        self._amended: tuple[int, dict[int, Any]] = (0, {})
        # rows on the tape that belong to a segment
        self._counted = 0
        self._warned = False
        self._dense = False
        self.loop: tuple[int, int] | None = None
        self.ghost = NO_BRANCH
        # since the start, or since the user went back: the engine's own count does not survive its reset
        self.divergences = 0

    # ---- models

    def show_version(self, version: int, model: Model, data: Data) -> None:
        """The present is of this version of the model, in this Data."""
        if version == len(self.versions):
            self.versions.append(model)
        self._close_tape()
        self._version, self._model, self._data = version, model, data
        self._recording = Tape(self._engine, model, data, self._budget)
        self._counted = 0

    @property
    def _tape(self) -> Tape:
        assert self._recording is not None
        return self._recording

    def _close_tape(self) -> None:
        """The rows of the tape are not needed any more, or are kept."""
        if self._recording is not None:
            self.keep_rest()
            self._recording.close()

    def set_step_seconds(self, seconds: float) -> None:
        """How long a step takes, s: what is computed again must not take long."""
        self._checkpoints.step_seconds = seconds

    @property
    def version(self) -> int:
        """The version of the model that is shown."""
        return self._version

    def open(self, run: Run, versions: list[Model], markers: Mapping[int, Iterable[Marker]]) -> None:
        """Go on with a recorded run; what is shown is one of its moments."""
        self.run.branches.update(run.branches)
        self._begun = max(run.branches, default=-1) + 1
        self.versions.extend(versions)
        for branch in run.branches.values():
            self._markers[branch.id] = Markers(markers.get(branch.id, ()))
            for segment in branch.segments:
                self._views.begin(branch.id, segment.first, segment.time, segment.timestep)

    # ---- changes

    def begin(self, name: str, text: str, edits: ModelEdits, note: Any, dense: bool = False) -> None:
        """The present state is the start of a new root, with a marker that says how it came about."""
        self._dense = dense
        self._now = self.divergences = 0
        if self._branch.id != NO_BRANCH and self._branch.parent == NO_BRANCH and self._empty(self._branch):
            # the run before this one has not begun
            name = self._branch.name
            self._begun -= self._branch.id == self._begun - 1
            del self.run.branches[self._branch.id], self._markers[self._branch.id]
        self._add_branch(NO_BRANCH, name)
        self._add_segment(edits, note, None)
        self.add_marker(MarkerType.START, text, 0.0)

    def change(self, edits: ModelEdits, note: Any, text: str = "") -> bool:
        """The user changed the model or the state here; returns whether this began a branch."""
        forked = not self.at_head
        before = None if forked else self._row_now()
        if forked:
            self._fork(text)
        self._add_segment(edits, note, before)
        return forked

    def amend(self, note: Any, number: int, record: Callable[[Any], Any]) -> None:
        """A change that no step depends on, here in the past: what comes later on this line has it too.

        `record` enters it in the note of a later segment; a change of the same number replaces the last one.
        """
        known, origins = self._amended
        if known != number:
            origins = {}
        here = self.run.find(self._branch.id, self._now)
        recorded: dict[int, Any] = {}
        for segment in self._later(here):
            origin = origins.setdefault(id(segment), segment.note)
            segment.note = recorded.setdefault(id(origin), None) or record(origin)
            recorded[id(origin)] = segment.note
        here.note = note
        self._amended = number, origins

    def _later(self, here: Segment) -> list[Segment]:
        """The segments after one, on the present line."""
        line = self.run.line(self._branch.id)
        owner = self.run.owner(self._branch.id, self._now)
        later = [segment for branch in line[line.index(owner) :] for segment in branch.segments]
        return later[later.index(here) + 1 :]

    def go_on(self, edits: ModelEdits, note: Any) -> bool:
        """Steps are about to be made from the present; returns whether this begins a branch."""
        self._warned = divergence.warned(self._data)
        newest = self._branch.segments[-1]
        taped = isinstance(newest, TapedSegment) and newest.tape is self._tape and newest.end_number == self._tape.count
        if taped and self.at_head and newest.dense == self._steps_are_a_scripts():
            return False
        # another branch was shown, or another version: its rows are on the tape
        forked = self.change(edits, note, f"from {float(self._data.time):.4g} s")
        if forked:
            self.add_marker(MarkerType.BRANCH, "a branch starts", 0.0)
        return forked

    def _steps_are_a_scripts(self) -> bool:
        """Whether steps cannot be computed again: a script makes them, or its callbacks take part in them."""
        return self._dense or any_callback()

    def _fork(self, text: str) -> None:
        owner = self.run.owner(self._branch.id, self._now)
        self._add_branch(owner.id, text)

    def _add_branch(self, parent: int, name: str) -> None:
        self.keep_rest()
        number, self._begun = self._begun, self._begun + 1
        self._branch = Branch(number, parent, self._now, name, number)
        self.run.branches[number] = self._branch
        self._markers[number] = Markers()

    def _add_segment(self, edits: ModelEdits, note: Any, before: Array | None) -> None:
        """Begin a segment with the present state, which differs a little from the row before, if that is given."""
        if not self._tape.fits(self._model):
            # other numbers belong to a state now
            self.show_version(self._version, self._model, self._data)
            before = None
        else:
            self.keep_rest()
        row = self._tape.state()
        timestep = float(self._model.opt.timestep)
        segment = TapedSegment(self._now, self._now, self._version, edits, float(row[0]), timestep, note=note)
        segment.dense, segment.tape = self._steps_are_a_scripts(), self._tape
        segment.change = Change.between(before, row) if self._branch.segments else None
        if segment.change is None:
            segment.blocks.append(self._checkpoints.block(self._now, row))
        segment.number = self._tape.append(row)
        self._counted = self._tape.count
        self._branch.segments.append(segment)
        self._views.begin(self._branch.id, self._now, float(row[0]), timestep)

    # ---- steps

    def stepped(self, now: float) -> Problem | None:
        """Steps were made: count them, keep checkpoints, mark what happened; returns a problem that is not known."""
        start, count = self._now, self._tape.count
        made = count - self._counted
        if made <= 0:
            return None
        segment = self._branch.segments[-1]
        self._now += made
        self._counted, segment.last = count, self._now
        self._checkpoints.keep(segment)
        for marker in self._events.find(self._model, self._data, self._now):
            self._markers[self._branch.id].add(marker, now)
        return self._find_problems(start, made, now)

    def keep_rest(self) -> None:
        """Keep what only the tape has and nobody can compute again."""
        if self._recording is not None and self._branch.segments:
            self._checkpoints.keep_rest(self._branch.segments[-1])

    @property
    def limit(self) -> str:
        """Why moments of the past take longer to show than they should, or are forgotten; empty if nothing is wrong."""
        return self._checkpoints.store.fault

    def _find_problems(self, start: int, made: int, now: float) -> Problem | None:
        """Search the steps since `start` for divergence and for a time that was set back."""
        markers = self._markers[self._branch.id]
        count = self._tape.count
        if divergence.warned(self._data):
            states, newest = self._tape.rows(count - made - 1, count - 1), markers.newest
            found = divergence.find(self._model, self._data, states, self._now + 1 - len(states), self._warned)
            if found is not None:
                self.divergences += found.count
                markers.add(Marker(MarkerType.DIVERGENCE, found.text(self._model), found.moment, found.last), now)
                self._follow_time(start, states[:, 0])
                known = newest is not None and newest.type is MarkerType.DIVERGENCE
                return None if known else replace(found.problem(self._model), branch=self._branch.id)
        else:
            times = self._tape.rows(count - made - 1, count - 1, 1)[:, 0]
            if self._follow_time(start, times):
                self.add_marker(MarkerType.JUMP, "the script set the time back", now)
        return None

    def _follow_time(self, start: int, times: Array) -> bool:
        """Time may have been set: it goes on from there. Returns whether it was set back."""
        starts = [0, *(np.flatnonzero(np.diff(times) < 0.0) + 1).tolist()]
        if len(starts) > 1 or self._dense:
            for first, end in pairwise((*starts, len(times))):
                self._views.follow(self._branch.id, start + first, times[first:end], float(self._model.opt.timestep))
        return len(starts) > 1

    # ---- the past

    def find(self, branch: int, step: int) -> Segment | None:
        """The segment of a moment; None if there is no such moment."""
        known = self.run.branches.get(branch)
        return self.run.find(branch, step) if known is not None and 0 <= step <= known.last else None

    def row(self, branch: int, step: int) -> Array:
        """The state of a moment: from memory, or computed again; ValueError if that fails."""
        segment = self.run.find(branch, step)
        found = segment.row(step) if isinstance(segment, TapedSegment) else None
        return self._replayer.row(branch, step) if found is None else found

    def present(self, branch: int, step: int) -> None:
        """A moment has become the present one."""
        self.keep_rest()
        self._branch, self._now = self.run.branches[branch], step
        # the warnings are of steps that may be made again
        self._data.warning.number[:] = 0
        self.divergences, self._warned = 0, False
        self._events.forget()

    def remove(self, branch: int) -> None:
        """Forget a branch and those that begin in it."""
        gone = {branch}
        for known in self.run.branches.values():
            if known.parent in gone:
                gone.add(known.id)
        if gone & {known.id for known in self.run.line(self._branch.id)}:
            return
        for number in gone:
            del self.run.branches[number], self._markers[number]
        if self.ghost in gone:
            self.ghost = NO_BRANCH

    def forget_empty(self, branch: int) -> None:
        """Forget a branch that has no step of its own, unless it is shown or another begins there."""
        known = self.run.branches.get(branch)
        if known is not None and known.parent != NO_BRANCH and self._empty(known):
            self.remove(branch)

    def _empty(self, branch: Branch) -> bool:
        """Whether a branch has no step of its own, and none begins in it."""
        parents = {other.parent for other in self.run.branches.values()}
        return branch.last == branch.fork and branch.id not in parents

    @property
    def replayer(self) -> Replayer:
        """Computes moments again."""
        return self._replayer

    @property
    def newest(self) -> Branch:
        """The branch to which steps were added last, or to which they will be."""
        return self._branch

    def rows_of(self, segment: Segment, first: int) -> Array:
        """Copies of the rows of a segment from a step on, as far as the tape has them."""
        if not isinstance(segment, TapedSegment) or segment.tape is not self._recording or segment.tape is None:
            return np.zeros((0, 0))
        start, end = segment.number + first - segment.first, segment.end_number
        return segment.tape.rows(start, end - 1) if segment.tape.row(start) is not None else np.zeros((0, 0))

    @property
    def row_bytes(self) -> int:
        """The size of a row."""
        return 8 * max(self._tape.width, 1)

    def _on_tape(self, branch: Branch, segment: Segment, step: int) -> Array | None:
        return segment.row(step) if isinstance(segment, TapedSegment) else None

    def _row_now(self) -> Array | None:
        """The state of the present moment as it was recorded, if it is at hand."""
        segment = self._branch.segments[-1]
        return segment.row(self._now) if isinstance(segment, TapedSegment) else None

    # ---- what is shown

    @property
    def now(self) -> int:
        """The present step."""
        return self._now

    @property
    def branch(self) -> int:
        """The present branch."""
        return self._branch.id

    @property
    def at_head(self) -> bool:
        """Whether the present is the newest moment of its branch."""
        return self._now == self._branch.last

    def add_marker(self, type_: MarkerType, text: str, now: float, entry: int = 0) -> None:
        """Mark the present moment, at a wall time; for an entry of the journal."""
        self._markers[self._branch.id].add(Marker(type_, text, self._now, self._now, entry), now)

    def extend_marker(self, type_: MarkerType) -> None:
        """The latest event of this type lasted until now."""
        self._markers[self._branch.id].extend(type_, self._now)

    def timeline(self) -> Timeline:
        """All that panels show of it."""
        tape, store = self._tape, self._checkpoints.store
        used = min(tape.count, tape.size)
        memory = MemoryUse(8 * tape.width * used, store.memory, store.disk, used)
        branches = self._views.views(self.run, self._markers)
        return Timeline(branches, self._branch.id, self._now, self.run.line(self._branch.id)[0].fork, self.loop,
                        self.ghost, memory, self._number)  # fmt: skip

    def take(self, branch: int, steps: Collection[int], exact: bool = False) -> tuple[TakenRows | Excerpt, ...]:
        """Copies of the rows of some steps of a line.

        Where one is not in memory, the nearest that is kept before it; or what one needs to compute it, if `exact`.
        """
        taken: dict[int, tuple[Segment, dict[int, Array]]] = {}
        missing: list[int] = []
        for step in sorted(steps):
            found = self._at_hand(branch, step)
            if exact and (found is None or found[1] != step):
                missing.append(step)
            elif found is not None:
                segment, at, row = found
                taken.setdefault(id(segment), (segment, {}))[1][at] = row
        rows = [
            TakenRows(self.versions[segment.version], segment.edits, np.array([*rows]), np.array([*rows.values()]))
            for segment, rows in taken.values()
        ]
        missing = [step for step in missing if self.find(branch, step) is not None]
        return (*rows, *([excerpt(self.run, self.versions, branch, missing)] if missing else ()))

    def excerpt(self, branch: int, first: int, last: int) -> Excerpt:
        """What one needs to compute the steps of a line again, from one to another."""
        self.keep_rest()
        return excerpt(self.run, self.versions, branch, range(first, last + 1))

    def _at_hand(self, branch: int, step: int) -> tuple[Segment, int, Array] | None:
        """The row of a step, or the nearest that is kept before it on its line, with its segment and step."""
        segment = self.find(branch, step)
        if segment is not None and step == self._now and segment is self.find(self._branch.id, step):
            # it is shown, though it may have been computed again for that
            signature = self._engine.record_signature(self._model)
            return segment, step, self._engine.get_state(self._model, self._data, signature)
        while segment is not None:
            found = self._nearest(segment, step)
            if found is not None:
                return segment, *found
            # a change that is kept as such: what came before it
            step = segment.first - 1
            segment = self.find(branch, step)
        return None

    def _nearest(self, segment: Segment, step: int) -> tuple[int, Array] | None:
        """The row of a step, or the nearest that is kept before it."""
        row = segment.row(step) if isinstance(segment, TapedSegment) else None
        if row is not None:
            return step, row
        number = bisect_right(segment.blocks, step, key=lambda block: block.first) - 1
        if number < 0:
            return None
        block = segment.blocks[number]
        at = min(step - block.first, block.count - 1)
        return block.first + at, block.rows.read()[at]

    def stop(self) -> None:
        """Stop recording."""
        self._close_tape()
        self._recording = None
