"""Springs yield at the end of a step: see `sim.state.plastic`.

(qpos, qvel) -> (plastic), of trees that are awake. Joints are where they are after the step; the length of a tendon
there is ten_length + h ten_J v, with v the velocity by which the step advanced qpos: the new one, or the mean one of
RK4. RK4 takes ten_length and ten_J from the start of the step, and leaves them so.
"""

from sim.enums import DSBL_SPRING, INT_RK4
from sim.jit import helper, kernel
from sim.stages.sleep.awake import tendon_sleeps
from sim.state.plastic import yield_joint, yield_tendon


@helper
def length_after(m, d, t, velocity):
    """Length of a tendon after the step."""
    row = m.ten_J_rowadr[t]
    speed = 0.0
    for i in range(row, row + m.ten_J_rownnz[t]):
        speed += d.ten_J[i] * velocity[m.ten_J_colind[i]]
    return d.ten_length[t] + m.opt.timestep * speed


@kernel(when=lambda m: m.nplastic > 0)
def yield_springs(m, d):
    """(qpos, qvel or qvel_step, ten_length, ten_J) -> (plastic)"""
    if m.opt.disableflags & DSBL_SPRING:
        return
    for s in range(d.span.njnt):
        for j in range(d.span.jnt[s, 0], d.span.jnt[s, 1]):
            if m.jnt_plasticadr[j] >= 0:
                yield_joint(m, d, j)
    for t in range(m.ntendon):
        if m.tendon_plasticadr[t] >= 0 and not tendon_sleeps(m, d, t):
            if m.opt.integrator == INT_RK4:
                yield_tendon(m, d, t, length_after(m, d, t, d.qvel_step))
            else:
                yield_tendon(m, d, t, length_after(m, d, t, d.qvel))
