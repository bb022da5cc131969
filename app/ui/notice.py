"""A card above the bottom of the view: its frame with a title, text that scrolls, and answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from imgui_bundle import imgui

from app.ui import theme
from app.ui.widgets import Answer, button, em, font

FLAGS = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.always_auto_resize
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_focus_on_appearing
)
WIDTH_EM = 40.0


@contextmanager
def notice(name: str, bottom: tuple[float, float], edge: theme.Rgba, title: str = "") -> Iterator[None]:
    """A card above the bottom of the view; its edge and its title have one colour."""
    theme.ensure_glyphs(title)
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
    if title:
        with font("bold"):
            imgui.text_colored(edge, title)
    yield
    imgui.end()


def answers(*offered: Answer) -> None:
    """Buttons in a row, below what was said."""
    imgui.dummy((0, em(0.2)))
    for k, (label, hint, do) in enumerate(offered):
        if k:
            imgui.same_line()
        if button(label, hint):
            do()


def copy_answer(key: str, text: str) -> Answer:
    """A button that copies a text."""
    return f"Copy##{key}", "copy this text to the clipboard", lambda: imgui.set_clipboard_text(text)


def text_width() -> float:
    """The width of a card's text, in pixels."""
    return min(em(WIDTH_EM), imgui.get_io().display_size.x - em(4))


def scrolled(text: str, most: float) -> None:
    """Text that scrolls if it is higher than `most` pixels."""
    theme.ensure_glyphs(text)
    width = text_width()
    with font("mono"):
        high = imgui.calc_text_size(text, wrap_width=width - em(1)).y
        imgui.begin_child("text", (width, min(high, max(most, em(3)))), window_flags=imgui.WindowFlags_.no_nav_inputs)
        imgui.push_text_wrap_pos(width - em(1))
        imgui.text_unformatted(text)
        imgui.pop_text_wrap_pos()
        imgui.end_child()
