"""Rotations: unit quaternions (w, x, y, z) and 3x3 rotation matrices by rows, both as tuples."""

from math import atan2, cos, pi, sin, sqrt

from sim.enums import MINVAL
from sim.jit import inline


@inline
def get9(a, i):
    return a[i, 0], a[i, 1], a[i, 2], a[i, 3], a[i, 4], a[i, 5], a[i, 6], a[i, 7], a[i, 8]


@inline
def put9(a, i, r):
    a[i, 0] = r[0]
    a[i, 1] = r[1]
    a[i, 2] = r[2]
    a[i, 3] = r[3]
    a[i, 4] = r[4]
    a[i, 5] = r[5]
    a[i, 6] = r[6]
    a[i, 7] = r[7]
    a[i, 8] = r[8]


@inline
def mul_quat(p, q):
    """p · q: first q, then p. Summed in pairs, as in MuJoCo."""
    return (
        (p[0] * q[0] - p[1] * q[1]) - (p[2] * q[2] + p[3] * q[3]),
        (p[0] * q[1] + p[1] * q[0]) + (p[2] * q[3] - p[3] * q[2]),
        (p[0] * q[2] - p[1] * q[3]) + (p[2] * q[0] + p[3] * q[1]),
        (p[0] * q[3] + p[1] * q[2]) - (p[2] * q[1] - p[3] * q[0]),
    )


@inline
def conjugate(q):
    return q[0], -q[1], -q[2], -q[3]


@inline
def normalize4(q):
    """Normalized quaternion; the identity for one of length zero. A unit quaternion is returned unchanged."""
    n = sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]))
    if n < MINVAL:
        return 1.0, 0.0, 0.0, 0.0
    if abs(n - 1.0) > MINVAL:
        s = 1.0 / n
        return q[0] * s, q[1] * s, q[2] * s, q[3] * s
    return q[0], q[1], q[2], q[3]


@inline
def rotate(q, v):
    """v rotated by q, with u its vector part: v + 2 w (u × v) + 2 u × (u × v)."""
    # t = w v + u × v, so that the result is v + 2 u × t
    t0 = q[0] * v[0] + q[2] * v[2] - q[3] * v[1]
    t1 = q[0] * v[1] + q[3] * v[0] - q[1] * v[2]
    t2 = q[0] * v[2] + q[1] * v[1] - q[2] * v[0]
    return (
        v[0] + 2.0 * (q[2] * t2 - q[3] * t1),
        v[1] + 2.0 * (q[3] * t0 - q[1] * t2),
        v[2] + 2.0 * (q[1] * t1 - q[2] * t0),
    )


@inline
def quat_to_mat(q):
    ww, xx, yy, zz = q[0] * q[0], q[1] * q[1], q[2] * q[2], q[3] * q[3]
    wx, wy, wz = q[0] * q[1], q[0] * q[2], q[0] * q[3]
    xy, xz, yz = q[1] * q[2], q[1] * q[3], q[2] * q[3]
    return (
        (ww - yy) + (xx - zz),
        2.0 * (xy - wz),
        2.0 * (xz + wy),
        2.0 * (xy + wz),
        (ww + yy) - (xx + zz),
        2.0 * (yz - wx),
        2.0 * (xz - wy),
        2.0 * (yz + wx),
        (ww - yy) - (xx - zz),
    )


@inline
def axis_angle_to_quat(axis, angle):
    if angle == 0.0:
        return 1.0, 0.0, 0.0, 0.0
    s = sin(0.5 * angle)
    return cos(0.5 * angle), axis[0] * s, axis[1] * s, axis[2] * s


@inline
def quat_to_rotation_vector(q):
    """Rotation vector (axis times angle in (-π, π]) of a unit quaternion."""
    s = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if s < MINVAL:
        return 0.0, 0.0, 0.0
    angle = 2.0 * atan2(s, q[0])
    if angle > pi:
        angle -= 2.0 * pi
    k = angle / s
    return q[1] * k, q[2] * k, q[3] * k


@inline
def quat_at(a, i):
    """The normalized quaternion at a[i:i+4], in an array such as qpos."""
    return normalize4((a[i], a[i + 1], a[i + 2], a[i + 3]))


@inline
def mat_vec(r, v):
    return (
        r[0] * v[0] + r[1] * v[1] + r[2] * v[2],
        r[3] * v[0] + r[4] * v[1] + r[5] * v[2],
        r[6] * v[0] + r[7] * v[1] + r[8] * v[2],
    )


@inline
def mat_vec_t(r, v):
    """Rᵀ v"""
    return (
        r[0] * v[0] + r[3] * v[1] + r[6] * v[2],
        r[1] * v[0] + r[4] * v[1] + r[7] * v[2],
        r[2] * v[0] + r[5] * v[1] + r[8] * v[2],
    )
