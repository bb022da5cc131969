"""Builtin mesh shapes made of a lattice of points: grid, box, cylinder, ellipsoid, square and disc.

Their parameters are three counts of points, three spacings and, but for square and disc, the dimension: 3, the default,
for a solid, whose faces come from the hull, or 2 for a surface. Points and faces have the order of MuJoCo's flexcomp of
the same type. Bad parameters raise ValueError.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from sim.mjcf.asset.mesh_file import Soup
from sim.mjcf.rotation import Vec3, Vector

GRID, BOX, CYLINDER, ELLIPSOID, SQUARE, DISC = range(8, 14)
NAMES = {GRID: "grid", BOX: "box", CYLINDER: "cylinder", ELLIPSOID: "ellipsoid", SQUARE: "square", DISC: "disc"}
# points; finer meshes are typing errors, and would exhaust the memory
MOST_POINTS = 1 << 20
EPS = 1e-14

Faces = list[tuple[int, int, int]]


def is_surface(shape: int, params: Vector) -> bool:
    """Whether the mesh has no volume: `legacy` inertia is then that of a shell."""
    return shape in (SQUARE, DISC) or (shape in NAMES and len(params) == 7 and int(params[6]) == 2)


def make_lattice(shape: int, params: Vector) -> Soup:
    """The mesh of a shape in NAMES."""
    flat = shape in (SQUARE, DISC)
    counts = (int(params[0]), int(params[1]), int(params[2]))
    spacing = (params[3], params[4], params[5])
    dim = 2 if flat else int(params[6]) if len(params) == 7 else 3
    if dim not in (2, 3):
        raise ValueError(f"the dimension must be 2 or 3, not {dim}")
    in_plane = shape not in (BOX, CYLINDER, ELLIPSOID) and dim == 2
    if in_plane and counts[2] != 1:
        raise ValueError("the third count must be 1, because the mesh is flat")
    if min(counts[:2] if in_plane else counts) < 2:
        raise ValueError("the point counts along its axes must be at least 2")
    if counts[0] * counts[1] * counts[2] > MOST_POINTS:
        raise ValueError(f"it would have more than {MOST_POINTS} points")
    if in_plane:
        return _soup(*_plane(counts, spacing, shape == DISC))
    if shape == GRID:
        return _soup([_point((i, j, k), counts, spacing) for i, j, k in np.ndindex(counts)], [])
    return _shell(shape, counts, spacing, dim == 3)


def _soup(points: list[Vec3], faces: Faces) -> Soup:
    return Soup(np.array(points, np.float64).astype(np.float32), face=np.array(faces, np.int32).reshape(-1, 3))


def _point(index: tuple[int, int, int], counts: tuple[int, int, int], spacing: Vec3) -> Vec3:
    """A point of a lattice centred at the origin."""
    x, y, z = (step * (i - 0.5 * (n - 1)) for i, n, step in zip(index, counts, spacing, strict=True))
    return x, y, z


def _plane(counts: tuple[int, int, int], spacing: Vec3, disc: bool) -> tuple[list[Vec3], Faces]:
    """A flat lattice; for a disc, the diagonals of its squares run across the radius, and the points are projected."""
    nx, ny, _ = counts
    points = [_point((i, j, 0), counts, spacing) for i, j in np.ndindex(nx, ny)]
    faces: Faces = []
    for i, j in np.ndindex(nx - 1, ny - 1):
        x, y, _ = points[i * ny + j]
        a, b, c, d = i * ny + j, (i + 1) * ny + j, (i + 1) * ny + j + 1, i * ny + j + 1
        if disc and ((x < -EPS and y > -EPS) or (x > -EPS and y < -EPS)):
            faces += [(a, b, d), (b, c, d)]
        else:
            faces += [(a, b, c), (a, c, d)]
    if disc:
        points = [_round((x, y, 0.0), 2, _half(counts, spacing), max(abs(x), abs(y))) for x, y, _ in points]
    return points, faces


def _half(counts: tuple[int, int, int], spacing: Vec3) -> Vec3:
    """Half-sizes of the lattice."""
    x, y, z = (0.5 * step * (n - 1) for step, n in zip(spacing, counts, strict=True))
    return x, y, z


def _round(point: Vec3, axes: int, half: Vec3, radius: float) -> Vec3:
    """A point of the unit cube moved along its radius: the first two or three axes, times the half-sizes."""
    square = sum(x * x for x in point[:axes])
    length = sqrt(square) if square >= EPS else 1.0
    x, y, z = (
        (x if abs(length - 1) < EPS else x / length) * (size * radius) if i < axes else x * size
        for i, (x, size) in enumerate(zip(point, half, strict=True))
    )
    return x, y, z


def _shell(shape: int, counts: tuple[int, int, int], spacing: Vec3, solid: bool) -> Soup:
    """The sides of a box, projected to a cylinder or ellipsoid: with its centre, or without its top."""
    nx, ny, nz = counts
    half = _half(counts, spacing)
    number: dict[tuple[int, int, int], int] = {}
    points: list[Vec3] = [(0.0, 0.0, 0.0)] if solid else []

    def add(*index: int) -> None:
        i, j, k = index
        number[i, j, k] = len(points)
        x, y, z = (2.0 * at / (n - 1) - 1 for at, n in zip(index, counts, strict=True))
        if shape == CYLINDER:
            points.append(_round((x, y, z), 2, half, max(abs(x), abs(y))))
        elif shape == ELLIPSOID:
            points.append(_round((x, y, z), 3, half, 1.0))
        else:
            points.append((x * half[0], y * half[1], z * half[2]))

    levels = range(1, nz - 1 if solid else nz)
    for k in (0, nz - 1) if solid else (0,):
        for i, j in np.ndindex(nx, ny):
            add(i, j, k)
    for j in (0, ny - 1):
        for i in range(nx):
            for k in levels:
                add(i, j, k)
    for i in (0, nx - 1):
        for j in range(1, ny - 1):
            for k in levels:
                add(i, j, k)
    return _soup(points, [] if solid else _open_box(counts, number))


def _open_box(counts: tuple[int, int, int], number: dict[tuple[int, int, int], int]) -> Faces:
    """Faces of a box without its top, seen from outside."""
    nx, ny, nz = counts
    faces: Faces = []
    for i, j in np.ndindex(nx - 1, ny - 1):
        a, b, c, d = (number[key] for key in ((i, j, 0), (i, j + 1, 0), (i + 1, j + 1, 0), (i + 1, j, 0)))
        faces += [(a, c, d), (a, b, c)]

    def side(places: tuple[tuple[int, int, int], ...]) -> None:
        a, b, c, d = (number[place] for place in places)
        faces.extend([(a, b, c), (a, c, d)])

    for j in (0, ny - 1):
        for i, k in np.ndindex(nx - 1, nz - 1):
            first, second = (i, i + 1) if j == 0 else (i + 1, i)
            side(((first, j, k), (second, j, k), (second, j, k + 1), (first, j, k + 1)))
    for i in (0, nx - 1):
        for j, k in np.ndindex(ny - 1, nz - 1):
            first, second = (j, j + 1) if i else (j + 1, j)
            side(((i, first, k), (i, second, k), (i, second, k + 1), (i, first, k + 1)))
    return faces
