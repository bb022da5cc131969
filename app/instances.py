"""Rows of instances: what the renderer is given of everything it draws.

One instance is a row of floats:
    position 3, rotation 9 (row-major), shape 4 (scale x y z, half length), colour 4,
    material 4 (specular, shininess, emission, reflectance), texture 5 (repeat x y, half extent x y z).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

# columns of an instance row
POSITION, ROTATION, SHAPE = slice(0, 3), slice(3, 12), slice(12, 16)
COLOUR, MATERIAL, TEXTURE = slice(16, 20), slice(20, 24), slice(24, 29)
EMISSION = 22
INSTANCE_FLOATS = 29

NO_TEXTURE = -1
# beyond so many metres a thing is lost
LARGEST = 1e15


@dataclass(frozen=True)
class Batch:
    """Instances that are drawn in one call, at one level of detail."""

    shape: str
    texture: int
    instances: Floats
    level: int = 0


def placed(
    position: NDArray[Any], rotation: NDArray[Any], scale: NDArray[Any], colour: NDArray[Any], material: Any
) -> Floats:
    """Rows without texture; what has exploded is left out. `scale` has the four columns of shape."""
    rows = np.zeros((len(position), INSTANCE_FLOATS), np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        rows[:, POSITION], rows[:, ROTATION] = position, rotation.reshape(-1, 9)
        rows[:, SHAPE], rows[:, COLOUR] = scale, colour
    rows[:, MATERIAL], rows[:, TEXTURE] = material, 1.0
    kept: Floats = rows[np.abs(rows).max(axis=1, initial=0.0) < LARGEST]
    return kept


def rods(start: NDArray[Any], end: NDArray[Any], radius: NDArray[Any], colour: NDArray[Any], material: Any) -> Floats:
    """Capsules between points."""
    scale = np.repeat(np.asarray(radius, float)[:, None], 4, axis=1)
    scale[:, 3] = np.linalg.norm(end - start, axis=1) / 2
    return placed((start + end) / 2, along(end - start), scale, colour, material)


def along(direction: NDArray[Any]) -> NDArray[np.float64]:
    """Rotations (n, 3, 3) that turn z into each direction."""
    length = np.linalg.norm(direction, axis=1, keepdims=True)
    z = np.where(length > 0, direction / np.maximum(length, 1e-30), (0.0, 0.0, 1.0))
    # any other axis will do
    helper = np.where(np.abs(z[:, 2:]) < 0.9, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    x = np.cross(helper, z)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return np.stack([x, np.cross(z, x), z], axis=2)
