"""Which rows Controls and Joints show."""

from __future__ import annotations

import numpy as np

from app.model.drive_filter import LINGER, DriveFilter
from app.model.drive_table import DriveTable

NAMES = ("hip left", "hip right", "knee left", "knee right")
ZERO = np.zeros(4)


def table() -> DriveTable:
    """Four rows of one number."""
    return DriveTable("actuator", np.arange(4), np.arange(4), np.ones(4, int), NAMES, NAMES)


def test_all_filters_have_to_agree() -> None:
    rows, chosen = table(), DriveFilter()
    values = np.array([0.0, 1.0, 0.0, 1.0])
    assert chosen.shown(rows, values, ZERO, None, 0.0).tolist() == [0, 1, 2, 3]
    chosen.text = "left"
    assert chosen.shown(rows, values, ZERO, None, 0.0).tolist() == [0, 2]
    chosen.text, chosen.changed = "knee", True
    assert chosen.shown(rows, values, ZERO, None, 0.0).tolist() == [3]
    # relative to other values
    assert chosen.shown(rows, values, np.ones(4), None, 0.0).tolist() == [2]


def test_what_is_edited_stays() -> None:
    rows, chosen = table(), DriveFilter(text="hip", changed=True)
    assert chosen.shown(rows, ZERO, ZERO, None, 0.0, edited=1).tolist() == [1]


def test_what_came_to_rest_stays_for_a_moment() -> None:
    rows, chosen = table(), DriveFilter(moving=True)
    assert chosen.shown(rows, ZERO, ZERO, None, 10.0).tolist() == []
    moved = np.array([0.0, 0.5, 0.0, 0.0])
    assert chosen.shown(rows, moved, ZERO, None, 10.1).tolist() == [1]
    assert chosen.shown(rows, moved, ZERO, None, 10.1 + 0.9 * LINGER).tolist() == [1]
    assert chosen.shown(rows, moved, ZERO, None, 10.2 + LINGER).tolist() == []
    # or what moves is given
    given = np.array([True, False, False, False])
    assert chosen.shown(rows, moved, ZERO, given, 20.0).tolist() == [0]


def test_another_model_starts_at_rest() -> None:
    rows, chosen = table(), DriveFilter(moving=True, keyframe=2)
    chosen.shown(rows, ZERO, ZERO, None, 0.0)
    chosen.keyframe = 2
    chosen.shown(rows, ZERO + 1, ZERO, None, 0.1)
    assert chosen.keyframe == 2
    assert chosen.shown(table(), ZERO, ZERO, None, 0.2).tolist() == []
    assert chosen.keyframe == -1


def test_arrows_walk_through_what_is_shown() -> None:
    chosen, shown = DriveFilter(), np.array([1, 3, 7])
    assert [chosen.step(shown, row, 1) for row in (-1, 1, 3, 7, 2, 9)] == [1, 3, 7, 7, 3, 7]
    assert [chosen.step(shown, row, -1) for row in (7, 3, 1, 2)] == [3, 1, 1, 1]
    assert chosen.step(np.array([], int), 1, 1) == -1
