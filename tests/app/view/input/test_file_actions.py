"""Actions that write files (app/view/input/file_actions.py), from the Open menu (app/window/panels/open_menu.py)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.view.input import file_actions
from app.view.input.desk import Action
from app.view.input.gesture import Gesture
from app.view.view_state import ViewState
from app.window.panels.open_menu import open_menu
from tests.app.conftest import Views
from tests.app.gui_driver import Gui


def test_a_model_without_sensors_has_nothing_to_export(views: Views) -> None:
    desk: Any = SimpleNamespace(view=ViewState(), snapshot=Snapshot(1, RunState(), views("")[0]), send=None)
    file_actions.export_sensors(desk, Gesture(""))
    assert desk.view.feedback.message == "this model has no sensors"


def test_it_is_in_the_menu(gui: Gui) -> None:
    done = list[Action]()

    def draw() -> None:
        open_menu(ViewState(), lambda _: None, done.append)

    gui.click(draw, "Open##menu")
    gui.click(draw, "Export sensors as CSV")
    assert done == [file_actions.export_sensors]
