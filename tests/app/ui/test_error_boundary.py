"""Parts of the GUI that fail, one after the other: the rest lives on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from imgui_bundle import imgui, implot

from app.files.browse import begin
from app.instruments import instruments
from app.manual.manual_view import ManualView
from app.model.problem import Problem
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.ui.widgets import colour, disabled, font
from app.view.preferences import Preferences
from app.view.rect import Rect
from app.view.script.layer import ScriptLayer
from app.view.ui_state import UiState
from app.view.view_state import ViewState
from app.window import layout
from app.window.overlays import overlays
from app.window.overlays.script.layer import script_panels
from app.window.panel_list import panels
from tests.app.conftest import Views
from tests.app.gui_driver import Gui

BALL = "<worldbody><body><freejoint/><geom size='.1'/></body></worldbody>"
BARS = {"Toolbar": "toolbar", "Status line": "status_line"}
# functions that the module of overlays calls
OVERLAYS = {
    "Info": "info_card", "Profiler": "profiler_card", "Sensors": "sensors_card",
    "Empty view": "empty_view_hint", "Manual": "manual_window", "Notice": "problem_card", "Gallery": "gallery",
    "File dialog": "file_dialog", "Command palette": "command_palette",
}  # fmt: skip


def fail(*_: Any) -> None:
    """Stop in the middle of everything that ImGui and ImPlot let one begin."""
    imgui.push_id("here")
    imgui.begin("a window")
    imgui.push_style_var(imgui.StyleVar_.alpha, 0.5)
    imgui.begin_child("a child")
    imgui.begin_group()
    imgui.push_item_width(10)
    with colour(imgui.Col_.text, (1, 0, 0, 1)), font("mono"), disabled(True):
        imgui.begin_table("a table", 2)
        imgui.table_next_column()
        implot.begin_plot("a plot")
        raise KeyError("no such thing")


def leave_open(*_: Any) -> None:
    """End without an error what was begun."""
    imgui.begin_child("left open")


class Window:
    """All panels and overlays at once."""

    def __init__(self, gui: Gui, views: Views) -> None:
        self.gui = gui
        gui.io.display_size = imgui.ImVec2(1500, 2600)
        self.model, self.state = views(BALL)
        self.view = ViewState(
            prefs=Preferences(show_bottom=True, show_info=True),
            ui=UiState(show_profiler=True, show_sensors=True, manual=ManualView(open=True)),
        )
        self.view.ui.show_palette, self.view.ui.browse = True, begin("")
        self.view.options.geom_group = [False] * 6
        self.run = RunState(path="robot.xml", ready=True, problem=Problem("It went wrong", "so it did"))
        self.layer = ScriptLayer()

    def draw(self) -> None:
        """One frame of it."""
        snapshot = Snapshot(1, self.run, self.model, self.state)
        rect = layout.draw(snapshot, self.view, lambda _: None, lambda _: None)
        script_panels(self.layer, rect)
        layout.drop_focus()

    def frames(self, count: int = 6) -> str:
        """What is written in the last of some frames."""
        self.gui.frame(self.draw, count)
        return "\n".join(self.gui.texts)


@pytest.fixture
def window(gui: Gui, views: Views) -> Iterator[Window]:
    """In which nothing failed, and nothing is left open in the end."""
    made = Window(gui, views)
    made.frames()
    assert made.view.feedback.faults == {}
    yield made
    made.gui.frame(lambda: None)
    assert implot.internal.get_current_plot() is None


@pytest.mark.parametrize("wrong", [fail, leave_open])
@pytest.mark.parametrize("name", [panel.name for panel in panels()])
def test_a_panel_that_fails_says_so_and_can_be_had_back(
    window: Window, monkeypatch: pytest.MonkeyPatch, name: str, wrong: Any
) -> None:
    monkeypatch.setattr(window.view.ui, "show_palette", False)
    monkeypatch.setattr(window.view.ui, "browse", None)
    # it lies over some panels
    monkeypatch.setattr(window.view.ui.manual, "open", False)
    monkeypatch.setattr(window.view.prefs, "instruments", [*instruments()])
    broken = tuple(replace(panel, draw=wrong) if panel.name == name else panel for panel in panels())
    with monkeypatch.context() as patch:
        patch.setattr(layout, "panels", lambda: broken)
        window.view.ui.reveal = name
        texts = window.frames()
        assert set(window.view.feedback.faults) == {name}
        assert f"{name} failed and is hidden" in texts
        assert texts.count("no such thing" if wrong is fail else "Missing EndChild()") >= 2
        window.gui.click(window.draw, "Dismiss##fault")
        texts = window.frames()
        assert f"{name} failed" in texts
        assert "is hidden" not in texts
    window.gui.click(window.draw, f"Try again##{name}")
    assert window.view.feedback.faults == {}
    assert f"{name} failed" not in window.frames()


@pytest.mark.parametrize("name", [*BARS, *OVERLAYS])
def test_a_bar_or_an_overlay_that_fails_is_left_out(window: Window, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    before = without_memory(window.frames())
    with monkeypatch.context() as patch:
        patch.setattr(layout if name in BARS else overlays, {**BARS, **OVERLAYS}[name], fail)
        texts = window.frames()
        assert set(window.view.feedback.faults) == {name}
        # a card that fails cannot say so
        assert (f"{name} failed and is hidden" in texts) == (name != "Notice")
    window.view.feedback.faults.clear()
    assert without_memory(window.frames()) == before


def without_memory(texts: str) -> str:
    """Texts without the memory that the process has, which no test decides."""
    return re.sub(r"\d+ MB", "MB", texts)


def test_a_panel_of_a_script_that_fails_says_so_until_it_is_another(window: Window) -> None:
    window.layer.panels["Mine"] = fail
    assert "Mine failed" in window.frames()
    assert "no such thing" in window.frames()
    # what it leaves open is ended for it, and not held against it
    window.layer.panels["Mine"] = leave_open
    assert "Mine failed" not in window.frames()
    assert window.view.feedback.faults == {}


def test_places_are_kept_while_a_panel_has_failed(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    def picture() -> Rect:
        snapshot = Snapshot(1, window.run, window.model, window.state)
        return window.gui.frame(lambda: layout.draw(snapshot, window.view, lambda _: None, lambda _: None), 3)  # type: ignore[no-any-return]

    before = picture()
    broken = tuple(replace(panel, draw=fail) for panel in panels())
    monkeypatch.setattr(layout, "panels", lambda: broken)
    assert picture() == before
