"""How far poses are from others: distances of positions, and angles of the rotations between orientations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def pose_distances(pos1: Array, quat1: Array, pos2: Array, quat2: Array) -> tuple[Array, Array]:
    """Distances in m and angles in rad, 0 to π, of poses of any leading shape; quaternions are normalized.

    Equal poses are exactly 0 apart, and small angles keep their digits.
    """
    metres = np.linalg.norm(pos2 - pos1, axis=-1)
    # q and -q are the same rotation
    sign = np.where(np.sum(quat1 * quat2, axis=-1, keepdims=True) < 0, -1.0, 1.0)
    chord = np.linalg.norm(sign * quat2 - quat1, axis=-1)
    radians = 4.0 * np.arcsin(np.clip(0.5 * chord, 0.0, 1.0))
    return metres, radians
