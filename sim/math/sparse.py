"""Rows of sparse matrices: runs of numbers in a flat array."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.jit import inline


@inline
def add_scaled_rows(a, to, source, s, n):
    """a[to:to+n] += s · a[source:source+n]; the two runs do not overlap."""
    for k in range(n):
        a[to + k] += s * a[source + k]


def sparse_to_dense(values: Any, rownnz: Any, rowadr: Any, colind: Any, ncol: int) -> np.ndarray:
    """A sparse matrix with all its zeros: d.efc_J, d.ten_J or d.actuator_moment, with the indices that go with them."""
    count = np.asarray(rownnz)
    rows = np.repeat(np.arange(len(count)), count)
    # where in the flat arrays the numbers of each row are
    within = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
    at = np.repeat(np.asarray(rowadr), count) + within
    dense = np.zeros((len(count), ncol))
    dense[rows, np.ravel(colind)[at]] = np.ravel(values)[at]
    return dense
