"""Tools that place the selection by hand: which handles it has, and what a drag of one does to the numbers.

A drag is computed in the frame of the element's numbers, from the model as it was when it began: so it depends only on
where the pointer is now, and the frame may move meanwhile.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from app.model.angle_unit import DEGREE
from app.model.placed import Numbers, Placed, moved, placed, resized, sized, spanned, spans
from app.model.placing import (
    Array,
    Pose,
    Ray,
    across,
    along_axis,
    around_ring,
    compose,
    continued,
    face_moved,
    inverse,
    is_sideways,
    on_plane,
    seen_from,
    shift,
    snapped,
    turn,
    turned_along,
)
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.run.commands import SetData, SetField
from app.scene.camera import View
from app.scene.decor.handles import AMBER, END, LIMIT, MOVE, PALE, SCREEN, SIZE, SLIDE, TURN, Handle, axis_colours
from sim import quat_to_mat
from sim.enums import GEOM_CAPSULE, GEOM_CYLINDER, GEOM_ELLIPSOID, GEOM_SPHERE, JNT_HINGE, JNT_SLIDE

if TYPE_CHECKING:
    from app.view.joint_edits import JointSweep

SELECT, MOVING, TURNING, SCALING, JOINT, MEASURE = "select", "move", "turn", "scale", "joint", "measure"
AXES = ("world", "parent", "local")
GRID, SURFACE, FRAME = "grid", "surface", "frame"
# length of an arrow in heights of the view
LENGTH = 0.15
# the smallest size that a drag leaves, m
LEAST = 1e-4
# how much larger the ring about the line of sight is, and how far beyond a face its knob is
VIEW_RING, BEYOND, FARTHER = 1.18, 0.06, 0.3
LETTERS = "xyz"
# gestures of panels count upwards
gestures = count(-1, -1)


@dataclass
class Tools:
    """The tool in hand, its switches, and the drag that is going on."""

    tool: str = SELECT
    axes: str = "world"
    # whether drags snap, to what, and in which steps, m and rad
    snap: bool = False
    snap_to: str = GRID
    grid: float = 0.01
    angle: float = 5.0 / DEGREE
    # a body moves without what is in it
    stay: bool = False
    # inertia and centre of mass of the selection are shown
    inertia: bool = False
    hovered: int = -1
    drag: HandleDrag | None = None
    # the button is held since a handle was pressed
    held: bool = False
    sweep: JointSweep | None = None
    # points of the tape, up to three
    points: list[Array] = field(default_factory=list)

    @property
    def places(self) -> bool:
        """Whether the tool has handles."""
        return self.tool in (MOVING, TURNING, SCALING, JOINT)


def arrow_length(seen: View, place: Array) -> float:
    """The length of an arrow that is as long on the screen everywhere."""
    depth = max(float((place - seen.eye) @ -seen.axes[:, 2]), seen.near)
    return LENGTH * seen.height_at(depth)


def subject(model: ModelView, state: StateView, tools: Tools, selection: Selection | None) -> Placed | None:
    """What the tool places."""
    if tools.tool == JOINT:
        joint = joint_of(model, selection)
        return None if joint is None else placed(model, state, Selection("joint", joint))
    return placed(model, state, selection) if tools.places else None


def joint_of(model: ModelView, selection: Selection | None) -> int | None:
    """The hinge or slide that is selected, or the first one of the body that is."""
    if selection is None or selection.kind not in ("joint", "body"):
        return None
    joints: Sequence[int] = (selection.index,)
    if selection.kind == "body":
        first = int(model.body_jntadr[selection.index])
        joints = range(first, first + int(model.body_jntnum[selection.index]))
    return next((j for j in joints if j < model.njnt and model.jnt_type[j] in (JNT_HINGE, JNT_SLIDE)), None)


# ---- handles


def handles_of(
    model: ModelView, state: StateView, seen: View, tools: Tools, selection: Selection | None
) -> tuple[tuple[Handle, ...], float]:
    """The handles of the selection, and the length of an arrow; none without something to place."""
    what = subject(model, state, tools, selection)
    if what is None:
        return (), 0.0
    pose = what.shown(state)
    if not np.isfinite(pose.pos).all():
        return (), 0.0
    length = arrow_length(seen, pose.pos)
    axes = _axes(tools.axes, what, pose, state)
    made = {
        MOVING: lambda: _to_move(pose.pos, axes, seen),
        TURNING: lambda: _to_turn(pose.pos, axes, seen),
        SCALING: lambda: _to_scale(model, what, pose, length),
        JOINT: lambda: _of_joint(model, state, what.index),
    }[tools.tool]()
    return tuple(made), length


def _axes(which: str, what: Placed, pose: Pose, state: StateView) -> Array:
    """The axes as columns."""
    if which == "world":
        return np.eye(3)
    return np.asarray(quat_to_mat((what.frame(state) if which == "parent" else pose).quat))


def _to_move(place: Array, axes: Array, seen: View) -> Iterator[Handle]:
    colours = axis_colours()
    for k in range(3):
        yield Handle(MOVE, place, axes[:, k], colours[k], k)
    for k in range(3):
        yield Handle(SLIDE, place, axes[:, k], colours[k], k, zero=axes[:, (k + 1) % 3])
    yield Handle(SCREEN, place, seen.axes[:, 2], PALE)


def _to_turn(place: Array, axes: Array, seen: View) -> Iterator[Handle]:
    colours = axis_colours()
    for k in range(3):
        yield Handle(TURN, place, axes[:, k], colours[k], k)
    yield Handle(TURN, place, seen.axes[:, 2], PALE, 3, size=VIEW_RING)


def _to_scale(model: ModelView, what: Placed, pose: Pose, length: float) -> Iterator[Handle]:
    """Knobs on faces, ends and radii, and beyond its ends what moves one of them."""
    colours, axes = axis_colours(), np.asarray(quat_to_mat(pose.quat))
    if what.kind not in ("geom", "site"):
        return
    size, kind = model.read(f"{what.kind}_size")[what.index], int(model.read(f"{what.kind}_type")[what.index])
    for axis, column in sized(model, what):
        round_ = column == 0 and kind in (GEOM_SPHERE, GEOM_CAPSULE, GEOM_CYLINDER)
        for k in (0, 1, 2) if kind == GEOM_SPHERE else (0, 1) if round_ else (axis,):
            reach = float(size[column]) + (float(size[0]) if kind == GEOM_CAPSULE and column else 0.0)
            for sign in (1.0, -1.0):
                direction = sign * axes[:, k]
                place = pose.pos + (reach + BEYOND * length) * direction
                yield Handle(SIZE, place, direction, colours[k], column)
    if spans(model, what):
        reach = float(size[1]) + (float(size[0]) if kind == GEOM_CAPSULE else 0.0) + FARTHER * length
        for sign in (1.0, -1.0):
            yield Handle(END, pose.pos + sign * reach * axes[:, 2], sign * axes[:, 2], PALE, int(sign))


def _of_joint(model: ModelView, state: StateView, joint: int) -> Iterator[Handle]:
    """Its two limits: on an arc about the axis of a hinge, on the axis of a slide."""
    scale = joint_scale(model, state, joint)
    for column in (0, 1):
        place = limit_place(model, state, joint, float(model.jnt_range[joint, column]), scale)
        yield Handle(LIMIT, place, np.array(state.xaxis[joint]), AMBER, column)


def joint_scale(model: ModelView, state: StateView, joint: int) -> float:
    """The radius of the arc of limits: that of what the joint moves."""
    reach = Selection("body", int(model.jnt_bodyid[joint])).radius(model, state)
    return max(min(0.6 * reach, 3 * float(model.stat.meansize)), 0.5 * float(model.stat.meansize))


def joint_zero(model: ModelView, state: StateView, joint: int) -> Array:
    """The direction at right angles to a hinge that is at angle 0; it turns with the parent."""
    axis = np.array(state.xaxis[joint], np.float64)
    body = int(model.jnt_bodyid[joint])
    turned = np.asarray(state.xmat[body], np.float64).reshape(3, 3)
    mine = turned @ across(np.array(model.jnt_axis[joint], np.float64))
    mine = mine - (mine @ axis) * axis
    mine /= max(float(np.linalg.norm(mine)), 1e-12)
    return turn(np.zeros(3), axis, -joint_value(model, state, joint)).vector(mine)


def joint_value(model: ModelView, state: StateView, joint: int) -> float:
    """Its coordinate."""
    return float(state.qpos[model.jnt_qposadr[joint]])


def limit_place(model: ModelView, state: StateView, joint: int, value: float, scale: float) -> Array:
    """Where a limit is drawn: on the arc, or along the axis from where the joint is now."""
    axis, anchor = np.array(state.xaxis[joint], np.float64), np.array(state.xanchor[joint], np.float64)
    if model.jnt_type[joint] == JNT_SLIDE:
        return anchor + (value - joint_value(model, state, joint)) * axis
    zero = joint_zero(model, state, joint)
    return anchor + scale * (math.cos(value) * zero + math.sin(value) * np.cross(axis, zero))


# ---- a drag


def edit_of(numbers: Iterable[Numbers]) -> SetField:
    """One edit of all these numbers."""
    first, *others = (
        SetField(path, value, (row,), column if len(values) > 1 else None)
        for path, row, values in numbers
        for column, value in enumerate(values)
    )
    return replace(first, also=tuple(others))


@dataclass
class HandleDrag:
    """A handle that is dragged: what it places, and all as it was at the start, in the frame of its numbers."""

    handle: Handle
    what: Placed
    model: ModelView
    # the element as it was drawn
    here: Pose
    place: Array
    axis: Array
    zero: Array
    began: Ray
    stay: bool
    gesture: int = field(default_factory=lambda: next(gestures))
    angle: float = 0.0
    typed: str = ""
    text: str = ""
    numbers: tuple[Numbers, ...] = ()
    # coordinates of the joint at the start
    value: float = 0.0

    @classmethod
    def begin(
        cls, handle: Handle, what: Placed, model: ModelView, state: StateView, ray: Ray, stay: bool
    ) -> HandleDrag:
        """Begin where a ray meets the handle."""
        frame = what.frame(state)
        back = inverse(frame)
        zero = handle.zero if handle.zero is not None else across(handle.axis)
        drag = cls(
            handle, what, model, compose(back, what.shown(state)), back.point(handle.place), back.vector(handle.axis),
            back.vector(zero), seen_from(frame, ray), stay,
        )  # fmt: skip
        if handle.does == LIMIT:
            drag.value = joint_value(model, state, what.index)
            zero = joint_zero(model, state, what.index)
            drag.zero, drag.place = back.vector(zero), back.point(np.array(state.xanchor[what.index], np.float64))
        return drag

    def follow(self, state: StateView, ray: Ray, steps: tuple[float, float], both: bool, spot: Array | None) -> bool:
        """Follow the pointer, in steps of m and rad, or to a spot in the world; returns whether numbers changed."""
        frame = self.what.frame(state)
        local = seen_from(frame, ray)
        target = None if spot is None else inverse(frame).point(spot)
        found = _FOLLOW[self.handle.does](self, local, steps, both, target)
        if found is None:
            return False
        changed = found != self.numbers
        self.numbers = found
        return changed

    def typed_numbers(self) -> list[float]:
        """What was typed; empty if it is not complete."""
        try:
            return [float(word) for word in self.typed.split()]
        except ValueError:
            return []

    def commands(self) -> SetField | SetData | None:
        """The edit of the model, or of the state."""
        if not self.numbers:
            return None
        if self.what.state:
            return self._state_command()
        return replace(edit_of(self._in_order()), gesture=self.gesture)

    def _in_order(self) -> list[Numbers]:
        """What the drag is about comes first: the journal names it."""
        return sorted(self.numbers, key=lambda part: part.path.endswith("_pos") == (self.handle.does == TURN))

    def _state_command(self) -> SetData:
        (_, _, pos), (_, _, quat) = self.numbers[:2]
        if self.what.state == "qpos":
            return SetData("qpos", self.what.start, (*pos, *quat), self.gesture)
        if self.handle.does == TURN:
            return SetData("mocap_quat", 4 * self.what.start, quat, self.gesture)
        return SetData("mocap_pos", 3 * self.what.start, pos, self.gesture)

    # each handle

    def _changed(self, change: Pose) -> tuple[Numbers, ...]:
        return moved(self.model, self.what, change, self.here if self.stay else None)

    def _move(self, ray: Ray, steps: tuple[float, float], both: bool, spot: Array | None) -> tuple[Numbers, ...] | None:
        start, now = (along_axis(one, self.place, self.axis) for one in (self.began, ray))
        typed = self.typed_numbers()
        if typed:
            way = typed[0]
        elif spot is not None:
            way = float((spot - self.here.pos) @ self.axis)
        elif start is None or now is None:
            return None
        else:
            way = snapped(now - start, steps[0])
        self.text = f"{LETTERS[self.handle.column]} {way:+.4g} m"
        return self._changed(shift(way * self.axis))

    def _slide(
        self, ray: Ray, steps: tuple[float, float], both: bool, spot: Array | None
    ) -> tuple[Numbers, ...] | None:
        flat = self.handle.does == SLIDE
        start, now = (on_plane(one, self.place, self.axis) for one in (self.began, ray))
        one, other = self.zero, np.cross(self.axis, self.zero)
        typed = self.typed_numbers()
        if len(typed) > 1:
            vector = typed[0] * one + typed[1] * other
        elif spot is not None:
            vector = spot - self.here.pos
            vector = vector - (vector @ self.axis) * self.axis if flat else vector
        elif start is None or now is None:
            return None
        else:
            way = now - start
            if flat:
                vector = snapped(float(way @ one), steps[0]) * one + snapped(float(way @ other), steps[0]) * other
            else:
                vector = np.array([snapped(float(part), steps[0]) for part in way])
        self.text = " ".join(f"{LETTERS[k]} {part:+.4g}" for k, part in enumerate(vector.tolist()) if part) + " m"
        return self._changed(shift(vector))

    def _turn(self, ray: Ray, steps: tuple[float, float], both: bool, spot: Array | None) -> tuple[Numbers, ...] | None:
        typed = self.typed_numbers()
        if typed:
            angle = typed[0] / DEGREE
        else:
            found = self._angle(ray)
            if found is None:
                return None
            self.angle = continued(found, self.angle)
            angle = snapped(self.angle, steps[1])
        self.text = f"{(*LETTERS, '')[self.handle.column]} {angle * DEGREE:+.4g}°".strip()
        return self._changed(turn(self.here.pos, self.axis, angle))

    def _angle(self, ray: Ray) -> float | None:
        """How far a ring has turned since the start."""
        if is_sideways(self.began, self.axis):
            grabbed = self.began.origin + self.began.direction * float(
                (self.place - self.began.origin) @ self.began.direction
            )
            start, now = (turned_along(one, self.place, self.axis, grabbed) for one in (self.began, ray))
        else:
            start, now = (around_ring(one, self.place, self.axis, self.zero) for one in (self.began, ray))
        return None if start is None or now is None else now - start

    def _size(self, ray: Ray, steps: tuple[float, float], both: bool, spot: Array | None) -> tuple[Numbers, ...] | None:
        start, now = (along_axis(one, self.place, self.axis) for one in (self.began, ray))
        size = self.model.read(f"{self.what.kind}_size")[self.what.index]
        kind, column = int(self.model.read(f"{self.what.kind}_type")[self.what.index]), self.handle.column
        # round things stay where they are
        centred = both or kind in (GEOM_SPHERE, GEOM_ELLIPSOID) or (kind in _ROUND and column == 0)
        before, typed = float(size[column]), self.typed_numbers()
        if typed:
            half = max(typed[0], LEAST)
            follow = 0.0 if centred else half - before
        elif start is None or now is None:
            return None
        else:
            way = snapped(now - start, steps[0])
            half, follow = face_moved(before, way, min(LEAST, before), centred)
        self.text = f"{before:.4g} → {half:.4g} m"
        inward = inverse(Pose(np.zeros(3), self.what.pose.quat)).vector(self.axis)
        return resized(self.model, self.what, column, half, follow * inward)

    def _end(self, ray: Ray, steps: tuple[float, float], both: bool, spot: Array | None) -> tuple[Numbers, ...] | None:
        half = float(self.model.read(f"{self.what.kind}_size")[self.what.index][1])
        ends = [self.what.pose.point(np.array([0.0, 0.0, sign * half])) for sign in (1.0, -1.0)]
        normal = self.began.direction
        start, now = (on_plane(one, self.place, normal) for one in (self.began, ray))
        if spot is None and (start is None or now is None):
            return None
        k = 0 if self.handle.column > 0 else 1
        way = spot - ends[k] if spot is not None else np.asarray(now) - np.asarray(start)
        ends[k] = ends[k] + (way if spot is not None else np.array([snapped(float(x), steps[0]) for x in way]))
        if np.linalg.norm(ends[0] - ends[1]) < 2 * LEAST:
            return None
        self.text = " ".join(f"{LETTERS[j]} {x:.4g}" for j, x in enumerate(ends[k].tolist())) + " m"
        return spanned(self.model, self.what, ends[0], ends[1])

    def _limit(
        self, ray: Ray, steps: tuple[float, float], both: bool, spot: Array | None
    ) -> tuple[Numbers, ...] | None:
        joint, column, typed = self.what.index, self.handle.column, self.typed_numbers()
        hinge = self.model.jnt_type[joint] == JNT_HINGE
        before = self.model.jnt_range[joint].tolist()
        if typed:
            value = typed[0] / DEGREE if hinge else typed[0]
        else:
            now = around_ring(ray, self.place, self.axis, self.zero) if hinge else self._slid(ray)
            if now is None:
                return None
            value = continued(now, self.numbers[0].values[column] if self.numbers else before[column]) if hinge else now
            value = snapped(value, steps[1 if hinge else 0])
        ends = [min(value, before[1]), before[1]] if column == 0 else [before[0], max(value, before[0])]
        self.text = f"{ends[column] * DEGREE:.4g}°" if hinge else f"{ends[column]:.4g} m"
        limited = Numbers("jnt_limited", joint, (float(ends[0] < ends[1]),))
        return (Numbers("jnt_range", joint, (round(ends[0], 9), round(ends[1], 9))), limited)

    def _slid(self, ray: Ray) -> float | None:
        """The coordinate of a slide at the point of its axis that is nearest to a ray."""
        way = along_axis(ray, self.place, self.axis)
        return None if way is None else self.value + way


_ROUND = (GEOM_CAPSULE, GEOM_CYLINDER)
_FOLLOW = {
    MOVE: HandleDrag._move, SLIDE: HandleDrag._slide, SCREEN: HandleDrag._slide, TURN: HandleDrag._turn,
    SIZE: HandleDrag._size, END: HandleDrag._end, LIMIT: HandleDrag._limit,
}  # fmt: skip
