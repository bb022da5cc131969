"""States copied for another thread, and the model that they belong to: rows of a history, or the one that is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True, eq=False)
class TakenMoment:
    """The state that is shown (sim.copy_state), its branch, step and time; `model` and `edits` are as above.

    `identity` is that of the model's view.
    """

    model: Model
    edits: ModelEdits
    state: Mapping[str, Any]
    identity: object
    branch: int
    step: int
    time: float


def in_order(parts: Sequence[TakenRows]) -> list[tuple[int, Any, TakenRows]]:
    """Step, row and part of all rows, by step."""
    rows = [(int(step), row, part) for part in parts for step, row in zip(part.steps, part.rows, strict=True)]
    return sorted(rows, key=lambda moment: moment[0])
