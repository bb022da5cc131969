"""The card about an empty view: when it is shown, and that its button shows what moves."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from imgui_bundle import imgui

from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.view.input import actions
from app.view.rect import Rect
from app.view.view_state import ViewState
from app.window.overlays.view import out_of_view
from tests.app.conftest import Views
from tests.app.gui_driver import Gui

FALLEN = """<statistic center='0 0 0' extent='2'/><worldbody><geom type='plane' size='5 5 1'/>
<body name='stone' pos='0 0 -40'><freejoint/><geom size='.1'/></body></worldbody>"""
RECT = Rect(0, 0, 900, 600)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, in seconds, that a test sets."""
    now = [10.0]
    monkeypatch.setattr(out_of_view.time, "monotonic", lambda: now[0])
    return now


def test_the_way_back(views: Views, clock: list[float]) -> None:
    model, state = views(FALLEN)
    snapshot, view = Snapshot(1, RunState(ready=True), model, state), ViewState()
    assert not out_of_view.look_out(snapshot, view, RECT)
    clock[0] += 2
    assert out_of_view.look_out(snapshot, view, RECT)
    # the camera stays with it
    view.align(model, state)
    assert view.tracked == 1 and "tracking body stone" in view.feedback.message
    assert view.current_view(model, state).sees_any(state.xipos[1:], model.geom_rbound[1:])
    clock[0] += 2
    assert not out_of_view.look_out(snapshot, view, RECT)
    # of a camera of the model one knows where it looks
    view.tracked, view.camera_id = -1, 0
    assert not out_of_view.look_out(snapshot, view, RECT)


def test_buttons(gui: Gui) -> None:
    done: list[Any] = []
    view = ViewState()
    draw = partial(out_of_view.out_of_view_card, view, done.append, (450, 580), 900.0)
    gui.io.display_size = imgui.ImVec2(900, 600)
    gui.frame(draw, 3)
    assert out_of_view.TITLE in gui.texts
    for label in ("Follow it   Ctrl+A##out of view", "Reset   Backspace##out of view"):
        gui.click(draw, label)
    gui.click(draw, "Doctor##out of view")
    assert done == [actions.align, actions.reset] and view.instruments.requested == ["Doctor"]


def test_a_narrow_view(gui: Gui) -> None:
    draw = partial(out_of_view.out_of_view_card, ViewState(), print, (450, 580), 260.0)
    gui.frame(draw, 3)
    lefts = {rect[0] for label, rect in gui.rects.items() if label.endswith("##out of view")}
    assert len(lefts) == 1
    assert max(rect[2] for rect in gui.rects.values()) - min(lefts) < 260
