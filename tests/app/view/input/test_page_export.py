"""Web pages of the range of the timeline (page_export.py): what is saved, and what becomes of it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import sim
from app.run import commands as cmd
from app.run.history.timeline import BranchView, Pace, Timeline
from app.run.run_state import RunState
from app.view.input import page_export
from app.view.view_state import ViewState
from tests.app.web.decoder import replay_of_page
from tests.sim.recording.made_runs import MODEL, made_run, record

# the two branches of `made_run`; the second one repeats a range
BRANCHES = (
    BranchView(0, last=68, paces=(Pace(0, 0.0, 0.005),)),
    BranchView(1, 0, fork=17, last=57, paces=(Pace(17, 0.085, 0.005),)),
)


def desk_of(timeline: Timeline, model: Any = True) -> Any:
    desk = SimpleNamespace(view=ViewState(), asked=[], snapshot=SimpleNamespace(model=model))
    desk.run_state = RunState("balls.xml", history=timeline)
    desk.send = desk.asked.append
    return desk


def test_the_loop_becomes_a_page(tmp_path: Path) -> None:
    """The recording is only a step on the way; the page has the branch and the range that were shown."""
    desk = desk_of(Timeline(BRANCHES, branch=1, now=40, loop=(20, 50)))
    out = tmp_path / "a page.html"
    page_export.export(desk, out)
    (sent,) = desk.asked
    assert isinstance(sent, cmd.SaveRecording) and sent.path == str(tmp_path / "a page.ktr")
    record(made_run(sim.loads(MODEL)), Path(sent.path))
    assert sent.then is not None
    assert sent.then(sent.path).startswith(f"{out} (10 frames")
    header = replay_of_page(out.read_text(encoding="utf-8")).header
    assert (header["time"]["start"], header["time"]["count"], header["marks"]) == (0.1, 10, [])
    assert {remark["severity"] for remark in header["remarks"]} <= {"error", "warning", "note"}
    Path(sent.path).write_text("text")
    with pytest.raises(ValueError, match=r"^.*a page.ktr.*this is not a recording"):
        sent.then(sent.path)


def test_without_a_model_there_is_nothing_to_export() -> None:
    desk = desk_of(Timeline(), None)
    page_export.export(desk)
    assert not desk.asked and "open a model" in desk.view.feedback.message
