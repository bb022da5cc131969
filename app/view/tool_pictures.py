"""What tools draw into the view: handles, the limits of a joint, the tape, the inertia of the selection."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from app.model.views import ModelView, StateView
from app.scene.camera import View
from app.scene.decor.bodies import inertia
from app.scene.decor.handles import AMBER, BRIGHT, arc_points, handle_batches, lines
from app.scene.instances import GLOWING, ID, ID_STEP, NO_TEXTURE, Batch, arrows, instance_rows
from app.view.tools import (
    JOINT,
    MEASURE,
    arrow_length,
    handles_of,
    joint_of,
    joint_scale,
    joint_value,
    joint_zero,
    limit_place,
)
from app.view.view_state import ViewState
from sim.enums import JNT_HINGE

# radius of lines, of knobs and of the centre of mass, in lengths of an arrow
LINE, KNOB, CENTRE = 0.009, 0.03, 0.06
PALE = np.array([0.93, 0.94, 0.96, 1.0])


def tool_batches(model: ModelView, state: StateView, view: ViewState, seen: View) -> tuple[Batch, ...]:
    """All of it; nothing in a video of the view alone."""
    tools, selection = view.tools, view.outlined
    found: tuple[Batch, ...] = ()
    if tools.tool == MEASURE:
        found += _tape(view, seen)
    if selection is None or not selection.exists(model, state):
        return found
    if tools.inertia and selection.body(model, state) > 0:
        found += _inertia(model, state, view, seen, selection.body(model, state))
    if tools.tool == JOINT and (joint := joint_of(model, selection)) is not None:
        found += _joint(model, state, seen, joint)
    handles, length = handles_of(model, state, seen, tools, selection)
    chosen = tools.hovered
    return found + handle_batches(handles, length, chosen, alone=tools.drag is not None and chosen < len(handles))


def _tape(view: ViewState, seen: View) -> tuple[Batch, ...]:
    """Its points, and the lines between them."""
    points = np.array(view.tools.points)
    if not len(points):
        return ()
    length = arrow_length(seen, points[0])
    rows = instance_rows(
        points, np.broadcast_to(np.eye(3), (len(points), 3, 3)), np.full((len(points), 3), KNOB * length),
        np.broadcast_to(BRIGHT, (len(points), 4)), GLOWING,
    )  # fmt: skip
    knobs = Batch("sphere", NO_TEXTURE, rows, lod=1)
    return (knobs, lines(points[:-1], points[1:], LINE * length, BRIGHT)) if len(points) > 1 else (knobs,)


def _joint(model: ModelView, state: StateView, seen: View, joint: int) -> tuple[Batch, ...]:
    """Its axis as an arrow, the range as an arc or a bar, and where it is now."""
    anchor, axis = np.array(state.xanchor[joint], np.float64), np.array(state.xaxis[joint], np.float64)
    length, scale = arrow_length(seen, anchor), joint_scale(model, state, joint)
    found = arrows(anchor[None], (1.2 * scale * axis)[None], 0.02 * length, AMBER[None])
    low, high = (float(end) for end in model.jnt_range[joint])
    value, limited = joint_value(model, state, joint), bool(model.jnt_limited[joint])
    if model.jnt_type[joint] != JNT_HINGE:
        ends = np.array([limit_place(model, state, joint, end, scale) for end in (low, high)])
        return (*found, lines(ends[:1], ends[1:], 2 * LINE * length, AMBER)) if limited else tuple(found)
    zero = joint_zero(model, state, joint)
    arc = (low, min(high, low + math.tau)) if limited else (0.0, math.tau)
    points = arc_points(anchor, axis, zero, scale, arc)
    now = limit_place(model, state, joint, value, scale)
    return (
        *found,
        lines(points[:-1], points[1:], LINE * length * (2 if limited else 1), AMBER if limited else PALE),
        lines(anchor[None], now[None], LINE * length, BRIGHT),
    )


def _inertia(model: ModelView, state: StateView, view: ViewState, seen: View, body: int) -> tuple[Batch, ...]:
    """The box or ellipsoid of equal inertia of one body, and a ball at its centre of mass."""
    found = []
    for batch in inertia(model, state, view.options):
        own = batch.instances[batch.instances[:, ID] % ID_STEP == body]
        if len(own):
            found.append(replace(batch, instances=own))
    place = np.array(state.xipos[body], np.float64)
    radius = CENTRE * arrow_length(seen, place)
    colour = np.asarray(model.vis.rgba.com, np.float64)[None]
    rows = instance_rows(place[None], np.eye(3)[None], np.full((1, 3), radius), colour, GLOWING)
    return (*found, Batch("sphere", NO_TEXTURE, rows, lod=1))
