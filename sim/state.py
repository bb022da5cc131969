"""The state of a simulation: how it advances, is checked, is remembered and taken back.

advance: qvel += h · acc, qpos moves along qvel on its manifold, time += h.
A step that does not fit its buffers is undone: `remember` keeps the state before it, `rewind` puts it back.
A state that is not finite is replaced by the initial one, with a warning, as MuJoCo does.
Controls can be given noise that depends on nothing but the seed, the time and themselves.
"""

from math import exp, sqrt

from sim.enums import (
    CHART_QUAT,
    DSBL_ACTUATION,
    DSBL_AUTORESET,
    GAIN_SO3,
    INT_RK4,
    JNT_BALL,
    JNT_FREE,
    MAXVAL,
    MINVAL,
    WARN_BADCTRL,
    WARN_BADQACC,
    WARN_BADQPOS,
    WARN_BADQVEL,
)
from sim.history import copy_history, empty_history, remember_history, rewind_history, take_history
from sim.jit import helper, inline, kernel
from sim.math.quat import axis_angle_to_quat, mul_quat, quat_at
from sim.math.random import standard_normal
from sim.math.vec import get3, get4, put3, put4


@helper
def turn_quat(d, a, axis, angle):
    """Turn the quaternion at qpos[a] about an axis of its own frame."""
    q = quat_at(d.qpos, a)
    q = mul_quat(q, axis_angle_to_quat(axis, angle))
    d.qpos[a] = q[0]
    d.qpos[a + 1] = q[1]
    d.qpos[a + 2] = q[2]
    d.qpos[a + 3] = q[3]


@helper
def turn_qpos(d, velocity, a, v, h):
    """Turn the quaternion at qpos[a] by the angular velocity at velocity[v], which is in the body's frame."""
    w = (velocity[v], velocity[v + 1], velocity[v + 2])
    speed = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    if speed == 0.0:
        return
    turn_quat(d, a, (w[0] / speed, w[1] / speed, w[2] / speed), speed * h)


@helper
def move_along(m, d, velocity, h):
    """qpos of all that is awake moves along a velocity for a time h."""
    for s in range(d.span.njnt):
        for j in range(d.span.jnt[s, 0], d.span.jnt[s, 1]):
            a = m.jnt_qposadr[j]
            v = m.jnt_dofadr[j]
            kind = m.jnt_type[j]
            if kind == JNT_FREE:
                for k in range(3):
                    d.qpos[a + k] += h * velocity[v + k]
                turn_qpos(d, velocity, a + 3, v + 3, h)
            elif kind == JNT_BALL:
                turn_qpos(d, velocity, a, v, h)
            else:
                d.qpos[a] += h * velocity[v]


@helper
def integrate_pos(m, d, h):
    """qpos moves along qvel for a time h."""
    move_along(m, d, d.qvel, h)


@inline
def advance_rates(m, d):
    """(qacc_step, act_next, qacc) -> (qvel, act, qacc_warmstart)"""
    h = m.opt.timestep
    if not m.opt.disableflags & DSBL_ACTUATION:
        for i in range(m.na):
            d.act[i] = d.act_next[i]
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qvel[v] += h * d.qacc_step[v]
    for v in range(m.nv):
        d.qacc_warmstart[v] = d.qacc[v]


@kernel
def advance(m, d):
    """(qacc_step, act_next, qacc) -> (qvel, qpos, act, time, qacc_warmstart)"""
    advance_rates(m, d)
    integrate_pos(m, d, m.opt.timestep)
    d.time += m.opt.timestep
    d.undo_open = 0


@kernel
def advance_act(m, d):
    """(act_next) -> (act): ahead of the rest, for what is computed once more when trees have fallen asleep"""
    if not m.opt.disableflags & DSBL_ACTUATION:
        for i in range(m.na):
            d.act[i] = d.act_next[i]


@inline
def stop(d, first, n):
    """n dofs have no velocity any more."""
    for v in range(first, first + n):
        d.qvel[v] = 0.0


# ---------------------------------------------------------------- stages of a step


@kernel(when=lambda m: m.opt.integrator == INT_RK4)
def hold_start(m, d):
    """(time, qpos, qvel, act) -> (start_*)"""
    d.start_time = d.time
    for i in range(m.nq):
        d.start_qpos[i] = d.qpos[i]
    for v in range(m.nv):
        d.start_qvel[v] = d.qvel[v]
    for i in range(m.na):
        d.start_act[i] = d.act[i]


@kernel(when=lambda m: m.opt.integrator == INT_RK4)
def look_ahead(m, d, h: float):
    """(start_*, qvel_step, qacc_step, act_dot_step) -> (time, qpos, qvel, act): a time h after the start"""
    d.time = d.start_time + h
    for i in range(m.nq):
        d.qpos[i] = d.start_qpos[i]
    if h != 0.0:
        move_along(m, d, d.qvel_step, h)
    for v in range(m.nv):
        d.qvel[v] = d.start_qvel[v] + h * d.qacc_step[v]
    for i in range(m.na):
        d.act[i] = d.start_act[i] + h * d.act_dot_step[i]


@kernel(when=lambda m: m.opt.integrator == INT_RK4)
def advance_along(m, d):
    """(qvel_step, qacc_step, act_next, qacc) -> (qvel, qpos, act, time, qacc_warmstart)"""
    advance_rates(m, d)
    move_along(m, d, d.qvel_step, m.opt.timestep)
    d.time += m.opt.timestep
    d.undo_open = 0


# ---------------------------------------------------------------- undoing a step


@kernel
def remember(m, d):
    """(time, qpos, qvel, act, qacc_warmstart, ctrl, history) -> (undo_*)"""
    d.undo_open = 1
    d.undo_time = d.time
    for i in range(m.nq):
        d.undo_qpos[i] = d.qpos[i]
    for v in range(m.nv):
        d.undo_qvel[v] = d.qvel[v]
        d.undo_warmstart[v] = d.qacc_warmstart[v]
    for i in range(m.na):
        d.undo_act[i] = d.act[i]
    for i in range(m.nu):
        d.undo_ctrl[i] = d.ctrl[i]
    if m.nhistory > 0:
        remember_history(m, d)
    d.want.ncon = 0
    d.want.nefc = 0
    d.want.nJ = 0
    d.want.nL = 0
    d.want.nY = 0
    d.want.nisland = 0
    d.want.nnear = 0
    d.want.npolytope = 0
    d.want.nfacet = 0


@kernel
def rewind(m, d):
    """(undo_*) -> (time, qpos, qvel, act, qacc_warmstart, ctrl, history)"""
    d.undo_open = 0
    d.time = d.undo_time
    for i in range(m.nq):
        d.qpos[i] = d.undo_qpos[i]
    for v in range(m.nv):
        d.qvel[v] = d.undo_qvel[v]
        d.qacc_warmstart[v] = d.undo_warmstart[v]
    for i in range(m.na):
        d.act[i] = d.undo_act[i]
    for i in range(m.nu):
        d.ctrl[i] = d.undo_ctrl[i]
    if m.nhistory > 0:
        rewind_history(m, d)


@inline
def no_room(d):
    """The stage that ran last found more contacts or rows than fit."""
    pairs = d.want.ncon > 0 or d.want.nnear > 0 or d.want.npolytope > 0 or d.want.nfacet > 0
    rows = d.want.nefc > 0 or d.want.nJ > 0 or d.want.nisland > 0
    return pairs or rows or d.want.nL > 0 or d.want.nY > 0


@inline
def want_contacts(d, n):
    """There is no room for all n contacts."""
    d.want.ncon = n


@inline
def want_rows(d, n, entries):
    """There is no room for all n rows, or for all entries of their Jacobian."""
    d.want.nefc = n
    d.want.nJ = entries


@inline
def want_factor(d, n):
    """There is no room for all n entries of the Hessian's factor."""
    d.want.nL = n


@inline
def want_dual(d, n):
    """There is no room for all n entries of dual.Y."""
    d.want.nY = n


@inline
def want_islands(d, n):
    """There is no room for all n islands."""
    d.want.nisland = n


@inline
def want_pairs(d, n):
    """There is no room for all n pairs that may touch."""
    d.want.nnear = n


@inline
def want_polytope(d, n):
    """There is no room for all n faces of a polytope."""
    d.want.npolytope = n


@inline
def want_facets(d, n):
    """There is no room for all n corners of faces that touch."""
    d.want.nfacet = n


# ---------------------------------------------------------------- from one Data to another


@helper
def copy_user_inputs(m, d, source):
    """(source: ctrl, qfrc_applied, xfrc_applied, mocap_*, userdata, eq_active) -> (the same); NaN if forces are bad"""
    bad = 0.0
    for i in range(m.nu):
        d.ctrl[i] = source.ctrl[i]
        bad += 0.0 * d.ctrl[i]
    for v in range(m.nv):
        d.qfrc_applied[v] = source.qfrc_applied[v]
        bad += 0.0 * d.qfrc_applied[v]
    for b in range(m.nbody):
        for k in range(6):
            d.xfrc_applied[b, k] = source.xfrc_applied[b, k]
            bad += 0.0 * d.xfrc_applied[b, k]
    for i in range(m.nmocap):
        put3(d.mocap_pos, i, get3(source.mocap_pos, i))
        put4(d.mocap_quat, i, get4(source.mocap_quat, i))
    for i in range(m.nuserdata):
        d.userdata[i] = source.userdata[i]
    for e in range(m.neq):
        d.eq_active[e] = source.eq_active[e]
    return bad


@kernel
def copy_state(m, d, source) -> int:
    """(source: all of STATE_INTEGRATION) -> (the same in d); returns 0 if what moves or pushes is not finite"""
    # 0 x is NaN where x is not finite, and 0 otherwise
    bad = copy_user_inputs(m, d, source)
    if m.nhistory > 0:
        copy_history(m, d, source)
    d.time = source.time
    bad += 0.0 * d.time
    for i in range(m.nq):
        d.qpos[i] = source.qpos[i]
        bad += 0.0 * d.qpos[i]
    for v in range(m.nv):
        d.qvel[v] = source.qvel[v]
        d.qacc_warmstart[v] = source.qacc_warmstart[v]
        bad += 0.0 * d.qvel[v] + 0.0 * d.qacc_warmstart[v]
    for i in range(m.na):
        d.act[i] = source.act[i]
        bad += 0.0 * d.act[i]
    return 1 if bad == 0.0 else 0


# ---------------------------------------------------------------- small changes


@inline
def unit3(k):
    """The vector along coordinate k."""
    return 1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0


@helper
def nudge_position(m, d, v, eps):
    """qpos moves along dof v."""
    j = m.dof_jntid[v]
    k = v - m.jnt_dofadr[j]
    a = m.jnt_qposadr[j]
    kind = m.jnt_type[j]
    if kind == JNT_BALL:
        turn_quat(d, a, unit3(k), eps)
    elif kind == JNT_FREE and k >= 3:
        turn_quat(d, a + 3, unit3(k - 3), eps)
    else:
        d.qpos[a + k] += eps


@helper
def nudge(m, d, c, eps):
    """Change one of positions (along dofs), velocities, activations and controls, counted in this order."""
    if c < m.nv:
        nudge_position(m, d, c, eps)
    elif c < 2 * m.nv:
        d.qvel[c - m.nv] += eps
    elif c < 2 * m.nv + m.na:
        d.act[c - 2 * m.nv] += eps
    else:
        d.ctrl[c - 2 * m.nv - m.na] += eps


@helper
def drag(m, d, force, slowing):
    """(qvel, force) -> (qvel, qfrc_applied): velocities die away by a factor, a force stands for the user's"""
    for v in range(m.nv):
        d.qvel[v] *= slowing
        d.qfrc_applied[v] = force[v]


# ---------------------------------------------------------------- noise


@kernel(when=lambda m: m.nu > 0)
def control_noise(m, d):
    """(ctrl, time) -> (ctrl): drawn to the middle of its range and pushed about, the same way at the same time"""
    h = m.opt.timestep
    keep = exp(-h / max(MINVAL, d.noise.rate))
    push = d.noise.scale * sqrt(1.0 - keep * keep)
    now = int(d.time / h + 0.5)
    for i in range(m.nu):
        low, high, middle, half = 0.0, 0.0, 0.0, 1.0
        if m.actuator_ctrllimited[i]:
            low, high = m.actuator_ctrlrange[i, 0], m.actuator_ctrlrange[i, 1]
            middle, half = 0.5 * (low + high), 0.5 * (high - low)
        u = keep * d.ctrl[i] + (1.0 - keep) * middle + push * half * standard_normal(d.noise.seed, now, i)
        if m.actuator_ctrllimited[i]:
            u = max(low, min(high, u))
        d.ctrl[i] = u


# ---------------------------------------------------------------- checks


@helper
def first_bad(a, first, end):
    """Index of the first number in a range that is not finite or too large, or -1."""
    # without an early exit this vectorises, and there is nothing to find as a rule
    n = 0
    for i in range(first, end):
        n += 0 if abs(a[i]) <= MAXVAL else 1
    if n > 0:
        for i in range(first, end):
            if not abs(a[i]) <= MAXVAL:
                return i
    return -1


@helper
def first_bad_dof(d, a):
    """The same among the dofs that are awake."""
    bad = -1
    for s in range(d.span.ndof):
        if bad < 0:
            bad = first_bad(a, d.span.dof[s, 0], d.span.dof[s, 1])
    return bad


@helper
def reset_state(m, d):
    """Everything a step starts from, as in a new Data."""
    d.time = 0.0
    for i in range(m.nq):
        d.qpos[i] = m.qpos0[i]
    for v in range(m.nv):
        d.qvel[v] = 0.0
        d.qacc_warmstart[v] = 0.0
        d.qfrc_applied[v] = 0.0
    for i in range(m.na):
        d.act[i] = 0.0
    for i in range(m.nu):
        d.ctrl[i] = 0.0
    for i in range(m.nactuator):
        # a quaternion starts as no rotation
        if m.actuator_gaintype[i] == GAIN_SO3 and m.actuator_ctrlspec[i] == CHART_QUAT:
            d.ctrl[m.actuator_ctrladr[i]] = 1.0
    for i in range(m.nuserdata):
        d.userdata[i] = 0.0
    for b in range(m.nbody):
        for k in range(6):
            d.xfrc_applied[b, k] = 0.0
        if m.body_mocapid[b] >= 0:
            put3(d.mocap_pos, m.body_mocapid[b], get3(m.body_pos, b))
            put4(d.mocap_quat, m.body_mocapid[b], get4(m.body_quat, b))
    d.perturb.active = 0
    for e in range(m.neq):
        d.eq_active[e] = m.eq_active0[e]
    if m.nhistory > 0:
        empty_history(m, d)


@kernel
def start_rollout(m, d, row: int):
    """(roll.start) -> (everything a step starts from: that state, and the rest as in a new Data)"""
    reset_state(m, d)
    for k in range(len(d.warning.number)):
        d.warning.number[k] = 0
    d.time = d.roll.start[row, 0]
    at = 1
    for i in range(m.nq):
        d.qpos[i] = d.roll.start[row, at + i]
    at += m.nq
    for v in range(m.nv):
        d.qvel[v] = d.roll.start[row, at + v]
    at += m.nv
    for i in range(m.na):
        d.act[i] = d.roll.start[row, at + i]
    if m.nhistory > 0:
        take_history(m, d, row, at + m.na)


@helper
def take_controls(m, d, row):
    """(roll.ctrl) -> (ctrl)"""
    for i in range(m.nu):
        d.ctrl[i] = d.roll.ctrl[row, i]


@helper
def has_failed(d):
    """A state or a control was not finite."""
    number = d.warning.number
    return number[WARN_BADQPOS] + number[WARN_BADQVEL] + number[WARN_BADQACC] + number[WARN_BADCTRL] > 0


@helper
def warn(d, warning, index):
    """Count a warning."""
    d.warning.number[warning] += 1
    d.warning.lastinfo[warning] = index


@helper
def give_up(m, d, warning, index):
    """Count a warning and, unless told otherwise, start over; True if it did."""
    start_over = not (m.opt.disableflags & DSBL_AUTORESET)
    if start_over:
        reset_state(m, d)
        for k in range(len(d.warning.number)):
            d.warning.number[k] = 0
    # MuJoCo counts a state that is kept twice
    d.warning.number[warning] += 1 if start_over else 2
    d.warning.lastinfo[warning] = index
    return start_over


@kernel
def check_state(m, d) -> int:
    """(qpos, qvel) -> (warning; and the initial state if they are bad, in which case it returns 1)"""
    bad = first_bad(d.qpos, 0, m.nq)
    if bad >= 0:
        return 1 if give_up(m, d, WARN_BADQPOS, bad) else 0
    bad = first_bad_dof(d, d.qvel)
    if bad < 0:
        return 0
    return 1 if give_up(m, d, WARN_BADQVEL, bad) else 0


@kernel
def check_acc(m, d) -> int:
    """(qacc) -> (warning; and the initial state if it is bad, in which case it returns 1)"""
    bad = first_bad_dof(d, d.qacc)
    if bad < 0:
        return 0
    return 1 if give_up(m, d, WARN_BADQACC, bad) else 0
