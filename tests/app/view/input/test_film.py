"""Films of the past (film.py, app/render/capture/range_film.py): which moments, in which order, and the way back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.application import Application
from app.render.capture.recording import RecordingOptions, VideoRecording
from app.run import commands as cmd
from app.run.history.timeline import BranchView, Pace, Timeline
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.scene.camera import FREE_CAMERA
from app.view.input import actions, film, recording, video_frames
from app.view.input.gesture import Gesture
from app.view.session.view_note import read_view_note
from app.view.view_state import ViewState
from app.window.overlays.palette.entries import entries
from app.window.panels.status import status_line
from tests.app.conftest import Views
from tests.app.gui_driver import Gui
from tests.app.movie import read_frames

KEY = Gesture("")
# 200 steps of 10 ms; the last 50 of them, of 20 ms, are a branch of their own
BRANCHES = (
    BranchView(0, last=300, paces=(Pace(0, 0.0, 0.01),)),
    BranchView(4, 0, fork=150, last=200, paces=(Pace(150, 1.5, 0.02),)),
)
TIMELINE = Timeline(BRANCHES, branch=4, now=180)


class FakeDesk:
    """A desk whose pictures show the step by their brightness, and whose simulation does as it is told, or not."""

    def __init__(self, timeline: Timeline, model: Any) -> None:
        self.view, self.sessions, self.rect = ViewState(), None, None
        self.view.recording_options = RecordingOptions(fps=20)
        self.snapshot = Snapshot(1, RunState("arm.xml", history=timeline), model, SimpleNamespace())  # type: ignore[arg-type]
        self.asked: list[cmd.Command] = []
        self.reported: list[str] = []
        self._simulation = SimpleNamespace(send=self.asked.append, latest=self.snapshot)
        self.send = partial(Application.send, self)  # type: ignore[arg-type]

    @property
    def run_state(self) -> RunState:
        return self.snapshot.run

    def report(self, title: str, text: str) -> None:
        self.reported.append(f"{title}: {text}")

    def frame_box(self, panels: bool) -> tuple[int, int, int, int]:
        return 0, 0, 32, 32

    def read_frame(self, box: tuple[int, int, int, int]) -> np.ndarray:
        return np.full((32, 32, 3), self.snapshot.run.history.now, np.uint8)

    def show(self, **changes: Any) -> None:
        """Take in another moment."""
        history = replace(self.snapshot.run.history, **changes)
        run = replace(self.snapshot.run, history=history, paused=True)
        self.snapshot = replace(self.snapshot, serial=self.snapshot.serial + 1, run=run)

    def answer(self) -> None:
        """Go to the moment that was asked for last."""
        command = self.asked[-1]
        assert isinstance(command, cmd.GoTo) and command.branch is not None
        self.show(now=command.moment, branch=command.branch)

    def draw(self, panels: bool = False) -> None:
        """Draw a frame, and let videos have it."""
        recording.capture_frame(self, panels)  # type: ignore[arg-type]

    def finish(self) -> None:
        """Draw and answer until the film ends."""
        for _ in range(10_000):
            if self.view.film is None:
                return
            self.answer()
            self.draw()
        pytest.fail("the film does not end")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, views: Views) -> Iterator[Any]:
    """A desk with a past, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    # the test waits for the encoder, which the window does not
    monkeypatch.setattr(VideoRecording, "full", False)
    model, _ = views("<worldbody><camera name='front'/><camera name='side'/><geom size='1'/></worldbody>")
    made = FakeDesk(TIMELINE, model)
    yield made
    if made.view.film is not None:
        made.view.film.recording.finish()


def filmed(tmp_path: Path) -> list[int]:
    """The steps that the only video shows, from its brightness."""
    (path,) = tmp_path.glob("kinetoscope-*")
    return [round(float(frame.mean())) for frame in read_frames(path)]


def expected(first: float, last: float, by: float) -> list[int]:
    """The steps of TIMELINE at times from first to last."""
    times = np.arange(round((last - first) / by) + 1) * by + first
    return [TIMELINE.step_at(float(time)) for time in times]


def assert_steps(found: list[int], wanted: list[int]) -> None:
    """The brightness of a decoded frame is that of its step, to a few levels."""
    assert len(found) == len(wanted)
    assert np.abs(np.array(found) - wanted).max() <= 3


def test_the_whole_line(desk: Any, tmp_path: Path) -> None:
    """Without a loop all of the line is filmed, through the fork, and the user is back where he was, paused."""
    actions.film_range(desk, KEY)
    assert desk.asked == [cmd.GoTo(0, 4)]
    desk.finish()
    wanted = expected(0.0, 2.5, 0.05)
    assert desk.asked == [*(cmd.GoTo(step, 4) for step in wanted), cmd.GoTo(180, 4)]
    assert wanted[-1] == 200 and wanted[30] == 150
    assert_steps(filmed(tmp_path), wanted)
    assert desk.view.feedback.message.startswith("saved ")
    assert desk.reported == []


@pytest.mark.parametrize(("fps", "speed"), [(20, 0.25), (24, 1.0), (50, 2.0), (60, 8.0)])
def test_the_loop_at_a_speed(desk: Any, tmp_path: Path, fps: int, speed: float) -> None:
    """Frame k shows the time k * speed / fps after the start; a step that lasts for several is asked for once."""
    desk.view.recording_options = RecordingOptions(fps=fps, speed=speed)
    desk.show(loop=(100, 190))
    actions.film_range(desk, KEY)
    desk.finish()
    wanted = expected(1.0, 1.0 + (1.3 * fps // speed) * speed / fps, speed / fps)
    assert_steps(filmed(tmp_path), wanted)
    moments = [command.moment for command in desk.asked]
    assert moments == [*dict.fromkeys(wanted), 180]


def test_only_the_moment_itself_is_captured(desk: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames of other moments and branches are not; a moment that does not come is asked for again."""
    now = 50.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    desk.show(loop=(0, 20))
    actions.film_range(desk, KEY)
    desk.answer()
    for other in ({"now": 7}, {"now": 0, "branch": 0}):
        desk.show(**other)
        desk.draw()
        assert desk.view.film.done == 0
    assert len(desk.asked) == 1
    now += 1.01 * film.RETRY_SECONDS
    desk.draw()
    assert desk.asked == [cmd.GoTo(0, 4)] * 2
    # with panels it is another frame
    desk.answer()
    desk.draw(panels=True)
    assert desk.view.film.done == 0
    desk.finish()
    assert_steps(filmed(tmp_path), [0, 5, 10, 15, 20])


def test_the_window_does_not_wait_for_the_encoder(desk: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the queue is full nothing is captured; the same moment is, later."""
    desk.show(loop=(0, 20))
    actions.film_range(desk, KEY)
    desk.answer()
    monkeypatch.setattr(VideoRecording, "full", True)
    desk.draw()
    assert desk.view.film.done == 0
    monkeypatch.setattr(VideoRecording, "full", False)
    desk.finish()
    assert_steps(filmed(tmp_path), [0, 5, 10, 15, 20])


@pytest.mark.parametrize("end", [actions.free_camera, actions.record, actions.film_range])
def test_cancel(desk: Any, tmp_path: Path, end: Any) -> None:
    """Escape and both buttons end it: what was filmed stays, and the user is back."""
    desk.view.tracked = 1
    actions.film_range(desk, KEY)
    for _ in range(3):
        desk.answer()
        desk.draw()
    end(desk, KEY)
    assert desk.view.film is None and desk.view.recording is None
    assert desk.asked[-1] == cmd.GoTo(180, 4)
    assert_steps(filmed(tmp_path), [0, 5, 10])
    assert "3 of 51 frames" in desk.view.feedback.message
    # the camera is as it was: Escape was for the film
    assert desk.view.tracked == 1


def test_whoever_was_at_the_head_returns_to_it(desk: Any) -> None:
    """The run went on until the first moment was shown: there it goes on again."""
    desk.show(now=200)
    actions.film_range(desk, KEY)
    grown = (BRANCHES[0], replace(BRANCHES[1], last=212))
    desk.show(branches=grown)
    actions.film_range(desk, KEY)
    assert desk.asked[-1] == cmd.GoTo(212, 4)
    assert desk.view.feedback.message == "nothing was filmed"


def test_nothing_else_moves_time_meanwhile(desk: Any) -> None:
    """Commands that would are refused, with a word about it; the others pass."""
    desk.show(loop=(0, 20))
    actions.film_range(desk, KEY)
    for command in (cmd.TogglePaused(), cmd.GoTo(77), cmd.Reset(), cmd.SetField("opt.timestep", 0.1), cmd.Perturb()):
        desk.send(command)
    assert desk.asked == [cmd.GoTo(0, 4)]
    assert "Escape" in desk.view.feedback.message
    desk.send(cmd.DismissWarnings())
    assert desk.asked == [cmd.GoTo(0, 4), cmd.DismissWarnings()]
    desk.asked.pop()
    desk.finish()
    desk.send(cmd.TogglePaused())
    assert desk.asked[-1] == cmd.TogglePaused()


def test_another_model_ends_it(desk: Any) -> None:
    """Nothing is asked of a run that is gone."""
    actions.film_range(desk, KEY)
    desk.answer()
    desk.draw()
    desk.snapshot = replace(desk.snapshot, run=replace(desk.snapshot.run, path="other.xml"))
    before = len(desk.asked)
    desk.draw()
    assert desk.view.film is None
    assert len(desk.asked) == before


def test_an_encoder_that_fails_ends_it(desk: Any) -> None:
    """It is reported, and the user is back."""
    actions.film_range(desk, KEY)
    desk.answer()
    desk.view.film.recording.error = "the disk is full"
    desk.draw()
    assert desk.view.film is None
    assert desk.reported == ["The video was cut short: the disk is full"]
    assert desk.asked[-1] == cmd.GoTo(180, 4)


def test_a_video_and_a_film_exclude_each_other(desk: Any, tmp_path: Path) -> None:
    recording.toggle(desk)
    taken = desk.view.recording
    actions.film_range(desk, KEY)
    assert desk.view.film is None and desk.view.recording is taken
    recording.stop(desk)
    assert desk.view.feedback.message == "nothing was recorded"


def test_a_folder_that_cannot_be_written(desk: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(video_frames, "dated_path", lambda stem, suffix: tmp_path / "file" / f"{stem}.{suffix}")
    (tmp_path / "file").write_text("")
    actions.film_range(desk, KEY)
    assert desk.view.film is None and desk.asked == []
    (text,) = desk.reported
    assert text.startswith(film.FAILED) and "is not a folder" in text


def test_a_film_carries_its_recording(desk: Any, tmp_path: Path) -> None:
    """If that is chosen, and there is something to carry it."""
    desk.view.recording_options.with_recording = True
    desk.show(loop=(0, 20))
    for end in (desk.finish, partial(actions.film_range, desk, KEY)):
        actions.film_range(desk, KEY)
        end()
    (video,) = tmp_path.glob("*.mp4")
    (sent,) = [command for command in desk.asked if isinstance(command, cmd.SaveRecording)]
    assert (sent.video, sent.path) == (str(video), str(video.with_suffix(".ktr")))
    assert desk.asked.index(sent) == desk.asked.index(cmd.GoTo(180, 4)) + 1, "what was seen is seen again"
    assert "camera" in read_view_note(sent.view)


def test_from_a_camera_of_the_model(desk: Any) -> None:
    """The palette offers each; the view returns to the camera that it had."""
    titles = {entry.title: entry for entry in entries(desk.snapshot, desk.view, desk.send, lambda a: a(desk, KEY))}
    titles["film the range from camera side"].do()
    assert desk.view.film is not None and desk.view.camera_id == 1
    desk.finish()
    assert desk.view.camera_id == FREE_CAMERA


@pytest.mark.parametrize("timeline", [Timeline(), replace(TIMELINE, loop=(60, 60)), replace(TIMELINE, loop=(60, 20))])
def test_a_single_moment_is_a_picture(desk: Any, tmp_path: Path, timeline: Timeline) -> None:
    desk.snapshot = replace(desk.snapshot, run=RunState("arm.xml", history=timeline))
    actions.film_range(desk, KEY)
    desk.finish()
    assert len(filmed(tmp_path)) == 1


def test_a_clock_that_was_set_back(desk: Any, tmp_path: Path) -> None:
    """A script may set the time, to nonsense even: the film goes on as the axis of the timeline does."""
    paces = (Pace(0, 0.0, 0.05), Pace(4, -7.0, 0.05), Pace(8, float("nan"), 0.05))
    timeline = Timeline((BranchView(0, last=12, paces=paces),), now=3)
    desk.snapshot = replace(desk.snapshot, run=RunState("arm.xml", history=timeline))
    actions.film_range(desk, KEY)
    desk.finish()
    assert [command.moment for command in desk.asked] == [*range(13), 3]


def test_the_status_line_says_how_far_it_is(gui: Gui, desk: Any) -> None:
    actions.film_range(desk, KEY)
    for _ in range(11):
        desk.answer()
        desk.draw()
    snapshot = Snapshot(1, desk.snapshot.run)
    gui.frame(lambda: status_line(snapshot, desk.view, desk.send))
    assert "filming 0.6 of 2.5 s" in gui.texts
