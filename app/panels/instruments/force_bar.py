"""One bar of the Forces instrument: name, value, and a signed bar in the colour of its kind of force."""

from __future__ import annotations

from imgui_bundle import imgui

from app.insight.force_bars import Bar
from app.ui import theme
from app.ui.widgets import elide_middle, em, font, tooltip
from sim.analysis.body_forces import JOINTS, TENDONS

BAR_EM, GAP_EM = 0.36, 0.3
# kind of source -> colour, in a light and in a dark theme alike; "" is what has no kind: others, and the total
TINTS: dict[str, theme.Rgba] = {
    "gravity": (0.52, 0.58, 0.68, 1), "gravity compensation": (0.66, 0.72, 0.82, 1), "velocity": (0.66, 0.48, 0.86, 1),
    "joint spring": (0.40, 0.70, 0.32, 1), "tendon spring": (0.40, 0.70, 0.32, 1),
    "joint damper": (0.62, 0.70, 0.22, 1), "tendon damper": (0.62, 0.70, 0.22, 1), "fluid": (0.30, 0.70, 0.80, 1),
    "actuator": (0.24, 0.54, 0.92, 1), "actuator limit": (0.24, 0.54, 0.92, 1),
    "applied force": (0.93, 0.55, 0.20, 1), "mouse": (0.93, 0.55, 0.20, 1), "callback": (0.93, 0.55, 0.20, 1),
    "contact": (0.14, 0.66, 0.62, 1), "equality": (0.88, 0.68, 0.16, 1), "joint limit": (0.86, 0.45, 0.62, 1),
    "tendon limit": (0.86, 0.45, 0.62, 1), "joint friction": (0.70, 0.50, 0.36, 1),
    "tendon friction": (0.70, 0.50, 0.36, 1), "implicit integration": (0.55, 0.45, 0.75, 1),
    "flex": (0.40, 0.70, 0.32, 1), "residual": (0.88, 0.30, 0.27, 1), JOINTS: (0.80, 0.80, 0.84, 1),
    TENDONS: (0.40, 0.70, 0.32, 1),
}  # fmt: skip


def tint_of(kind: str) -> theme.Rgba:
    """The colour of a kind of source."""
    return TINTS.get(kind, theme.DIM)


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
