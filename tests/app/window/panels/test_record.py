"""The record button and its menu (app/window/panels/record/): videos, films, sizes."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from app.run.run_state import RecordingReport, RunState
from app.run.snapshot import Snapshot
from app.view.input import actions, film
from app.view.input.desk import Action
from app.view.input.gesture import Gesture
from app.view.view_state import ViewState
from app.window.panels.record import record_button
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
        ("Embed the run", "with_recording"),
    ):
        button.gui.click(button.draw, label)
        assert getattr(button.view.recording_options, option) is True


@pytest.mark.parametrize(
    ("label", "choice", "option", "value", "gif"),
    [
        ("Frames", 0, "fps", 24, False),
        ("Speed", 3, "speed", 0.5, False),
        ("Size", 2, "size", "1920x1080", False),
        ("Frames", 2, "gif_fps", 20, True),
        ("Gif width", 5, "gif_width", 0, True),
    ],
)
def test_lists(
    button: Button, monkeypatch: pytest.MonkeyPatch, label: str, choice: int, option: str, value: Any, gif: bool
) -> None:
    """What is chosen counts, and is remembered; opening the menu changes nothing."""
    from imgui_bundle import imgui

    button.view.recording_options.gif = gif
    before = replace(button.view.recording_options)
    button.gui.click(button.draw, "##record", button=1)
    assert button.view.recording_options == before
    combo = imgui.combo
    monkeypatch.setattr(imgui, "combo", lambda name, *rest: (True, choice) if name == label else combo(name, *rest))
    button.gui.frame(button.draw)
    assert button.view.recording_options == replace(before, **{option: value})
    assert button.view.prefs.video.get(option, value) == value


@pytest.mark.parametrize(
    ("typed", "size", "said"),
    [
        ("2001 x 501", "2001x501", "images 2001 x 501; videos 2000 x 500, as h264 needs even numbers"),
        ("wide", "", "'wide' is not a size such as 1920 x 1080"),
        ("20000x10", "", "20000 x 10 is too large: this GPU draws at most 8000 pixels in each direction"),
    ],
)
def test_a_size_is_typed(button: Button, typed: str, size: str, said: str) -> None:
    button.view.shown_size, button.view.largest_image = (700, 500), 8000
    button.gui.click(button.draw, "##record", button=1)
    button.gui.click(button.draw, "Other size")
    button.gui.type(button.draw, typed)
    assert button.view.recording_options.size == size
    assert said in button.gui.texts


def test_what_a_size_costs_is_said(button: Button) -> None:
    button.view.shown_size = (960, 540)
    button.gui.click(button.draw, "##record", button=1)
    assert "images 960 x 540; videos 960 x 540" in button.gui.texts
    button.view.recording_options.size = "3840x2160"
    button.gui.frame(button.draw, 2)
    assert any("8.3 million pixels, 16 times the view" in text for text in button.gui.texts)
    button.view.recording_options.gif = True
    button.gui.frame(button.draw, 2)
    assert "images 3840 x 2160; gifs 640 x 360" in button.gui.texts


def test_a_size_that_this_gpu_cannot_draw_is_refused(button: Button) -> None:
    """It may have been chosen on another machine."""
    button.view.recording_options.size, button.view.largest_image = "3840x2160", 2048
    button.gui.click(button.draw, "##record", button=1)
    assert "3840 x 2160 is too large: this GPU draws at most 2048 pixels in each direction" in button.gui.texts


def test_the_menu_opens_from_elsewhere(button: Button) -> None:
    button.view.ui.show_video_options = True
    button.gui.frame(button.draw, 3)
    assert "With panels" in button.gui.rects and not button.view.ui.show_video_options


@pytest.mark.parametrize(
    ("label", "action"),
    [
        ("Film the range", actions.film_range),
        ("Web page of the range", actions.export_page),
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
    button.gui.click(button.draw, "##1")
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
