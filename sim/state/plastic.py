"""Plastic springs: where joint and tendon springs rest is part of the state, and gives way where a spring yields.

Ideal elasto-plasticity by return mapping: if the displacement x of a spring from rest exceeds its springyield y after
a step, its rest moves by |x| - y in the direction of x, so that the spring is left at y. `plastic` has, for each joint
with a springyield, one number, or a quaternion for a ball joint, and then for each tendon the resting length range
[lower, upper], of which both move; a cable, [0, upper], that yields to tension becomes longer: only `upper` moves.
"""

from sim.enums import JNT_BALL
from sim.jit import helper, inline, kernel
from sim.math.quat import axis_angle_to_quat, conjugate, mul_quat, normalize4, quat_at, quat_to_rotation_vector
from sim.math.vec import norm3, scale3


@inline
def joint_rest(m, d, j):
    """Coordinate at which the spring of a hinge or slide rests."""
    a = m.jnt_plasticadr[j]
    return d.plastic[a] if a >= 0 else m.qpos_spring[m.jnt_qposadr[j]]


@inline
def ball_rest(m, d, j):
    """Orientation at which the spring of a ball joint rests."""
    a = m.jnt_plasticadr[j]
    if a >= 0:
        return d.plastic[a], d.plastic[a + 1], d.plastic[a + 2], d.plastic[a + 3]
    a = m.jnt_qposadr[j]
    return m.qpos_spring[a], m.qpos_spring[a + 1], m.qpos_spring[a + 2], m.qpos_spring[a + 3]


@inline
def tendon_rest(m, d, t):
    """Range of lengths in which the spring of a tendon rests."""
    a = m.tendon_plasticadr[t]
    if a >= 0:
        return d.plastic[a], d.plastic[a + 1]
    return m.tendon_lengthspring[t, 0], m.tendon_lengthspring[t, 1]


@helper
def yield_joint(m, d, j):
    """(qpos) -> (plastic) of one joint"""
    a, most = m.jnt_plasticadr[j], max(m.jnt_springyield[j], 0.0)
    if m.jnt_type[j] == JNT_BALL:
        now, rest = quat_at(d.qpos, m.jnt_qposadr[j]), normalize4(ball_rest(m, d, j))
        x = quat_to_rotation_vector(mul_quat(conjugate(rest), now))
        angle = norm3(x)
        if angle > most:
            rest = normalize4(mul_quat(rest, axis_angle_to_quat(scale3(x, 1.0 / angle), angle - most)))
            for k in range(4):
                d.plastic[a + k] = rest[k]
    else:
        x1 = d.qpos[m.jnt_qposadr[j]] - d.plastic[a]
        if abs(x1) > most:
            d.plastic[a] += x1 - most if x1 > 0.0 else x1 + most


@helper
def yield_tendon(m, d, t, length):
    """(length) -> (plastic) of one tendon"""
    a, most = m.tendon_plasticadr[t], max(m.tendon_springyield[t], 0.0)
    low, high = d.plastic[a], d.plastic[a + 1]
    if length - high > most:
        d.plastic[a + 1] += length - high - most
        if low != 0.0 or high <= 0.0:
            d.plastic[a] += length - high - most
    elif low - length > most:
        d.plastic[a] -= low - length - most
        d.plastic[a + 1] -= low - length - most


@kernel(when=lambda m: m.nplastic > 0)
def init_plastic(m, d):
    """(qpos_spring, tendon_lengthspring) -> (plastic)"""
    for j in range(m.njnt):
        a = m.jnt_plasticadr[j]
        if a >= 0:
            for k in range(4 if m.jnt_type[j] == JNT_BALL else 1):
                d.plastic[a + k] = m.qpos_spring[m.jnt_qposadr[j] + k]
    for t in range(m.ntendon):
        a = m.tendon_plasticadr[t]
        if a >= 0:
            d.plastic[a] = m.tendon_lengthspring[t, 0]
            d.plastic[a + 1] = m.tendon_lengthspring[t, 1]


@helper
def save_plastic(m, d):
    """(plastic) -> (checkpoint_plastic)"""
    for i in range(m.nplastic):
        d.checkpoint_plastic[i] = d.plastic[i]


@helper
def restore_plastic(m, d):
    """(checkpoint_plastic) -> (plastic)"""
    for i in range(m.nplastic):
        d.plastic[i] = d.checkpoint_plastic[i]


@helper
def copy_plastic(m, d, source):
    """(source: plastic) -> (plastic); NaN if it is not finite"""
    bad = 0.0
    for i in range(m.nplastic):
        d.plastic[i] = source.plastic[i]
        bad += 0.0 * d.plastic[i]
    return bad


@helper
def load_plastic(m, d, row, at):
    """(roll.start) -> (plastic)"""
    for i in range(m.nplastic):
        d.plastic[i] = d.roll.start[row, at + i]
