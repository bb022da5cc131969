"""The values of a sweep: as typed, spread over a range, around the present one."""

from __future__ import annotations

from itertools import pairwise

import pytest

from app.instruments.sweep.values import MOST, BadValues, as_text, default_values, shown, spread, typed_values
from app.model.number_drag import Rule


def test_typed_lists_and_ranges() -> None:
    assert typed_values("0.1 0.3, 1;3 10") == (0.1, 0.3, 1.0, 3.0, 10.0)
    assert typed_values("0:1:5") == (0.0, 0.25, 0.5, 0.75, 1.0)
    assert typed_values("1:100:3 log") == (1.0, 10.0, 100.0)
    assert typed_values("7 0:2:3 7") == (7.0, 0.0, 1.0, 2.0)
    # of either sign
    assert typed_values("-1:-100:3 log") == (-1.0, -10.0, -100.0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "type some values"),
        ("log", "type some values"),
        ("1 two", "'two' is not a number"),
        ("nan", "not a finite number"),
        ("1:2", "first:last:count"),
        ("1:2:many", "first:last:count"),
        ("0:1:3 log", "same sign"),
        (f"0:1:{MOST + 1}", f"from 1 to {MOST}"),
        (" ".join(map(str, range(MOST + 1))), "too many"),
    ],
)
def test_what_is_wrong_is_said(text: str, reason: str) -> None:
    with pytest.raises(BadValues, match=reason):
        typed_values(text)


def test_ends_of_a_range_are_exact() -> None:
    values = spread(0.123456789, 9.87654321, 4, logarithmic=True)
    assert (values[0], values[-1]) == (0.123456789, 9.87654321)
    assert [b / a for a, b in pairwise(values)] == pytest.approx([4.309] * 3, rel=1e-3)
    assert spread(2.0, 5.0, 1) == (2.0,)


def test_defaults_are_around_the_present_value_and_legal() -> None:
    assert default_values(2.0) == (0.5, 1.0, 2.0, 4.0, 8.0)
    # the present value is one of them, to the last digit
    assert 0.123456789 in default_values(0.123456789)
    assert default_values(-9.81)[2] == -9.81
    assert default_values(0.0, Rule(low=0.0)) == (0.0, 0.01, 0.1, 1.0, 10.0)
    assert default_values(0.0)[0] == -1.0
    assert default_values(0.5, Rule(low=0.0, high=1.0)) == (0.125, 0.25, 0.5, 1.0)
    assert default_values(4.0, Rule(low=1.0, whole=True)) == (1.0, 2.0, 4.0, 8.0, 16.0)
    # few whole numbers, and choices: all of them
    assert default_values(1.0, Rule(low=0.0, high=1.0, whole=True)) == (0.0, 1.0)
    assert default_values(1.0, legal=(0, 1, 3)) == (0.0, 1.0, 3.0)
    assert default_values(float("inf"), Rule(low=0.0)) == default_values(0.0, Rule(low=0.0))


def test_text_says_the_same_values() -> None:
    values = (0.1, 1 / 3, -2.0, 1e-9)
    assert typed_values(as_text(values)) == values
    assert shown(0.1) == "0.1"
