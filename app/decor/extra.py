"""Geoms that a script adds to the picture: not part of the model, drawn like those that are.

Types are the engine's, with MuJoCo's numbers for arrows and lines: the size of an arrow is its radius twice and its
length along z; a line's is its width in pixels and its length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from app.instances import CLEAR, NO_TEXTURE, Batch, Floats, arrows, placed, rods
from app.surfaces import SHAPE_NAMES, shape_scales

ARROW, ARROW1, ARROW2, LINE = 100, 101, 102, 103
# specular, shininess, emission, reflectance unless given
MATERIAL = (0.5, 0.5, 0.0, 0.0)
# a line is as thick as this part of its length
LINE_RADIUS = 0.004


def _identity() -> Floats:
    return np.eye(3, dtype=np.float32).ravel()


@dataclass(frozen=True)
class ExtraGeom:
    """One geom: its type, size, pose (position, row-major rotation) and colour; a label is written beside it."""

    type: int
    size: Sequence[float]
    pos: Sequence[float]
    mat: Sequence[float] | Floats = field(default_factory=_identity)
    rgba: Sequence[float] = (0.5, 0.5, 0.5, 1.0)
    label: str = ""


def extra_batches(geoms: Sequence[ExtraGeom]) -> tuple[tuple[Batch, ...], tuple[Batch, ...]]:
    """Solid and see-through batches."""
    solid: list[Batch] = []
    clear: list[Batch] = []
    for geom in geoms:
        (solid if geom.rgba[3] >= CLEAR else clear).extend(_batches(geom))
    return tuple(solid), tuple(clear)


def _batches(geom: ExtraGeom) -> list[Batch]:
    """One geom as instances."""
    position, turn = np.asarray(geom.pos, float)[None], np.asarray(geom.mat, float).reshape(1, 3, 3)
    size, colour = np.asarray(geom.size, float)[None], np.asarray(geom.rgba, float)[None]
    if geom.type in (ARROW, ARROW1, ARROW2):
        way = turn[:, :, 2] * size[:, 2:]
        return arrows(position, way, size[:, 0], colour, tips=2 if geom.type == ARROW2 else 1)
    if geom.type == LINE:
        way = turn[:, :, 2] * size[:, 2:]
        rows = rods(position, position + way, LINE_RADIUS * size[:, 2], colour)
        return [Batch("capsule", NO_TEXTURE, rows, level=2)]
    if geom.type not in SHAPE_NAMES:
        return []
    scale = shape_scales(np.array([geom.type]), size.astype(np.float32))
    return [Batch(SHAPE_NAMES[geom.type], NO_TEXTURE, placed(position, turn, scale, colour, MATERIAL))]
