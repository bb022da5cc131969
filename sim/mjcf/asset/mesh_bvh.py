"""Bounding volume hierarchy (BVH) over the triangles of a mesh.

A node's box encloses its triangles; a node with several is split at the median of their circumcentres along its longest
side. Nodes are in depth-first order, so the left child directly follows its parent. In numpy all nodes of one depth are
built at once, with vectors as columns and flat indices, which halves the time; a kernel is faster, if it is compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.jit import Plan, Struct
from sim.mjcf.asset.asset_kernels import MANY_TRIANGLES, TREE, available, grow
from sim.mjcf.asset.rows import Doubles, Ints, cross, dot
from sim.mjcf.rotation import TINY

# size of the kernel's stack
DEEPEST = 64


class MeshBvh:
    """Boxes (centre, half-sizes), children, triangles and depths of the nodes, root first."""

    def __init__(self, vertex: Doubles, face: Ints) -> None:
        count = len(face)
        nodes = max(0, 2 * count - 1)
        # coordinates, corners, triangles
        corners = vertex.T.take(face.T, axis=1)
        # boxes via centre and half-sizes, as MuJoCo rounds them; upper corners negated
        middle, half = _centre_and_half(corners.min(axis=1), corners.max(axis=1))
        reach = np.concatenate([middle - half, -(middle + half)])
        numbers, ranks = _ranked(_circumcentres(*corners.transpose(1, 2, 0)).T)
        self.boxes = np.empty((nodes, 6))
        self.children = np.full((nodes, 2), -1, np.int32)
        self.faces = np.full(nodes, -1, np.int32)
        self.depths = np.empty(nodes, np.int32)
        if count and available(grow, count, MANY_TRIANGLES):
            self._build_natively(reach, numbers)
        else:
            self._build(reach, numbers, ranks)

    def _build_natively(self, reach: Doubles, numbers: Any) -> None:
        """Build with the kernel."""
        tree = Struct(Plan(TREE, {"ntriangle": len(numbers) // 3, "nnode": 0, "ndepth": DEEPEST}))
        tree.write("reach", reach.T)
        tree.write("sorted", numbers.reshape(3, -1))
        for name in ("boxes", "children", "faces", "depths"):
            tree.bind(name, getattr(self, name))
        grow(tree, TINY)

    def _build(self, reach: Doubles, numbers: Any, ranks: Any) -> None:
        """Build in numpy, depth by depth."""
        count = len(ranks) // 3
        bits = (3 * count).bit_length()
        # triangles of the nodes at this depth, node by node; number of triangles and index of each node
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
            # leaves are done
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
    """Circumcentres of triangles; corners are rows."""
    a, b = a - c, b - c
    normal = cross(a, b)
    area = np.sqrt(dot(normal, normal))
    across = cross(dot(a, a)[:, None] * b - dot(b, b)[:, None] * a, normal)
    with np.errstate(all="ignore"):
        centres: Doubles = across / (2 * area * area)[:, None] + c
    return centres


def _longest(x: Doubles, y: Doubles, z: Doubles) -> Any:
    """The axis of the longest side; of equal ones the first."""
    second = y >= x + TINY
    return np.where(z >= np.where(second, y, x) + TINY, 2, second)


def _ranked(centres: Doubles) -> tuple[Any, Any]:
    """Triangles sorted by their centres along each axis, axis by axis, and the rank of each.

    Centres that differ only by rounding are sorted by index. Degenerate triangles have no centre and come last.
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
