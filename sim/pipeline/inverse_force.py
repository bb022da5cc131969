"""The force balance of inverse dynamics: the force that a given acceleration requires.

inverse_force: (M, qacc, qfrc_bias, qfrc_passive, block.qfrc_constraint) -> (qfrc_inverse), which is
M qacc + bias - passive - constraint.
discrete_acc: the instantaneous acceleration for which the integrator takes the step whose mean acceleration is qacc:
M acc = (M + h B) qacc for Euler, (M - h qDeriv) qacc for the implicit ones.
compare_fwd_inv: the discrepancy between forward and inverse dynamics, in constraint forces and in applied forces.
"""

from math import sqrt

from sim.enums import (
    DSBL_DAMPER,
    DSBL_EULERDAMP,
    DSBL_SPRING,
    ENBL_FWDINV,
    INT_EULER,
    INT_IMPLICIT,
    INT_SPRINGDAMPER,
    JNT_FREE,
)
from sim.jit import helper, kernel
from sim.pipeline.integrate import any_damping
from sim.stages.constraint.row import is_discrete
from sim.stages.derivative.bias import bias_vel
from sim.stages.derivative.smooth import smooth_vel
from sim.stages.derivative.solve import free_block, metric_block
from sim.stages.smooth.inertia import damping_derivative, is_free_body, need_inertia, solve
from sim.stages.smooth.passive import spring_derivative
from sim.stages.solver.inverse import force_from_acc, swap_acc, uses_step_acc
from sim.stages.solver.metric import is_single


@helper
def mul_m(out, m, d, x):
    """out <- M x"""
    need_inertia(m, d)
    for v in range(m.nv):
        row = m.M_rowadr[v]
        n = m.M_rownnz[v] - 1
        s = d.M[row + n] * x[v]
        for k in range(row, row + n):
            c = m.M_colind[k]
            s += d.M[k] * x[c]
            out[c] += d.M[k] * x[v]
        out[v] = s


@helper
def add_coupled(m, d, colind, arms, adr, n, s):
    """qfrc_inverse += s j jᵀ qacc"""
    along = 0.0
    for k in range(adr, adr + n):
        along += arms[k] * d.qacc[colind[k]]
    for k in range(adr, adr + n):
        d.qfrc_inverse[colind[k]] += s * along * arms[k]


@kernel(when=is_discrete)
def add_metric(m, d):
    """(metric.*, qacc) -> (qfrc_inverse): += (M̂ - M) qacc + h K qvel, and the gyroscopic part of single free bodies"""
    for v in range(m.nv):
        diagonal = m.M_rowadr[v] + m.M_rownnz[v] - 1
        d.qfrc_inverse[v] += d.metric.shift[v]
        for k in range(m.M_rowadr[v], diagonal + 1):
            c, s = m.M_colind[k], d.metric.M[k] - d.M[k]
            d.qfrc_inverse[v] += s * d.qacc[c]
            if k != diagonal:
                d.qfrc_inverse[c] += s * d.qacc[v]
    if d.metric.ncouple > 0:
        for t in range(m.ntendon):
            if d.metric.tendon[t] != 0.0:
                adr, n = m.ten_J_rowadr[t], m.ten_J_rownnz[t]
                add_coupled(m, d, m.ten_J_colind, d.ten_J, adr, n, d.metric.tendon[t])
        for r in range(m.nout):
            if d.metric.actuator[r] != 0.0:
                adr, n = d.moment_rowadr[r], d.moment_rownnz[r]
                add_coupled(m, d, d.moment_colind, d.actuator_moment, adr, n, d.metric.actuator[r])
    for j in range(m.njnt):
        if m.jnt_type[j] == JNT_FREE and is_single(m, d, j):
            v = m.jnt_dofadr[j]
            metric_block(m, d, j, v)
            for r in range(6):
                s = d.metric.shift[v + r]
                for c in range(6):
                    s += d.deriv.block[r, c] * d.qacc[v + c]
                d.qfrc_inverse[v + r] = s


@kernel
def inverse_force(m, d):
    """(M, qacc, qfrc_bias, qfrc_passive, block.qfrc_constraint) -> (qfrc_inverse)"""
    mul_m(d.qfrc_inverse, m, d, d.qacc)
    if is_discrete(m):
        add_metric(m, d)
    for v in range(m.nv):
        d.qfrc_inverse[v] += d.qfrc_bias[v] - d.qfrc_passive[v] - d.block.qfrc_constraint[v]


@kernel
def implicit_coefficients(m, d):
    """() -> (inverse.damping, inverse.stiffness): B and K of every dof that the integrator treats implicitly, else 0"""
    off = m.opt.disableflags
    springs = m.opt.integrator == INT_SPRINGDAMPER and not off & DSBL_SPRING
    dampers = not off & DSBL_DAMPER
    if m.opt.integrator == INT_EULER and (off & DSBL_EULERDAMP or not any_damping(m, d)):
        dampers = False
    for v in range(m.nv):
        d.inverse.damping[v] = damping_derivative(m, d, v) if dampers else 0.0
        d.inverse.stiffness[v] = spring_derivative(m, d, v) if springs else 0.0


# ---------------------------------------------------------------- discrete time


@helper
def add_qderiv(m, d):
    """inverse.acc -= h qDeriv qacc"""
    h = m.opt.timestep
    for v in range(m.nv):
        for k in range(m.D_rowadr[v], m.D_rowadr[v] + m.D_rownnz[v]):
            d.inverse.acc[v] -= h * d.qDeriv[k] * d.qacc[m.D_colind[k]]


@helper
def add_symmetric_qderiv(m, d):
    """The same with the part of qDeriv that implicitfast uses: the lower triangle of M's pattern, mirrored"""
    h = m.opt.timestep
    for v in range(m.nv):
        diagonal = m.M_rowadr[v] + m.M_rownnz[v] - 1
        for k in range(m.M_rowadr[v], diagonal + 1):
            c = m.M_colind[k]
            slope = h * d.qDeriv[m.mapD2M[k]]
            d.inverse.acc[v] -= slope * d.qacc[c]
            if k != diagonal:
                d.inverse.acc[c] -= slope * d.qacc[v]


@helper
def put_free_bodies(m, d):
    """inverse.acc of single free bodies, which implicitfast solves separately"""
    for j in range(m.njnt):
        if m.jnt_type[j] == JNT_FREE and is_free_body(m, m.jnt_bodyid[j]):
            v = m.jnt_dofadr[j]
            free_block(m, d, j, v)
            for r in range(6):
                s = 0.0
                for c in range(6):
                    s += d.deriv.block[r, c] * d.qacc[v + c]
                d.inverse.acc[v + r] = s


@helper
def add_damping(m, d, with_springs):
    """inverse.acc += h B qacc, and h K (qvel + h qacc) for implicit springs"""
    h = m.opt.timestep
    for v in range(m.nv):
        d.inverse.acc[v] += h * damping_derivative(m, d, v) * d.qacc[v]
        if with_springs:
            d.inverse.acc[v] += h * spring_derivative(m, d, v) * (d.qvel[v] + h * d.qacc[v])


@kernel(when=uses_step_acc)
def discrete_acc(m, d):
    """(qacc, M, qLD, ...) -> (inverse.acc)"""
    kind = m.opt.integrator
    if kind == INT_EULER and (m.opt.disableflags & DSBL_EULERDAMP or not any_damping(m, d)):
        for v in range(m.nv):
            d.inverse.acc[v] = d.qacc[v]
        return
    mul_m(d.inverse.acc, m, d, d.qacc)
    if kind == INT_EULER:
        add_damping(m, d, False)
    elif kind == INT_SPRINGDAMPER:
        add_damping(m, d, not m.opt.disableflags & DSBL_SPRING)
    else:
        smooth_vel(m, d)
        if kind == INT_IMPLICIT:
            bias_vel(m, d)
            add_qderiv(m, d)
        else:
            add_symmetric_qderiv(m, d)
            put_free_bodies(m, d)
    solve(m, d, d.qLD, d.qLDiagInv, d.inverse.acc)


# ---------------------------------------------------------------- forward versus inverse dynamics


@kernel(when=lambda m: bool(m.opt.enableflags & ENBL_FWDINV))
def compare_fwd_inv(m, d):
    """(qacc, qfrc_*, rows) -> (solver_fwdinv: norms of the differences; qfrc_inverse)"""
    d.solver_fwdinv[0] = 0.0
    d.solver_fwdinv[1] = 0.0
    if d.nefc == 0:
        return
    # with the flag invdiscrete qacc is taken for that of a step, as in MuJoCo
    discrete = uses_step_acc(m)
    if discrete:
        discrete_acc(m, d)
        swap_acc(m, d, 0)
    force_from_acc(m, d)
    inverse_force(m, d)
    if discrete:
        swap_acc(m, d, 1)
    constraint = applied = 0.0
    for v in range(m.nv):
        x = d.qfrc_constraint[v] - d.block.qfrc_constraint[v]
        constraint += x * x
        # the inverse should give the smooth forces that are neither bias nor passive
        x = d.qfrc_smooth[v] + d.qfrc_bias[v] - d.qfrc_passive[v] - d.qfrc_inverse[v]
        applied += x * x
    d.solver_fwdinv[0] = sqrt(constraint)
    d.solver_fwdinv[1] = sqrt(applied)
