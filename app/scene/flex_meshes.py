"""Surfaces of flexes as triangles: the smooth skin, or the faces of elements.

The skin is the surface of a flex, one radius outside of its vertices along their normals: both sides of a cloth and the
rim between them, or the shell of a solid. Faces are moved outward one by one, along their own normals. What each vertex
of the mesh is made from is constant; `posed` gives the mesh of a state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView
from app.scene.meshes import Mesh

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

CLOTH, SOLID = 2, 3
# faces of a tetrahedron, seen from outside
TETRAHEDRON = ((0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2))
# the outermost layer of a solid, whose faces are drawn
OUTER_LAYER = 0


@dataclass(frozen=True, kw_only=True)
class FlexMesh(Mesh):
    """A mesh with the origin of its vertices.

    `faces` are triangles of the flex, `adjacent` sums over those of each vertex. Normals are those of the vertices of
    the flex, then those of its faces: `lifted` and `shaded` are the normals along which a vertex of the mesh is moved
    and by which it is shaded, on one `side` or the other. The last `rim` triangles are shaded by normals of their own.
    """

    faces: Ints
    adjacent: csr_matrix
    vertex: Ints
    lifted: Ints
    shaded: Ints
    side: Floats
    rim: int

    def posed(self, position: Floats, radius: float) -> Floats:
        """The vertices of the mesh, from the positions of those of the flex."""
        a, b, c = (position[corner] for corner in self.faces.T)
        face = _unit(cross(b - a, c - a))
        normal = np.concatenate([_unit(self.adjacent @ face), face])
        vertices: Floats = self.vertices.copy()
        vertices[:, 0:3] = position[self.vertex] + np.float32(radius) * self.side * normal[self.lifted]
        vertices[:, 3:6] = self.side * normal[self.shaded]
        if self.rim:
            a, b, c = vertices[-3 * self.rim :, 0:3].reshape(-1, 3, 3).swapaxes(0, 1)
            vertices[-3 * self.rim :, 3:6] = np.repeat(_unit(cross(b - a, c - a)), 3, axis=0)
        return vertices


def flex_skin(model: ModelView, number: int) -> FlexMesh:
    """The surface of a part of a cloth or a solid, flat if it has flatskin; parts are numbered by `part_number`."""
    index, part = number % model.nflex, number // model.nflex
    elements, texcoords = _elements(model, index)
    of_vertex = _texcoord_of_vertex(model, index, elements, texcoords)
    flat = bool(model.flex_flatskin[index])
    if int(model.flex_dim[index]) == SOLID:
        faces = _shell(model, index, 3)
        mesh = _mesh(model, index, faces, of_vertex[faces], (1,), flat, False)
        return _part(model, index, part, mesh, lambda: _owners(elements, faces))
    rim, each = _shell(model, index, 2), np.arange(len(elements))
    mesh = _mesh(model, index, elements, texcoords, (1, -1), flat, False, rim, of_vertex)
    return _part(model, index, part, mesh, lambda: np.concatenate([each, each, np.repeat(_owners(elements, rim), 2)]))


def flex_faces(model: ModelView, number: int) -> FlexMesh:
    """The faces of elements, apart from each other: both sides of a cloth, or the outer layer of a solid."""
    index, part = number % model.nflex, number // model.nflex
    elements, texcoords = _elements(model, index)
    if int(model.flex_dim[index]) == CLOTH:
        mesh = _mesh(model, index, elements, texcoords, (1, -1), True, True)
        return _part(model, index, part, mesh, lambda: np.tile(np.arange(len(elements)), 2))
    first = int(model.flex_elemadr[index])
    outer = np.flatnonzero(model.flex_elemlayer[first : first + len(elements)] == OUTER_LAYER)
    faces, texcoords = (corner[outer][:, TETRAHEDRON].reshape(-1, 3) for corner in (elements, texcoords))
    mesh = _mesh(model, index, faces, texcoords, (1,), True, True)
    return _part(model, index, part, mesh, lambda: np.repeat(outer, len(TETRAHEDRON)))


def element_materials(model: ModelView, index: int) -> Ints:
    """The material of each element of a flex. In MuJoCo 3 a flex has one, from MuJoCo 4 on each element."""
    material = np.asarray(model.flex_matid, np.int64)
    first, count = int(model.flex_elemadr[index]), int(model.flex_elemnum[index])
    return np.full(count, material[index]) if len(material) == model.nflex else material[first : first + count]


def part_number(model: ModelView, index: int, part: int) -> int:
    """The number in the name of a mesh, for the part of a flex that has one of its materials, the lowest first."""
    return part * model.nflex + index


def has_texcoord(model: ModelView, index: int) -> bool:
    """Whether a flex has texture coordinates; without them it has no texture."""
    return int(model.flex_texcoordadr[index]) >= 0


def cross(u: Floats, v: Floats) -> Floats:
    """Cross products by rows; np.cross takes three times as long."""
    (ux, uy, uz), (vx, vy, vz) = u.T, v.T
    return np.stack([uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx], axis=1)


def _mesh(
    model: ModelView,
    index: int,
    faces: Ints,
    texcoords: Ints,
    sides: tuple[int, ...],
    flat: bool,
    apart: bool,
    rim: Ints | None = None,
    of_vertex: Ints | None = None,
) -> FlexMesh:
    """The mesh of some faces on one or both sides: shaded flat or smooth, lifted apart or as one surface."""
    count = int(model.flex_vertnum[index])
    own = np.repeat(count + np.arange(len(faces)), 3)
    vertex = faces.ravel()
    keys = np.stack([vertex, texcoords.ravel(), own if apart else vertex, own if flat else vertex], axis=1)
    keys, which = np.unique(keys, axis=0, return_inverse=True)
    triangles = which.reshape(-1, 3)
    turned = [triangles if side > 0 else triangles[:, ::-1] for side in sides]
    all_triangles = [corner + k * len(keys) for k, corner in enumerate(turned)]
    all_keys, side = [keys] * len(sides), [np.full(len(keys), side) for side in sides]
    if rim is not None and of_vertex is not None:
        # two triangles for each edge, between the sides
        a, b = rim.T
        corner = np.stack([a, b, b, b, a, a], axis=1).ravel()
        all_triangles.append(sum(map(len, all_keys)) + np.arange(len(corner)).reshape(-1, 3))
        all_keys.append(np.stack([corner, of_vertex[corner], corner, corner], axis=1))
        side.append(np.tile((1, -1, 1, -1, 1, -1), len(rim)))
    vertex, texcoord, lifted, shaded = np.concatenate(all_keys).T
    vertices, textured = np.zeros((len(vertex), 9), np.float32), has_texcoord(model, index)
    if textured:
        vertices[:, 7:9] = model.flex_texcoord[int(model.flex_texcoordadr[index]) + texcoord]
    # imported late: few models have flexes, and it takes 0.1 s
    from scipy.sparse import csr_matrix

    corners = (faces.ravel(), np.repeat(np.arange(len(faces)), 3))
    return FlexMesh(
        vertices,
        np.concatenate(all_triangles).astype(np.int32),
        textured=textured,
        faces=faces,
        adjacent=csr_matrix((np.ones(faces.size, np.float32), corners), shape=(count, len(faces))),
        vertex=vertex,
        lifted=lifted,
        shaded=shaded,
        side=np.concatenate(side).astype(np.float32)[:, None],
        rim=0 if rim is None else 2 * len(rim),
    )


def _part(model: ModelView, index: int, part: int, mesh: FlexMesh, owner: Callable[[], Ints]) -> FlexMesh:
    """The triangles of elements of one material; `owner` is the element of each."""
    material = element_materials(model, index)
    kinds = np.unique(material)
    if len(kinds) < 2:
        return mesh
    return replace(mesh, triangles=mesh.triangles[material[owner()] == kinds[part]])


def _owners(elements: Ints, fragments: Ints) -> Ints:
    """The element that each edge or face of the shell belongs to."""
    corners = list(combinations(range(elements.shape[1]), fragments.shape[1]))
    candidates = elements[:, corners].reshape(-1, fragments.shape[1])
    _, which = np.unique(np.sort(np.concatenate([candidates, fragments]), axis=1), axis=0, return_inverse=True)
    which = which.ravel()
    owner = np.zeros(int(which.max(initial=-1)) + 1, np.int64)
    owner[which[: len(candidates)]] = np.arange(len(candidates)) // len(corners)
    return owner[which[len(candidates) :]]


def _elements(model: ModelView, index: int) -> tuple[Ints, Ints]:
    """Vertices and texture coordinates of the corners of all elements, by their indices within the flex."""
    corners, first = int(model.flex_dim[index]) + 1, int(model.flex_elemdataadr[index])
    part = slice(first, first + corners * int(model.flex_elemnum[index]))
    elements = np.asarray(model.flex_elem, np.int64).ravel()[part].reshape(-1, corners)
    if not has_texcoord(model, index):
        return elements, np.zeros_like(elements)
    return elements, np.asarray(model.flex_elemtexcoord, np.int64).ravel()[part].reshape(-1, corners)


def _texcoord_of_vertex(model: ModelView, index: int, elements: Ints, texcoords: Ints) -> Ints:
    """The texture coordinate of each vertex, or one of those that it has in elements."""
    count = int(model.flex_vertnum[index])
    if texcoords.max(initial=-1) + 1 == count:
        return np.arange(count)
    found = np.zeros(count, np.int64)
    found[elements] = texcoords
    return found


def _shell(model: ModelView, index: int, corners: int) -> Ints:
    """Edges of a cloth, or faces of a solid, that belong to one element alone."""
    first = int(model.flex_shelldataadr[index])
    part = slice(first, first + corners * int(model.flex_shellnum[index]))
    return np.asarray(model.flex_shell, np.int64).ravel()[part].reshape(-1, corners)


def _unit(vectors: Floats) -> Floats:
    """Vectors of length 1; zero stays zero."""
    length = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    unit: Floats = vectors / np.maximum(length, np.float32(1e-30))
    return unit
