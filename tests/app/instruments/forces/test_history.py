"""The history of the Forces instrument: what is kept, in which order, and what begins anew: history.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.background.probe import Answer
from app.instruments.forces.history import MOST, ForceHistory
from app.instruments.forces.question import ForceAnswer, ForceQuestion
from sim.analysis.force_shares import Shares
from sim.analysis.force_sources import Source

ELBOW, KNEE = ForceQuestion("joint", 1), ForceQuestion("joint", 2)
SOURCES = (Source("gravity"), Source("contact", "contact", 0), Source("contact", "contact", 1))
NAMES = ("gravity", "foot on floor", "foot on floor")


def answer(step: int, *values: float, branch: int = 0) -> Answer:
    column = np.array(values)[:, None]
    total = column.sum(axis=0)
    shares = Shares(SOURCES, column, 2 * column, total, 2 * total)
    return Answer(ForceAnswer(shares, NAMES, NAMES, total, "elbow"), "", branch, step, 0.1 * step)


def series(history: ForceHistory, as_force: bool = False, by_kind: bool = False) -> Any:
    names = ["gravity", "contacts" if by_kind else "foot on floor"]
    times, values = history.series(names, 0, as_force, by_kind)
    return times.tolist(), values.tolist()


def test_values_by_name_in_the_order_of_time() -> None:
    history = ForceHistory()
    history.add(ELBOW, answer(5, -9, 3, 4))
    history.add(ELBOW, answer(2, -8, 1, 1))
    assert series(history) == (pytest.approx([0.2, 0.5]), [[-8, -9], [2, 7], [-6, -2]])
    assert series(history, as_force=True)[1] == [[-16, -18], [4, 14], [-12, -4]]
    assert series(history, by_kind=True)[1] == [[-8, -9], [2, 7], [-6, -2]]
    assert history.series(["spring"], 0, False, False)[1][0].tolist() == [0, 0]


def test_step_that_is_answered_again_has_the_new_value() -> None:
    history = ForceHistory()
    history.add(ELBOW, answer(5, -9, 3, 4))
    series(history)
    history.add(ELBOW, answer(5, -1, 0, 0))
    assert series(history)[1] == [[-1], [0], [-1]]


def test_another_joint_or_branch_begins_anew() -> None:
    history = ForceHistory()
    history.add(ELBOW, answer(5, -9, 3, 4))
    history.add(KNEE, answer(6, -9, 3, 4))
    assert series(history)[0] == pytest.approx([0.6])
    history.add(KNEE, answer(7, -9, 3, 4, branch=1))
    assert series(history)[0] == pytest.approx([0.7])


def test_oldest_are_forgotten() -> None:
    history = ForceHistory()
    for step in range(MOST + 3):
        history.add(ELBOW, answer(step, step, 0, 0))
        if step == 1:
            series(history)
    times, values = series(history)
    assert len(times) == MOST and times[0] == pytest.approx(0.3)
    assert values[0][0] == 3
