"""The inputs of a recorded run: what the user, a script or the noise sets in a state, and no step computes."""

from __future__ import annotations

from collections.abc import Collection
from math import prod

import numpy as np
from numpy.typing import NDArray

from sim import Data, Model
from sim.enums import STATE_RECORD, STATE_SLEEP
from sim.state.signature import HALVES, state_shapes

Array = NDArray[np.float64]

# fields of a state that are inputs, and beginnings of their names
INPUTS = ("ctrl", "qfrc_applied", "xfrc_applied", "eq_active", "mocap_pos", "mocap_quat", "userdata")
INPUT_GROUPS = ("perturb.", "noise.")


def signature_of(model: Model, width: int) -> int:
    """The signature of a recorded row of a model, which may have been able to sleep; ValueError if it has none such."""
    for signature in (STATE_RECORD, STATE_RECORD | STATE_SLEEP):
        if model.engine.state_size(model, signature) == width:
            return signature
    raise ValueError("its states differ from those of the simulation")


def row_places(model: Model, signature: int) -> dict[str, slice]:
    """Field -> where it is in a row."""
    ends = np.cumsum([0, *map(prod, state_shapes(model, signature).values())]).tolist()
    return {name: slice(*ends[k : k + 2]) for k, name in enumerate(state_shapes(model, signature))}


class RecordedInputs:
    """Where the inputs are in rows of a model, to set them in another Data."""

    def __init__(self, model: Model, signature: int) -> None:
        self.places = row_places(model, signature)
        self._inputs = {
            name: place
            for name, place in self.places.items()
            if (name in INPUTS or name.startswith(INPUT_GROUPS)) and place.start < place.stop
        }
        # all of them
        self.columns = np.r_[tuple(self._inputs.values())] if self._inputs else np.zeros(0, int)

    def of(self, row: Array) -> Array:
        """The inputs of a row."""
        return row[self.columns]

    def write(self, row: Array, data: Data, without: Collection[str] = ()) -> None:
        """Set the inputs of a row in Data, but for some fields."""
        for name, place in self._inputs.items():
            if name in without:
                continue
            current = data.read(name)
            if name in HALVES:
                low, high = row[place]
                data.write(name, int(high) << 32 | int(low))
            else:
                data.write(name, row[place].reshape(np.shape(current)) if np.ndim(current) else row[place][0])
