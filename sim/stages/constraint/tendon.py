"""Rows that are a tendon's moment arms, times a number: shared by friction, limits and equalities."""

from sim.jit import helper
from sim.stages.constraint.row import any_entry, clear_rows, has_room, is_sparse, open_sparse


@helper
def note_tendon(d, t, row):
    """The first row that a tendon appears in."""
    if d.tendon_efcadr[t] == -1:
        d.tendon_efcadr[t] = row


@helper
def tendon_row(m, d, t, scale):
    """J of a row along a tendon, as far as there is room. Returns its width; 0: no dof moves it, there is no row."""
    note_tendon(d, t, d.nefc)
    start, n = m.ten_J_rowadr[t], m.ten_J_rownnz[t]
    if is_sparse(m):
        if n > 0 and has_room(d, 1, n):
            for k in range(n):
                d.efc_J_colind[d.nJ + k] = m.ten_J_colind[start + k]
                d.efc_J[d.nJ + k] = scale * d.ten_J[start + k]
            open_sparse(d, 1, n)
        return n
    if has_room(d, 1, m.nv):
        clear_rows(d, 1, m.nv)
        for k in range(start, start + n):
            d.efc_J[d.nJ + m.ten_J_colind[k]] = scale * d.ten_J[k]
        if not any_entry(d, m.nv):
            return 0
    return m.nv
