"""The free camera on the move: zoom to a point, flight, turns, and the pose of another camera; app/scene/camera.py."""

from __future__ import annotations

import math

import numpy as np
import pytest

from app.scene.camera import ELEVATION_LIMIT, Flight, OrbitCamera, View


def seen(camera: OrbitCamera) -> View:
    """Its view."""
    return View(camera.eye(), camera.axes(), camera.fovy, 0.001, 1000.0, camera.orthographic, focus=camera.distance)


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("depth", [0.4, 1.0, 50.0])
@pytest.mark.parametrize("amount", [-0.2, 0.06])
def test_zoom_keeps_a_point_in_its_place(orthographic: bool, depth: float, amount: float) -> None:
    camera = OrbitCamera(np.array([0.3, -0.2, 0.5]), 2.0, 70.0, -30.0, 2.0 if orthographic else 45.0, orthographic)
    origin, direction = seen(camera).ray(0.6, -0.4, 1.5)
    point = origin + depth * camera.distance * direction
    eye = camera.eye()
    camera.zoom_at(amount, point)
    assert seen(camera).project(point, 1.5) == pytest.approx((0.6, -0.4), abs=1e-9)
    assert camera.distance == pytest.approx(2.0 * math.exp(-3 * amount))
    # what is far away does not make it leap
    assert np.linalg.norm(camera.eye() - eye) < 2 * 2.0 * abs(1 - math.exp(-3 * amount))


def test_zoom_stops_before_the_point() -> None:
    camera = OrbitCamera(distance=3.0, elevation=-20.0)
    point = camera.eye() - 1.0 * camera.axes()[:, 2]
    for _ in range(200):
        camera.zoom_at(0.05, point)
    assert (point - camera.eye()) @ -camera.axes()[:, 2] > 0
    assert np.linalg.norm(point - camera.eye()) < 1e-3


def test_looking_around_leaves_the_eye_in_its_place() -> None:
    camera = OrbitCamera(np.array([1.0, 2.0, 3.0]), 2.0, 30.0, -10.0)
    eye, right = camera.eye(), camera.axes()[:, 0]
    camera.look_around(0.1, 0.2)
    assert np.allclose(camera.eye(), eye)
    # the pointer to the right turns to the right, downwards turns down
    assert -camera.axes()[:, 2] @ right > 0
    assert camera.elevation < -10.0


@pytest.mark.parametrize(("way", "expected"), [((1, 0, 0), "right"), ((0, 1, 0), "up"), ((0, 0, 1), "ahead")])
def test_travel(way: tuple[int, int, int], expected: str) -> None:
    camera = OrbitCamera(distance=2.0, azimuth=20.0, elevation=-30.0)
    axes, eye = camera.axes(), camera.eye()
    camera.travel(0.1 * np.array(way))
    moved = camera.eye() - eye
    goal = {"right": axes[:, 0], "up": np.array([0, 0, 1.0]), "ahead": -axes[:, 2]}[expected]
    assert np.allclose(moved, 0.2 * goal)
    assert (camera.azimuth, camera.elevation, camera.distance) == (20.0, -30.0, 2.0)


def test_travel_goes_on_from_very_near() -> None:
    camera = OrbitCamera(distance=1e-9, extent=10.0)
    camera.travel((0, 0, 1))
    assert np.linalg.norm(camera.lookat) > 0.1


def test_travel_in_a_parallel_view_zooms() -> None:
    camera = OrbitCamera(distance=2.0, fovy=3.0, orthographic=True)
    camera.travel((0, 0, 0.5))
    assert camera.fovy < 3.0
    assert np.allclose(camera.lookat, 0)


def test_a_flight_turns_the_short_way() -> None:
    camera = OrbitCamera(azimuth=170.0, elevation=0.0)
    lookat = camera.lookat.copy()
    assert not camera.fly(Flight(azimuth=-170.0, elevation=-30.0), 0.5)
    assert abs(camera.azimuth) == pytest.approx(180.0)
    assert camera.elevation == pytest.approx(-15.0)
    for _ in range(40):
        arrived = camera.fly(Flight(azimuth=-170.0, elevation=-90.0), 0.5)
        if arrived or camera.elevation == -ELEVATION_LIMIT:
            break
    assert camera.azimuth == pytest.approx(-170.0, abs=0.1)
    assert np.array_equal(camera.lookat, lookat)


@pytest.mark.parametrize(("azimuth", "elevation"), [(0, 0), (130, -40), (-100, 60), (90, -89.9)])
@pytest.mark.parametrize("orthographic", [False, True])
def test_the_pose_of_another_camera(azimuth: float, elevation: float, orthographic: bool) -> None:
    other = OrbitCamera(np.array([1.0, 2, 3]), 5.0, azimuth, elevation, 33.0, orthographic)
    camera = OrbitCamera()
    camera.take(seen(other))
    assert np.allclose(camera.eye(), other.eye())
    assert np.allclose(camera.axes(), other.axes(), atol=1e-6)
    assert (camera.fovy, camera.orthographic) == (pytest.approx(33.0), orthographic)


def test_the_pose_of_a_camera_that_looks_straight_down() -> None:
    axes = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    camera = OrbitCamera()
    camera.take(View(np.array([0.0, 0, 4]), axes, 45.0, 0.01, 100.0, focus=4.0))
    assert np.allclose(camera.eye(), [0, 0, 4])
    # the top of the picture stays on top
    assert camera.axes()[:, 1] @ axes[:, 1] > 0.99


def test_depth_is_the_distance_from_the_camera_plane() -> None:
    view = seen(OrbitCamera(distance=3.0))
    distances = np.zeros((3, 4), np.float32)
    for row, y in enumerate((2 / 3, 0, -2 / 3)):
        for column, x in enumerate((-0.75, -0.25, 0.25, 0.75)):
            _, direction = view.ray(x, y, 4 / 3)
            distances[row, column] = 2.0 / (direction @ -view.axes[:, 2])
    assert np.allclose(view.depth(distances), 2.0, atol=1e-5)
    assert (view.depth(np.zeros((2, 2))) == view.far).all()
