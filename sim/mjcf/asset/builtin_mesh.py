"""Builtin mesh shapes: sphere, hemisphere, cone, supersphere, supertorus, wedge and plate, of unit size.

SHAPES has a function and the number of parameters of each shape; those of builtin_lattice.py follow. Bad parameters
raise ValueError.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin, sqrt

import numpy as np

from sim.mjcf.asset.builtin_lattice import DISC, NAMES, SQUARE, make_lattice
from sim.mjcf.asset.mesh_file import Soup
from sim.mjcf.asset.rows import Doubles, Floats, Ints
from sim.mjcf.rotation import Vector

SPHERE, HEMISPHERE, CONE, SUPERSPHERE, SUPERTORUS, WEDGE, PLATE = range(1, 8)
# finer meshes are typing errors, and would exhaust the memory
FINEST = 2000


def make_mesh(shape: int, params: Vector) -> Soup:
    if shape in NAMES:
        name, counts = NAMES[shape], (6,) if shape in (SQUARE, DISC) else (6, 7)
    else:
        name, counts = SHAPES[shape][0], SHAPES[shape][1:2]
    if len(params) not in counts:
        number = " or ".join(map(str, counts))
        raise ValueError(f"a {name} has {number} parameter{'s' * (number != '1')}, not {len(params)}")
    if max(params) > FINEST:
        raise ValueError(f"a parameter can be at most {FINEST}")
    return make_lattice(shape, params) if shape in NAMES else SHAPES[shape][2](params)


def _require(good: bool, what: str) -> None:
    if not good:
        raise ValueError(what)


def _soup(vertex: Doubles, face: list[tuple[int, int, int]] | Ints | None = None) -> Soup:
    triangles = np.zeros((0, 3), np.int32) if face is None else np.array(face, np.int32).reshape(-1, 3)
    return Soup(np.asarray(vertex, np.float32).reshape(-1, 3), face=triangles)


# ---- round shapes


def _sphere(params: Vector) -> Soup:
    """An icosphere: an icosahedron whose faces are repeatedly divided into four."""
    subdivisions = int(params[0])
    _require(0 <= subdivisions <= 4, "a sphere can be subdivided 0 to 4 times")
    phi = np.float32((1 + sqrt(5)) / 2)
    norm = sqrt(1 + float(phi * phi))
    one, golden = np.float32(1 / norm), np.float32(float(phi) / norm)
    vertex: list[Floats] = [
        np.array(v, np.float32) for v in (
            (-one, golden, 0), (one, golden, 0), (-one, -golden, 0), (one, -golden, 0),
            (0, -one, golden), (0, one, golden), (0, -one, -golden), (0, one, -golden),
            (golden, 0, -one), (golden, 0, one), (-golden, 0, -one), (-golden, 0, one))]  # fmt: skip
    face = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6),
            (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10),
            (8, 6, 7), (9, 8, 1)]  # fmt: skip
    for _ in range(subdivisions):
        middles: dict[tuple[int, int], int] = {}

        def middle(a: int, b: int, middles: dict[tuple[int, int], int] = middles) -> int:
            key = (min(a, b), max(a, b))
            if key not in middles:
                point = (vertex[a] + vertex[b]) / np.float32(2)
                middles[key] = len(vertex)
                vertex.append(point / np.sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]))
            return middles[key]

        divided = []
        for a, b, c in face:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            divided += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        face = divided
    return _soup(np.array(vertex), face)


def _hemisphere(params: Vector) -> Soup:
    """Rings of 4, 8, 12, ... vertices around the north pole, and a disc below."""
    rings = int(params[0])
    _require(0 <= rings <= 10, "the resolution of a hemisphere must be 0 to 10")
    pole = np.array([0.0, 0.0, 1.0])
    equator = np.array([[1.0, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]])
    vertex = [pole]
    for row in range(1, rings + 2):
        for side in range(4):
            factor = row / (rings + 1)
            start, end = (pole + factor * (equator[(side + k) % 4] - pole) for k in range(2))
            step = (end - start) / row
            for i in range(row):
                point = start + i * step
                vertex.append(point / sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]))
    vertex.append(np.zeros(3))
    face = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 1)]
    for row in range(1, rings + 1):
        inner, outer = 4 * row, 4 * (row + 1)
        first = 2 * row * (row - 1) + 1
        second = first + inner
        for side in range(4):
            for i in range(row + 1):
                a, b = i + row * side, i + (row + 1) * side
                face.append((first + a % inner, second + b % outer, second + (b + 1) % outer))
                if i < row:
                    face.append((first + a % inner, second + (b + 1) % outer, first + (a + 1) % inner))
    start, count = 2 * rings * (rings + 1) + 1, 4 * (rings + 1)
    face += [(start + i, len(vertex) - 1, start + (i + 1) % count) for i in range(count)]
    return _soup(np.array(vertex), face)


def _cone(params: Vector) -> Soup:
    """A pyramid over a regular polygon, truncated if it has an upper radius; faces come from the hull."""
    edges, radius = int(params[0]), params[1]
    _require(edges >= 3, "a cone needs at least 3 edges")
    _require(0 <= radius <= 1, "the upper radius of a cone must be between 0 and 1")
    ring = [(cos(2 * i * pi / edges), sin(2 * i * pi / edges)) for i in range(edges)]
    vertex = [(x, y, -1.0) for x, y in ring]
    if radius > 0:
        top = ((cos(2 * i * pi / edges), sin(2 * i * pi / edges)) for i in range(edges, 2 * edges))
        vertex += [(radius * x, radius * y, 1.0) for x, y in top]
    else:
        vertex.append((0.0, 0.0, 1.0))
    return _soup(np.array(vertex))


def _powers(angle: Doubles, exponent: float) -> tuple[Doubles, Doubles]:
    """Signed powers of cosine and sine."""
    c, s = np.cos(angle), np.sin(angle)
    return np.copysign(np.abs(c) ** exponent, c), np.copysign(np.abs(s) ** exponent, s)


def _supersphere(params: Vector) -> Soup:
    """South pole, rings from south to north, north pole."""
    n, east, north = int(params[0]), params[1], params[2]
    _require(n >= 3, "the resolution of a supersphere must be at least 3")
    _require(east >= 0 and north >= 0, "the exponents of a supersphere must be zero or positive")
    cu, su = _powers(-pi + np.arange(n) * 2 * pi / n, east)
    cv, sv = _powers(-pi / 2 + np.arange(1, n) * pi / n, north)
    rings = np.stack([np.outer(cv, cu), np.outer(cv, su), np.repeat(sv[:, None], n, axis=1)], axis=2).reshape(-1, 3)
    vertex = np.concatenate([[[0, 0, -1]], rings, [[0, 0, 1]]])
    face = [(0, 1 + (j + 1) % n, 1 + j) for j in range(n)]
    for i in range(n - 2):
        for j in range(n):
            a, b = 1 + i * n + j, 1 + i * n + (j + 1) % n
            face += [(a, b, a + n), (b, b + n, a + n)]
    last = 1 + (n - 2) * n
    face += [(last + j, last + (j + 1) % n, len(vertex) - 1) for j in range(n)]
    return _soup(vertex, face)


def _supertorus(params: Vector) -> Soup:
    n, radius, s, t = int(params[0]), *params[1:]
    _require(n >= 3, "the resolution of a supertorus must be at least 3")
    _require(0 < radius <= 1, "the radius of a supertorus must be in (0, 1]")
    _require(s > 0 and t > 0, "the exponents of a supertorus must be positive")
    turn = 2 * pi * np.arange(n) / n
    (ct, st), (cs, ss) = _powers(turn, t), _powers(turn, s)
    out = 1 + radius * cs
    vertex = np.stack([np.outer(ct, out), np.outer(st, out), np.repeat(radius * ss[None, :], n, axis=0)], axis=2)
    face = []
    for i in range(n):
        for j in range(n):
            i1, j1 = (i + 1) % n, (j + 1) % n
            a, b, c, d = i * n + j, i1 * n + j, i1 * n + j1, i * n + j1
            face += [(a, b, d), (b, c, d)]
    return _soup(vertex.reshape(-1, 3), face)


# ---- grids of taxels: each vertex has a frame of three normals


def _edges(count: int) -> Doubles:
    """From -1 to 1 in equal steps, summed up as MuJoCo does."""
    return np.add.accumulate(np.concatenate(([-1.0], np.full(count, 2.0 / count))))


def _wedge(params: Vector) -> Soup:
    """A grid on the unit sphere, denser in the middle as gamma grows; faces come from the hull."""
    columns, rows, width, height, gamma = int(params[0]), int(params[1]), *params[2:]
    _require(0 < width <= 180, "the width of a wedge must be in (0, 180] degrees")
    _require(0 < height <= 90, "the height of a wedge must be in (0, 90] degrees")
    _require(columns > 0 and rows > 0, "the resolutions of a wedge must be positive")
    _require(0 <= gamma <= 1, "gamma of a wedge must be in [0, 1]")

    def middles(count: int, angle: float) -> Doubles:
        x = _edges(count)
        if gamma:
            x = gamma * x**5 + (1 - gamma) * x
        x = x * (angle * pi / 180)
        return 0.5 * (x[1:] + x[:-1])

    azimuth, elevation = (g.ravel() for g in np.meshgrid(middles(columns, width), middles(rows, height), indexing="ij"))
    ca, sa, ce, se = np.cos(azimuth), np.sin(azimuth), np.cos(elevation), np.sin(elevation)
    soup = _soup(np.stack([ce * sa, se, -ce * ca], axis=1))
    across, up = np.stack([ce * ca, 0 * ca, ce * sa], axis=1), np.stack([-se * sa, ce, se * ca], axis=1)
    across, up = (v / np.linalg.norm(v, axis=1)[:, None] for v in (across, up))
    frames = np.stack([np.cross(up, across), across, up], axis=1)
    soup.normal = frames.astype(np.float32).reshape(-1, 3)
    return soup


def _plate(params: Vector) -> Soup:
    """A grid in the plane z = -1."""
    columns, rows = int(params[0]), int(params[1])
    _require(columns > 0 and rows > 0, "the resolutions of a plate must be positive")
    x, y = (-1 + (np.arange(n) + 0.5) * (2.0 / n) for n in (columns, rows))
    gx, gy = (g.ravel() for g in np.meshgrid(x, y, indexing="ij"))
    face = []
    for i in range(1, columns):
        for j in range(1, rows):
            a, b = (i - 1) * rows + j - 1, i * rows + j - 1
            face += [(a, b, a + 1), (b + 1, a + 1, b)]
    soup = _soup(np.stack([gx, gy, np.full(len(gx), -1.0)], axis=1), face)
    soup.normal = np.tile(np.eye(3, dtype=np.float32), (columns * rows, 1))
    return soup


SHAPES: dict[int, tuple[str, int, Callable[[Vector], Soup]]] = {
    SPHERE: ("sphere", 1, _sphere),
    HEMISPHERE: ("hemisphere", 1, _hemisphere),
    CONE: ("cone", 2, _cone),
    SUPERSPHERE: ("supersphere", 3, _supersphere),
    SUPERTORUS: ("supertorus", 4, _supertorus),
    WEDGE: ("wedge", 5, _wedge),
    PLATE: ("plate", 2, _plate),
}
