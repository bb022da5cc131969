"""Poses of elements of a spec as numbers: read from whichever attributes say them, and as attributes to set."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import pi, sqrt

from sim.mjcf.attach.replicate import angle_settings
from sim.mjcf.rotation import (
    UNIT,
    ZERO,
    Quat,
    Vec3,
    compose_frames,
    mul_quat,
    neg_quat,
    normalize3,
    normalize4,
    orientation_to_quat,
    quat_z_to_vec,
    rot_vec_quat,
)
from sim.mjcf.save.attribute_text import format_numbers
from sim.mjcf.schema import ORIENTATIONS, element
from sim.spec.element import Element

Pose = tuple[Vec3, Quat]
Attributes = dict[str, str | None]


def pose(item: Element) -> Pose:
    """The pose of an element relative to what it is in; of a joint the place of its anchor."""
    known = element(item.schema).attributes
    ends = item.get("fromto") if "fromto" in known else None
    if ends:
        a, b = ends[:3], ends[3:]
        centre = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2)
        return centre, quat_z_to_vec(normalize3((a[0] - b[0], a[1] - b[1], a[2] - b[2]))[0])
    pos = item.get("pos") if "pos" in known else None
    return tuple(pos or ZERO), _quat(item, known)


def _quat(item: Element, known: Collection[str]) -> Quat:
    for kind in ORIENTATIONS:
        value = item.own(kind) if kind in known else None
        if value is not None:
            return _as_quat(item, kind, value)
    prototype = item.spec.classes.prototype(item.node)
    alt = getattr(prototype, "alt", None)
    if alt is not None:
        return _as_quat(item, *alt)
    return normalize4(getattr(prototype, "quat", None) or UNIT)


def _as_quat(item: Element, kind: str, value: Sequence[float]) -> Quat:
    if kind == "quat":
        return normalize4(tuple(value))
    degree, sequence = angle_settings(item.spec.tree.root)
    return orientation_to_quat(kind, tuple(value), degree, sequence)


def world_pose(item: Element) -> Pose:
    """The pose of an element in the world where all joints are at qpos0."""
    found = (ZERO, UNIT) if item.tag == "worldbody" else pose(item)
    above = item.parent
    while above is not None and above.tag in ("body", "frame"):
        found = compose_frames(*pose(above), *found)
        above = above.parent
    return found


def relative(outer: Pose, inner: Pose) -> Pose:
    """A pose in the world as a pose in another one."""
    back = neg_quat(outer[1])
    away = (inner[0][0] - outer[0][0], inner[0][1] - outer[0][1], inner[0][2] - outer[0][2])
    return rot_vec_quat(away, back), mul_quat(back, inner[1])


def pose_attributes(item: Element, to: Pose) -> Attributes:
    """The attributes that put an element at a pose relative to what it is in, in the way in which it says its own."""
    known = element(item.schema).attributes
    before = pose(item)
    if "fromto" in known and item.own("fromto"):
        turn = mul_quat(to[1], neg_quat(before[1]))
        ends = item.own("fromto")
        moved = [_turned(ends[k : k + 3], before[0], to[0], turn) for k in (0, 3)]
        return {"fromto": numbers((*moved[0], *moved[1]))}
    found: Attributes = {"pos": numbers(to[0])} if not _close(before[0], to[0]) else {}
    turned = not _close(before[1], to[1]) and not _close(before[1], tuple(-x for x in to[1]))
    if turned and item.kind == "joint" and "axis" in known:
        axis = rot_vec_quat(tuple(item.get("axis")), mul_quat(to[1], neg_quat(before[1])))
        found["axis"] = numbers(axis)
    elif turned and item.tag == "light":
        found["dir"] = numbers(rot_vec_quat(tuple(item.get("dir")), mul_quat(to[1], neg_quat(before[1]))))
    elif turned and "quat" in known:
        found |= orientation_attributes(item, to[1])
    return found


def orientation_attributes(item: Element, quat: Quat) -> Attributes:
    """The attributes that turn an element; euler angles stay euler angles of the same order."""
    degree, sequence = angle_settings(item.spec.tree.root)
    if item.own("euler") is not None and sequence == "xyz":
        angles = _euler_xyz(quat)
        return {"euler": numbers([x * 180 / pi if degree else x for x in angles])}
    others = {kind: None for kind in ORIENTATIONS if kind != "quat" and item.own(kind) is not None}
    return {**others, "quat": numbers(quat)}


def _euler_xyz(quat: Quat) -> Vec3:
    """Angles about x, the new y and the new z."""
    from math import asin, atan2

    w, x, y, z = quat
    sine = max(-1.0, min(1.0, 2 * (x * z + w * y)))
    if abs(sine) > 1 - 1e-12:
        return 2 * atan2(x, w), asin(sine), 0.0
    return (
        atan2(2 * (w * x - y * z), 1 - 2 * (x * x + y * y)),
        asin(sine),
        atan2(2 * (w * z - x * y), 1 - 2 * (y * y + z * z)),
    )


def numbers(values: Sequence[float]) -> str:
    """Numbers as a text, without what rounding has left: 12 digits, as for a model of a few metres."""
    return format_numbers([round(float(value), 12) + 0.0 for value in values])


def _turned(point: Sequence[float], old: Vec3, new: Vec3, turn: Quat) -> Vec3:
    arm = rot_vec_quat((point[0] - old[0], point[1] - old[1], point[2] - old[2]), turn)
    return (arm[0] + new[0], arm[1] + new[1], arm[2] + new[2])


def _close(a: Sequence[float], b: Sequence[float]) -> bool:
    return sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True))) < 1e-12
