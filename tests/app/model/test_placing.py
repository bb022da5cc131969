"""Rays against axes, planes and rings; snapping; spans between two points: a table of each."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sim
from app.model import placing
from app.model.placing import HERE, Pose, Ray, compose, inverse, seen_from, shift, turn

X, Y, Z = np.eye(3)
QUARTER = math.pi / 2


def ray(origin: tuple[float, ...], towards: tuple[float, ...]) -> Ray:
    """A ray from one point to another."""
    way = np.subtract(towards, origin, dtype=np.float64)
    return Ray(np.array(origin, np.float64), way / np.linalg.norm(way))


@pytest.mark.parametrize(
    ("origin", "towards", "axis", "far"),
    [
        ((0.3, -5, 0), (0.3, 0, 0), X, 0.3),
        # it passes the axis at some distance
        ((0.3, -5, 2), (0.3, 0, 2), X, 0.3),
        ((-1, -1, 0), (2, 2, 0), Y, 0.0),
        ((0, 0, 9), (1, 0, 8), Z, 9.0),
        ((9, 0, 0), (0, 0, 0), X, None),
    ],
)
def test_along_an_axis(
    origin: tuple[float, ...], towards: tuple[float, ...], axis: np.ndarray, far: float | None
) -> None:
    found = placing.along_axis(ray(origin, towards), np.zeros(3), axis)
    assert found == (None if far is None else pytest.approx(far, abs=1e-12))


@pytest.mark.parametrize(
    ("origin", "towards", "normal", "met"),
    [
        ((1, 2, 5), (1, 2, 0), Z, (1, 2, 0)),
        ((-3, 0, 1), (0, 0, 0.5), X, (0, 0, 0.5)),
        # along the plane, and away from it
        ((0, 0, 1), (5, 0, 1), Z, None),
        ((0, 0, 1), (0, 0, 2), Z, None),
    ],
)
def test_on_a_plane(
    origin: tuple[float, ...], towards: tuple[float, ...], normal: np.ndarray, met: tuple[float, ...] | None
) -> None:
    found = placing.on_plane(ray(origin, towards), np.zeros(3), normal)
    assert (found is None) == (met is None)
    if met is not None:
        np.testing.assert_allclose(found, met, atol=1e-12)


@pytest.mark.parametrize("degrees", [0, 37, 90, 179, -90, -179])
def test_around_a_ring(degrees: float) -> None:
    angle = math.radians(degrees)
    point = (2 * math.cos(angle), 2 * math.sin(angle), 0.0)
    found = placing.around_ring(ray((0, 0, 7), point), np.zeros(3), Z, X)
    assert found == pytest.approx(angle)
    # from below it turns the same way
    assert placing.around_ring(ray((0.1, 0.2, -7), point), np.zeros(3), Z, X) == pytest.approx(angle)


def test_a_ring_seen_from_the_side_turns_along_its_tangent() -> None:
    side = ray((0, -9, 0), (0.0, 0, 0))
    assert placing.is_sideways(side, Z)
    assert not placing.is_sideways(ray((0, 0, 9), (0, 0, 0)), Z)
    # the near side of a ring of radius 2 goes to the right
    found = placing.turned_along(ray((0.5, -9, 0), (0.5, -2, 0)), np.zeros(3), Z, -2 * Y)
    assert found == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("angle", "before", "all_of_it"), [(-3.0, 3.0, -3 + math.tau), (0.1, 12.5, 0.1 + 2 * math.tau)]
)
def test_turns_are_counted(angle: float, before: float, all_of_it: float) -> None:
    assert placing.continued(angle, before) == pytest.approx(all_of_it)


@pytest.mark.parametrize(("value", "step", "snapped"), [(0.234, 0.05, 0.25), (-0.234, 0.1, -0.2), (0.234, 0.0, 0.234)])
def test_steps(value: float, step: float, snapped: float) -> None:
    assert placing.snapped(value, step) == pytest.approx(snapped)


def test_the_nearest_spot_is_within_reach() -> None:
    spots = [(0.0, 0.0), None, (0.5, 0.0)]
    assert placing.nearest_spot(spots, 0.45, 0.0, 0.1) == 2
    assert placing.nearest_spot(spots, 0.25, 0.9, 0.1) is None
    assert placing.nearest_spot([], 0, 0, 1) is None


@pytest.mark.parametrize(
    ("way", "both", "half", "follow"), [(0.2, False, 0.6, 0.1), (0.2, True, 0.7, 0.0), (-9, False, 0.01, -0.49)]
)
def test_a_face_moves_and_the_opposite_one_stays(way: float, both: bool, half: float, follow: float) -> None:
    assert placing.face_moved(0.5, way, 0.01, both) == pytest.approx((half, follow))


@pytest.mark.parametrize("quat", [(1, 0, 0, 0), (0.5, 0.5, -0.5, 0.5), (0.6, 0, 0, 0.8)])
def test_what_spans_two_points(quat: tuple[float, ...]) -> None:
    first, second = np.array([1.0, 2, 3]), np.array([0.0, 0, 1])
    centre, half, turned = placing.span(first, second, np.array(quat))
    pose = Pose(centre, turned)
    np.testing.assert_allclose(pose.point(half * Z), first, atol=1e-12)
    np.testing.assert_allclose(pose.point(-half * Z), second, atol=1e-12)
    if quat[0] == 1:
        # as a fromto has it
        np.testing.assert_allclose(turned, sim.quat_z_to_vec(first - second), atol=1e-15)


def test_poses() -> None:
    pose = Pose(np.array([1.0, 2, 3]), sim.axis_angle_to_quat(Z, QUARTER))
    np.testing.assert_allclose(pose.point(X), (1, 3, 3), atol=1e-12)
    np.testing.assert_allclose(compose(inverse(pose), pose).pos, HERE.pos, atol=1e-12)
    np.testing.assert_allclose(turn(X, Z, QUARTER).point(2 * X), (1, 1, 0), atol=1e-12)
    np.testing.assert_allclose(compose(shift(X), shift(Y)).pos, (1, 1, 0))
    local = seen_from(pose, ray((1, 3, 3), (1, 4, 3)))
    np.testing.assert_allclose(local.origin, X, atol=1e-12)
    np.testing.assert_allclose(local.direction, X, atol=1e-12)
    for axis in (X, Y, Z, np.array([0.6, 0, 0.8])):
        assert placing.across(axis) @ axis == pytest.approx(0)
