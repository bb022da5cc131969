"""Places of cards in the view: `place.py`, `card.py`, `stage_hints.py`."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from app.run.stage_profiler import CALLS
from app.view.rect import Rect
from app.window.overlays.cards import stage_hints
from app.window.overlays.cards.place import Size, place_cards
from sim.script.profile import REST, STEP

VIEW = Rect(10, 20, 700, 800)
GAP, LEAST = 10.0, 60.0


def apart(one: Rect, other: Rect) -> bool:
    """Whether two rectangles do not overlap."""
    beside = one.x + one.width <= other.x + 1e-6 or other.x + other.width <= one.x + 1e-6
    return beside or one.y + one.height <= other.y + 1e-6 or other.y + other.height <= one.y + 1e-6


def test_side_by_side_if_there_is_room() -> None:
    sizes = [Size(150, 300), Size(250, 700), Size(200, 100)]
    assert place_cards(sizes, VIEW, [], GAP, LEAST) == [
        Rect(10, 20, 150, 300), Rect(170, 20, 250, 700), Rect(430, 20, 200, 100),
    ]  # fmt: skip


def test_stacked_where_that_hides_least() -> None:
    corner = Rect(610, 20, 100, 100)
    sizes = [Size(150, 300), Size(280, 600), Size(300, 400)]
    # the third one beside the others would be under the corner, below the first one all of it is in sight
    places = place_cards(sizes, VIEW, [corner], GAP, LEAST)
    assert places == [Rect(10, 20, 150, 300), Rect(320, 20, 280, 600), Rect(10, 330, 300, 400)]


def test_a_card_that_scrolls_gives_way() -> None:
    sizes = [Size(150, 300), Size(300, 700), Size(300, 2000, scrolls=True)]
    # the second one shows all that it has, and the third one scrolls below the first
    places = place_cards(sizes, Rect(0, 0, 620, 800), [], GAP, LEAST)
    assert places == [Rect(0, 0, 150, 300), Rect(310, 0, 300, 700), Rect(0, 310, 300, 490)]


def test_a_narrow_view_has_one_column_below_its_corner() -> None:
    view, corner = Rect(0, 0, 200, 500), Rect(100, 0, 100, 100)
    places = place_cards([Size(150, 90), Size(280, 600), Size(250, 400)], view, [corner], GAP, LEAST)
    # the first one has all that it wants, the others share the rest, and none is wider than the view
    assert places == [Rect(0, 110, 150, 90), Rect(0, 210, 200, 140), Rect(0, 360, 200, 140)]


def test_a_picture_in_the_middle_is_left_clear() -> None:
    picture = Rect(0, 400, 200, 100)
    assert place_cards([Size(150, 600)], Rect(0, 0, 200, 800), [picture], GAP, LEAST) == [Rect(0, 0, 150, 390)]


def test_without_room_the_last_cards_have_no_place() -> None:
    places = place_cards([Size(150, 300), Size(150, 300), Size(150, 300)], Rect(0, 0, 160, 130), [], GAP, LEAST)
    assert places == [Rect(0, 0, 150, 60), Rect(0, 70, 150, 60), None]
    assert place_cards([Size(150, 300)], Rect(0, 0, 0, 0), [], GAP, LEAST) == [None]


@given(
    st.lists(st.builds(Size, st.floats(20, 500), st.floats(20, 900)), max_size=4),
    st.builds(Rect, st.floats(0, 50), st.floats(0, 50), st.floats(0, 2000), st.floats(0, 1500)),
    st.lists(st.builds(Rect, st.floats(0, 900), st.floats(0, 900), st.floats(1, 300), st.floats(1, 300)), max_size=2),
)
def test_cards_are_in_the_view_and_clear_of_everything(sizes: list[Size], view: Rect, taken: list[Rect]) -> None:
    places = [place for place in place_cards(sizes, view, taken, GAP, LEAST) if place is not None]
    for place in places:
        assert place.x >= view.x and place.y >= view.y
        assert place.x + place.width <= view.x + view.width + 1e-6
        assert place.y + place.height <= view.y + view.height + 1e-6
        assert all(apart(place, other) for other in taken)
    assert all(apart(one, other) for one, other in combinations(places, 2))


def test_every_stage_is_explained() -> None:
    assert {call.stage for call in STEP} | {REST, CALLS} <= set(stage_hints.STAGES)
