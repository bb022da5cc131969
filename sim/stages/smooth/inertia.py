"""Joint-space inertia matrix and its LᵀDL factorization.

crb: (cinert, cdof) -> (crb, M): M[i, j] = cdof_j · (crb of i's body) cdof_i for every ancestor j of dof i, and
zero otherwise. Stored as the lower triangle by rows, columns ascending, diagonal last.
tendon_armature: (ten_J) -> (M), adds the inertia of tendons.
factor_m: (M) -> (qLD, qLDiagInv) with M = LᵀDL. Leaves to root, without fill-in: the row of an ancestor has the same
columns as the start of a descendant's, so whole rows are subtracted. A pivot below MINVAL raises a warning.
For deep trees, see articulated.py, both wait until somebody reads them (defer_inertia, settle_inertia); in Python that
is who reads one of these fields of Data.
"""

from __future__ import annotations

from sim.enums import (
    DSBL_DAMPER,
    DSBL_SPRING,
    INT_IMPLICITFAST,
    INT_SPRINGDAMPER,
    JNT_FREE,
    MINVAL,
    WARN_INERTIA,
)
from sim.jit import helper, inline, kernel
from sim.math.sparse import add_scaled_rows
from sim.math.spatial import dot6, get6, get10, mul_inertia
from sim.stages.sleep.awake import some_asleep, tendon_sleeps
from sim.stages.smooth.passive import spring_derivative
from sim.stages.smooth.reflected_inertia import total_armature, total_damping
from sim.stages.smooth.tendon import tendon_inertia, tendons_have_inertia
from sim.state.warning import warn


@inline
def add_to_parent(m, d, b):
    """Add the composite inertia of a body to its parent's, unless that is the world."""
    p = m.body_parentid[b]
    if p > 0:
        for k in range(10):
            d.crb[p, k] += d.crb[b, k]


@helper
def composite(m, d):
    """Composite inertias: each body alone, then leaves to root."""
    for k in range(10):
        d.crb[0, k] = d.cinert[0, k]
    for s in range(d.span.nbody):
        for b in range(d.span.body[s, 0], d.span.body[s, 1]):
            for k in range(10):
                d.crb[b, k] = d.cinert[b, k]
    if some_asleep(m, d):
        for t in range(m.ntree):
            if not d.tree_awake[t]:
                add_to_parent(m, d, m.tree_bodyadr[t])
    for s in range(d.span.nbody - 1, -1, -1):
        for b in range(d.span.body[s, 1] - 1, d.span.body[s, 0] - 1, -1):
            add_to_parent(m, d, b)


@helper
def inertia_along(m, d, v):
    """The diagonal entry of M, without the inertia of tendons."""
    if m.dof_simplenum[v] > 0:
        return m.dof_M0[v]
    s = get6(d.cdof, v)
    return total_armature(m, v) + dot6(s, mul_inertia(get10(d.crb, m.dof_bodyid[v]), s))


@kernel
def crb(m, d):
    """(cinert, cdof) -> (crb, M): composite rigid body algorithm, lower triangle by rows"""
    composite(m, d)
    d.inertia.articulated = 0
    d.inertia.pending = 0
    # force that accelerates the subtree of a dof, projected onto its ancestors
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            row = m.M_rowadr[v]
            diagonal = row + m.M_rownnz[v] - 1
            if m.dof_simplenum[v] > 0:
                d.M[diagonal] = m.dof_M0[v]
                continue
            force = mul_inertia(get10(d.crb, m.dof_bodyid[v]), get6(d.cdof, v))
            d.M[diagonal] = total_armature(m, v) + dot6(get6(d.cdof, v), force)
            up = m.dof_parentid[v]
            for k in range(diagonal - 1, row - 1, -1):
                d.M[k] = dot6(get6(d.cdof, up), force)
                up = m.dof_parentid[up]


@kernel
def settle_inertia(m, d):
    """(cinert, cdof) -> (M, qLD, qLDiagInv), if they are pending"""
    if d.inertia.pending:
        crb(m, d)
        factor_m(m, d)
        d.inertia.articulated = 1


@kernel
def defer_inertia(m, d):
    """(cinert) -> (crb): M and its factor are left to those who read them"""
    composite(m, d)
    d.inertia.articulated = 1
    d.inertia.pending = 1
    if d.inertia.wanted:
        settle_inertia(m, d)


@helper
def need_inertia(m, d):
    """Have M and its factor up to date."""
    if d.inertia.pending:
        settle_inertia(m, d)


@kernel(when=tendons_have_inertia)
def tendon_armature(m, d):
    """(ten_J) -> (M): += Jᵀ armature J, within the sparsity pattern of M: branches stay uncoupled; only awake dofs"""
    for t in range(m.ntendon):
        inertia = tendon_inertia(m, t)
        if inertia == 0.0 or tendon_sleeps(m, d, t):
            continue
        start = m.ten_J_rowadr[t]
        for i in range(start, start + m.ten_J_rownnz[t]):
            v = m.ten_J_colind[i]
            if d.ten_J[i] == 0.0 or not d.tree_awake[m.dof_treeid[v]]:
                continue
            # columns ascend in both rows
            s = inertia * d.ten_J[i]
            k = m.M_rowadr[v]
            for j in range(start, i + 1):
                while m.M_colind[k] < m.ten_J_colind[j]:
                    k += 1
                if m.M_colind[k] == m.ten_J_colind[j]:
                    d.M[k] += s * d.ten_J[j]


@helper
def factor(m, d, ld, inverse):
    """LᵀDL factorization in place: ld is M on input, L and (on the diagonal) D on output; inverse = 1 / D.

    D is at least MINVAL: a matrix that is not positive definite gives a warning.
    """
    for s in range(d.span.ndof - 1, -1, -1):
        for v in range(d.span.dof[s, 1] - 1, d.span.dof[s, 0] - 1, -1):
            row = m.M_rowadr[v]
            n = m.M_rownnz[v] - 1
            if ld[row + n] < MINVAL:
                ld[row + n] = MINVAL
                warn(d, WARN_INERTIA, v)
            inv = 1.0 / ld[row + n]
            inverse[v] = inv
            # eliminate this dof from the rows of its ancestors, nearest first
            for k in range(n - 1, -1, -1):
                up = m.M_colind[row + k]
                add_scaled_rows(ld, m.M_rowadr[up], row, -ld[row + k] * inv, k + 1)
            for k in range(n):
                ld[row + k] *= inv


@helper
def solve(m, d, ld, inverse, x):
    """x <- (LᵀDL)⁻¹ x"""
    # x <- L⁻ᵀ x
    for s in range(d.span.ndof - 1, -1, -1):
        for v in range(d.span.dof[s, 1] - 1, d.span.dof[s, 0] - 1, -1):
            xv = x[v]
            if xv != 0.0:
                row = m.M_rowadr[v]
                for k in range(m.M_rownnz[v] - 1):
                    x[m.M_colind[row + k]] -= ld[row + k] * xv
    # x <- L⁻¹ D⁻¹ x
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            row = m.M_rowadr[v]
            s = x[v] * inverse[v]
            for k in range(m.M_rownnz[v] - 1):
                s -= ld[row + k] * x[m.M_colind[row + k]]
            x[v] = s


@helper
def copy_inertia(m, d, out):
    """out <- M, rows of awake dofs."""
    for s in range(d.span.ndof):
        last = d.span.dof[s, 1] - 1
        for k in range(m.M_rowadr[d.span.dof[s, 0]], m.M_rowadr[last] + m.M_rownnz[last]):
            out[k] = d.M[k]


@kernel
def factor_m(m, d):
    """(M) -> (qLD, qLDiagInv)"""
    copy_inertia(m, d, d.qLD)
    factor(m, d, d.qLD, d.qLDiagInv)


@kernel
def factor_damped(m, d):
    """(M, dof_damping) -> (qH, qHDiagInv): M + h · damping, for a step that is implicit in joint damping"""
    copy_inertia(m, d, d.qH)
    h = m.opt.timestep
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qH[m.M_rowadr[v] + m.M_rownnz[v] - 1] += h * damping_derivative(m, d, v)
    factor(m, d, d.qH, d.qHDiagInv)


@inline
def is_free_body(m, b):
    """A body with a free joint whose descendants have no joints."""
    j = m.body_jntadr[b]
    if m.body_jntnum[b] != 1 or m.jnt_type[j] != JNT_FREE:
        return False
    return m.tree_dofnum[m.dof_treeid[m.jnt_dofadr[j]]] == 6


@kernel(when=lambda m: m.opt.integrator == INT_IMPLICITFAST)
def factor_implicit(m, d):
    """(M, qDeriv) -> (qH, qHDiagInv): lower triangle of M - h · qDeriv; just M for free bodies, solved separately"""
    h = m.opt.timestep
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            for k in range(m.M_rowadr[v], m.M_rowadr[v] + m.M_rownnz[v]):
                d.qH[k] = d.M[k] - h * d.qDeriv[m.mapD2M[k]]
    for s in range(d.span.nbody):
        for b in range(d.span.body[s, 0], d.span.body[s, 1]):
            if is_free_body(m, b):
                v = m.body_dofadr[b]
                for k in range(m.M_rowadr[v], m.M_rowadr[v + 5] + m.M_rownnz[v + 5]):
                    d.qH[k] = d.M[k]
    factor(m, d, d.qH, d.qHDiagInv)


@kernel(when=lambda m: m.opt.integrator == INT_SPRINGDAMPER)
def factor_springdamper(m, d):
    """(M, dof_damping, jnt_stiffness) -> (qH, qHDiagInv): M + h · damping + h² · stiffness"""
    copy_inertia(m, d, d.qH)
    h = m.opt.timestep
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            at = m.M_rowadr[v] + m.M_rownnz[v] - 1
            if not m.opt.disableflags & DSBL_DAMPER:
                d.qH[at] += h * damping_derivative(m, d, v)
            if not m.opt.disableflags & DSBL_SPRING:
                d.qH[at] += h * h * spring_derivative(m, d, v)
    factor(m, d, d.qH, d.qHDiagInv)


@helper
def damping_derivative(m, d, v):
    """-d(damper force)/d(velocity) of a dof: b + 2 p₀ |v| + 3 p₁ v²"""
    speed = abs(d.qvel[v])
    b, p0, p1 = total_damping(m, v)
    return b + speed * (2.0 * p0 + 3.0 * speed * p1)
