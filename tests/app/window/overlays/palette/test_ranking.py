"""Which entries a typed text means, the likeliest first."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from app.window.overlays.palette.ranking import Terms, nearest, one_edit, ranked, search, singular


@dataclass(frozen=True, eq=False)
class Item:
    """An entry."""

    terms: Terms

    def __repr__(self) -> str:
        return self.terms.title


def items(*titles: str, **more: str) -> list[Item]:
    return [Item(Terms(title)) for title in titles] + [
        Item(Terms(title, synonyms=words)) for title, words in more.items()
    ]


def titles(found: list[Item]) -> list[str]:
    return [item.terms.title for item in found]


def test_whole_words_then_synonyms_beginnings_insides_captions() -> None:
    made = [
        Item(Terms("pile", caption="a cart in its caption")), Item(Terms("dogcart")), Item(Terms("carting")),
        Item(Terms("wagon", synonyms="cart")), Item(Terms("the cart")), Item(Terms("tree", others="cartpole")),
        Item(Terms("cart of wood")), Item(Terms("select", name="cart")), Item(Terms("nothing")),
    ]  # fmt: skip
    assert titles(search(made, "cart")) == [
        "select", "cart of wood", "the cart", "wagon", "carting", "dogcart", "tree", "pile",
    ]  # fmt: skip


def test_words_in_any_order_and_all_of_them() -> None:
    made = items("save a video", "save a file", "open a file")
    assert titles(search(made, "file save")) == ["save a file"]
    assert titles(search(made, "FILE")) == ["save a file", "open a file"]
    assert search(made, "  ") == made


def test_a_plural_is_its_singular_and_the_same_form_comes_first() -> None:
    made = items("contact point", "open contacts")
    assert titles(search(made, "contacts")) == ["open contacts", "contact point"]
    assert titles(search(made, "contact")) == ["contact point", "open contacts"]
    assert [singular(word) for word in ("joints", "mass", "gas", "is")] == ["joint", "mass", "gas", "is"]


@pytest.mark.parametrize("typed", ["relaod", "reloda", "relod", "reeload", "raload"])
def test_one_wrong_letter_is_forgiven_where_nothing_else_is_found(typed: str) -> None:
    made = items("reload the file", "record")
    assert titles(search(made, typed)) == ["reload the file"]
    assert ranked(made, typed) == []
    assert titles(search([*made, *items(typed)], typed)) == [typed]


@pytest.mark.parametrize(
    ("first", "second", "near"),
    [("abcd", "abcd", True), ("abcd", "abdc", True), ("abcd", "badc", False), ("abc", "abcde", False), ("", "a", True)],
)
def test_one_edit(first: str, second: str, near: bool) -> None:
    assert one_edit(first, second) is one_edit(second, first) is near


def test_what_is_less_wanted_comes_later() -> None:
    made = [Item(Terms("com", extra=2.0)), Item(Terms("centre of mass", synonyms="com"))]
    assert titles(search(made, "com")) == ["centre of mass", "com"]


def test_the_nearest_are_offered() -> None:
    made = items("screenshot", "pause", "gravity")
    assert titles(nearest(made, "skrinshott"))[0] == "screenshot"
    assert search(made, "skrinshott") == []


def test_more_than_can_be_ranked_are_found_nevertheless() -> None:
    made = items(*(f"geom {k}" for k in range(5000)))
    assert len(search(made, "geom")) == 5000
