"""Quaternions, frames and principal axes of inertia, on tuples of Python floats, for the model compiler.

A quaternion is (w, x, y, z), a frame is a position and a quaternion, a full inertia is (xx, yy, zz, xy, xz, yz). The
operations and thresholds are MuJoCo's, so that results agree to the last digits even where a rotation is not unique
(equal principal moments, antiparallel axes).
"""

from __future__ import annotations

from math import atan2, cos, pi, sin, sqrt
from typing import TypeAlias

from sim.math.mat import mul_mat, transpose

Vec3: TypeAlias = tuple[float, float, float]
Quat: TypeAlias = tuple[float, float, float, float]
Mat3: TypeAlias = tuple[float, float, float, float, float, float, float, float, float]
Inertia6: TypeAlias = tuple[float, float, float, float, float, float]
Vector: TypeAlias = tuple[float, ...]

TINY = 1e-14
ZERO: Vec3 = (0.0, 0.0, 0.0)
UNIT: Quat = (1.0, 0.0, 0.0, 0.0)
# of principal axes, relative to the largest entry: an off-diagonal entry is zero; two moments are equal
OFF_DIAGONAL, EQUAL_MOMENTS = 4e-15, 1e-12


def normalize3(v: Vector) -> tuple[Vec3, float]:
    """Unit vector and length; a vector that is too short is returned unchanged, with length 0."""
    square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    if square < TINY:
        return (v[0], v[1], v[2]), 0.0
    length = sqrt(square)
    if abs(length - 1) <= TINY:
        return (v[0], v[1], v[2]), length
    return (v[0] / length, v[1] / length, v[2] / length), length


def normalize4(q: Vector) -> Quat:
    """Unit quaternion; one that is too short is returned unchanged."""
    square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
    if square < TINY:
        return (q[0], q[1], q[2], q[3])
    length = sqrt(square)
    if abs(length - 1) <= TINY:
        return (q[0], q[1], q[2], q[3])
    return (q[0] / length, q[1] / length, q[2] / length, q[3] / length)


def cross(a: Vector, b: Vector) -> Vec3:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def mul_quat(a: Quat, b: Quat) -> Quat:
    """Normalized product: rotation b, then a."""
    return normalize4(
        (
            a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
        )
    )


def neg_quat(q: Quat) -> Quat:
    return (q[0], -q[1], -q[2], -q[3])


def quat_to_mat(q: Quat) -> Mat3:
    """Rotation matrix, row-major."""
    w, x, y, z = q
    if q == UNIT:
        return (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    return (
        w * w + x * x - y * y - z * z,
        2 * (x * y - w * z),
        2 * (x * z + w * y),
        2 * (x * y + w * z),
        w * w - x * x + y * y - z * z,
        2 * (y * z - w * x),
        2 * (x * z - w * y),
        2 * (y * z + w * x),
        w * w - x * x - y * y + z * z,
    )


def rot_vec_quat(v: Vector, q: Quat) -> Vec3:
    """v + 2 q × (w v + q × v)."""
    if q == UNIT:
        return (v[0], v[1], v[2])
    w, x, y, z = q
    a = w * v[0] + y * v[2] - z * v[1]
    b = w * v[1] + z * v[0] - x * v[2]
    c = w * v[2] + x * v[1] - y * v[0]
    return (v[0] + 2 * (y * c - z * b), v[1] + 2 * (z * a - x * c), v[2] + 2 * (x * b - y * a))


def compose_frames(pos: Vec3, quat: Quat, childpos: Vec3, childquat: Quat) -> tuple[Vec3, Quat]:
    """The child frame, given relative to (pos, quat), in the frame that (pos, quat) is relative to."""
    m = quat_to_mat(quat)
    x, y, z = childpos
    moved = (
        pos[0] + (m[0] * x + m[1] * y + m[2] * z),
        pos[1] + (m[3] * x + m[4] * y + m[5] * z),
        pos[2] + (m[6] * x + m[7] * y + m[8] * z),
    )
    return moved, mul_quat(quat, childquat)


def invert_frame(pos: Vec3, quat: Quat) -> tuple[Vec3, Quat]:
    """The inverse frame."""
    back = neg_quat(quat)
    m = quat_to_mat(back)
    x, y, z = pos
    return (
        -(m[0] * x + m[1] * y + m[2] * z),
        -(m[3] * x + m[4] * y + m[5] * z),
        -(m[6] * x + m[7] * y + m[8] * z),
    ), back


def quat_z_to_vec(axis: Vector) -> Quat:
    """Minimal rotation that takes z to the unit vector `axis`."""
    about, s = normalize3(cross((0.0, 0.0, 1.0), axis))
    if s < 1e-10:
        about = (1.0, 0.0, 0.0)
    half = atan2(s, axis[2]) / 2
    return (cos(half), about[0] * sin(half), about[1] * sin(half), about[2] * sin(half))


def axes_to_quat(x: Vec3, y: Vec3, z: Vec3) -> Quat:
    """Quaternion of the rotation with these axes as columns, computed from its largest component."""
    if x[0] + y[1] + z[2] > 0:
        w = 0.5 * sqrt(1 + x[0] + y[1] + z[2])
        quat = (w, 0.25 * (y[2] - z[1]) / w, 0.25 * (z[0] - x[2]) / w, 0.25 * (x[1] - y[0]) / w)
    elif x[0] > y[1] and x[0] > z[2]:
        a = 0.5 * sqrt(1 + x[0] - y[1] - z[2])
        quat = (0.25 * (y[2] - z[1]) / a, a, 0.25 * (y[0] + x[1]) / a, 0.25 * (z[0] + x[2]) / a)
    elif y[1] > z[2]:
        b = 0.5 * sqrt(1 - x[0] + y[1] - z[2])
        quat = (0.25 * (z[0] - x[2]) / b, 0.25 * (y[0] + x[1]) / b, b, 0.25 * (z[1] + y[2]) / b)
    else:
        c = 0.5 * sqrt(1 - x[0] - y[1] + z[2])
        quat = (0.25 * (x[1] - y[0]) / c, 0.25 * (z[0] + x[2]) / c, 0.25 * (z[1] + y[2]) / c, c)
    return normalize4(quat)


def orientation_to_quat(kind: str, value: Vector, degree: bool, sequence: str) -> Quat:
    """Quaternion of an orientation given as axisangle, xyaxes, zaxis or euler."""
    return _ORIENTATIONS[kind](value, degree, sequence)


def _axisangle(value: Vector, degree: bool, _: str) -> Quat:
    axis, length = normalize3(value[:3])
    if length < TINY:
        raise ValueError("the axis is zero")
    half = (value[3] / 180.0 * pi if degree else value[3]) / 2
    return (cos(half), sin(half) * axis[0], sin(half) * axis[1], sin(half) * axis[2])


def _xyaxes(value: Vector, _: bool, __: str) -> Quat:
    x, length = normalize3(value[:3])
    if length < TINY:
        raise ValueError("the x axis is zero")
    d = x[0] * value[3] + x[1] * value[4] + x[2] * value[5]
    y, length = normalize3((value[3] - x[0] * d, value[4] - x[1] * d, value[5] - x[2] * d))
    if length < TINY:
        raise ValueError("the y axis is zero or parallel to the x axis")
    return axes_to_quat(x, y, normalize3(cross(x, y))[0])


def _zaxis(value: Vector, _: bool, __: str) -> Quat:
    axis, length = normalize3(value)
    if length < TINY:
        raise ValueError("the z axis is zero")
    return quat_z_to_vec(axis)


def _euler(value: Vector, degree: bool, sequence: str) -> Quat:
    quat = UNIT
    for angle, letter in zip(value, sequence, strict=True):
        half = (angle / 180.0 * pi if degree else angle) / 2
        rotation = [cos(half), 0.0, 0.0, 0.0]
        rotation["xyz".index(letter.lower()) + 1] = sin(half)
        # lower case: intrinsic, about the rotated axes; upper case: extrinsic, about the fixed axes
        step = (rotation[0], rotation[1], rotation[2], rotation[3])
        quat = mul_quat(quat, step) if letter.islower() else mul_quat(step, quat)
    return normalize4(quat)


_ORIENTATIONS = {"axisangle": _axisangle, "xyaxes": _xyaxes, "zaxis": _zaxis, "euler": _euler}


def rotate_inertia(diagonal: Vector, quat: Quat) -> Inertia6:
    """Full inertia R I Rᵀ from principal moments and the orientation of the principal axes."""
    m, (a, b, c) = quat_to_mat(quat), diagonal

    def entry(i: int, j: int) -> float:
        return m[3 * i] * (m[3 * j] * a) + m[3 * i + 1] * (m[3 * j + 1] * b) + m[3 * i + 2] * (m[3 * j + 2] * c)

    return (entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2))


def offset_inertia(mass: float, at: Vector) -> Inertia6:
    """Parallel-axis term mass (|r|² 1 - r rᵀ)."""
    x, y, z = at
    return (
        mass * (y * y + z * z),
        mass * (x * x + z * z),
        mass * (x * x + y * y),
        -mass * x * y,
        -mass * x * z,
        -mass * y * z,
    )


def is_inertia(moments: Vec3, boundinertia: float) -> bool:
    """Whether principal moments, largest first, are positive, or zero up to rounding if boundinertia bounds them."""
    return moments[2] >= (-TINY * max(1.0, moments[0]) if boundinertia > 0 else TINY)


def principal_axes(
    full: Inertia6, off_diagonal: float = OFF_DIAGONAL, equal_moments: float = EQUAL_MOMENTS
) -> tuple[Quat, Vec3]:
    """Eigenvectors as a quaternion and eigenvalues, largest first, of a full inertia, by Jacobi rotations.

    Relative to the largest entry, those off the diagonal below `off_diagonal` count as zero, and moments whose
    difference is below `equal_moments` are not put in order.
    """
    xx, yy, zz, xy, xz, yz = full
    inertia: Mat3 = (xx, xy, xz, xy, yy, yz, xz, yz, zz)
    quat = UNIT
    moments = [xx, yy, zz]
    scale = max(map(abs, full))
    for _ in range(500):
        m = quat_to_mat(quat)
        rotated = mul_mat(mul_mat(transpose(m), inertia), m)
        moments = [rotated[0], rotated[4], rotated[8]]
        # largest off-diagonal entry, and the axis to rotate about
        if abs(rotated[1]) > abs(rotated[2]) and abs(rotated[1]) > abs(rotated[5]):
            row, column, axis = 0, 1, 2
        elif abs(rotated[2]) > abs(rotated[5]):
            row, column, axis = 0, 2, 1
        else:
            row, column, axis = 1, 2, 0
        off = rotated[3 * row + column]
        if abs(off) < off_diagonal * scale or off == 0.0:
            break
        # the rotation that makes it zero: tangents of its angle and of half the angle
        tau = (rotated[4 * column] - rotated[4 * row]) / (2 * off)
        root = sqrt(1 + tau * tau)
        tangent = 1.0 / (tau + (root if tau >= 0 else -root))
        half = tangent / (1 + sqrt(1 + tangent * tangent))
        c = 1.0 / sqrt(1 + half * half)
        quat = mul_quat(quat, _about(axis, (half if axis == 1 else -half) * c, c))
    # largest moment first: swap neighbours by rotations of 90 degrees
    for lead in (0, 1, 0):
        if moments[lead] + equal_moments * scale < moments[lead + 1]:
            moments[lead], moments[lead + 1] = moments[lead + 1], moments[lead]
            quat = mul_quat(quat, _about((lead + 2) % 3, 0.707106781186548, 0.707106781186548))
    return quat, (moments[0], moments[1], moments[2])


def _about(axis: int, s: float, w: float) -> Quat:
    return normalize4((w, s if axis == 0 else 0.0, s if axis == 1 else 0.0, s if axis == 2 else 0.0))
