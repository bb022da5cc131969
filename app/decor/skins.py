"""Skins: surfaces that follow several bodies at once.

A vertex moves with each of its bones and lands at their weighted mean: v = Σ w (R (v₀ - p₀) + p), where R turns from
the bone's bind pose to the body's pose. Normals are those of the triangles around a vertex.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from app.instances import ALPHA, CLEAR, LARGEST, NO_TEXTURE, ROTATION, SHAPE, Batch, Floats, Kind
from app.render.model_meshes import model_mesh
from app.snapshot import ModelView, StateView
from app.state import VisualOptions
from app.surfaces import surfaces, textures

Array = NDArray[np.float64]


@dataclass
class DrawnSkins:
    """Batches, and the vertices of their shapes."""

    opaque: tuple[Batch, ...] = ()
    see_through: tuple[Batch, ...] = ()
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
        # which triangles are around each vertex
        self._around: dict[int, csr_matrix] = {}
        for index in ids.tolist():
            triangles = model_mesh(model, f"skin {index}").triangles
            face = np.repeat(np.arange(len(triangles)), 3)
            shape = (int(model.skin_vertnum[index]), len(triangles))
            self._around[index] = csr_matrix((np.ones(len(face)), (triangles.ravel(), face)), shape=shape)

    def drawn(self, state: StateView) -> DrawnSkins:
        """The skins over the bodies of a state; one on a body that has exploded is left out."""
        drawn = DrawnSkins()
        for row, index in enumerate(self._ids.tolist()):
            vertices = self._deformed(index, state)
            if not np.abs(vertices).max(initial=0.0) < LARGEST:
                continue
            name = f"skin {index}"
            drawn.deformed[name] = vertices
            batch = Batch(name, int(self._textures[row]), self._rows[row : row + 1])
            if self._rows[row, ALPHA] >= CLEAR:
                drawn.opaque += (batch,)
            else:
                drawn.see_through += (batch,)
        return drawn

    def _deformed(self, index: int, state: StateView) -> Floats:
        """Vertices of one skin: position, normal, cap, texture coordinate."""
        model, mesh = self._model, model_mesh(self._model, f"skin {index}")
        rest = mesh.vertices[:, :3].astype(float)
        position = np.zeros_like(rest)
        first = int(model.skin_boneadr[index])
        for bone in range(first, first + int(model.skin_bonenum[index])):
            body = int(model.skin_bonebodyid[bone])
            turn = state.xmat[body].reshape(3, 3) @ _rotation(model.skin_bonebindquat[bone]).T
            start, count = int(model.skin_bonevertadr[bone]), int(model.skin_bonevertnum[bone])
            which = model.skin_bonevertid[start : start + count]
            weight = model.skin_bonevertweight[start : start + count, None]
            moved = (rest[which] - model.skin_bonebindpos[bone]) @ turn.T + state.xpos[body]
            position[which] += weight * moved
        a, b, c = (position[mesh.triangles[:, k]] for k in range(3))
        normal = self._around[index] @ np.cross(b - a, c - a)
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-30)
        vertices: Floats = mesh.vertices.copy()
        vertices[:, 0:3], vertices[:, 3:6] = position + float(model.skin_inflate[index]) * normal, normal
        return vertices


def _rotation(quat: Floats) -> Array:
    """The matrix of a unit quaternion w x y z."""
    w, x, y, z = (float(v) for v in quat)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip
