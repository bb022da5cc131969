"""Values that a script and the user both change."""

from __future__ import annotations

from typing import Any

import pytest

from app.view.script.exchange import Exchange, Side


@pytest.fixture
def sides() -> tuple[dict[str, Any], dict[str, Any], Exchange]:
    """What the script has, what the window has, and what keeps them equal."""
    script, user = {"a": 0, "b": 0}, {"a": 1, "b": 2}
    made = Exchange(Side(lambda: dict(script), script.update), Side(lambda: dict(user), user.update))
    return script, user, made


Sides = tuple[dict[str, Any], dict[str, Any], Exchange]


def test_it_begins_with_what_the_window_has(sides: Sides) -> None:
    script, user, _ = sides
    assert script == user == {"a": 1, "b": 2}


def test_each_side_gets_what_the_other_has_changed(sides: Sides) -> None:
    script, user, exchange = sides
    script["a"], user["b"] = 10, 20
    exchange.exchange()
    assert script == user == {"a": 10, "b": 20}
    user["a"] = 11
    exchange.exchange()
    assert script == {"a": 11, "b": 20}


def test_of_two_changes_the_scripts_counts(sides: Sides) -> None:
    script, user, exchange = sides
    script["a"], user["a"] = 10, 20
    exchange.exchange()
    assert script["a"] == user["a"] == 10


def test_what_the_window_makes_of_a_value_comes_back(sides: Sides) -> None:
    script, user, exchange = sides
    script["a"] = 370
    exchange.exchange()
    user["a"] = 10
    exchange.exchange()
    assert script["a"] == 10
