"""Convex hull of a mesh (qhull): triangles, mesh_graph, polygons, and extremal vertices.

mesh_graph is one list of integers: numbers of vertices and faces, address of each vertex's neighbours, vertices (as
indices in the mesh), neighbours (as indices in the hull) with -1 after each group, faces (as indices in the mesh).
Vertices and neighbours are in qhull's internal order, which is reconstructed from the order of its facets, because
collision detection finds contacts in that order.
"""

from __future__ import annotations

from itertools import product
from typing import Any, TypeAlias

import numpy as np

from sim import enums
from sim.mjcf.asset.hash_order import hash_order
from sim.mjcf.asset.rows import Doubles, Ints, cross, dot, normals

# faces belong to one polygon if polar angle and azimuth of their normals agree, rounded to 0.01 radian
PER_RADIAN = 100.0
POLE = 1 - 1e-7
MIX = np.uint64(0x9E3779B9)  # added when hashes are combined
# corners of all polygons as indices of mesh vertices, and the number of corners of each
Polygons: TypeAlias = tuple[Ints, Ints]
DIRECTIONS = np.array(list(product((-1.0, 0.0, 1.0), repeat=3)), np.float32).T


class Hull:
    """The hull of points: `face` (triangles, oriented outward), `vertex` (indices of points), `graph`."""

    def __init__(self, points: Doubles, most: int) -> None:
        # imported here: a model without meshes does not need scipy, which takes 0.1 s to import
        from scipy.spatial import ConvexHull, QhullError

        # with maxhullvert, Q9 adds the furthest of all points first
        options = "Qt" if most < 0 else f"Qt Q9 TA{most - 4}"
        try:
            found = ConvexHull(points, qhull_options=options)
        except (QhullError, ValueError) as why:
            if "flat" in str(why) or "coplanar" in str(why):
                raise ValueError("its vertices lie in a plane, so it has no convex hull") from None
            raise ValueError("its convex hull cannot be computed") from None
        facets = found.simplices.astype(np.int32)
        self.face = _outward(points, facets, found.equations)
        self.vertex = _qhull_order(facets, found.equations)
        self.graph = _graph(facets, self.face, self.vertex)

    def flip(self) -> None:
        """Reverse the faces: the points were mirrored."""
        self.face = np.ascontiguousarray(self.face[:, [0, 2, 1]])
        self.graph[-self.face.size :] = self.face.ravel()

    def extrema(self, points: Doubles) -> Ints:
        """The hull vertex that is extremal in each of 27 directions, as index in the hull."""
        # in single precision, as the mesh is stored; argmax takes the first of equals
        x, y, z = (column[:, None] for column in points[self.vertex].astype(np.float32).T)
        farthest: Ints = np.argmax(x * DIRECTIONS[0] + y * DIRECTIONS[1] + z * DIRECTIONS[2], axis=0).astype(np.int32)
        return farthest


# ---- faces


def _outward(points: Doubles, facets: Ints, equations: Doubles) -> Ints:
    """Orient triangles counterclockwise as seen from outside, by swapping their first two corners."""
    a, b, c = (points[facets[:, k]] for k in range(3))
    turns = dot(cross(b - a, c - a), equations)
    inward = turns < 0
    # the orientation of slivers is numerically unreliable: flip the smaller of two faces that disagree
    for _ in range(10):
        face = np.where(inward[:, None], facets[:, [1, 0, 2]], facets)
        wrong = _disagreeing(face)
        if not len(wrong):
            return face
        smaller = np.where(np.abs(turns[wrong[:, 0]]) < np.abs(turns[wrong[:, 1]]), wrong[:, 0], wrong[:, 1])
        inward[np.unique(smaller)] ^= True
    return _consistent(face, int(np.argmax(np.abs(turns))))


def _disagreeing(face: Ints) -> Any:
    """Pairs of neighbouring faces with inconsistent orientation: they share a directed edge."""
    start, end = face.ravel().astype(np.int64), np.roll(face, -1, axis=1).ravel()
    edges = start * (int(face.max()) + 1) + end
    order = np.argsort(edges)
    twice = np.flatnonzero(edges[order][1:] == edges[order][:-1])
    return np.stack([order[twice], order[twice + 1]], axis=1) // 3


def _consistent(face: Ints, first: int) -> Ints:
    """Make orientations consistent by flood fill from the first face, as a last resort."""
    rows: list[list[int]] = face.tolist()
    at: dict[frozenset[int], list[int]] = {}
    for f, row in enumerate(rows):
        for k in range(3):
            at.setdefault(frozenset((row[k - 1], row[k])), []).append(f)
    seen, stack = {first}, [first]
    while stack:
        row = rows[stack.pop()]
        for k in range(3):
            a, b = row[k - 1], row[k]
            for g in at[frozenset((a, b))]:
                if g not in seen:
                    other = rows[g]
                    if any(other[j - 1] == a and other[j] == b for j in range(3)):
                        rows[g] = [other[1], other[0], other[2]]
                    seen.add(g)
                    stack.append(g)
    return np.array(rows, np.int32)


# ---- order of vertices, and the graph


def _qhull_order(facets: Ints, equations: Doubles) -> Ints:
    """Hull vertices in qhull's order: a vertex moves to the end with the last batch of facets that it is in.

    A batch is what qhull creates at once: the facets around a new point, which is the first corner of each; the first
    simplex; and, at the end, all triangles of non-simplicial facets, which share their planes.
    """
    count = len(facets)
    batch = np.zeros(count, np.int64)
    batch[1:] = np.cumsum(facets[1:, 0] != facets[:-1, 0])
    flat = np.flatnonzero((equations[1:] == equations[:-1]).all(axis=1))
    if len(flat):
        batch[flat[0] :] = count
    # the last batch of each vertex, then its first position there
    vertices = np.flatnonzero(np.bincount(facets.ravel())).astype(np.int32)
    last = np.zeros(int(vertices[-1]) + 1, np.int64)
    np.maximum.at(last, facets.ravel(), np.repeat(batch, 3))
    place = np.where(last[facets.ravel()] == np.repeat(batch, 3), np.arange(3 * count), 3 * count)
    first = np.full(len(last), 3 * count)
    np.minimum.at(first, facets.ravel(), place)
    listed: Ints = vertices[np.argsort(first[vertices], kind="stable")]
    # vertices of the first simplex, if three of its facets are left: larger before smaller, as in every facet
    simplex = sorted(set(facets[:3].ravel().tolist()))
    if len(simplex) == 4 and (not len(flat) or flat[0] >= 3):
        size = 4 if count >= 4 and set(facets[3].tolist()) <= set(simplex) else 3
        rows = facets[:size].tolist()
        above = {v: sum(row.index(v) for row in rows if v in row) / sum(v in row for row in rows) for v in simplex}
        resting = [v for v in listed.tolist() if v in above and last[v] <= batch[size - 1]]
        if resting:
            others = [v for v in listed.tolist() if v not in resting]
            listed = np.array(sorted(resting, key=above.__getitem__) + others, np.int32)
    return listed


def _graph(facets: Ints, face: Ints, vertex: Ints) -> Ints:
    """mesh_graph, see above."""
    local = np.zeros(int(vertex.max()) + 1, np.int64)
    local[vertex] = np.arange(len(vertex))
    # each corner of a facet is a neighbour of the two others; keep the first occurrence
    corners = local[facets]
    seen = np.stack([corners[:, [1, 2]], corners[:, [0, 2]], corners[:, [0, 1]]], axis=1).reshape(-1)
    owner = np.repeat(corners.ravel(), 2)
    key = owner * len(vertex) + seen
    order = np.argsort(key, kind="stable")
    starts = np.ones(len(key), bool)
    starts[1:] = key[order][1:] != key[order][:-1]
    pick = np.sort(order[starts])
    pick = pick[np.argsort(owner[pick], kind="stable")]
    degree = np.bincount(owner[pick], minlength=len(vertex))
    address = np.cumsum(degree + 1) - degree - 1
    edges = np.full(len(pick) + len(vertex), -1, np.int64)
    edges[np.arange(len(pick)) + owner[pick]] = seen[pick]
    return np.concatenate(([len(vertex), len(face)], address, vertex, edges, face.ravel())).astype(np.int32)


# ---- polygons


def hull_polygons(points: Doubles, face: Ints) -> Polygons:
    """The polygons of the hull: adjacent triangles with the same normal, merged."""
    a, b, c = (points[face[:, k]] for k in range(3))
    x, y, z = normals(a, b, c).T
    polar = rounded(np.arccos(np.clip(z, -1, 1)) * PER_RADIAN)
    azimuth = rounded(np.where(np.abs(z) > POLE, 0.0, np.arctan2(y + 0.0, x)) * PER_RADIAN)
    # hash of a pair of doubles: their bits, zero without a sign, the second mixed with the first
    seed = (azimuth + 0.0).view(np.uint64)
    codes = seed ^ ((polar + 0.0).view(np.uint64) + MIX + (seed << 6) + (seed >> 2))
    _, first, group = np.unique(polar * 1000 + azimuth, return_index=True, return_inverse=True)
    appearance = np.argsort(first)
    place = np.empty(len(first), np.int64)
    place[appearance[hash_order(codes[first[appearance]].tolist())]] = np.arange(len(first))
    order = np.argsort(place[group], kind="stable")
    return _outlines(face[order].astype(np.int64), place[group[order]])


def rounded(values: Doubles) -> Doubles:
    """Round to integers, halves away from zero."""
    return np.copysign(np.floor(np.abs(values) + 0.5), values)


def _outlines(face: Any, group: Any) -> Polygons:
    """Outlines of coplanar triangles, group by group, without the edges inside of a group."""
    start, end = face.ravel(), np.roll(face, -1, axis=1).ravel()
    many, triangle = int(face.max()) + 1, np.repeat(np.arange(len(face)), 3)
    code, back = start * many + end, end * many + start
    order = np.argsort(code)
    other = order[np.searchsorted(code, back, sorter=order).clip(max=len(code) - 1)]
    inner = (code[other] == back) & (group[triangle] == group[triangle[other]])
    once = np.flatnonzero(inner & (start < end))
    island = _components(len(face), triangle[once].tolist(), triangle[other[once]].tolist())
    # the edge after an edge is the island's first one that starts where it ends
    edge = np.flatnonzero(~inner)
    island, start, end = island[triangle[edge]], start[edge], end[edge]
    starts, first = np.unique(island * many + start, return_index=True)
    goal = island * many + end
    found = np.searchsorted(starts, goal).clip(max=len(starts) - 1)
    following = np.where(starts[found] == goal, first[found], -1).tolist()
    heads = np.unique(island, return_index=True)[1]
    corners: list[int] = []
    sizes: list[int] = []
    for at in heads.tolist():
        path = _loop(following, at)
        if len(path) >= 3:
            corners += path
            sizes.append(len(path))
    return start[corners].astype(np.int32), np.array(sizes, np.int32)


def _components(count: int, one: list[int], two: list[int]) -> Any:
    """Connected components by union-find: the first triangle of each one's component."""
    island = list(range(count))

    def root(k: int) -> int:
        while island[k] != k:
            island[k] = island[island[k]]
            k = island[k]
        return k

    for a, b in zip(one, two, strict=True):
        low, high = sorted((root(a), root(b)))
        island[high] = low
    return np.array([root(k) for k in range(count)])


def _loop(following: list[int], first: int) -> list[int]:
    """The loop of edges from the first one; empty if it is not closed."""
    path, at = [first], following[first]
    for _ in following:
        if at == first:
            return path
        if at < 0:
            break
        path.append(at)
        at = following[at]
    return []


def polygon_normals(points: Doubles, polygons: Polygons) -> Doubles:
    """Newell's method: the areas of the projections, from differences and sums of consecutive corners."""
    corners, sizes = polygons
    first = np.cumsum(sizes) - sizes
    following = np.arange(len(corners)) + 1
    following[first + sizes - 1] = first
    a = points[corners]
    b = a[following]
    along = np.roll(a - b, -1, axis=1) * np.roll(a + b, -2, axis=1)
    # one after the other, for slivers show every bit
    owner = np.repeat(np.arange(len(sizes)), sizes)
    total = np.stack([np.bincount(owner, column, len(sizes)) for column in along.T], axis=1)
    length = np.sqrt(dot(total, total))[:, None]
    return total / np.where(length < enums.MINVAL, 1.0, length)


def flipped(polygons: Polygons) -> Polygons:
    """Polygons in reverse, each from its first corner."""
    corners, sizes = polygons
    first = np.repeat(np.cumsum(sizes) - sizes, sizes)
    place = np.arange(len(corners)) - first
    return corners[first + -place % np.repeat(sizes, sizes)], sizes


def polygons_of_vertices(count: int, polygons: Polygons) -> tuple[Ints, Ints]:
    """Number of polygons at each vertex of the mesh, and their indices, vertex by vertex."""
    corners, sizes = polygons
    polygon = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    return np.bincount(corners, minlength=count).astype(np.int32), polygon[np.argsort(corners, kind="stable")]
