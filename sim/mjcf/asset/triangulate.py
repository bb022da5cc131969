"""Polygons of a mesh file -> triangles, by clipping ears.

Each polygon is seen along the axis that it faces most. Starting at its first corner, three corners in a row are an
ear if they turn the way the whole polygon turns and no other corner lies between them: they become a triangle, and
the middle one leaves the polygon; otherwise the next three are tried. A polygon that turns once around without an
ear is given up and what is left of it is lost, as is a polygon with more than 100 corners: MuJoCo's reader does so,
in single precision. A convex polygon becomes a fan around its first corner. Polygons of about the same size are
clipped at once.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from sim.mjcf.asset.rows import Floats, Ints, cross

WIDTHS = (2, 4, 8, 16, 32, 100)  # classes of sizes; more corners are too many
EPSILON = np.finfo(np.float32).eps


def triangulate(vertex: Floats, corner: Ints, sizes: Ints) -> Ints:
    """Triangles, as places in `corner`, of the polygons with these numbers of corners, one after the other."""
    start = np.cumsum(sizes) - sizes
    pieces, owners = [np.zeros((0, 3), np.int64)], [np.zeros(0, np.int64)]
    for above, width in pairwise(WIDTHS):
        polygon = np.flatnonzero((sizes > above) & (sizes <= width))
        place = start[polygon, None] + np.minimum(np.arange(width), sizes[polygon, None] - 1)
        # what a wrong index means is said elsewhere
        points = vertex[np.clip(corner[place], 0, len(vertex) - 1)] if len(vertex) else np.zeros((*place.shape, 3))
        triangle, owner = _clipped(points.astype(np.float32), sizes[polygon])
        pieces.append(np.take_along_axis(place[owner], triangle, axis=1))
        owners.append(polygon[owner])
    order = np.argsort(np.concatenate(owners), kind="stable")
    return np.concatenate(pieces)[order].astype(np.int32)


def _clipped(points: Floats, sizes: Any) -> tuple[Any, Any]:
    """Triangles as numbers of corners, and the polygon of each, of polygons [polygon, corner, xyz].

    In rows that are longer than their polygon the last corner is repeated.
    """
    count, width, _ = points.shape
    x, y = _flattened(points, sizes)
    turn = _area(x, y)
    left, remaining = np.tile(np.arange(width), (count, 1)), np.array(sizes, np.int64)
    first, tries = np.zeros(count, np.int64), np.zeros(count, np.int64)
    triangles, owners = [], []
    work = np.flatnonzero(remaining > 3)
    while len(work):
        ring = (first[work, None] + np.arange(width)) % remaining[work, None]
        ring = np.take_along_axis(left[work], ring, axis=1)
        others = np.arange(3, width) < remaining[work, None]
        ear = _is_ear(x[work], y[work], ring, others, turn[work])
        triangles.append(ring[ear, :3])
        clipped, failed = work[ear], work[~ear]
        owners.append(clipped)
        _remove(left, clipped, (first[clipped] + 1) % remaining[clipped])
        # a first ear at the last place comes too late for what is left, unless that is a triangle
        late = (remaining[clipped] == sizes[clipped]) & (tries[clipped] == sizes[clipped] - 1) & (sizes[clipped] > 4)
        remaining[clipped] = np.where(late, 0, remaining[clipped] - 1)
        first[clipped] %= np.maximum(remaining[clipped], 1)
        tries[clipped] = 0
        first[failed] = (first[failed] + 1) % remaining[failed]
        tries[failed] += 1
        work = work[(remaining[work] > 3) & (tries[work] < remaining[work])]
    done = np.flatnonzero(remaining == 3)
    owner = np.concatenate([*owners, done])
    order = np.argsort(owner, kind="stable")
    return np.concatenate([*triangles, left[done, :3]])[order], owner[order]


def _flattened(points: Any, sizes: Any) -> tuple[Floats, Floats]:
    """Coordinates without the one along which the first real corner is seen largest."""
    count, width, _ = points.shape
    polygon, corner = np.arange(count), np.arange(width)
    following = points[polygon[:, None], (corner + 1) % sizes[:, None]]
    last = points[polygon[:, None], (corner + 2) % sizes[:, None]]
    turn: Any = np.abs(cross((following - points).reshape(-1, 3), (last - following).reshape(-1, 3)))
    turn = turn.reshape(points.shape)
    real = (turn > EPSILON).any(axis=2) & (corner < sizes[:, None])
    a, b, c = turn[polygon, np.argmax(real, axis=1)].T
    along_x = ((a > b) & (a > c)) | ~real.any(axis=1)
    along_z = (c > a) & (c > b) & ~along_x
    return (points[polygon, :, np.where(along_x, 1, 0)], points[polygon, :, np.where(along_z, 1, 2)])


def _area(x: Floats, y: Floats) -> Floats:
    """Signed area of each polygon, summed from corner to corner."""
    parts = (x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)) * np.float32(0.5)
    area: Floats = np.add.accumulate(parts, axis=1)[:, -1]
    return area


def _is_ear(x: Floats, y: Floats, ring: Any, others: Any, turn: Floats) -> Any:
    """Whether the first three corners of each ring turn as its polygon does, with no other corner between them."""
    x, y = (np.take_along_axis(values, ring, axis=1) for values in (x, y))
    ax, ay, tx, ty = x[:, :3], y[:, :3], x[:, 3:], y[:, 3:]
    inner = (ax[:, 1] - ax[:, 0]) * (ay[:, 2] - ay[:, 1]) - (ay[:, 1] - ay[:, 0]) * (ax[:, 2] - ax[:, 1])
    # a ray from a corner inside crosses an odd number of edges
    inside = np.zeros(tx.shape, bool)
    for i, j in ((0, 2), (1, 0), (2, 1)):
        xi, yi, xj, yj = ax[:, i, None], ay[:, i, None], ax[:, j, None], ay[:, j, None]
        with np.errstate(all="ignore"):
            inside ^= ((yi > ty) != (yj > ty)) & (tx < (xj - xi) * (ty - yi) / (yj - yi) + xi)
    return ~((inner * turn < 0) | (inside & others).any(axis=1))


def _remove(left: Any, polygon: Any, at: Any) -> None:
    column = np.arange(left.shape[1] - 1)
    left[polygon[:, None], column] = left[polygon[:, None], column + (column >= at[:, None])]
