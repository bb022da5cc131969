"""Factors of the inverse inertia matrix at qpos0, one for each kinematic tree.

(M) -> R with M⁻¹ = R Rᵀ, so that J M⁻¹ Jᵀ = |J R|². From M = LᵀDL, as in `inertia.py`, R = L⁻¹ D^-½. LAPACK may split
its sums by the number of threads, and the model would depend on the machine. Trees with the same sparsity pattern are
factorized together: a thousand free bodies take as many steps as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from sim import enums
from sim.model import Data, Model

# the columns of a row: a slice, or indices where they are not contiguous
Columns = slice | np.ndarray


def inverse_factors(m: Model, d: Data) -> list[np.ndarray]:
    """R of each tree."""
    factors = [np.zeros((0, 0))] * m.ntree
    for trees, above in _same_pattern(m):
        for tree, factor in zip(trees, _factors(_inertias(m, d, trees, above), above), strict=True):
            factors[tree] = factor
    return factors


def weight(factor: np.ndarray, dofs: np.ndarray, arms: np.ndarray) -> Any:
    """J M⁻¹ Jᵀ for rows of J with nonzeros at some dofs of a tree."""
    reach = np.einsum("...i,ij->...j", arms, factor[dofs])
    return (reach * reach).sum(axis=-1)


def row_weight(m: Model, dofs: np.ndarray, arms: np.ndarray, factors: list[np.ndarray]) -> float:
    """J M⁻¹ Jᵀ of one row of J, tree by tree; each dof once."""
    trees = m.dof_treeid[dofs]
    total = 0.0
    for tree in sorted(set(trees.tolist())):
        here = trees == tree
        total += weight(factors[tree], dofs[here] - m.tree_dofadr[tree], arms[here])
    return float(total)


def acceleration(factor: np.ndarray, dofs: np.ndarray, arms: np.ndarray) -> np.ndarray:
    """M⁻¹ Jᵀ for a row of J with nonzeros at some dofs of a tree."""
    accelerations: np.ndarray = np.einsum("ij,j->i", factor, np.einsum("i,ij->j", arms, factor[dofs]))
    return accelerations


def _same_pattern(m: Model) -> Iterator[tuple[list[int], list[Columns]]]:
    """Groups of trees with the same sparsity pattern, and the columns left of the diagonal in each row of M."""
    groups: dict[bytes, list[int]] = {}
    for tree in range(m.ntree):
        first, n = m.tree_dofadr[tree], m.tree_dofnum[tree]
        row = slice(m.M_rowadr[first], m.M_rowadr[first + n - 1] + m.M_rownnz[first + n - 1])
        groups.setdefault((m.M_colind[row] - first).tobytes(), []).append(tree)
    for trees in groups.values():
        yield trees, [_columns(m, v, m.tree_dofadr[trees[0]]) for v in _dofs(m, trees[0])]


def _dofs(m: Model, tree: int) -> range:
    return range(m.tree_dofadr[tree], m.tree_dofadr[tree] + m.tree_dofnum[tree])


def _columns(m: Model, v: int, first: int) -> Columns:
    columns: np.ndarray = m.M_colind[m.M_rowadr[v] : m.M_rowadr[v] + m.M_rownnz[v] - 1] - first
    if len(columns) == 0:
        return slice(0, 0)
    start, end = int(columns[0]), int(columns[-1]) + 1
    return slice(start, end) if end - start == len(columns) else columns


def _inertias(m: Model, d: Data, trees: list[int], above: list[Columns]) -> np.ndarray:
    """Dense lower triangles of M, one for each tree."""
    n = len(above)
    stack = np.zeros((len(trees), n, n))
    first = m.tree_dofadr[trees]
    for v, columns in enumerate(above):
        end = m.M_rowadr[first + v] + m.M_rownnz[first + v] - 1
        stack[:, v, v] = d.M[end]
        before = m.M_rownnz[first[0] + v] - 1
        stack[:, v, columns] = d.M[end[:, None] - before + np.arange(before)]
    return stack


def _block(columns: Columns) -> Any:
    """Index of some rows and the same columns."""
    return np.s_[:, columns, columns] if isinstance(columns, slice) else np.s_[:, columns[:, None], columns]


def _factors(stack: np.ndarray, above: list[Columns]) -> np.ndarray:
    """L⁻¹ D^-½ of each matrix of a stack, which is factorized in place."""
    pivots = np.ones(stack.shape[:2])
    for v in range(len(above) - 1, -1, -1):
        up = above[v]
        # a singular matrix gets a minimal pivot
        pivots[:, v] = np.maximum(stack[:, v, v], enums.MINVAL)
        row = stack[:, v, up]
        share = row / pivots[:, v, None]
        stack[_block(up)] -= share[:, :, None] * row[:, None, :]
        stack[:, v, up] = share
    factor = np.zeros_like(stack)
    for v, up in enumerate(above):
        factor[:, v, v] = 1.0
        factor[:, v, up] = -np.einsum("ki,kij->kj", stack[:, v, up], factor[_block(up)])
    factor /= np.sqrt(pivots)[:, None, :]
    return factor
