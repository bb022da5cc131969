"""Bounding volume tree over the triangles of a mesh, all nodes of one depth at a time.

A node's box encloses its triangles; a node with several is split at the median of their circumcentres along its
longest side. Nodes are numbered depth first, so that a node's left child follows it directly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .rotation import TINY
from .rows import Doubles, Ints, cross, dot


class MeshTree:
    """Boxes (centre, half sizes), children, triangles and depths of the nodes, root first."""

    def __init__(self, vertex: Doubles, face: Ints) -> None:
        count = len(face)
        nodes = max(0, 2 * count - 1)
        corners = vertex[face]
        # boxes through their centres and half sizes, for the sake of the last bit; upper corners negative
        middle, half = _centre_and_half(corners.min(axis=1), corners.max(axis=1))
        reach = np.concatenate([middle - half, -(middle + half)], axis=1)
        numbers, ranks = _ranked(_circumcentres(corners))
        self.boxes = np.zeros((nodes, 6))
        self.children = np.full((nodes, 2), -1, np.int32)
        self.faces = np.full(nodes, -1, np.int32)
        self.depths = np.zeros(nodes, np.int32)
        # triangles of the nodes at this depth, node after node; how many each node has, and its number
        order, sizes, ids, depth = np.arange(count), np.array([count]), np.zeros(1, np.int64), 0
        while len(order):
            starts = np.cumsum(sizes) - sizes
            box = np.minimum.reduceat(reach[order], starts)
            low, high = box[:, :3], -box[:, 3:]
            flat = np.abs(low - high) < TINY
            if flat.any():
                low, high = np.where(flat, low - TINY, low), np.where(flat, high + TINY, high)
            self.boxes[ids] = np.concatenate(_centre_and_half(low, high), axis=1)
            self.depths[ids] = depth
            single = sizes == 1
            self.faces[ids[single]] = order[starts[single]]
            # leave the leaves, sort the others along their longest side and split them
            more = ~single
            order, sizes, ids = order[np.repeat(more, sizes)], sizes[more], ids[more]
            axis = np.repeat(_longest(low[more], high[more]), sizes)
            base = np.repeat(np.arange(len(sizes)) * count, sizes)
            keys = base + ranks[axis, order]
            keys.sort()
            order = numbers[axis, keys - base]
            left = sizes // 2
            right = ids + 2 * left
            self.children[ids, 0], self.children[ids, 1] = ids + 1, right
            sizes = np.stack([left, sizes - left], axis=1).ravel()
            ids = np.stack([ids + 1, right], axis=1).ravel()
            depth += 1


def _centre_and_half(low: Doubles, high: Doubles) -> tuple[Doubles, Doubles]:
    return (high + low) / 2, (high - low) / 2


def _circumcentres(corners: Doubles) -> Doubles:
    c = corners[:, 2]
    a, b = corners[:, 0] - c, corners[:, 1] - c
    normal = cross(a, b)
    aa, bb = dot(a, a), dot(b, b)
    area = np.sqrt(dot(normal, normal))
    across = cross(aa[:, None] * b - bb[:, None] * a, normal)
    with np.errstate(all="ignore"):
        centres: Doubles = across / (2 * area * area)[:, None] + c
    return centres


def _longest(low: Doubles, high: Doubles) -> Any:
    """The longest side, by a margin; the first if there is none."""
    sides = high - low
    axis = np.where(sides[:, 1] >= sides[:, 0] + TINY, 1, 0)
    longest = np.take_along_axis(sides, axis[:, None], axis=1)[:, 0]
    return np.where(sides[:, 2] >= longest + TINY, 2, axis)


def _ranked(centres: Doubles) -> tuple[Any, Any]:
    """For each axis the triangles by their centres, and the rank of each; those that agree but for rounding by number.

    Degenerate triangles have no centre; they come last.
    """
    count = len(centres)
    numbers, ranks = np.empty((3, count), np.int64), np.empty((3, count), np.int64)
    for axis in range(3):
        order = np.argsort(centres[:, axis], kind="stable")
        value = centres[order, axis]
        with np.errstate(all="ignore"):
            steps = (value[1:] - value[:-1] > TINY) | (np.isnan(value[1:]) & ~np.isnan(value[:-1]))
        group = np.concatenate(([0], np.cumsum(steps)))
        order = order[np.argsort(group * count + order)]
        numbers[axis] = order
        ranks[axis, order] = np.arange(count)
    return numbers, ranks
