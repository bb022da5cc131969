"""The small chart of the Forces instrument: its largest bars and the total at the moments that were seen."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from app.instruments.forces.bars import Bars
from app.instruments.forces.state import ForcesState
from app.ui import theme
from app.ui.source_tints import tint_of
from app.ui.widgets import em, font, tooltip

HEIGHT_EM, CURVES = 5.0, 5
HINT = "the largest bars, and the total, at the moments that were seen here; Plots has all recorded time"


def draw_chart(shown: ForcesState, bars: Bars, now: float) -> None:
    """Curves in the colours of the bars, with a line at the shown moment."""
    kinds = {bar.name: bar.kind for bar in bars.bars[:CURVES]}
    times, values = shown.history.series([*kinds], shown.axis, shown.as_force, shown.by_kind)
    if len(times) < 2 or times[-1] <= times[0]:
        return
    left, top = imgui.get_cursor_screen_pos()
    width, height = imgui.get_content_region_avail().x, em(HEIGHT_EM)
    imgui.invisible_button("##history", (max(width, 1.0), height))
    tooltip(HINT)
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    if high <= low:
        return
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled((left, top), (left + width, top + height), imgui.get_color_u32(theme.BACKGROUND), em(0.2))
    pad = em(0.3)
    x = left + (times - times[0]) / (times[-1] - times[0]) * width
    y = top + pad + (high - values) / (high - low) * (height - 2 * pad)
    zero = top + pad + high / (high - low) * (height - 2 * pad)
    draw.add_line((left, zero), (left + width, zero), imgui.get_color_u32(theme.LINE))
    for row, kind in zip(y, (*kinds.values(), ""), strict=True):
        tint = tint_of(kind) if kind else theme.TEXT
        points: list[imgui.ImVec2Like] = [imgui.ImVec2(float(a), float(b)) for a, b in zip(x, row, strict=True)]
        draw.add_polyline(points, imgui.get_color_u32(tint), em(0.1), 0)
    at = left + float(np.clip((now - times[0]) / (times[-1] - times[0]), 0.0, 1.0)) * width
    draw.add_line((at, top), (at, top + height), imgui.get_color_u32(theme.ACCENT))
    with font("mono", 0.8):
        draw.add_text((left + pad, top), imgui.get_color_u32(theme.DIM), f"{high:.3g}")
        draw.add_text((left + pad, top + height - em(1)), imgui.get_color_u32(theme.DIM), f"{low:.3g}")
