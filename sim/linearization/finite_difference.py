"""Finite differences of steps and of inverse dynamics, as kernels.

step_columns: (state, ctrl) -> (fd.column): row c is the derivative of (positions along dofs, velocities, activations,
sensors) after a step with respect to input c: positions along dofs, velocities, activations, controls, in this order.
inverse_columns: the same of (qfrc_inverse, sensors) with respect to positions, velocities and accelerations; and of M.
Stages that do not depend on an input are skipped: controls and activations change no velocity, velocities no position.
So inputs are taken in descending order, and the results of the nominal step stay valid as long as they are needed.
A control at the end of its range is nudged inwards only.
"""

from sim.enums import INT_RK4, JNT_BALL, JNT_FREE, STAGE_NONE, STAGE_POS, STAGE_VEL, STATE_ACT, STATE_QPOS, STATE_QVEL
from sim.jit import helper, inline, kernel
from sim.math.quat import conjugate, mul_quat, quat_to_rotation_vector
from sim.pipeline.forward import checkpoint, rollback, step_skip
from sim.pipeline.inverse import inverse_skip
from sim.stages.actuation import fwd_actuation
from sim.stages.sleep.awake import all_awake, sleeps
from sim.stages.solver.inverse import set_acc
from sim.state.capacity import overflow
from sim.state.checkpoint import restore_checkpoint, save_checkpoint
from sim.state.copy import copy_state
from sim.state.nudge import nudge
from sim.state.row import put_numbers, put_state

# rows of fd.next, and outcomes
NOMINAL, ABOVE, BELOW = 0, 1, 2
OVERFLOW, DONE, NOT_FINITE = 0, 1, 2


@helper
def evaluate(m, d, row, skip, sensors):
    """(state, ctrl) -> (fd.next[row]); restores the state; false on overflow"""
    step_skip(m, d, skip, sensors)
    put_state(d.fd.next, row, m, d, STATE_QPOS | STATE_QVEL | STATE_ACT)
    put_numbers(d.fd.next, row, m.nq + m.nv + m.na, d.sensordata, m.nsensordata)
    rollback(m, d)
    return not overflow(d)


@inline
def skip_stage(m, c):
    """The last stage that does not depend on input c; RK4 runs all of them several times."""
    if c < m.nv or m.opt.integrator == INT_RK4:
        return STAGE_NONE
    return STAGE_POS if c < 2 * m.nv else STAGE_VEL


@inline
def stays_in_range(m, d, c, x):
    """Whether input c plus x is allowed: a control must stay in its range."""
    u = c - 2 * m.nv - m.na
    if u < 0 or not m.actuator_ctrllimited[u]:
        return True
    low, high = m.actuator_ctrlrange[u, 0], m.actuator_ctrlrange[u, 1]
    now = d.ctrl[u]
    return now >= low and now <= high and now + x >= low and now + x <= high


# ---------------------------------------------------------------- differences


@helper
def put_rotation_difference(m, d, c, v, a, low, high, scale):
    """fd.column[c, v ...] <- scale · (rotation vector between the quaternions at a, from row `low` to row `high`)"""
    p = (d.fd.next[low, a], d.fd.next[low, a + 1], d.fd.next[low, a + 2], d.fd.next[low, a + 3])
    q = (d.fd.next[high, a], d.fd.next[high, a + 1], d.fd.next[high, a + 2], d.fd.next[high, a + 3])
    turn = quat_to_rotation_vector(mul_quat(conjugate(p), q))
    d.fd.column[c, v] = scale * turn[0]
    d.fd.column[c, v + 1] = scale * turn[1]
    d.fd.column[c, v + 2] = scale * turn[2]


@helper
def put_derivatives(m, d, c, low, high, scale):
    """fd.column[c] <- scale · (row `high` of fd.next - row `low`)"""
    for j in range(m.njnt):
        a = m.jnt_qposadr[j]
        v = m.jnt_dofadr[j]
        kind = m.jnt_type[j]
        if kind == JNT_BALL:
            put_rotation_difference(m, d, c, v, a, low, high, scale)
            continue
        for k in range(3 if kind == JNT_FREE else 1):
            d.fd.column[c, v + k] = scale * (d.fd.next[high, a + k] - d.fd.next[low, a + k])
        if kind == JNT_FREE:
            put_rotation_difference(m, d, c, v + 3, a + 3, low, high, scale)
    # after the positions, both have the same order
    shift = m.nq - m.nv
    for i in range(m.nv, 2 * m.nv + m.na + m.nsensordata):
        d.fd.column[c, i] = scale * (d.fd.next[high, i + shift] - d.fd.next[low, i + shift])


@kernel
def difference(m, d, c: int, eps: float, centered: int, sensors: int) -> int:
    """(state, ctrl, fd.next[NOMINAL]) -> (fd.column[c]); returns 0 on overflow"""
    skip = skip_stage(m, c)
    up = stays_in_range(m, d, c, eps)
    down = (centered != 0 or not up) and stays_in_range(m, d, c, -eps)
    if up:
        nudge(m, d, c, eps)
        if not evaluate(m, d, ABOVE, skip, sensors):
            return 0
    if down:
        nudge(m, d, c, -eps)
        if not evaluate(m, d, BELOW, skip, sensors):
            return 0
    if up and down:
        put_derivatives(m, d, c, BELOW, ABOVE, 0.5 / eps)
    elif up:
        put_derivatives(m, d, c, NOMINAL, ABOVE, 1.0 / eps)
    else:
        # zero if it can be nudged in neither direction
        put_derivatives(m, d, c, BELOW, NOMINAL, 1.0 / eps if down else 0.0)
    return 1


@kernel
def step_columns(m, d, source, first: int, stride: int, eps: float, centered: int, sensors: int) -> int:
    """(source: state, ctrl) -> (fd.column): every `stride`-th of fd.input; returns DONE, OVERFLOW or NOT_FINITE"""
    if not copy_state(m, d, source):
        return NOT_FINITE
    if sleeps(m):
        all_awake(m, d)
    checkpoint(m, d)
    if not evaluate(m, d, NOMINAL, STAGE_NONE, sensors):
        return OVERFLOW
    for i in range(first, len(d.fd.input), stride):
        if not difference(m, d, d.fd.input[i], eps, centered, sensors):
            return OVERFLOW
    return DONE


# ---------------------------------------------------------------- inverse dynamics


@helper
def evaluate_inverse(m, d, row, skip, actuation, sensors):
    """(state, qacc) -> (fd.next[row]: qfrc_inverse, less qfrc_actuator if `actuation`, and sensors); false: overflow"""
    inverse_skip(m, d, skip, sensors)
    put_numbers(d.fd.next, row, 0, d.qfrc_inverse, m.nv)
    if actuation and m.nactuator > 0:
        fwd_actuation(m, d)
        for v in range(m.nv):
            d.fd.next[row, v] -= d.qfrc_actuator[v]
    put_numbers(d.fd.next, row, m.nv, d.sensordata, m.nsensordata)
    return not overflow(d)


@kernel
def difference_inverse(m, d, c: int, eps: float, actuation: int, sensors: int) -> int:
    """(state, qacc, fd.next[NOMINAL], fd.M) -> (fd.column[c], fd.inertia[c]); returns 0 on overflow"""
    v = c - 2 * m.nv
    skip = STAGE_VEL if v >= 0 else (STAGE_POS if c >= m.nv else STAGE_NONE)
    acc = 0.0
    if v >= 0:
        acc = d.qacc[v]
        set_acc(m, d, v, acc + eps)
    else:
        nudge(m, d, c, eps)
    fits = evaluate_inverse(m, d, ABOVE, skip, actuation, sensors)
    if v >= 0:
        set_acc(m, d, v, acc)
    restore_checkpoint(m, d)
    for i in range(m.nv + m.nsensordata):
        d.fd.column[c, i] = (d.fd.next[ABOVE, i] - d.fd.next[NOMINAL, i]) / eps
    if c < m.nv:
        for k in range(m.nC):
            d.fd.inertia[c, k] = (d.M[k] - d.fd.M[k]) / eps
    return 1 if fits else 0


@kernel
def inverse_columns(m, d, source, first: int, stride: int, eps: float, actuation: int, sensors: int) -> int:
    """(source: state, qacc) -> (fd.column, fd.inertia): every `stride`-th input; returns as step_columns does"""
    if not copy_state(m, d, source):
        return NOT_FINITE
    for v in range(m.nv):
        set_acc(m, d, v, source.qacc[v])
    if sleeps(m):
        all_awake(m, d)
    save_checkpoint(m, d)
    if not evaluate_inverse(m, d, NOMINAL, STAGE_NONE, actuation, sensors):
        return OVERFLOW
    for k in range(m.nC):
        d.fd.M[k] = d.M[k]
    for c in range(3 * m.nv - 1 - first, -1, -stride):
        if not difference_inverse(m, d, c, eps, actuation, sensors):
            return OVERFLOW
    return DONE
