"""Skinning: vertices of skins from the poses of their bones (linear blend).

v = Σ w (R (v₀ - p₀) + p), where R rotates from the bone's bind pose to the body's pose. That is linear in R and p: one
sparse matrix per skin, built once, gives all vertices. Vertex normals are sums of the adjacent face normals.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView, StateView
from app.scene.flex_meshes import cross
from app.scene.instances import ALPHA, LARGEST, NO_TEXTURE, OPAQUE_ALPHA, ROTATION, SHAPE, Batch, Floats, Kind
from app.scene.model_meshes import model_mesh
from app.scene.surfaces import layer_materials, surfaces, textures
from app.scene.visual_options import VisualOptions

Array = NDArray[np.float64]


@dataclass
class Deformables:
    """Batches of skins or flexes, and the vertices of their meshes."""

    opaque: tuple[Batch, ...] = ()
    transparent: tuple[Batch, ...] = ()
    deformed: dict[str, Floats] = field(default_factory=dict)


class Skins:
    """The visible skins of one model."""

    def __init__(self, model: ModelView, ids: NDArray[np.int64], options: VisualOptions) -> None:
        self._model, self._ids = model, ids
        self._rows = surfaces(model, Kind.SKIN, ids)
        self._rows[:, SHAPE], self._rows[:, ROTATION] = (1, 1, 1, 0), np.eye(3).ravel()
        if options.transparent:
            self._rows[:, ALPHA] *= float(model.vis.map.alpha)
        found = textures(model, Kind.SKIN, ids)
        self._textures = found if options.texture else np.full_like(found, NO_TEXTURE)
        found = layer_materials(model, Kind.SKIN, ids)
        self._layer_materials = found if options.texture else np.full_like(found, NO_TEXTURE)
        self._bones = {index: _Bones(model, index) for index in ids.tolist()}

    def drawn(self, state: StateView) -> Deformables:
        """The skins of a state; a diverged one is left out."""
        drawn = Deformables()
        for row, index in enumerate(self._ids.tolist()):
            vertices = self._deformed(index, state)
            if not np.abs(vertices).max(initial=0.0) < LARGEST:
                continue
            name = f"skin {index}"
            drawn.deformed[name] = vertices
            texture, material = int(self._textures[row]), int(self._layer_materials[row])
            batch = Batch(name, texture, self._rows[row : row + 1], material=material)
            if self._rows[row, ALPHA] >= OPAQUE_ALPHA:
                drawn.opaque += (batch,)
            else:
                drawn.transparent += (batch,)
        return drawn

    def _deformed(self, index: int, state: StateView) -> Floats:
        """Vertices of one skin: position, normal, cap, texture coordinate."""
        position, normal = self._bones[index].skin(state)
        vertices: Floats = model_mesh(self._model, f"skin {index}").vertices.copy()
        vertices[:, 0:3] = position + np.float32(self._model.skin_inflate[index]) * normal
        vertices[:, 3:6] = normal
        return vertices


class _Bones:
    """Bones and weights of one skin."""

    def __init__(self, model: ModelView, index: int) -> None:
        # imported late: few models have skins, and it takes 0.1 s
        from scipy.sparse import csr_matrix

        mesh = model_mesh(model, f"skin {index}")
        bones = slice(int(model.skin_boneadr[index]), int(model.skin_boneadr[index] + model.skin_bonenum[index]))
        self._bodies = model.skin_bonebodyid[bones]
        self._inverse_bind = np.array([_rotation(quat).T for quat in model.skin_bonebindquat[bones]]).reshape(-1, 3, 3)
        # matrix entries of vertex and bone: w (v₀ - p₀) for the rotation, w for the position
        counts = model.skin_bonevertnum[bones]
        bone = np.repeat(np.arange(len(counts)), counts)
        places = slice(int(model.skin_bonevertadr[bones.start]), int(model.skin_bonevertadr[bones.start]) + len(bone))
        which, weight = model.skin_bonevertid[places], model.skin_bonevertweight[places, None]
        offset = mesh.vertices[which, :3] - model.skin_bonebindpos[bones][bone]
        entries = weight * np.hstack([offset, np.ones_like(weight)])
        rows, columns = np.repeat(which, 4), (4 * bone[:, None] + np.arange(4)).ravel()
        self._weights = csr_matrix((entries.ravel(), (rows, columns)), shape=(len(mesh.vertices), 4 * len(counts)))
        # adjacency of vertices and triangles
        self._corners = np.ascontiguousarray(mesh.triangles.T)
        face = np.tile(np.arange(len(mesh.triangles)), 3)
        ones = np.ones(len(face), np.float32)
        shape = (len(mesh.vertices), len(mesh.triangles))
        self._adjacent = csr_matrix((ones, (self._corners.ravel(), face)), shape=shape)

    def skin(self, state: StateView) -> tuple[Floats, Floats]:
        """Skinned positions and normals of the vertices."""
        rotation = state.xmat[self._bodies].reshape(-1, 3, 3) @ self._inverse_bind
        pose = np.concatenate([rotation.transpose(0, 2, 1), state.xpos[self._bodies][:, None]], axis=1)
        position = (self._weights @ pose.reshape(-1, 3)).astype(np.float32)
        a, b, c = (position[corner] for corner in self._corners)
        normal = self._adjacent @ cross(b - a, c - a)
        normal /= np.maximum(np.sqrt(np.einsum("ij,ij->i", normal, normal))[:, None], 1e-30)
        return position, normal


def _rotation(quat: Floats) -> Array:
    """The matrix of a quaternion w x y z. The engine's quat_to_mat differs by 1e-7 for the float32 bind poses."""
    w, x, y, z = (float(v) for v in quat)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip
