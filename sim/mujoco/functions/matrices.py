"""mju_*: sparse and banded matrices, Cholesky factors and the box-constrained quadratic program.

A band-dense matrix of n rows has n - ndense rows of a band, nband entries left of and on the diagonal, and then ndense
full rows. A Cholesky factor is the lower triangle L of A = L L'.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.enums import MINVAL
from sim.mujoco.binding import bound, writing

# ---------------------------------------------------------------- sparse


@bound("res:out* mat:inr,c rownnz:outir rowadr:outir colind:outi*", "int")
def mju_dense2sparse(res: Any, mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> int:
    """A matrix as its entries that are not 0, by rows; returns 1 if res and colind are too small."""
    if len(res) != len(colind):
        raise TypeError("mju_dense2sparse: res and colind should have the same size")
    rows, columns = np.nonzero(mat)
    if len(rows) > len(res):
        return 1
    res[: len(rows)], colind[: len(rows)] = mat[rows, columns], columns
    rownnz[:] = np.bincount(rows, minlength=len(mat))
    rowadr[:] = np.cumsum(rownnz) - rownnz
    return 0


@bound("res:outr,c mat:in* rownnz:inir rowadr:inir colind:ini*")
def mju_sparse2dense(res: Any, mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> None:
    """A sparse matrix as a dense one."""
    res[...] = 0.0
    for row, (count, start) in enumerate(zip(rownnz.tolist(), rowadr.tolist(), strict=True)):
        res[row, colind[start : start + count]] = mat[start : start + count]


@bound("res:outn,n mat:in* rownnz:inin rowadr:inin colind:ini*")
def mju_sym2dense(res: Any, mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> None:
    """The lower triangle of a symmetric matrix, sparse, as the whole matrix."""
    res[...] = 0.0
    for row, (count, start) in enumerate(zip(rownnz.tolist(), rowadr.tolist(), strict=True)):
        columns = colind[start : start + count]
        res[row, columns] = res[columns, row] = mat[start : start + count]


# ---------------------------------------------------------------- Cholesky


def _solve(lower: np.ndarray, vec: np.ndarray) -> np.ndarray:
    """Solve L L' x = vec."""
    found: np.ndarray = np.linalg.solve(lower.T, np.linalg.solve(lower, vec))
    return found


writing({
    "mju_cholSolve res:outn mat:inn,n vec:inn": (
        lambda mat, vec: _solve(np.tril(mat), vec), "Solve with a Cholesky factor.",
    ),
})  # fmt: skip


@bound("mat:outn,n mindiag:float", "int")
def mju_cholFactor(mat: np.ndarray, mindiag: float) -> int:
    """Cholesky factor in the lower triangle; a pivot below mindiag becomes mindiag and lowers the rank, returned."""
    n = len(mat)
    rank = n
    for j in range(n):
        pivot = mat[j, j] - mat[j, :j] @ mat[j, :j]
        if pivot < mindiag:
            pivot, rank = mindiag, rank - 1
        mat[j, j] = np.sqrt(pivot)
        mat[j + 1 :, j] = (mat[j + 1 :, j] - mat[j + 1 :, :j] @ mat[j, :j]) / mat[j, j]
    return rank


@bound("mat:outn,n x:outn flg_plus:int", "int")
def mju_cholUpdate(mat: np.ndarray, x: np.ndarray, flg_plus: int) -> int:
    """The factor of L L' + x x', or - x x'; returns the rank."""
    n = rank = len(mat)
    sign = 1.0 if flg_plus else -1.0
    for k in range(n):
        if x[k] == 0.0:
            continue
        square = mat[k, k] ** 2 + sign * x[k] ** 2
        if square < MINVAL:
            square, rank = MINVAL, rank - 1
        r = np.sqrt(square)
        c, s = r / mat[k, k], x[k] / mat[k, k]
        mat[k, k] = r
        mat[k + 1 :, k] = (mat[k + 1 :, k] + sign * s * x[k + 1 :]) / c
        x[k + 1 :] = c * x[k + 1 :] - s * mat[k + 1 :, k]
    return rank


# ---------------------------------------------------------------- band


def _size(ntotal: int, nband: int, ndense: int) -> int:
    return (ntotal - ndense) * nband + ndense * ntotal


def _check(function: str, mat: np.ndarray, ntotal: int, nband: int, ndense: int) -> None:
    if mat.size != _size(ntotal, nband, ndense):
        raise TypeError(f"{function}: mat should have {_size(ntotal, nband, ndense)} elements, not {mat.size}")


def _row(i: int, ntotal: int, nband: int, ndense: int) -> tuple[int, int, int]:
    """(first column, end, address of the first column) of the stored part of row i, up to its diagonal."""
    if i < ntotal - ndense:
        first = max(0, i - nband + 1)
        return first, i + 1, i * nband + nband - 1 - (i - first)
    return 0, i + 1, (ntotal - ndense) * nband + (i - (ntotal - ndense)) * ntotal


def _lower(mat: np.ndarray, ntotal: int, nband: int, ndense: int) -> np.ndarray:
    """The lower triangle as a dense matrix."""
    found = np.zeros((ntotal, ntotal))
    for i in range(ntotal):
        first, end, at = _row(i, ntotal, nband, ndense)
        found[i, first:end] = mat[at : at + end - first]
    return found


def _store(mat: np.ndarray, lower: np.ndarray, ntotal: int, nband: int, ndense: int) -> None:
    for i in range(ntotal):
        first, end, at = _row(i, ntotal, nband, ndense)
        mat[at : at + end - first] = lower[i, first:end]


@bound("i:int ntotal:int nband:int ndense:int", "int")
def mju_bandDiag(i: int, ntotal: int, nband: int, ndense: int) -> int:
    """The address of a diagonal entry."""
    first, end, at = _row(i, ntotal, nband, ndense)
    return at + end - 1 - first


@bound("res:out* mat:inn,n ntotal:int nband:int ndense:int")
def mju_dense2Band(res: np.ndarray, mat: Any, ntotal: int, nband: int, ndense: int) -> None:
    """A dense matrix as a band-dense one."""
    _check("mju_dense2Band", res, ntotal, nband, ndense)
    res[:] = 0.0
    _store(res, mat, ntotal, nband, ndense)


@bound("res:outn,n mat:in* ntotal:int nband:int ndense:int flg_sym:bool")
def mju_band2Dense(res: np.ndarray, mat: Any, ntotal: int, nband: int, ndense: int, flg_sym: bool) -> None:
    """A band-dense matrix as a dense one; with flg_sym, its upper triangle too."""
    _check("mju_band2Dense", mat, ntotal, nband, ndense)
    lower = _lower(mat, ntotal, nband, ndense)
    res[...] = lower + np.tril(lower, -1).T if flg_sym else lower


@bound("res:any mat:any vec:any ntotal:int nband:int ndense:int nvec:int flg_sym:bool")
def mju_bandMulMatVec(
    res: Any, mat: Any, vec: Any, ntotal: int, nband: int, ndense: int, nvec: int, flg_sym: bool
) -> None:
    """Multiply a band-dense matrix with nvec vectors, its columns; with flg_sym, its upper triangle too."""
    band, vectors = np.asarray(mat, float).ravel(), np.asarray(vec, float)
    _check("mju_bandMulMatVec", band, ntotal, nband, ndense)
    if vectors.ndim == 1:
        vectors = vectors[:, None]
    if vectors.shape != (ntotal, nvec) or not isinstance(res, np.ndarray) or res.size != ntotal * nvec:
        raise TypeError(f"mju_bandMulMatVec: res and vec should have {ntotal} rows and {nvec} columns")
    lower = _lower(band, ntotal, nband, ndense)
    full = lower + np.tril(lower, -1).T if flg_sym else lower
    res.reshape(ntotal, nvec)[...] = full @ vectors


@bound("mat:out* ntotal:int nband:int ndense:int diagadd:float diagmul:float", "float")
def mju_cholFactorBand(mat: np.ndarray, ntotal: int, nband: int, ndense: int, diagadd: float, diagmul: float) -> float:
    """Cholesky factor after adding diagadd + diagmul * A_ii to the diagonal; returns its smallest entry there, or 0."""
    _check("mju_cholFactorBand", mat, ntotal, nband, ndense)
    lower = _lower(mat, ntotal, nband, ndense)
    diagonal = lower.diagonal()
    lower[np.diag_indices(ntotal)] += diagadd + diagmul * diagonal
    smallest = np.inf
    for j in range(ntotal):
        pivot = lower[j, j] - lower[j, :j] @ lower[j, :j]
        if pivot < MINVAL:
            return 0.0
        smallest = min(smallest, pivot)
        lower[j, j] = np.sqrt(pivot)
        lower[j + 1 :, j] = (lower[j + 1 :, j] - lower[j + 1 :, :j] @ lower[j, :j]) / lower[j, j]
    _store(mat, lower, ntotal, nband, ndense)
    return float(np.sqrt(smallest))


@bound("res:out* mat:in* vec:in* ntotal:int nband:int ndense:int")
def mju_cholSolveBand(res: np.ndarray, mat: Any, vec: Any, ntotal: int, nband: int, ndense: int) -> None:
    """Solve with a band-dense Cholesky factor."""
    _check("mju_cholSolveBand", mat, ntotal, nband, ndense)
    if len(res) != ntotal or len(vec) != ntotal:
        raise TypeError(f"mju_cholSolveBand: res and vec should have {ntotal} elements")
    lower = _lower(mat, ntotal, nband, ndense)
    res[:] = _solve(lower, vec)


# ---------------------------------------------------------------- quadratic program

MAX_ITERATIONS = 100
# the gradient, in the free variables, that counts as zero, relative to the terms it is the sum of
MIN_GRADIENT = 1e-15
MIN_STEP = 1e-22
ARMIJO = 0.1


@bound("res:outn R:outn,* index:outi?n H:inn,n g:inn lower:in?n upper:in?n", "int")
def mju_boxQP(res: Any, R: Any, index: Any, H: Any, g: Any, lower: Any, upper: Any) -> int:
    """Minimize x'Hx/2 + x'g within bounds, starting at res.

    Returns the number of free dimensions, -1 if it fails; R holds the Cholesky factor of H in these, index their list.
    """
    if R.shape[1] != len(res) + 7:
        raise TypeError(f"mju_boxQP: R should have {len(res) + 7} columns, not {R.shape[1]}")
    found = _box_qp(res, H, g, -np.inf if lower is None else lower, np.inf if upper is None else upper)
    if found is None:
        return -1
    free, factor = found
    count = int(free.sum())
    # as a matrix of count columns, in the lower triangle
    rows = R.reshape(-1)[: count * count].reshape(count, count)
    rows[np.tril_indices(count)] = factor[np.tril_indices(count)]
    if index is not None:
        index[:count] = np.flatnonzero(free)
    return count


def _box_qp(x: np.ndarray, hessian: Any, gradient: Any, low: Any, high: Any) -> tuple[np.ndarray, np.ndarray] | None:
    """Minimize by projected Newton steps from x on, in place: which variables are free, and the factor of H in these.

    A variable at a bound is held there while the gradient pushes it outwards. In the others, the free ones, one Newton
    step is made per iteration, clipped to the bounds, and shortened until the cost falls by a tenth of what the
    gradient says. None, and x is left as it is, if the matrix is not positive definite in the free variables.
    """
    # only the lower triangle is given
    full = np.tril(hessian) + np.tril(hessian, -1).T
    now = np.clip(x, low, high)
    before: np.ndarray | None = None
    factor = np.zeros((0, 0))
    for _ in range(MAX_ITERATIONS):
        slope = full @ now + gradient
        free = ~(((now <= low) & (slope > 0)) | ((now >= high) & (slope < 0)))
        if before is None or (before != free).any():
            try:
                factor = np.linalg.cholesky(full[np.ix_(free, free)])
            except np.linalg.LinAlgError:
                return None
            before = free
        terms = np.abs(full) @ np.abs(now) + np.abs(gradient)
        if (np.abs(slope[free]) <= MIN_GRADIENT * terms[free]).all():
            break
        step = np.zeros_like(now)
        step[free] = -_solve(factor, slope[free])
        found = _search(now, step, slope, full, low, high)
        if found is None:
            # the cost cannot be lowered further at this precision
            break
        now = found
    x[:] = now
    return free, factor


def _search(
    x: np.ndarray, step: np.ndarray, slope: np.ndarray, full: np.ndarray, low: Any, high: Any
) -> np.ndarray | None:
    """The end of the longest of successively halved steps that lowers the cost enough."""
    expected = float(step @ slope)
    length = 1.0
    while expected < 0.0 and length > MIN_STEP:
        candidate: np.ndarray = np.clip(x + length * step, low, high)
        change = candidate - x
        # the difference of costs, which does not cancel
        gained = float(change @ slope + 0.5 * change @ full @ change)
        if gained <= ARMIJO * length * expected and (change != 0.0).any():
            return candidate
        if gained == 0.0:
            return None
        length *= 0.5
    return None
