"""Cards of numbers over the view, side by side from the left, never over panels or each other.

The mouse goes through them to the view; only a card that scrolls takes it. All other windows are in front of them.
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
    """The row of cards, filled from left to right; `hidden` are the titles of those that did not fit."""

    def __init__(self, rect: Rect) -> None:
        margin = em(MARGIN_EM)
        self.x, self.y = rect.x + margin, rect.y + margin
        self.right = rect.x + rect.width - margin
        # a line below is reserved for the list of hidden cards
        self.height = rect.height - 2 * margin - em(2)
        self.hidden: list[str] = []

    @property
    def lines(self) -> int:
        """Lines of text that fit in a card."""
        return int((self.height - 2 * imgui.get_style().window_padding.y) / imgui.get_text_line_height_with_spacing())

    @contextmanager
    def card(self, title: str, width: float, takes_mouse: bool = False) -> Iterator[int]:
        """A card `width` em wide, drawn inside; yields the number of lines that fit, 0 if the card does not."""
        wide = em(width) + 2 * imgui.get_style().window_padding.x
        lines = self.lines
        if self.x + wide > self.right or lines < 3:
            self.hidden.append(title)
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


def draw_hidden_cards(titles: Sequence[str], rect: Rect) -> None:
    """List the cards that do not fit at the bottom of the view, and how to make room."""
    text = f"no room for: {', '.join(titles)}. Tab and Shift+Tab hide panels."
    room = max(rect.width - 2 * em(MARGIN_EM), em(1))
    size = imgui.calc_text_size(text, wrap_width=room)
    x, y = rect.x + em(MARGIN_EM), rect.y + rect.height - em(MARGIN_EM) - size.y
    background, pad = imgui.get_color_u32(theme.FLOAT), em(0.4)
    draw = imgui.get_background_draw_list()
    draw.push_clip_rect((rect.x, rect.y), (rect.x + rect.width, rect.y + rect.height))
    draw.add_rect_filled((x - pad, y - pad), (x + size.x + pad, y + size.y + pad), background, pad)
    font, height = imgui.get_font(), imgui.get_font_size()
    draw.add_text(font, height, (x, y), imgui.get_color_u32(theme.WARNING), text, wrap_width=room)
    draw.pop_clip_rect()
