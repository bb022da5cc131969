"""Rotations as vectors, axis times angle, and as unit quaternions w x y z."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def rotation_vector(quaternion: Any) -> Array:
    """Axis times angle (rad), the short way round."""
    w, *vector = np.asarray(quaternion, float)
    turn = np.array(vector) if w >= 0 else -np.array(vector)
    length = float(np.linalg.norm(turn))
    if length < 1e-12:
        return np.zeros(3)
    scaled: Array = turn / length * 2 * math.atan2(length, abs(float(w)))
    return scaled


def quaternion_of(vector: Any) -> Array:
    """The unit quaternion of axis times angle (rad)."""
    angle = float(np.linalg.norm(vector))
    axis = np.asarray(vector, float) / angle if angle > 1e-12 else np.zeros(3)
    return np.array([math.cos(angle / 2), *(math.sin(angle / 2) * axis)])
