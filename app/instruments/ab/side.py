"""One side of a comparison of two runs: poses of bodies and geoms, and values of expressions, at rows of its states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import sim
from app.model.views import StateView
from app.run.history.recorded_inputs import row_places, signature_of
from app.run.snapshot import view_state
from sim import Model
from sim.edits import ModelEdits
from sim.recording.evaluate import Columns
from sim.recording.evaluate import values as evaluate

Array = NDArray[np.float64]

# fields of a state that poses depend on
PLACED = ("qpos", "mocap_pos", "mocap_quat")


class Poses(NamedTuple):
    """Of the bodies' centres of mass, and of the geoms."""

    xipos: Array
    xquat: Array
    geom_xpos: Array
    geom_xmat: Array


class Side:
    """A model of its own, with states that are set from rows. For one thread."""

    def __init__(self, model: Model) -> None:
        self.model, self.engine = model, model.engine
        # nothing sleeps in the first, so that all poses are computed
        self._posed, self._data = self.engine.Data(model), self.engine.Data(model)
        self._places: dict[int, dict[str, slice]] = {}
        self._columns: dict[int, Columns] = {}

    def set_edits(self, edits: ModelEdits) -> None:
        """Give the model edits."""
        self.engine.apply_edits(self.model, edits)

    def poses(self, row: Array) -> Poses:
        """Poses at a state; valid until the next call."""
        self._place(row)
        d = self._posed
        return Poses(d.xipos, d.xquat, d.geom_xpos, d.geom_xmat)

    def view(self, row: Array) -> StateView:
        """The poses at a state, with tendons and flexes, for drawing."""
        self._place(row)
        self.engine.forward(self.model, self._posed)
        return view_state(self._posed)

    def values(self, rows: Sequence[Array], expressions: Sequence[str]) -> tuple[Array, dict[str, str]]:
        """A column for each expression, and why one has no value."""
        width = len(rows[0])
        signature = signature_of(self.model, width)
        if width not in self._columns:
            self._columns[width] = Columns(self.model, signature)
        found = evaluate(self.model, self._data, np.array(rows), signature, expressions, self._columns[width])
        return found.numbers, found.reasons

    def _place(self, row: Array) -> None:
        """Compute poses, and nothing else."""
        width = len(row)
        if width not in self._places:
            self._places[width] = row_places(self.model, signature_of(self.model, width))
        for name in PLACED:
            field = self._posed.read(name)
            field[...] = row[self._places[width][name]].reshape(field.shape)
        if self.engine is sim:
            sim.kinematics(self.model, self._posed)
        else:
            self.engine.place(self.model, self._posed)
