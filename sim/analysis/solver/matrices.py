"""The matrices of the solver with their entries: J, M, and the Hessian H at an iteration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.analysis.solver.hessian import hessian
from sim.analysis.solver.problem import Array, Ints
from sim.analysis.solver.walk import Walk

J, M, H = "J", "M", "H"
# what is this much smaller than the largest entry is rounding
NOISE = 1e-14
# magnitudes that a picture tells apart, in powers of ten
DECADES = 6.0


@dataclass(frozen=True, eq=False)
class Matrix:
    """Its nonzero entries, row by row."""

    kind: str
    shape: tuple[int, int]
    rows: Ints
    columns: Ints
    values: Array

    def at(self, row: int, column: int) -> float:
        """An entry."""
        low, high = np.searchsorted(self.rows, (row, row + 1))
        place = low + int(np.searchsorted(self.columns[low:high], column))
        return float(self.values[place]) if place < high and self.columns[place] == column else 0.0

    def picture(self, most: int) -> tuple[Array, int]:
        """(tones, cells of a side in one tone): the largest entry of each square of cells, by sign and magnitude.

        A tone is 0 for zero, ±1 for the largest magnitude, and ±0.2 for one that is DECADES smaller, or more. The
        picture has at most `most` tones in a side.
        """
        side = max(-(-max(*self.shape, 1) // most), 1)
        height, width = (-(-extent // side) for extent in self.shape)
        size = np.abs(self.values)
        with np.errstate(divide="ignore"):
            powers = np.log10(size / max(float(size.max(initial=0.0)), 1e-300))
        tones = np.sign(self.values) * np.clip(1 + 0.8 * powers / DECADES, 0.2, 1.0)
        found = np.zeros(height * width)
        # the largest last
        order = np.argsort(size, kind="stable")
        found[(self.rows[order] // side) * width + self.columns[order] // side] = tones[order]
        return found.reshape(height, width), side


def matrix(walk: Walk, kind: str, place: int) -> Matrix:
    """One of the matrices of an island; H at a place of the walk."""
    if kind == H:
        dense = hessian(walk.problem, walk.acc[place])
        rows, columns = np.nonzero(np.abs(dense) > NOISE * np.abs(dense).max(initial=0.0))
        return Matrix(kind, dense.shape, rows, columns, dense[rows, columns])
    whole = (walk.problem.J if kind == J else walk.problem.M).tocoo()
    order = np.lexsort((whole.col, whole.row))
    return Matrix(
        kind, whole.shape, whole.row[order].astype(np.int64), whole.col[order].astype(np.int64), whole.data[order]
    )
