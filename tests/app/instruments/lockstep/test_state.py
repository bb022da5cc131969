"""What the Lockstep instrument asks for, frame by frame: state.py."""

from __future__ import annotations

import sim
from app.instruments.lockstep.state import LockstepState
from app.run.history.timeline import BranchView, Timeline
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model

MODEL = view_model(sim.loads("<mujoco/>"))


def snapshot(last: int, now: int, model: object = MODEL) -> Snapshot:
    run = RunState(history=Timeline((BranchView(0, last=last),), now=now), paused=False)
    return Snapshot(7, run, model)  # type: ignore[arg-type]


def test_it_asks_while_it_is_drawn_and_keeps_no_marks_after() -> None:
    shown = LockstepState(ghost=True)
    assert shown.ask(snapshot(10, 10)) is None
    shown.marks = frozenset([("body", 1)])
    request = shown.take_request()
    assert request is not None and (request.serial, request.running, request.ghost) == (7, True, True)
    assert shown.marks
    assert shown.take_request() is None and not shown.marks


def test_nothing_is_asked_without_a_model() -> None:
    shown = LockstepState()
    assert shown.ask(snapshot(0, 0, None)) is None and shown.take_request() is None


def test_a_free_run_begins_anew_where_its_start_is_gone() -> None:
    shown = LockstepState()
    shown.ask(snapshot(100, 80))
    shown.run_free(Timeline(now=80), True)
    shown.ask(snapshot(100, 90))
    assert shown.since == 80
    shown.ask(snapshot(20, 5))
    assert shown.since == 5
    shown.ask(snapshot(20, 5, view_model(sim.loads("<mujoco/>"))))
    assert shown.since is None
