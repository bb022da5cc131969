"""Bounding volume hierarchies (BVH) over the geoms of each body, for the midphase of collision detection.

A node's box encloses the boxes of its geoms in the body's inertial frame; a node with several geoms is split at the
median along its longest side. Geoms that cannot collide are left out.
"""

from __future__ import annotations

from functools import cmp_to_key, partial

from sim.mjcf.records import Body, Geom
from sim.mjcf.rotation import TINY, Vec3, mul_quat, neg_quat, quat_to_mat, rot_vec_quat


class BodyBvh:
    """Boxes (centre, half-sizes), children, geoms and depths of the nodes of one body, root first."""

    def __init__(self, body: Body) -> None:
        self.boxes: list[tuple[float, ...]] = []
        self.children: list[list[int]] = []
        self.geoms: list[int] = []
        self.depths: list[int] = []
        leaves = [_Leaf(geom, body) for geom in body.geoms if geom.contype or geom.conaffinity]
        if leaves:
            self._build(leaves, 0)

    def _build(self, leaves: list[_Leaf], depth: int) -> int:
        if len(leaves) == 1:
            low, high = list(leaves[0].low), list(leaves[0].high)
        else:
            low = [min(leaf.low[k] for leaf in leaves) for k in range(3)]
            high = [max(leaf.high[k] for leaf in leaves) for k in range(3)]
        # a flat box gets a minimal thickness
        for k in range(3):
            if abs(low[k] - high[k]) < TINY:
                low[k] -= TINY
                high[k] += TINY
        index = len(self.boxes)
        pairs = list(zip(low, high, strict=True))
        self.boxes.append((*((b + a) / 2 for a, b in pairs), *((b - a) / 2 for a, b in pairs)))
        self.children.append([-1, -1])
        self.geoms.append(leaves[0].geom if len(leaves) == 1 else -1)
        self.depths.append(depth)
        if len(leaves) == 1:
            return index
        axis = _longest(low, high)
        leaves = sorted(leaves, key=cmp_to_key(partial(_compare, axis)))
        middle = len(leaves) // 2
        self.children[index][0] = self._build(leaves[:middle], depth + 1)
        self.children[index][1] = self._build(leaves[middle:], depth + 1)
        return index


class _Leaf:
    """One geom: centre and corners of its bounding box, in the body's inertial frame."""

    __slots__ = ("centre", "geom", "high", "low")
    low: list[float]
    high: list[float]

    def __init__(self, geom: Geom, body: Body) -> None:
        self.geom = geom.id
        back = neg_quat(body.iquat)
        offset = tuple(g - b for g, b in zip(geom.pos, body.ipos, strict=True))
        self.centre: Vec3 = rot_vec_quat(offset, back)
        # half-sizes along the inertial axes: |R| times those along the axes of the geom
        r = quat_to_mat(mul_quat(back, geom.quat))
        c, h = geom.aabb[:3], geom.aabb[3:]
        self.low, self.high = [], []
        for k in range(3):
            a, b, d = r[3 * k : 3 * k + 3]
            middle = self.centre[k] + (a * c[0] + b * c[1] + d * c[2])
            reach = abs(a) * h[0] + abs(b) * h[1] + abs(d) * h[2]
            self.low.append(middle - reach)
            self.high.append(middle + reach)


def _longest(low: list[float], high: list[float]) -> int:
    axis = 0
    sides = [h - l for l, h in zip(low, high, strict=True)]  # noqa: E741
    if sides[1] >= sides[0] + TINY:
        axis = 1
    if sides[2] >= sides[axis] + TINY:
        axis = 2
    return axis


def _compare(axis: int, a: _Leaf, b: _Leaf) -> int:
    if abs(a.centre[axis] - b.centre[axis]) > TINY:
        return -1 if a.centre[axis] < b.centre[axis] else 1
    return a.geom - b.geom
