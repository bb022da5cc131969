"""Entries of a run in the log (run_log.py, app/view/input/run_news.py): problems, warnings, counts of the engine."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.model.problem import Problem
from app.run.log.log import Level, Log
from app.run.log.run_log import MEANINGS, log_run
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.view.input.run_news import show_news
from app.view.view_state import ViewState
from sim import enums
from tests.app.conftest import Views

ARM = "<worldbody><body name='arm'><joint name='elbow'/><geom size='.1'/></body></worldbody>"


@pytest.fixture
def model(views: Views) -> Any:
    return views(ARM)[0]


def state(**numbers: int) -> Any:
    """A state with some warnings of the engine."""
    number, lastinfo = np.zeros(len(MEANINGS), int), np.zeros(len(MEANINGS), int)
    for name, count in numbers.items():
        number[getattr(enums, f"WARN_{name}")] = count
    return SimpleNamespace(warning=SimpleNamespace(number=number, lastinfo=lastinfo))


def entries(log: Log) -> list[tuple[Level, str, int]]:
    return [(entry.level, entry.text, entry.times) for entry in log.entries()]


def test_warnings_of_the_engine_are_counted(model: Any) -> None:
    log, before = Log(), Snapshot(0, RunState(), model, state())
    for numbers, count in (({"BADQPOS": 2}, 2), ({"BADQPOS": 2}, 2), ({"BADQPOS": 5}, 5), ({"BADQPOS": 1}, 6)):
        after = Snapshot(1, RunState(), model, state(**numbers))
        log_run(log, before, after)
        before = after
        assert entries(log) == [
            (Level.WARNING, "a position is NaN, infinite or huge: qpos[0], joint elbow", count),
        ]
    log_run(log, before, Snapshot(2, RunState(), model, state(BADQPOS=1, CONTACTFULL=1)))
    assert "too many contacts" in entries(log)[-1][1]


def test_every_warning_of_the_engine_is_explained() -> None:
    known = {value for name, value in vars(enums).items() if name.startswith("WARN_")}
    assert known == {*MEANINGS}


def test_problems_and_warnings_of_reading(model: Any) -> None:
    log = Log()
    first = Snapshot(0, RunState(), model)
    second = Snapshot(1, RunState(problem=Problem("Bad", "model.xml:3: no"), warnings=("soft",)), model)
    third = replace(second, run=replace(second.run, warnings=("soft", "hard")))
    for before, after in ((first, second), (second, second), (second, third), (third, first), (first, first)):
        log_run(log, before, after)
    assert entries(log) == [
        (Level.ERROR, "Bad: model.xml:3: no", 1),
        (Level.WARNING, "soft", 1),
        (Level.WARNING, "hard", 1),
    ]


def test_what_the_viewer_reports_is_logged_once(model: Any) -> None:
    view = ViewState()
    view.feedback.show_error("Bad: no")
    log_run(
        view.feedback.log, Snapshot(0, RunState(), model), Snapshot(1, RunState(problem=Problem("Bad", "no")), model)
    )
    assert entries(view.feedback.log) == [(Level.ERROR, "Bad: no", 1)]


def test_what_python_has_shown_is_not_repeated(model: Any) -> None:
    log = Log()
    log.add(Level.WARNING, "stderr", "x.py:3: UserWarning: soft")
    log_run(log, Snapshot(0, RunState(), model), Snapshot(1, RunState(warnings=("soft", "hard")), model))
    assert [entry.text for entry in log.entries()] == ["x.py:3: UserWarning: soft", "hard"]


def test_notifications_are_messages(model: Any) -> None:
    """The same text again is another one, if it is another object."""
    desk: Any = SimpleNamespace(view=ViewState())
    text = "saved model.xml"
    first, second = Snapshot(0, RunState(), model), Snapshot(1, RunState(notification=text), model)
    for before, after in ((first, second), (second, second)):
        show_news(desk, before, after)
    assert desk.view.feedback.message == text
    assert entries(desk.view.feedback.log) == [(Level.MESSAGE, text, 1)]
