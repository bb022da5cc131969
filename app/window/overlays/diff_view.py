"""A text diff in colours: removed and added lines, scrolling both ways; only lines in sight are drawn."""

from __future__ import annotations

from imgui_bundle import imgui

from app.ui import theme
from app.ui.widgets import em, font

# how far the colour of a line shows behind it
SHADE = 0.13


def line_colour(line: str) -> theme.Rgba:
    """The colour of a line of a unified diff."""
    if line.startswith(("---", "+++")):
        return theme.TEXT
    return {"+": theme.ADDED, "-": theme.ERROR, "@": theme.ACCENT}.get(line[:1], theme.DIM)


def diff_view(text: str, height: float) -> None:
    """The diff in a box of this height."""
    lines = text.splitlines()
    theme.ensure_glyphs(text)
    flags = imgui.WindowFlags_.horizontal_scrollbar | imgui.WindowFlags_.no_nav_inputs
    imgui.push_style_color(imgui.Col_.child_bg, theme.PANEL)
    imgui.begin_child("diff", (0, height), imgui.ChildFlags_.borders, flags)
    imgui.pop_style_color()
    with font("mono"):
        line_height = imgui.get_text_line_height_with_spacing()
        width = max((imgui.calc_text_size(line).x for line in sorted(lines, key=len)[-3:]), default=0.0) + em(1)
        clipper = imgui.ListClipper()
        clipper.begin(len(lines), line_height)
        while clipper.step():
            for line in lines[clipper.display_start : clipper.display_end]:
                _line(line, line_height, max(width, imgui.get_content_region_avail().x))
    imgui.end_child()


def _line(line: str, height: float, width: float) -> None:
    """One line, on a shade of its colour if it changes."""
    tint = line_colour(line)
    if line[:1] in ("+", "-") and tint != theme.TEXT:
        x, y = imgui.get_cursor_screen_pos()
        y -= imgui.get_style().item_spacing.y / 2
        shade = imgui.get_color_u32((*tint[:3], SHADE))
        imgui.get_window_draw_list().add_rect_filled((x - em(0.4), y), (x + width, y + height), shade)
    imgui.text_colored(tint, line)
