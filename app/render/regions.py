"""Which part of the picture things and their shadows can be in: rectangles of pixels.

Software renderers pay for every pixel: floors look up shadows, and edges are smoothed, only where there can be any.
All bounds are of spheres around instances, and err on the large side.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from app.render.pool import Uploaded
from app.render.shadow import SPREAD
from app.scene.camera import View
from app.scene.instances import POSITION, ROTATION, SHAPE, Floats, Plane
from app.scene.lights import DIRECTIONAL, Light

Array = NDArray[np.float64]
# x, y from the lower left, width, height
Region = tuple[int, int, int, int]

# a shadow this many times as far as its caster is wide is taken to reach everywhere
FARTHEST = 200.0
MARGIN = 3


def bounding_spheres(items: Iterable[Uploaded]) -> Array:
    """Centre and radius of a sphere around each instance, (n, 4)."""
    parts = [np.zeros((0, 4))]
    for item in items:
        rows = item.batch.instances.astype(float)
        shape = rows[:, SHAPE]
        radius = item.shape.reach * shape[:, :3].max(axis=1) + shape[:, 3]
        parts.append(np.column_stack([rows[:, POSITION], radius]))
    return np.concatenate(parts)


def screen_rect(balls: Array, view: View, size: tuple[int, int]) -> Region:
    """The smallest rectangle of the picture with all spheres; the whole picture if one is at the eye."""
    if not len(balls):
        return 0, 0, 0, 0
    local = (balls[:, :3] - view.eye) @ view.axes
    depth, radius = -local[:, 2], balls[:, 3]
    ahead = depth + radius > 0
    depth, radius, local = depth[ahead], radius[ahead], local[ahead]
    if not len(depth):
        return 0, 0, 0, 0
    if not (depth - radius > view.near).all():
        return 0, 0, *size
    left_edge, right_edge, bottom_edge, top_edge = view.edges(size[0] / size[1])
    # nothing gets smaller with distance if rays are parallel
    front, back = (1.0, 1.0) if view.orthographic else (depth - radius, depth + radius)
    edges = []
    for axis, (start, end) in enumerate(((left_edge, right_edge), (bottom_edge, top_edge))):
        low, high = local[:, axis] - radius, local[:, axis] + radius
        first = np.minimum(low / front, low / back).min()
        last = np.maximum(high / front, high / back).max()
        pixels = np.clip((np.array([first, last]) - start) / (end - start), 0, 1) * size[axis]
        edges.append((max(int(pixels[0]) - MARGIN, 0), min(int(pixels[1]) + 1 + MARGIN, size[axis])))
    (left, right), (bottom, top) = edges
    return left, bottom, max(right - left, 0), max(top - bottom, 0)


def shadow_spheres(casters: Array, lights: Iterable[Light], plane: Floats) -> Array | None:
    """Spheres around the shadows that casters throw on a plane, an instance row; None if they reach everywhere."""
    normal, origin = plane[ROTATION].astype(float).reshape(3, 3)[:, 2], plane[POSITION].astype(float)
    parts = [np.zeros((0, 4))]
    center, radius = casters[:, :3], casters[:, 3]
    for light in lights:
        if light.kind == DIRECTIONAL:
            ray = np.broadcast_to(light.direction.astype(float), center.shape)
        else:
            ray = center - light.position
        length = np.maximum(np.linalg.norm(ray, axis=1), 1e-9)
        ray = ray / length[:, None]
        falls = -ray @ normal
        height = (center - origin) @ normal
        # only what is above the plane, and between it and the light
        above = (height > -radius) & (falls > -0.05)
        way = height[above] / np.maximum(falls[above], 1e-3)
        if (falls[above] < 0.02).any() or (way > FARTHEST * radius[above] + FARTHEST).any():
            return None
        grown = np.ones(len(way)) if light.kind == DIRECTIONAL else 1 + np.maximum(way, 0) / length[above]
        reach = (grown * radius[above] + 2 * SPREAD * np.abs(way)) / falls[above]
        parts.append(np.column_stack([center[above] + way[:, None] * ray[above], reach]))
    return np.concatenate(parts)


def mirrored_spheres(balls: Array, plane: Plane) -> Array:
    """Where a mirror shows spheres."""
    normal, distance = np.array(plane[:3]), plane[3]
    seen = balls.copy()
    seen[:, :3] -= 2 * (balls[:, :3] @ normal - distance)[:, None] * normal
    return seen


def outside(inner: Region, size: tuple[int, int]) -> list[Region]:
    """What is left of a picture without a rectangle: below, above, left and right of it."""
    x, y, width, height = inner
    rest = [
        (0, 0, size[0], y),
        (0, y + height, size[0], size[1] - y - height),
        (0, y, x, height),
        (x + width, y, size[0] - x - width, height),
    ]
    return [part for part in rest if part[2] > 0 and part[3] > 0]
