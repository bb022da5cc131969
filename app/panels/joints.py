"""The Joints panel: sliders for hinge and slide joints with limits, drag fields for all others.

Orientations are shown as rotation vectors (axis times angle).
"""

from __future__ import annotations

import math

import numpy as np
from imgui_bundle import imgui

from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.run.commands import Send, SetData
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import drag_or_slider, em, skip_if_clipped, tooltip
from app.view.view_state import ViewState
from sim.analysis.element_names import element_name
from sim.enums import JNT_FREE, JNT_HINGE, JNT_SLIDE
from sim.script.rotation import quat_integrate, quat_to_vel

# per pixel, without limits: degrees, and a fraction of the model's extent
ROTATE, MOVE = 0.5, 0.002

NO_ROTATION = (1.0, 0.0, 0.0, 0.0)
WAYS = "right-click: the file's value; ctrl+click: type a number"


def joints_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """All joints."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None or not model.njnt:
        imgui.text_colored(theme.DIM, "this model has no joints")
        return
    if not imgui.begin_child("joints", window_flags=imgui.WindowFlags_.no_nav_inputs):
        imgui.end_child()
        return
    line, row = imgui.get_text_line_height_with_spacing(), imgui.get_frame_height_with_spacing()
    for joint, kind in enumerate(model.jnt_type.tolist()):
        if skip_if_clipped(line + row * (2 if kind == JNT_FREE else 1)):
            continue
        imgui.push_id(joint)
        _joint(joint, model, state, view, send)
        imgui.pop_id()
    imgui.end_child()


def _joint(joint: int, model: ModelView, state: StateView, view: ViewState, send: Send) -> None:
    """The name of a joint and widgets for its coordinates."""
    name = element_name(model, "joint", joint)
    if imgui.selectable(f"{name}##joint", view.selection == Selection("joint", joint))[0]:
        view.select("joint", joint)
    tooltip("select the joint")
    kind, first = int(model.jnt_type[joint]), int(model.jnt_qposadr[joint])
    if kind in (JNT_SLIDE, JNT_HINGE):
        _slider(joint, model, state, view, send)
        return
    if kind == JNT_FREE:
        _position(first, model, state, view, send)
    _orientation(first + (3 if kind == JNT_FREE else 0), model, state, view, send)


def _slider(joint: int, model: ModelView, state: StateView, view: ViewState, send: Send) -> None:
    """A hinge in degrees or a slide in metres: a slider between the limits, or a drag field without limits."""
    hinge, first = model.jnt_type[joint] == JNT_HINGE, int(model.jnt_qposadr[joint])
    scale, form = (180 / math.pi, "%.1f°") if hinge else (1.0, "%.4f m")
    imgui.set_next_item_width(-1)
    value, key = float(state.qpos[first]) * scale, f"##qpos{first}"
    if model.jnt_limited[joint]:
        low, high = (float(end) * scale for end in model.jnt_range[joint])
        wanted = drag_or_slider(view, key, value, low, high, form)
    else:
        wanted = drag_or_slider(view, key, value, form=form, speed=ROTATE if hinge else MOVE * float(model.stat.extent))
    in_file = form.replace("%%", "%") % (float(model.qpos0[first]) * scale)
    tooltip(f"d.qpos[{first}]\n{_limits(model, joint)}\nin the file {in_file}\n{WAYS}")
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        wanted = float(model.qpos0[first]) * scale
    if wanted is not None:
        send(SetData("qpos", first, (wanted / scale,)))


def _limits(model: ModelView, joint: int) -> str:
    """The reach of the slider."""
    return "between the limits, joint/range" if model.jnt_limited[joint] else "no limits"


def _position(first: int, model: ModelView, state: StateView, view: ViewState, send: Send) -> None:
    """Three coordinates in metres."""
    speed = MOVE * float(model.stat.extent)
    imgui.push_item_width((imgui.get_content_region_avail().x - em(1)) / 3)
    for k in range(3):
        if k:
            imgui.same_line(0, em(0.5))
        at, start = first + k, float(model.qpos0[first + k])
        wanted = drag_or_slider(view, f"##qpos{at}", float(state.qpos[at]), form=f"{'xyz'[k]} %.3f", speed=speed)
        tooltip(f"d.qpos[{at}], m\nposition of the body in the world\nin the file {start:.4g}\n{WAYS}")
        if imgui.is_item_clicked(imgui.MouseButton_.right):
            wanted = start
        if wanted is not None:
            send(SetData("qpos", at, (wanted,)))
    imgui.pop_item_width()


def _orientation(first: int, model: ModelView, state: StateView, view: ViewState, send: Send) -> None:
    """A rotation vector in degrees."""
    vector = np.degrees(quat_to_vel(state.qpos[first : first + 4]))
    imgui.push_item_width((imgui.get_content_region_avail().x - em(1)) / 3)
    for k in range(3):
        if k:
            imgui.same_line(0, em(0.5))
        key = f"##turn{first}.{k}"
        wanted = drag_or_slider(view, key, float(vector[k]), form=f"{'xyz'[k]} %.1f°", speed=ROTATE)
        tooltip(f"d.qpos[{first}:{first + 4}]\norientation: axis times angle\n{WAYS}")
        if imgui.is_item_clicked(imgui.MouseButton_.right):
            send(SetData("qpos", first, tuple(model.qpos0[first : first + 4].tolist())))
        elif wanted is not None:
            vector[k] = wanted
            quat = quat_integrate(NO_ROTATION, np.radians(vector), 1.0)
            send(SetData("qpos", first, tuple(quat.tolist())))
    imgui.pop_item_width()
