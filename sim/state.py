"""The state of a simulation: how it advances, is checked, is remembered and taken back.

advance: qvel += h · acc, qpos moves along qvel on its manifold, time += h.
A step that does not fit its buffers is undone: `remember` keeps the state before it, `rewind` puts it back.
A state that is not finite is replaced by the initial one, with a warning, as MuJoCo does.
"""

from math import sqrt

from sim.enums import (
    DSBL_ACTUATION,
    DSBL_AUTORESET,
    INT_RK4,
    JNT_BALL,
    JNT_FREE,
    MAXVAL,
    WARN_BADQACC,
    WARN_BADQPOS,
    WARN_BADQVEL,
)
from sim.history import empty_history
from sim.jit import helper, inline, kernel
from sim.math.quat import axis_angle_to_quat, mul_quat, normalize4
from sim.math.vec import get3, get4, put3, put4


@helper
def turn_qpos(d, velocity, a, v, h):
    """Turn the quaternion at qpos[a] by the angular velocity at velocity[v], which is in the body's frame."""
    w = (velocity[v], velocity[v + 1], velocity[v + 2])
    speed = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    if speed == 0.0:
        return
    axis = (w[0] / speed, w[1] / speed, w[2] / speed)
    q = normalize4((d.qpos[a], d.qpos[a + 1], d.qpos[a + 2], d.qpos[a + 3]))
    q = mul_quat(q, axis_angle_to_quat(axis, speed * h))
    d.qpos[a] = q[0]
    d.qpos[a + 1] = q[1]
    d.qpos[a + 2] = q[2]
    d.qpos[a + 3] = q[3]


@helper
def move_along(m, d, velocity, h):
    """qpos moves along a velocity for a time h."""
    for j in range(m.njnt):
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
    for v in range(m.nv):
        d.qvel[v] += h * d.qacc_step[v]
        d.qacc_warmstart[v] = d.qacc[v]


@kernel
def advance(m, d):
    """(qacc_step, act_next, qacc) -> (qvel, qpos, act, time, qacc_warmstart)"""
    advance_rates(m, d)
    integrate_pos(m, d, m.opt.timestep)
    d.time += m.opt.timestep


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


# ---------------------------------------------------------------- undoing a step


@kernel
def remember(m, d):
    """(time, qpos, qvel, act, qacc_warmstart) -> (undo_*)"""
    d.undo_time = d.time
    for i in range(m.nq):
        d.undo_qpos[i] = d.qpos[i]
    for v in range(m.nv):
        d.undo_qvel[v] = d.qvel[v]
        d.undo_warmstart[v] = d.qacc_warmstart[v]
    for i in range(m.na):
        d.undo_act[i] = d.act[i]
    d.want.ncon = 0
    d.want.nefc = 0
    d.want.nJ = 0
    d.want.nL = 0
    d.want.nY = 0
    d.want.nisland = 0
    d.want.nnear = 0


@kernel
def rewind(m, d):
    """(undo_*) -> (time, qpos, qvel, act, qacc_warmstart)"""
    d.time = d.undo_time
    for i in range(m.nq):
        d.qpos[i] = d.undo_qpos[i]
    for v in range(m.nv):
        d.qvel[v] = d.undo_qvel[v]
        d.qacc_warmstart[v] = d.undo_warmstart[v]
    for i in range(m.na):
        d.act[i] = d.undo_act[i]


@inline
def no_room(d):
    """The stage that ran last found more contacts or rows than fit."""
    rows = d.want.nefc > 0 or d.want.nJ > 0 or d.want.nisland > 0
    return d.want.ncon > 0 or d.want.nnear > 0 or rows or d.want.nL > 0 or d.want.nY > 0


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


# ---------------------------------------------------------------- checks


@helper
def first_bad(a, n):
    """Index of the first number that is not finite or too large, or -1."""
    for i in range(n):
        if not abs(a[i]) <= MAXVAL:
            return i
    return -1


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
    for i in range(m.nuserdata):
        d.userdata[i] = 0.0
    for b in range(m.nbody):
        for k in range(6):
            d.xfrc_applied[b, k] = 0.0
        if m.body_mocapid[b] >= 0:
            put3(d.mocap_pos, m.body_mocapid[b], get3(m.body_pos, b))
            put4(d.mocap_quat, m.body_mocapid[b], get4(m.body_quat, b))
    for e in range(m.neq):
        d.eq_active[e] = m.eq_active0[e]
    if m.nhistory > 0:
        empty_history(m, d)


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
def check_state(m, d):
    """(qpos, qvel) -> (warning; and the initial state if they are bad)"""
    bad = first_bad(d.qpos, m.nq)
    if bad >= 0:
        give_up(m, d, WARN_BADQPOS, bad)
        return
    bad = first_bad(d.qvel, m.nv)
    if bad >= 0:
        give_up(m, d, WARN_BADQVEL, bad)


@kernel
def check_acc(m, d) -> int:
    """(qacc) -> (warning; and the initial state if it is bad, in which case it returns 1)"""
    bad = first_bad(d.qacc, m.nv)
    if bad < 0:
        return 0
    return 1 if give_up(m, d, WARN_BADQACC, bad) else 0
