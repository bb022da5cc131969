"""A card above the bottom of the view."""

from __future__ import annotations

from imgui_bundle import imgui

from app.ui import theme
from app.ui.widgets import em, font

FLAGS = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.always_auto_resize
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_focus_on_appearing
)
WIDTH_EM = 40.0


def begin_notice(name: str, bottom: tuple[float, float], edge: theme.Rgba) -> None:
    """Begin a card above the bottom of the view."""
    # centred in the view, and inside the window
    half, width = min(em(WIDTH_EM + 3), imgui.get_io().display_size.x) / 2, imgui.get_io().display_size.x
    x = min(max(bottom[0], half), width - half)
    imgui.set_next_window_pos((x, bottom[1]), imgui.Cond_.always, (0.5, 1.0))
    imgui.push_style_color(imgui.Col_.border, edge)
    imgui.push_style_color(imgui.Col_.window_bg, theme.FLOAT)
    imgui.push_style_var(imgui.StyleVar_.window_padding, (em(1.1), em(0.9)))
    imgui.begin(name, None, FLAGS)
    # for the card only, not for its tooltips
    imgui.pop_style_var()
    imgui.pop_style_color(2)


def scrolled(text: str, most: float) -> None:
    """Text that scrolls if it is higher than `most` pixels."""
    width = min(em(WIDTH_EM), imgui.get_io().display_size.x - em(4))
    with font("mono"):
        high = imgui.calc_text_size(text, wrap_width=width - em(1)).y
        imgui.begin_child("text", (width, min(high, max(most, em(3)))), window_flags=imgui.WindowFlags_.no_nav_inputs)
        imgui.push_text_wrap_pos(width - em(1))
        imgui.text_unformatted(text)
        imgui.pop_text_wrap_pos()
        imgui.end_child()
