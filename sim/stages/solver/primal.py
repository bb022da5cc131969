"""The primal problem, shared by Newton and CG: cost, forces and gradient as functions of the acceleration.

cost(a) = ½ (a - a₀)ᵀ M (a - a₀) + Σ s(J a - aref), with a₀ = qacc_smooth. For x = J a - aref, s is ½ D x² for an
equality; the same, continued linearly from a bound on (Huber), for dry friction; ½ D min(x, 0)² for a unilateral row.
A contact with an elliptic cone is one function of all its rows: scaled by friction, with N along the normal and T
across it, it is 0 where N ≥ μT (top zone), ½ D x² of every row where μN + T ≤ 0 (bottom zone), and ½ Dm (N - μT)² in
between (middle zone). Forces are -ds/dx; the gradient is M a - qfrc_smooth - Jᵀ force.
"""

from math import sqrt

from sim.enums import (
    CNSTRSTATE_CONE,
    CNSTRSTATE_LINEARNEG,
    CNSTRSTATE_LINEARPOS,
    CNSTRSTATE_QUADRATIC,
    CNSTRSTATE_SATISFIED,
    CONE_ELLIPTIC,
    DSBL_WARMSTART,
    NISLAND,
    NSOLVER,
    SOL_NEWTON,
    SOL_PGS,
)
from sim.jit import helper, inline, kernel
from sim.math.dense import dot
from sim.stages.constraint.row import is_discrete
from sim.stages.solver.block import mul_j, mul_jt, mul_m
from sim.stages.solver.coupling import couple_acc


@inline
def cone_scale(d, contact, j):
    """Scale of row j of a contact that makes its cone circular."""
    return d.contact.mu[contact] if j == 0 else d.contact.friction[contact, j - 1]


@inline
def cone_zone(normal, tangent, mu):
    """State of a contact with a circular cone: top, bottom or middle zone."""
    if normal >= mu * tangent:
        return CNSTRSTATE_SATISFIED
    if mu * normal + tangent <= 0.0:
        return CNSTRSTATE_QUADRATIC
    return CNSTRSTATE_CONE


@helper
def cone_point(d, r, contact):
    """(N, T) of a contact whose first row is r."""
    tangent = 0.0
    for j in range(1, d.contact.dim[contact]):
        u = d.block.jar[r + j] * d.contact.friction[contact, j - 1]
        tangent += u * u
    return d.block.jar[r] * d.contact.mu[contact], sqrt(tangent)


@inline
def middle_stiffness(d, r, contact):
    """Dm of a contact whose first row is r."""
    square = d.contact.mu[contact] * d.contact.mu[contact]
    return d.block.D[r] / (square * (1.0 + square))


# ---------------------------------------------------------------- cost


@inline
def friction_cost(x, limit, bound, stiffness):
    """Huber cost: ½ D x² between -bound and bound, linear beyond."""
    if x <= -bound:
        return -limit * (0.5 * bound + x)
    if x >= bound:
        return limit * (x - 0.5 * bound)
    return 0.5 * stiffness * x * x


@helper(reduce=True)
def smooth_rows_cost(d):
    """Cost of equality and unilateral rows."""
    s = 0.0
    for r in range(d.block.ne):
        s += d.block.D[r] * d.block.jar[r] * d.block.jar[r]
    for r in range(d.block.ne + d.block.nf, d.block.nefc):
        x = d.block.jar[r]
        below = x if x < 0.0 else 0.0
        s += d.block.D_unilateral[r] * below * below
    return 0.5 * s


@kernel(when=lambda m: m.opt.cone == CONE_ELLIPTIC)
def cones_cost(m, d) -> float:
    """(block.jar) -> cost of all contacts with elliptic cones"""
    cost = 0.0
    for c in range(d.block.ncone):
        r = d.block.cone[c]
        contact = d.block.contact[c]
        mu = d.contact.mu[contact]
        normal, tangent = cone_point(d, r, contact)
        zone = cone_zone(normal, tangent, mu)
        if zone == CNSTRSTATE_QUADRATIC:
            for j in range(d.contact.dim[contact]):
                cost += 0.5 * d.block.D[r + j] * d.block.jar[r + j] * d.block.jar[r + j]
        elif zone == CNSTRSTATE_CONE:
            depth = normal - mu * tangent
            cost += 0.5 * middle_stiffness(d, r, contact) * depth * depth
    return cost


@helper
def rows_cost(m, d):
    """Σ s(jar)"""
    cost = smooth_rows_cost(d)
    for r in range(d.block.ne, d.block.ne + d.block.nf):
        limit = d.block.floss[r]
        cost += friction_cost(d.block.jar[r], limit, d.block.R[r] * limit, d.block.D[r])
    if d.block.ncone > 0:
        cost += cones_cost(m, d)
    return cost


@helper(reduce=True)
def inertial_cost(d):
    """½ (a - a₀)ᵀ M (a - a₀)"""
    s = 0.0
    for v in range(d.block.nv):
        s += (d.block.ma[v] - d.block.smooth[v]) * (d.block.acc[v] - d.block.acc_smooth[v])
    return 0.5 * s


# ---------------------------------------------------------------- warm start


@kernel
def warm_start(m, d):
    """(qacc_warmstart, qacc_smooth, rows) -> (efc_b; block.acc, ma, jar at the one that costs less)

    PGS compares forces instead (warm_start_forces), so here it gets jar at qacc_warmstart.
    """
    n = d.block.nefc
    mul_j(d.block.jar, m, d, d.block.acc_smooth)
    for r in range(n):
        d.block.jar[r] -= d.block.aref[r]
        d.efc_b[d.block.row[r]] = d.block.jar[r]
    if not (m.opt.disableflags & DSBL_WARMSTART):
        cost_smooth = rows_cost(m, d) if m.opt.solver != SOL_PGS else 0.0
        for v in range(d.block.nv):
            d.block.acc[v] = d.qacc_warmstart[d.block.dof[v]]
        mul_j(d.block.jar, m, d, d.block.acc)
        for r in range(n):
            d.block.jar[r] -= d.block.aref[r]
        if m.opt.solver == SOL_PGS:
            return
        mul_m(d.block.ma, m, d, d.block.acc)
        if is_discrete(m) and d.metric.ncouple > 0:
            couple_acc(m, d)
        # with NaN, keep qacc_warmstart, as MuJoCo does
        if not rows_cost(m, d) + inertial_cost(d) > cost_smooth:
            return
    for v in range(d.block.nv):
        d.block.acc[v] = d.block.acc_smooth[v]
        d.block.ma[v] = d.block.smooth[v]
    if is_discrete(m) and d.metric.ncouple > 0:
        # acc_smooth is not exact
        mul_m(d.block.ma, m, d, d.block.acc)
        couple_acc(m, d)
    for r in range(n):
        d.block.jar[r] = d.efc_b[d.block.row[r]]


# ---------------------------------------------------------------- forces


@helper(reduce=True)
def row_forces(d):
    """Forces and states of equality and unilateral rows; returns how many unilateral ones are active."""
    nactive = 0
    for r in range(d.block.ne):
        d.block.force[r] = -d.block.D[r] * d.block.jar[r]
        d.block.state[r] = CNSTRSTATE_QUADRATIC
    for r in range(d.block.ne + d.block.nf, d.block.nefc):
        x = d.block.jar[r]
        below = x if x < 0.0 else 0.0
        acts = 1 if x < 0.0 else 0
        d.block.force[r] = 0.0 - d.block.D_unilateral[r] * below
        d.block.state[r] = acts
        nactive += acts
    return nactive


@helper
def friction_forces(d):
    """Forces and states of rows of dry friction."""
    for r in range(d.block.ne, d.block.ne + d.block.nf):
        x = d.block.jar[r]
        limit = d.block.floss[r]
        bound = d.block.R[r] * limit
        if x <= -bound:
            d.block.force[r] = limit
            d.block.state[r] = CNSTRSTATE_LINEARNEG
        elif x >= bound:
            d.block.force[r] = -limit
            d.block.state[r] = CNSTRSTATE_LINEARPOS
        else:
            d.block.force[r] = -d.block.D[r] * x
            d.block.state[r] = CNSTRSTATE_QUADRATIC


@helper
def set_cone_hessian(d, r, contact, normal, tangent):
    """contact.H: Hessian of ½ Dm (N - μT)² with respect to the rows of the contact."""
    dim = d.contact.dim[contact]
    mu = d.contact.mu[contact]
    stiffness = middle_stiffness(d, r, contact)
    inv = 1.0 / tangent
    bend = mu * normal * inv
    for j in range(dim):
        uj = d.block.jar[r + j] * cone_scale(d, contact, j) * inv
        for k in range(j + 1):
            uk = d.block.jar[r + k] * cone_scale(d, contact, k) * inv
            if j == 0:
                h = 1.0
            elif k == 0:
                h = -mu * uj
            else:
                h = bend * uj * uk + (mu * mu - bend if j == k else 0.0)
            h *= stiffness * cone_scale(d, contact, j) * cone_scale(d, contact, k)
            d.contact.H[contact, j * dim + k] = h
            d.contact.H[contact, k * dim + j] = h


@kernel(when=lambda m: m.opt.cone == CONE_ELLIPTIC)
def cone_forces(m, d):
    """(block.jar) -> (block.force, state, nmiddle, nactive; contact.H) of contacts with elliptic cones"""
    nactive = d.block.nactive
    nmiddle = 0
    for c in range(d.block.ncone):
        r = d.block.cone[c]
        contact = d.block.contact[c]
        dim = d.contact.dim[contact]
        mu = d.contact.mu[contact]
        normal, tangent = cone_point(d, r, contact)
        zone = cone_zone(normal, tangent, mu)
        full = 1.0 if zone == CNSTRSTATE_QUADRATIC else 0.0
        for j in range(dim):
            # row_forces counted these as unilateral rows
            nactive -= d.block.state[r + j]
            d.block.state[r + j] = zone
            d.block.force[r + j] = 0.0 - full * d.block.D[r + j] * d.block.jar[r + j]
        if zone != CNSTRSTATE_SATISFIED:
            nactive += dim
        if zone == CNSTRSTATE_CONE:
            nmiddle += dim
            push = -middle_stiffness(d, r, contact) * (normal - mu * tangent) * mu
            across = -push / tangent
            d.block.force[r] = push
            for j in range(1, dim):
                mu_j = d.contact.friction[contact, j - 1]
                d.block.force[r + j] = across * d.block.jar[r + j] * mu_j * mu_j
            if m.opt.solver == SOL_NEWTON:
                set_cone_hessian(d, r, contact, normal, tangent)
    d.block.nactive = nactive
    d.block.nmiddle = nmiddle


@kernel
def update_forces(m, d):
    """(block.jar) -> (block.force, state, nactive, nmiddle, qfrc_constraint)"""
    d.block.nmiddle = 0
    d.block.nactive = d.block.ne + d.block.nf + row_forces(d)
    if d.block.nf > 0:
        friction_forces(d)
    if d.block.ncone > 0:
        cone_forces(m, d)
    mul_jt(d.block.qfrc_constraint, m, d, d.block.force)


@kernel
def update_gradient(m, d) -> float:
    """(block.ma, qfrc_constraint) -> (block.grad); returns its norm, scaled like the tolerance"""
    for v in range(d.block.nv):
        d.block.grad[v] = d.block.ma[v] - d.block.smooth[v] - d.block.qfrc_constraint[v]
    return d.block.scale * sqrt(dot(d.block.grad, 0, d.block.grad, 0, d.block.nv))


@kernel
def take_step(m, d, alpha: float) -> int:
    """(block.search, mv, jv) -> (block.acc, ma, jar, then forces); returns the number of rows whose state changed"""
    for v in range(d.block.nv):
        d.block.acc[v] += alpha * d.block.search[v]
        d.block.ma[v] += alpha * d.block.mv[v]
    for r in range(d.block.nefc):
        d.block.jar[r] += alpha * d.block.jv[r]
        d.block.old_state[r] = d.block.state[r]
    update_forces(m, d)
    nchange = 0
    for r in range(d.block.nefc):
        nchange += 1 if d.block.state[r] != d.block.old_state[r] else 0
    return nchange


@helper
def record(d, island, iteration, gain, gradient, nchange):
    """Statistics of an iteration, up to the capacity of d.solver."""
    k = max(0, island) * NSOLVER + iteration
    if island < NISLAND and iteration < NSOLVER:
        d.solver.improvement[k] = gain
        d.solver.gradient[k] = gradient
        d.solver.lineslope[k] = d.line.slope
        d.solver.nactive[k] = d.block.nactive
        d.solver.nchange[k] = nchange
        d.solver.neval[k] = d.line.neval
        d.solver.nupdate[k] = d.factor.nupdate
