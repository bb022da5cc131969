"""Decides what to draw: from ModelView, StateView and VisualOptions to instance lists. No GL.

Geoms and sites become instances of primitive shapes, or of the model's own meshes and height fields. What does
not change while a model lives (shape, size, colour, material) is laid out once; each frame fills in the poses.
Tendons, skins and decorations are made anew for each frame.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.selection import Selection
from app.run.snapshot import ModelView, StateView
from app.scene import decor
from app.scene.decor.islands import island_colours
from app.scene.decor.skins import Skins
from app.scene.decor.user_geoms import UserGeom, user_geom_batches
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
    POSE,
    POSITION,
    REFLECTANCE,
    ROTATION,
    SHAPE,
    Batch,
    Floats,
    Kind,
    Plane,
    rods,
)
from app.scene.lights import Headlight, Light, headlight, lights
from app.scene.surfaces import (
    BOX,
    OWN_SHAPES,
    PLANE,
    element_types,
    layered,
    layout,
    shape_names,
    skybox,
    surfaces,
    textures,
    visible,
)
from app.scene.tendons import tendon_segments
from app.scene.visual_options import VisualOptions

# opacity of a wall that is seen from behind
BEHIND = 0.5
# a round shape of this angular radius (rad) or more is drawn with level 0, then 1, 2 and so on
LOD_ANGLES = (0.12, 0.025, 0.004, 0.0015)


@dataclass(frozen=True)
class Haze:
    """The colour that planes and skybox take on at the horizon, None for that of the sky, and how much there is."""

    colour: Floats | None
    amount: float


@dataclass(frozen=True)
class Fog:
    """The colour that all things take on between two distances from the eye, in metres."""

    colour: Floats
    start: float
    end: float


@dataclass(frozen=True)
class DrawList:
    """All that one frame shows. Lights that cast shadows come first; see-through batches far to near.

    What is in `overlay` shines faintly through everything before it; what is in `outlined`, drawn already, gets a line
    around it; `deformed` are the vertices of shapes that change.
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
    # centre and radius of a sphere around each geom that casts a shadow, (n, 4)
    casters: Floats
    # size of the model, m
    extent: float
    shadow: bool = True
    wireframe: bool = False
    additive: bool = False


def lod_levels(way: NDArray[Any], radius: NDArray[Any], reach: Any = 0.0) -> NDArray[np.int64]:
    """Levels of detail for round things of a radius, seen along ways; `reach` is how near to the eye they come."""
    distance = np.linalg.norm(way, axis=1) - reach
    levels: NDArray[np.int64] = np.digitize(radius / np.maximum(distance, 1e-6), LOD_ANGLES)
    levels[distance <= 0] = 0
    return levels


class Scene:
    """The drawable layout of one model."""

    def __init__(self, model: ModelView, options: VisualOptions) -> None:
        self._model = model
        self._options = replace(options)
        self.geoms = self._shown(Kind.GEOM, options.geom_group)
        self._sites = self._shown(Kind.SITE, options.site_group)
        kinds = ((Kind.GEOM, self.geoms), (Kind.SITE, self._sites))
        self._rows: Floats = np.concatenate([layout(model, *kind) for kind in kinds])
        self._types = np.concatenate([element_types(model, *kind) for kind in kinds])
        self._shapes = [name for kind in kinds for name in shape_names(model, *kind, options.convex_hull)]
        found = np.concatenate([textures(model, *kind) for kind in kinds])
        self._textures = found if options.texture else np.full_like(found, NO_TEXTURE)
        found = np.concatenate([layered(model, *kind) for kind in kinds])
        self._layered = found if options.texture else np.full_like(found, NO_TEXTURE)
        self._own = np.isin(self._types, list(OWN_SHAPES))
        self._rbound = np.linalg.norm(self._rows[:, SHAPE], axis=1)
        self._rbound[self._own] = model.geom_rbound[self.geoms[np.flatnonzero(self._own)]] if self._own.any() else 0
        self._bodies = self._body_of_rows()
        if options.transparent:
            self._rows[model.body_weldid[self._bodies] > 0, ALPHA] *= float(model.vis.map.alpha)
        self._tendons = visible(model, Kind.TENDON, options.tendon_group if options.tendon else [False])
        self._tendon_rows = surfaces(model, Kind.TENDON, self._tendons)
        self._skins = Skins(model, visible(model, Kind.SKIN, options.skin_group if options.skin else [False]), options)
        self._split()

    def draw_list(
        self,
        state: StateView,
        eye: NDArray[np.float64],
        selected: Selection | None = None,
        extra: Sequence[UserGeom] = (),
    ) -> DrawList:
        """What to draw for `state`, seen from `eye`, with `extra` geoms; what is selected glows and gets an outline."""
        model, options = self._model, self._options
        rows, lost = self._placed(state)
        chosen = self._chosen(state, selected)
        rows[chosen, EMISSION] += float(model.vis.global_.glow)
        clear = np.concatenate([self._clear_rows, self._turned_away(rows, eye)])
        rows[clear[len(self._clear_rows) :], ALPHA] *= BEHIND
        solid_tendons, clear_tendons = self._drawn_tendons(state)
        solid_extra, clear_extra = user_geom_batches(extra, lambda places, radii: lod_levels(places - eye, radii))
        skins = self._skins.drawn(state)
        return DrawList(
            opaque=self._opaque(rows, eye) + solid_tendons + skins.opaque + solid_extra,
            transparent=self._transparent(rows, clear, eye) + clear_tendons + skins.transparent + clear_extra,
            planes=tuple(self._single(rows, r) for r in self._plane_rows),
            overlay=decor.overlay(model, state, options),
            outlined=(
                *(Batch(self._shapes[run[0]], NO_TEXTURE, rows[run], 1) for run in self._runs(chosen)),
                *_of_tendon(solid_tendons + clear_tendons, selected),
            ),
            deformed=skins.deformed,
            lights=lights(model, state),
            headlight=headlight(model),
            skybox=skybox(model) if options.skybox else NO_TEXTURE,
            haze=self._haze() if options.haze and self._endless else None,
            fog=self._fog() if options.fog else None,
            casters=self._casters(rows, lost),
            extent=float(model.stat.extent),
            shadow=options.shadow,
            wireframe=options.wireframe,
            additive=options.additive,
        )

    # what does not change

    def _shown(self, kind: Kind, groups: list[bool]) -> NDArray[np.int64]:
        """Ids of the geoms or sites that are drawn."""
        ids = visible(self._model, kind, groups)
        if self._options.static or not len(ids):
            return ids
        body = getattr(self._model, f"{kind.name.lower()}_bodyid")[ids]
        moving: NDArray[np.int64] = ids[self._model.body_weldid[body] > 0]
        return moving

    def _body_of_rows(self) -> NDArray[np.int64]:
        """The body of each geom and site that is drawn."""
        geoms = self._model.geom_bodyid[self.geoms] if len(self.geoms) else []
        sites = self._model.site_bodyid[self._sites] if len(self._sites) else []
        return np.concatenate([geoms, sites]).astype(np.int64)

    def _split(self) -> None:
        """Sort the rows into planes, mirrors, opaque groups of equal shape and texture, and see-through ones."""
        plane = self._types == PLANE
        clear = (self._rows[:, ALPHA] < OPAQUE_ALPHA) & ~plane
        mirror = (self._types == BOX) & (self._rows[:, REFLECTANCE] > 0) & ~clear & self._options.reflection
        self._plane_rows = np.flatnonzero(plane).tolist()
        self._endless = bool((self._rows[plane][:, SHAPE][:, :2] <= 0).any())
        self._mirror_rows = np.flatnonzero(mirror).tolist()
        self._clear_rows = np.flatnonzero(clear)
        self._solid_rows = np.flatnonzero(~plane)
        # shape and textures as one number
        known: dict[str, int] = {}
        self._keys = np.array([known.setdefault(name, len(known)) for name in self._shapes], dtype=np.int64)
        for part in (self._textures, self._layered):
            self._keys = self._keys * (int(part.max(initial=0)) + 2) + part + 1
        rows = np.flatnonzero(~plane & ~clear & ~mirror)
        self._groups = self._runs(rows[np.argsort(self._keys[rows], kind="stable")])

    def _runs(self, rows: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Rows cut into runs of equal shape and textures."""
        cuts = np.flatnonzero(np.diff(self._keys[rows])) + 1
        return [run for run in np.split(rows, cuts) if len(run)]

    def _haze(self) -> Haze:
        """The model's haze; white, which it is unless the model says otherwise, stands for the colour of the sky."""
        colour = np.asarray(self._model.vis.rgba.haze)
        return Haze(None if (colour[:3] == 1).all() else colour, float(self._model.vis.map.haze))

    def _fog(self) -> Fog:
        vis, extent = self._model.vis, float(self._model.stat.extent)
        return Fog(np.asarray(vis.rgba.fog), float(vis.map.fogstart) * extent, float(vis.map.fogend) * extent)

    # what each frame is made of

    def _placed(self, state: StateView) -> tuple[Floats, NDArray[np.bool_]]:
        """The rows with their poses; what has exploded is left out, the rest stays visible."""
        rows, count = self._rows.copy(), len(self.geoms)
        with np.errstate(over="ignore"):
            for part, ids, prefix in ((slice(count), self.geoms, "geom"), (slice(count, None), self._sites, "site")):
                if len(ids):
                    rows[part, POSITION] = getattr(state, f"{prefix}_xpos")[ids]
                    rows[part, ROTATION] = getattr(state, f"{prefix}_xmat")[ids].reshape(-1, 9)
        lost = ~(np.abs(rows[:, POSE]).max(axis=1, initial=0.0) < LARGEST)
        rows[lost] = 0.0
        if self._options.island and count:
            moving = np.flatnonzero(self._model.body_weldid[self._bodies[:count]] > 0)
            tint = island_colours(self._model, state)[self._bodies[moving]]
            rows[moving, COLOUR.start : COLOUR.start + 3] = tint
        return rows, lost

    def _chosen(self, state: StateView, selected: Selection | None) -> NDArray[np.int64]:
        """The rows of what is selected: those of a body unless it is something smaller or larger."""
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
        """One instance, a mirror if it reflects."""
        mirror = None
        if self._options.reflection and rows[row, REFLECTANCE] > 0:
            mirror = _mirror_plane(rows[row], self._types[row] == BOX)
        return self._batch(rows, np.array([row]), 0, mirror)

    def _batch(self, rows: Floats, ids: NDArray[np.int64], level: int, mirror: Plane | None = None) -> Batch:
        """Rows of equal shape and textures."""
        first = ids[0]
        texture, material = int(self._textures[first]), int(self._layered[first])
        return Batch(self._shapes[first], texture, rows[ids], level, mirror, material)

    def _opaque(self, rows: Floats, eye: NDArray[np.float64]) -> tuple[Batch, ...]:
        """Groups of equal shape and textures, split by level of detail; mirrors on their own."""
        levels = lod_levels(rows[:, POSITION] - eye, rows[:, SHAPE][:, :2].max(axis=1, initial=0.0), self._rbound)
        levels[self._own] = 0
        batches = [self._single(rows, row) for row in self._mirror_rows]
        for ids in self._groups:
            for level in np.unique(levels[ids]).tolist():
                batches.append(self._batch(rows, ids[levels[ids] == level], level))
        return tuple(batches)

    def _turned_away(self, rows: Floats, eye: NDArray[np.float64]) -> NDArray[np.int64]:
        """Planes that end and are seen from behind: walls that one can look through. Endless floors are not seen."""
        planes = np.array(self._plane_rows, np.int64)
        normal = rows[planes][:, ROTATION].reshape(-1, 3, 3)[:, :, 2]
        away = np.sum(normal * (eye - rows[planes][:, POSITION]), axis=1) < 0
        ending = (rows[planes][:, SHAPE][:, :2] > 0).all(axis=1)
        found: NDArray[np.int64] = planes[away & ending]
        return found

    def _transparent(self, rows: Floats, clear: NDArray[np.int64], eye: NDArray[np.float64]) -> tuple[Batch, ...]:
        """Far to near; neighbours of equal shape and textures share a batch."""
        distance = np.linalg.norm(rows[clear, POSITION] - eye, axis=1)
        order = clear[np.argsort(-distance)]
        return tuple(self._batch(rows, run, 1) for run in self._runs(order))

    def _drawn_tendons(self, state: StateView) -> tuple[tuple[Batch, ...], tuple[Batch, ...]]:
        """TendonSegments along all visible tendons: the solid ones, and those that can be seen through."""
        if not len(self._tendons):
            return (), ()
        paths = tendon_segments(self._model, state)
        shown = np.isin(paths.tendon, self._tendons)
        tendon = paths.tendon[shown]
        looks = self._tendon_rows[np.searchsorted(self._tendons, tendon)]
        radius = np.asarray(self._model.tendon_width)[tendon]
        batches = []
        for part in (looks[:, ALPHA] >= OPAQUE_ALPHA, looks[:, ALPHA] < OPAQUE_ALPHA):
            start, end = paths.start[shown][part], paths.end[shown][part]
            look = (looks[part, COLOUR], looks[part, MATERIAL])
            rows = rods(start, end, radius[part], *look, Kind.TENDON, tendon[part])
            batches.append((Batch("capsule", NO_TEXTURE, rows, lod=2),) if len(rows) else ())
        return batches[0], batches[1]

    def _casters(self, rows: Floats, lost: NDArray[np.bool_]) -> Floats:
        """A sphere around each solid instance that is somewhere."""
        solid = self._solid_rows[~lost[self._solid_rows]]
        return np.column_stack([rows[solid, POSITION], self._rbound[solid]])


def _of_tendon(batches: tuple[Batch, ...], selected: Selection | None) -> Iterator[Batch]:
    """The rods of a selected tendon."""
    if selected is not None and selected.kind == "tendon":
        for batch in batches:
            rods_of_it = batch.instances[batch.instances[:, ID] == Kind.TENDON * ID_STEP + selected.index]
            if len(rods_of_it):
                yield Batch(batch.shape, NO_TEXTURE, rods_of_it, batch.lod)


def _mirror_plane(row: Floats, box: bool) -> Plane:
    """The plane of a plane, or of the top of a box; rounded, so that neighbours share a mirror."""
    normal = row[ROTATION].astype(float).reshape(3, 3)[:, 2]
    distance = float(normal @ row[POSITION]) + (float(row[SHAPE][2]) if box else 0.0)
    x, y, z = (round(float(v), 6) for v in normal)
    return x, y, z, round(distance, 6)
