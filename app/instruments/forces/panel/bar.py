"""One bar of the Forces instrument: name, value, and a signed bar in the colour of its kind of force."""

from __future__ import annotations

from imgui_bundle import imgui

from app.instruments.forces.bars import Bar
from app.ui import theme
from app.ui.source_tints import tint_of
from app.ui.widgets import elide_middle, em, font, tooltip

BAR_EM, GAP_EM = 0.36, 0.3


def draw_bar(key: str, bar: Bar, value: str, largest: float, hint: str, bold: bool = False) -> bool:
    """A row: name and value, and a bar below, which starts in the middle; returns whether it was clicked."""
    width, line = imgui.get_content_region_avail().x, imgui.get_text_line_height()
    left, top = imgui.get_cursor_screen_pos()
    clicked, _ = imgui.selectable(f"###{key}", False, 0, (width, line + em(BAR_EM + GAP_EM)))
    tooltip(hint)
    draw = imgui.get_window_draw_list()
    with font("mono"):
        room = imgui.calc_text_size(value).x
        draw.add_text((left + width - room, top), imgui.get_color_u32(theme.TEXT), value)
    with font("bold" if bold else "sans"):
        draw.add_text((left, top), imgui.get_color_u32(theme.TEXT), elide_middle(bar.name, width - room - em(0.6)))
    middle, y = left + width / 2, top + line + em(0.1)
    end = middle + 0.5 * width * (bar.value / largest if largest > 0.0 else 0.0)
    tint = imgui.get_color_u32(theme.TEXT if bold else tint_of(bar.kind))
    draw.add_rect_filled((left, y), (left + width, y + em(BAR_EM)), imgui.get_color_u32(theme.STRIPE))
    if abs(end - middle) >= 0.5:
        draw.add_rect_filled((min(middle, end), y), (max(middle, end), y + em(BAR_EM)), tint, em(0.1))
    draw.add_line((middle, y - em(0.05)), (middle, y + em(BAR_EM + 0.05)), imgui.get_color_u32(theme.DIM))
    return bool(clicked)
