"""The Joints panel: sliders for hinge and slide joints with limits, drag fields for all others, with a filter.

Orientations are shown as rotation vectors (axis times angle).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from imgui_bundle import imgui

from app.model.angle_unit import shown_unit
from app.model.drive_table import Floats, Indices, joint_table, moving_joints
from app.model.views import ModelView, StateView
from app.run.commands import Send, SetData
from app.run.snapshot import Snapshot
from app.ui.widgets import Move, drag_evenly, em, note, number_field, tooltip
from app.view.view_state import ViewState
from app.window.panels.drive_list import (
    Drives,
    Number,
    filtered,
    list_rows,
    name_cell,
    name_width,
    nothing,
    number_cells,
)
from sim.enums import JNT_FREE, JNT_HINGE, JNT_SLIDE
from sim.script.rotation import quat_integrate, quat_to_vel

# per pixel, without limits: rad, and a fraction of the model's extent; steps between the limits
ROTATE, MOVE, STEPS = 0.01, 0.002, 200
# lines of each joint type: a free joint has its name, position and orientation
LINES = np.array([3, 2, 1, 1])

NO_ROTATION = (1.0, 0.0, 0.0, 0.0)
WAYS = "right-click: {}; ctrl+click: type a number"
# unit as shown -> how its numbers are printed: a blank where others have a sign, so that digits stay in place
FORMS = {"rad": "% .3f", "°": "% .1f", "m": "% .4f"}


def joints_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Filter, then all joints that it finds."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None or not model.njnt:
        note("this model has no joints")
        return
    shown = _head(model, state, view, send)
    if imgui.begin_child("joints", window_flags=imgui.WindowFlags_.no_nav_inputs):
        lines = LINES[model.jnt_type]
        list_rows(view.ui.joints, shown, lines, lambda row, line: _line(row, line, model, state, view, send))
        if not len(shown):
            nothing("joints")
    imgui.end_child()


def _head(model: ModelView, state: StateView, view: ViewState, send: Send) -> Indices:
    """Filter; returns the joints to show."""
    table, chosen = joint_table(model), view.ui.joints
    base, moving = _base(model, chosen.keyframe), moving_joints(model, state.qvel)
    drives = Drives("qpos", state.qpos, base, "qpos0", ("##qpos", "##turn"), moving)
    return filtered(model, view, chosen, table, "joints", drives, send)


def _base(model: ModelView, keyframe: int) -> Floats:
    """The positions that count as unchanged."""
    return model.key_qpos[keyframe] if 0 <= keyframe < model.nkey else model.qpos0


def _line(joint: int, line: int, model: ModelView, state: StateView, view: ViewState, send: Send) -> None:
    """One line of a joint."""
    kind, first = int(model.jnt_type[joint]), int(model.jnt_qposadr[joint])
    if kind in (JNT_SLIDE, JNT_HINGE):
        _slider(joint, model, state, view, send)
    elif line == 0:
        name_cell(view, joint_table(model), joint, imgui.get_content_region_avail().x, "select the joint")
    elif kind == JNT_FREE and line == 1:
        _position(first, model, state, view, send)
    else:
        _orientation(first + (3 if kind == JNT_FREE else 0), model, state, view, send)


def _slider(joint: int, model: ModelView, state: StateView, view: ViewState, send: Send) -> None:
    """A hinge or a slide: a slider between the limits and a number, or a number alone without limits."""
    hinge, first = model.jnt_type[joint] == JNT_HINGE, int(model.jnt_qposadr[joint])
    factor, unit = shown_unit("rad" if hinge else "m", view.prefs.degrees)
    start = float(_base(model, view.ui.joints.keyframe)[first])
    hint = partial(_hint, model, joint, first, factor, unit, start)
    left, names = imgui.get_cursor_pos_x(), name_width(joint_table(model))
    name_cell(view, joint_table(model), joint, names, hint)
    imgui.same_line(left + names + imgui.get_style().item_inner_spacing.x)
    ends, step = None, (ROTATE if hinge else MOVE * float(model.stat.extent)) * factor
    if model.jnt_limited[joint]:
        low, high = (float(end) * factor for end in model.jnt_range[joint])
        if np.isfinite(high - low):
            ends, step = (low, high), max((high - low) / STEPS, 1e-9)
    number = Number(f"##qpos{first}", float(state.qpos[first]) * factor, drag_evenly(step), FORMS[unit], unit, ends)
    wanted, restored = number_cells(view, view.ui.joints, joint, number, hint)
    if restored or wanted is not None:
        send(SetData("qpos", first, (start if restored or wanted is None else wanted / factor,)))


def _hint(model: ModelView, joint: int, first: int, factor: float, unit: str, start: float) -> str:
    """The tooltip of a hinge or a slide."""
    reach = "no limits"
    if model.jnt_limited[joint]:
        low, high = (float(end) * factor for end in model.jnt_range[joint])
        reach = f"{low:.4g} to {high:.4g} {unit}; joint/range"
    ways = WAYS.format(f"{start * factor:.4g} {unit}")
    name = joint_table(model).labels[joint]
    return f"{name}\nd.qpos[{first}]   [{unit}]\n{reach}\n{ways}; click the name: select"


def _position(first: int, model: ModelView, state: StateView, view: ViewState, send: Send) -> None:
    """Three coordinates in metres."""
    base = _base(model, view.ui.joints.keyframe)[first : first + 3]
    places = state.qpos[first : first + 3]
    move, hints = (
        drag_evenly(MOVE * float(model.stat.extent)),
        [
            f"d.qpos[{first + k}]   [m]\nposition of the body in the world\n{WAYS.format(f'{base[k]:.4g} m')}"
            for k in range(3)
        ],
    )
    for k, wanted, restored in _three(view, [f"##qpos{first + k}" for k in range(3)], places, move, "% .3f", hints):
        if restored or wanted is not None:
            send(SetData("qpos", first + k, (float(base[k]) if restored or wanted is None else wanted,)))


def _orientation(first: int, model: ModelView, state: StateView, view: ViewState, send: Send) -> None:
    """A rotation vector."""
    factor, unit = shown_unit("rad", view.prefs.degrees)
    vector, there = quat_to_vel(state.qpos[first : first + 4]) * factor, slice(first, first + 4)
    ways = WAYS.format("the default")
    hints = [f"d.qpos[{first}:{first + 4}]   [{unit}]\norientation: axis times angle\n{ways}"] * 3
    keys, form = [f"##turn{first}.{k}" for k in range(3)], "% .1f°" if view.prefs.degrees else "% .3f"
    for k, wanted, restored in _three(view, keys, vector, drag_evenly(ROTATE * factor), form, hints):
        quat = _base(model, view.ui.joints.keyframe)[there]
        if wanted is not None and not restored:
            quat = quat_integrate(NO_ROTATION, np.where(np.arange(3) == k, wanted, vector) / factor, 1.0)
        if restored or wanted is not None:
            send(SetData("qpos", first, tuple(quat.tolist())))


def _three(
    view: ViewState, keys: list[str], values: Floats, move: Move, form: str, hints: list[str]
) -> Iterator[tuple[int, float | None, bool]]:
    """Fields for x, y and z in a line: which, the user's new value, and whether it was right-clicked."""
    width = (imgui.get_content_region_avail().x - em(1)) / 3
    for k, key in enumerate(keys):
        if k:
            imgui.same_line(0, em(0.5))
        imgui.set_next_item_width(width)
        wanted = number_field(view, key, values.tolist(), k, move, form=f"{'xyz'[k]} {form}")
        tooltip(hints[k])
        yield k, wanted, imgui.is_item_clicked(imgui.MouseButton_.right)
