"""Cards of numbers over the view, placed clear of each other, of panels, and of what else is drawn in the view.

The mouse goes through them to the view; only a card that scrolls takes it. All other windows are in front of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from imgui_bundle import imgui

from app.ui import theme
from app.ui.widgets import em, show_tooltip
from app.view.rect import Rect
from app.window.overlays.cards.place import Size, place_cards

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
OPACITY = 0.92
# lines that a card has at least, or it is not shown
FEWEST_LINES = 4
# the upper right corner of the view is left to the axes of the camera, with a margin around them
CORNER_EM = 7.0


class Card(NamedTuple):
    """What a card shows: `lines` show all of it, `draw` makes do with fewer, by scrolling if it can."""

    title: str
    width_em: float
    lines: int
    draw: Callable[[int], None]
    scrolls: bool = False


# draws something under a name; an error is shown in its place
Guard = Callable[[str, Callable[[], None]], None]


def draw_cards(cards: Sequence[Card], rect: Rect, taken: Sequence[Rect], guard: Guard) -> None:
    """Draw cards over the view in `rect`, clear of the rectangles `taken`."""
    if not cards:
        return
    margin, padding = em(MARGIN_EM), imgui.get_style().window_padding
    # a line below is for the list of hidden cards
    width, height = rect.width - 2 * margin, rect.height - 2 * margin - em(2)
    area = Rect(rect.x + margin, rect.y + margin, max(width, 0.0), max(height, 0.0))
    sizes = [Size(em(card.width_em) + 2 * padding.x, _height(card.lines), card.scrolls) for card in cards]
    places = place_cards(sizes, area, taken, margin, _height(FEWEST_LINES))
    for card, place in zip(cards, places, strict=True):
        if place is not None:
            _draw(card, place, guard)
    hidden = [card.title for card, place in zip(cards, places, strict=True) if place is None]
    if hidden:
        draw_hidden_cards(hidden, rect)


def corner(rect: Rect) -> Rect:
    """The upper right corner of the view, where the axes of the camera are."""
    side = min(em(CORNER_EM), rect.width, rect.height)
    return Rect(rect.x + rect.width - side, rect.y, side, side)


def _height(lines: int) -> float:
    """Height of a card with so many lines."""
    style = imgui.get_style()
    return lines * imgui.get_text_line_height_with_spacing() - style.item_spacing.y + 2 * style.window_padding.y


def _lines(height: float) -> int:
    """Lines in a card of this height."""
    style = imgui.get_style()
    room = height + style.item_spacing.y - 2 * style.window_padding.y
    return int(room / imgui.get_text_line_height_with_spacing() + 1e-3)


def _draw(card: Card, place: Rect, guard: Guard) -> None:
    lines = _lines(place.height)
    imgui.set_next_window_pos((place.x, place.y))
    # a card that scrolls is lower where a search finds little; of others the height is known before they are drawn
    lowest = 0.0 if card.scrolls else place.height
    imgui.set_next_window_size_constraints((place.width, lowest), (place.width, place.height))
    imgui.set_next_window_bg_alpha(OPACITY)
    takes_mouse = card.scrolls and lines < card.lines
    imgui.begin(f"##{card.title}", None, FLAGS & ~imgui.WindowFlags_.no_mouse_inputs if takes_mouse else FLAGS)
    imgui.internal.bring_window_to_display_back(imgui.internal.get_current_window())
    guard(card.title, lambda: card.draw(lines))
    imgui.end()


def hint(text: str, width: float) -> None:
    """A tooltip of the line above, `width` pixels of it, in a card that leaves the mouse to the view."""
    context: Any = imgui.get_current_context()
    rests = context.mouse_stationary_timer >= imgui.get_style().hover_stationary_delay
    if rests and not imgui.is_any_mouse_down() and _is_pointed_at(width):
        show_tooltip(text)


def is_clicked(width: float) -> bool:
    """Whether the line above was clicked: the button was released there, and has not dragged the view."""
    dragged = imgui.internal.is_mouse_drag_past_threshold(imgui.MouseButton_.left)
    return imgui.is_mouse_released(imgui.MouseButton_.left) and not dragged and _is_pointed_at(width)


def _is_pointed_at(width: float) -> bool:
    """Whether the pointer is on the line above, `width` pixels of it, and on nothing in front of the view."""
    context: Any = imgui.get_current_context()
    low = imgui.get_item_rect_min()
    corners = (low.x, low.y), (low.x + width, low.y + imgui.get_text_line_height())
    return context.hovered_window is None and bool(imgui.is_mouse_hovering_rect(*corners))


def draw_hidden_cards(titles: Sequence[str], rect: Rect) -> None:
    """List the cards that do not fit at the bottom of the view, and how to make room."""
    text = f"not enough room for:  {', '.join(titles)}. Tab and Shift+Tab hide panels."
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
