"""Zoom to the pointer and flight, as actions on a desk; app/view/input/camera_actions.py."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.scene.camera import FREE_CAMERA, default_free_camera
from app.scene.instances import Kind
from app.scene.picking import Picked
from app.view.input.camera_actions import FAST, flight_speed, fly, fly_fast, zoom_scroll
from app.view.input.gesture import Gesture
from app.view.rect import Rect
from app.view.view_state import ViewState
from tests.app.conftest import Views

XML = """<worldbody><geom size='.1'/><camera pos='3 0 1' xyaxes='0 1 0 0 0 1' fovy='70'/>
<body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody>"""
AHEAD = Gesture("", way=(0, 0, 1), seconds=0.5)


class Desk:
    """As much of an application as the camera needs; `distance` is that of what is under the pointer."""

    def __init__(self, views: Views) -> None:
        self.model, self.state = views(XML)
        self.view = ViewState(camera=default_free_camera(self.model))
        self.snapshot = SimpleNamespace(model=self.model, state=self.state)
        self.rect, self.distance, self.picks = Rect(0, 0, 400, 300), None, 0

    def current_view(self) -> Any:
        """The camera's view."""
        return self.view.current_view(self.model, self.state)

    def pick(self, x: float, y: float, decor: bool) -> Picked | None:
        """The first geom, or nothing."""
        self.picks += 1
        return None if self.distance is None else Picked(Kind.GEOM, 0, self.distance)


@pytest.fixture
def desk(views: Views) -> Any:
    """A desk with a free camera."""
    return Desk(views)


def test_the_point_under_the_pointer_stays(desk: Any) -> None:
    desk.distance = 0.7 * desk.view.camera.distance
    origin, direction = desk.current_view().ray(0.5, -0.25, 4 / 3)
    point = origin + desk.distance * direction
    for _ in range(4):
        zoom_scroll(desk, Gesture("Scroll", dy=-3.0, x=0.5, y=-0.25))
        assert desk.current_view().project(point, 4 / 3) == pytest.approx((0.5, -0.25), abs=1e-6)
    # the same point while only the wheel turns
    assert desk.picks == 1
    desk.view.camera.orbit(0.1, 0.0)
    zoom_scroll(desk, Gesture("Scroll", dy=-3.0, x=0.5, y=-0.25))
    assert desk.picks == 2


@pytest.mark.parametrize("case", ["sky", "off", "tracking"])
def test_otherwise_it_zooms_to_what_is_looked_at(desk: Any, case: str) -> None:
    desk.distance = None if case == "sky" else 1.0
    desk.view.prefs.zoom_to_pointer = case != "off"
    desk.view.tracked = 1 if case == "tracking" else -1
    lookat, distance = desk.view.camera.lookat.copy(), desk.view.camera.distance
    zoom_scroll(desk, Gesture("Scroll", dy=-1.0, x=0.5))
    assert np.array_equal(desk.view.camera.lookat, lookat)
    assert desk.view.camera.distance < distance


def test_the_wheel_can_be_inverted(desk: Any) -> None:
    before = desk.view.camera.distance
    zoom_scroll(desk, Gesture("Scroll", dy=1.0))
    assert desk.view.camera.distance > before
    desk.view.prefs.invert_scroll = True
    zoom_scroll(desk, Gesture("Scroll", dy=1.0))
    assert desk.view.camera.distance == pytest.approx(before)


def test_cameras_of_the_model_do_not_zoom(desk: Any) -> None:
    desk.view.camera_id = 0
    before = desk.view.camera.pose()
    zoom_scroll(desk, Gesture("Scroll", dy=1.0))
    assert desk.view.camera.pose() == before


def test_flight_does_not_depend_on_the_frame_rate(desk: Any) -> None:
    start = desk.view.camera.eye()
    fly(desk, AHEAD)
    far = desk.view.camera.eye() - start
    for _ in range(50):
        fly(desk, Gesture("", way=(0, 0, 1), seconds=0.01))
    assert np.allclose(desk.view.camera.eye() - start, 2 * far)
    assert far @ -desk.view.camera.axes()[:, 2] > 0


def test_faster(desk: Any) -> None:
    start = desk.view.camera.eye()
    fly(desk, AHEAD)
    slow = np.linalg.norm(desk.view.camera.eye() - start)
    start = desk.view.camera.eye()
    fly_fast(desk, AHEAD)
    assert np.linalg.norm(desk.view.camera.eye() - start) == pytest.approx(FAST * slow)
    flight_speed(desk, Gesture("", dy=2.0))
    start = desk.view.camera.eye()
    fly(desk, AHEAD)
    assert np.linalg.norm(desk.view.camera.eye() - start) == pytest.approx(2 * slow)
    flight_speed(desk, Gesture("", dy=1e3))
    assert desk.view.flight_speed < 100


def test_flight_leaves_a_camera_of_the_model_in_its_pose(desk: Any) -> None:
    desk.view.camera_id, desk.view.tracked = 0, 1
    fixed = desk.current_view()
    fly(desk, Gesture("", way=(1, 0, 0), seconds=0.0))
    assert (desk.view.camera_id, desk.view.tracked) == (FREE_CAMERA, -1)
    free = desk.current_view()
    assert np.allclose(free.eye, fixed.eye)
    assert np.allclose(free.axes, fixed.axes, atol=1e-6)
    assert free.fovy == pytest.approx(70.0)


def test_flight_stays_within_reach(desk: Any) -> None:
    for _ in range(100):
        fly(desk, Gesture("", way=(1, 0, 0), seconds=1e6))
    assert np.isfinite(desk.view.camera.lookat).all()
    assert np.abs(desk.view.camera.lookat).max() < 1e6
