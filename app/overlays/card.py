"""Cards over the picture: numbers, side by side from the left, never over panels or each other.

They leave the mouse to the view; only a card with more than fits takes it, to be scrolled. All other windows lie
before them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from imgui_bundle import imgui

from app.ui import theme
from app.ui.widgets import em
from app.view.rect import Rect

FLAGS = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_inputs
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.always_auto_resize
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_focus_on_appearing
    | imgui.WindowFlags_.no_nav
)
MARGIN_EM = 0.8
OPACITY = 0.88


class CardRow:
    """What is left of the picture for cards, from the left to the right; `missing` are those that had no place."""

    def __init__(self, picture: Rect) -> None:
        margin = em(MARGIN_EM)
        self.x, self.y = picture.x + margin, picture.y + margin
        self.right = picture.x + picture.width - margin
        # a line below is left for what has no place
        self.height = picture.height - 2 * margin - em(2)
        self.missing: list[str] = []

    @property
    def lines(self) -> int:
        """Lines of text that a card has room for."""
        return int((self.height - 2 * imgui.get_style().window_padding.y) / imgui.get_text_line_height_with_spacing())

    @contextmanager
    def card(self, title: str, width: float, takes_mouse: bool = False) -> Iterator[int]:
        """A card of a width in em, drawn inside; gives the number of lines of text that fit, 0 without a place."""
        wide = em(width) + 2 * imgui.get_style().window_padding.x
        lines = self.lines
        if self.x + wide > self.right or lines < 3:
            self.missing.append(title)
            yield 0
            return
        imgui.set_next_window_pos((self.x, self.y))
        imgui.set_next_window_size_constraints((wide, 0), (wide, self.height))
        imgui.set_next_window_bg_alpha(OPACITY)
        imgui.begin(f"##{title}", None, FLAGS & ~imgui.WindowFlags_.no_mouse_inputs if takes_mouse else FLAGS)
        imgui.internal.bring_window_to_display_back(imgui.internal.get_current_window())
        yield lines
        imgui.end()
        self.x += wide + em(MARGIN_EM)


def draw_hidden_cards(titles: Sequence[str], picture: Rect) -> None:
    """Say which cards have no place, and what helps, at the lower edge of the picture."""
    text = f"no room for: {', '.join(titles)}. Tab and Shift+Tab hide panels."
    room = max(picture.width - 2 * em(MARGIN_EM), em(1))
    size = imgui.calc_text_size(text, wrap_width=room)
    x, y = picture.x + em(MARGIN_EM), picture.y + picture.height - em(MARGIN_EM) - size.y
    ground, pad = imgui.get_color_u32(theme.FLOAT), em(0.4)
    draw = imgui.get_background_draw_list()
    draw.push_clip_rect((picture.x, picture.y), (picture.x + picture.width, picture.y + picture.height))
    draw.add_rect_filled((x - pad, y - pad), (x + size.x + pad, y + size.y + pad), ground, pad)
    font, height = imgui.get_font(), imgui.get_font_size()
    draw.add_text(font, height, (x, y), imgui.get_color_u32(theme.WARNING), text, wrap_width=room)
    draw.pop_clip_rect()
