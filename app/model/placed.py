"""The pose of an element that can be placed by hand: where its numbers are, and what they become by a rigid change.

Numbers are given in the frame of a body, `owner`: of a body that of its parent, of all else that of its own body. A
free or mocap body has its pose in the state, in the frame of the world.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.model.placing import HERE, Pose, compose, inverse, span
from app.model.selection import PLACES, Selection
from app.model.views import ModelView, StateView
from sim import mat_to_quat
from sim.analysis.element_types import OWNERS
from sim.enums import (
    GEOM_BOX,
    GEOM_CAPSULE,
    GEOM_CYLINDER,
    GEOM_ELLIPSOID,
    GEOM_PLANE,
    GEOM_SPHERE,
    JNT_FREE,
    JNT_HINGE,
    JNT_SLIDE,
)

Array = NDArray[np.float64]
WORLD = 0
# digits of a length in m, and what rounding may change
DIGITS, SAME = 9, 1e-12
# type of element -> prefix of its fields, and the field that turns it
FIELDS = {
    "body": ("body", "quat"), "geom": ("geom", "quat"), "site": ("site", "quat"), "camera": ("cam", "quat"),
    "light": ("light", "dir"), "joint": ("jnt", "axis"),
}  # fmt: skip
# rotations of elements in the world; those of lights and joints are directions
ROTATIONS = {"body": "xmat", "geom": "geom_xmat", "site": "site_xmat", "camera": "cam_xmat"}
# type of geom -> axes along which it has a size, and the columns of these
SIZED: dict[int, tuple[tuple[int, int], ...]] = {
    GEOM_PLANE: ((0, 0), (1, 1)),
    GEOM_SPHERE: ((0, 0),),
    GEOM_CAPSULE: ((0, 0), (2, 1)),
    GEOM_CYLINDER: ((0, 0), (2, 1)),
    GEOM_ELLIPSOID: ((0, 0), (1, 1), (2, 2)),
    GEOM_BOX: ((0, 0), (1, 1), (2, 2)),
}
SPANNING = (GEOM_CAPSULE, GEOM_CYLINDER)


class Numbers(NamedTuple):
    """Numbers of one row of a field."""

    path: str
    row: int
    values: tuple[float, ...]


@dataclass(frozen=True)
class Placed:
    """An element and its pose in the frame of a body; or in the state: in the field `state` of Data, from `start`."""

    kind: str
    index: int
    owner: int
    pose: Pose
    state: str = ""
    start: int = 0

    def frame(self, state: StateView) -> Pose:
        """The frame of the owner in the world."""
        return body_pose(state, self.owner)

    def shown(self, state: StateView) -> Pose:
        """Its pose in the world as it is drawn."""
        place = np.array(getattr(state, PLACES[self.kind])[self.index], np.float64)
        if self.kind in ROTATIONS:
            return Pose(place, np.asarray(mat_to_quat(getattr(state, ROTATIONS[self.kind])[self.index])))
        return Pose(place, self.frame(state).quat)


def body_pose(state: StateView, body: int) -> Pose:
    """The pose of a body in the world."""
    return Pose(np.array(state.xpos[body], np.float64), np.asarray(mat_to_quat(state.xmat[body])))


def free_start(model: ModelView, body: int) -> int:
    """The place of the free joint of a body in qpos; -1 if it has none."""
    joint = int(model.body_jntadr[body])
    free = joint >= 0 and int(model.jnt_type[joint]) == JNT_FREE
    return int(model.jnt_qposadr[joint]) if free else -1


def placed(model: ModelView, state: StateView, selection: Selection | None) -> Placed | None:
    """What can be placed of the selection; not the world, nor what has no place in the model."""
    if selection is None or selection.kind not in FIELDS or not selection.exists(model, state):
        return None
    kind, k = selection.kind, selection.index
    if kind == "body":
        return _body(model, state, k) if k > 0 else None
    if kind == "joint" and model.jnt_type[k] == JNT_FREE:
        return _body(model, state, int(model.jnt_bodyid[k]))
    prefix, turn = FIELDS[kind]
    quat = np.array(model.read(f"{prefix}_quat")[k], np.float64) if turn == "quat" else HERE.quat
    return Placed(
        kind, k, int(getattr(model, OWNERS[kind])[k]), Pose(np.array(model.read(f"{prefix}_pos")[k], np.float64), quat)
    )


def _body(model: ModelView, state: StateView, body: int) -> Placed:
    """A body: its pose in its parent, or in the state."""
    start, mocap = free_start(model, body), int(model.body_mocapid[body])
    if start >= 0:
        numbers = np.array(state.qpos[start : start + 7], np.float64)
        return Placed("body", body, WORLD, Pose(numbers[:3], numbers[3:]), "qpos", start)
    if mocap >= 0:
        pose = Pose(np.array(state.mocap_pos[mocap], np.float64), np.array(state.mocap_quat[mocap], np.float64))
        return Placed("body", body, WORLD, pose, "mocap", mocap)
    return in_model(model, body)


def in_model(model: ModelView, body: int) -> Placed:
    """A body with its pose in the model."""
    pose = Pose(np.array(model.body_pos[body], np.float64), np.array(model.body_quat[body], np.float64))
    return Placed("body", body, int(model.body_parentid[body]), pose)


# ---- changes


def moved(model: ModelView, what: Placed, change: Pose, here: Pose | None = None) -> tuple[Numbers, ...]:
    """The numbers after a rigid change in the owner's frame.

    With `here`, the pose of a body in that frame as it is drawn, its frame moves alone: what is in it stays.
    """
    if here is None or what.kind != "body" or what.state:
        return tuple(_numbers(what, compose(change, what.pose), change, model))
    inside = compose(compose(inverse(here), change), here)
    return (*_numbers(what, compose(what.pose, inside), change, model), *_contents(model, what.index, inverse(inside)))


def _numbers(what: Placed, pose: Pose, change: Pose, model: ModelView) -> Iterator[Numbers]:
    """The numbers of one element; its direction turns with the change."""
    prefix, turn = FIELDS[what.kind]
    yield Numbers(f"{prefix}_pos", what.index, _plain(pose.pos, what.pose.pos))
    if turn == "quat":
        yield Numbers(f"{prefix}_quat", what.index, _turned(pose.quat, what.pose.quat))
    elif what.kind == "light" or model.jnt_type[what.index] in (JNT_HINGE, JNT_SLIDE):
        vector = np.array(model.read(f"{prefix}_{turn}")[what.index], np.float64)
        yield Numbers(f"{prefix}_{turn}", what.index, _turned(change.vector(vector), vector))


def _contents(model: ModelView, body: int, change: Pose) -> Iterator[Numbers]:
    """All that is in a body, after a change in its frame: children, elements, and the inertial frame."""
    for child in np.flatnonzero(np.asarray(model.body_parentid) == body).tolist():
        if child:
            inner = in_model(model, child)
            yield from _numbers(inner, compose(change, inner.pose), change, model)
    for kind, owner in OWNERS.items():
        prefix, turn = FIELDS[kind]
        for k in np.flatnonzero(np.asarray(getattr(model, owner)) == body).tolist():
            quat = np.array(model.read(f"{prefix}_quat")[k], np.float64) if turn == "quat" else HERE.quat
            inner = Placed(kind, k, body, Pose(np.array(model.read(f"{prefix}_pos")[k], np.float64), quat))
            yield from _numbers(inner, compose(change, inner.pose), change, model)
    inertial = Pose(np.array(model.body_ipos[body], np.float64), np.array(model.body_iquat[body], np.float64))
    if body not in model.from_geoms:
        frame = compose(change, inertial)
        yield Numbers("body_ipos", body, _plain(frame.pos, inertial.pos))
        yield Numbers("body_iquat", body, _turned(frame.quat, inertial.quat))


def _plain(values: Array, before: Array) -> tuple[float, ...]:
    """Lengths, rounded; what rounding alone would change stays as it was."""
    pairs = zip(values.tolist(), before.tolist(), strict=True)
    # 0 instead of -0
    return tuple(old if abs(new - old) < SAME else round(new, DIGITS) + 0.0 for new, old in pairs)


def _turned(values: Array, before: Array) -> tuple[float, ...]:
    """A quaternion or a direction of length 1; what rounding alone would change stays as it was."""
    if np.abs(values - before).max() < SAME:
        return tuple(before.tolist())
    return tuple(0.0 if abs(value) < SAME else value for value in (values / np.linalg.norm(values)).tolist())


# ---- sizes


def sized(model: ModelView, what: Placed) -> tuple[tuple[int, int], ...]:
    """Axes of a geom or site along which it has a size, and the columns of these; none of a mesh."""
    if what.kind not in ("geom", "site"):
        return ()
    axes = SIZED.get(int(model.read(f"{what.kind}_type")[what.index]), ())
    half = np.asarray(model.read(f"{what.kind}_size")[what.index])
    # an infinite plane has no edge
    return tuple((axis, column) for axis, column in axes if half[column] > 0)


def resized(model: ModelView, what: Placed, column: int, half: float, follow: Array) -> tuple[Numbers, ...]:
    """The numbers of a geom or site with another size, whose centre follows by a vector in its own frame."""
    before = np.array(model.read(f"{what.kind}_size")[what.index], np.float64)
    size = np.where(np.arange(len(before)) == column, half, before)
    pos = Numbers(f"{what.kind}_pos", what.index, _plain(what.pose.point(follow), what.pose.pos))
    return (Numbers(f"{what.kind}_size", what.index, _plain(size, before)), pos)


def spanned(model: ModelView, what: Placed, first: Array, second: Array) -> tuple[Numbers, ...]:
    """The numbers of a capsule or cylinder that spans two points of the owner's frame, its z axis to the first."""
    centre, half, quat = span(first, second, what.pose.quat)
    before = np.array(model.read(f"{what.kind}_size")[what.index], np.float64)
    size = np.where(np.arange(len(before)) == 1, half, before)
    found = (
        ("size", _plain(size, before)),
        ("pos", _plain(centre, what.pose.pos)),
        ("quat", _turned(quat, what.pose.quat)),
    )
    return tuple(Numbers(f"{what.kind}_{name}", what.index, values) for name, values in found)


def spans(model: ModelView, what: Placed) -> bool:
    """Whether it has two ends."""
    return what.kind in ("geom", "site") and int(model.read(f"{what.kind}_type")[what.index]) in SPANNING
