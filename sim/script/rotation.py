"""Rotations for scripts: quaternions (w, x, y, z) and 3x3 matrices as arrays.

These functions return what MuJoCo's write into their first argument; `2` in a name there is `_to_` here, so
mju_mat2Quat(q, mat) is q = mat_to_quat(mat). A matrix may be flat, as in d.xmat.
"""

from __future__ import annotations

from math import atan2, hypot
from typing import Any

import numpy as np

from sim.enums import MINVAL
from sim.math import quat
from sim.mjcf.rotation import axes_to_quat, orientation_to_quat


def _numbers(value: Any, n: int, what: str) -> tuple[float, ...]:
    """The n numbers of an array of any shape."""
    numbers = np.asarray(value, float).ravel()
    if len(numbers) != n:
        raise ValueError(f"{what} has {n} numbers, not {len(numbers)}")
    return tuple(numbers.tolist())


def _quat(value: Any) -> tuple[float, ...]:
    return _numbers(value, 4, "a quaternion")


def _vector(value: Any) -> tuple[float, ...]:
    return _numbers(value, 3, "a vector")


def _direction(value: Any) -> tuple[tuple[float, ...], float]:
    """Unit vector and length."""
    vector = _vector(value)
    length = hypot(*vector)
    return tuple(x / length for x in vector) if length else vector, length


def mul_quat(first: Any, second: Any) -> np.ndarray:
    """The quaternion product: rotates by `second`, then by `first`."""
    return np.array(quat.mul_quat(_quat(first), _quat(second)))


def neg_quat(q: Any) -> np.ndarray:
    """The inverse rotation."""
    return np.array(quat.conjugate(_quat(q)))


def rot_vec_quat(vec: Any, q: Any) -> np.ndarray:
    """Rotate a vector by a quaternion."""
    return np.array(quat.rotate(_quat(q), _vector(vec)))


def axis_angle_to_quat(axis: Any, angle: float) -> np.ndarray:
    """The rotation about a unit axis by an angle in rad."""
    return np.array(quat.axis_angle_to_quat(_vector(axis), float(angle)))


def euler_to_quat(euler: Any, seq: str) -> np.ndarray:
    """Three successive rotations, in rad, about the axes in `seq`: intrinsic (xyz) or extrinsic (XYZ)."""
    if len(seq) != 3 or set(seq.lower()) - set("xyz"):
        raise ValueError(f"{seq!r} is not a sequence of three axes: use the letters x, y, z, X, Y, Z")
    return np.array(orientation_to_quat("euler", _vector(euler), False, seq))


def quat_to_mat(q: Any) -> np.ndarray:
    """The rotation matrix of a quaternion, 3 x 3."""
    return np.array(quat.quat_to_mat(_quat(q))).reshape(3, 3)


def mat_to_quat(mat: Any) -> np.ndarray:
    """The unit quaternion of a rotation matrix."""
    r = _numbers(mat, 9, "a rotation matrix")
    return np.array(axes_to_quat((r[0], r[3], r[6]), (r[1], r[4], r[7]), (r[2], r[5], r[8])))


def quat_to_vel(q: Any, dt: float = 1.0) -> np.ndarray:
    """The angular velocity that makes this rotation in a time dt, along the shorter arc."""
    return np.array(quat.quat_to_rotation_vector(_quat(q))) / dt


def sub_quat(to: Any, start: Any) -> np.ndarray:
    """The rotation vector from `start` to `to`, in the frame of `start`."""
    return quat_to_vel(mul_quat(neg_quat(start), to))


def quat_integrate(q: Any, vel: Any, scale: float) -> np.ndarray:
    """Integrate a quaternion with an angular velocity in its local frame for a time `scale`."""
    axis, speed = _direction(vel)
    return mul_quat(quat.normalize4(_quat(q)), axis_angle_to_quat(axis, speed * scale))


def quat_z_to_vec(vec: Any) -> np.ndarray:
    """The shortest rotation from the z axis to the direction of a vector; the identity for a zero vector."""
    (x, y, z), length = _direction(vec)
    if length < MINVAL:
        return np.array((1.0, 0.0, 0.0, 0.0))
    # the rotation axis is horizontal and perpendicular to the vector; for half a turn any will do
    across = hypot(x, y)
    if across < MINVAL:
        return np.array((0.0, 1.0, 0.0, 0.0) if z < 0 else (1.0, 0.0, 0.0, 0.0))
    return axis_angle_to_quat((-y / across, x / across, 0.0), atan2(across, z))
