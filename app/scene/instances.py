"""Instance rows: position, rotation, scale, colour and material of everything that is drawn.

One instance is a row of floats:
    position 3, rotation 9 (row-major), shape 4 (scale x y z, half length), colour 4 (sRGB),
    material 4 (specular, shininess, emission, reflectance), texture 5 (repeat x y, half extent x y z),
    metallic and roughness 2 (negative where the model gives none), id 1 (object kind and index, for picking).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

# columns of an instance row
POSITION, ROTATION, SHAPE = slice(0, 3), slice(3, 12), slice(12, 16)
COLOUR, MATERIAL, TEXTURE = slice(16, 20), slice(20, 24), slice(24, 29)
METALLIC_ROUGHNESS, ID = slice(29, 31), 31
POSE = slice(0, 12)
ALPHA, EMISSION, REFLECTANCE = 19, 22, 23
INSTANCE_FLOATS = 32

NO_TEXTURE = -1
# the model gives neither
NO_METALLIC_ROUGHNESS = (-1.0, -1.0)
# instances with less alpha are transparent
OPAQUE_ALPHA = 0.999
# coordinates beyond this, m, are taken as diverged
LARGEST = 1e15
# specular, shininess, emission, reflectance of decor: visible in any light
GLOWING = (0.2, 0.3, 0.45, 0.0)
# minimum radius of rods, in pixels
MIN_ROD_RADIUS = 0.6
# head of an arrow: radius and length in radii of the shaft, and its largest share of the length
HEAD_RADIUS, HEAD_LENGTH, HEAD_SHARE = 2.0, 5.0, 0.4


class Kind(IntEnum):
    """Kind of object that an instance belongs to."""

    NOTHING = 0
    GEOM = 1
    SITE = 2
    TENDON = 3
    SKIN = 4
    JOINT = 5
    ACTUATOR = 6
    CAMERA = 7
    LIGHT = 8
    BODY = 9
    CONTACT = 10
    FLEX = 11
    HANDLE = 12


# ids are kind * ID_STEP + index: integers that a float represents exactly
ID_STEP = 1 << 20


# normal and distance from the origin
Plane = tuple[float, float, float, float]


@dataclass(frozen=True)
class Batch:
    """Instances of one mesh, drawn in one call at one level of detail (LOD).

    `texture` is the colour texture, `mirror` the plane of reflection, `material` the one with further texture layers;
    `width_scale` multiplies the minimum radius of rods. Without `shadow` it casts none.
    """

    shape: str
    texture: int
    instances: Floats
    lod: int = 0
    mirror: Plane | None = None
    material: int = NO_TEXTURE
    width_scale: float = 1.0
    shadow: bool = True

    @property
    def casts_shadow(self) -> bool:
        """Whether it casts a shadow: planes do not, from either side."""
        return self.shadow and self.shape != "plane"


def instance_rows(
    position: NDArray[Any],
    rotation: NDArray[Any],
    scale: NDArray[Any],
    colour: NDArray[Any],
    material: Any = GLOWING,
    kind: Kind = Kind.NOTHING,
    index: Any = 0,
) -> Floats:
    """Rows without texture; diverged instances are dropped. `scale` has the four columns of SHAPE, or three."""
    rows = np.zeros((len(position), INSTANCE_FLOATS), np.float32)
    scale = np.asarray(scale)
    with np.errstate(over="ignore", invalid="ignore"):
        rows[:, POSITION], rows[:, ROTATION] = position, np.asarray(rotation).reshape(-1, 9)
        rows[:, SHAPE][:, : scale.shape[-1]], rows[:, COLOUR] = scale, colour
    rows[:, MATERIAL], rows[:, TEXTURE], rows[:, METALLIC_ROUGHNESS] = material, 1.0, NO_METALLIC_ROUGHNESS
    rows[:, ID] = kind * ID_STEP + np.asarray(index)
    kept: Floats = rows[np.abs(rows[:, :16]).max(axis=1, initial=0.0) < LARGEST]
    return kept


def rods(
    start: NDArray[Any],
    end: NDArray[Any],
    radius: Any,
    colour: NDArray[Any],
    material: Any = GLOWING,
    kind: Kind = Kind.NOTHING,
    index: Any = 0,
) -> Floats:
    """Capsules between points."""
    scale = np.empty((len(start), 4))
    scale[:] = np.asarray(radius, float).reshape(-1, 1)
    scale[:, 3] = np.linalg.norm(end - start, axis=1) / 2
    return instance_rows((start + end) / 2, along(end - start), scale, colour, material, kind, index)


def arrows(
    start: NDArray[Any],
    vector: NDArray[Any],
    radius: Any,
    colour: NDArray[Any],
    kind: Kind = Kind.NOTHING,
    index: Any = 0,
    heads: int = 1,
) -> list[Batch]:
    """Shafts and heads of arrows from points along vectors; thinner if short, with one or two heads."""
    if not len(start):
        return []
    length = np.linalg.norm(vector, axis=1)
    unit = vector / np.maximum(length, 1e-30)[:, None]
    width = np.minimum(np.asarray(radius, float), length / 4)
    head = np.minimum(HEAD_LENGTH * width, HEAD_SHARE * length / heads)
    rotation, colours = along(vector), np.broadcast_to(np.asarray(colour, float), (len(start), 4))
    head_width = HEAD_RADIUS * width
    parts = [
        ("cylinder", rotation, (length - (2 - heads) * head) / 2, (length - heads * head) / 2, width),
        ("cone", rotation, length - head / 2, head / 2, head_width),
    ]
    if heads == 2:
        parts.append(("cone", rotation * (1, -1, -1), head / 2, head / 2, head_width))
    batches: dict[str, list[Floats]] = {}
    for shape, orientation, middle, half, across in parts:
        scale = np.column_stack([across, across, half])
        rows = instance_rows(start + unit * middle[:, None], orientation, scale, colours, GLOWING, kind, index)
        batches.setdefault(shape, []).append(rows)
    return [Batch(shape, NO_TEXTURE, np.concatenate(rows)) for shape, rows in batches.items()]


def along(direction: NDArray[Any]) -> NDArray[np.float64]:
    """Rotations (n, 3, 3) from z to each direction."""
    length = np.linalg.norm(direction, axis=1, keepdims=True)
    z = np.where(length > 0, direction / np.maximum(length, 1e-30), (0.0, 0.0, 1.0))
    # any other axis will do
    helper = np.where(np.abs(z[:, 2:]) < 0.9, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    x = np.cross(helper, z)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return np.stack([x, np.cross(z, x), z], axis=2)
