"""Sparsity patterns of the inertia matrix M, of D and of the body-dof matrix B, in CSR format.

M is the lower triangle (a dof and its ancestors; only the diagonal for a simple dof), D the whole matrix with ancestors
and descendants, B has for each body the dofs above and below it. Columns of a row ascend. The maps give the index of an
entry in another matrix, or -1.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def ancestors(parentid: list[int]) -> list[list[int]]:
    """For each dof its ancestors and itself, ascending."""
    chains: list[list[int]] = []
    for dof, parent in enumerate(parentid):
        chains.append([*chains[parent], dof] if parent >= 0 else [dof])
    return chains


def patterns(
    dof_parentid: list[int], dof_simplenum: list[int], body_parentid: list[int], body_dofnum: list[int]
) -> dict[str, Any]:
    """All patterns and maps, and their sizes."""
    nv = len(dof_parentid)
    chains = ancestors(dof_parentid)
    inertia = [[dof] if dof_simplenum[dof] else chains[dof] for dof in range(nv)]
    below: list[list[int]] = [[] for _ in range(nv)]
    for dof in range(nv):
        for above in chains[dof][:-1]:
            below[above].append(dof)
    full = [chains[dof] + below[dof] for dof in range(nv)]
    bodies = _body_rows(body_parentid, body_dofnum)
    values = {**_rows("M", inertia), **_rows("D", full), **_rows("B", bodies)}
    values["D_diag"] = np.array([len(chain) - 1 for chain in chains], np.int32)
    # dof_Madr: address of a dof's row when rows go from the diagonal to the root
    addresses = np.cumsum([0, *map(len, chains)])
    values["dof_Madr"] = addresses[:-1].astype(np.int32)
    values["nM"], values["nC"] = int(addresses[-1]), len(values["M_colind"])
    values["nD"], values["nB"] = len(values["D_colind"]), len(values["B_colind"])
    values.update(_maps(values, chains, dof_simplenum))
    return values


def _rows(name: str, rows: list[list[int]]) -> dict[str, Any]:
    counts = [len(row) for row in rows]
    return {
        f"{name}_rownnz": np.array(counts, np.int32),
        f"{name}_rowadr": np.array([0, *np.cumsum(counts)[:-1]][: len(rows)], np.int32),
        f"{name}_colind": np.array([column for row in rows for column in row], np.int32),
    }


def _body_rows(parentid: list[int], dofnum: list[int]) -> list[list[int]]:
    """For each body the dofs of its ancestors, its own, and those of its descendants."""
    firsts = np.cumsum([0, *dofnum]).tolist()
    own = [list(range(firsts[b], firsts[b] + n)) for b, n in enumerate(dofnum)]
    last = list(range(len(parentid)))
    for b in range(len(parentid) - 1, 0, -1):
        last[parentid[b]] = max(last[parentid[b]], last[b])
    above: list[list[int]] = [[]]
    rows = [list(range(firsts[last[0] + 1]))]
    for b in range(1, len(parentid)):
        above.append(above[parentid[b]] + own[parentid[b]])
        rows.append(above[b] + list(range(firsts[b], firsts[last[b] + 1])))
    return rows


def _maps(values: dict[str, Any], chains: list[list[int]], simple: list[int]) -> dict[str, Any]:
    """Maps between the patterns; the columns of a row are a chain of ancestors, so an entry's offset is its depth."""
    depth = np.array([len(chain) - 1 for chain in chains], np.int32)
    alone = np.array(simple, bool)

    def entries(name: str) -> tuple[Any, Any]:
        counts = values[f"{name}_rownnz"]
        return np.repeat(np.arange(len(counts)), counts), values[f"{name}_colind"]

    row, column = entries("M")
    to_full = values["D_rowadr"][row] + depth[column]
    to_upward = values["dof_Madr"][row] + depth[row] - depth[column]
    row, column = entries("D")
    later, earlier = np.maximum(row, column), np.minimum(row, column)
    to_lower = values["M_rowadr"][later] + np.where(alone[later], 0, depth[earlier])
    to_lower[alone[later] & (later != earlier)] = -1
    return {
        "mapM2D": to_lower.astype(np.int32),
        "mapD2M": to_full.astype(np.int32),
        "mapM2M": to_upward.astype(np.int32),
    }
