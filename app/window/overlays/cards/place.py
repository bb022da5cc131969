"""Places of cards in the view: columns from the left, clear of each other and of what else is drawn there.

Of all ways to stack cards in columns the one is taken that hides least of them. If they do not fit all the same, those
of a column share its height, and the last ones get no place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.view.rect import Rect


class Size(NamedTuple):
    """Width and height that show all of a card, and whether it scrolls if it is lower."""

    width: float
    height: float
    scrolls: bool = False


# what is cut off of a card that scrolls counts less
SCROLLED = 0.2


# which column each card is in, and where each is
Columns = tuple[int, ...]
Places = list[Rect | None]


def place_cards(sizes: Sequence[Size], area: Rect, taken: Sequence[Rect], gap: float, least: float) -> Places:
    """A rectangle for each card, not lower than `least`, `gap` apart; None if there is no room."""
    found = [_placed(sizes, columns, area, taken, gap, least) for columns in _stackings(len(sizes))]
    return min(found, key=lambda places: _hidden(sizes, places))


def _hidden(sizes: Sequence[Size], places: Places) -> tuple[int, int, float]:
    """How many cards have no place, how early they come, and how much of the others is cut off."""
    without = [k for k, place in enumerate(places) if place is None]
    cut = 0.0
    for size, place in zip(sizes, places, strict=True):
        if place is not None:
            cut += max(size.height - place.height, 0.0) * (SCROLLED if size.scrolls else 1.0)
    return len(without), -sum(without), cut


def _stackings(count: int, so_far: Columns = ()) -> Iterator[Columns]:
    """All ways to stack so many cards; first those with most columns."""
    if len(so_far) == count:
        yield so_far
        return
    for column in range(max(so_far, default=-1) + 1, -1, -1):
        yield from _stackings(count, (*so_far, column))


def _placed(
    sizes: Sequence[Size], columns: Columns, area: Rect, taken: Sequence[Rect], gap: float, least: float
) -> Places:
    """Where cards are if they are stacked in these columns."""
    places: Places = [None] * len(sizes)
    left, right = area.x, area.x + area.width
    for column in range(max(columns, default=-1) + 1):
        cards = [k for k, at in enumerate(columns) if at == column]
        # a view that is narrower than the first column makes that narrower
        width = min(max(sizes[k].width for k in cards), area.width)
        if left + width > right:
            break
        top, height = _longest_free(left, width, area, taken, gap)
        # as many as have room
        cards = cards[: max(int((height + gap) / (least + gap)), 0)]
        for k, share in zip(cards, _shared([sizes[k].height for k in cards], height, gap), strict=True):
            places[k] = Rect(left, top, min(sizes[k].width, width), share)
            top += share + gap
        left += width + gap
    return places


def _longest_free(left: float, width: float, area: Rect, taken: Sequence[Rect], gap: float) -> tuple[float, float]:
    """Top and height of the longest part of a column in which nothing else is drawn."""
    beside = [r for r in taken if r.x < left + width + gap and left < r.x + r.width + gap]
    end = area.y + area.height
    tops = [area.y, *(max(area.y, r.y + r.height + gap) for r in beside)]
    spans = [(top, min([end, *(r.y - gap for r in beside if r.y + r.height + gap > top)]) - top) for top in tops]
    return max(spans, key=lambda span: span[1])


def _shared(wanted: Sequence[float], height: float, gap: float) -> list[float]:
    """Heights of cards in one column: what they want, or else equal shares of what the smaller ones leave."""
    left, shares = height - gap * (len(wanted) - 1), list(wanted)
    for done, k in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
        shares[k] = min(wanted[k], left / (len(wanted) - done))
        left -= shares[k]
    return shares
