"""Frames of videos (video_frames.py, recording.py): from the screen, or in a size of their own."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.render.capture.recording import RecordingOptions
from app.render.capture.video import Pixels
from app.run import commands as cmd
from app.run.run_state import RunState
from app.view.input import recording
from app.view.view_state import ViewState
from tests.app.movie import read_frames

BRIGHT, DARK = 200, 50


class FakeDesk:
    """A window of 101 x 51 pixels: bright on the screen, dark where it is drawn again."""

    def __init__(self, **options: Any) -> None:
        self.view = ViewState(recording_options=RecordingOptions(fps=20, **options))
        self.snapshot = SimpleNamespace(run=RunState(time=1.0))
        self.sent: list[cmd.Command] = []
        self.reported: list[str] = []
        self.memory = True

    def send(self, command: cmd.Command) -> None:
        self.sent.append(command)

    def report(self, title: str, text: str) -> None:
        self.reported.append(f"{title}: {text}")

    def frame_box(self, panels: bool) -> tuple[int, int, int, int]:
        return (0, 0, 140, 90) if panels else (0, 0, 101, 51)

    def read_frame(self, box: tuple[int, int, int, int]) -> Pixels:
        return np.full((box[3], box[2], 3), BRIGHT, np.uint8)

    def screenshot(self, size: tuple[int, int]) -> Pixels:
        if not self.memory:
            raise MemoryError("the GPU has no memory left")
        return np.full((size[1], size[0], 3), DARK, np.uint8)


def recorded(desk: FakeDesk) -> Pixels:
    """The only frame of a video."""
    recording.toggle(desk)  # type: ignore[arg-type]
    assert desk.view.recording is not None, desk.reported
    path = desk.view.recording.path
    for panels in (False, True):
        recording.capture_frame(desk, panels)  # type: ignore[arg-type]
    recording.toggle(desk)  # type: ignore[arg-type]
    (frame,) = read_frames(path)
    return frame


@pytest.mark.parametrize(
    ("options", "size", "brightness"),
    [
        ({}, (100, 50), BRIGHT),
        ({"size": "64x64"}, (64, 64), DARK),
        ({"size": "65x63"}, (64, 62), DARK),
        # a picture of the whole window cannot be drawn again
        ({"size": "64x64", "panels": True}, (140, 90), BRIGHT),
        ({"gif": True}, (101, 51), BRIGHT),
        ({"gif": True, "gif_width": 80}, (80, 40), BRIGHT),
        ({"gif": True, "gif_width": 80, "size": "400x200"}, (80, 40), DARK),
    ],
)
def test_sizes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], size: tuple[int, int], brightness: int
) -> None:
    monkeypatch.chdir(tmp_path)
    frame = recorded(FakeDesk(**options))
    assert frame.shape[1::-1] == size
    assert abs(int(frame.mean()) - brightness) < 3


def test_a_size_beyond_the_gpu_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    desk = FakeDesk(size="3840x2160")
    desk.view.largest_image = 2048
    recording.toggle(desk)  # type: ignore[arg-type]
    assert desk.view.recording is None
    assert desk.reported == [
        (
            "The video could not be recorded: "
            "3840 x 2160 is too large: this GPU draws at most 2048 pixels in each direction"
        )
    ]
    assert not list(tmp_path.iterdir())


def test_a_frame_that_cannot_be_drawn_ends_the_video(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    desk = FakeDesk(size="64x64")
    recording.toggle(desk)  # type: ignore[arg-type]
    desk.memory = False
    for _ in range(2):
        recording.capture_frame(desk, False)  # type: ignore[arg-type]
    assert desk.view.recording is None
    assert "the GPU has no memory left" in desk.reported[-1]
