"""The follower of the A/B instrument: a second run next to recorded rows, with their controls, pulls and edits.

The rows are those of the first simulation, in order. Each step is made with the inputs of the row before it. With
another timestep, states are matched by time: between two steps, positions and velocities are interpolated. What the
user changed in the state of the first one is changed in the second one too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from app.background.second_run import Edit, SecondRun, inputs_of
from app.model.element_keys import same_elements
from app.run.history.recorded_inputs import INPUT_GROUPS, INPUTS, row_places, signature_of
from sim import Model
from sim.edits import NO_EDITS, ModelEdits
from sim.engine import Progress
from sim.enums import STATE_SLEEP, STATE_TRACE
from sim.script.model_edits import edits_of
from sim.script.positions import differentiate_pos, integrate_pos
from sim.state_map import StateMap

Array = NDArray[np.float64]

# times that differ by less than this share of a step are the same
SAME_TIME = 1e-6


class Ended(Exception):
    """B cannot continue, with a sentence."""


class Carried:
    """Rows of one model as those of another, by the names of elements."""

    def __init__(self, before: Model, after: Model) -> None:
        self._map, self.model = StateMap(before, after, same_elements(before, after)), before
        data, signature = after.engine.Data(after), after.engine.record_signature(after)
        self._initial = after.engine.get_state(after, data, STATE_TRACE)
        self._template = after.engine.get_state(after, data, signature)
        self._into, self._converted = row_places(after, signature), row_places(after, STATE_TRACE)
        self._wanted = row_places(before, STATE_TRACE)

    def row(self, row: Array) -> Array:
        """A row of the other model."""
        places = inputs_of(self.model, row).places
        trace = np.concatenate([row[places[name]] for name in self._wanted])
        converted, found = self._map.convert(trace[None], self._initial)[0], self._template.copy()
        for name, place in self._converted.items():
            found[self._into[name]] = converted[place]
        for name in (name for name in self._into if name.startswith("noise.")):
            found[self._into[name]] = row[places[name]]
        return found


class Follower:
    """A model with edits on top, or another one, along the rows of a first simulation."""

    def __init__(
        self,
        model: Model,
        edits: Iterable[Edit] = (),
        from_file: bool = False,
        carried: Carried | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._run = SecondRun(model, edits, NO_EDITS, label="B", progress=progress)
        self._from_file, self._carried = from_file or carried is not None, carried
        self._a_edits: ModelEdits | None = NO_EDITS
        # whether a state was computed that it never had
        self.interpolates = False
        # the states between which that of the first one's time is
        self._before, self._now = np.zeros(0), np.zeros(0)

    @property
    def edits(self) -> ModelEdits:
        """All edits of its model."""
        return edits_of(self._run.model)

    def begin(self, row: Array, edits: ModelEdits) -> Array:
        """Start from a row of the first one; returns its own."""
        self._set_edits(edits)
        self._run.start(self._own(row))
        self._before = self._now = self._run.row()
        return self._now

    def resume(self, row: Array, edits: ModelEdits) -> None:
        """Continue from a row of its own, with the edits that the first one had there."""
        self._set_edits(edits)
        self._run.start(row, awake=False)
        self._before = self._now = self._run.row()

    def advance(self, rows: Array) -> Iterator[Array]:
        """Its states at all rows but the first, which is the one before; no change of the user is between them.

        Ended where it has diverged.
        """
        times, step = rows[:, 0], float(self._run.model.opt.timestep)
        if len(rows) > 1 and (np.abs(np.diff(times) - step) < SAME_TIME * step).all() and self._in_time(times[0], step):
            for first, last in _stretches(self._inputs(rows)):
                self._run.take_inputs(self._own(rows[first]))
                yield from self._traced(min(last, len(rows) - 1) - first)
            return
        for before, time in zip(rows, times[1:].tolist(), strict=False):
            yield self._to_time(before, time, step)

    def change(self, before: Array, after: Array, edits: ModelEdits) -> Array:
        """The user changed the first one, between two steps: from one row to another, and its edits; returns its own.

        Where it was the same to the bit, it is so again.
        """
        same = self._carried is None and np.array_equal(self._now, before)
        edited = self._set_edits(edits)
        if same:
            self._run.start(after, awake=edited and bool(self._run.edits))
        else:
            own = self._own(after)
            columns = self._changed(self._own(before), own)
            self._run.change(columns, own[columns], len(own))
            self._run.take_inputs(own)
            if self._run.signature & STATE_SLEEP:
                self._run.engine.wake(self._run.model, self._run.data)
        self._before = self._now = self._run.row()
        return self._now

    # ---- edits

    def _set_edits(self, edits: ModelEdits) -> bool:
        """Take over edits of the first one; returns whether these are others."""
        if self._from_file or edits is self._a_edits:
            return False
        changed = edits != self._a_edits
        if changed:
            try:
                self._run.set_edits(edits)
            except ValueError as error:
                raise Ended(str(error)) from error
        self._a_edits = edits
        return changed

    # ---- steps

    def _traced(self, count: int) -> Iterator[Array]:
        """Steps with the same inputs."""
        rows = self._run.trace(count)
        if self._run.diverged:
            sound = self._run.sound(rows)
            yield from rows[:sound]
            self._ended(float(rows[sound - 1, 0]) if sound else float(self._now[0]))
        self._before = self._now = rows[-1].copy()
        yield from rows

    def _to_time(self, before: Array, time: float, step: float) -> Array:
        """Steps up to a time, with the inputs of a row."""
        while float(self._now[0]) < time - SAME_TIME * step:
            self._run.take_inputs(self._own(before))
            self._run.step()
            self._before, self._now = self._now, self._run.row()
            if self._run.diverged:
                self._ended(float(self._before[0]))
        if abs(float(self._now[0]) - time) <= SAME_TIME * step:
            return self._now
        return self._between(time)

    def _between(self, time: float) -> Array:
        """The state at a time between the last two."""
        self.interpolates = True
        places, model = row_places(self._run.model, self._run.signature), self._run.model
        first, last = float(self._before[0]), float(self._now[0])
        share = (time - first) / (last - first) if last > first else 1.0
        found = self._before.copy()
        found[0] = time
        for name in ("qvel", "act"):
            found[places[name]] += share * (self._now[places[name]] - self._before[places[name]])
        position = found[places["qpos"]].copy()
        integrate_pos(model, position, differentiate_pos(model, 1.0, position, self._now[places["qpos"]]), share)
        found[places["qpos"]] = position
        return found

    def _in_time(self, time: float, step: float) -> bool:
        return abs(float(self._now[0]) - time) < SAME_TIME * step

    def _ended(self, time: float) -> None:
        raise Ended(f"B diverged after {time:.6g} s")

    # ---- rows

    def _own(self, row: Array) -> Array:
        """A row of the first one as one of the second."""
        return row if self._carried is None else self._carried.row(row)

    def _inputs(self, rows: Array) -> Array:
        """The inputs of rows of the first one."""
        model = self._run.model if self._carried is None else self._carried.model
        return rows[:, inputs_of(model, rows[0]).columns]

    def _changed(self, old: Array, new: Array) -> NDArray[np.intp]:
        """Columns that differ between two states, besides inputs: whole joints, for a quaternion is one thing."""
        model = self._run.model
        starts = {"qpos": np.asarray(model.jnt_qposadr), "qvel": np.asarray(model.jnt_dofadr)}
        before, after = (row_places(model, signature_of(model, len(row))) for row in (old, new))
        found = [np.zeros(0, np.intp)]
        for name in (name for name in after if name in before and not _is_input(name)):
            differs = new[after[name]] != old[before[name]]
            if name in starts and differs.any():
                owner = np.searchsorted(starts[name], np.arange(len(differs)), "right") - 1
                differs = np.isin(owner, owner[differs])
            found.append(after[name].start + np.flatnonzero(differs))
        return np.concatenate(found)


def _is_input(name: str) -> bool:
    return name in INPUTS or name.startswith(INPUT_GROUPS)


def predicted(model: Model, edits: ModelEdits, row: Array) -> Array:
    """The row after a step, with no change of the user between: on a copy, which is edited."""
    run = SecondRun(model, base=edits, autoreset=True)
    run.start(row)
    run.step()
    return run.row()


def _stretches(inputs: Array) -> Iterator[tuple[int, int]]:
    """First and last row of each stretch of steps with the same inputs."""
    changes = np.flatnonzero((inputs[1:] != inputs[:-1]).any(axis=1)) + 1
    edges = [0, *changes.tolist()]
    if edges[-1] != len(inputs) - 1:
        edges.append(len(inputs) - 1)
    yield from pairwise(edges)
