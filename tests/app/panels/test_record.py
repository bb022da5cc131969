"""The record button and its menu (app/panels/record.py): videos, films of the past, recordings of the run."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from app.input import actions, film
from app.input.desk import Action
from app.input.gesture import Gesture
from app.panels.record import record_button
from app.run.run_state import RecordingReport, RunState
from app.run.snapshot import Snapshot
from app.view.view_state import ViewState
from tests.app.conftest import Views
from tests.app.gui_driver import Gui


class Button:
    """The button, what it does, and what it shows."""

    def __init__(self, gui: Gui, model: Any = None) -> None:
        self.gui, self.view = gui, ViewState()
        self.snapshot = Snapshot(1, RunState(), model)
        self.done: list[Action] = []

    def draw(self) -> None:
        record_button(self.snapshot, self.view, self.done.append)

    def menu(self, label: str) -> None:
        """Open the menu and click a line of it."""
        self.gui.click(self.draw, "##record", button=1)
        self.gui.click(self.draw, label)


@pytest.fixture
def button(gui: Gui, views: Views) -> Button:
    model, _ = views("<worldbody><camera name='front'/><camera/><geom size='1'/></worldbody>")
    return Button(gui, model)


def test_a_click_records(button: Button) -> None:
    button.gui.click(button.draw, "##record")
    assert button.done == [actions.record]


def test_options(button: Button) -> None:
    button.gui.click(button.draw, "##record", button=1)
    for label, option in (
        ("gif", "gif"),
        ("With panels", "panels"),
        ("Wall time", "wall_time"),
        ("With recording", "with_recording"),
    ):
        button.gui.click(button.draw, label)
        assert getattr(button.view.recording_options, option) is True


@pytest.mark.parametrize(("label", "choice", "option", "value"), [("Frames", 0, "fps", 24), ("Speed", 3, "speed", 0.5)])
def test_lists(
    button: Button, monkeypatch: pytest.MonkeyPatch, label: str, choice: int, option: str, value: Any
) -> None:
    """What is chosen counts; opening the menu changes nothing."""
    from imgui_bundle import imgui

    before = replace(button.view.recording_options)
    button.gui.click(button.draw, "##record", button=1)
    assert button.view.recording_options == before
    combo = imgui.combo
    monkeypatch.setattr(imgui, "combo", lambda name, *rest: (True, choice) if name == label else combo(name, *rest))
    button.gui.frame(button.draw)
    assert button.view.recording_options == replace(before, **{option: value})


@pytest.mark.parametrize(
    ("label", "action"),
    [
        ("Film the range", actions.film_range),
        ("Record run (.ktr)", actions.record_run),
        ("Save recording of the past as…", actions.save_recording),
    ],
)
def test_lines_of_the_menu(button: Button, label: str, action: Action) -> None:
    button.menu(label)
    assert button.done == [action]


def test_film_from_a_camera(button: Button, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second camera has no name, and can be chosen all the same."""
    begun = list[int]()
    monkeypatch.setattr(film, "start", lambda desk, camera: begun.append(camera))
    button.gui.click(button.draw, "##record", button=1)
    button.gui.click(button.draw, "##film from")
    button.gui.click(button.draw, "##camera 1")
    (action,) = button.done
    action(SimpleNamespace(view=button.view), Gesture(""))  # type: ignore[arg-type]
    assert begun == [1]


def test_what_is_being_written_is_shown(button: Button) -> None:
    """The size of a recording, until something goes wrong; the length of a video."""
    button.gui.frame(button.draw)
    assert button.gui.texts == []
    report = RecordingReport("/x/run.ktr", 12_345_678)
    button.snapshot = replace(button.snapshot, run=RunState(recording=report))
    button.gui.frame(button.draw)
    assert button.gui.texts == ["ktr 12.3 MB"]
    button.snapshot = replace(button.snapshot, run=RunState(recording=replace(report, fault="the disk is full")))
    button.gui.frame(button.draw)
    assert button.gui.texts == []
    button.view.recording = SimpleNamespace(seconds=3.14, path="/x/y.mp4")  # type: ignore[assignment]
    button.gui.frame(button.draw)
    assert button.gui.texts == ["3.1 s"]
