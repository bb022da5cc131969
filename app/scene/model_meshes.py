"""Meshes, convex hulls, height fields, skins and flexes of a model as triangles, cached on first use.

In MuJoCo a corner of a face has separate indices of vertex, normal and texture coordinate; here every combination that
occurs becomes one vertex. Where a vertex normal is far from the face normal, as at the corners of a box whose faces
share vertices, the face is shaded flat.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView
from app.scene.flex_meshes import flex_faces, flex_skin
from app.scene.meshes import Mesh

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
T = TypeVar("T", bound=np.generic)

# cosine of the largest angle between a vertex normal and its face normal
MIN_COSINE = 0.4


def model_mesh(model: ModelView, name: str) -> Mesh:
    """A mesh of the model by name: "mesh 3", "hull 3", "height field 0", "skin 1", "flex skin 0"; cached."""
    cache = _cache_of(model.identity)
    if name not in cache:
        kind, _, index = name.rpartition(" ")
        cache[name] = MAKERS[kind](model, int(index))
    return cache[name]


@lru_cache(maxsize=4)
def _cache_of(identity: object) -> dict[str, Mesh]:
    """The cache of a model; several windows may show one each."""
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
    normal = _repaired_normals(position, corners, normal)
    (vertex, normal_index, texcoord_index), triangles = _unique_vertices(corners)
    vertices = np.zeros((len(vertex), 9), np.float32)
    vertices[:, 0:3], vertices[:, 3:6] = position[vertex], normal[normal_index]
    vertices[:, 7:9] = texcoord[texcoord_index]
    return Mesh(vertices, triangles, _is_open(corners[0]), textured)


def _repaired_normals(position: Floats, corners: list[Ints], normal: Floats) -> Floats:
    """Vertex normals followed by face normals; corners whose normal is implausible are set to the face normal.

    If most faces are wound against their normals, all are flipped first.
    """
    area_normal = _area_normals(position, corners[0])
    if np.sum(area_normal[:, None] * normal[corners[1]]) < 0:
        for part in corners:
            part[:] = part[:, [0, 2, 1]]
        area_normal = -area_normal
    flat = area_normal / np.maximum(np.linalg.norm(area_normal, axis=1, keepdims=True), 1e-30)
    wrong = np.sum(flat[:, None] * normal[corners[1]], axis=2) < MIN_COSINE
    corners[1][wrong] = len(normal) + np.nonzero(wrong)[0]
    return np.concatenate([normal, flat])


def _area_normals(position: Floats, faces: Ints) -> Floats:
    """Normal of each triangle, of twice its area."""
    a, b, c = (position[faces[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


def _part(values: NDArray[T], start: int, count: int) -> NDArray[T]:
    return values[int(start) : int(start) + int(count)]


def _unique_vertices(corners: list[Ints]) -> tuple[list[Ints], NDArray[np.int32]]:
    """The unique combinations of indices, and triangles of those."""
    key = np.zeros(corners[0].size, np.int64)
    for part in corners:
        key = key * (int(part.max(initial=0)) + 1) + part.ravel()
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    return [part.ravel()[first] for part in corners], inverse.reshape(-1, 3).astype(np.int32)


def _is_open(faces: Ints) -> bool:
    """Whether the mesh has a boundary edge.

    In a closed mesh each edge occurs as often in one direction as in the other, so that a hash, the sum of products of
    random numbers of its start and its end, does not change if the two are swapped. Sorting edges is ten times slower.
    """
    count = int(faces.max(initial=0)) + 1
    starts, ends = np.random.default_rng(0).integers(1 << 63, size=(2, count), dtype=np.uint64)
    start, end = faces, np.roll(faces, -1, axis=1)
    return bool(np.sum(starts[start] * ends[end]) != np.sum(starts[end] * ends[start]))


def _height_field(model: ModelView, index: int) -> Mesh:
    """The surface, the walls down to the base, and the base."""
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
    """The convex hull of a mesh, shaded flat; the mesh itself if it has none."""
    start = int(model.mesh_graphadr[index])
    if start < 0:
        return _mesh(model, index)
    # mesh_graph: numbers of vertices and faces, vert_edgeadr, vert_globalid, edges, then three vertices per face
    count, faces = (int(n) for n in model.mesh_graph[start : start + 2])
    first = start + 2 + 3 * count + 3 * faces
    corners = np.array(model.mesh_graph[first : first + 3 * faces], np.int64).reshape(-1, 3)
    position = _part(model.mesh_vert, model.mesh_vertadr[index], model.mesh_vertnum[index])
    flat = _area_normals(position, corners)
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-30)
    vertices = np.zeros((3 * faces, 9), np.float32)
    vertices[:, 0:3], vertices[:, 3:6] = position[corners.ravel()], np.repeat(flat, 3, axis=0)
    return Mesh(vertices, np.arange(3 * faces, dtype=np.int32).reshape(-1, 3))


def _skin(model: ModelView, index: int) -> Mesh:
    """A skin in its bind pose; skinning overwrites its vertices every frame."""
    first, count = int(model.skin_vertadr[index]), int(model.skin_vertnum[index])
    vertices = np.zeros((count, 9), np.float32)
    vertices[:, 0:3] = model.skin_vert[first : first + count]
    texcoord_start = int(model.skin_texcoordadr[index])
    if texcoord_start >= 0:
        vertices[:, 7:9] = model.skin_texcoord[texcoord_start : texcoord_start + count]
    triangles = _part(model.skin_face, model.skin_faceadr[index], model.skin_facenum[index])
    return Mesh(vertices, np.array(triangles, np.int32), open=True, textured=texcoord_start >= 0)


def _grid(position: NDArray[np.float64], normal: NDArray[np.float64]) -> tuple[Floats, NDArray[np.int32]]:
    """Vertices and triangles of a grid of points; it faces along next column x next row."""
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
    "flex skin": flex_skin,
    "flex faces": flex_faces,
    # a ghost has vertices of its own
    "ghost flex skin": flex_skin,
    "ghost flex faces": flex_faces,
}
