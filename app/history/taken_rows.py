"""Rows of a history, copied for another thread: states, and the model that they belong to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim import Model
from sim.recording.run import ModelEdits


@dataclass(frozen=True, eq=False)
class TakenRows:
    """States of one model with one set of edits: their steps, and one row for each (sim.record_signature).

    The simulation edits `model`: take a copy of it, once for each identity, and give that `edits`.
    """

    model: Model
    edits: ModelEdits
    steps: NDArray[np.int64]
    rows: NDArray[np.float64]
