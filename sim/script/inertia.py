"""The inertia matrix as a dense array, products with it and its inverse, for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.arguments import checked

if TYPE_CHECKING:
    from sim.model import Data, Model


def inertia_rows(m: Model) -> np.ndarray:
    """The row of each entry of M; M_colind has the column. Cached in the model."""
    rows: np.ndarray | None = m.derived.get("M_rows")
    if rows is None:
        rows = m.derived["M_rows"] = np.repeat(np.arange(m.nv), m.M_rownnz)
    return rows


@checked
def full_m(m: Model, d: Data) -> np.ndarray:
    """The inertia matrix M as a dense array, nv x nv."""
    rows = inertia_rows(m)
    full = np.zeros((m.nv, m.nv))
    full[rows, m.M_colind] = full[m.M_colind, rows] = d.M
    return full


def mul_m(m: Model, d: Data, vec: Any) -> np.ndarray:
    """M times a vector, or times each row of an array."""
    return np.asarray(vec, float) @ full_m(m, d)


def solve_m(m: Model, d: Data, vec: Any) -> np.ndarray:
    """Solve M x = vec for a vector, or for each row of an array."""
    return np.linalg.solve(full_m(m, d), np.asarray(vec, float).T).T
