"""Which pictures of cameras are rendered, and when; app/instruments/cameras/views.py."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import pytest

from app.instruments.cameras.state import CameraPicture, CamerasState
from app.instruments.cameras.views import CameraViews
from app.render.capture.offscreen import DEPTH
from app.render.renderer import Renderer
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.scene.camera import FREE_CAMERA, default_free_camera
from app.scene.scene import Scene
from app.view.view_state import ViewState
from tests.app.conftest import Views

XML = "<worldbody><camera pos='0 -2 0' xyaxes='1 0 0 0 0 1'/><geom size='.2'/></worldbody>"


class Window:
    """As much of a window as pictures need; two of them are open."""

    def __init__(self, gl: moderngl.Context, views: Views) -> None:
        self.model, self.state = views(XML)
        self.view = ViewState(camera=default_free_camera(self.model))
        self.view.of(CamerasState).open = [CameraPicture(0), CameraPicture(FREE_CAMERA)]
        self.scene = Scene(self.model, self.view.options)
        self.renderer = Renderer(gl)
        self.cameras = CameraViews(gl, self.renderer.assets)
        self.serial = 1

    @property
    def snapshot(self) -> Snapshot:
        """What is shown now."""
        return Snapshot(self.serial, RunState(), self.model, self.state)

    def frame(self, in_sight: bool = True) -> list[bool]:
        """A frame; which pictures have another image after it."""
        pictures = self.view.of(CamerasState)
        if in_sight:
            for picture in pictures.begin(self.model.ncam):
                picture.wanted = (32, 24)
        before = [picture.image for picture in pictures.open or ()]
        self.cameras._next = 0.0
        self.cameras.draw(self.snapshot, self.view, self.scene)
        return [picture.image is not old for picture, old in zip(pictures.open or (), before, strict=True)]


@pytest.fixture
def window(gl: moderngl.Context, views: Views, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    """A window with time for all pictures in every frame."""
    monkeypatch.setattr("app.instruments.cameras.views.SECONDS", 1e9)
    shown = Window(gl, views)
    yield shown
    shown.cameras.release()
    shown.renderer.release()


def test_what_has_not_changed_is_not_rendered_again(window: Window) -> None:
    assert window.frame() == [True, True]
    assert window.view.of(CamerasState).unseen
    assert window.cameras.due(window.snapshot, window.view)
    assert window.frame() == [False, False]
    assert not window.cameras.due(window.snapshot, window.view)


def test_another_moment_is_another_picture(window: Window) -> None:
    window.frame()
    window.serial = 2
    assert window.cameras.due(window.snapshot, window.view)
    assert window.frame() == [True, True]


def test_only_the_free_camera_follows_the_view(window: Window) -> None:
    window.frame()
    window.view.camera.orbit(0.1, 0.0)
    assert window.frame() == [False, True]


def test_other_contents(window: Window) -> None:
    window.frame()
    assert window.view.of(CamerasState).open is not None
    window.view.of(CamerasState).open[1].shows = DEPTH
    assert window.frame() == [False, True]


def test_slow_pictures_take_turns(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.instruments.cameras.views.SECONDS", -1.0)
    assert window.frame() == [True, False]
    assert window.frame() == [False, True]
    window.serial = 2
    assert window.frame() == [True, False]
    window.serial = 3
    assert window.frame() == [False, True]


def test_they_leave_time_for_the_view(window: Window) -> None:
    window.frame()
    # not before the frames have had their share
    assert window.cameras._next > 0
    window.serial = 2
    (first, _) = window.view.of(CamerasState).begin(1)
    first.wanted, before = (32, 24), first.image
    window.cameras._next = float("inf")
    window.cameras.draw(window.snapshot, window.view, window.scene)
    assert first.image is before
    assert window.cameras.due(window.snapshot, window.view)


def test_a_closed_panel_costs_nothing(window: Window) -> None:
    window.frame()
    window.serial = 2
    # the frame in which it was in sight last has ended
    window.frame(in_sight=False)
    assert window.frame(in_sight=False) == [False, False]
    assert not window.cameras.due(window.snapshot, window.view)
    assert not window.cameras._renderers


def test_no_model(window: Window) -> None:
    window.frame()
    assert not window.cameras._stale(Snapshot(9, RunState()), window.view)
