"""Small changes of the state, for finite differences and for actuator length ranges."""

from sim.enums import JNT_BALL, JNT_FREE
from sim.jit import helper, inline
from sim.state.advance import rotate_quat


@inline
def unit3(k):
    """Unit vector along axis k."""
    return 1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0


@helper
def nudge_position(m, d, v, eps):
    """Move qpos along dof v."""
    j = m.dof_jntid[v]
    k = v - m.jnt_dofadr[j]
    a = m.jnt_qposadr[j]
    kind = m.jnt_type[j]
    if kind == JNT_BALL:
        rotate_quat(d, a, unit3(k), eps)
    elif kind == JNT_FREE and k >= 3:
        rotate_quat(d, a + 3, unit3(k - 3), eps)
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
def apply_damped_force(m, d, force, slowing):
    """(qvel, force) -> (qvel, qfrc_applied): scales the velocities by `slowing` and applies a force"""
    for v in range(m.nv):
        d.qvel[v] *= slowing
        d.qfrc_applied[v] = force[v]
