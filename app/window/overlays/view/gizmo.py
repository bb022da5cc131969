"""The axes in the upper right corner of the view: they turn with the camera, and turn it.

A click on a side looks from there, a second one from the opposite side; a drag orbits. A level disc lies in the
middle, and an arrowhead on +Z points up. They are drawn by ImGui: pictures and videos without panels do not have them.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from imgui_bundle import imgui

from app.run.snapshot import Snapshot
from app.scene.camera import View
from app.ui.widgets import em, font, show_tooltip
from app.view.camera_motion import free_camera, turn_to
from app.view.rect import Rect
from app.view.view_state import ViewState

FLAGS = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_background
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_focus_on_appearing
    | imgui.WindowFlags_.no_nav
)
# length of an axis, radius of its end, and distance from the corner
AXIS_EM, BALL_EM, MARGIN_EM = 2.1, 0.64, 0.85
# a view smaller than this has no room for it
LEAST_EM = 12.0
# radius of the disc, in lengths of an axis; corners of its outline
DISC, CORNERS = 0.6, 40
AXES = "XYZ"
COLOURS = ((0.91, 0.30, 0.33), (0.42, 0.70, 0.22), (0.27, 0.54, 0.94))
SIDES = tuple((axis, sign) for axis in range(3) for sign in (1, -1))
# ink on the ends of axes; the disc from above and from below; what lies behind it all
INK, PALE = (0.05, 0.06, 0.08, 1.0), (1.0, 1.0, 1.0, 0.92)
ABOVE, BELOW = (0.92, 0.94, 0.98), (0.95, 0.62, 0.25)
HALO = (0.06, 0.07, 0.09)
# lengths of a drag are in axes: across the whole gizmo it turns by about 180 degrees
DRAG = 1 / 2.2
NAMES = {(0, 1): "+X", (0, -1): "-X", (1, 1): "+Y", (1, -1): "-Y", (2, 1): "+Z, above", (2, -1): "-Z, below"}


class End(NamedTuple):
    """An end of an axis on the screen; `depth` is -1 at the back, 1 in front."""

    axis: int
    sign: int
    x: float
    y: float
    depth: float


def place(view: ViewState, rect: Rect) -> tuple[float, float, float] | None:
    """Its middle and the length of an axis, in pixels; None if it is switched off, covered, or has no room."""
    if not view.prefs.show_gizmo or view.ui.show_gallery or min(rect.width, rect.height) < em(LEAST_EM):
        return None
    inset = em(MARGIN_EM + BALL_EM + AXIS_EM)
    return rect.x + rect.width - inset, rect.y + inset, em(AXIS_EM)


def ends(view: View, x: float, y: float, length: float) -> list[End]:
    """The six ends, the nearest last."""
    found = []
    for axis, sign in SIDES:
        right, up, toward = sign * view.axes[axis]
        found.append(End(axis, sign, x + length * float(right), y - length * float(up), float(toward)))
    return sorted(found, key=lambda end: end.depth)


def gizmo(snapshot: Snapshot, view: ViewState, rect: Rect) -> None:
    """Take clicks and drags; it is drawn by `draw_gizmo`, when the camera has moved."""
    view.ui.gizmo_side = None
    spot, model, state = place(view, rect), snapshot.model, snapshot.state
    if spot is None or model is None or state is None:
        return
    x, y, length = spot
    half = length + em(BALL_EM)
    imgui.set_next_window_pos((x - half, y - half))
    imgui.set_next_window_size((2 * half, 2 * half))
    imgui.push_style_var(imgui.StyleVar_.window_padding, (0, 0))
    imgui.begin("##gizmo", None, FLAGS)
    imgui.pop_style_var()
    imgui.internal.bring_window_to_display_back(imgui.internal.get_current_window())
    imgui.invisible_button("##axes of the camera", (2 * half, 2 * half))
    mouse = imgui.get_io().mouse_pos
    found = [end for end in ends(view.current_view(model, state), x, y, length) if _is_on(end, mouse.x, mouse.y)]
    hovered, dragged = imgui.is_item_hovered(), imgui.is_item_active() and imgui.is_mouse_dragging(0)
    # next to the ends it says what it is for
    view.ui.gizmo_side = ((found[-1].axis, found[-1].sign) if found else (-1, 0)) if hovered or dragged else None
    if dragged:
        move = imgui.get_io().mouse_delta
        if move.x or move.y:
            free_camera(view, snapshot)
            view.flight = None
            view.camera.orbit(DRAG * move.x / length, DRAG * move.y / length)
    elif imgui.is_item_deactivated() and hovered and found and not imgui.internal.is_mouse_drag_past_threshold(0):
        turn_to(view, snapshot, found[-1].axis, found[-1].sign)
    if not imgui.is_item_active() and imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        show_tooltip(_hint(view.ui.gizmo_side))
    imgui.end()


def _is_on(end: End, x: float, y: float) -> bool:
    return math.hypot(end.x - x, end.y - y) < 1.1 * em(BALL_EM)


def _hint(side: tuple[int, int] | None) -> str:
    """The tooltip of a side, or of the whole."""
    if side in NAMES:
        return f"look from {NAMES[side]}; click again: from the opposite side"
    return "click a side to look from there, drag to orbit"


def draw_gizmo(snapshot: Snapshot, view: ViewState, rect: Rect) -> None:
    """Draw it over the view, below all panels."""
    spot, model, state = place(view, rect), snapshot.model, snapshot.state
    if spot is None or model is None or state is None:
        return
    x, y, length = spot
    seen = view.current_view(model, state)
    draw = imgui.get_background_draw_list()
    draw.push_clip_rect((rect.x, rect.y), (rect.x + rect.width, rect.y + rect.height))
    side = view.ui.gizmo_side
    halo = imgui.get_color_u32((*HALO, 0.4 if side is not None else 0.16))
    draw.add_circle_filled((x, y), length + em(BALL_EM), halo, 48)
    parts = ends(seen, x, y, length)
    # the disc lies between what is behind it and what is in front
    behind = [end for end in parts if end.depth < 0]
    for end in behind:
        _end(draw, end, x, y, side)
    _disc(draw, seen, x, y, length)
    for end in parts[len(behind) :]:
        _end(draw, end, x, y, side)
    draw.pop_clip_rect()


def _disc(draw: imgui.ImDrawList, seen: View, x: float, y: float, length: float) -> None:
    """A level disc: pale from above, amber from below."""
    angle = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    ring = DISC * length * np.column_stack([np.cos(angle), np.sin(angle), np.zeros(CORNERS)]) @ seen.axes
    points: list[Any] = [imgui.ImVec2(x + float(right), y - float(up)) for right, up, _ in ring]
    colour = ABOVE if seen.axes[2, 2] >= 0 else BELOW
    draw.add_convex_poly_filled(points, imgui.get_color_u32((*colour, 0.16)))
    draw.add_polyline(points, imgui.get_color_u32((*colour, 0.55)), em(0.07), imgui.ImDrawFlags_.closed)


def _end(draw: imgui.ImDrawList, end: End, x: float, y: float, side: tuple[int, int] | None) -> None:
    """An end of an axis with its letter; positive ones are filled and have a line from the middle."""
    chosen, radius = side == (end.axis, end.sign), em(BALL_EM)
    # what is behind is darker
    light = 1.0 if chosen else 0.72 + 0.28 * (end.depth + 1) / 2
    red, green, blue = (light * part for part in COLOURS[end.axis])
    colour = imgui.get_color_u32((red, green, blue, 1.0))
    if end.sign > 0:
        draw.add_line((x, y), (end.x, end.y), colour, em(0.15))
        if end.axis == 2:
            _arrowhead(draw, end, x, y, colour)
        draw.add_circle_filled((end.x, end.y), radius, colour, 24)
    else:
        dark = imgui.get_color_u32((0.3 * red + 0.04, 0.3 * green + 0.04, 0.3 * blue + 0.05, 0.9))
        draw.add_circle_filled((end.x, end.y), 0.86 * radius, dark, 24)
        draw.add_circle((end.x, end.y), 0.86 * radius, colour, 24, em(0.1))
    if chosen:
        draw.add_circle((end.x, end.y), 1.08 * radius, imgui.get_color_u32(PALE), 24, em(0.1))
    with font("bold", 0.88 if end.sign > 0 else 0.7):
        text = AXES[end.axis] if end.sign > 0 else f"-{AXES[end.axis]}"
        size = imgui.calc_text_size(text)
        ink = imgui.get_color_u32(INK if end.sign > 0 else PALE)
        draw.add_text((round(end.x - size.x / 2), round(end.y - size.y / 2)), ink, text)


def _arrowhead(draw: imgui.ImDrawList, end: End, x: float, y: float, colour: int) -> None:
    """A point on the end of +Z: this way is up."""
    across, down = end.x - x, end.y - y
    length = math.hypot(across, down)
    if length < em(0.8):
        return
    right, below = across / length, down / length
    reach, wide, start = em(1.22), em(0.5), em(0.42)
    tip = (end.x + reach * right, end.y + reach * below)
    left_corner = (end.x + start * right - wide * below, end.y + start * below + wide * right)
    right_corner = (end.x + start * right + wide * below, end.y + start * below - wide * right)
    draw.add_triangle_filled(tip, left_corner, right_corner, colour)
