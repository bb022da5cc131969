"""Primitive meshes: unit shapes as triangles.

A vertex is position 3, normal 3, cap 1 and texture coordinate 2: instances scale the position and then move it
by cap * half length along z, which draws the two halves of a capsule apart without stretching its ends. A texture goes
once around a round shape, from +x over +y, and once down from its top: on a capsule once each over its upper end, its
middle and its lower end. On the flat ends of a cylinder it lies as seen along z. Shaders put it on planes and boxes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# facets around and along round shapes, by level of detail: the fewer, the smaller they are on the screen
LODS = ((64, 32), (32, 16), (16, 8), (8, 6), (6, 4))


@dataclass(frozen=True)
class Mesh:
    """Vertices (n, 9) and triangles (m, 3), counter-clockwise seen from outside.

    `open`: has an edge, so that its inside can be seen; `textured`: has texture coordinates of its own.
    """

    vertices: NDArray[np.float32]
    triangles: NDArray[np.int32]
    open: bool = False
    textured: bool = False


def primitive_meshes() -> dict[tuple[str, int], Mesh]:
    """All shapes by name and level of detail."""
    meshes = {}
    for level, (slices, stacks) in enumerate(LODS):
        meshes["plane", level] = _plane()
        meshes["sphere", level] = _ball(slices, stacks, apart=False)
        meshes["capsule", level] = _ball(slices, stacks, apart=True)
        meshes["cylinder", level] = _cylinder(slices)
        meshes["cone", level] = _cone(slices)
        meshes["pyramid", level] = _cone(4)
        meshes["box", level] = _box()
    return {key: mesh if mesh.textured else _with_texcoord(mesh) for key, mesh in meshes.items()}


def _with_texcoord(mesh: Mesh) -> Mesh:
    """With columns for texture coordinates, which stay empty."""
    empty = np.zeros((len(mesh.vertices), 2), dtype=np.float32)
    return Mesh(np.hstack([mesh.vertices, empty]), mesh.triangles)


def _plane() -> Mesh:
    """The square from -1 to 1, facing +z."""
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    vertices = np.array([(x, y, 0, 0, 0, 1, 0) for x, y in corners], dtype=np.float32)
    return Mesh(vertices, np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32))


def _ball(slices: int, stacks: int, apart: bool) -> Mesh:
    """The unit sphere; `apart`: the equator is doubled so that the halves can be drawn apart."""
    rings = [(math.pi * k / stacks, 1.0 if k <= stacks // 2 else -1.0) for k in range(stacks + 1)]
    if apart:
        rings.insert(stacks // 2 + 1, (math.pi / 2, -1.0))
    rows = []
    for polar, side in rings:
        turn = np.linspace(0, 2 * math.pi, slices + 1)
        ring = np.empty((slices + 1, 9), dtype=np.float32)
        ring[:, 0] = math.sin(polar) * np.cos(turn)
        ring[:, 1] = math.sin(polar) * np.sin(turn)
        ring[:, 2] = math.cos(polar)
        ring[:, 3:6] = ring[:, 0:3]
        ring[:, 6] = side if apart else 0.0
        ring[:, 7] = turn / (2 * math.pi)
        ring[:, 8] = 2 * polar / math.pi + (side < 0) if apart else polar / math.pi
        rows.append(ring)
    return Mesh(np.concatenate(rows), _strips(len(rings), slices + 1), textured=True)


def _strips(rings: int, across: int) -> NDArray[np.int32]:
    """Triangles between neighbouring rings, each of `across` vertices, the first ring on top."""
    first = np.arange((rings - 1) * across).reshape(rings - 1, across)[:, :-1].ravel()
    below = first + across
    upper = np.column_stack([first, below, first + 1])
    lower = np.column_stack([first + 1, below, below + 1])
    return np.concatenate([upper, lower]).astype(np.int32)


def _cylinder(slices: int) -> Mesh:
    """Radius 1, from z = -1 to 1, with flat ends."""
    turn = np.linspace(0, 2 * math.pi, slices + 1)
    x, y, zero, one = np.cos(turn), np.sin(turn), np.zeros_like(turn), np.ones_like(turn)
    rings = []
    for z, across in ((1, False), (1, True), (-1, True), (-1, False)):
        normal = (x, y, zero) if across else (zero, zero, z * one)
        image = (turn / (2 * math.pi), (1 - z) / 2 * one) if across else ((1 + x) / 2, (1 + y) / 2)
        rings.append(np.column_stack([x, y, z * one, *normal, zero, *image]))
    side = _strips(2, slices + 1) + slices + 1
    # flat ends: a fan about a vertex in the middle
    middles = [[0, 0, z, 0, 0, z, 0, 0.5, 0.5] for z in (1, -1)]
    vertices = np.concatenate([*rings, middles]).astype(np.float32)
    k, top, bottom = np.arange(slices), len(vertices) - 2, len(vertices) - 1
    start = 3 * (slices + 1)
    lid = np.column_stack([np.full(slices, top), k, k + 1])
    base = np.column_stack([np.full(slices, bottom), start + k + 1, start + k])
    return Mesh(vertices, np.concatenate([side, lid, base]).astype(np.int32), textured=True)


def _cone(slices: int) -> Mesh:
    """Radius 1 at z = -1, its tip at z = 1, with a flat base."""
    turn = np.linspace(0, 2 * math.pi, slices + 1)
    x, y, zero, one = np.cos(turn), np.sin(turn), np.zeros_like(turn), np.ones_like(turn)
    # the side is twice as high as wide; each facet has a tip of its own
    slope = np.column_stack([2 * x, 2 * y, one]) / math.sqrt(5)
    tip = np.column_stack([zero, zero, one, slope, zero])
    side = np.column_stack([x, y, -one, slope, zero])
    rim = np.column_stack([x, y, -one, zero, zero, -one, zero])
    vertices = np.concatenate([tip, side, rim, [[0, 0, -1, 0, 0, -1, 0]]]).astype(np.float32)
    k, start = np.arange(slices), 2 * (slices + 1)
    mantle = np.column_stack([k, slices + 1 + k, slices + 2 + k])
    base = np.column_stack([np.full(slices, len(vertices) - 1), start + k + 1, start + k])
    return Mesh(vertices, np.concatenate([mantle, base]).astype(np.int32))


def _box() -> Mesh:
    """The cube from -1 to 1, four vertices a side."""
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
