"""Rows of efc_J: where they go and which dofs they have.

Dense rows are nv long and lie one after the other; sparse ones list their columns, ascending. Rows are made in
blocks that share their columns. A block for which there is no room is only counted, so that d.nefc and d.nJ say in
the end how much room is needed.
"""

from sim.enums import JAC_AUTO, JAC_SPARSE
from sim.jit import helper, inline
from sim.stages.smooth.jacobian import last_dof

# models with fewer dofs have dense rows unless they ask for sparse ones
DENSE_BELOW = 60


@inline
def is_sparse(m):
    """Rows of J are sparse."""
    return m.opt.jacobian == JAC_SPARSE or (m.opt.jacobian == JAC_AUTO and m.nv >= DENSE_BELOW)


@inline
def has_room(d, rows, width):
    """There is room for a block of rows."""
    return d.nefc + rows <= len(d.efc_type) and d.nJ + rows * width <= len(d.efc_J)


@inline
def close_rows(d, rows, width):
    """Count a block."""
    d.nefc += rows
    d.nJ += rows * width


@inline
def describe(d, r, kind, index):
    """What a row is; everything else about it is zero at first."""
    d.efc_type[r] = kind
    d.efc_id[r] = index
    d.efc_pos[r] = 0.0
    d.efc_margin[r] = 0.0
    d.efc_frictionloss[r] = 0.0


# ---------------------------------------------------------------- columns


@helper
def clear_rows(d, rows, width):
    """Zeros where the next dense rows go."""
    start = d.nJ
    for k in range(start, start + rows * width):
        d.efc_J[k] = 0.0


@helper
def open_sparse(d, rows, width):
    """Addresses of the next sparse rows; the columns of the first are there, and the others get the same."""
    start, r = d.nJ, d.nefc
    for j in range(rows):
        at = start + j * width
        d.efc_J_rowadr[r + j] = at
        d.efc_J_rownnz[r + j] = width
        if j > 0:
            for k in range(width):
                d.efc_J_colind[at + k] = d.efc_J_colind[start + k]


@helper
def one_entry(m, d, v, value):
    """J of a row with a single dof, as far as there is room; returns its width."""
    width = 1 if is_sparse(m) else m.nv
    if has_room(d, 1, width):
        if is_sparse(m):
            d.efc_J_colind[d.nJ] = v
            open_sparse(d, 1, 1)
            d.efc_J[d.nJ] = value
        else:
            clear_rows(d, 1, width)
            d.efc_J[d.nJ + v] = value
    return width


@helper
def any_entry(d, n):
    """Some of the next n entries of J is not zero."""
    start = d.nJ
    found = False
    for k in range(start, start + n):
        found |= d.efc_J[k] != 0.0
    return found


@helper
def set_dense_columns(m, d):
    """Addresses and columns of dense rows, where they are not written yet: they never change."""
    for r in range(d.dense_rows, d.nefc):
        d.efc_J_rowadr[r] = r * m.nv
        d.efc_J_rownnz[r] = m.nv
        for v in range(m.nv):
            d.efc_J_colind[r * m.nv + v] = v
    d.dense_rows = max(d.dense_rows, d.nefc)


# ---------------------------------------------------------------- dofs of two bodies


@helper
def set_chain(m, d, b1, b2, common):
    """(chain.*): dofs that move body b1 or b2, descending, with or without those that move both. Returns how many."""
    v, w = last_dof(m, b1), last_dof(m, b2)
    n = 0
    while v >= 0 or w >= 0:
        if w > v:
            d.chain.dof[n] = w
            d.chain.side[n] = 1
            w = m.dof_parentid[w]
        elif v > w:
            d.chain.dof[n] = v
            d.chain.side[n] = -1
            v = m.dof_parentid[v]
        else:
            if not common:
                break
            d.chain.dof[n] = v
            d.chain.side[n] = 0
            v = m.dof_parentid[v]
            w = v
        n += 1
    return n


@helper
def open_chain(d, rows, n, sparse, nv):
    """Addresses and columns of the next rows, whose dofs are those of the chain."""
    if sparse:
        last = d.nJ + n - 1
        for i in range(n):
            d.efc_J_colind[last - i] = d.chain.dof[i]
        open_sparse(d, rows, n)
    else:
        clear_rows(d, rows, nv)
