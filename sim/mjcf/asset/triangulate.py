"""Triangulates the polygons of a mesh file: MuJoCo's OBJ reader, in single precision.

A quadrilateral is divided by its shorter diagonal. Others are projected along the dominant axis of their normal, and
ears are clipped: starting at the first corner, three consecutive corners a, b, c are an ear if they turn as a and b do
about the origin, and no other corner lies inside of them; they become a triangle, and b is removed; otherwise the next
three are tried. If a whole round finds no ear the rest of the polygon is dropped, as is a polygon with more than 100
corners. Polygons of about the same size are clipped at once.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from sim.mjcf.asset.rows import Floats, Ints, cross

WIDTHS = (2, 3, 4, 8, 16, 32, 100)  # classes of sizes; more corners are too many
EPSILON = np.finfo(np.float32).eps


def triangulate(vertex: Floats, corner: Ints, sizes: Ints) -> Ints:
    """Triangles, as indices into `corner`, of consecutive polygons with these numbers of corners."""
    start = np.cumsum(sizes) - sizes
    pieces, owners = [np.zeros((0, 3), np.int64)], [np.zeros(0, np.int64)]
    for above, width in pairwise(WIDTHS):
        polygon = np.flatnonzero((sizes > above) & (sizes <= width))
        place = start[polygon, None] + np.minimum(np.arange(width), sizes[polygon, None] - 1)
        # bad indices are reported elsewhere
        points = vertex[np.clip(corner[place], 0, len(vertex) - 1)] if len(vertex) else np.zeros((*place.shape, 3))
        cut = _divide if width == 4 else _clip_ears
        triangle, owner = cut(points.astype(np.float32), sizes[polygon])
        pieces.append(np.take_along_axis(place[owner], triangle, axis=1))
        owners.append(polygon[owner])
    order = np.argsort(np.concatenate(owners), kind="stable")
    return np.concatenate(pieces)[order].astype(np.int32)


def _divide(points: Floats, sizes: Any) -> tuple[Any, Any]:
    """Two triangles of each quadrilateral, divided by its shorter diagonal, the second one if they are equal."""
    first, second = (((points[:, k + 2] - points[:, k]) ** 2).sum(axis=1) for k in (0, 1))
    halves = np.where(
        (first < second)[:, None, None], np.array([[0, 1, 2], [0, 2, 3]]), np.array([[0, 1, 3], [1, 2, 3]])
    )
    return halves.reshape(-1, 3), np.repeat(np.arange(len(sizes)), 2)


def _clip_ears(points: Floats, sizes: Any) -> tuple[Any, Any]:
    """Triangles as indices of corners, and the polygon of each, of polygons [polygon, corner, xyz].

    Rows that are longer than their polygon repeat its last corner.
    """
    count, width, _ = points.shape
    x, y = _project(points, sizes)
    left, remaining = np.tile(np.arange(width), (count, 1)), np.array(sizes, np.int64)
    first, tries = np.zeros(count, np.int64), np.zeros(count, np.int64)
    triangles, owners = [], []
    work = np.flatnonzero(remaining > 3)
    while len(work):
        ring = (first[work, None] + np.arange(width)) % remaining[work, None]
        ring = np.take_along_axis(left[work], ring, axis=1)
        others = np.arange(3, width) < remaining[work, None]
        ear = _is_ear(x[work], y[work], ring, others)
        triangles.append(ring[ear, :3])
        clipped, failed = work[ear], work[~ear]
        owners.append(clipped)
        _remove(left, clipped, (first[clipped] + 1) % remaining[clipped])
        # if the first ear is found at the last try the rest is dropped, unless it is a triangle, as in MuJoCo
        late = (remaining[clipped] == sizes[clipped]) & (tries[clipped] == sizes[clipped] - 1)
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


def _project(points: Any, sizes: Any) -> tuple[Floats, Floats]:
    """2D coordinates: without the dominant axis of the normal at the first corner that is not degenerate."""
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


def _is_ear(x: Floats, y: Floats, ring: Any, others: Any) -> Any:
    """Whether the first three corners of each ring turn as the first two do, and contain no other corner."""
    x, y = (np.take_along_axis(values, ring, axis=1) for values in (x, y))
    ax, ay, tx, ty = x[:, :3], y[:, :3], x[:, 3:], y[:, 3:]
    inner = (ax[:, 1] - ax[:, 0]) * (ay[:, 2] - ay[:, 1]) - (ay[:, 1] - ay[:, 0]) * (ax[:, 2] - ax[:, 1])
    turn = (ax[:, 0] * ay[:, 1] - ay[:, 0] * ax[:, 1]) * np.float32(0.5)
    # point in triangle by the crossing number
    inside = np.zeros(tx.shape, bool)
    for i, j in ((0, 2), (1, 0), (2, 1)):
        xi, yi, xj, yj = ax[:, i, None], ay[:, i, None], ax[:, j, None], ay[:, j, None]
        with np.errstate(all="ignore"):
            inside ^= ((yi > ty) != (yj > ty)) & (tx < (xj - xi) * (ty - yi) / (yj - yi) + xi)
    return ~((inner * turn < 0) | (inside & others).any(axis=1))


def _remove(left: Any, polygon: Any, at: Any) -> None:
    column = np.arange(left.shape[1] - 1)
    left[polygon[:, None], column] = left[polygon[:, None], column + (column >= at[:, None])]
