"""Geoms that a script adds to the picture: not part of the model, drawn like those that are.

Types are the engine's simple shapes, with MuJoCo's numbers for arrows, lines, edges of boxes and mere labels; sizes are
those of MJCF. The size of an arrow is its radius twice and its length along z; a line's is its width in pixels twice
and its length. Geoms of one type are drawn in one call, so that a trail of thousands costs little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.scene.instances import (
    MIN_ROD_RADIUS,
    NO_TEXTURE,
    OPAQUE_ALPHA,
    POSITION,
    SHAPE,
    Batch,
    along,
    arrows,
    instance_rows,
    rods,
)
from app.scene.surfaces import BOX, CAPSULE, CYLINDER, ELLIPSOID, SHAPE_NAMES, shape_scales

ARROW, ARROW1, ARROW2, LINE, LINEBOX, LABEL = 100, 101, 102, 103, 104, 107
# specular, shininess, emission, reflectance unless given
MATERIAL = (0.5, 0.5, 0.0, 0.0)
# level of detail of lines
LINE_LOD = 2
# edges of a box are as thick as this part of its size
EDGE_RADIUS = 0.008
# pairs of corners that the twelve edges of a box connect
CORNERS = np.array(list(product((-1.0, 1.0), repeat=3)))
EDGES = np.array([(a, b) for a in range(8) for b in range(a) if np.abs(CORNERS[a] - CORNERS[b]).sum() == 2])
# types that can reach from one point to another
LONG = frozenset((ARROW, ARROW1, ARROW2, LINE, LINEBOX, LABEL, CAPSULE, CYLINDER, ELLIPSOID, BOX))
# numbers of a geom, and how many there are of each
COUNTS = {"pos": 3, "mat": 9, "size": 3, "rgba": 4}
GREY = (0.5, 0.5, 0.5, 1.0)

Array = NDArray[np.float64]
Numbers = Sequence[float] | NDArray[np.floating]
# places and radii -> levels of detail
Detail = Callable[[NDArray[Any], NDArray[Any]], NDArray[np.int64]]


@dataclass(frozen=True, eq=False)
class UserGeom:
    """One geom: its type, size, pose (position, row-major rotation) and colour; a label is written beside it.

    A label may be anything that can be written. It keeps copies of all it is given: one at d.xpos[b] stays where the
    body is now.
    """

    type: int
    size: Numbers
    pos: Numbers
    mat: Numbers = tuple(np.eye(3).ravel())
    rgba: Numbers = GREY
    label: str = ""

    def __post_init__(self) -> None:
        if self.type not in DRAWN and self.type != LABEL:
            raise ValueError(f"a geom of type {self.type} cannot be added: types are {sorted((*DRAWN, LABEL))}")
        for name, count in COUNTS.items():
            numbers = np.array(getattr(self, name), float).ravel()
            if len(numbers) != count:
                raise ValueError(f"{name} of a geom has {count} numbers, not {len(numbers)}")
            object.__setattr__(self, name, numbers)
        object.__setattr__(self, "label", str(self.label))

    @classmethod
    def between(
        cls,
        kind: int,
        width: float,
        start: Numbers,
        end: Numbers,
        rgba: Numbers = GREY,
        label: str = "",
    ) -> UserGeom:
        """An arrow, a line, a capsule or another shape with two ends, from one point to another.

        `width` is the radius, of a line its width in pixels.
        """
        if kind not in LONG:
            raise ValueError(f"a geom of type {kind} has no two ends: those that have are {sorted(LONG)}")
        first, way = np.asarray(start, float), np.asarray(end, float) - np.asarray(start, float)
        length = float(np.linalg.norm(way))
        size, at = (width, width, length), first
        # shapes stand about their middle
        if kind in (CAPSULE, CYLINDER):
            size, at = (width, length / 2, 0.0), first + way / 2
        elif kind in (ELLIPSOID, BOX, LINEBOX):
            size, at = (width, width, length / 2), first + way / 2
        return cls(kind, size, at, along(way[None])[0].ravel(), rgba, label)


def user_geom_batches(geoms: Sequence[UserGeom], detail: Detail) -> tuple[tuple[Batch, ...], tuple[Batch, ...]]:
    """Solid and see-through batches; `detail` gives levels of detail for places and radii."""
    solid = [geom for geom in geoms if geom.rgba[3] >= OPAQUE_ALPHA]
    clear = [geom for geom in geoms if geom.rgba[3] < OPAQUE_ALPHA]
    return tuple(_detailed(_batches(solid), detail)), tuple(_detailed(_batches(clear), detail))


def _batches(geoms: list[UserGeom]) -> Iterable[Batch]:
    """Geoms as instances, those of one type together."""
    for kind in dict.fromkeys(geom.type for geom in geoms):
        alike = [geom for geom in geoms if geom.type == kind]
        if kind in DRAWN:
            position, turn, size, colour = (np.array([getattr(g, n) for g in alike]) for n in COUNTS)
            yield from DRAWN[kind](kind, position, turn.reshape(-1, 3, 3), size, colour)


def _detailed(batches: Iterable[Batch], detail: Detail) -> Iterable[Batch]:
    """Batches split by the level of detail that their instances need where they are."""
    for batch in batches:
        # lines are as thick everywhere
        if batch.lod:
            yield batch
            continue
        rows = batch.instances
        levels = detail(rows[:, POSITION], rows[:, SHAPE][:, :2].max(axis=1, initial=0.0))
        for level in np.unique(levels).tolist():
            yield replace(batch, instances=rows[levels == level], lod=level)


# ---- how each type is drawn: type, positions, rotations, sizes, colours -> batches ----


def _arrows(kind: int, position: Array, turn: Array, size: Array, colour: Array) -> list[Batch]:
    way = turn[:, :, 2] * size[:, 2:]
    return arrows(position, way, size[:, 0], colour, tips=2 if kind == ARROW2 else 1)


def _lines(_: int, position: Array, turn: Array, size: Array, colour: Array) -> list[Batch]:
    way = turn[:, :, 2] * size[:, 2:]
    # the thinnest rods there are, made bold; those of one width together
    batches = []
    for width in np.unique(size[:, 0]).tolist():
        alike = size[:, 0] == width
        rows = rods(position[alike], (position + way)[alike], 0.0, colour[alike])
        width_scale = max(width / (2 * MIN_ROD_RADIUS), 1.0)
        batches.append(Batch("capsule", NO_TEXTURE, rows, lod=LINE_LOD, width_scale=width_scale))
    return batches


def _box_edges(_: int, position: Array, turn: Array, size: Array, colour: Array) -> list[Batch]:
    corners = position[:, None] + np.einsum("nij,nkj->nki", turn, CORNERS * size[:, None])
    start, end = (corners[:, EDGES[:, side]].reshape(-1, 3) for side in (0, 1))
    thick = np.repeat(EDGE_RADIUS * size.max(axis=1), len(EDGES))
    rows = rods(start, end, thick, np.repeat(colour, len(EDGES), axis=0))
    return [Batch("capsule", NO_TEXTURE, rows)]


def _shapes(kind: int, position: Array, turn: Array, size: Array, colour: Array) -> list[Batch]:
    scale = shape_scales(np.full(len(size), kind), size.astype(np.float32))
    return [Batch(SHAPE_NAMES[kind], NO_TEXTURE, instance_rows(position, turn, scale, colour, MATERIAL))]


DRAWN: dict[int, Callable[[int, Array, Array, Array, Array], list[Batch]]] = {
    **dict.fromkeys(SHAPE_NAMES, _shapes),
    **dict.fromkeys((ARROW, ARROW1, ARROW2), _arrows),
    LINE: _lines,
    LINEBOX: _box_edges,
}
