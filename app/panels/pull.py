"""The strength of the mouse's pull, written beside the point it pulls at."""

from __future__ import annotations

from imgui_bundle import imgui

from app.panels import theme
from app.widgets import em


def pull_label(text: str, x: float, y: float) -> None:
    """Words beside a place of the window, readable over any picture."""
    draw = imgui.get_background_draw_list()
    size = imgui.calc_text_size(text)
    left, top, pad = x + em(1.0), y - 0.5 * size.y, em(0.35)
    ground = imgui.get_color_u32(theme.FLOAT)
    draw.add_rect_filled((left - pad, top - pad), (left + size.x + pad, top + size.y + pad), ground, em(0.3))
    draw.add_text((left, top), imgui.get_color_u32(theme.TEXT), text)
