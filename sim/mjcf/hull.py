"""Convex hull of a mesh: its triangles, the graph of its vertices, its flat sides, and where it is farthest.

qhull finds the hull. The graph is one list of numbers: counts of vertices and faces, start of each vertex's
neighbours, vertices (as numbers of the mesh), neighbours (as places among the hull's vertices) with -1 after each
group, faces (as numbers of the mesh). Vertices and neighbours come in the order in which qhull itself keeps them,
found from the order of its facets, because collision takes contacts in that order.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from .hashorder import hash_order
from .rows import Doubles, Ints, cross, dot, normals

# faces belong to one side if polar angle and azimuth of their normals agree, rounded to hundredths of a radian
PER_RADIAN = 100.0
POLE = 1 - 1e-7
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
    vertices = np.unique(facets)
    last = np.zeros(int(vertices[-1]) + 1, np.int64)
    np.maximum.at(last, facets.ravel(), np.repeat(batch, 3))
    place = np.where(last[facets.ravel()] == np.repeat(batch, 3), np.arange(3 * count), 3 * count)
    first = np.full(len(last), 3 * count)
    np.minimum.at(first, facets.ravel(), place)
    listed: Ints = vertices[np.argsort(first[vertices], kind="stable")]
    # of the first simplex, while three of its facets are left: larger before smaller, as in every facet
    simplex = np.unique(facets[:3])
    if len(simplex) == 4 and (not len(flat) or flat[0] >= 3):
        size = 4 if count >= 4 and np.isin(facets[3], simplex).all() else 3
        rows = facets[:size].tolist()
        above = {int(v): sum(row.index(v) for row in rows if v in row) / sum(v in row for row in rows) for v in simplex}
        resting = [int(v) for v in listed.tolist() if v in above and last[v] <= batch[size - 1]]
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


def flat_sides(points: Doubles, face: Ints) -> list[list[int]]:
    """The hull's sides as polygons: triangles with the same normal, joined where they touch."""
    a, b, c = (points[face[:, k]] for k in range(3))
    x, y, z = normals(a, b, c).T
    polar = rounded(np.arccos(np.clip(z, -1, 1)) * PER_RADIAN)
    azimuth = rounded(np.where(np.abs(z) > POLE, 0.0, np.arctan2(y + 0.0, x)) * PER_RADIAN)
    # hash of a pair of doubles: their bits, zero without a sign
    codes = (polar + 0.0).view(np.uint64) ^ (azimuth + 0.0).view(np.uint64)
    _, first, group, sizes = np.unique(
        polar * 1000 + azimuth, return_index=True, return_inverse=True, return_counts=True
    )
    by_group = face[np.argsort(group, kind="stable")].tolist()
    ends = np.cumsum(sizes).tolist()
    appearance = np.argsort(first)
    sides: list[list[int]] = []
    for place in hash_order(codes[first[appearance]].tolist()):
        number = int(appearance[place])
        triangles = by_group[ends[number] - int(sizes[number]) : ends[number]]
        sides += triangles if len(triangles) == 1 else _joined(triangles)
    return sides


def rounded(values: Doubles) -> Doubles:
    """To whole numbers, halves away from zero."""
    return np.copysign(np.floor(np.abs(values) + 0.5), values)


def _joined(triangles: list[list[int]]) -> list[list[int]]:
    """Outlines of triangles that lie in a plane: an edge between two of them disappears."""
    outline: dict[tuple[int, int], int] = {}
    island = list(range(len(triangles)))

    def root(k: int) -> int:
        while island[k] != k:
            island[k] = island[island[k]]
            k = island[k]
        return k

    for number, (a, b, c) in enumerate(triangles):
        own = []
        for edge in ((a, b), (b, c), (c, a)):
            other = outline.pop(edge[::-1], None)
            if other is None:
                own.append(edge)
            else:
                low, high = sorted((root(number), root(other)))
                island[high] = low
        outline |= dict.fromkeys(own, number)
    if len(outline) == 3:
        return [[edge[0] for edge in outline]]
    following: dict[int, dict[int, int]] = {}
    for (a, b), number in outline.items():
        following.setdefault(root(number), {}).setdefault(a, b)
    return [path for number in sorted(following) if len(path := _path(following[number])) >= 3]


def _path(following: dict[int, int]) -> list[int]:
    """Once around, from the first edge; nothing if the edges do not close."""
    start, at = next(iter(following.items()))
    path = [start]
    while at != start:
        path.append(at)
        if at not in following or len(path) > len(following):
            return []
        at = following[at]
    return path


def side_normals(points: Doubles, sides: list[list[int]]) -> Doubles:
    first = np.array([side[:3] for side in sides], np.int64).reshape(-1, 3)
    a, b, c = (points[first[:, k]] for k in range(3))
    return normals(a, b, c)


def around_vertices(count: int, sides: list[list[int]]) -> tuple[Ints, Ints]:
    """How many sides each of the mesh's vertices is in, and which, vertex by vertex."""
    sizes = [len(side) for side in sides]
    corner = np.array([v for side in sides for v in side], np.int64)
    side = np.repeat(np.arange(len(sides)), sizes)
    return (
        np.bincount(corner, minlength=count).astype(np.int32),
        side[np.argsort(corner, kind="stable")].astype(np.int32),
    )
