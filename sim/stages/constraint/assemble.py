"""The constraint stage: assembles all rows, in order: equalities, dry friction, limits, contacts.

(positions, tendons, contacts) -> (efc_*, nefc, ne, nf, nl, nJ, contact.mu, contact.efc_address). Each type appends its
rows; then comes the diagonal of J M⁻¹ Jᵀ, estimated from the inverse weights at qpos0 or, with `diagexact`, exact; then
the impedance. On overflow no rows are left, and the required capacity is requested.
"""

from sim.enums import DSBL_CONSTRAINT, DSBL_CONTACT, DSBL_EQUALITY, DSBL_FRICTIONLOSS, DSBL_LIMIT, ENBL_DIAGEXACT
from sim.jit import helper, kernel
from sim.stages.constraint.contact import contact_rows
from sim.stages.constraint.equality import equality_rows
from sim.stages.constraint.friction import friction_rows, has_friction
from sim.stages.constraint.impedance import make_impedance
from sim.stages.constraint.limit import has_limits, limit_rows
from sim.stages.constraint.row import is_discrete, is_sparse, set_dense_columns
from sim.stages.smooth.inertia import need_inertia
from sim.state.capacity import require_rows


@helper(reduce=True)
def exact_diagonal(m, d, r, ld, inverse):
    """Diagonal entry of J M⁻¹ Jᵀ of one row: |L⁻ᵀ J|² weighted by 1 / D, with the factors of M."""
    for run in range(d.span.ndof):
        for v in range(d.span.dof[run, 0], d.span.dof[run, 1]):
            d.diagonal_row[v] = 0.0
    for k in range(d.efc_J_rowadr[r], d.efc_J_rowadr[r] + d.efc_J_rownnz[r]):
        d.diagonal_row[d.efc_J_colind[k]] = d.efc_J[k]
    s = 0.0
    for run in range(d.span.ndof - 1, -1, -1):
        for v in range(d.span.dof[run, 1] - 1, d.span.dof[run, 0] - 1, -1):
            x = d.diagonal_row[v]
            if x != 0.0:
                row = m.M_rowadr[v]
                for k in range(m.M_rownnz[v] - 1):
                    d.diagonal_row[m.M_colind[row + k]] -= ld[row + k] * x
                s += x * x * inverse[v]
    return s


@kernel(when=is_discrete)
def save_regularizers(m, d):
    """(efc_R) -> (bare.R): in the metric M"""
    for r in range(d.nefc):
        d.bare.R[r] = d.efc_R[r]


@kernel(when=lambda m: bool(m.opt.enableflags & ENBL_DIAGEXACT))
def exact_diagonals(m, d):
    """(efc_J, qLD, qLDiagInv) -> (efc_diagA); for contacts, only the first row is needed"""
    need_inertia(m, d)
    for r in range(d.nefc):
        if r < d.ne + d.nf + d.nl or r == d.contact.efc_address[d.efc_id[r]]:
            d.efc_diagA[r] = exact_diagonal(m, d, r, d.qLD, d.qLDiagInv)


@helper
def append_rows(m, d):
    """Rows of all types, and how many there are of each."""
    off = m.opt.disableflags
    if m.neq > 0 and not off & DSBL_EQUALITY:
        equality_rows(m, d)
    d.ne = d.nefc
    if not off & DSBL_FRICTIONLOSS and has_friction(m):
        friction_rows(m, d)
    d.nf = d.nefc - d.ne
    if not off & DSBL_LIMIT and has_limits(m):
        limit_rows(m, d)
    d.nl = d.nefc - d.ne - d.nf
    if d.ncon > 0 and m.nv > 0 and not off & DSBL_CONTACT:
        contact_rows(m, d)


@helper
def no_rows(d):
    d.nefc = 0
    d.ne = 0
    d.nf = 0
    d.nl = 0
    d.nJ = 0


@kernel
def make_constraint(m, d):
    """(xpos, ..., contact, ten_J) -> (efc_J, efc_type, efc_pos, efc_R, ..., nefc, ne, nf, nl)"""
    no_rows(d)
    if m.opt.disableflags & DSBL_CONSTRAINT:
        return
    for t in range(m.ntendon):
        d.tendon_efcadr[t] = -1
    append_rows(m, d)
    if d.nefc > len(d.efc_type) or d.nJ > len(d.efc_J):
        require_rows(d, d.nefc, d.nJ)
        no_rows(d)
        return
    if is_sparse(m):
        d.dense_rows = 0
    else:
        set_dense_columns(m, d)
    if m.opt.enableflags & ENBL_DIAGEXACT:
        exact_diagonals(m, d)
    make_impedance(m, d)
    if is_discrete(m):
        save_regularizers(m, d)
