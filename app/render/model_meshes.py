"""The meshes and height fields of a model as triangles, made once when it is first drawn.

A corner of a mesh has a vertex, a normal and a texture coordinate with an index each; here every combination
that occurs becomes one vertex. Where a normal is far from its triangle's own, as at the corners of a box whose
sides share their vertices, the triangle is drawn flat.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from app.render.meshes import Mesh
from app.scene import HFIELD, MESH, model_shape
from app.snapshot import ModelView

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

# cosine of the largest angle between the normal of a corner and that of its triangle
STEEPEST = 0.4


@lru_cache(maxsize=1)
def model_meshes(model: ModelView) -> dict[str, Mesh]:
    """Those that geoms use, by the name of their shape; kept for the model that was asked for last."""
    meshes = {}
    for kind, make in ((MESH, _mesh), (HFIELD, _height_field)):
        for index in np.unique(model.geom_dataid[model.geom_type == kind]).tolist() if model.ngeom else []:
            meshes[model_shape(kind, index)] = make(model, index)
    return meshes


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
    """Whether an edge of a triangle has no triangle on its other side."""
    start, end, count = faces.ravel(), np.roll(faces, -1, axis=1).ravel(), int(faces.max(initial=0)) + 1
    return not np.array_equal(np.unique(start * count + end), np.unique(end * count + start))


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


def _grid(position: NDArray[np.float64], normal: NDArray[np.float64]) -> tuple[Floats, NDArray[np.int32]]:
    """Vertices and triangles of a grid of points; it faces along row direction x column direction turned left."""
    rows, columns = position.shape[:2]
    vertices = np.zeros((rows * columns, 9), np.float32)
    vertices[:, 0:3], vertices[:, 3:6] = position.reshape(-1, 3), normal.reshape(-1, 3)
    first = np.arange(rows * columns).reshape(rows, columns)[:-1, :-1].ravel()
    right, up = first + 1, first + columns
    triangles = np.concatenate([np.column_stack([first, right, up + 1]), np.column_stack([first, up + 1, up])])
    return vertices, triangles.astype(np.int32)
