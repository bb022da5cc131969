"""Moving pictures of a sweep in the window: rendered in turn, kept, made again for another camera; none if closed."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import numpy as np
import pytest

from app.background.field_choice import options_of
from app.instruments.sweep.outcome import Frame, Outcome, Task
from app.instruments.sweep.pictures import SweepPictures
from app.instruments.sweep.state import SweepState
from app.instruments.sweep.worker import Request, Sweep
from app.render.renderer import Renderer
from app.run.history.timeline import Timeline
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.scene.camera import default_free_camera
from app.scene.scene import Scene
from app.view.view_state import ViewState
from tests.app.conftest import Views

XML = "<worldbody><camera pos='0 -2 0' xyaxes='1 0 0 0 0 1'/><geom size='.2' rgba='1 0 0 1'/></worldbody>"
MOVED = XML.replace("<geom", "<geom pos='.4 0 0'")


class Window:
    """As much of a window as pictures need: two outcomes, the second one moves."""

    def __init__(self, gl: moderngl.Context, views: Views) -> None:
        self.model, self.state = views(XML)
        _, moved = views(MOVED)
        self.view = ViewState(camera=default_free_camera(self.model))
        sweep = self.view.of(SweepState)
        sweep.camera = 0
        request = Request(Task(options_of(self.model)[0], (1.0, 2.0), 1.0), Timeline(), 1.0)
        still = Outcome(1.0, (Frame(0.0, self.state), Frame(1.0, self.state)))
        moving = Outcome(2.0, (Frame(0.0, self.state), Frame(1.0, moved)))
        sweep.request = request
        sweep.found = Sweep(request, {0: still, 1: moving}, (1.0, 1.0), done=True)
        sweep.reel.playing = False
        self.snapshot = Snapshot(1, RunState(), self.model, self.state)
        self.scene = Scene(self.model, self.view.options)
        self.renderer = Renderer(gl)
        self.pictures = SweepPictures(gl, self.renderer.assets)

    def frame(self, size: tuple[int, int] | None = (48, 32)) -> int:
        """A frame; how many pictures are there after it."""
        if size is not None:
            self.view.of(SweepState).reel.ask(size)
        self.pictures._next = 0.0
        self.pictures.draw(self.snapshot, self.view, self.scene)
        return len(self.view.of(SweepState).reel.pictures)

    def shown(self, place: int, time: float) -> np.ndarray:
        reel, found = self.view.of(SweepState).reel, self.view.of(SweepState).found
        pixels = reel.picture(place, found.outcomes[place], time)
        assert pixels is not None
        return pixels


@pytest.fixture
def window(gl: moderngl.Context, views: Views, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    """A window with time for all pictures in every frame."""
    monkeypatch.setattr("app.instruments.sweep.pictures.SECONDS", 1e9)
    shown = Window(gl, views)
    yield shown
    shown.pictures.release()
    shown.renderer.release()


def test_each_outcome_shows_its_states(window: Window) -> None:
    assert window.frame() == 4
    still, moving = ([window.shown(place, time) for time in (0.0, 1.0)] for place in (0, 1))
    assert still[0].shape == (32, 48, 4)
    assert np.array_equal(still[0], still[1]) and np.array_equal(still[0], moving[0])
    red = [np.flatnonzero(pixels[16, :, 0] > 2 * pixels[16, :, 1].astype(int)).mean() for pixels in moving]
    assert red[1] > red[0] + 5


def test_slow_pictures_come_one_in_a_frame(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.instruments.sweep.pictures.SECONDS", -1.0)
    assert [window.frame() for _ in range(5)] == [1, 2, 3, 4, 4]


def test_they_leave_time_for_the_view(window: Window) -> None:
    window.view.of(SweepState).reel.ask((48, 32))
    window.pictures._next = float("inf")
    window.pictures.draw(window.snapshot, window.view, window.scene)
    assert not window.view.of(SweepState).reel.pictures
    assert not window.pictures.due(window.snapshot, window.view)


def test_due_until_all_are_rendered_and_shown(window: Window) -> None:
    assert not window.pictures.due(window.snapshot, window.view)
    window.view.of(SweepState).reel.ask((48, 32))
    assert window.pictures.due(window.snapshot, window.view)
    window.frame()
    for place in (0, 1):
        window.shown(place, 0.0)
    assert not window.pictures.due(window.snapshot, window.view)
    # another time is another picture
    window.view.of(SweepState).reel.position = 1.0
    assert window.pictures.due(window.snapshot, window.view)


def test_another_camera_or_size_is_another_picture(window: Window) -> None:
    sweep = window.view.of(SweepState)
    window.frame()
    before = dict(sweep.reel.pictures)
    window.frame()
    assert all(sweep.reel.pictures[key] is pixels for key, pixels in before.items())
    sweep.camera = -1
    window.frame()
    assert not any(sweep.reel.pictures[key] is pixels for key, pixels in before.items())
    free = dict(sweep.reel.pictures)
    window.view.camera.orbit(0.1, 0.0)
    window.frame((64, 40))
    assert sweep.reel.pictures[0, 0].shape == (40, 64, 4)
    assert free.keys() == sweep.reel.pictures.keys()


def test_out_of_sight_it_costs_nothing(window: Window) -> None:
    window.frame()
    assert window.pictures._renderer is not None
    window.frame(None)
    assert window.pictures._renderer is None
    assert not window.pictures.due(window.snapshot, window.view)
