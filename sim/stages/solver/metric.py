"""The effective metric of the discrete integrator: M̂ = M + h D + h² K, in which constraints are solved.

(M, qvel, ten_*, actuator_*) -> (metric.*). D and K are the negative derivatives of smooth forces by velocity and
position, as far as they are positive: of joint and tendon springs and dampers, of actuators, of drag in a fluid.
M̂ qacc = qfrc_smooth - h K qvel + Jᵀ force, so qacc = (v' - v) / h is the step itself, with springs and dampers as they
are at its end. What acts on one dof, and drag, stays in the pattern of M (metric.M). Tendons, and actuators with
several moment arms, couple dofs: each is a term s j jᵀ, with j its moment arms, s = h b + h² k. The factor in
metric.qLD is that of metric.M plus the diagonal of these terms. PGS needs a factor of all: for it tendons and
actuators stay explicit. Single free bodies without constraints are implicit in their gyroscopic forces too, as in
implicitfast.
"""

from sim.enums import (
    BIAS_AFFINE,
    BIAS_MUSCLE,
    BIAS_SO3,
    DSBL_ACTUATION,
    DSBL_DAMPER,
    DSBL_SPRING,
    DYN_NONE,
    GAIN_AFFINE,
    GAIN_DCMOTOR,
    GAIN_MUSCLE,
    INT_DISCRETE,
    JNT_FREE,
    SOL_PGS,
)
from sim.jit import helper, kernel
from sim.stages.actuation.activation import is_disabled
from sim.stages.actuation.force import last_state
from sim.stages.actuation.muscle import muscle_slope
from sim.stages.constraint.row import is_discrete
from sim.stages.derivative.actuator import at_limit, force_derivative, motor_slope, target_at_limit
from sim.stages.derivative.fluid import fluid_vel
from sim.stages.derivative.smooth import clear_qderiv, tendon_damping_derivative
from sim.stages.derivative.solve import metric_block, solve_block
from sim.stages.sleep.awake import actuator_sleeps, tendon_sleeps
from sim.stages.smooth.inertia import damping_derivative, factor, is_free_body
from sim.stages.smooth.passive import spring_slope
from sim.stages.smooth.tendon import tendon_displacement

# ---------------------------------------------------------------- terms


@helper
def add_term(m, d, colind, arms, adr, n, damping, stiffness):
    """Add the term of a force along something with n moment arms from `adr` on; returns 1 if it couples dofs."""
    h = m.opt.timestep
    s = h * damping + h * h * stiffness
    speed, count = 0.0, 0
    for k in range(adr, adr + n):
        speed += arms[k] * d.qvel[colind[k]]
        count += 1 if arms[k] != 0.0 else 0
    for k in range(adr, adr + n):
        v = colind[k]
        d.metric.shift[v] += h * stiffness * speed * arms[k]
        if count > 1:
            d.metric.extra[v] += s * arms[k] * arms[k]
        else:
            d.metric.M[m.M_rowadr[v] + m.M_rownnz[v] - 1] += s * arms[k] * arms[k]
    return 1 if count > 1 else 0


@helper
def tendon_stiffness(m, d, t):
    """-d(spring force)/d(length) of a tendon, at least 0."""
    x = tendon_displacement(m, d, t)
    if x == 0.0 or m.opt.disableflags & DSBL_SPRING:
        return 0.0
    k = m.tendon_stiffness[t] + x * (2.0 * m.tendon_stiffnesspoly[t, 0] + 3.0 * x * m.tendon_stiffnesspoly[t, 1])
    return max(0.0, k)


@kernel(when=lambda m: m.opt.integrator == INT_DISCRETE and m.ntendon > 0)
def tendon_terms(m, d):
    """(ten_length, ten_velocity, ten_J) -> (metric.*)"""
    for t in range(m.ntendon):
        d.metric.tendon[t] = 0.0
        if tendon_sleeps(m, d, t):
            continue
        k = tendon_stiffness(m, d, t)
        b = 0.0 if m.opt.disableflags & DSBL_DAMPER else max(0.0, -tendon_damping_derivative(m, d, t))
        if k == 0.0 and b == 0.0:
            continue
        if add_term(m, d, m.ten_J_colind, d.ten_J, m.ten_J_rowadr[t], m.ten_J_rownnz[t], b, k):
            d.metric.tendon[t] = m.opt.timestep * (b + m.opt.timestep * k)
            d.metric.ncouple += 1


@helper
def actuator_stiffness(m, d, i, r):
    """-d(force)/d(length) of actuator i, whose first output is r."""
    slope = 0.0
    if m.actuator_biastype[i] == BIAS_AFFINE or m.actuator_biastype[i] == BIAS_SO3:
        slope = m.actuator_biasprm[i, 1]
    kind = m.actuator_gaintype[i]
    gain = 0.0
    if kind == GAIN_AFFINE:
        gain = m.actuator_gainprm[i, 1]
    elif kind == GAIN_DCMOTOR:
        slope += motor_slope(m, d, i, r)
    elif kind == GAIN_MUSCLE:
        gain = muscle_slope(m, d, i, r, 0)
    if m.actuator_biastype[i] == BIAS_MUSCLE:
        slope += muscle_slope(m, d, i, r, 1)
    if gain != 0.0:
        x = d.actuator_input[m.actuator_ctrladr[i]] if m.actuator_dyntype[i] == DYN_NONE else last_state(m, d, i)
        slope += gain * x
    return -slope


@kernel(when=lambda m: m.opt.integrator == INT_DISCRETE and m.nactuator > 0)
def actuator_terms(m, d):
    """(ctrl, act, actuator_*) -> (metric.*)"""
    for r in range(m.nout):
        d.metric.actuator[r] = 0.0
    if m.opt.disableflags & DSBL_ACTUATION:
        return
    for i in range(m.nactuator):
        r = m.actuator_outadr[i]
        if is_disabled(m, i) or actuator_sleeps(m, d, i) or at_limit(m, d, i, r) or target_at_limit(m, d, i):
            continue
        k, b = max(0.0, actuator_stiffness(m, d, i, r)), max(0.0, -force_derivative(m, d, i, r))
        if k == 0.0 and b == 0.0:
            continue
        for j in range(r, r + m.actuator_outnum[i]):
            if add_term(m, d, d.moment_colind, d.actuator_moment, d.moment_rowadr[j], d.moment_rownnz[j], b, k):
                d.metric.actuator[j] = m.opt.timestep * (b + m.opt.timestep * k)
                d.metric.ncouple += 1


@helper
def joint_terms(m, d):
    """(M, qpos, qvel) -> (metric.*): M and the terms of joints, on its diagonal"""
    h, off = m.opt.timestep, m.opt.disableflags
    d.metric.ncouple = 0
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            for k in range(m.M_rowadr[v], m.M_rowadr[v] + m.M_rownnz[v]):
                d.metric.M[k] = d.M[k]
            stiffness = 0.0 if off & DSBL_SPRING else spring_slope(m, d, v)
            damping = 0.0 if off & DSBL_DAMPER else max(0.0, damping_derivative(m, d, v))
            d.metric.M[m.M_rowadr[v] + m.M_rownnz[v] - 1] += h * damping + h * h * stiffness
            d.metric.shift[v] = h * stiffness * d.qvel[v]
            d.metric.extra[v] = 0.0


@helper
def add_drag(m, d):
    """(cvel, ...) -> (metric.M): += h times the derivative of drag"""
    clear_qderiv(m, d)
    fluid_vel(m, d)
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            for k in range(m.M_rowadr[v], m.M_rowadr[v] + m.M_rownnz[v]):
                d.metric.M[k] -= m.opt.timestep * d.qDeriv[m.mapD2M[k]]


@kernel(when=is_discrete)
def make_metric(m, d):
    """(M, qpos, qvel, ten_*, actuator_*) -> (metric.*)"""
    joint_terms(m, d)
    none = (m.opt.disableflags & (DSBL_SPRING | DSBL_DAMPER)) == (DSBL_SPRING | DSBL_DAMPER)
    if (m.opt.density > 0.0 or m.opt.viscosity > 0.0) and not none:
        add_drag(m, d)
    if m.opt.solver != SOL_PGS:
        if m.ntendon > 0:
            tendon_terms(m, d)
        if m.nactuator > 0:
            actuator_terms(m, d)
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            row, n = m.M_rowadr[v], m.M_rownnz[v]
            for k in range(row, row + n):
                d.metric.qLD[k] = d.metric.M[k]
            d.metric.qLD[row + n - 1] += d.metric.extra[v]
    factor(m, d, d.metric.qLD, d.metric.qLDiagInv)


# ---------------------------------------------------------------- free bodies


@helper
def has_rows(m, d, v):
    """Whether a constraint row, active or not, acts on one of six dofs from v on."""
    if d.nefc == 0:
        return False
    if d.nisland > 0:
        return d.dof_island[v] >= 0
    for r in range(d.nefc):
        for k in range(d.efc_J_rowadr[r], d.efc_J_rowadr[r] + d.efc_J_rownnz[r]):
            if v <= d.efc_J_colind[k] < v + 6 and d.efc_J[k] != 0.0:
                return True
    return False


@helper
def is_single(m, d, j):
    """Whether a free joint is that of a single body, without constraints, which nothing in the metric couples."""
    if not is_free_body(m, m.jnt_bodyid[j]):
        return False
    coupled = False
    for v in range(m.jnt_dofadr[j], m.jnt_dofadr[j] + 6):
        coupled = coupled or d.metric.extra[v] != 0.0
    return not coupled and not has_rows(m, d, m.jnt_dofadr[j])


@kernel(when=is_discrete)
def free_bodies_acc(m, d):
    """(metric.*, qfrc_smooth, qfrc_constraint) -> (qacc) of single free bodies: implicit in their gyroscopic forces"""
    for s in range(d.span.njnt):
        for j in range(d.span.jnt[s, 0], d.span.jnt[s, 1]):
            if m.jnt_type[j] == JNT_FREE and is_single(m, d, j):
                v = m.jnt_dofadr[j]
                metric_block(m, d, j, v)
                if solve_block(d):
                    for k in range(6):
                        d.qacc[v + k] = d.deriv.block[k, 6]
