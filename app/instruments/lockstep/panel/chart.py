"""The small chart of the Lockstep instrument: the difference over the recorded past, and where the engines part."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from app.instruments.lockstep.free import TWIN, Point
from app.instruments.lockstep.worker import Lockstep
from app.run.commands import GoTo, Send
from app.ui import theme
from app.ui.widgets import em, font, show_tooltip

HEIGHT_EM = 6.0
# powers of ten at the edges of the chart: differences in tolerances, distances of free runs
TOLERANCES, DISTANCES = (-9.0, 9.0), (-17.0, 1.0)
FOLLOWED = "largest difference of a stage over its tolerance, at recorded moments; click: go there"
RAN_FREE = "distance of the free run; grey: of MuJoCo from itself, started 1e-10 away; click: go there"
# points that are drawn at most
MOST_POINTS = 600


def draw_chart(found: Lockstep, free: bool, send: Send) -> None:
    """The past as a curve with a line at the shown moment; a click goes to the nearest moment."""
    points = [*found.points][:: max(len(found.points) // MOST_POINTS, 1)]
    times = np.array([p.time for p in points] if free else [time for time, _ in found.past.values()])
    steps = [p.step for p in points] if free else [*found.past]
    if len(times) < 2 or not times[-1] > times[0]:
        return
    values = np.array([p.distance for p in points] if free else [excess for _, excess in found.past.values()])
    imgui.spacing()
    (left, top), width, height = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x, em(HEIGHT_EM)
    clicked = imgui.invisible_button("##lockstep past", (max(width, 1.0), height))
    hovered = imgui.is_item_hovered()
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled((left, top), (left + width, top + height), imgui.get_color_u32(theme.BACKGROUND), em(0.2))
    x = left + (times - times[0]) / (times[-1] - times[0]) * width
    edges = DISTANCES if free else TOLERANCES
    if free:
        grown = np.array([TWIN * p.growth for p in points])
        _curve(x, _heights(grown, edges, top, height), theme.DIM)
    else:
        limit = float(_heights(np.ones(1), edges, top, height)[0])
        draw.add_line((left, limit), (left + width, limit), imgui.get_color_u32(theme.ERROR))
    _curve(x, _heights(values, edges, top, height), theme.ACCENT)
    _line(left + _share(times, found.time) * width, top, height, theme.TEXT)
    if free and found.parted is not None:
        _parting(found.parted, left + _share(times, found.parted.time) * width, top, height)
    with font("mono", 0.8):
        ink = imgui.get_color_u32(theme.DIM)
        draw.add_text((left + em(0.3), top + height - em(1.1)), ink, "distance" if free else "error / tolerance")
    if hovered:
        nearest = int(np.argmin(np.abs(x - imgui.get_mouse_pos().x)))
        show_tooltip(
            f"{times[nearest]:.6g} s, step {steps[nearest]}: {values[nearest]:.1e}\n{RAN_FREE if free else FOLLOWED}"
        )
        if clicked:
            send(GoTo(steps[nearest]))


def _share(times: np.ndarray, time: float) -> float:
    return float(np.clip((time - times[0]) / (times[-1] - times[0]), 0.0, 1.0))


def _heights(values: np.ndarray, edges: tuple[float, float], top: float, height: float) -> np.ndarray:
    """Where values are on a logarithmic axis."""
    low, high = edges
    powers = np.log10(np.clip(np.nan_to_num(values, nan=10.0**high), 10.0**low, 10.0**high))
    shares: np.ndarray = (high - powers) / (high - low)
    pad = em(0.3)
    return top + pad + shares * (height - 2 * pad)


def _curve(x: np.ndarray, y: np.ndarray, tint: theme.Rgba) -> None:
    points: list[imgui.ImVec2Like] = [imgui.ImVec2(float(a), float(b)) for a, b in zip(x, y, strict=True)]
    imgui.get_window_draw_list().add_polyline(points, imgui.get_color_u32(tint), em(0.1), 0)


def _line(x: float, top: float, height: float, tint: theme.Rgba) -> None:
    imgui.get_window_draw_list().add_line((x, top), (x, top + height), imgui.get_color_u32(tint))


def _parting(point: Point, x: float, top: float, height: float) -> None:
    """Where they part."""
    _line(x, top, height, theme.ERROR)
    with font("mono", 0.8):
        imgui.get_window_draw_list().add_text((x + em(0.2), top), imgui.get_color_u32(theme.ERROR), "parted")
