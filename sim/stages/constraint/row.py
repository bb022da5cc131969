"""Rows of the constraint Jacobian efc_J, dense or sparse, and the dofs of two bodies.

Dense rows are nv long and contiguous; sparse rows list their columns, ascending. Rows are made in blocks with the same
columns. A block that does not fit is only counted, so that d.nefc and d.nJ end up as the required capacity.
"""

from sim.enums import INT_DISCRETE, JAC_AUTO, JAC_SPARSE, SOL_PGS
from sim.jit import helper, inline
from sim.stages.smooth.jacobian import last_dof

# with `auto`, models with fewer dofs have dense rows
DENSE_BELOW = 60


@inline
def is_discrete(m):
    """Whether constraints are solved in the effective metric of the discrete integrator."""
    return m.opt.integrator == INT_DISCRETE


@inline
def may_couple(m):
    """Whether the effective metric may have terms beyond the pattern of M."""
    return is_discrete(m) and m.opt.solver != SOL_PGS and m.ntendon + m.nactuator > 0


@inline
def is_sparse(m):
    """Whether rows of J are sparse."""
    if may_couple(m):
        return False
    return m.opt.jacobian == JAC_SPARSE or (m.opt.jacobian == JAC_AUTO and m.nv >= DENSE_BELOW)


@inline
def has_capacity(d, rows, width):
    """Whether a block of rows fits."""
    return d.nefc + rows <= len(d.efc_type) and d.nJ + rows * width <= len(d.efc_J)


@inline
def close_rows(d, rows, width):
    """Finish a block: advance nefc and nJ. Also for blocks that did not fit."""
    d.nefc += rows
    d.nJ += rows * width


@inline
def init_row(d, r, row_type, index):
    """Initialize a row: its type and id; everything else is zero."""
    d.efc_type[r] = row_type
    d.efc_id[r] = index
    d.efc_pos[r] = 0.0
    d.efc_margin[r] = 0.0
    d.efc_frictionloss[r] = 0.0


# ---------------------------------------------------------------- columns


@helper
def clear_rows(d, rows, width):
    """Clear the next dense rows."""
    start = d.nJ
    for k in range(start, start + rows * width):
        d.efc_J[k] = 0.0


@helper
def open_sparse(d, rows, width):
    """Addresses of the next sparse rows; the columns of the first are set, and are copied to the others."""
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
    """J of a row with a single nonzero, as far as it fits; returns its width."""
    width = 1 if is_sparse(m) else m.nv
    if has_capacity(d, 1, width):
        if is_sparse(m):
            d.efc_J_colind[d.nJ] = v
            open_sparse(d, 1, 1)
            d.efc_J[d.nJ] = value
        else:
            clear_rows(d, 1, width)
            d.efc_J[d.nJ + v] = value
    return width


@helper
def any_nonzero(d, n):
    """Whether some of the next n entries of J are not zero."""
    start = d.nJ
    found = False
    for k in range(start, start + n):
        found |= d.efc_J[k] != 0.0
    return found


@helper
def set_dense_columns(m, d):
    """Addresses and columns of dense rows that were never used before: they do not change."""
    for r in range(d.dense_rows, d.nefc):
        d.efc_J_rowadr[r] = r * m.nv
        d.efc_J_rownnz[r] = m.nv
        for v in range(m.nv):
            d.efc_J_colind[r * m.nv + v] = v
    d.dense_rows = max(d.dense_rows, d.nefc)


# ---------------------------------------------------------------- dofs of two bodies


@helper
def set_chain(m, d, b1, b2, common):
    """(chain.*): dofs that move body b1 or b2, descending, with or without common ones; returns their number."""
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
    """Addresses and columns of the next rows, which have the dofs of the chain."""
    if sparse:
        last = d.nJ + n - 1
        for i in range(n):
            d.efc_J_colind[last - i] = d.chain.dof[i]
        open_sparse(d, rows, n)
    else:
        clear_rows(d, rows, nv)
