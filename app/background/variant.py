"""Variants: a model with edits on top of those of the simulation, run from a recorded state with recorded inputs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.run.commands import SetField, SetFlag
from app.run.edited_cells import edits_with
from app.run.history.divergence import warned
from app.run.history.recorded_inputs import RecordedInputs, signature_of
from sim import Data, Model
from sim.edits import ModelEdits
from sim.engine import Progress
from sim.enums import DSBL_AUTORESET, STATE_SLEEP

Array = NDArray[np.float64]
Edit = SetField | SetFlag

EQUALITIES = "eq_active0"


@dataclass(frozen=True)
class Variant:
    """Edits with a name."""

    label: str
    edits: tuple[Edit, ...] = ()


class VariantRun:
    """A copy of a model with the edits of a variant, and a state of its own. For one thread.

    `model` is a copy that belongs to the run from now on; `edits` are those of the simulation, below the variant's.
    It is not reset where it diverges. ValueError, with a sentence, where there is no such model.
    """

    def __init__(self, model: Model, edits: ModelEdits, variant: Variant, progress: Progress | None = None) -> None:
        self.model, self.engine, self.variant = model, model.engine, variant
        # told about kernels that are compiled
        self._progress = progress
        self.data: Data
        # of the equalities that the variant switches on or off
        self._switched = sorted({row for edit in variant.edits for row in _rows(edit, EQUALITIES)})
        self._recorded: dict[int, RecordedInputs] = {}
        self._taken: Array | None = None
        self.set_edits(edits)
        self.data = self.engine.Data(model)

    def set_edits(self, edits: ModelEdits) -> None:
        """The simulation has other edits now: the variant's stay on top. What sleeps is not woken."""
        try:
            self.engine.apply_edits(self.model, edits_with(self.model, edits, self.variant.edits))
        except ValueError as error:
            raise ValueError(f"{self.variant.label}: {error}") from error
        except LookupError as error:
            raise ValueError(f"{self.variant.label}: the model does not have what is edited") from error
        # bad numbers stay: the state before the divergence is the last one of this run
        self.model.opt.disableflags |= DSBL_AUTORESET
        self.engine.prepare(self.model, self._progress, edits=False)

    # ---- states

    def start(self, row: Array, awake: bool | None = None) -> None:
        """Set a recorded state. What sleeps in it wakes, for a variant may need that; `awake` says otherwise."""
        reduced, signature = self._own(row)
        self.engine.set_state(self.model, self.data, reduced, signature, check=False)
        self._switch_equalities()
        if self.signature & STATE_SLEEP and (bool(self.variant.edits) if awake is None else awake):
            self.engine.wake(self.model, self.data)
        self.data.warning.number[:] = 0
        self._taken = None

    def take_inputs(self, row: Array) -> None:
        """Set what no step computes as it is in a recorded row: controls, forces, mocap poses, pulls, noise."""
        recorded = self.inputs_of(row)
        inputs = recorded.of(row)
        if self._taken is not None and np.array_equal(inputs, self._taken):
            return
        self._taken = inputs
        recorded.write(row, self.data)
        self._switch_equalities()

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

    def row(self) -> Array:
        """The state, as a row."""
        return self.engine.get_state(self.model, self.data, self.signature)

    @property
    def signature(self) -> int:
        """What its own rows have."""
        return self.engine.record_signature(self.model)

    @property
    def diverged(self) -> bool:
        """Whether a step since the start has found bad numbers."""
        return warned(self.data)

    def inputs_of(self, row: Array) -> RecordedInputs:
        """Where the inputs are in a recorded row: a model that can sleep has more numbers in it."""
        width = len(row)
        if width not in self._recorded:
            self._recorded[width] = RecordedInputs(self.model, signature_of(self.model, width))
        return self._recorded[width]

    def _own(self, row: Array) -> tuple[Array, int]:
        """What the model has of a recorded row, and the signature of that."""
        theirs = signature_of(self.model, len(row))
        both = theirs & self.signature
        if both == theirs:
            return row, theirs
        # the simulation sleeps, this does not; what another engine has besides comes after that
        places, own = self.inputs_of(row).places, RecordedInputs(self.model, both).places
        return np.concatenate([row[places[name]] for name in own]), both

    def _switch_equalities(self) -> None:
        """Which equalities are active is part of a state: those that the variant switches are as it says."""
        if self._switched:
            active = np.array(self.data.eq_active)
            active[self._switched] = self.model.eq_active0[self._switched]
            self.data.write("eq_active", active)


def _rows(edit: Edit, path: str) -> tuple[int, ...]:
    """The rows of a field that an edit sets."""
    if isinstance(edit, SetFlag):
        return ()
    own = edit.rows if edit.path == path else ()
    return (*own, *(row for part in edit.also for row in _rows(part, path)))
