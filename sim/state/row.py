"""Packs the state into a row of an array, and records the last states of a run in a ring buffer.

put_state: (time, qpos, qvel, ...) -> (out[row]): the parts whose bits the signature has, in the order of the bits.
record_state: every step stores its state, STATE_RECORD, in trace.state[count % rows], and STATE_SLEEP if trace.asleep;
`sim.trace` allocates the rows.
"""

from sim.enums import (
    STATE_ACT,
    STATE_CTRL,
    STATE_EQ_ACTIVE,
    STATE_HISTORY,
    STATE_MOCAP_POS,
    STATE_MOCAP_QUAT,
    STATE_NOISE,
    STATE_PERTURB,
    STATE_PLASTIC,
    STATE_QFRC_APPLIED,
    STATE_QPOS,
    STATE_QVEL,
    STATE_RECORD,
    STATE_TIME,
    STATE_USERDATA,
    STATE_WARMSTART,
    STATE_XFRC_APPLIED,
)
from sim.jit import helper, kernel


@helper
def put_numbers(out, row, at, a, n):
    """out[row, at ...] <- n numbers; returns the column after them"""
    for i in range(n):
        out[row, at + i] = a[i]
    return at + n


@helper
def put_table(out, row, at, a, n, width):
    """out[row, at ...] <- n rows of numbers; returns the column after them"""
    for i in range(n):
        for k in range(width):
            out[row, at + i * width + k] = a[i, k]
    return at + n * width


@helper
def put_perturbation(out, row, at, d):
    """out[row, at ...] <- the mouse perturbation; returns the column after it"""
    out[row, at] = d.perturb.select
    out[row, at + 1] = d.perturb.active
    at = put_numbers(out, row, at + 2, d.perturb.localpos, 3)
    at = put_numbers(out, row, at, d.perturb.refselpos, 3)
    return put_numbers(out, row, at, d.perturb.refquat, 4)


@helper
def put_noise(out, row, at, d):
    """out[row, at ...] <- the settings of the control noise; returns the column after them"""
    out[row, at] = d.noise.scale
    out[row, at + 1] = d.noise.rate
    # a seed has more digits than a number of a row
    out[row, at + 2] = d.noise.seed & 0xFFFFFFFF
    out[row, at + 3] = d.noise.seed >> 32
    return at + 4


@helper
def put_sleep(out, row, at, m, d):
    """out[row, at ...] <- which trees sleep, and the results that they keep"""
    at = put_numbers(out, row, at, d.tree_asleep, m.ntree)
    at = put_table(out, row, at, d.tree_wakecause, m.ntree, 2)
    at = put_table(out, row, at, d.tree_restless, m.ntree, 2)
    at = put_numbers(out, row, at, d.sleep.qpos, m.nq)
    at = put_table(out, row, at, d.sleep.mocap_pos, m.nmocap, 3)
    at = put_table(out, row, at, d.sleep.mocap_quat, m.nmocap, 4)
    at = put_numbers(out, row, at, d.act_dot, m.na)
    at = put_numbers(out, row, at, d.qfrc_smooth, m.nv)
    at = put_numbers(out, row, at, d.qacc_smooth, m.nv)
    at = put_numbers(out, row, at, d.qacc, m.nv)
    put_numbers(out, row, at, d.sensordata, m.nsensordata)


@helper
def put_user_state(out, row, at, m, d, sig):
    """out[row, at ...] <- the parts of a state that the user sets, and plastic; returns the column after them"""
    if sig & STATE_CTRL:
        at = put_numbers(out, row, at, d.ctrl, m.nu)
    if sig & STATE_QFRC_APPLIED:
        at = put_numbers(out, row, at, d.qfrc_applied, m.nv)
    if sig & STATE_XFRC_APPLIED:
        at = put_table(out, row, at, d.xfrc_applied, m.nbody, 6)
    if sig & STATE_EQ_ACTIVE:
        for e in range(m.neq):
            out[row, at + e] = 1.0 if d.eq_active[e] else 0.0
        at += m.neq
    if sig & STATE_MOCAP_POS:
        at = put_table(out, row, at, d.mocap_pos, m.nmocap, 3)
    if sig & STATE_MOCAP_QUAT:
        at = put_table(out, row, at, d.mocap_quat, m.nmocap, 4)
    if sig & STATE_USERDATA:
        at = put_numbers(out, row, at, d.userdata, m.nuserdata)
    if sig & STATE_PLASTIC:
        at = put_numbers(out, row, at, d.plastic, m.nplastic)
    if sig & STATE_PERTURB:
        at = put_perturbation(out, row, at, d)
    if sig & STATE_NOISE:
        at = put_noise(out, row, at, d)
    return at


@helper
def put_state(out, row, m, d, sig):
    """out[row] <- the state with a signature, without the sleep state; returns the column after it"""
    at = 0
    if sig & STATE_TIME:
        out[row, 0] = d.time
        at = 1
    if sig & STATE_QPOS:
        at = put_numbers(out, row, at, d.qpos, m.nq)
    if sig & STATE_QVEL:
        at = put_numbers(out, row, at, d.qvel, m.nv)
    if sig & STATE_ACT:
        at = put_numbers(out, row, at, d.act, m.na)
    if sig & STATE_HISTORY:
        at = put_numbers(out, row, at, d.history, m.nhistory)
    if sig & STATE_WARMSTART:
        at = put_numbers(out, row, at, d.qacc_warmstart, m.nv)
    return put_user_state(out, row, at, m, d, sig)


@kernel
def record_state(m, d):
    """(state) -> (trace.state, trace.count)"""
    row = d.trace.count % len(d.trace.state)
    at = put_state(d.trace.state, row, m, d, STATE_RECORD)
    if d.trace.asleep:
        put_sleep(d.trace.state, row, at, m, d)
    d.trace.count += 1
