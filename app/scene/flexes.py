"""Flexes (deformable cables, cloths and solids of MuJoCo's models): their skin or faces, edges and vertices.

As in MuJoCo, the skin of a cloth or a solid takes the place of all else; a cable has only edges and vertices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.scene.decor.skins import Deformables
from app.scene.flex_meshes import CLOTH, FlexMesh, has_texcoord
from app.scene.ghost import Ghost, as_ghost
from app.scene.instances import (
    ALPHA,
    COLOUR,
    EMISSION,
    LARGEST,
    MATERIAL,
    NO_TEXTURE,
    OPAQUE_ALPHA,
    ROTATION,
    SHAPE,
    TEXTURE,
    Batch,
    Floats,
    Kind,
    instance_rows,
    rods,
)
from app.scene.model_meshes import model_mesh
from app.scene.surfaces import layer_materials, surfaces, textures, visible
from app.scene.visual_options import VisualOptions
from sim.enums import TEXTURE_2D

# levels of detail of round shapes from their positions and radii
Lods = Callable[[NDArray[Any], NDArray[Any]], NDArray[np.int64]]


class Flexes:
    """The visible flexes of one model."""

    def __init__(self, model: ModelView, options: VisualOptions) -> None:
        self._model, self._options = model, options
        self._ids = visible(model, Kind.FLEX, options.flex_group)
        self._rows = surfaces(model, Kind.FLEX, self._ids)
        self._rows[:, SHAPE], self._rows[:, ROTATION] = (1, 1, 1, 0), np.eye(3).ravel()
        if options.transparent:
            self._rows[:, ALPHA] *= float(model.vis.map.alpha)
        self._textures = np.full(len(self._ids), NO_TEXTURE)
        self._layer_materials = self._textures.copy()
        if len(self._ids):
            self._set_textures()

    def drawn(self, state: StateView, lods: Lods, selected: Selection | None = None) -> tuple[Deformables, list[Batch]]:
        """The flexes of a state, and what is outlined of them; a diverged one is left out."""
        drawn, outlined = Deformables(), []
        glowing = self._selected(state, selected)
        for row, index in enumerate(self._ids.tolist()):
            instance = self._rows[row : row + 1]
            if index == glowing:
                instance = instance.copy()
                instance[:, EMISSION] += float(self._model.vis.global_.glow)
            batches = self._batches(row, index, instance, self._positions(state, index), lods, drawn.deformed)
            if instance[0, ALPHA] >= OPAQUE_ALPHA:
                drawn.opaque += batches
            else:
                drawn.transparent += batches
            outlined += [Batch(b.shape, NO_TEXTURE, b.instances, b.lod) for b in batches if index == glowing]
        return drawn, outlined

    def ghost(self, ghost: Ghost, shown: StateView, lods: Lods) -> Deformables:
        """The flexes of another state, where they are elsewhere than those that are shown."""
        drawn = Deformables()
        for row, index in enumerate(self._ids.tolist()):
            position = self._positions(ghost.state, index)
            if not np.array_equal(position, self._positions(shown, index)):
                instance = as_ghost(self._rows[row : row + 1], ghost.colour)
                batches = self._batches(row, index, instance, position, lods, drawn.deformed, "ghost ")
                drawn.transparent += tuple(replace(b, texture=NO_TEXTURE, shadow=False) for b in batches)
        return drawn

    def casters(self, state: StateView) -> Floats:
        """Bounding spheres of all flexes: centre and radius."""
        spheres = np.zeros((len(self._ids), 4), np.float32)
        for row, index in enumerate(self._ids.tolist()):
            position = self._positions(state, index)
            if len(position):
                low, high = position.min(axis=0), position.max(axis=0)
                spheres[row, :3], reach = (low + high) / 2, np.linalg.norm(high - low) / 2
                spheres[row, 3] = reach + self._model.flex_radius[index]
        return spheres

    # constant parts

    def _set_textures(self) -> None:
        """2D textures, of flexes that have texture coordinates, and how often they repeat."""
        model, ids = self._model, self._ids
        material = np.asarray(model.flex_matid)[ids]
        self._rows[material >= 0, TEXTURE.start : TEXTURE.start + 2] = model.mat_texrepeat[material[material >= 0]]
        if self._options.texture:
            mapped = np.array([has_texcoord(model, index) for index in ids.tolist()])
            found = textures(model, Kind.FLEX, ids)
            flat = mapped & (found >= 0) & (np.append(model.tex_type, TEXTURE_2D)[found] == TEXTURE_2D)
            self._textures = np.where(flat, found, NO_TEXTURE)
            self._layer_materials = np.where(mapped, layer_materials(model, Kind.FLEX, ids), NO_TEXTURE)

    def _has_skin(self, index: int) -> bool:
        return self._options.flex_skin and int(self._model.flex_dim[index]) >= CLOTH

    # parts of each frame

    def _positions(self, state: StateView, index: int) -> Floats:
        """The vertices of one flex; none if it has diverged."""
        first = int(self._model.flex_vertadr[index])
        position = state.flexvert_xpos[first : first + int(self._model.flex_vertnum[index])]
        if not np.abs(position).max(initial=0.0) < LARGEST:
            position = position[:0]
        return position.astype(np.float32)

    def _batches(
        self,
        row: int,
        index: int,
        instance: Floats,
        position: Floats,
        lods: Lods,
        deformed: dict[str, Floats],
        prefix: str = "",
    ) -> tuple[Batch, ...]:
        """All that is drawn of one flex; adds the vertices of its mesh."""
        options, skin = self._options, self._has_skin(index)
        if not len(position):
            return ()
        batches = []
        if skin or (options.flex_face and int(self._model.flex_dim[index]) >= CLOTH):
            name = f"{prefix}flex {'skin' if skin else 'faces'} {index}"
            mesh = model_mesh(self._model, name)
            assert isinstance(mesh, FlexMesh)
            deformed[name] = mesh.posed(position, float(self._model.flex_radius[index]))
            texture, material = int(self._textures[row]), int(self._layer_materials[row])
            batches.append(Batch(name, texture, instance, material=material))
        if not skin and (options.flex_edge or options.flex_vert):
            batches += self._skeleton(index, instance[0], position, lods)
        return tuple(batches)

    def _skeleton(self, index: int, instance: Floats, position: Floats, lods: Lods) -> list[Batch]:
        """Capsules along the edges, spheres at the vertices."""
        model, batches = self._model, []
        radius, look = float(model.flex_radius[index]), (instance[COLOUR], instance[MATERIAL], Kind.FLEX, index)
        lod = int(lods(position, np.full(len(position), radius)).min())
        if self._options.flex_edge:
            first = int(model.flex_edgeadr[index])
            a, b = np.asarray(model.flex_edge).reshape(-1, 2)[first : first + int(model.flex_edgenum[index])].T
            batches.append(Batch("capsule", NO_TEXTURE, rods(position[a], position[b], radius, *look), lod))
        if self._options.flex_vert:
            upright = np.broadcast_to(np.eye(3), (len(position), 3, 3))
            rows = instance_rows(position, upright, np.full((len(position), 3), radius), *look)
            batches.append(Batch("sphere", NO_TEXTURE, rows, lod))
        return batches

    def _selected(self, state: StateView, selected: Selection | None) -> int:
        """The flex whose vertex is the selected body, which has no geoms to show that; or -1."""
        model = self._model
        if selected is None or not len(self._ids) or not selected.exists(model, state):
            return -1
        body = selected.body(model, state)
        if body <= 0 or (np.asarray(model.geom_bodyid) == body).any():
            return -1
        return next((index for index in self._ids.tolist() if (flex_bodies(model, index) == body).any()), -1)


def flex_bodies(model: ModelView, index: int) -> NDArray[np.int32]:
    """The bodies of the vertices of a flex, or those of its nodes if its vertices are interpolated."""
    nodes = int(model.flex_nodenum[index])
    if nodes:
        first = int(model.flex_nodeadr[index])
        return model.flex_nodebodyid[first : first + nodes]
    first = int(model.flex_vertadr[index])
    return model.flex_vertbodyid[first : first + int(model.flex_vertnum[index])]


def nearest_flex_body(model: ModelView, state: StateView, index: int, point: NDArray[np.float64]) -> int:
    """The body of the vertex or node of a flex that is nearest to a point."""
    bodies = flex_bodies(model, index)
    first, count = int(model.flex_vertadr[index]), int(model.flex_vertnum[index])
    # vertices may be anywhere on their body, nodes are where their bodies are
    places = state.xpos[bodies] if model.flex_nodenum[index] else state.flexvert_xpos[first : first + count]
    return int(bodies[np.argmin(np.linalg.norm(places - point, axis=1))])
