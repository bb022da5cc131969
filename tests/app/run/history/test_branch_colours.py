"""Colours of branches: as many as the timeline tells apart, and again from the first after the last."""

from __future__ import annotations

from itertools import combinations
from math import dist

from app.run.history.branch_colours import BRANCH_COLOURS, branch_colour


def test_colours_differ() -> None:
    """Any two are well apart, and lie within sRGB."""
    assert len(BRANCH_COLOURS) == 8
    assert all(0 <= part <= 1 for colour in BRANCH_COLOURS for part in colour)
    assert min(dist(*pair) for pair in combinations(BRANCH_COLOURS, 2)) > 0.2


def test_colours_repeat() -> None:
    """A branch has a colour, however many there are."""
    assert [branch_colour(n) for n in (0, 7, 8, 17)] == [BRANCH_COLOURS[n] for n in (0, 7, 0, 1)]
