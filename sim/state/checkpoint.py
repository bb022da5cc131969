"""A step that does not fit its buffers is rolled back to the state before it."""

from sim.jit import kernel
from sim.state.delay import remember_history, rewind_history


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
