"""Constraint rows along a tendon: its Jacobian times a scale, shared by friction, limits and equalities."""

from sim.jit import helper
from sim.stages.constraint.row import any_nonzero, clear_rows, has_capacity, is_sparse, open_sparse


@helper
def set_tendon_address(d, t, row):
    """Set the address of a tendon's first row, unless it is set."""
    if d.tendon_efcadr[t] == -1:
        d.tendon_efcadr[t] = row


@helper
def tendon_row(m, d, t, scale):
    """J of a row along a tendon, as far as it fits. Returns its width; 0: no dof moves the tendon, there is no row."""
    start, n = m.ten_J_rowadr[t], m.ten_J_rownnz[t]
    if is_sparse(m):
        if n > 0:
            set_tendon_address(d, t, d.nefc)
        if n > 0 and has_capacity(d, 1, n):
            for k in range(n):
                d.efc_J_colind[d.nJ + k] = m.ten_J_colind[start + k]
                d.efc_J[d.nJ + k] = scale * d.ten_J[start + k]
            open_sparse(d, 1, n)
        return n
    if has_capacity(d, 1, m.nv):
        clear_rows(d, 1, m.nv)
        for k in range(start, start + n):
            d.efc_J[d.nJ + m.ten_J_colind[k]] = scale * d.ten_J[k]
        if not any_nonzero(d, m.nv):
            return 0
    set_tendon_address(d, t, d.nefc)
    return m.nv
