"""What is under the pointer: what the renderer drew there, or a ray from the eye against all geoms that are drawn.

Rays are turned into the frame of each geom and meet primitives by formula, all of one type at a time, and meshes
and height fields triangle by triangle. Distances are infinite where nothing is met.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.instances import Kind
from app.render.meshes import Mesh
from app.render.model_meshes import model_mesh
from app.snapshot import ModelView, StateView
from app.surfaces import BOX, CAPSULE, CYLINDER, ELLIPSOID, OWN_SHAPES, PLANE, SPHERE, model_shape

Array = NDArray[np.float64]
NO_GEOM = -1


@dataclass(frozen=True)
class Hit:
    """A place on a geom, or on something else of a body."""

    geom: int
    body: int
    point: Array


def hit_of(model: ModelView, state: StateView, kind: Kind, index: int, point: Array) -> Hit | None:
    """The place on what is drawn there: a geom, a site of a body, or the bone of a skin that is nearest."""
    if kind == Kind.GEOM:
        return Hit(index, int(model.geom_bodyid[index]), point)
    if kind == Kind.SITE:
        return Hit(NO_GEOM, int(model.site_bodyid[index]), point)
    if kind == Kind.SKIN:
        first = int(model.skin_boneadr[index])
        bones = np.asarray(model.skin_bonebodyid)[first : first + int(model.skin_bonenum[index])]
        away = np.linalg.norm(state.xpos[bones] - point, axis=1)
        return Hit(NO_GEOM, int(bones[np.argmin(away)]), point)
    return None


def pick(
    model: ModelView,
    state: StateView,
    geoms: NDArray[np.int64],
    origin: Array,
    direction: Array,
) -> Hit | None:
    """The first of `geoms` along a ray; triangles are looked at only if the ray comes near their geom."""
    if not len(geoms):
        return None
    rotation = state.geom_xmat[geoms].reshape(-1, 3, 3)
    start = np.einsum("nji,nj->ni", rotation, origin - state.geom_xpos[geoms])
    toward = np.einsum("nji,j->ni", rotation, direction)
    types, size = np.asarray(model.geom_type)[geoms], np.asarray(model.geom_size)[geoms]
    distance = np.full(len(geoms), np.inf)
    with np.errstate(all="ignore"):
        for kind, meet in MEET.items():
            chosen = types == kind
            if chosen.any():
                distance[chosen] = meet(start[chosen], toward[chosen], size[chosen])
        reach = np.asarray(model.geom_rbound)[geoms][:, None] * np.ones(3)
        near = np.isfinite(_ellipsoid(start, toward, reach)) | (np.linalg.norm(start, axis=1) < reach[:, 0])
        for k in np.flatnonzero(near & np.isin(types, list(OWN_SHAPES))).tolist():
            mesh = model_mesh(model, model_shape(int(types[k]), int(model.geom_dataid[geoms[k]])))
            distance[k] = _triangles(start[k], toward[k], mesh)
    distance[~np.isfinite(distance)] = np.inf
    nearest = int(np.argmin(distance))
    if distance[nearest] == np.inf:
        return None
    geom = int(geoms[nearest])
    return Hit(geom, int(model.geom_bodyid[geom]), origin + distance[nearest] * direction)


def _ahead(distance: Array, valid: Any = True) -> Array:
    """The distance, where it is in front of the eye and the place is part of the shape."""
    return np.where(valid & (distance > 0), distance, np.inf)


def _plane(start: Array, toward: Array, size: Array) -> Array:
    """From above only; a half length of zero is infinite."""
    distance = -start[:, 2] / toward[:, 2]
    at = start + distance[:, None] * toward
    inside = ((np.abs(at[:, :2]) <= size[:, :2]) | (size[:, :2] <= 0)).all(axis=1)
    return _ahead(distance, inside & (toward[:, 2] < 0))


def _ellipsoid(start: Array, toward: Array, size: Array) -> Array:
    """A sphere after scaling."""
    return _entry(start / size, toward / size, 1.0)


def _entry(start: Array, toward: Array, radius: Any) -> Array:
    """Where a ray enters a sphere about the origin, or a circle if given two coordinates."""
    a, b = np.sum(toward**2, axis=1), np.sum(start * toward, axis=1)
    inside = b**2 - a * (np.sum(start**2, axis=1) - radius**2)
    return _ahead((-b - np.sqrt(inside)) / a, inside >= 0)


def _side(start: Array, toward: Array, size: Array) -> Array:
    """The curved side of a cylinder."""
    distance = _entry(start[:, :2], toward[:, :2], size[:, 0])
    height = start[:, 2] + distance * toward[:, 2]
    return _ahead(distance, np.abs(height) <= size[:, 1])


def _capsule(start: Array, toward: Array, size: Array) -> Array:
    """A cylinder and a ball at each end."""
    ends = [_entry(start - sign * size[:, 1:2] * (0, 0, 1), toward, size[:, 0]) for sign in (-1.0, 1.0)]
    return np.minimum(_side(start, toward, size), np.minimum(*ends))


def _cylinder(start: Array, toward: Array, size: Array) -> Array:
    """The side and two discs."""
    found = _side(start, toward, size)
    for sign in (-1.0, 1.0):
        distance = (sign * size[:, 1] - start[:, 2]) / toward[:, 2]
        at = start[:, :2] + distance[:, None] * toward[:, :2]
        found = np.minimum(found, _ahead(distance, np.sum(at**2, axis=1) <= size[:, 0] ** 2))
    return found


def _box(start: Array, toward: Array, size: Array) -> Array:
    """Between three pairs of planes at once."""
    one, other = (-size - start) / toward, (size - start) / toward
    enter, leave = np.minimum(one, other).max(axis=1), np.maximum(one, other).min(axis=1)
    return _ahead(enter, enter <= leave)


def _triangles(start: Array, toward: Array, mesh: Mesh) -> float:
    """The nearest triangle, from either side."""
    corner = mesh.vertices[:, :3].astype(float)[mesh.triangles]
    edge1, edge2 = corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]
    across = np.cross(toward, edge2)
    scale = 1.0 / np.sum(edge1 * across, axis=1)
    offset = start - corner[:, 0]
    u = np.sum(offset * across, axis=1) * scale
    turned = np.cross(offset, edge1)
    v = turned @ toward * scale
    distance = np.sum(edge2 * turned, axis=1) * scale
    return float(_ahead(distance, (u >= 0) & (v >= 0) & (u + v <= 1)).min(initial=np.inf))


MEET: dict[int, Callable[[Array, Array, Array], Array]] = {
    PLANE: _plane,
    SPHERE: lambda start, toward, size: _entry(start, toward, size[:, 0]),
    CAPSULE: _capsule,
    ELLIPSOID: _ellipsoid,
    CYLINDER: _cylinder,
    BOX: _box,
}
