"""User geoms: abstract geoms that a script adds to the view (MuJoCo: user_scn).

Types are the primitive geom types, and MuJoCo's mjGEOM_ARROW, ARROW1, ARROW2, LINE, LINEBOX and LABEL; sizes are those
of MJCF. The size of an arrow is radius, radius, length along z; of a line width in pixels, width, length. MESH is a
mesh of the model: `dataid` is twice its id, and one more for its convex hull. Geoms of one type are drawn in one call,
so that a trail of thousands is cheap.
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
from app.scene.surfaces import BOX, CAPSULE, CYLINDER, ELLIPSOID, MESH, SHAPE_NAMES, model_shape, shape_scales

ARROW, ARROW1, ARROW2, LINE, LINEBOX, LABEL = 100, 101, 102, 103, 104, 107
# specular, shininess, emission, reflectance
MATERIAL = (0.5, 0.5, 0.0, 0.0)
# shapes with several LODs
SPLIT = frozenset((*SHAPE_NAMES.values(), "cone"))
# LOD of lines
LINE_LOD = 2
# radius of a box's edges, in its largest half size
EDGE_RADIUS = 0.008
# corners of a box, and the pairs of its twelve edges
CORNERS = np.array(list(product((-1.0, 1.0), repeat=3)))
EDGES = np.array([(a, b) for a in range(8) for b in range(a) if np.abs(CORNERS[a] - CORNERS[b]).sum() == 2])
# types with two ends
TWO_ENDED = frozenset((ARROW, ARROW1, ARROW2, LINE, LINEBOX, LABEL, CAPSULE, CYLINDER, ELLIPSOID, BOX))
# array fields and their lengths
LENGTHS = {"pos": 3, "mat": 9, "size": 3, "rgba": 4}
GREY = (0.5, 0.5, 0.5, 1.0)

Array = NDArray[np.float64]
Numbers = Sequence[float] | NDArray[np.floating]
# positions and radii -> LODs
LodLevels = Callable[[NDArray[Any], NDArray[Any]], NDArray[np.int64]]


@dataclass(frozen=True, eq=False)
class UserGeom:
    """One geom: type, size, pose (position, row-major rotation), colour and label.

    A label is converted to a string. Arrays are copied: a geom at d.xpos[b] stays where the body is now.
    """

    type: int
    size: Numbers
    pos: Numbers
    mat: Numbers = tuple(np.eye(3).ravel())
    rgba: Numbers = GREY
    label: str = ""
    dataid: int = -1

    def __post_init__(self) -> None:
        if self.type not in TYPES:
            raise ValueError(f"a user geom cannot have type {self.type}: types are {sorted(TYPES)}")
        if self.type == MESH and self.dataid < 0:
            raise ValueError("a geom of type MESH needs a mesh's dataid")
        for name, count in LENGTHS.items():
            numbers = np.array(getattr(self, name), float).ravel()
            if len(numbers) != count:
                raise ValueError(f"{name} of a geom must have {count} numbers, not {len(numbers)}")
            object.__setattr__(self, name, numbers)
        object.__setattr__(self, "label", str(self.label))

    @classmethod
    def trusted(cls, geom_type: int, numbers: dict[str, Array], label: str = "", dataid: int = -1) -> UserGeom:
        """A geom of arrays that are right and are not written any more: nothing is checked or copied."""
        geom = object.__new__(cls)
        geom.__dict__.update(numbers, type=geom_type, label=label, dataid=dataid)
        return geom

    @classmethod
    def between(
        cls,
        geom_type: int,
        width: float,
        start: Numbers,
        end: Numbers,
        rgba: Numbers = GREY,
        label: str = "",
    ) -> UserGeom:
        """An arrow, a line, a capsule or another shape with two ends, from one point to another.

        `width` is the radius, of a line its width in pixels.
        """
        if geom_type not in TWO_ENDED:
            raise ValueError(f"a geom of type {geom_type} does not have two ends: use one of {sorted(TWO_ENDED)}")
        first, vector = np.asarray(start, float), np.asarray(end, float) - np.asarray(start, float)
        length = float(np.linalg.norm(vector))
        size, pos = (width, width, length), first
        # the origin of these is their centre
        if geom_type in (CAPSULE, CYLINDER):
            size, pos = (width, length / 2, 0.0), first + vector / 2
        elif geom_type in (ELLIPSOID, BOX, LINEBOX):
            size, pos = (width, width, length / 2), first + vector / 2
        return cls(geom_type, size, pos, along(vector[None])[0].ravel(), rgba, label)


def user_geom_batches(geoms: Sequence[UserGeom], lod_levels: LodLevels) -> tuple[tuple[Batch, ...], tuple[Batch, ...]]:
    """Opaque and transparent batches; `lod_levels` computes LODs from positions and radii."""
    opaque = [geom for geom in geoms if geom.rgba[3] >= OPAQUE_ALPHA]
    transparent = [geom for geom in geoms if geom.rgba[3] < OPAQUE_ALPHA]
    return tuple(_split_by_lod(_batches(opaque), lod_levels)), tuple(_split_by_lod(_batches(transparent), lod_levels))


def _batches(geoms: list[UserGeom]) -> Iterable[Batch]:
    """Instances of geoms, batched by type."""
    for geom_type, dataid in dict.fromkeys((geom.type, geom.dataid if geom.type == MESH else -1) for geom in geoms):
        same = [geom for geom in geoms if geom.type == geom_type and dataid in (-1, geom.dataid)]
        position, rotation, size, colour = (np.array([getattr(g, n) for g in same]) for n in LENGTHS)
        rotation = rotation.reshape(-1, 3, 3)
        if geom_type == MESH:
            rows = instance_rows(position, rotation, np.array([[1.0, 1.0, 1.0, 0.0]]), colour, MATERIAL)
            yield Batch(model_shape(MESH, dataid // 2, hull=bool(dataid % 2)), NO_TEXTURE, rows)
        elif geom_type in DRAWN:
            yield from DRAWN[geom_type](geom_type, position, rotation, size, colour)


def _split_by_lod(batches: Iterable[Batch], lod_levels: LodLevels) -> Iterable[Batch]:
    """Batches split by the LOD of their instances."""
    for batch in batches:
        # lines have the same width at any distance, meshes of the model are as they are
        if batch.lod or batch.shape not in SPLIT:
            yield batch
            continue
        rows = batch.instances
        lods = lod_levels(rows[:, POSITION], rows[:, SHAPE][:, :2].max(axis=1, initial=0.0))
        for lod in np.unique(lods).tolist():
            yield replace(batch, instances=rows[lods == lod], lod=lod)


# ---- how each type is drawn: type, positions, rotations, sizes, colours -> batches ----


def _arrows(geom_type: int, position: Array, rotation: Array, size: Array, colour: Array) -> list[Batch]:
    vector = rotation[:, :, 2] * size[:, 2:]
    return arrows(position, vector, size[:, 0], colour, heads=2 if geom_type == ARROW2 else 1)


def _lines(_: int, position: Array, rotation: Array, size: Array, colour: Array) -> list[Batch]:
    vector = rotation[:, :, 2] * size[:, 2:]
    # rods of minimum radius, scaled; batched by width
    batches = []
    for width in np.unique(size[:, 0]).tolist():
        same = size[:, 0] == width
        rows = rods(position[same], (position + vector)[same], 0.0, colour[same])
        width_scale = max(width / (2 * MIN_ROD_RADIUS), 1.0)
        batches.append(Batch("capsule", NO_TEXTURE, rows, lod=LINE_LOD, width_scale=width_scale))
    return batches


def _box_edges(_: int, position: Array, rotation: Array, size: Array, colour: Array) -> list[Batch]:
    corners = position[:, None] + np.einsum("nij,nkj->nki", rotation, CORNERS * size[:, None])
    start, end = (corners[:, EDGES[:, side]].reshape(-1, 3) for side in (0, 1))
    radius = np.repeat(EDGE_RADIUS * size.max(axis=1), len(EDGES))
    rows = rods(start, end, radius, np.repeat(colour, len(EDGES), axis=0))
    return [Batch("capsule", NO_TEXTURE, rows)]


def _shapes(geom_type: int, position: Array, rotation: Array, size: Array, colour: Array) -> list[Batch]:
    scale = shape_scales(np.full(len(size), geom_type), size.astype(np.float32))
    return [Batch(SHAPE_NAMES[geom_type], NO_TEXTURE, instance_rows(position, rotation, scale, colour, MATERIAL))]


DRAWN: dict[int, Callable[[int, Array, Array, Array, Array], list[Batch]]] = {
    **dict.fromkeys(SHAPE_NAMES, _shapes),
    **dict.fromkeys((ARROW, ARROW1, ARROW2), _arrows),
    LINE: _lines,
    LINEBOX: _box_edges,
}
TYPES = frozenset((*DRAWN, LABEL, MESH))
