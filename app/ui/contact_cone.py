"""The friction cone of a contact in force space: from the side with the force in it, and from above with the slip."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from app.ui import theme
from app.ui.quantities import compact
from app.ui.widgets import em, font, tooltip
from sim.analysis.contact_detail import PYRAMIDAL, ContactDetail, cone_norm, cone_room
from sim.analysis.contact_state import OPEN, SLIP, SMOOTH, STICK

Array = NDArray[np.float64]
Point = tuple[float, float]

# what is left free around a drawing, em; how much higher it is than the force
PADDING, HEADROOM = 0.7, 1.3
FILL, OUTLINE = 0.14, 0.75
CORNERS = 48
# slower than this, m/s, the direction of the slip is noise
LEAST_SLIP = 1e-6
# drawings next to each other are at least this wide, em
NARROWEST = 6.5
SIDE_HINT = (
    "The force in the friction cone, seen from the side: the normal force points up, the friction to the right.\n"
    "The contact slips where the force reaches the edge; the dashed line is the remaining friction."
)
TOP_HINT = (
    "The tangential plane, seen along the normal: the cone's cross-section at the current normal force, the "
    "friction in it, and the direction in which the second surface slides over the first.\n"
    "Any torsional or rolling friction in use shrinks this cross-section."
)


def state_colour(state: str) -> theme.Rgba:
    """The colour of a contact's state."""
    colours = {STICK: theme.ACCENT, SLIP: theme.WARNING, SMOOTH: theme.CONTACT, OPEN: theme.DIM}
    return colours[state]


def cone_section(contact: ContactDetail) -> Array:
    """The tangential forces that the cone allows at the current normal force: a closed curve, (n, 2), N."""
    mu = contact.friction[:2]
    pyramidal = contact.cone == PYRAMIDAL
    rest = contact.force[3 : contact.dim] / np.maximum(contact.friction[2:], 1e-12)
    room = cone_room(cone_norm(rest, pyramidal), max(contact.normal, 0.0), pyramidal)
    angles = np.linspace(0.0, 2 * np.pi, 4 if pyramidal else CORNERS, endpoint=False)
    return np.stack([np.cos(angles) * mu[0], np.sin(angles) * mu[1]], axis=1) * room


def cone_drawings(contact: ContactDetail) -> None:
    """Both drawings, next to each other if there is room."""
    room = imgui.get_content_region_avail().x
    gap = imgui.get_style().item_spacing.x
    beside = room >= 2 * em(NARROWEST) + gap
    size = min((room - gap) / 2 if beside else room, em(16))
    drawing("side", size, SIDE_HINT, lambda draw, corner: _side(draw, corner, size, contact))
    if beside:
        imgui.same_line()
    drawing("top", size, TOP_HINT, lambda draw, corner: _top(draw, corner, size, contact))


def drawing(name: str, size: float, hint: str, content: Any) -> None:
    """A square on a dark ground, with a tooltip."""
    x, y = imgui.get_cursor_screen_pos()
    imgui.dummy((size, size))
    tooltip(hint)
    draw = imgui.get_window_draw_list()
    draw.push_clip_rect((x, y), (x + size, y + size), True)
    draw.add_rect_filled((x, y), (x + size, y + size), u32(theme.BACKGROUND), em(0.3))
    with font("sans", 0.85):
        content(draw, (x, y))
    draw.pop_clip_rect()


def _side(draw: Any, corner: Point, size: float, contact: ContactDetail) -> None:
    """Normal force upwards, friction to the right."""
    pad, tint = em(PADDING), state_colour(contact.state)
    foot = corner[0] + size / 2, corner[1] + size - pad - em(0.9)
    normal, tangential = max(contact.normal, 0.0), contact.tangential
    steepness = contact.limit / normal if normal > 0 else 0.0
    top = normal * HEADROOM or 1.0
    wide = max(steepness * top, tangential * 1.1, 1e-12)
    scale = min((foot[1] - corner[1] - pad) / top, (size / 2 - pad) / wide)

    draw_text(draw, (foot[0], corner[1] + size - em(1.0)), "friction", theme.DIM, 0.5)
    shown = steepness if contact.dim > 1 and normal > 0 else 0.0
    at = side_frame(draw, corner, size, foot, (scale, top), shown, tint)
    if normal <= 0:
        draw_text(draw, (foot[0], corner[1] + size / 2), "no force", theme.DIM, 0.5)
        return
    if contact.dim > 1:
        _dashes(draw, at(tangential, normal), at(contact.limit, normal), u32(theme.TEXT, OUTLINE))
    draw_arrow(draw, foot, at(tangential, normal), theme.TEXT)
    draw_text(draw, (corner[0] + em(0.4), corner[1] + em(0.2)), compact(normal, "N"), theme.TEXT, 0.0)
    if contact.dim > 1:
        left = "slips" if contact.state == SLIP else f"{compact(contact.margin, 'N')} left"
        draw_text(draw, (corner[0] + size - em(0.4), corner[1] + em(0.2)), left, tint, 1.0)


def _top(draw: Any, corner: Point, size: float, contact: ContactDetail) -> None:
    """The tangential plane."""
    pad, tint = em(PADDING), state_colour(contact.state)
    middle = corner[0] + size / 2, corner[1] + size / 2
    top_axes(draw, middle, size)
    speed = float(np.linalg.norm(contact.slip))
    if speed > LEAST_SLIP:
        way = contact.slip / speed * (size / 2 - pad) * 0.72
        draw_arrow(draw, middle, (middle[0] + float(way[0]), middle[1] - float(way[1])), theme.WARNING, 0.1)
        draw_text(
            draw, (corner[0] + em(0.4), corner[1] + size - em(1.1)), f"slip {compact(speed, 'm/s')}", theme.WARNING
        )
    if contact.dim == 1:
        draw_text(draw, (corner[0] + em(0.4), corner[1] + em(0.2)), "no friction", theme.DIM)
        return
    section = cone_section(contact)
    largest = max(float(np.abs(section).max()), contact.tangential, 1e-12)
    scale = (size / 2 - pad - em(0.6)) / largest
    draw_section(draw, [(middle[0] + x * scale, middle[1] - y * scale) for x, y in section.tolist()], tint)
    force = contact.force[1:3] * scale
    if contact.tangential > 0:
        draw_arrow(draw, middle, (middle[0] + float(force[0]), middle[1] - float(force[1])), theme.TEXT)
    draw_text(draw, (corner[0] + em(0.4), corner[1] + em(0.2)), compact(contact.tangential, "N"), theme.TEXT)


def side_frame(
    draw: Any, corner: Point, size: float, foot: Point, range_: tuple[float, float], steepness: float, tint: theme.Rgba
) -> Callable[[float, float], Point]:
    """Axes of the side and the cone, if it is steep at all; returns where a friction and a normal force are.

    `range_` is pixels per newton, and the highest normal force.
    """
    scale, top = range_

    def at(across: float, up: float) -> Point:
        return foot[0] + across * scale, foot[1] - up * scale

    pad = em(PADDING)
    draw.add_line((corner[0] + pad, foot[1]), (corner[0] + size - pad, foot[1]), u32(theme.LINE), 1.0)
    draw.add_line(foot, at(0, top), u32(theme.LINE), 1.0)
    if steepness:
        edges = at(-steepness * top, top), at(steepness * top, top)
        draw.add_triangle_filled(foot, *edges, u32(tint, FILL))
        for edge in edges:
            draw.add_line(foot, edge, u32(tint, OUTLINE), em(0.09))
    return at


def top_axes(draw: Any, middle: Point, size: float) -> None:
    """The two tangents, seen along the normal."""
    reach = size / 2 - em(0.2)
    for (dx, dy), label in (((1, 0), "t1"), ((0, -1), "t2")):
        draw.add_line(middle, (middle[0] + dx * reach, middle[1] + dy * reach), u32(theme.LINE), 1.0)
        place = middle[0] + dx * (reach - em(0.6)), middle[1] + dy * (reach - em(0.2)) + (em(0.1) if dx else 0)
        draw_text(draw, (place[0] + em(0.8) * (dx == 0), place[1]), label, theme.DIM, 0.5)


def draw_section(draw: Any, corners: Sequence[Point], tint: theme.Rgba) -> None:
    """The section of the cone."""
    points = [imgui.ImVec2(*corner) for corner in corners]
    draw.add_convex_poly_filled(points, u32(tint, FILL))
    draw.add_polyline(points, u32(tint, OUTLINE), em(0.09), imgui.ImDrawFlags_.closed)


def draw_arrow(draw: Any, start: Point, end: Point, tint: theme.Rgba, width: float = 0.15) -> None:
    """An arrow; a dot if it is too short for a head."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length, head = math.hypot(dx, dy), em(0.6)
    if length < em(0.15):
        draw.add_circle_filled(start, em(0.18), u32(tint))
        return
    head = min(head, length)
    ux, uy = dx / length, dy / length
    neck = end[0] - ux * head, end[1] - uy * head
    draw.add_line(start, (end[0] - ux * head * 0.8, end[1] - uy * head * 0.8), u32(tint), em(width))
    side = 0.42 * head
    draw.add_triangle_filled(
        end, (neck[0] - uy * side, neck[1] + ux * side), (neck[0] + uy * side, neck[1] - ux * side), u32(tint)
    )


def _dashes(draw: Any, start: Point, end: Point, tint: int) -> None:
    """A dashed horizontal line."""
    x, step = start[0], em(0.3)
    while x < end[0]:
        draw.add_line((x, start[1]), (min(x + step, end[0]), start[1]), tint, 1.0)
        x += 2 * step


def draw_text(draw: Any, place: Point, text: str, tint: theme.Rgba, align: float = 0.0) -> None:
    """A text, with its left edge, its middle or its right edge at a place."""
    draw.add_text((place[0] - align * imgui.calc_text_size(text).x, place[1]), u32(tint), text)


def u32(tint: theme.Rgba, alpha: float = 1.0) -> int:
    """A colour for a draw list."""
    return imgui.get_color_u32((*tint[:3], tint[3] * alpha))
