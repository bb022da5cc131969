"""The chart of the Energy instrument: energies, or the work of each kind of source, over the range."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from app.instruments.energy.curves import Curves
from app.instruments.energy.panel.tints import ENERGY_TINTS, tint_of
from app.instruments.energy.report import Group
from app.run.commands import GoTo, Send
from app.run.history.timeline import Timeline
from app.ui import theme
from app.ui.quantities import compact
from app.ui.widgets import em, font, show_tooltip

HEIGHT_EM, CURVES = 8.0, 5
Curve = tuple[str, np.ndarray, theme.Rgba]


def energy_lines(curves: Curves) -> tuple[np.ndarray, list[Curve]]:
    """Kinetic energy, potential energies above their lowest, and the total above the same."""
    kinetic, gravity, springs = curves.energies
    above = gravity - gravity.min(initial=np.inf)
    names = [("total", kinetic + above + springs), ("kinetic", kinetic)]
    names += [(name, part) for name, part in (("gravity", above), ("springs", springs)) if np.ptp(part) > 0]
    return curves.times, [(name, values, ENERGY_TINTS[name]) for name, values in names]


def work_lines(curves: Curves, found: list[Group]) -> tuple[np.ndarray, list[Curve]]:
    """The work of the largest kinds since the beginning of the range."""
    lines = []
    for group in found[:CURVES]:
        parts = [curves.work[source] for source in group.row.sources if source in curves.work]
        if parts:
            lines.append((group.row.name, np.sum(parts, axis=0), tint_of(group.row.kind)))
    return curves.work_times, lines


def draw_chart(times: np.ndarray, lines: list[Curve], now: float, timeline: Timeline, send: Send) -> None:
    """Curves with a line at the shown moment; a click goes to the time at the pointer."""
    left, top = imgui.get_cursor_screen_pos()
    width, height = max(imgui.get_content_region_avail().x, 1.0), em(HEIGHT_EM)
    clicked = imgui.invisible_button("##energy over time", (width, height))
    hovered = imgui.is_item_hovered()
    draw, pad = imgui.get_window_draw_list(), em(0.95)
    draw.add_rect_filled((left, top), (left + width, top + height), imgui.get_color_u32(theme.BACKGROUND), em(0.2))
    if len(times) < 2 or not times[-1] > times[0] or not lines:
        draw.add_text((left + em(0.4), top + em(0.3)), imgui.get_color_u32(theme.DIM), "nothing to draw yet")
        return
    values = np.array([line for _, line, _ in lines])
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    high = high if high > low else low + 1.0
    # a time that was set by hand may go back
    x = left + np.clip((times - times[0]) / (times[-1] - times[0]), 0.0, 1.0) * width
    y = top + pad + (high - values) / (high - low) * (height - 2 * pad)
    zero = top + pad + high / (high - low) * (height - 2 * pad)
    draw.add_line((left, zero), (left + width, zero), imgui.get_color_u32(theme.LINE))
    for row, (_, _, tint) in zip(y, lines, strict=True):
        points: list[imgui.ImVec2Like] = [imgui.ImVec2(float(a), float(b)) for a, b in zip(x, row, strict=True)]
        draw.add_polyline(points, imgui.get_color_u32(tint), em(0.1), 0)
    at = left + float(np.clip((now - times[0]) / (times[-1] - times[0]), 0.0, 1.0)) * width
    draw.add_line((at, top), (at, top + height), imgui.get_color_u32(theme.ACCENT))
    with font("mono", 0.8):
        ink = imgui.get_color_u32(theme.DIM)
        draw.add_text((left + em(0.3), top), ink, compact(high, "J"))
        draw.add_text((left + em(0.3), top + height - em(0.95)), ink, compact(low, "J"))
    _legend(lines, left, top + height, width)
    if hovered:
        nearest = int(np.argmin(np.abs(x - imgui.get_mouse_pos().x)))
        numbers = [f"{name} {compact(float(line[nearest]), 'J')}" for name, line, _ in lines]
        show_tooltip("\n".join([f"{times[nearest]:.4g} s", *numbers, "click: go there"]))
        if clicked:
            send(GoTo(timeline.step_at(float(times[nearest]))))


def _legend(lines: list[Curve], left: float, bottom: float, width: float) -> None:
    """Names in their colours, as many as fit."""
    draw, x = imgui.get_window_draw_list(), left + em(0.3)
    for name, _, tint in lines:
        room = imgui.calc_text_size(name).x
        if x + room > left + width:
            break
        draw.add_text((x, bottom), imgui.get_color_u32(tint), name)
        x += room + em(0.8)
    imgui.dummy((1.0, imgui.get_text_line_height()))
