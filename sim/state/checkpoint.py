"""Checkpoint of the state before a step, to which a step that overflows is rolled back."""

from sim.jit import kernel
from sim.state.delay import restore_history, save_history
from sim.state.plastic import restore_plastic, save_plastic


@kernel
def save_checkpoint(m, d):
    """(time, qpos, qvel, act, qacc_warmstart, ctrl, history, plastic) -> (checkpoint_*)"""
    d.checkpoint_open = 1
    d.checkpoint_time = d.time
    for i in range(m.nq):
        d.checkpoint_qpos[i] = d.qpos[i]
    for v in range(m.nv):
        d.checkpoint_qvel[v] = d.qvel[v]
        d.checkpoint_warmstart[v] = d.qacc_warmstart[v]
    for i in range(m.na):
        d.checkpoint_act[i] = d.act[i]
    for i in range(m.nu):
        d.checkpoint_ctrl[i] = d.ctrl[i]
    if m.nhistory > 0:
        save_history(m, d)
    save_plastic(m, d)
    d.required.ncon = 0
    d.required.nefc = 0
    d.required.nJ = 0
    d.required.nL = 0
    d.required.nY = 0
    d.required.nisland = 0
    d.required.nnear = 0
    d.required.npolytope = 0
    d.required.nfacet = 0


@kernel
def restore_checkpoint(m, d):
    """(checkpoint_*) -> (time, qpos, qvel, act, qacc_warmstart, ctrl, history, plastic)"""
    d.checkpoint_open = 0
    d.time = d.checkpoint_time
    for i in range(m.nq):
        d.qpos[i] = d.checkpoint_qpos[i]
    for v in range(m.nv):
        d.qvel[v] = d.checkpoint_qvel[v]
        d.qacc_warmstart[v] = d.checkpoint_warmstart[v]
    for i in range(m.na):
        d.act[i] = d.checkpoint_act[i]
    for i in range(m.nu):
        d.ctrl[i] = d.checkpoint_ctrl[i]
    if m.nhistory > 0:
        restore_history(m, d)
    restore_plastic(m, d)
