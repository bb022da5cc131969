"""Integrators: from accelerations to the next state.

Euler: semi-implicit, and implicit in joint damping: (M + h B) a = forces, with B the derivative of the damping forces.
implicit: (M - h qDeriv) a = forces, with qDeriv the derivative of smooth forces by velocity; implicitfast: its
symmetric part without Coriolis forces, but all of it for single free bodies; implicit spring-damper: implicit in the
springs and dampers of joints only, tendons as in Euler; discrete: the solver is implicit in all, see solver/metric.py.
For both qacc is that of the step already.
RK4: rates at the start, twice at half a step and once at a whole step; the step takes their weighted mean. The rates
of rotations are those of the rotation vector from the start, after Munthe-Kaas: with θ the vector at the stage,
dθ/dt = ω + θ × ω / 2 + (1 - |θ| / 2 · cot(|θ| / 2)) / |θ|² · θ × (θ × ω). θ is the shortest vector of its rotation:
beyond half a turn it is that of the other way round.
Each integrator stores its rates in qacc_step and act_next; the state advances after trees have fallen asleep.
Euler, if not `fresh`, uses the factorization of the previous step, on which finite differences rely: what actuators do
does not change it.
"""

from math import pi, sqrt, tan

from sim.enums import (
    DSBL_ACTUATION,
    DSBL_DAMPER,
    DSBL_EULERDAMP,
    INT_DISCRETE,
    INT_IMPLICIT,
    INT_IMPLICITFAST,
    INT_RK4,
    INT_SPRINGDAMPER,
    JNT_BALL,
    JNT_FREE,
)
from sim.jit import helper, inline, kernel
from sim.math.vec import cross, dot3, norm3, scale3
from sim.stages.actuation import next_activations
from sim.stages.derivative.bias import bias_vel
from sim.stages.derivative.smooth import smooth_vel
from sim.stages.derivative.solve import factor_lu, free_body_acc, solve_lu
from sim.stages.sensor.sensors import any_recorded, record_sensors
from sim.stages.smooth.articulated import factor_articulated_step, is_articulated, solve_articulated
from sim.stages.smooth.inertia import factor_damped, factor_implicit, solve
from sim.stages.smooth.reflected_inertia import total_damping
from sim.stages.solver.solve import put_step_acc
from sim.state.advance import advance_from_start, advance_rk4, save_start
from sim.state.delay import record_controls


@inline
def any_damping(m, d):
    """Whether any awake dof is damped."""
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            b, p0, p1 = total_damping(m, v)
            if b != 0.0 or p0 != 0.0 or p1 != 0.0:
                return True
    return False


@helper
def next_controls(m, d):
    """(act_dot_step, ctrl) -> (act_next, history of controls)"""
    if m.nhistory > 0:
        record_controls(m, d)
    if m.na > 0 and not m.opt.disableflags & DSBL_ACTUATION:
        next_activations(m, d)


@helper
def next_inputs(m, d):
    """(act_dot_step, ctrl, sensordata) -> (act_next, history)"""
    if m.nhistory > 0 and any_recorded(m):
        record_sensors(m, d)
    next_controls(m, d)


@helper
def copy_act_dot(m, d):
    """(act_dot) -> (act_dot_step)"""
    for i in range(m.na):
        d.act_dot_step[i] = d.act_dot[i]


@helper
def copy_acc(m, d):
    """(qacc) -> (qacc_step)"""
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qacc_step[v] = d.qacc[v]


@helper
def put_forces(m, d):
    """(qfrc_smooth, qfrc_constraint) -> (qacc_step: the right-hand side)"""
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qacc_step[v] = d.qfrc_smooth[v] + d.qfrc_constraint[v]


@kernel(when=is_articulated)
def articulated_step(m, d, fresh: int):
    """(articulated.*, qacc_step: the right-hand side) -> (qacc_step)"""
    if fresh:
        factor_articulated_step(m, d)
    solve_articulated(m, d, d.articulated.step_force, d.articulated.step_inverse, d.qacc_step, 1, m.nbody)


@kernel
def euler(m, d, fresh: int):
    """(qacc, qfrc_smooth, qfrc_constraint) -> (qacc_step, act_next)"""
    if m.opt.disableflags & (DSBL_EULERDAMP | DSBL_DAMPER) or not any_damping(m, d):
        copy_acc(m, d)
    elif d.inertia.articulated:
        put_forces(m, d)
        articulated_step(m, d, fresh)
    else:
        if fresh:
            factor_damped(m, d)
        put_forces(m, d)
        solve(m, d, d.qH, d.qHDiagInv, d.qacc_step)
    copy_act_dot(m, d)
    next_inputs(m, d)


# ---------------------------------------------------------------- implicit in velocity


@kernel(when=lambda m: m.opt.integrator == INT_IMPLICIT)
def implicit(m, d):
    """(M, qfrc_smooth, qfrc_constraint, ...) -> (qacc_step, act_next)"""
    smooth_vel(m, d)
    bias_vel(m, d)
    factor_lu(m, d)
    put_forces(m, d)
    solve_lu(m, d, d.qacc_step)
    copy_act_dot(m, d)
    next_inputs(m, d)


@kernel(when=lambda m: m.opt.integrator == INT_IMPLICITFAST)
def implicitfast(m, d):
    """(M, qfrc_smooth, qfrc_constraint, ...) -> (qacc_step, act_next)"""
    smooth_vel(m, d)
    put_forces(m, d)
    if d.inertia.articulated:
        articulated_step(m, d, 1)
    else:
        factor_implicit(m, d)
        solve(m, d, d.qH, d.qHDiagInv, d.qacc_step)
    for s in range(d.span.njnt):
        for j in range(d.span.jnt[s, 0], d.span.jnt[s, 1]):
            if m.jnt_type[j] == JNT_FREE and free_body_acc(m, d, j):
                for k in range(6):
                    d.qacc_step[m.jnt_dofadr[j] + k] = d.deriv.block[k, 6]
    copy_act_dot(m, d)
    next_inputs(m, d)


@kernel(when=lambda m: m.opt.integrator in (INT_SPRINGDAMPER, INT_DISCRETE))
def step_acc(m, d):
    """(qacc) -> (qacc_step, act_next): qacc is that of the step already"""
    copy_acc(m, d)
    copy_act_dot(m, d)
    next_inputs(m, d)


# ---------------------------------------------------------------- RK4


@helper
def store_stage(m, d, k):
    """(qvel, qacc, act_dot) -> (stage)"""
    for v in range(m.nv):
        d.stage.qvel[v, k] = d.qvel[v]
        d.stage.qacc[v, k] = d.qacc[v]
    for i in range(m.na):
        d.stage.act_dot[i, k] = d.act_dot[i]


@inline
def stage_time(m, k):
    """The time from the start of the step to stage k."""
    return m.opt.timestep if k == 3 else 0.5 * m.opt.timestep


@kernel(when=lambda m: m.opt.integrator == INT_RK4)
def rk4_start(m, d):
    """(qvel, qacc, act_dot, state) -> (stage 0, start_*, history)"""
    if any_recorded(m):
        record_sensors(m, d)
    save_start(m, d)
    store_stage(m, d, 0)


@kernel(when=lambda m: m.opt.integrator == INT_RK4)
def rk4_stage(m, d, k: int):
    """(stage k - 1) -> (the state at which stage k is evaluated)"""
    for v in range(m.nv):
        d.qvel_step[v] = d.stage.qvel[v, k - 1]
        d.qacc_step[v] = d.stage.qacc[v, k - 1]
    for i in range(m.na):
        d.act_dot_step[i] = d.stage.act_dot[i, k - 1]
    advance_from_start(m, d, stage_time(m, k))


@inline
def shortest(angle):
    """The rotation vector of at most half a turn that rotates as `angle` does."""
    size = norm3(angle)
    return scale3(angle, 1.0 - 2.0 * pi * int(size / (2.0 * pi) + 0.5) / size) if size > pi else angle


@inline
def rotation_vector_rate(angle, w):
    """The rate of a rotation vector `angle` whose frame rotates with the angular velocity w, in its local axes."""
    squared = dot3(angle, angle)
    # the series of the factor below, where that loses digits
    factor = 1.0 / 12.0 + squared / 720.0
    if squared > 1e-4:
        half = 0.5 * sqrt(squared)
        factor = (1.0 - half / tan(half)) / squared
    c = cross(angle, w)
    cc = cross(angle, c)
    return (
        w[0] + 0.5 * c[0] + factor * cc[0],
        w[1] + 0.5 * c[1] + factor * cc[1],
        w[2] + 0.5 * c[2] + factor * cc[2],
    )


@helper
def store_rotation(d, v, k, h):
    """(qvel, stage k - 1) -> (stage k) of three dofs of rotation: the rate of their rotation vector"""
    w = (d.qvel[v], d.qvel[v + 1], d.qvel[v + 2])
    angle = (h * d.stage.qvel[v, k - 1], h * d.stage.qvel[v + 1, k - 1], h * d.stage.qvel[v + 2, k - 1])
    rate = rotation_vector_rate(shortest(angle), w)
    for i in range(3):
        d.stage.qvel[v + i, k] = rate[i]


@kernel(when=lambda m: m.opt.integrator == INT_RK4)
def rk4_store(m, d, k: int):
    """(qvel, qacc, act_dot) -> (stage k)"""
    store_stage(m, d, k)
    for s in range(d.span.njnt):
        for j in range(d.span.jnt[s, 0], d.span.jnt[s, 1]):
            if m.jnt_type[j] == JNT_BALL:
                store_rotation(d, m.jnt_dofadr[j], k, stage_time(m, k))
            elif m.jnt_type[j] == JNT_FREE:
                store_rotation(d, m.jnt_dofadr[j] + 3, k, stage_time(m, k))


@inline
def weighted_mean(a, i):
    """Mean of the four stages by Simpson's rule."""
    return (a[i, 0] + 2.0 * (a[i, 1] + a[i, 2]) + a[i, 3]) / 6.0


@kernel(when=lambda m: m.opt.integrator == INT_RK4)
def rk4_finish(m, d):
    """(stage, start_*) -> (qvel_step, qacc_step, act_dot_step, qacc, and the next state)"""
    for v in range(m.nv):
        d.qvel_step[v] = weighted_mean(d.stage.qvel, v)
        d.qacc_step[v] = weighted_mean(d.stage.qacc, v)
    for i in range(m.na):
        d.act_dot_step[i] = weighted_mean(d.stage.act_dot, i)
    advance_from_start(m, d, 0.0)
    next_controls(m, d)
    advance_rk4(m, d)
    # only now: the next solver starts from the acceleration of the last stage
    put_step_acc(m, d)
