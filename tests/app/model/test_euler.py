"""Euler angles: the rotation that they give is the one that they were made from, in every sequence."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from app.model.euler import euler_angles
from sim.script.rotation import euler_to_quat, quat_to_mat

# the second angle aligns the two other axes in one half of the sequences, or in the other
SPECIAL = ((0.4, np.pi / 2, 0.3), (0.4, -np.pi / 2, 0.3), (0.4, 0.0, 0.3), (0.4, np.pi, 0.3), (0.0, 0.0, 0.0))


@pytest.mark.parametrize("first", "xyzXYZ")
def test_every_sequence_gives_the_rotation_back(first: str) -> None:
    random = np.random.default_rng(3)
    cases = [*SPECIAL, *random.uniform(-np.pi, np.pi, (20, 3))]
    for rest in product("xyzXYZ", repeat=2):
        sequence = "".join((first, *rest))
        for angles in cases:
            quat = euler_to_quat(angles, sequence)
            again = euler_to_quat(euler_angles(quat, sequence), sequence)
            assert np.abs(quat_to_mat(quat) - quat_to_mat(again)).max() < 1e-7, (sequence, angles)


def test_angles_that_people_write_come_back_as_they_are() -> None:
    for sequence in ("xyz", "zyx", "XYZ", "zXy"):
        angles = np.radians((30.0, -40.0, 100.0))
        assert np.allclose(euler_angles(euler_to_quat(angles, sequence), sequence), angles), sequence
