"""Panels of a model of another engine: its name in the status line, and what it cannot tell, greyed, in its place."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import sim
from app.background.probe import Answer, Answers, Moment
from app.instruments.contact.panel import contact_panel
from app.instruments.contact.question import PathQuestion, TouchQuestion
from app.run.commands import Command
from app.run.history.taken_rows import TakenMoment
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.view.rect import Rect
from app.view.view_state import ViewState
from app.window.overlays.cards.card import draw_cards
from app.window.overlays.profiler import profiler_card
from app.window.panels.islands import islands_panel
from app.window.panels.status import status_line
from sim.edits import NO_EDITS
from tests.app.gui_driver import Gui
from tests.app.window.panels.test_tooltips import Sheet
from tests.sim.other_engine import UpsideDown, turned

XML = """<mujoco><worldbody><geom name='ceiling' type='plane' size='1 1 1' euler='180 0 0' pos='0 0 1'/>
<body name='ball' pos='0 0 .95'><freejoint/><geom name='ball' size='.1'/></body></worldbody></mujoco>"""
LACKS = {
    "solver_path": "it keeps its iterations to itself",
    "why_awake": "it does not say why a tree is awake",
    "put_to_sleep": "it puts nothing to sleep",
    "stage_times": "it does not say how long its stages take, which is a long sentence in a narrow card",
}


def ignore(command: Command) -> None:
    """Nobody listens."""


@pytest.fixture(params=[{}, LACKS], ids=["tells all", "lacks"])
def lacks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Mapping[str, str]:
    found: Mapping[str, str] = request.param
    monkeypatch.setattr(UpsideDown, "LACKS", found)
    return found


@pytest.fixture
def moment(lacks: Mapping[str, str]) -> Moment:
    model = turned(sim.loads(XML))
    data = sim.Data(model)
    state = sim.copy_state(model, data)
    return Moment(TakenMoment(model, NO_EDITS, state, object(), 0, 0, 0.0), model, data)


@pytest.fixture
def snapshot(moment: Moment) -> Snapshot:
    return Snapshot(1, RunState(ready=True), view_model(moment.model), view_state(moment.data))


def test_the_status_line_names_it(gui: Gui, snapshot: Snapshot) -> None:
    draw = Sheet(gui, snapshot).alone(status_line, ignore)
    gui.frame(draw, 2)
    assert gui.texts[0] == "UpsideDown 1.0"
    gui.point_at(draw, gui.text_rects["UpsideDown 1.0"])
    assert gui.tooltips
    own = sim.loads(XML)
    gui.frame(
        Sheet(gui, Snapshot(2, RunState(), view_model(own), view_state(sim.Data(own)))).alone(status_line, ignore)
    )
    assert not [text for text in gui.texts if "Kinetoscope" in text or "UpsideDown" in text]


def test_islands(gui: Gui, snapshot: Snapshot, lacks: Mapping[str, str]) -> None:
    draw = Sheet(gui, snapshot).alone(islands_panel, ignore)
    gui.frame(draw, 2)
    assert ("its policy" in gui.texts or "sleep is off" in gui.texts) == (not lacks)
    assert (LACKS["why_awake"] in gui.texts) == bool(lacks)
    gui.point_at(draw, gui.rects["Sleep"])
    words = [text for text in gui.texts if "sleep" in text and text != "sleep is off"]
    assert (LACKS["put_to_sleep"] in words) == bool(lacks)


def test_the_profiler(gui: Gui, snapshot: Snapshot, lacks: Mapping[str, str]) -> None:
    view = ViewState()
    rect = Rect(0, 0, 1400, 900)
    gui.frame(lambda: draw_cards([profiler_card(snapshot, view)], rect, [], lambda _, draw: draw()), 2)
    assert "Profiler" in gui.texts
    assert (LACKS["stage_times"] in gui.texts) == bool(lacks)


def test_the_path_of_the_solver(gui: Gui, snapshot: Snapshot, moment: Moment, lacks: Mapping[str, str]) -> None:
    """It is not even asked for."""
    assert snapshot.model is not None
    question, sheet = TouchQuestion(0, 1), Sheet(gui, snapshot)
    answers = {question: Answer(question.answer(moment), "", 0, 0, 0.0)}
    sheet.view.ui.microscope = snapshot.model.identity, 0, 1
    asked: list[frozenset[object]] = []
    draw = sheet.alone(contact_panel, ignore)

    def frame() -> None:
        sheet.view.instruments.begin(snapshot.model, Answers(answers, snapshot.model and snapshot.model.identity))
        draw()
        asked.append(sheet.view.instruments.end())

    gui.frame(frame, 2)
    assert (PathQuestion(0, 1) in asked[-1]) == (not lacks)
    assert (LACKS["solver_path"] in gui.texts) == bool(lacks)
