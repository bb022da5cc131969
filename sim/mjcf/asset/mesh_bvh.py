"""Bounding volume tree over the triangles of a mesh, all nodes of one depth at a time.

A node's box encloses its triangles; a node with several is split at the median of their circumcentres along its
longest side. Nodes are numbered depth first, so that a node's left child follows it directly. Vectors are columns
here and places are taken from flat arrays: that halves the time. So does a kernel, if it is compiled already.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.jit import Struct
from sim.mjcf.asset.asset_kernels import MANY_TRIANGLES, TREE, at_hand, grow
from sim.mjcf.asset.rows import Doubles, Ints, cross, dot
from sim.mjcf.rotation import TINY

# nodes that may wait at once
DEEPEST = 64


class MeshBvh:
    """Boxes (centre, half sizes), children, triangles and depths of the nodes, root first."""

    def __init__(self, vertex: Doubles, face: Ints) -> None:
        count = len(face)
        nodes = max(0, 2 * count - 1)
        # coordinates, corners, triangles
        corners = vertex.T.take(face.T, axis=1)
        # boxes through their centres and half sizes, for the sake of the last bit; upper corners negative
        middle, half = _centre_and_half(corners.min(axis=1), corners.max(axis=1))
        reach = np.concatenate([middle - half, -(middle + half)])
        numbers, ranks = _ranked(_circumcentres(*corners.transpose(1, 2, 0)).T)
        self.boxes = np.empty((nodes, 6))
        self.children = np.full((nodes, 2), -1, np.int32)
        self.faces = np.full(nodes, -1, np.int32)
        self.depths = np.empty(nodes, np.int32)
        if count and at_hand(grow, count, MANY_TRIANGLES):
            self._grow_natively(reach, numbers)
        else:
            self._grow(reach, numbers, ranks)

    def _grow_natively(self, reach: Doubles, numbers: Any) -> None:
        """All nodes, one after the other."""
        tree = Struct(TREE, {"ntriangle": len(numbers) // 3, "nnode": 0, "ndepth": DEEPEST})
        tree.reach, tree.sorted = reach.T, numbers.reshape(3, -1)
        for name in ("boxes", "children", "faces", "depths"):
            tree.bind(name, getattr(self, name))
        grow(tree, TINY)

    def _grow(self, reach: Doubles, numbers: Any, ranks: Any) -> None:
        """All nodes, depth after depth."""
        count = len(ranks) // 3
        bits = (3 * count).bit_length()
        # triangles of the nodes at this depth, node after node; how many each node has, and its number
        order, sizes, ids, depth = np.arange(count), np.array([count]), np.zeros(1, np.int64), 0
        while len(order):
            starts = np.cumsum(sizes) - sizes
            box = np.minimum.reduceat(reach.take(order, axis=1), starts, axis=1)
            low, high = box[:3], -box[3:]
            flat = high - low < TINY
            if flat.any():
                low, high = np.where(flat, low - TINY, low), np.where(flat, high + TINY, high)
            self.boxes[ids] = np.concatenate(_centre_and_half(low, high)).T
            self.depths[ids] = depth
            # leave the leaves
            single = sizes == 1
            if single.any():
                self.faces[ids[single]] = order[starts[single]]
                more = ~single
                order, sizes, ids = order[np.repeat(more, sizes)], sizes[more], ids[more]
                low, high = low[:, more], high[:, more]
            # sort the others along their longest side: the node in the upper bits, the rank in the lower
            node = np.repeat(np.arange(len(sizes)), sizes)
            axis = _longest(*(high - low))
            keys = ranks.take((axis * count).take(node) + order) | node << bits
            keys.sort()
            order = numbers.take(keys & (1 << bits) - 1)
            # split them
            left = sizes // 2
            right = ids + 2 * left
            self.children[ids, 0], self.children[ids, 1] = ids + 1, right
            sizes = np.stack([left, sizes - left], axis=1).ravel()
            ids = np.stack([ids + 1, right], axis=1).ravel()
            depth += 1


def _centre_and_half(low: Doubles, high: Doubles) -> tuple[Doubles, Doubles]:
    return (high + low) / 2, (high - low) / 2


def _circumcentres(a: Doubles, b: Doubles, c: Doubles) -> Doubles:
    """Of triangles by their corners, which are rows."""
    a, b = a - c, b - c
    normal = cross(a, b)
    area = np.sqrt(dot(normal, normal))
    across = cross(dot(a, a)[:, None] * b - dot(b, b)[:, None] * a, normal)
    with np.errstate(all="ignore"):
        centres: Doubles = across / (2 * area * area)[:, None] + c
    return centres


def _longest(x: Doubles, y: Doubles, z: Doubles) -> Any:
    """The longest side, by a margin; the first if there is none."""
    second = y >= x + TINY
    return np.where(z >= np.where(second, y, x) + TINY, 2, second)


def _ranked(centres: Doubles) -> tuple[Any, Any]:
    """The triangles by their centres along each axis, axis after axis, and the place of each among them.

    Those that agree but for rounding are sorted by number. Degenerate triangles have no centre; they come last.
    """
    count = centres.shape[1]
    numbers, ranks = np.empty(3 * count, np.int64), np.empty(3 * count, np.int64)
    for start, values in zip((0, count, 2 * count), centres, strict=True):
        order = np.argsort(values)
        value = values.take(order)
        with np.errstate(all="ignore"):
            steps = (value[1:] - value[:-1] > TINY) | (np.isnan(value[1:]) & ~np.isnan(value[:-1]))
        group = count * np.concatenate(([0], np.cumsum(steps)))
        order = np.sort(group + order) - group
        numbers[start : start + count] = order
        ranks[start + order] = np.arange(start, start + count)
    return numbers, ranks
