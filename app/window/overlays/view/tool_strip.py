"""The tools over the view: a strip of buttons, a line that says what will move, labels of a drag and of the tape."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.model.angle_unit import DEGREE
from app.model.number_drag import Rule
from app.model.placed import Placed
from app.model.placing import Array
from app.model.views import ModelView, StateView
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui.widgets import button, caption, checkbox, choice_row, disabled, drag_by_rule, em, icon_button, number_field
from app.view.input import tool_actions
from app.view.input.bindings import hint
from app.view.input.desk import Action
from app.view.joint_edits import JointSweep, can_zero, flip, initial_pose, limit_here, zero_here
from app.view.rect import Rect
from app.view.tools import (
    FRAME,
    GRID,
    JOINT,
    MEASURE,
    MOVING,
    SCALING,
    SELECT,
    SURFACE,
    TURNING,
    Tools,
    joint_of,
    subject,
)
from app.view.view_state import ViewState
from app.window.overlays.cards.card import corner
from app.window.overlays.view.gizmo import FLAGS
from app.window.overlays.view.marks import write_label
from sim.analysis.element_names import described

BUTTONS: tuple[tuple[str, str, Action], ...] = (
    (SELECT, icons.ICON_FA_ARROW_POINTER, tool_actions.select_tool),
    (MOVING, icons.ICON_FA_UP_DOWN_LEFT_RIGHT, tool_actions.move_tool),
    (TURNING, icons.ICON_FA_ROTATE, tool_actions.turn_tool),
    (SCALING, icons.ICON_FA_UP_RIGHT_AND_DOWN_LEFT_FROM_CENTER, tool_actions.scale_tool),
    (JOINT, icons.ICON_FA_ARROWS_SPIN, tool_actions.joint_tool),
    (MEASURE, icons.ICON_FA_RULER, tool_actions.measure_tool),
)
WINDOW = (FLAGS & ~imgui.WindowFlags_.no_background) | imgui.WindowFlags_.always_auto_resize
MARGIN_EM, LEAST_EM = 0.6, 22.0
SWITCHES = "tool switches"
AXES_HINTS = {
    "world": "along the axes of the world", "parent": "along those of the frame in which the numbers are given",
    "local": "along those of the element itself",
}  # fmt: skip
SNAP_HINTS = {
    GRID: "to multiples of a step", SURFACE: "to the surface under the pointer",
    FRAME: "to the nearest frame of a body, geom or site",
}  # fmt: skip
GRID_RULE, ANGLE_RULE = Rule(0.001, 1e-6), Rule(0.5, 0.01, 180.0)


def tool_strip(
    snapshot: Snapshot, view: ViewState, send: Send, act: Callable[[Action], None], rect: Rect, cards: bool
) -> None:
    """The strip in the upper left corner of the view, and next to it what the tool will do.

    Its room belongs to cards, if any are shown, until a tool is in hand.
    """
    model, state = snapshot.model, snapshot.state
    view.ui.taken.pop("tools", None)
    if model is None or state is None or view.ui.show_gallery or min(rect.width, rect.height) < em(LEAST_EM):
        return
    if cards and view.tools.tool == SELECT:
        return
    x, y = rect.x + em(MARGIN_EM), rect.y + em(MARGIN_EM)
    width, height = _window("##tools", x, y, partial(_strip, view, act))
    view.ui.taken["tools"] = Rect(rect.x, rect.y, width + em(2 * MARGIN_EM), height + em(2 * MARGIN_EM))
    tools = view.tools
    if tools.tool != SELECT:
        line = partial(_line, snapshot, view, send, model, state, rect)
        _window("##tool in hand", x + width + em(MARGIN_EM), y, line)
    if tools.drag is not None and tools.drag.text:
        _drag_label(view, model, state, rect)
    if tools.tool == MEASURE:
        _tape_labels(view, model, state, rect)


def _window(name: str, x: float, y: float, content: partial[None]) -> tuple[float, float]:
    """A small window at a place, behind all others; returns its size."""
    imgui.set_next_window_pos((x, y))
    imgui.set_next_window_bg_alpha(0.86)
    imgui.push_style_var(imgui.StyleVar_.window_padding, (em(0.4), em(0.25)))
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (em(0.3), em(0.15)))
    imgui.begin(name, None, WINDOW)
    imgui.pop_style_var()
    imgui.internal.bring_window_to_display_back(imgui.internal.get_current_window())
    content()
    size = imgui.get_window_size()
    imgui.end()
    imgui.pop_style_var()
    return size.x, size.y


def _strip(view: ViewState, act: Callable[[Action], None]) -> None:
    tools = view.tools
    for tool, icon, action in BUTTONS:
        if icon_button(icon, f"tool {tool}", hint(action), tools.tool == tool):
            act(action)
    if icon_button(icons.ICON_FA_MAGNET, "snap", hint(tool_actions.snapping), tools.snap):
        act(tool_actions.snapping)
    if icon_button(icons.ICON_FA_SLIDERS, "tool switches", "axes, steps, and what moves along"):
        imgui.open_popup(SWITCHES)
    imgui.push_style_var(imgui.StyleVar_.window_padding, (em(0.8), em(0.7)))
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (em(0.5), em(0.4)))
    if imgui.begin_popup(SWITCHES):
        _switches(view, tools)
        imgui.end_popup()
    imgui.pop_style_var(2)


def _switches(view: ViewState, tools: Tools) -> None:
    """Axes, snapping, and what moves along."""
    caption("axes")
    tools.axes = choice_row(AXES_HINTS, tools.axes, "axes")
    caption("snap; Ctrl during a drag does the opposite")
    tools.snap_to = choice_row(SNAP_HINTS, tools.snap_to, "snap")
    imgui.set_next_item_width(em(6))
    grid = number_field(view, "##grid step", (tools.grid,), 0, drag_by_rule(GRID_RULE), form="%.4g m")
    tools.grid = GRID_RULE.nearest(grid) if grid is not None else tools.grid
    imgui.same_line()
    imgui.set_next_item_width(em(6))
    angle = number_field(view, "##angle step", (tools.angle * DEGREE,), 0, drag_by_rule(ANGLE_RULE), form="%.4g°")
    tools.angle = ANGLE_RULE.nearest(angle) / DEGREE if angle is not None else tools.angle
    tools.stay = checkbox(
        "children stay", tools.stay, "move the frame of a body alone: its children and elements stay where they are"
    )
    tools.inertia = checkbox("inertia", tools.inertia, "show the inertia and the centre of mass of the selected body")


# ---- what will move


def _line(snapshot: Snapshot, view: ViewState, send: Send, model: ModelView, state: StateView, rect: Rect) -> None:
    """What a drag will change, and what else can be done to it."""
    tools, selection = view.tools, view.selection
    imgui.align_text_to_frame_padding()
    if tools.tool == MEASURE:
        caption("click two or three points" if len(tools.points) < 2 else "click for another point")
        return
    what = subject(model, state, tools, selection)
    if what is None:
        caption("select a body with a hinge or slide" if tools.tool == JOINT else NOTHING)
        return
    caption(says(model, tools, what))
    if what.state == "qpos":
        _beside(rect, "Make it the initial pose")
        if button("Make it the initial pose", "write this pose to pos and quat of the body in the model", small=True):
            edit = initial_pose(model, state, what.index)
            if edit is not None:
                send(edit)
    joint = joint_of(model, selection) if tools.tool == JOINT else None
    if joint is not None:
        _joint_buttons(snapshot, view, send, model, state, joint, rect)


NOTHING = "select a body, geom, site, camera, light or joint"


def says(model: ModelView, tools: Tools, what: Placed) -> str:
    """What a drag changes."""
    name = described(model, what.kind, what.index)
    if what.state:
        return f"moves the state of {name}: {'qpos' if what.state == 'qpos' else 'mocap pose'}"
    if tools.tool == SCALING:
        return f"size of {name}" if what.kind in ("geom", "site") else f"{name} has no size: select a geom or a site"
    if tools.tool == JOINT:
        return f"limits of {name}"
    if what.kind != "body":
        return f"moves {name} in its body"
    children = int(np.count_nonzero(np.asarray(model.body_parentid) == what.index))
    if tools.stay:
        return f"moves the frame of {name} alone"
    return f"moves {name}" + (f" with {children} child{'ren' * (children > 1)}" if children else "")


def _joint_buttons(
    snapshot: Snapshot, view: ViewState, send: Send, model: ModelView, state: StateView, joint: int, rect: Rect
) -> None:
    """Flip, limits and zero from this pose, sweep."""
    _beside(rect, "Flip")
    if button("Flip", "the axis the other way round; the limits stay where they are", small=True):
        send(flip(model, joint))
    for column, name in enumerate(("Lower", "Upper")):
        _beside(rect, f"{name} here")
        if button(f"{name} here", f"{name.lower()} limit from this pose", small=True):
            send(limit_here(model, state, joint, column))
    _beside(rect, "Zero here")
    why = "" if can_zero(model, joint) else "; only for the first joint of a body"
    if button("Zero here", f"zero pose from this pose{why}", can_zero(model, joint), small=True):
        for command in zero_here(model, state, joint):
            send(command)
    _beside(rect, "Sweep")
    with disabled(not snapshot.run.paused):
        if button("Sweep", "move it through its range in the picture, while paused", small=True):
            view.tools.sweep = JointSweep(joint, time.monotonic())


def _beside(rect: Rect, label: str) -> None:
    """The next button is in the line of the last item, if it is clear of the axes of the camera there."""
    end = imgui.get_item_rect_max().x + imgui.calc_text_size(label).x + em(2)
    if end < corner(rect).x:
        imgui.same_line()


# ---- labels


def _drag_label(view: ViewState, model: ModelView, state: StateView, rect: Rect) -> None:
    """The numbers of a drag, next to the element; what is typed has a cursor."""
    drag = view.tools.drag
    assert drag is not None
    text = f"{drag.text}   {drag.typed}|" if drag.typed else drag.text
    _label_at(view, model, state, rect, np.asarray(drag.what.shown(state).pos), text)


def _label_at(
    view: ViewState, model: ModelView, state: StateView, rect: Rect, place: Array, text: str, below: float = 0.0
) -> None:
    spot = view.current_view(model, state).project(place, rect.aspect)
    if spot is not None:
        write_label(text, rect.x + (1 + spot[0]) / 2 * rect.width, rect.y + (1 - spot[1]) / 2 * rect.height + below)


def _tape_labels(view: ViewState, model: ModelView, state: StateView, rect: Rect) -> None:
    """Lengths between points, and the angle at the second of three."""
    points = view.tools.points
    for place, text in tape_texts(points):
        # the angle is below its point
        _label_at(view, model, state, rect, place, text, em(1.6) if text.endswith("°") else 0.0)


def tape_texts(points: Sequence[Array]) -> list[tuple[Array, str]]:
    """Where each text of the tape is, and the text."""
    found = []
    for first, second in pairwise(points):
        away = second - first
        parts = ", ".join(f"{part:.4g}" for part in away.tolist())
        found.append(((first + second) / 2, f"{float(np.linalg.norm(away)):.4g} m   ({parts})"))
    if len(points) == 3:
        a, b = points[0] - points[1], points[2] - points[1]
        angle = math.atan2(float(np.linalg.norm(np.cross(a, b))), float(a @ b))
        found.append((points[1], f"{angle * DEGREE:.4g}°"))
    return found
