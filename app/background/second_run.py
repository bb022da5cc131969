"""A second run: a model with edits on top of those of the simulation, from a recorded state with recorded inputs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.run.commands import SetField, SetFlag
from app.run.edited_cells import edits_with
from app.run.engine.mujoco_data import MujocoData
from app.run.history.divergence import warned
from app.run.history.recorded_inputs import RecordedInputs, row_places, signature_of
from sim import Data, Model
from sim.edits import ModelEdits
from sim.engine import Progress
from sim.enums import DSBL_AUTORESET, MAXVAL, STATE_SLEEP
from sim.script.model_edits import edits_of
from sim.state.signature import SLEEP_PARTS

Array = NDArray[np.float64]
Edit = SetField | SetFlag

EQUALITIES = "eq_active0"
# parts of a state that a step computes: a change of the user does not set them
COMPUTED = ("time", "qacc_warmstart", *SLEEP_PARTS)
# parts of a state in which numbers become bad
BAD = ("qpos", "qvel", "qacc_warmstart")
# marks of MuJoCo that a quantity is up to date: they outlast a change of the state, and a sensor then shows an old one
UP_TO_DATE = ("flg_energypos", "flg_energyvel", "flg_subtreevel", "flg_rnepost")


class SecondRun:
    """A model with edits on top of `base`, by default those that it has, and a state of its own. For one thread.

    The model belongs to the run from now on. It is not reset where it diverges, unless `autoreset` leaves that to the
    model. `progress` hears of kernels that are compiled. ValueError, with a sentence, where there is no such model;
    `label` is put before it.
    """

    def __init__(
        self,
        model: Model,
        edits: Iterable[Edit] = (),
        base: ModelEdits | None = None,
        *,
        label: str = "",
        autoreset: bool = False,
        progress: Progress | None = None,
    ) -> None:
        self.model, self.engine, self.edits = model, model.engine, tuple(edits)
        self._label, self._autoreset, self._progress = label, autoreset, progress
        # equalities that the edits on top switch on or off
        self._switched = sorted({row for edit in self.edits for row in _rows(edit, EQUALITIES)})
        self._taken: Array | None = None
        self.set_edits(edits_of(model) if base is None else base)
        self.data: Data = self.engine.Data(model)

    def set_edits(self, base: ModelEdits) -> None:
        """The simulation has other edits now: those on top stay. What sleeps is not woken."""
        try:
            self.engine.apply_edits(self.model, edits_with(self.model, base, self.edits))
        except (ValueError, LookupError) as error:
            why = str(error) if isinstance(error, ValueError) else "the model does not contain the edited elements"
            raise ValueError(f"{self._label}: {why}" if self._label else why) from error
        if not self._autoreset:
            self.model.opt.disableflags |= DSBL_AUTORESET
        self.engine.prepare(self.model, self._progress, edits=False)

    # ---- states

    def start(self, row: Array, awake: bool | None = None) -> None:
        """Set a recorded state. What sleeps in it wakes if there are edits on top, unless `awake` says otherwise."""
        self._set(*self._own(row))
        if self.signature & STATE_SLEEP and (bool(self.edits) if awake is None else awake):
            self.engine.wake(self.model, self.data)
        self.data.warning.number[:] = 0
        if isinstance(self.data, MujocoData):
            # ours are a copy
            self.data.mj.warning.number[:] = 0

    def take_inputs(self, row: Array) -> None:
        """Set what no step computes as it is in a recorded row: controls, forces, mocap poses, pulls, noise."""
        recorded = inputs_of(self.model, row)
        inputs = recorded.of(row)
        if self._taken is not None and np.array_equal(inputs, self._taken):
            return
        self._taken = inputs
        recorded.write(row, self.data)
        self._switch_equalities()

    def change(self, columns: NDArray[np.integer[Any]], values: Array, width: int) -> None:
        """Set some columns of recorded rows of a width, except what a step computes."""
        signature, row = self.signature, self.row()
        recorded, own = (row_places(self.model, each) for each in (signature_of(self.model, width), signature))
        target = np.full(width, -1)
        for name in (recorded.keys() & own.keys()).difference(COMPUTED):
            target[recorded[name]] = np.r_[own[name]]
        there = target[columns] >= 0
        row[target[columns[there]]] = values[there]
        self._set(row, signature)

    def step(self, count: int = 1) -> None:
        """Make steps; what no step computes stays as it is."""
        self.engine.step(self.model, self.data, count)

    def trace(self, count: int) -> Array:
        """Make steps; returns the row after each of them."""
        rows = np.empty((count, self.engine.state_size(self.model, self.signature)))
        self.engine.trace(self.model, self.data, rows)
        self.engine.step(self.model, self.data, count)
        self.engine.trace(self.model, self.data, 0)
        return rows

    def forward(self) -> None:
        """Compute what depends on the state."""
        self.engine.forward(self.model, self.data)

    def row(self) -> Array:
        """The state, as a row."""
        return self.engine.get_state(self.model, self.data, self.signature)

    def sound(self, rows: Array) -> int:
        """How many rows of its own come before the first with a bad position, velocity or acceleration."""
        places = row_places(self.model, self.signature)
        numbers = np.concatenate([rows[:, places[name]] for name in BAD], axis=1)
        with np.errstate(invalid="ignore"):
            bad = ~(np.abs(numbers) <= MAXVAL).all(axis=1)
        return int(np.argmax(bad)) if bad.any() else len(rows)

    @property
    def signature(self) -> int:
        """What its own rows have."""
        return self.engine.record_signature(self.model)

    @property
    def diverged(self) -> bool:
        """Whether a step since the start has found bad numbers."""
        return warned(self.data)

    def _own(self, row: Array) -> tuple[Array, int]:
        """What the model has of a recorded row, and the signature of that."""
        theirs = signature_of(self.model, len(row))
        both = theirs & self.signature
        if both == theirs:
            return row, theirs
        # the simulation sleeps, this does not; what another engine has besides comes after that
        places = inputs_of(self.model, row).places
        return np.concatenate([row[places[name]] for name in row_places(self.model, both)]), both

    def _set(self, row: Array, signature: int) -> None:
        """Set a state, with the equalities that are switched."""
        self.engine.set_state(self.model, self.data, row, signature, check=False)
        if isinstance(self.data, MujocoData):
            for name in (name for name in UP_TO_DATE if hasattr(self.data.mj, name)):
                setattr(self.data.mj, name, False)
        self._taken = None
        self._switch_equalities()

    def _switch_equalities(self) -> None:
        """Which equalities are active is part of a state: those that the edits on top switch are as these say."""
        if self._switched:
            active = np.array(self.data.eq_active)
            active[self._switched] = self.model.eq_active0[self._switched]
            self.data.write("eq_active", active)


def inputs_of(model: Model, row: Array) -> RecordedInputs:
    """Where the inputs are in a recorded row: a model that can sleep has more numbers in it."""
    known: dict[int, RecordedInputs] = model.derived.setdefault("recorded inputs", {})
    width = len(row)
    if width not in known:
        known[width] = RecordedInputs(model, signature_of(model, width))
    return known[width]


def _rows(edit: Edit, path: str) -> tuple[int, ...]:
    """The rows of a field that an edit sets."""
    if isinstance(edit, SetFlag):
        return ()
    own = edit.rows if edit.path == path else ()
    return (*own, *(row for part in edit.also for row in _rows(part, path)))
