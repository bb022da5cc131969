"""The message in the status line: how long it stays, and what it says about the selection."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from imgui_bundle import icons_fontawesome_6 as icons

from app.application import Application
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.view.feedback import MESSAGE_SECONDS
from app.view.input import mouse
from app.view.script.layer import ScriptLayer
from app.view.view_state import ViewState
from app.viewer import Perturb
from app.window import layout
from app.window.panels import status
from tests.app.conftest import Views
from tests.app.gui_driver import Gui

MODEL = """
<worldbody>
  <body name="ball"><freejoint name="free"/><geom name="skin" size="0.1"/></body>
  <body name="arm"><joint name="hinge"/><geom size="0.1"/></body>
</worldbody>
<actuator><motor name="motor" joint="hinge"/></actuator>
"""


def application(snapshot: Snapshot) -> Any:
    """What an application needs to take in snapshots and to see whether there is something to draw."""
    app: Any = SimpleNamespace(
        snapshot=snapshot, view=ViewState(), sessions=None, send=lambda _: None,
        _script_layer=ScriptLayer(), _added=(),
        _simulation=SimpleNamespace(latest=snapshot, endless_seconds=0.0),
        _model=snapshot.model, _path=snapshot.run.path, _trailing=0,
        _viewport=SimpleNamespace(
            refining=False, drop_scene=lambda: None, pictures_due=lambda *_, **__: False
        ),
        input=SimpleNamespace(end_flight=lambda: None),
        _drawn_serial=snapshot.serial, _drawn_events=0, _background=SimpleNamespace(news=lambda _: False),
        window=SimpleNamespace(events=0, busy=False, visible=True, hidden=False, set_caption=lambda _: None),
    )  # fmt: skip
    app._show_model = partial(Application._show_model, app)
    return app


def publish(app: Any, snapshot: Snapshot) -> None:
    """Have the application take in what the simulation says."""
    app._simulation.latest = snapshot
    Application._take_snapshot(app)


def test_a_message_goes_after_a_while_and_a_problem_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    app = application(Snapshot(1, RunState()))
    app.view.feedback.show_message("saved a.png")
    now += 0.9 * MESSAGE_SECONDS
    # said again, it stays as long again
    app.view.feedback.show_message("saved a.png")
    now += 0.9 * MESSAGE_SECONDS
    assert not Application._needs_frame(app)
    assert app.view.feedback.message == "saved a.png"
    # a window in which nothing moves is drawn without it
    now += 0.2 * MESSAGE_SECONDS
    assert Application._needs_frame(app)
    assert not app.view.feedback.message
    Application.report(app, "The image could not be saved", "the disk is full")
    now = math.inf
    app._trailing = 0
    assert not Application._needs_frame(app)
    assert app.view.feedback.message == "The image could not be saved: the disk is full"


def test_another_model_has_no_message_yet(gui: Gui, views: Views) -> None:
    model, state = views(MODEL)
    first = Snapshot(1, RunState(path="a.xml"), model, state)
    app = application(first)
    saved = replace(first, serial=2, run=replace(first.run, notification="saved a.xml"))
    publish(app, saved)
    assert app.view.feedback.message == "saved a.xml"
    publish(app, Snapshot(3, replace(saved.run, path=""), *views(MODEL)))
    assert not app.view.feedback.message


def test_a_file_that_is_saved_again_is_news_again(views: Views) -> None:
    model, state = views(MODEL)
    app = application(Snapshot(1, RunState(), model, state))
    for serial, path in enumerate(("a.xml", "a.xml"), 2):
        app.view.feedback.message = ""
        publish(app, replace(app.snapshot, serial=serial, run=replace(app.snapshot.run, notification=f"saved {path}")))
        assert app.view.feedback.message == "saved a.xml"
        # once
        app.view.feedback.message = ""
        publish(app, replace(app.snapshot, serial=serial + 10))
        assert not app.view.feedback.message


PLACES: dict[str, tuple[Callable[[Any], None], str]] = {
    "the view": (lambda app: mouse.select_body(app, 1, app.snapshot.state.xpos[1]), "selected body ball"),
    "a script": (lambda app: setattr(Perturb(app.view, 3), "select", 1), "selected body ball"),
    "a table": (lambda app: app.view.select("joint", 1), "selected joint hinge"),
    "no name": (lambda app: app.view.select("geom", 1), "selected arm / sphere"),
    "the sky": (lambda app: mouse.select_body(app, 0, None), "nothing is selected"),
    "nobody": (lambda app: setattr(Perturb(app.view, 3), "select", 0), "nothing is selected"),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_selection_is_named_in_the_same_words_wherever_it_is_made(views: Views, place: str) -> None:
    select, words = PLACES[place]
    app = application(Snapshot(1, RunState(), *views(MODEL)))
    app.view.select("body", 2)
    mouse.follow_selection(app)
    assert app.view.feedback.message == "selected body arm"
    select(app)
    mouse.follow_selection(app)
    assert app.view.feedback.message == words
    # what is selected already is not named over another message
    app.view.feedback.show_message("saved a.png")
    select(app)
    mouse.follow_selection(app)
    assert app.view.feedback.message == "saved a.png"


def test_a_click_in_the_tree_and_deselecting(gui: Gui, views: Views) -> None:
    app = application(Snapshot(1, RunState(ready=True), *views(MODEL)))
    gui.io.display_size = (1500, 2600)  # type: ignore[assignment]

    def draw() -> None:
        layout.draw(app.snapshot, app.view, print, print)
        mouse.follow_selection(app)

    app.view.ui.reveal = "Model tree"
    gui.frame(draw, 3)
    gui.click(draw, "##skin##row")
    assert app.view.feedback.message == "selected geom skin"
    gui.click(draw, "Deselect")
    assert app.view.feedback.message == "nothing is selected"


def test_a_warning_about_a_file_begins_with_its_name(gui: Gui, views: Views, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    text_colored = status.imgui.text_colored
    monkeypatch.setattr(
        status.imgui, "text_colored", lambda tint, text: (written.append(text), text_colored(tint, text))
    )
    warnings = ("/long/way/to/arm.xml:3: <option>: cone is odd", "a/b is no file: x")
    for shown in warnings:
        run = RunState(ready=True, warnings=(shown,))
        gui.frame(lambda run=run: layout.draw(Snapshot(1, run, *views(MODEL)), ViewState(), print, print), 2)
    said = [text.split("  ", 1)[1] for text in written if icons.ICON_FA_TRIANGLE_EXCLAMATION in text]
    assert said[0] == "arm.xml:3: <option>: cone is odd"
    assert said[-1] == warnings[1]
