"""Where the runs of a sweep start: a recorded state, and the inputs that were recorded after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.background.second_run import inputs_of
from sim import Model
from sim.edits import ModelEdits

Array = NDArray[np.float64]
# of rows whose inputs are used; later ones are as the last of these
MOST_BYTES = 64 << 20


@dataclass(frozen=True, eq=False)
class Start:
    """A state and the edits of its time. `model` is a copy that nobody changes: each run makes its own.

    `inputs` are rows in which inputs change, each with its time after the start, s; they are known for `recorded` s.
    """

    model: Model
    edits: ModelEdits
    row: Array
    inputs: tuple[tuple[float, Array], ...] = ()
    recorded: float = 0.0

    @property
    def time(self) -> float:
        """The simulated time, s."""
        return float(self.row[0])


def start_of(model: Model, edits: ModelEdits, rows: Iterable[Array]) -> Start:
    """The start at the first of some rows, with the inputs of the others."""
    changes: list[tuple[float, Array]] = []
    first, before, columns, size, last = None, None, None, 0, 0.0
    for row in rows:
        if first is None or before is None or columns is None:
            first, before, columns = row, row, inputs_of(model, row).columns
            continue
        last = float(row[0] - first[0])
        if not np.array_equal(row[columns], before[columns]):
            size += row.nbytes
            if size > MOST_BYTES:
                break
            changes.append((last, row))
        before = row
    if first is None:
        raise ValueError("this step is no longer in memory")
    return Start(model, edits, first, tuple(changes), last)
