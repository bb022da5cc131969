"""Builds the draw list (MuJoCo: mjvScene) from a model, a state and visual options.

Geoms and sites become instances of primitives, or of the model's meshes and height fields. What is constant for a model
(shape, size, colour, material) is computed once; each frame fills in the poses. Tendons, skins, flexes and decor
are computed for each frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.scene import decor
from app.scene.decor.islands import island_colours
from app.scene.decor.skins import Deformables, Skins
from app.scene.decor.user_geoms import UserGeom, user_geom_batches
from app.scene.flexes import Flexes
from app.scene.ghost import Ghost, as_ghost
from app.scene.instances import (
    ALPHA,
    COLOUR,
    EMISSION,
    LARGEST,
    NO_TEXTURE,
    OPAQUE_ALPHA,
    POSE,
    POSITION,
    REFLECTANCE,
    ROTATION,
    SHAPE,
    Batch,
    Floats,
    Kind,
    Plane,
)
from app.scene.lights import Headlight, Light, headlight, lights
from app.scene.surfaces import (
    BOX,
    MODEL_SHAPES,
    PLANE,
    element_types,
    layer_materials,
    layout,
    shape_names,
    skybox,
    textures,
    visible,
)
from app.scene.tendons import Tendons, of_tendon
from app.scene.visual_options import VisualOptions
from sim.script.rotation import quat_to_mat

# opacity of a finite plane seen from behind
BACK_ALPHA = 0.5
# a round shape of this angular radius (rad) or more is drawn with LOD 0, then 1, 2 and so on
LOD_ANGLES = (0.12, 0.025, 0.004, 0.0015)


@dataclass(frozen=True)
class Haze:
    """The colour of planes and skybox at the horizon, None for that of the sky, and its amount."""

    colour: Floats | None
    amount: float


@dataclass(frozen=True)
class Fog:
    """Fog colour, and the distances from the eye, m, between which it fades in."""

    colour: Floats
    start: float
    end: float


@dataclass(frozen=True)
class DrawList:
    """All that one frame shows. Lights that cast shadows come first; transparent batches are sorted far to near.

    `overlay` is faintly visible through what occludes it; `outlined`, drawn elsewhere in the list, gets an outline;
    `deformed` are the vertices of skins and flexes; `ghost` is drawn last, as one layer.
    """

    opaque: tuple[Batch, ...]
    transparent: tuple[Batch, ...]
    planes: tuple[Batch, ...]
    overlay: tuple[Batch, ...]
    outlined: tuple[Batch, ...]
    deformed: dict[str, Floats]
    lights: tuple[Light, ...]
    headlight: Headlight
    skybox: int
    haze: Haze | None
    fog: Fog | None
    # bounding spheres of shadow casters: centre and radius, (n, 4)
    casters: Floats
    # size of the model, m
    extent: float
    shadow: bool = True
    wireframe: bool = False
    additive: bool = False
    ghost: tuple[Batch, ...] = ()


def lod_levels(way: NDArray[Any], radius: NDArray[Any], reach: Any = 0.0) -> NDArray[np.int64]:
    """LOD of round shapes by angular radius; `way` is from the eye, `reach` their bounding radius."""
    distance = np.linalg.norm(way, axis=1) - reach
    lods: NDArray[np.int64] = np.digitize(radius / np.maximum(distance, 1e-6), LOD_ANGLES)
    lods[distance <= 0] = 0
    return lods


class Scene:
    """The scene of one model: constant rows of instances, and their poses in each frame."""

    def __init__(self, model: ModelView, options: VisualOptions) -> None:
        self._model = model
        self._options = replace(options)
        self.geoms = self._shown(Kind.GEOM, options.geom_group)
        self._sites = self._shown(Kind.SITE, options.site_group)
        elements = ((Kind.GEOM, self.geoms), (Kind.SITE, self._sites))
        self._rows: Floats = np.concatenate([layout(model, *element) for element in elements])
        self._types = np.concatenate([element_types(model, *element) for element in elements])
        self._shapes = [name for element in elements for name in shape_names(model, *element, options.convex_hull)]
        found = np.concatenate([textures(model, *element) for element in elements])
        self._textures = found if options.texture else np.full_like(found, NO_TEXTURE)
        found = np.concatenate([layer_materials(model, *element) for element in elements])
        self._layer_materials = found if options.texture else np.full_like(found, NO_TEXTURE)
        self._shadow = np.concatenate([model.geom_castshadow[self.geoms], np.ones(len(self._sites), bool)])
        self._from_model = np.isin(self._types, list(MODEL_SHAPES))
        self._rbound = np.linalg.norm(self._rows[:, SHAPE], axis=1)
        own = np.flatnonzero(self._from_model[: len(self.geoms)])
        self._rbound[own] = model.geom_rbound[self.geoms[own]] if len(own) else 0
        self._place_mesh_sites()
        self._bodies = self._body_of_rows()
        if options.transparent:
            self._rows[model.body_weldid[self._bodies] > 0, ALPHA] *= float(model.vis.map.alpha)
        self._tendons = Tendons(model, options)
        self._skins = Skins(model, visible(model, Kind.SKIN, options.skin_group if options.skin else [False]), options)
        self._flexes = Flexes(model, self._options)
        self._split()

    def draw_list(
        self,
        state: StateView,
        eye: NDArray[np.float64],
        selected: Selection | None = None,
        user_geoms: Sequence[UserGeom] = (),
        ghost: Ghost | None = None,
        more_ghosts: Sequence[Ghost] = (),
        colours: Floats | None = None,
    ) -> DrawList:
        """The draw list of `state`, seen from `eye`, with user geoms and ghosts; the selection glows, outlined.

        `colours` of bodies, (nbody, 3), are drawn instead of those of geoms that move.
        """
        model, options = self._model, self._options
        rows, diverged = self._posed_rows(state)
        self._tint(rows, state, colours)
        selected_rows = self._selected_rows(state, selected)
        ghosts = more_ghosts if ghost is None else (ghost, *more_ghosts)
        ghost_batches = tuple(batch for one in ghosts for batch in self._ghost(one, rows, eye))
        rows[selected_rows, EMISSION] += float(model.vis.global_.glow)
        clear = np.concatenate([self._transparent_rows, self._back_facing_planes(rows, eye)])
        rows[clear[len(self._transparent_rows) :], ALPHA] *= BACK_ALPHA
        opaque_tendons, clear_tendons = self._tendons.drawn(state)

        def lods(positions: NDArray[Any], radii: NDArray[Any]) -> NDArray[np.int64]:
            return lod_levels(positions - eye, radii)

        opaque_geoms, clear_geoms = user_geom_batches(user_geoms, lods)
        skins = self._skins.drawn(state)
        flexes, outlined_flexes = self._flexes.drawn(state, lods, selected)
        ghost_flexes = self._flexes.ghost(ghost, state, lods) if ghost is not None else Deformables()
        return DrawList(
            opaque=self._opaque(rows, eye) + opaque_tendons + skins.opaque + flexes.opaque + opaque_geoms,
            transparent=self._transparent(rows, clear, eye)
            + (clear_tendons + skins.transparent + flexes.transparent + clear_geoms),
            planes=tuple(self._single(rows, r) for r in self._plane_rows),
            overlay=decor.overlay(model, state, options),
            outlined=(
                *(Batch(self._shapes[run[0]], NO_TEXTURE, rows[run], 1) for run in self._runs(selected_rows)),
                *of_tendon(opaque_tendons + clear_tendons, selected),
                *outlined_flexes,
            ),
            deformed=skins.deformed | flexes.deformed | ghost_flexes.deformed,
            lights=lights(model, state),
            headlight=headlight(model),
            skybox=skybox(model) if options.skybox else NO_TEXTURE,
            haze=self._haze() if options.haze and self._has_infinite_plane else None,
            fog=self._fog() if options.fog else None,
            casters=np.concatenate([self._casters(rows, diverged), self._flexes.casters(state)]),
            extent=float(model.stat.extent),
            shadow=options.shadow,
            wireframe=options.wireframe,
            additive=options.additive,
            ghost=ghost_batches + ghost_flexes.transparent,
        )

    # constant parts

    def _shown(self, kind: Kind, groups: list[bool]) -> NDArray[np.int64]:
        """Ids of the visible geoms or sites."""
        ids = visible(self._model, kind, groups)
        if self._options.static or not len(ids):
            return ids
        body = getattr(self._model, f"{kind.name.lower()}_bodyid")[ids]
        moving: NDArray[np.int64] = ids[self._model.body_weldid[body] > 0]
        return moving

    def _body_of_rows(self) -> NDArray[np.int64]:
        """The body of each row."""
        bodies = [self._model.geom_bodyid[self.geoms], self._model.site_bodyid[self._sites]]
        return np.concatenate(bodies, dtype=np.int64)

    def _place_mesh_sites(self) -> None:
        """Rows of sites with a mesh, and the pose of the mesh in the site's frame; geoms have that of the mesh."""
        count = len(self.geoms)
        self._mesh_sites = count + np.flatnonzero(self._from_model[count:])
        sites = self._sites[self._mesh_sites - count]
        mesh = np.asarray(self._model.site_dataid)[sites]
        self._rbound[self._mesh_sites] = np.linalg.norm(self._model.site_size[sites], axis=1)
        self._mesh_pos = np.asarray(self._model.mesh_pos, np.float64)[mesh]
        rotations = [quat_to_mat(quat) for quat in self._model.mesh_quat[mesh].tolist()]
        self._mesh_mat = np.array(rotations).reshape(-1, 3, 3)

    def _split(self) -> None:
        """Sort the rows into planes, mirrors, opaque groups of equal shape and texture, and transparent ones."""
        plane = self._types == PLANE
        transparent = (self._rows[:, ALPHA] < OPAQUE_ALPHA) & ~plane
        mirror = (self._types == BOX) & (self._rows[:, REFLECTANCE] > 0) & ~transparent & self._options.reflection
        self._plane_rows = np.flatnonzero(plane).tolist()
        self._has_infinite_plane = bool((self._rows[plane][:, SHAPE][:, :2] <= 0).any())
        self._mirror_rows = np.flatnonzero(mirror).tolist()
        self._transparent_rows = np.flatnonzero(transparent)
        self._caster_rows = np.flatnonzero(~plane & self._shadow)
        # shape, textures and shadow as one key
        known: dict[str, int] = {}
        self._keys = np.array([known.setdefault(name, len(known)) for name in self._shapes], dtype=np.int64)
        for part in (self._textures, self._layer_materials, self._shadow.astype(np.int64)):
            self._keys = self._keys * (int(part.max(initial=0)) + 2) + part + 1
        rows = np.flatnonzero(~plane & ~transparent & ~mirror)
        self._groups = self._runs(rows[np.argsort(self._keys[rows], kind="stable")])

    def _runs(self, rows: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Rows split into runs of equal shape, textures and shadow."""
        cuts = np.flatnonzero(np.diff(self._keys[rows])) + 1
        return [run for run in np.split(rows, cuts) if len(run)]

    def _haze(self) -> Haze:
        """The model's haze; white, the default, stands for the colour of the sky."""
        colour = np.asarray(self._model.vis.rgba.haze)
        return Haze(None if (colour[:3] == 1).all() else colour, float(self._model.vis.map.haze))

    def _fog(self) -> Fog:
        vis, extent = self._model.vis, float(self._model.stat.extent)
        return Fog(np.asarray(vis.rgba.fog), float(vis.map.fogstart) * extent, float(vis.map.fogend) * extent)

    # parts of each frame

    def _posed_rows(self, state: StateView) -> tuple[Floats, NDArray[np.bool_]]:
        """The rows with their poses, and which are diverged; those are hidden, the rest stays visible."""
        rows, count = self._rows.copy(), len(self.geoms)
        with np.errstate(over="ignore"):
            for part, ids, prefix in ((slice(count), self.geoms, "geom"), (slice(count, None), self._sites, "site")):
                if len(ids):
                    rows[part, POSITION] = getattr(state, f"{prefix}_xpos")[ids]
                    rows[part, ROTATION] = getattr(state, f"{prefix}_xmat")[ids].reshape(-1, 9)
            if len(self._mesh_sites):
                sites = self._sites[self._mesh_sites - count]
                mat = np.asarray(state.site_xmat, np.float64)[sites].reshape(-1, 3, 3)
                rows[self._mesh_sites, POSITION] = state.site_xpos[sites] + (mat @ self._mesh_pos[:, :, None])[:, :, 0]
                rows[self._mesh_sites, ROTATION] = (mat @ self._mesh_mat).reshape(-1, 9)
        diverged = ~(np.abs(rows[:, POSE]).max(axis=1, initial=0.0) < LARGEST)
        rows[diverged] = 0.0
        return rows, diverged

    def _tint(self, rows: Floats, state: StateView, colours: Floats | None) -> None:
        """Give geoms that move the colours of their bodies: those that are given, or of islands if these are shown."""
        if colours is None and self._options.island:
            colours = island_colours(self._model, state)
        # those of a model that is not shown any more are of another length
        if colours is not None and len(colours) == len(self._model.body_weldid):
            moving = np.flatnonzero(self._model.body_weldid[self._bodies[: len(self.geoms)]] > 0)
            rows[moving, COLOUR.start : COLOUR.start + 3] = colours[self._bodies[moving]]

    def _selected_rows(self, state: StateView, selected: Selection | None) -> NDArray[np.int64]:
        """The rows of the selection: geom, site, contact, tree, island, or the body of any other element."""
        model, count = self._model, len(self.geoms)
        if selected is None or not selected.exists(model, state):
            return np.zeros(0, np.int64)
        mask = np.zeros(len(self._rows), bool)
        if selected.kind == "geom":
            mask[:count] = self.geoms == selected.index
        elif selected.kind == "site":
            mask[count:] = self._sites == selected.index
        elif selected.kind == "contact":
            mask[:count] = np.isin(self.geoms, state.contact.geom[selected.index])
        elif selected.kind in ("tree", "island"):
            tree = np.asarray(model.body_treeid)[self._bodies]
            of_tree = np.arange(len(state.tree_island)) if selected.kind == "tree" else state.tree_island
            mask = (tree >= 0) & (of_tree[tree] == selected.index)
        elif selected.body(model, state) > 0:
            mask = self._bodies == selected.body(model, state)
        return np.flatnonzero(mask & (self._types != PLANE))

    def _single(self, rows: Floats, row: int) -> Batch:
        """A batch of one instance, a mirror if it reflects."""
        mirror = None
        if self._options.reflection and rows[row, REFLECTANCE] > 0:
            mirror = _mirror_plane(rows[row], self._types[row] == BOX)
        return self._batch(rows, np.array([row]), 0, mirror)

    def _batch(self, rows: Floats, ids: NDArray[np.int64], lod: int, mirror: Plane | None = None) -> Batch:
        """A batch of rows of equal shape and textures."""
        first = ids[0]
        texture, material = int(self._textures[first]), int(self._layer_materials[first])
        shadow = bool(self._shadow[first])
        return Batch(self._shapes[first], texture, rows[ids], lod, mirror, material, shadow=shadow)

    def _opaque(self, rows: Floats, eye: NDArray[np.float64]) -> tuple[Batch, ...]:
        """Groups of equal shape and textures, split by LOD; mirrors as single batches."""
        lods = self._lods(rows, eye)
        batches = [self._single(rows, row) for row in self._mirror_rows]
        for ids in self._groups:
            for lod in np.unique(lods[ids]).tolist():
                batches.append(self._batch(rows, ids[lods[ids] == lod], lod))
        return tuple(batches)

    def _lods(self, rows: Floats, eye: NDArray[np.float64]) -> NDArray[np.int64]:
        """LOD of each row; meshes of the model have one."""
        lods = lod_levels(rows[:, POSITION] - eye, rows[:, SHAPE][:, :2].max(axis=1, initial=0.0), self._rbound)
        lods[self._from_model] = 0
        return lods

    def _ghost(self, ghost: Ghost, rows: Floats, eye: NDArray[np.float64]) -> tuple[Batch, ...]:
        """Geoms that move, where another state has them elsewhere than `rows`, and tendons."""
        posed, diverged = self._posed_rows(ghost.state)
        moving = self._model.body_weldid[self._bodies] > 0
        shown = moving & (posed[:, POSE] != rows[:, POSE]).any(axis=1) & ~diverged & (self._types != PLANE)
        shown[len(self.geoms) :] = False
        posed, lods = as_ghost(posed, ghost.colour), self._lods(posed, eye)
        ids = np.flatnonzero(shown)
        batches = []
        for run in self._runs(ids[np.argsort(self._keys[ids], kind="stable")]):
            for lod in np.unique(lods[run]).tolist():
                batches.append(Batch(self._shapes[run[0]], NO_TEXTURE, posed[run[lods[run] == lod]], lod, shadow=False))
        for tendons in (batch for part in self._tendons.drawn(ghost.state) for batch in part):
            instances = as_ghost(tendons.instances, ghost.colour)
            batches.append(replace(tendons, instances=instances, shadow=False))
        return tuple(batches)

    def _back_facing_planes(self, rows: Floats, eye: NDArray[np.float64]) -> NDArray[np.int64]:
        """Finite planes seen from behind, which are drawn transparent. Infinite ones are culled."""
        planes = np.array(self._plane_rows, np.int64)
        normal = rows[planes][:, ROTATION].reshape(-1, 3, 3)[:, :, 2]
        behind = np.sum(normal * (eye - rows[planes][:, POSITION]), axis=1) < 0
        finite = (rows[planes][:, SHAPE][:, :2] > 0).all(axis=1)
        found: NDArray[np.int64] = planes[behind & finite]
        return found

    def _transparent(self, rows: Floats, transparent: NDArray[np.int64], eye: NDArray[np.float64]) -> tuple[Batch, ...]:
        """Sorted far to near; neighbours of equal shape and textures share a batch."""
        distance = np.linalg.norm(rows[transparent, POSITION] - eye, axis=1)
        order = transparent[np.argsort(-distance)]
        return tuple(self._batch(rows, run, 1) for run in self._runs(order))

    def _casters(self, rows: Floats, diverged: NDArray[np.bool_]) -> Floats:
        """Bounding spheres of all rows but planes, diverged ones and those without shadows."""
        shown = self._caster_rows[~diverged[self._caster_rows]]
        return np.column_stack([rows[shown, POSITION], self._rbound[shown]])


def _mirror_plane(row: Floats, box: bool) -> Plane:
    """The mirror plane of a plane or of the top of a box; rounded, so that coplanar ones share a mirror."""
    normal = row[ROTATION].astype(float).reshape(3, 3)[:, 2]
    distance = float(normal @ row[POSITION]) + (float(row[SHAPE][2]) if box else 0.0)
    x, y, z = (round(float(v), 6) for v in normal)
    return x, y, z, round(distance, 6)
