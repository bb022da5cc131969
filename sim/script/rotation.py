"""Rotations for scripts: quaternions (w, x, y, z) and 3x3 matrices as arrays.

What MuJoCo's functions of these names write into their first argument is returned here; a `2` in a name there is
`_to_` here, so mju_mat2Quat(q, mat) is q = mat_to_quat(mat). A matrix may be given flat, as d.xmat has it.
"""

from __future__ import annotations

from math import atan2, hypot
from typing import Any

import numpy as np

from sim.enums import MINVAL
from sim.math import quat
from sim.mjcf.rotation import axes_to_quat, orientation_to_quat


def _numbers(value: Any, n: int, what: str) -> tuple[float, ...]:
    """The n numbers of an array, whatever its shape is."""
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
    """The product: what turns by `second`, then by `first`."""
    return np.array(quat.mul_quat(_quat(first), _quat(second)))


def neg_quat(q: Any) -> np.ndarray:
    """The opposite turn."""
    return np.array(quat.conjugate(_quat(q)))


def rot_vec_quat(vec: Any, q: Any) -> np.ndarray:
    """A vector, turned."""
    return np.array(quat.rotate(_quat(q), _vector(vec)))


def axis_angle_to_quat(axis: Any, angle: float) -> np.ndarray:
    """The turn about a unit axis by an angle, rad."""
    return np.array(quat.axis_angle_to_quat(_vector(axis), float(angle)))


def euler_to_quat(euler: Any, seq: str) -> np.ndarray:
    """Three turns, rad, one after another, about axes that `seq` names: of the body (xyz) or of the world (XYZ)."""
    if len(seq) != 3 or set(seq.lower()) - set("xyz"):
        raise ValueError(f"{seq!r} is no sequence of three axes: its letters are x, y, z, X, Y, Z")
    return np.array(orientation_to_quat("euler", _vector(euler), False, seq))


def quat_to_mat(q: Any) -> np.ndarray:
    """Its rotation matrix, 3 x 3."""
    return np.array(quat.quat_to_mat(_quat(q))).reshape(3, 3)


def mat_to_quat(mat: Any) -> np.ndarray:
    """The unit quaternion of a rotation matrix."""
    r = _numbers(mat, 9, "a rotation matrix")
    return np.array(axes_to_quat((r[0], r[3], r[6]), (r[1], r[4], r[7]), (r[2], r[5], r[8])))


def quat_to_vel(q: Any, dt: float = 1.0) -> np.ndarray:
    """The angular velocity that gives this turn in a time dt, the short way round."""
    return np.array(quat.quat_to_rotation_vector(_quat(q))) / dt


def sub_quat(to: Any, start: Any) -> np.ndarray:
    """The rotation vector that leads from `start` to `to`, in the frame of `start`."""
    return quat_to_vel(mul_quat(neg_quat(start), to))


def quat_integrate(q: Any, vel: Any, scale: float) -> np.ndarray:
    """A quaternion after it has turned with an angular velocity, in its own frame, for a time `scale`."""
    axis, speed = _direction(vel)
    return mul_quat(quat.normalize4(_quat(q)), axis_angle_to_quat(axis, speed * scale))


def quat_z_to_vec(vec: Any) -> np.ndarray:
    """The shortest turn from the z axis to the direction of a vector; none for one without length."""
    (x, y, z), length = _direction(vec)
    if length < MINVAL:
        return np.array((1.0, 0.0, 0.0, 0.0))
    # the axis is level, across the direction; any will do for half a turn
    across = hypot(x, y)
    if across < MINVAL:
        return np.array((0.0, 1.0, 0.0, 0.0) if z < 0 else (1.0, 0.0, 0.0, 0.0))
    return axis_angle_to_quat((-y / across, x / across, 0.0), atan2(across, z))
