"""Meshes, hulls, height fields and skins of a model as triangles, each made once when it is first drawn.

A corner of a mesh has a vertex, a normal and a texture coordinate with an index each; here every combination
that occurs becomes one vertex. Where a normal is far from its triangle's own, as at the corners of a box whose
sides share their vertices, the triangle is drawn flat.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from app.run.snapshot import ModelView
from app.scene.meshes import Mesh

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

# cosine of the largest angle between the normal of a corner and that of its triangle
STEEPEST = 0.4


def model_mesh(model: ModelView, name: str) -> Mesh:
    """A shape of the model by its name: "mesh 3", "hull 3", "height field 0", "skin 1"; each is made once."""
    made = _made_for(model.identity)
    if name not in made:
        kind, _, index = name.rpartition(" ")
        made[name] = MAKERS[kind](model, int(index))
    return made[name]


@lru_cache(maxsize=1)
def _made_for(identity: object) -> dict[str, Mesh]:
    """What was made so far for the model that was asked for last."""
    return {}


def _mesh(model: ModelView, index: int) -> Mesh:
    """A mesh of the model."""
    first, count = int(model.mesh_faceadr[index]), int(model.mesh_facenum[index])
    faces = slice(first, first + count)
    position = _part(model.mesh_vert, model.mesh_vertadr[index], model.mesh_vertnum[index])
    normal = _part(model.mesh_normal, model.mesh_normaladr[index], model.mesh_normalnum[index])
    corners = [np.array(model.mesh_face[faces], np.int64), np.array(model.mesh_facenormal[faces], np.int64)]
    textured = int(model.mesh_texcoordadr[index]) >= 0
    texcoord = np.zeros((1, 2), np.float32)
    if textured:
        texcoord = _part(model.mesh_texcoord, model.mesh_texcoordadr[index], model.mesh_texcoordnum[index])
        corners.append(np.array(model.mesh_facetexcoord[faces], np.int64))
    else:
        corners.append(np.zeros_like(corners[0]))
    normal = _mended(position, corners, normal)
    (at, toward, image), triangles = _joined(corners)
    vertices = np.zeros((len(at), 9), np.float32)
    vertices[:, 0:3], vertices[:, 3:6], vertices[:, 7:9] = position[at], normal[toward], texcoord[image]
    return Mesh(vertices, triangles, _is_open(corners[0]), textured)


def _mended(position: Floats, corners: list[Ints], normal: Floats) -> Floats:
    """Normals, with one of each triangle's own after them; corners whose normal cannot be right get that one.

    If most triangles face against their normals, all are turned over first.
    """
    across = _across(position, corners[0])
    if np.sum(across[:, None] * normal[corners[1]]) < 0:
        for part in corners:
            part[:] = part[:, [0, 2, 1]]
        across = -across
    flat = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-30)
    wrong = np.sum(flat[:, None] * normal[corners[1]], axis=2) < STEEPEST
    corners[1][wrong] = len(normal) + np.nonzero(wrong)[0]
    return np.concatenate([normal, flat])


def _across(position: Floats, faces: Ints) -> Floats:
    """Twice the area of each triangle, along its normal."""
    a, b, c = (position[faces[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


def _part(values: NDArray[np.float32], start: int, count: int) -> Floats:
    return values[int(start) : int(start) + int(count)]


def _joined(corners: list[Ints]) -> tuple[list[Ints], NDArray[np.int32]]:
    """Each combination of indices once, and triangles of such combinations."""
    key = np.zeros(corners[0].size, np.int64)
    for part in corners:
        key = key * (int(part.max(initial=0)) + 1) + part.ravel()
    _, chosen, place = np.unique(key, return_index=True, return_inverse=True)
    return [part.ravel()[chosen] for part in corners], place.reshape(-1, 3).astype(np.int32)


def _is_open(faces: Ints) -> bool:
    """Whether an edge of a triangle has no triangle on its other side.

    If all have one, each edge is there as often in one direction as in the other, and products of random numbers, of
    its start and of its end, add up to the same with the two exchanged. To sort all edges takes ten times as long.
    """
    count = int(faces.max(initial=0)) + 1
    starts, ends = np.random.default_rng(0).integers(1 << 63, size=(2, count), dtype=np.uint64)
    start, end = faces, np.roll(faces, -1, axis=1)
    return bool(np.sum(starts[start] * ends[end]) != np.sum(starts[end] * ends[start]))


def _height_field(model: ModelView, index: int) -> Mesh:
    """The surface over its grid, walls down to the base, and the base."""
    rows, columns = int(model.hfield_nrow[index]), int(model.hfield_ncol[index])
    half_x, half_y, height, depth = (float(v) for v in model.hfield_size[index])
    start = int(model.hfield_adr[index])
    z = height * np.asarray(model.hfield_data[start : start + rows * columns], float).reshape(rows, columns)
    x, y = np.meshgrid(np.linspace(-half_x, half_x, columns), np.linspace(-half_y, half_y, rows))
    slope_y, slope_x = np.gradient(z, 2 * half_y / (rows - 1), 2 * half_x / (columns - 1))
    normal = np.stack([-slope_x, -slope_y, np.ones_like(z)], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    top = np.stack([x, y, z], axis=-1)
    parts = [_grid(top, normal)]
    for edge, outward in (
        (top[0], (0, -1, 0)), (top[:, -1], (1, 0, 0)), (top[-1, ::-1], (0, 1, 0)), (top[::-1, 0], (-1, 0, 0)),
    ):  # fmt: skip
        foot = edge * (1, 1, 0) - (0, 0, depth)
        parts.append(_grid(np.stack([foot, edge]), np.broadcast_to(np.array(outward, float), (2, *edge.shape))))
    below = np.array([[[-half_x, half_y, -depth], [half_x, half_y, -depth]],
                      [[-half_x, -half_y, -depth], [half_x, -half_y, -depth]]])  # fmt: skip
    parts.append(_grid(below, np.broadcast_to(np.array([0.0, 0, -1]), below.shape)))
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in parts[:-1])])
    triangles = np.concatenate([part + begin for (_, part), begin in zip(parts, starts, strict=True)])
    return Mesh(np.concatenate([vertices for vertices, _ in parts]), triangles.astype(np.int32))


def _hull(model: ModelView, index: int) -> Mesh:
    """What a mesh collides with: its convex hull, flat triangles; the mesh itself if it has none."""
    start = int(model.mesh_graphadr[index])
    if start < 0:
        return _mesh(model, index)
    # numbers of vertices and faces, then address and id of each vertex, edges, and three vertices a face
    count, faces = (int(n) for n in model.mesh_graph[start : start + 2])
    first = start + 2 + 3 * count + 3 * faces
    corners = np.array(model.mesh_graph[first : first + 3 * faces], np.int64).reshape(-1, 3)
    position = _part(model.mesh_vert, model.mesh_vertadr[index], model.mesh_vertnum[index])
    flat = _across(position, corners)
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-30)
    vertices = np.zeros((3 * faces, 9), np.float32)
    vertices[:, 0:3], vertices[:, 3:6] = position[corners.ravel()], np.repeat(flat, 3, axis=0)
    return Mesh(vertices, np.arange(3 * faces, dtype=np.int32).reshape(-1, 3))


def _skin(model: ModelView, index: int) -> Mesh:
    """A skin at rest; its vertices move every frame."""
    first, count = int(model.skin_vertadr[index]), int(model.skin_vertnum[index])
    vertices = np.zeros((count, 9), np.float32)
    vertices[:, 0:3] = model.skin_vert[first : first + count]
    image = int(model.skin_texcoordadr[index])
    if image >= 0:
        vertices[:, 7:9] = model.skin_texcoord[image : image + count]
    triangles = _part(model.skin_face, model.skin_faceadr[index], model.skin_facenum[index])
    return Mesh(vertices, np.array(triangles, np.int32), open=True, textured=image >= 0)


def _grid(position: NDArray[np.float64], normal: NDArray[np.float64]) -> tuple[Floats, NDArray[np.int32]]:
    """Vertices and triangles of a grid of points; it faces along row direction x column direction turned left."""
    rows, columns = position.shape[:2]
    vertices = np.zeros((rows * columns, 9), np.float32)
    vertices[:, 0:3], vertices[:, 3:6] = position.reshape(-1, 3), normal.reshape(-1, 3)
    first = np.arange(rows * columns).reshape(rows, columns)[:-1, :-1].ravel()
    right, up = first + 1, first + columns
    triangles = np.concatenate([np.column_stack([first, right, up + 1]), np.column_stack([first, up + 1, up])])
    return vertices, triangles.astype(np.int32)


MAKERS: dict[str, Callable[[ModelView, int], Mesh]] = {
    "mesh": _mesh,
    "hull": _hull,
    "height field": _height_field,
    "skin": _skin,
}
