"""What the A/B instrument keeps between frames: B, its start, and what becomes of both with another model."""

from __future__ import annotations

from dataclasses import replace

import sim
from app.background.field_choice import options_of
from app.instruments.ab.found import Found
from app.instruments.ab.state import KINDS, AbState
from app.instruments.ab.subject import EditedCopy, OtherBranch, OtherFile
from app.run.history.timeline import BranchView, Pace, Timeline
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from tests.app.live import MODEL


def snapshot_of(xml: str, now: int = 50) -> Snapshot:
    model = sim.loads(xml)
    line = Timeline((BranchView(0, last=100, paces=(Pace(0, 0.0, 0.01),)),), now=now)
    return Snapshot(1, RunState(history=line), view_model(model), view_state(sim.Data(model)))


def test_b_starts_where_it_was_made_and_stays_there() -> None:
    view, snapshot = AbState(), snapshot_of(MODEL)
    assert view.ask(snapshot) is None and view.take_request() is None
    assert snapshot.model is not None
    gravity, *_ = options_of(snapshot.model)
    view.change(gravity, 1.0)
    view.ask(snapshot)
    later = replace(snapshot, run=replace(snapshot.run, history=replace(snapshot.run.history, now=80)))
    view.change(gravity, 2.0)
    view.ask(later)
    request = view.take_request()
    assert request is not None and (request.since, view.since) == (50, 50)
    # nothing is asked in a frame that does not show it
    assert view.take_request() is None


def test_findings_about_another_b_are_not_shown() -> None:
    view, snapshot = AbState(), snapshot_of(MODEL)
    assert snapshot.model is not None
    view.compare(EditedCopy(), 10)
    view.found = Found(snapshot.model.identity, EditedCopy(), 10)
    assert view.ask(snapshot) is view.found
    view.compare(EditedCopy(from_file=True))
    assert view.ask(snapshot) is None and view.since == 10
    view.compare(OtherFile("x.xml"))
    assert view.since is None and KINDS[view.kind] == "file"


def test_another_model_keeps_numbers_only_of_the_same_elements() -> None:
    view, first = AbState(), snapshot_of(MODEL)
    view.compare(EditedCopy(), 10)
    view.ask(first)
    # the same file once more
    view.ask(snapshot_of(MODEL, now=70))
    assert view.subject == EditedCopy() and view.since == 70
    view.ask(snapshot_of(MODEL.replace("name='head' pos", "name='other' pos")))
    assert view.subject is None
    view.compare(OtherBranch(0))
    view.ask(snapshot_of(MODEL))
    assert view.subject is None


def test_an_expression_is_there_once() -> None:
    view = AbState()
    for text in ("d.time", "d.time", "  "):
        view.add(text)
    assert view.expressions == ["d.time"]
