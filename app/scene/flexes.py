"""Flexes (deformable cables, cloths and solids of MuJoCo's models): their skin or faces, edges and vertices.

As in MuJoCo, the skin of a cloth or a solid takes the place of all else; a cable has only edges and vertices. Elements
of one flex can have different materials: each material is a part, which is drawn by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.model.flex_bodies import flex_bodies
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.scene.decor.skins import Deformables
from app.scene.flex_meshes import CLOTH, FlexMesh, element_materials, has_texcoord, part_number
from app.scene.ghost import Ghost, as_ghost
from app.scene.instances import (
    ALPHA,
    COLOUR,
    EMISSION,
    ID,
    ID_STEP,
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


class Part(NamedTuple):
    """The elements of a flex that have one material."""

    flex: int
    material: int
    # the number of its meshes
    number: int


class Flexes:
    """The visible flexes of one model."""

    def __init__(self, model: ModelView, options: VisualOptions) -> None:
        self._model, self._options = model, options
        look, every = _parts(model)
        ids = visible(look, Kind.FLEX, options.flex_group)
        self._shown = [every[i] for i in ids.tolist()]
        self._rows = surfaces(look, Kind.FLEX, ids)
        self._rows[:, ID] = [Kind.FLEX * ID_STEP + part.flex for part in self._shown]
        self._rows[:, SHAPE], self._rows[:, ROTATION] = (1, 1, 1, 0), np.eye(3).ravel()
        if options.transparent:
            self._rows[:, ALPHA] *= float(model.vis.map.alpha)
        self._set_textures(look, ids)

    def drawn(self, state: StateView, lods: Lods, selected: Selection | None = None) -> tuple[Deformables, list[Batch]]:
        """The flexes of a state, and what is outlined of them; a diverged one is left out."""
        drawn, outlined = Deformables(), []
        glowing = self._selected(state, selected)
        for row, part in enumerate(self._shown):
            instance = self._rows[row : row + 1]
            if part.flex == glowing:
                instance = instance.copy()
                instance[:, EMISSION] += float(self._model.vis.global_.glow)
            batches = self._batches(row, instance, self._positions(state, part.flex), lods, drawn.deformed)
            if instance[0, ALPHA] >= OPAQUE_ALPHA:
                drawn.opaque += batches
            else:
                drawn.transparent += batches
            outlined += [Batch(b.shape, NO_TEXTURE, b.instances, b.lod) for b in batches if part.flex == glowing]
        return drawn, outlined

    def ghost(self, ghost: Ghost, shown: StateView, lods: Lods) -> Deformables:
        """The flexes of another state, where they are elsewhere than those that are shown."""
        drawn = Deformables()
        for row, part in enumerate(self._shown):
            position = self._positions(ghost.state, part.flex)
            if not np.array_equal(position, self._positions(shown, part.flex)):
                instance = as_ghost(self._rows[row : row + 1], ghost.colour)
                batches = self._batches(row, instance, position, lods, drawn.deformed, "ghost ")
                drawn.transparent += tuple(replace(b, texture=NO_TEXTURE, shadow=False) for b in batches)
        return drawn

    def casters(self, state: StateView) -> Floats:
        """Bounding spheres of all flexes: centre and radius."""
        spheres = []
        for index in sorted({part.flex for part in self._shown}):
            position = self._positions(state, index)
            if len(position):
                low, high = position.min(axis=0), position.max(axis=0)
                reach = float(np.linalg.norm(high - low)) / 2 + float(self._model.flex_radius[index])
                spheres.append([*(low + high) / 2, reach])
        return np.array(spheres, np.float32).reshape(-1, 4)

    # constant parts

    def _set_textures(self, look: ModelView, ids: NDArray[np.int64]) -> None:
        """2D textures, of flexes that have texture coordinates, and how often they repeat."""
        self._textures, self._layer_materials = np.full((2, len(ids)), NO_TEXTURE)
        if not self._options.texture or not len(ids):
            return
        material = np.array([part.material for part in self._shown])
        self._rows[material >= 0, TEXTURE.start : TEXTURE.start + 2] = look.mat_texrepeat[material[material >= 0]]
        mapped = np.array([has_texcoord(look, part.flex) for part in self._shown])
        found = textures(look, Kind.FLEX, ids)
        flat = mapped & (found >= 0) & (np.append(look.tex_type, TEXTURE_2D)[found] == TEXTURE_2D)
        self._textures = np.where(flat, found, NO_TEXTURE)
        self._layer_materials = np.where(mapped, layer_materials(look, Kind.FLEX, ids), NO_TEXTURE)

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
        self, row: int, instance: Floats, position: Floats, lods: Lods, deformed: dict[str, Floats], prefix: str = ""
    ) -> tuple[Batch, ...]:
        """All that is drawn of one part; adds the vertices of its mesh."""
        options, index = self._options, self._shown[row].flex
        if not len(position):
            return ()
        batches, skin = [], self._has_skin(index)
        if skin or (options.flex_face and int(self._model.flex_dim[index]) >= CLOTH):
            name = f"{prefix}flex {'skin' if skin else 'faces'} {self._shown[row].number}"
            mesh = model_mesh(self._model, name)
            assert isinstance(mesh, FlexMesh)
            deformed[name] = mesh.posed(position, float(self._model.flex_radius[index]))
            texture, material = int(self._textures[row]), int(self._layer_materials[row])
            batches.append(Batch(name, texture, instance, material=material))
        # edges and vertices have the first material
        if not skin and self._shown[row].number == index:
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
        if selected is None or not self._shown or not selected.exists(model, state):
            return -1
        body = selected.body(model, state)
        if body <= 0 or (np.asarray(model.geom_bodyid) == body).any():
            return -1
        return next((part.flex for part in self._shown if (flex_bodies(model, part.flex) == body).any()), -1)


def _parts(model: ModelView) -> tuple[ModelView, list[Part]]:
    """All parts, and the model with a flex for each of them, from which colours and materials are found."""
    materials = [np.unique(element_materials(model, index)).tolist() for index in range(model.nflex)]
    parts = [
        Part(index, material, part_number(model, index, k))
        for index, of_flex in enumerate(materials)
        for k, material in enumerate(of_flex)
    ]
    if not parts:
        return model, parts
    flex = [part.flex for part in parts]
    look = {"flex_rgba": model.flex_rgba[flex], "flex_group": model.flex_group[flex], "nflex": len(parts)}
    return ModelView({**vars(model), **look, "flex_matid": np.array([part.material for part in parts])}), parts


def any_flex_visible(model: ModelView, groups: list[bool]) -> bool:
    """Whether a flex is in a visible group and has a colour that can be seen."""
    return len(visible(_parts(model)[0], Kind.FLEX, groups)) > 0
