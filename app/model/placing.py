"""Geometry of placing things by hand: rays against axes, planes and rings, snapping, rigid changes.

Lengths are in m, angles in rad. A ray has a unit direction; all of a drag is computed in one frame, that in which the
numbers of the element are given, so that the frame may move meanwhile.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import sim

Array = NDArray[np.float64]
# a ray that is nearer to an axis or to a plane than this sine does not say where it meets it
GRAZING = 0.02
# a ring that is seen from the side at a smaller sine is turned along its tangent
SIDEWAYS = 0.2


class Ray(NamedTuple):
    """A point and a unit direction."""

    origin: Array
    direction: Array


class Pose(NamedTuple):
    """A frame, or the rigid change that moves the origin there."""

    pos: Array
    quat: Array

    def point(self, point: Array) -> Array:
        """A point of this frame in the frame that the pose is given in."""
        found: Array = self.pos + sim.rot_vec_quat(point, self.quat)
        return found

    def vector(self, vector: Array) -> Array:
        """A vector of this frame in the frame that the pose is given in."""
        return np.asarray(sim.rot_vec_quat(vector, self.quat))


HERE = Pose(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))


def compose(first: Pose, second: Pose) -> Pose:
    """The second pose, which is given in the first."""
    return Pose(first.point(second.pos), np.asarray(sim.mul_quat(first.quat, second.quat)))


def inverse(pose: Pose) -> Pose:
    """The pose that undoes another."""
    back = np.asarray(sim.neg_quat(pose.quat))
    return Pose(-np.asarray(sim.rot_vec_quat(pose.pos, back)), back)


def seen_from(frame: Pose, ray: Ray) -> Ray:
    """A ray in the coordinates of a frame."""
    back = inverse(frame)
    return Ray(back.point(ray.origin), back.vector(ray.direction))


def shift(vector: Array) -> Pose:
    """The change that shifts."""
    return Pose(np.asarray(vector, np.float64), HERE.quat)


def turn(centre: Array, axis: Array, angle: float) -> Pose:
    """The change that turns about an axis through a point."""
    quat = np.asarray(sim.axis_angle_to_quat(axis, angle))
    return Pose(centre - np.asarray(sim.rot_vec_quat(centre, quat)), quat)


# ---- where a ray meets a handle


def along_axis(ray: Ray, origin: Array, axis: Array) -> float | None:
    """How far along an axis the point is that is nearest to a ray; None if the ray goes along the axis."""
    across = float(ray.direction @ axis)
    sine = 1.0 - across * across
    if sine < GRAZING * GRAZING:
        return None
    away = ray.origin - origin
    return float(away @ axis - across * (away @ ray.direction)) / sine


def on_plane(ray: Ray, origin: Array, normal: Array) -> Array | None:
    """Where a ray meets a plane; None if it goes along the plane or away from it."""
    across = float(ray.direction @ normal)
    if abs(across) < GRAZING:
        return None
    far = float((origin - ray.origin) @ normal) / across
    return ray.origin + far * ray.direction if far > 0 else None


def around_ring(ray: Ray, centre: Array, axis: Array, zero: Array) -> float | None:
    """The angle about an axis at which a ray meets the plane of a ring, from the direction `zero`, -π to π."""
    met = on_plane(ray, centre, axis)
    if met is None:
        return None
    away = met - centre
    return math.atan2(float(np.cross(zero, away) @ axis), float(zero @ away))


def turned_along(ray: Ray, centre: Array, axis: Array, grabbed: Array) -> float | None:
    """The angle of a ring that is seen from the side: the way along its tangent, over its radius."""
    arm = grabbed - centre
    radius = float(np.linalg.norm(arm))
    way = along_axis(ray, grabbed, np.cross(axis, arm / max(radius, 1e-12)))
    return None if way is None else way / max(radius, 1e-12)


def is_sideways(ray: Ray, axis: Array) -> bool:
    """Whether a ring is seen so much from the side that its plane does not say an angle."""
    return abs(float(ray.direction @ axis)) < SIDEWAYS


def continued(angle: float, before: float) -> float:
    """An angle with the whole turns that bring it nearest to the one before."""
    return angle + math.tau * round((before - angle) / math.tau)


def across(axis: Array) -> Array:
    """A unit vector perpendicular to an axis."""
    helper = np.eye(3)[int(np.argmin(np.abs(axis)))]
    found: Array = np.cross(axis, helper)
    return found / np.linalg.norm(found)


# ---- snapping


def snapped(value: float, step: float) -> float:
    """The nearest multiple of a step; the value itself without a step."""
    return round(value / step) * step if step > 0 else value


def nearest_spot(spots: Sequence[tuple[float, float] | None], x: float, y: float, reach: float) -> int | None:
    """The nearest of some spots on the screen within reach of the pointer; None in it cannot be seen."""
    away = [math.inf if spot is None else math.hypot(spot[0] - x, spot[1] - y) for spot in spots]
    best = min(range(len(away)), key=away.__getitem__, default=None)
    return best if best is not None and away[best] <= reach else None


# ---- sizes


def face_moved(half: float, way: float, least: float, both: bool) -> tuple[float, float]:
    """The half length after a face has moved outwards by `way`, and how far the centre follows it.

    The opposite face stays, unless `both` move.
    """
    new = max(half + (way if both else way / 2), least)
    return new, 0.0 if both else new - half


def span(first: Array, second: Array, quat: Array) -> tuple[Array, float, Array]:
    """Centre, half length and orientation of what spans two points, its z axis towards the first.

    It turns as little as possible, but an orientation without a twist, as that of a `fromto`, stays without one.
    """
    axis = first - second
    length = float(np.linalg.norm(axis))
    axis = axis / max(length, 1e-12)
    now = np.asarray(sim.rot_vec_quat((0.0, 0.0, 1.0), quat))
    plain = np.asarray(sim.quat_z_to_vec(now))
    if min(np.abs(plain - quat).max(), np.abs(plain + quat).max()) < 1e-9:
        return (first + second) / 2, length / 2, np.asarray(sim.quat_z_to_vec(axis))
    normal = np.cross(now, axis)
    sine = float(np.linalg.norm(normal))
    normal = normal / sine if sine > 1e-12 else across(now)
    swing = sim.axis_angle_to_quat(normal, math.atan2(sine, float(now @ axis)))
    return (first + second) / 2, length / 2, np.asarray(sim.mul_quat(swing, quat))
