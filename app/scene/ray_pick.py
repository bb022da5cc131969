"""Picking without a GPU: the nearest surface of a draw list along a ray, by the triangles that would be drawn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView
from app.scene.camera import View
from app.scene.instances import ID, ID_STEP, POSITION, ROTATION, SHAPE, Batch, Floats, Kind
from app.scene.meshes import Mesh, primitive_meshes
from app.scene.model_meshes import model_mesh
from app.scene.picking import Picked
from app.scene.scene import DrawList

Array = NDArray[np.float64]

# level of detail of round shapes: what is farther from the true surface than this was not aimed at
LOD = 1


def ray_pick(model: ModelView, scene: DrawList, view: View, aspect: float, x: float, y: float) -> Picked | None:
    """What is drawn at a point of the view, x and y from -1 to 1, right and up."""
    origin, direction = view.ray(x, y, aspect)
    best, found = view.far, 0.0
    # of coplanar surfaces the later opaque one is seen, and the first of the others
    for later, batches in ((True, scene.opaque), (False, (*scene.planes, *scene.transparent, *scene.overlay))):
        for batch in batches:
            for row, distance in _hits(model, scene, batch, origin, direction, best, view.near):
                if distance < best or (later and distance == best):
                    best, found = distance, float(row[ID])
    code = int(found)
    return Picked(Kind(code // ID_STEP), code % ID_STEP, best) if code else None


def _hits(
    model: ModelView, scene: DrawList, batch: Batch, origin: Array, direction: Array, farthest: float, nearest: float
) -> Iterator[tuple[Floats, float]]:
    """The rows of a batch that a ray meets, and where."""
    mesh, vertices, radius = _surface(model, scene, batch.shape)
    rows = batch.instances
    away = rows[:, POSITION].astype(float) - origin
    along = away @ direction
    reach = radius * np.abs(rows[:, SHAPE][:, :3]).max(axis=1, initial=0.0) + rows[:, SHAPE][:, 3]
    endless = (rows[:, SHAPE][:, :2] <= 0).any(axis=1) & (batch.shape == "plane")
    beside = np.linalg.norm(away - along[:, None] * direction, axis=1)
    near = (beside <= reach) & (along + reach > nearest) & (along - reach < farthest)
    for row in rows[near | endless]:
        # into the frame of the shape
        turned = row[ROTATION].astype(float).reshape(3, 3)
        start, way = (origin - row[POSITION]) @ turned, direction @ turned
        if batch.shape == "plane":
            distance = _plane(row[SHAPE].astype(float), start, way)
        else:
            scale = np.maximum(row[SHAPE][:3].astype(float), 1e-12)
            placed = vertices[:, :3] * scale
            placed[:, 2] += vertices[:, 6] * float(row[SHAPE][3])
            distance = _triangles(placed, mesh.triangles, start, way, mesh.open, nearest)
        if nearest < distance < np.inf:
            yield row, distance


@cache
def _primitives() -> dict[str, Mesh]:
    return {name: mesh for (name, lod), mesh in primitive_meshes().items() if lod == LOD}


def _surface(model: ModelView, scene: DrawList, shape: str) -> tuple[Mesh, Array, float]:
    """The mesh of a shape, its vertices as they are now, and its radius about the origin."""
    mesh = _primitives().get(shape) or model_mesh(model, shape)
    vertices = np.asarray(scene.deformed.get(shape, mesh.vertices), float)
    if shape in scene.deformed:
        vertices = np.column_stack([vertices[:, :6], mesh.vertices[:, 6:7]])
    return mesh, vertices, float(np.linalg.norm(vertices[:, :3], axis=1).max(initial=0.0))


def _plane(shape: Array, start: Array, way: Array) -> float:
    """Where a ray meets a plane from above."""
    if way[2] >= 0 or start[2] <= 0:
        return np.inf
    distance = -float(start[2]) / float(way[2])
    place = start[:2] + distance * way[:2]
    inside = (shape[:2] <= 0) | (np.abs(place) <= shape[:2])
    return distance if inside.all() else np.inf


def _triangles(
    vertices: Array, triangles: NDArray[np.int32], start: Array, way: Array, both: bool, nearest: float
) -> float:
    """Where a ray first meets the front of a triangle, or with `both` either side (Moeller and Trumbore)."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    first, second = b - a, c - a
    p = np.cross(way, second)
    area = np.einsum("ij,ij->i", first, p)
    facing = np.abs(area) > 1e-30 if both else area > 1e-30
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        to = start - a
        u = np.einsum("ij,ij->i", to, p) / area
        q = np.cross(to, first)
        v = (q @ way) / area
        distance = np.einsum("ij,ij->i", second, q) / area
        hit = facing & (u >= 0) & (v >= 0) & (u + v <= 1) & (distance > nearest)
    return float(distance[hit].min(initial=np.inf))
