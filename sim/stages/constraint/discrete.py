"""Constraint rows of the discrete integrator: their spring-dampers act at the end of the step.

(bare.R, bare.aref, efc_KBIP, efc_vel, metric.*) -> (efc_R, efc_D, efc_diagA, efc_aref).
With a = -B (v + h a) - K d (r + h v + h² a) in place of a = -B v - K d r, and s = 1 + h B + h² K d, the reference is
(aref - h K d v) / s, and R is divided by s. Rows of a contact share the s of its first row for R, each has its own for
the reference. R is that of the effective metric: scaled by Σ J²/M̂ᵥᵥ over Σ J²/Mᵥᵥ of the row, the first one of a
contact, or by the exact diagonals of J M̂⁻¹ Jᵀ and J M⁻¹ Jᵀ with `diagexact`. The impedance of a row is at most MAXIMP.
"""

from sim.enums import CNSTR_CONTACT_ELLIPTIC, CNSTR_CONTACT_PYRAMIDAL, ENBL_DIAGEXACT, MINVAL
from sim.jit import helper, inline, kernel
from sim.stages.constraint.assemble import exact_diagonal
from sim.stages.constraint.impedance import MAXIMP
from sim.stages.constraint.reference import add_adhesion
from sim.stages.constraint.row import is_discrete


@helper
def metric_ratio(m, d, r):
    """Diagonal of J M̂⁻¹ Jᵀ over that of J M⁻¹ Jᵀ, of one row."""
    if m.opt.enableflags & ENBL_DIAGEXACT:
        bare = exact_diagonal(m, d, r, d.qLD, d.qLDiagInv)
        return exact_diagonal(m, d, r, d.metric.qLD, d.metric.qLDiagInv) / bare if bare > MINVAL else 1.0
    bare = effective = 0.0
    for k in range(d.efc_J_rowadr[r], d.efc_J_rowadr[r] + d.efc_J_rownnz[r]):
        v = d.efc_J_colind[k]
        diagonal = m.M_rowadr[v] + m.M_rownnz[v] - 1
        square = d.efc_J[k] * d.efc_J[k]
        bare += square / d.M[diagonal]
        effective += square / (d.metric.M[diagonal] + d.metric.extra[v])
    return effective / bare if bare > MINVAL else 1.0


@inline
def softening(m, d, r):
    """1 + h B + h² K d of a row."""
    h = m.opt.timestep
    return 1.0 + h * (d.efc_KBIP[r, 1] + h * d.efc_KBIP[r, 0] * d.efc_KBIP[r, 2])


@inline
def rows_of(d, r):
    """Number of rows that are regularized together with row r, the first of them."""
    if d.efc_type[r] == CNSTR_CONTACT_ELLIPTIC:
        return d.contact.dim[d.efc_id[r]]
    return 2 * (d.contact.dim[d.efc_id[r]] - 1) if d.efc_type[r] == CNSTR_CONTACT_PYRAMIDAL else 1


@kernel(when=is_discrete)
def discretize_rows(m, d):
    """(bare.*, efc_KBIP, efc_vel, metric.*) -> (efc_R, efc_D, efc_diagA, efc_aref)"""
    r = 0
    while r < d.nefc:
        n = rows_of(d, r)
        imp = d.efc_KBIP[r, 2]
        least = (1.0 - MAXIMP) / MAXIMP * imp / (1.0 - imp)
        scale = metric_ratio(m, d, r) * max(1.0 / softening(m, d, r), least)
        # friction keeps its ratio to the normal, whose R has a lower bound
        scale = max(scale, MINVAL / d.bare.R[r])
        for i in range(r, r + n):
            d.efc_R[i] = d.bare.R[i] * scale
            d.efc_D[i] = 1.0 / d.efc_R[i]
            d.efc_diagA[i] = d.efc_R[i] * imp / (1.0 - imp)
            spring = m.opt.timestep * d.efc_KBIP[i, 0] * d.efc_KBIP[i, 2]
            d.efc_aref[i] = (d.bare.aref[i] - spring * d.efc_vel[i]) / softening(m, d, i)
        r += n
    if m.flg_adhesion:
        add_adhesion(m, d)
