"""Resets the state to the model's initial state, or to the start of a rollout."""

from sim.jit import helper, kernel
from sim.math.vec import get3, get4, put3, put4
from sim.state.delay import init_history, load_history, takes_quaternion
from sim.state.plastic import init_plastic, load_plastic


@helper
def reset_state(m, d):
    """Set the state and all inputs of a step as in a new Data."""
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
        if takes_quaternion(m, i):
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
        init_history(m, d)
    if m.nplastic > 0:
        init_plastic(m, d)


@kernel
def start_rollout(m, d, row: int):
    """(roll.start) -> (state and all inputs of a step: that state, and the rest as in a new Data)"""
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
        load_history(m, d, row, at + m.na)
    load_plastic(m, d, row, at + m.na + m.nhistory)


@helper
def load_controls(m, d, row):
    """(roll.ctrl) -> (ctrl)"""
    for i in range(m.nu):
        d.ctrl[i] = d.roll.ctrl[row, i]
