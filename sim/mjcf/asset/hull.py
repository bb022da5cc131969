"""Convex hull of a mesh: its triangles, the graph of its vertices, its flat sides, and where it is farthest.

qhull finds the hull. The graph is one list of numbers: counts of vertices and faces, start of each vertex's
neighbours, vertices (as numbers of the mesh), neighbours (as places among the hull's vertices) with -1 after each
group, faces (as numbers of the mesh). Vertices and neighbours come in the order in which qhull itself keeps them,
found from the order of its facets, because collision takes contacts in that order.
"""

from __future__ import annotations

from itertools import product
from typing import Any, TypeAlias

import numpy as np

from sim.mjcf.asset.hash_order import hash_order
from sim.mjcf.asset.rows import Doubles, Ints, cross, dot, normals

# faces belong to one side if polar angle and azimuth of their normals agree, rounded to hundredths of a radian
PER_RADIAN = 100.0
POLE = 1 - 1e-7
# corners of flat sides one after the other, as numbers of the mesh's vertices, and how many each side has
Sides: TypeAlias = tuple[Ints, Ints]
DIRECTIONS = np.array(list(product((-1.0, 0.0, 1.0), repeat=3)), np.float32).T


class Hull:
    """The hull of some points: `face` (triangles, outward), `vertex` (numbers of points), `graph`."""

    def __init__(self, points: Doubles, most: int) -> None:
        # only here: a model without meshes loads without the library, which takes 0.1 s to import
        from scipy.spatial import ConvexHull, QhullError

        # with a limit, the farthest of all points is added first
        options = "Qt" if most < 0 else f"Qt Q9 TA{most - 4}"
        try:
            found = ConvexHull(points, qhull_options=options)
        except (QhullError, ValueError) as why:
            if "flat" in str(why) or "coplanar" in str(why):
                raise ValueError("its vertices lie in a plane and have no convex hull") from None
            raise ValueError("its vertices have no convex hull") from None
        facets = found.simplices.astype(np.int32)
        self.face = _outward(points, facets, found.equations)
        self.vertex = _listed(facets, found.equations)
        self.graph = _graph(facets, self.face, self.vertex)

    def extrema(self, points: Doubles) -> Ints:
        """The place, among the hull's vertices, of the one that is farthest in each of 27 directions."""
        # in single precision, as the mesh is stored: the first of equals counts
        x, y, z = (column[:, None] for column in points[self.vertex].astype(np.float32).T)
        farthest: Ints = np.argmax(x * DIRECTIONS[0] + y * DIRECTIONS[1] + z * DIRECTIONS[2], axis=0).astype(np.int32)
        return farthest


# ---- faces


def _outward(points: Doubles, facets: Ints, equations: Doubles) -> Ints:
    """Triangles seen counter-clockwise from outside: the first two corners swapped where they are not."""
    a, b, c = (points[facets[:, k]] for k in range(3))
    turns = dot(cross(b - a, c - a), equations)
    inward = turns < 0
    # slivers do not show by their shape which way they look: turn the smaller of two faces that disagree
    for _ in range(10):
        face = np.where(inward[:, None], facets[:, [1, 0, 2]], facets)
        wrong = _disagreeing(face)
        if not len(wrong):
            return face
        smaller = np.where(np.abs(turns[wrong[:, 0]]) < np.abs(turns[wrong[:, 1]]), wrong[:, 0], wrong[:, 1])
        inward[np.unique(smaller)] ^= True
    return _consistent(face, int(np.argmax(np.abs(turns))))


def _disagreeing(face: Ints) -> Any:
    """Pairs of faces that have an edge in the same direction."""
    start, end = face.ravel().astype(np.int64), np.roll(face, -1, axis=1).ravel()
    edges = start * (int(face.max()) + 1) + end
    order = np.argsort(edges)
    twice = np.flatnonzero(edges[order][1:] == edges[order][:-1])
    return np.stack([order[twice], order[twice + 1]], axis=1) // 3


def _consistent(face: Ints, first: int) -> Ints:
    """Turn faces from neighbour to neighbour, if nothing else helps."""
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


def _listed(facets: Ints, equations: Doubles) -> Ints:
    """Hull vertices in qhull's order: a vertex moves to the end with the last batch of facets it is in.

    A batch is what qhull makes at once: the facets around a new point, which is the first in each; the first
    simplex; and, at the end, all triangles of flat sides, which share their planes.
    """
    count = len(facets)
    batch = np.zeros(count, np.int64)
    batch[1:] = np.cumsum(facets[1:, 0] != facets[:-1, 0])
    flat = np.flatnonzero((equations[1:] == equations[:-1]).all(axis=1))
    if len(flat):
        batch[flat[0] :] = count
    # the last batch of each vertex, then its first place there
    vertices = np.flatnonzero(np.bincount(facets.ravel())).astype(np.int32)
    last = np.zeros(int(vertices[-1]) + 1, np.int64)
    np.maximum.at(last, facets.ravel(), np.repeat(batch, 3))
    place = np.where(last[facets.ravel()] == np.repeat(batch, 3), np.arange(3 * count), 3 * count)
    first = np.full(len(last), 3 * count)
    np.minimum.at(first, facets.ravel(), place)
    listed: Ints = vertices[np.argsort(first[vertices], kind="stable")]
    # of the first simplex, while three of its facets are left: larger before smaller, as in every facet
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
    """The list of numbers that the docstring above describes."""
    local = np.zeros(int(vertex.max()) + 1, np.int64)
    local[vertex] = np.arange(len(vertex))
    # each corner of each facet sees the two others; a neighbour counts where it is seen first
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


# ---- flat sides


def flat_sides(points: Doubles, face: Ints) -> Sides:
    """The hull's sides as polygons: triangles with the same normal, joined where they touch."""
    a, b, c = (points[face[:, k]] for k in range(3))
    x, y, z = normals(a, b, c).T
    polar = rounded(np.arccos(np.clip(z, -1, 1)) * PER_RADIAN)
    azimuth = rounded(np.where(np.abs(z) > POLE, 0.0, np.arctan2(y + 0.0, x)) * PER_RADIAN)
    # hash of a pair of doubles: their bits, zero without a sign
    codes = (polar + 0.0).view(np.uint64) ^ (azimuth + 0.0).view(np.uint64)
    _, first, group = np.unique(polar * 1000 + azimuth, return_index=True, return_inverse=True)
    appearance = np.argsort(first)
    place = np.empty(len(first), np.int64)
    place[appearance[hash_order(codes[first[appearance]].tolist())]] = np.arange(len(first))
    order = np.argsort(place[group], kind="stable")
    return _joined(face[order].astype(np.int64), place[group[order]])


def rounded(values: Doubles) -> Doubles:
    """To whole numbers, halves away from zero."""
    return np.copysign(np.floor(np.abs(values) + 0.5), values)


def _joined(face: Any, group: Any) -> Sides:
    """Outlines of triangles that lie in a plane, group after group: an edge between two of a group disappears."""
    start, end = face.ravel(), np.roll(face, -1, axis=1).ravel()
    many, triangle = int(face.max()) + 1, np.repeat(np.arange(len(face)), 3)
    code, back = start * many + end, end * many + start
    order = np.argsort(code)
    other = order[np.searchsorted(code, back, sorter=order).clip(max=len(code) - 1)]
    inner = (code[other] == back) & (group[triangle] == group[triangle[other]])
    once = np.flatnonzero(inner & (start < end))
    island = _islands(len(face), triangle[once].tolist(), triangle[other[once]].tolist())
    # after an edge comes the first of the island's that starts where it ends
    edge = np.flatnonzero(~inner)
    island, start, end = island[triangle[edge]], start[edge], end[edge]
    starts, first = np.unique(island * many + start, return_index=True)
    goal = island * many + end
    found = np.searchsorted(starts, goal).clip(max=len(starts) - 1)
    following = np.where(starts[found] == goal, first[found], -1).tolist()
    # a group with three edges takes them as they come
    group = group[triangle[edge]]
    heads = np.unique(island, return_index=True)[1]
    three = np.bincount(group)[group[heads]] == 3
    corners: list[int] = []
    sizes: list[int] = []
    for at, whole in zip(heads.tolist(), three.tolist(), strict=True):
        path = [at, at + 1, at + 2] if whole else _path(following, at)
        if len(path) >= 3:
            corners += path
            sizes.append(len(path))
    return start[corners].astype(np.int32), np.array(sizes, np.int32)


def _islands(count: int, one: list[int], two: list[int]) -> Any:
    """The first triangle of the part that each of them belongs to, if these touch those."""
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


def _path(following: list[int], first: int) -> list[int]:
    """Once around, from the first edge; nothing if the edges do not close."""
    path, at = [first], following[first]
    for _ in following:
        if at == first:
            return path
        if at < 0:
            break
        path.append(at)
        at = following[at]
    return []


def side_normals(points: Doubles, sides: Sides) -> Doubles:
    corners, sizes = sides
    first = np.cumsum(sizes) - sizes
    a, b, c = (points[corners[first + k]] for k in range(3))
    return normals(a, b, c)


def around_vertices(count: int, sides: Sides) -> tuple[Ints, Ints]:
    """How many sides each of the mesh's vertices is in, and which, vertex by vertex."""
    corners, sizes = sides
    side = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    return np.bincount(corners, minlength=count).astype(np.int32), side[np.argsort(corners, kind="stable")]
