"""Screen rectangles that bound geoms, their shadows and mirror images, to scissor expensive shading.

Software renderers pay for every pixel: floors look up shadows, and edges are smoothed, only where there can be any.
All rectangles come from bounding spheres of instances and are conservative.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from app.render.pool import GpuBatch
from app.render.shadow import LIGHT_SIZE
from app.scene.camera import View
from app.scene.instances import POSITION, ROTATION, SHAPE, Floats, Plane
from app.scene.lights import DIRECTIONAL, Light

Array = NDArray[np.float64]
# x, y from the lower left, width, height
Region = tuple[int, int, int, int]

# a shadow farther from its caster than this many radii is taken to reach everywhere
MAX_SHADOW_DISTANCE = 200.0
MARGIN = 3


def bounding_spheres(items: Iterable[GpuBatch]) -> Array:
    """Centre and radius of the bounding sphere of each instance, (n, 4)."""
    parts = [np.zeros((0, 4))]
    for item in items:
        rows = item.batch.instances.astype(float)
        shape = rows[:, SHAPE]
        radius = item.mesh.radius * shape[:, :3].max(axis=1) + shape[:, 3]
        parts.append(np.column_stack([rows[:, POSITION], radius]))
    return np.concatenate(parts)


def screen_rect(spheres: Array, view: View, size: tuple[int, int]) -> Region:
    """The smallest screen rectangle with all spheres; the whole screen if one reaches the near plane."""
    if not len(spheres):
        return 0, 0, 0, 0
    local = (spheres[:, :3] - view.eye) @ view.axes
    depth, radius = -local[:, 2], spheres[:, 3]
    ahead = depth + radius > 0
    depth, radius, local = depth[ahead], radius[ahead], local[ahead]
    if not len(depth):
        return 0, 0, 0, 0
    if not (depth - radius > view.near).all():
        return 0, 0, *size
    left_edge, right_edge, bottom_edge, top_edge = view.edges(size[0] / size[1])
    # an orthographic projection does not shrink with distance
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
    """Bounding spheres of the shadows that casters cast on a plane (an instance row); None if they reach everywhere."""
    normal, origin = plane[ROTATION].astype(float).reshape(3, 3)[:, 2], plane[POSITION].astype(float)
    parts = [np.zeros((0, 4))]
    center, radius = casters[:, :3], casters[:, 3]
    for light in lights:
        if light.type == DIRECTIONAL:
            ray = np.broadcast_to(light.direction.astype(float), center.shape)
        else:
            ray = center - light.position
        length = np.maximum(np.linalg.norm(ray, axis=1), 1e-9)
        ray = ray / length[:, None]
        cosine = -ray @ normal
        height = (center - origin) @ normal
        # only casters above the plane, between it and the light
        above = (height > -radius) & (cosine > -0.05)
        distance = height[above] / np.maximum(cosine[above], 1e-3)
        if (cosine[above] < 0.02).any() or (distance > MAX_SHADOW_DISTANCE * radius[above] + MAX_SHADOW_DISTANCE).any():
            return None
        growth = np.ones(len(distance)) if light.type == DIRECTIONAL else 1 + np.maximum(distance, 0) / length[above]
        shadow_radius = (growth * radius[above] + 2 * LIGHT_SIZE * np.abs(distance)) / cosine[above]
        parts.append(np.column_stack([center[above] + distance[:, None] * ray[above], shadow_radius]))
    return np.concatenate(parts)


def mirrored_spheres(spheres: Array, plane: Plane) -> Array:
    """Spheres reflected about a mirror plane."""
    normal, distance = np.array(plane[:3]), plane[3]
    reflected = spheres.copy()
    reflected[:, :3] -= 2 * (spheres[:, :3] @ normal - distance)[:, None] * normal
    return reflected


def outside(inner: Region, size: tuple[int, int]) -> list[Region]:
    """The rest of the screen without a rectangle: below, above, left and right of it."""
    x, y, width, height = inner
    rest = [
        (0, 0, size[0], y),
        (0, y + height, size[0], size[1] - y - height),
        (0, y, x, height),
        (x + width, y, size[0] - x - width, height),
    ]
    return [part for part in rest if part[2] > 0 and part[3] > 0]
