"""Distances of poses: known rotations, tiny ones, both signs of a quaternion, equal poses."""

from __future__ import annotations

import numpy as np
import pytest

from sim.analysis.pose_distance import pose_distances

ORIGIN, UNIT = np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]])


def turned(angle: float, axis: tuple[float, float, float] = (0.0, 0.0, 1.0)) -> np.ndarray:
    return np.array([[np.cos(angle / 2), *(np.sin(angle / 2) * np.array(axis))]])


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-6, 0.3, 1.5, 3.0, np.pi])
def test_angle_of_a_rotation(angle: float) -> None:
    for sign in (1.0, -1.0):
        _, radians = pose_distances(ORIGIN, UNIT, ORIGIN, sign * turned(angle))
        assert radians[0] == pytest.approx(angle, rel=1e-7, abs=1e-15)


def test_longer_way_round_is_not_taken() -> None:
    _, radians = pose_distances(ORIGIN, turned(-2.0), ORIGIN, turned(2.0))
    assert radians[0] == pytest.approx(2 * np.pi - 4.0)


def test_distance_of_positions_of_any_shape() -> None:
    rng = np.random.default_rng(0)
    pos = rng.standard_normal((4, 5, 3))
    quat = rng.standard_normal((4, 5, 4))
    quat /= np.linalg.norm(quat, axis=-1, keepdims=True)
    metres, radians = pose_distances(pos, quat, pos + np.array([3.0, 4.0, 0.0]), quat)
    assert metres == pytest.approx(np.full((4, 5), 5.0)) and not radians.any()
    assert not pose_distances(pos, quat, pos, quat)[0].any()
