"""Resets the state to the model's initial state, or to the start of a rollout."""

from sim.enums import (
    STATE_CTRL,
    STATE_EQ_ACTIVE,
    STATE_MOCAP_POS,
    STATE_MOCAP_QUAT,
    STATE_QFRC_APPLIED,
    STATE_USERDATA,
    STATE_XFRC_APPLIED,
)
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


@helper
def load_start(m, d, row):
    """(roll.start) -> (the state)"""
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


@kernel
def start_rollout(m, d, row: int):
    """(roll.start) -> (state and all inputs of a step: that state, and the rest as in a new Data)"""
    reset_state(m, d)
    for k in range(len(d.warning.number)):
        d.warning.number[k] = 0
    load_start(m, d, row)


@helper
def load_numbers(a, n, source, row, at):
    """a <- n numbers of a row; returns the column after them"""
    for i in range(n):
        a[i] = source[row, at + i]
    return at + n


@helper
def load_table(a, n, width, source, row, at):
    """a <- n rows of numbers of a row; returns the column after them"""
    for i in range(n):
        for k in range(width):
            a[i, k] = source[row, at + i * width + k]
    return at + n * width


@helper
def load_inputs(m, d, row, spec):
    """(roll.ctrl) -> (ctrl, and other inputs of a step: those whose bits `spec` has, in the order of the bits)"""
    at = 0
    if spec & STATE_CTRL:
        at = load_numbers(d.ctrl, m.nu, d.roll.ctrl, row, at)
    if spec & STATE_QFRC_APPLIED:
        at = load_numbers(d.qfrc_applied, m.nv, d.roll.ctrl, row, at)
    if spec & STATE_XFRC_APPLIED:
        at = load_table(d.xfrc_applied, m.nbody, 6, d.roll.ctrl, row, at)
    if spec & STATE_EQ_ACTIVE:
        for e in range(m.neq):
            d.eq_active[e] = d.roll.ctrl[row, at + e] != 0.0
        at += m.neq
    if spec & STATE_MOCAP_POS:
        at = load_table(d.mocap_pos, m.nmocap, 3, d.roll.ctrl, row, at)
    if spec & STATE_MOCAP_QUAT:
        at = load_table(d.mocap_quat, m.nmocap, 4, d.roll.ctrl, row, at)
    if spec & STATE_USERDATA:
        at = load_numbers(d.userdata, m.nuserdata, d.roll.ctrl, row, at)


@helper
def load_warmstart(m, d, row):
    """(roll.start: the columns after the state) -> (qacc_warmstart)"""
    at = 1 + m.nq + m.nv + m.na + m.nhistory + m.nplastic
    for v in range(m.nv):
        d.qacc_warmstart[v] = d.roll.start[row, at + v]
