"""Primitive meshes: unit sphere, capsule, cylinder, cone, pyramid, box and plane as triangles.

A vertex is position 3, normal 3, cap 1 and texture coordinate 2: instances scale the position and then move it by
cap * half length along z, which moves the halves of a capsule apart without stretching its caps. A texture wraps once
around a round shape, from +x over +y, and once down from its top: on a capsule once each over upper cap, cylinder and
lower cap. On the ends of a cylinder it is projected along z. On planes and boxes shaders compute the coordinates.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# slices and stacks of round shapes, by level of detail: fewer for those that are small on the screen
LODS = ((64, 32), (32, 16), (16, 8), (8, 6), (6, 4))


@dataclass(frozen=True)
class Mesh:
    """Vertices (n, 9) and triangles (m, 3), counter-clockwise seen from outside.

    `open`: has a boundary, so that back faces can be seen; `textured`: has texture coordinates.
    """

    vertices: NDArray[np.float32]
    triangles: NDArray[np.int32]
    open: bool = False
    textured: bool = False


def primitive_meshes() -> dict[tuple[str, int], Mesh]:
    """All primitives by name and LOD."""
    meshes = {}
    for lod, (slices, stacks) in enumerate(LODS):
        meshes["plane", lod] = _plane()
        meshes["sphere", lod] = _sphere(slices, stacks, apart=False)
        meshes["capsule", lod] = _sphere(slices, stacks, apart=True)
        meshes["cylinder", lod] = _cylinder(slices)
        meshes["cone", lod] = _cone(slices)
        meshes["pyramid", lod] = _cone(4)
        meshes["box", lod] = _box()
    return {key: mesh if mesh.textured else _with_texcoord(mesh) for key, mesh in meshes.items()}


def _with_texcoord(mesh: Mesh) -> Mesh:
    """With zero texture coordinates."""
    empty = np.zeros((len(mesh.vertices), 2), dtype=np.float32)
    return Mesh(np.hstack([mesh.vertices, empty]), mesh.triangles)


def _plane() -> Mesh:
    """The square from -1 to 1, facing +z."""
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    vertices = np.array([(x, y, 0, 0, 0, 1, 0) for x, y in corners], dtype=np.float32)
    return Mesh(vertices, np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32))


def _sphere(slices: int, stacks: int, apart: bool) -> Mesh:
    """The unit sphere; `apart`: with a doubled equator, for a capsule."""
    rings = [(math.pi * k / stacks, 1.0 if k <= stacks // 2 else -1.0) for k in range(stacks + 1)]
    if apart:
        rings.insert(stacks // 2 + 1, (math.pi / 2, -1.0))
    rows = []
    for polar, side in rings:
        angle = np.linspace(0, 2 * math.pi, slices + 1)
        ring = np.empty((slices + 1, 9), dtype=np.float32)
        ring[:, 0] = math.sin(polar) * np.cos(angle)
        ring[:, 1] = math.sin(polar) * np.sin(angle)
        ring[:, 2] = math.cos(polar)
        ring[:, 3:6] = ring[:, 0:3]
        ring[:, 6] = side if apart else 0.0
        ring[:, 7] = angle / (2 * math.pi)
        ring[:, 8] = 2 * polar / math.pi + (side < 0) if apart else polar / math.pi
        rows.append(ring)
    return Mesh(np.concatenate(rows), _strips(len(rings), slices + 1), textured=True)


def _strips(rings: int, across: int) -> NDArray[np.int32]:
    """Triangles between adjacent rings of `across` vertices, the first ring on top."""
    first = np.arange((rings - 1) * across).reshape(rings - 1, across)[:, :-1].ravel()
    below = first + across
    upper = np.column_stack([first, below, first + 1])
    lower = np.column_stack([first + 1, below, below + 1])
    return np.concatenate([upper, lower]).astype(np.int32)


def _cylinder(slices: int) -> Mesh:
    """Radius 1, from z = -1 to 1, with flat ends."""
    angle = np.linspace(0, 2 * math.pi, slices + 1)
    x, y, zero, one = np.cos(angle), np.sin(angle), np.zeros_like(angle), np.ones_like(angle)
    rings = []
    for z, across in ((1, False), (1, True), (-1, True), (-1, False)):
        normal = (x, y, zero) if across else (zero, zero, z * one)
        texcoord = (angle / (2 * math.pi), (1 - z) / 2 * one) if across else ((1 + x) / 2, (1 + y) / 2)
        rings.append(np.column_stack([x, y, z * one, *normal, zero, *texcoord]))
    side = _strips(2, slices + 1) + slices + 1
    # caps: triangle fans about a centre vertex
    centres = [[0, 0, z, 0, 0, z, 0, 0.5, 0.5] for z in (1, -1)]
    vertices = np.concatenate([*rings, centres]).astype(np.float32)
    k, top, bottom = np.arange(slices), len(vertices) - 2, len(vertices) - 1
    start = 3 * (slices + 1)
    top_cap = np.column_stack([np.full(slices, top), k, k + 1])
    base = np.column_stack([np.full(slices, bottom), start + k + 1, start + k])
    return Mesh(vertices, np.concatenate([side, top_cap, base]).astype(np.int32), textured=True)


def _cone(slices: int) -> Mesh:
    """Radius 1 at z = -1, apex at z = 1, with a base."""
    angle = np.linspace(0, 2 * math.pi, slices + 1)
    x, y, zero, one = np.cos(angle), np.sin(angle), np.zeros_like(angle), np.ones_like(angle)
    # twice as high as its radius; each facet has its own apex vertex, for its normal
    slope = np.column_stack([2 * x, 2 * y, one]) / math.sqrt(5)
    apex = np.column_stack([zero, zero, one, slope, zero])
    side = np.column_stack([x, y, -one, slope, zero])
    rim = np.column_stack([x, y, -one, zero, zero, -one, zero])
    vertices = np.concatenate([apex, side, rim, [[0, 0, -1, 0, 0, -1, 0]]]).astype(np.float32)
    k, start = np.arange(slices), 2 * (slices + 1)
    mantle = np.column_stack([k, slices + 1 + k, slices + 2 + k])
    base = np.column_stack([np.full(slices, len(vertices) - 1), start + k + 1, start + k])
    return Mesh(vertices, np.concatenate([mantle, base]).astype(np.int32))


def _box() -> Mesh:
    """The cube from -1 to 1, four vertices per face."""
    vertices: list[NDArray[np.float64]] = []
    triangles: list[tuple[int, int, int]] = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for sign in (-1, 1):
            start = len(vertices)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                vertex = np.zeros(7)
                vertex[axis], vertex[u], vertex[v], vertex[3 + axis] = sign, a * sign, b, sign
                vertices.append(vertex)
            triangles += [(start, start + 1, start + 2), (start, start + 2, start + 3)]
    return Mesh(np.array(vertices, dtype=np.float32), np.array(triangles, dtype=np.int32))
