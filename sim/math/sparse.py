"""Sparse matrices in CSR format: row operations, and conversion to dense."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.jit import inline


@inline
def add_scaled_rows(a, to, source, s, n):
    """a[to:to+n] += s · a[source:source+n]; the two ranges do not overlap."""
    for k in range(n):
        a[to + k] += s * a[source + k]


def sparse_to_dense(values: Any, rownnz: Any, rowadr: Any, colind: Any, ncol: int) -> np.ndarray:
    """Dense array of a sparse matrix such as d.efc_J, d.ten_J or d.actuator_moment, from its CSR arrays."""
    count = np.asarray(rownnz)
    rows = np.repeat(np.arange(len(count)), count)
    # addresses of each row's entries in the flat arrays
    within = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
    at = np.repeat(np.asarray(rowadr), count) + within
    dense = np.zeros((len(count), ncol))
    dense[rows, np.ravel(colind)[at]] = np.ravel(values)[at]
    return dense
