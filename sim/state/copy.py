"""Copies the state of one Data to another."""

from sim.jit import helper, kernel
from sim.math.vec import get3, get4, put3, put4
from sim.state.delay import copy_history
from sim.state.plastic import copy_plastic


@helper
def copy_user_inputs(m, d, source):
    """(source: ctrl, qfrc_applied, xfrc_applied, mocap_*, userdata, eq_active) -> (the same); NaN if not finite"""
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
    """(source: all of STATE_INTEGRATION) -> (the same in d); returns 0 if a number in it is not finite"""
    # 0 x is NaN where x is not finite, and 0 otherwise
    bad = copy_user_inputs(m, d, source)
    if m.nhistory > 0:
        copy_history(m, d, source)
    bad += copy_plastic(m, d, source)
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
