"""Passive forces: joint and tendon springs and dampers, gravity compensation, fluid and adhesion.

(qpos, qvel) -> (qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_passive).
Spring: -(k + p₀ x + p₁ x²) x with x the displacement from rest; for ball and free joints x is a vector, with
its norm in the polynomial. Damper: -(b + p₀ |v| + p₁ v²) v for each dof. The same along a tendon, with x the
displacement beyond its resting length range. Where plastic springs rest is in sim.state.plastic, fluid forces are in
fluid.py, adhesion in adhesion.py.
"""

from sim.callback import user_passive
from sim.enums import DSBL_DAMPER, DSBL_GRAVITY, DSBL_SPRING, JNT_BALL, JNT_FREE
from sim.jit import helper, kernel
from sim.math.quat import conjugate, mul_quat, quat_at, quat_to_rotation_vector
from sim.math.vec import get3, norm3
from sim.stages.sleep.awake import tendon_sleeps
from sim.stages.smooth.adhesion import adhesion, clear_adhesion
from sim.stages.smooth.fluid import clear_fluid, fluid
from sim.stages.smooth.jacobian import add_wrench
from sim.stages.smooth.reflected_inertia import total_damping
from sim.stages.smooth.tendon import add_tendon_force, tendon_damper_force, tendon_spring_force
from sim.state.plastic import ball_rest, joint_rest


@helper
def stiffness(m, j, x):
    """Stiffness of joint j at displacement x from rest."""
    return m.jnt_stiffness[j] + x * (m.jnt_stiffnesspoly[j, 0] + x * m.jnt_stiffnesspoly[j, 1])


@helper
def spring_vector(m, d, j, v, x):
    """Spring force -k x on three dofs."""
    k = stiffness(m, j, norm3(x))
    d.qfrc_spring[v] = -k * x[0]
    d.qfrc_spring[v + 1] = -k * x[1]
    d.qfrc_spring[v + 2] = -k * x[2]


@helper
def spring_translation(m, d, a):
    """Displacement of the position at qpos[a] from the spring's rest position."""
    return d.qpos[a] - m.qpos_spring[a], d.qpos[a + 1] - m.qpos_spring[a + 1], d.qpos[a + 2] - m.qpos_spring[a + 2]


@helper
def spring_rotation(m, d, a):
    """Rotation vector from the spring's rest orientation to the one at qpos[a]."""
    now = quat_at(d.qpos, a)
    rest = (m.qpos_spring[a], m.qpos_spring[a + 1], m.qpos_spring[a + 2], m.qpos_spring[a + 3])
    return quat_to_rotation_vector(mul_quat(conjugate(rest), now))


@helper
def ball_spring_rotation(m, d, j):
    """Rotation vector from the rest orientation of a ball joint's spring to its orientation."""
    now = quat_at(d.qpos, m.jnt_qposadr[j])
    return quat_to_rotation_vector(mul_quat(conjugate(ball_rest(m, d, j)), now))


@helper
def spring_derivative(m, d, v):
    """-d(spring force)/d(position) of a dof: k + 2 p₀ x + 3 p₁ x², or the stiffness of a vector spring; at least 0."""
    j = m.dof_jntid[v]
    a = m.jnt_qposadr[j]
    kind = m.jnt_type[j]
    p0, p1 = m.jnt_stiffnesspoly[j, 0], m.jnt_stiffnesspoly[j, 1]
    if kind == JNT_FREE or kind == JNT_BALL:
        if p0 == 0.0 and p1 == 0.0:
            return max(0.0, m.jnt_stiffness[j])
        if kind == JNT_BALL:
            x = norm3(ball_spring_rotation(m, d, j))
        elif v >= m.jnt_dofadr[j] + 3:
            x = norm3(spring_rotation(m, d, a + 3))
        else:
            x = norm3(spring_translation(m, d, a))
        return max(0.0, stiffness(m, j, x))
    x = d.qpos[a] - joint_rest(m, d, j)
    return max(0.0, m.jnt_stiffness[j] + x * (2.0 * p0 + 3.0 * x * p1))


@helper
def spring_slope(m, d, v):
    """-d(spring force)/d(displacement) of a dof, along the displacement: k + 2 p₀ x + 3 p₁ x²; at least 0."""
    j = m.dof_jntid[v]
    a = m.jnt_qposadr[j]
    kind = m.jnt_type[j]
    p0, p1 = m.jnt_stiffnesspoly[j, 0], m.jnt_stiffnesspoly[j, 1]
    if p0 == 0.0 and p1 == 0.0:
        return max(0.0, m.jnt_stiffness[j])
    if kind == JNT_BALL:
        x = norm3(ball_spring_rotation(m, d, j))
    elif kind == JNT_FREE:
        turned = v >= m.jnt_dofadr[j] + 3
        x = norm3(spring_rotation(m, d, a + 3)) if turned else norm3(spring_translation(m, d, a))
    else:
        x = d.qpos[a] - joint_rest(m, d, j)
    return max(0.0, m.jnt_stiffness[j] + x * (2.0 * p0 + 3.0 * x * p1))


@helper
def spring(m, d, j):
    """Spring force of a joint, if it has a spring."""
    if m.jnt_stiffness[j] == 0.0 and m.jnt_stiffnesspoly[j, 0] == 0.0 and m.jnt_stiffnesspoly[j, 1] == 0.0:
        return
    a = m.jnt_qposadr[j]
    v = m.jnt_dofadr[j]
    kind = m.jnt_type[j]
    if kind == JNT_FREE:
        spring_vector(m, d, j, v, spring_translation(m, d, a))
        spring_vector(m, d, j, v + 3, spring_rotation(m, d, a + 3))
    elif kind == JNT_BALL:
        spring_vector(m, d, j, v, ball_spring_rotation(m, d, j))
    else:
        x1 = d.qpos[a] - joint_rest(m, d, j)
        d.qfrc_spring[v] = -stiffness(m, j, x1) * x1


@kernel
def springs(m, d):
    """(qpos) -> (qfrc_spring)"""
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qfrc_spring[v] = 0.0
    if m.opt.disableflags & DSBL_SPRING:
        return
    for s in range(d.span.njnt):
        for j in range(d.span.jnt[s, 0], d.span.jnt[s, 1]):
            spring(m, d, j)


@kernel(when=lambda m: m.ntendon > 0)
def tendon_springs(m, d):
    """(ten_length, ten_velocity, ten_J) -> (qfrc_spring, qfrc_damper): += springs and dampers along tendons"""
    for t in range(m.ntendon):
        if tendon_sleeps(m, d, t):
            continue
        force = tendon_spring_force(m, d, t)
        if force != 0.0:
            add_tendon_force(m, d, d.qfrc_spring, t, force)
        force = tendon_damper_force(m, d, t)
        if force != 0.0:
            add_tendon_force(m, d, d.qfrc_damper, t, force)


@kernel
def dampers(m, d):
    """(qvel) -> (qfrc_damper)"""
    on = not (m.opt.disableflags & DSBL_DAMPER)
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            x = d.qvel[v]
            b, p0, p1 = total_damping(m, v)
            d.qfrc_damper[v] = -(b + abs(x) * (p0 + abs(x) * p1)) * x if on else 0.0


@helper
def clear_gravcomp(m, d):
    """Set qfrc_gravcomp to zero."""
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qfrc_gravcomp[v] = 0.0


@kernel(when=lambda m: m.ngravcomp > 0)
def gravity_compensation(m, d):
    """(xipos, cdof) -> (qfrc_gravcomp): against gravity, a fraction of each body's weight"""
    clear_gravcomp(m, d)
    if m.opt.disableflags & DSBL_GRAVITY:
        return
    for s in range(d.span.nbody):
        for b in range(d.span.body[s, 0], d.span.body[s, 1]):
            if m.body_gravcomp[b] != 0.0:
                mass = -m.body_gravcomp[b] * m.body_mass[b]
                force = (mass * m.opt.gravity[0], mass * m.opt.gravity[1], mass * m.opt.gravity[2])
                add_wrench(m, d, d.qfrc_gravcomp, b, get3(d.xipos, b), force, (0.0, 0.0, 0.0))


@kernel
def passive(m, d):
    """(qpos, qvel, cvel, contact, ...) -> (qfrc_spring, qfrc_damper, ..., qfrc_adhesion, qfrc_passive)"""
    springs(m, d)
    dampers(m, d)
    if m.ntendon > 0:
        tendon_springs(m, d)
    # disabling both springs and dampers disables all passive forces
    none = (m.opt.disableflags & (DSBL_SPRING | DSBL_DAMPER)) == (DSBL_SPRING | DSBL_DAMPER)
    if m.ngravcomp > 0 and not none:
        gravity_compensation(m, d)
    else:
        clear_gravcomp(m, d)
    if (m.opt.density > 0.0 or m.opt.viscosity > 0.0) and not none:
        fluid(m, d)
    else:
        clear_fluid(m, d)
    if m.flg_adhesion and not none:
        adhesion(m, d)
    else:
        clear_adhesion(m, d)
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qfrc_passive[v] = d.qfrc_spring[v] + d.qfrc_damper[v] + d.qfrc_fluid[v] + d.qfrc_adhesion[v]
            # gravity compensation by actuators is part of qfrc_actuator
            if not m.jnt_actgravcomp[m.dof_jntid[v]]:
                d.qfrc_passive[v] += d.qfrc_gravcomp[v]
    if not none:
        user_passive(m, d)
