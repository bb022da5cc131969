"""Advances the state by a timestep: qvel += h · qacc, qpos is integrated along qvel on its manifold, time += h."""

from math import sqrt

from sim.enums import DSBL_ACTUATION, INT_RK4, JNT_BALL, JNT_FREE
from sim.jit import helper, inline, kernel
from sim.math.quat import axis_angle_to_quat, mul_quat, quat_at


@helper
def rotate_quat(d, a, axis, angle):
    """Rotate the quaternion at qpos[a] about an axis of its local frame."""
    q = quat_at(d.qpos, a)
    q = mul_quat(q, axis_angle_to_quat(axis, angle))
    d.qpos[a] = q[0]
    d.qpos[a + 1] = q[1]
    d.qpos[a + 2] = q[2]
    d.qpos[a + 3] = q[3]


@helper
def integrate_quat(d, velocity, a, v, h):
    """Integrate the quaternion at qpos[a] with the angular velocity at velocity[v], in the local frame."""
    w = (velocity[v], velocity[v + 1], velocity[v + 2])
    speed = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    if speed == 0.0:
        return
    rotate_quat(d, a, (w[0] / speed, w[1] / speed, w[2] / speed), speed * h)


@helper
def integrate_pos_along(m, d, velocity, h):
    """Integrate qpos of awake joints along a velocity for a time h."""
    for s in range(d.span.njnt):
        for j in range(d.span.jnt[s, 0], d.span.jnt[s, 1]):
            a = m.jnt_qposadr[j]
            v = m.jnt_dofadr[j]
            kind = m.jnt_type[j]
            if kind == JNT_FREE:
                for k in range(3):
                    d.qpos[a + k] += h * velocity[v + k]
                integrate_quat(d, velocity, a + 3, v + 3, h)
            elif kind == JNT_BALL:
                integrate_quat(d, velocity, a, v, h)
            else:
                d.qpos[a] += h * velocity[v]


@helper
def integrate_pos(m, d, h):
    """Integrate qpos along qvel for a time h."""
    integrate_pos_along(m, d, d.qvel, h)


@helper
def advance_act(m, d):
    """(act_next) -> (act); ahead of the rest for the forward pass that is repeated when trees have fallen asleep"""
    if not m.opt.disableflags & DSBL_ACTUATION:
        for i in range(m.na):
            d.act[i] = d.act_next[i]


@kernel(exact=True)
def advance_vel(m, d):
    """(qacc_step) -> (qvel): the one place; a batch on a GPU does this for all of its environments instead"""
    h = m.opt.timestep
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qvel[v] += h * d.qacc_step[v]


@helper
def advance_without_motion(m, d):
    """(act_next, qacc) -> (act, qacc_warmstart)"""
    advance_act(m, d)
    for v in range(m.nv):
        d.qacc_warmstart[v] = d.qacc[v]


@helper
def advance_pos(m, d):
    """(qvel) -> (qpos, time)"""
    integrate_pos(m, d, m.opt.timestep)
    d.time += m.opt.timestep
    d.checkpoint_open = 0


@kernel
def advance(m, d):
    """(qacc_step, act_next, qacc) -> (qvel, qpos, act, time, qacc_warmstart)"""
    advance_without_motion(m, d)
    advance_vel(m, d)
    advance_pos(m, d)


@inline
def zero_qvel(d, first, n):
    """Set the velocities of n dofs to zero."""
    for v in range(first, first + n):
        d.qvel[v] = 0.0


@kernel(when=lambda m: m.opt.integrator == INT_RK4)
def save_start(m, d):
    """(time, qpos, qvel, act) -> (start_*)"""
    d.start_time = d.time
    for i in range(m.nq):
        d.start_qpos[i] = d.qpos[i]
    for v in range(m.nv):
        d.start_qvel[v] = d.qvel[v]
    for i in range(m.na):
        d.start_act[i] = d.act[i]


@kernel(when=lambda m: m.opt.integrator == INT_RK4)
def advance_from_start(m, d, h: float):
    """(start_*, qvel_step, qacc_step, act_dot_step) -> (time, qpos, qvel, act): a time h after the start"""
    d.time = d.start_time + h
    for i in range(m.nq):
        d.qpos[i] = d.start_qpos[i]
    if h != 0.0:
        integrate_pos_along(m, d, d.qvel_step, h)
    for v in range(m.nv):
        d.qvel[v] = d.start_qvel[v] + h * d.qacc_step[v]
    for i in range(m.na):
        d.act[i] = d.start_act[i] + h * d.act_dot_step[i]


@kernel(when=lambda m: m.opt.integrator == INT_RK4)
def advance_rk4(m, d):
    """(qvel_step, qacc_step, act_next, qacc) -> (qvel, qpos, act, time, qacc_warmstart)"""
    advance_without_motion(m, d)
    advance_vel(m, d)
    integrate_pos_along(m, d, d.qvel_step, m.opt.timestep)
    d.time += m.opt.timestep
    d.checkpoint_open = 0
