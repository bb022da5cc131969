"""The box-constrained quadratic program: minimize x'Hx/2 + x'g for lower <= x <= upper, by projected Newton steps.

A variable at a bound is held there while the gradient pushes it outwards. In the others, the free ones, one Newton step
is made per iteration, clipped to the bounds, and shortened until the cost falls by a tenth of what the gradient says.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

MAX_ITERATIONS = 100
# the gradient, in the free variables, that counts as zero, relative to the terms it is the sum of
MIN_GRADIENT = 1e-15
MIN_STEP = 1e-22
ARMIJO = 0.1


class Solution(NamedTuple):
    """The minimum, which variables are free there, and the Cholesky factor of H in these."""

    x: np.ndarray
    free: np.ndarray
    factor: np.ndarray


def box_qp(
    start: np.ndarray, hessian: np.ndarray, gradient: np.ndarray, lower: np.ndarray | None, upper: np.ndarray | None
) -> Solution | None:
    """The solution; None if the matrix is not positive definite in the free variables, or no step lowers the cost."""
    low = np.full(len(start), -np.inf) if lower is None else lower
    high = np.full(len(start), np.inf) if upper is None else upper
    # only the lower triangle is given
    full = np.tril(hessian) + np.tril(hessian, -1).T
    x = np.clip(start, low, high)
    before: np.ndarray | None = None
    factor = np.zeros((0, 0))
    for _ in range(MAX_ITERATIONS):
        slope = full @ x + gradient
        free = ~(((x <= low) & (slope > 0)) | ((x >= high) & (slope < 0)))
        if not free.any():
            return Solution(x, free, np.zeros((0, 0)))
        if before is None or (before != free).any():
            try:
                factor = np.linalg.cholesky(full[np.ix_(free, free)])
            except np.linalg.LinAlgError:
                return None
            before = free
        terms = np.abs(full) @ np.abs(x) + np.abs(gradient)
        if (np.abs(slope[free]) <= MIN_GRADIENT * terms[free]).all():
            return Solution(x, free, factor)
        step = np.zeros_like(x)
        step[free] = -np.linalg.solve(factor.T, np.linalg.solve(factor, slope[free]))
        found = _search(x, step, slope, full, gradient, low, high)
        if found is None:
            # at the accuracy of the numbers: nothing is gained any more
            return Solution(x, free, factor)
        x = found
    return Solution(x, free, factor)


def _search(
    x: np.ndarray,
    step: np.ndarray,
    slope: np.ndarray,
    full: np.ndarray,
    gradient: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
) -> np.ndarray | None:
    """The end of the longest of successively halved steps that lowers the cost enough."""
    expected = float(step @ slope)
    if expected >= 0.0:
        return None
    length = 1.0
    while length > MIN_STEP:
        candidate = np.clip(x + length * step, low, high)
        change = candidate - x
        # the difference of costs, which does not cancel
        gained = float(change @ slope + 0.5 * change @ full @ change)
        if gained <= ARMIJO * length * expected and (change != 0.0).any():
            return candidate
        if gained == 0.0:
            return None
        length *= 0.5
    return None
