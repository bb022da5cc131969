"""Decides what to draw: from ModelView, StateView and VisualOptions to instance lists. No GL.

Geoms and sites become instances of primitive shapes, or of the model's own meshes and height fields. What does
not change while a model lives (shape, size, colour, material) is laid out once; each frame fills in the poses.
Tendons and contacts are made anew for each frame.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.contacts import contact_discs, force_arrows
from app.instances import (
    COLOUR,
    EMISSION,
    INSTANCE_FLOATS,
    LARGEST,
    MATERIAL,
    NO_TEXTURE,
    POSITION,
    ROTATION,
    SHAPE,
    TEXTURE,
    Batch,
    Floats,
    rods,
)
from app.snapshot import ModelView, StateView
from app.state import VisualOptions
from app.tendons import tendon_rods

# geom types of the engine, by number
PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = range(8)
SHAPE_NAMES = {
    PLANE: "plane", SPHERE: "sphere", CAPSULE: "capsule", ELLIPSOID: "sphere", CYLINDER: "cylinder", BOX: "box",
}  # fmt: skip

# shapes that a model brings along: their vertices are in metres
OWN_SHAPES = {HFIELD: "height field", MESH: "mesh"}

TEXTURE_ROLE_RGB = 1
TEXTURE_2D, TEXTURE_CUBE, TEXTURE_SKYBOX = 0, 1, 2
DEFAULT_RGBA = np.array([0.5, 0.5, 0.5, 1.0], dtype=np.float32)
DEFAULT_MATERIAL = (0.5, 0.5, 0.0, 0.0)
SPOT, DIRECTIONAL, POINT = 0, 1, 2
MAX_LIGHTS = 8
# below this opacity a thing can be seen through
CLEAR = 0.999
# beyond so many extents a thing no longer widens the shadow map
FLOWN = 10.0

# a round shape of this angular radius (rad) or more is drawn with level 0, then 1, then 2
LEVEL_LIMITS = (0.03, 0.006)


@dataclass(frozen=True)
class Light:
    """A light of the model, or the viewer's own key light."""

    kind: int
    position: Floats
    direction: Floats
    ambient: Floats
    diffuse: Floats
    specular: Floats
    attenuation: Floats
    cutoff: float
    exponent: float
    shadow: bool


@dataclass(frozen=True)
class Headlight:
    """The light at the eye."""

    ambient: Floats
    diffuse: Floats
    specular: Floats


@dataclass(frozen=True)
class DrawList:
    """All that one frame shows. Lights that cast shadows come first; see-through batches far to near.

    What is in `overlay` shines faintly through everything before it.
    """

    opaque: tuple[Batch, ...]
    see_through: tuple[Batch, ...]
    planes: tuple[Batch, ...]
    overlay: tuple[Batch, ...]
    lights: tuple[Light, ...]
    headlight: Headlight
    skybox: int
    haze: float
    # the sphere around everything that casts a shadow
    center: Floats
    radius: float


@dataclass(frozen=True)
class _Kind:
    """Geoms, sites or tendons: the prefix of their fields, their rows in the layout."""

    prefix: str
    ids: NDArray[np.int64]


class Scene:
    """The drawable layout of one model."""

    def __init__(self, model: ModelView, options: VisualOptions) -> None:
        self._model = model
        self._options = replace(options)
        self._tendons = _Kind("tendon", _drawn(model, "tendon", options.tendon_group if options.tendon else []))
        self._tendon_rows = _surfaces(model, self._tendons)
        self._geoms = _Kind("geom", _drawn(model, "geom", options.geom_group))
        self._sites = _Kind("site", _drawn(model, "site", options.site_group))
        kinds = (self._geoms, self._sites)
        self._rows: Floats = np.concatenate([_layout(model, kind) for kind in kinds])
        self._types = np.concatenate([_field(model, k, "type") for k in kinds])
        self._shapes = np.concatenate([_shape_names(model, kind) for kind in kinds])
        textures = np.concatenate([_textures(model, k) for k in kinds])
        self._textures = textures if options.texture else np.full_like(textures, NO_TEXTURE)
        self._own = np.isin(self._types, list(OWN_SHAPES))
        self._rbound = np.linalg.norm(self._rows[:, SHAPE], axis=1)
        drawn_own = np.flatnonzero(self._own)
        self._rbound[drawn_own] = np.asarray(model.geom_rbound)[self._geoms.ids[drawn_own]] if len(drawn_own) else 0
        self._skybox = _skybox(model) if options.skybox else NO_TEXTURE
        self._haze = float(model.vis.map.haze) if options.haze else 0.0
        self._split()

    def _split(self) -> None:
        """Sort the rows into planes, opaque groups of equal shape and texture, and see-through ones."""
        plane = self._types == PLANE
        clear = (self._rows[:, COLOUR][:, 3] < CLEAR) & ~plane
        self._plane_rows = np.flatnonzero(plane)
        self._clear_rows = np.flatnonzero(clear)
        self._solid_rows = np.flatnonzero(~plane)
        groups: dict[tuple[str, int], list[int]] = {}
        for row in np.flatnonzero(~plane & ~clear).tolist():
            groups.setdefault((self._shapes[row], int(self._textures[row])), []).append(row)
        self._groups = {key: np.array(rows) for key, rows in groups.items()}

    @property
    def geoms(self) -> NDArray[np.int64]:
        """The geoms that are drawn."""
        return self._geoms.ids

    def draw_list(self, state: StateView, eye: NDArray[np.float64], selected: int = -1) -> DrawList:
        """What to draw for `state`, seen from `eye`; body `selected` glows."""
        rows, lost = self._placed(state)
        if selected >= 0:
            glowing = np.asarray(self._model.geom_bodyid)[self._geoms.ids] == selected
            rows[: len(glowing)][glowing, EMISSION] += float(self._model.vis.global_.glow)
        center, radius = self._bounds(rows, lost)
        solid_tendons, clear_tendons = self._drawn_tendons(state)
        return DrawList(
            opaque=self._opaque(rows, eye) + solid_tendons,
            see_through=self._see_through(rows, eye) + clear_tendons,
            planes=tuple(Batch("plane", int(self._textures[r]), rows[r : r + 1]) for r in self._plane_rows),
            overlay=self._overlay(state),
            lights=_lights(self._model, state),
            headlight=_headlight(self._model),
            skybox=self._skybox,
            haze=self._haze,
            center=center,
            radius=radius,
        )

    def _placed(self, state: StateView) -> tuple[Floats, NDArray[np.bool_]]:
        """The rows with their poses; what has exploded is left out, the rest stays visible."""
        rows = self._rows.copy()
        start = 0
        with np.errstate(over="ignore"):
            for kind in (self._geoms, self._sites):
                end = start + len(kind.ids)
                if len(kind.ids):
                    rows[start:end, POSITION] = getattr(state, f"{kind.prefix}_xpos")[kind.ids]
                    rows[start:end, ROTATION] = getattr(state, f"{kind.prefix}_xmat")[kind.ids].reshape(-1, 9)
                start = end
        lost = ~(np.abs(rows).max(axis=1, initial=0.0) < LARGEST)
        rows[lost] = 0.0
        return rows, lost

    def _opaque(self, rows: Floats, eye: NDArray[np.float64]) -> tuple[Batch, ...]:
        """Groups of equal shape and texture, split by level of detail."""
        distance = np.linalg.norm(rows[:, POSITION] - eye, axis=1) - self._rbound
        angular = rows[:, SHAPE][:, :2].max(axis=1) / np.maximum(distance, 1e-6)
        levels = np.digitize(angular, LEVEL_LIMITS)
        levels[(distance <= 0) | self._own] = 0
        batches = []
        for (shape, texture), ids in self._groups.items():
            for level in range(len(LEVEL_LIMITS) + 1):
                chosen = ids[levels[ids] == level]
                if len(chosen):
                    batches.append(Batch(shape, texture, rows[chosen], level))
        return tuple(batches)

    def _see_through(self, rows: Floats, eye: NDArray[np.float64]) -> tuple[Batch, ...]:
        """Far to near; neighbours of equal shape and texture share a batch."""
        distance = np.linalg.norm(rows[self._clear_rows, POSITION] - eye, axis=1)
        batches: list[Batch] = []
        run: list[int] = []

        def key(row: int) -> tuple[str, int]:
            return self._shapes[row], int(self._textures[row])

        for row in self._clear_rows[np.argsort(-distance)].tolist():
            if run and key(row) != key(run[-1]):
                batches.append(Batch(*key(run[-1]), rows[run]))
                run = []
            run.append(row)
        if run:
            batches.append(Batch(*key(run[-1]), rows[run]))
        return tuple(batches)

    def _drawn_tendons(self, state: StateView) -> tuple[tuple[Batch, ...], tuple[Batch, ...]]:
        """Rods along all visible tendons: the solid ones, and those that can be seen through."""
        if not len(self._tendons.ids):
            return (), ()
        paths = tendon_rods(self._model, state)
        shown = np.isin(paths.tendon, self._tendons.ids)
        tendon = paths.tendon[shown]
        looks = self._tendon_rows[np.searchsorted(self._tendons.ids, tendon)]
        radius = np.asarray(self._model.tendon_width)[tendon]
        batches = []
        for chosen in (looks[:, COLOUR][:, 3] >= CLEAR, looks[:, COLOUR][:, 3] < CLEAR):
            start, end = paths.start[shown][chosen], paths.end[shown][chosen]
            rows = rods(start, end, radius[chosen], looks[chosen, COLOUR], looks[chosen, MATERIAL])
            batches.append((Batch("capsule", NO_TEXTURE, rows, level=1),) if len(rows) else ())
        return batches[0], batches[1]

    def _overlay(self, state: StateView) -> tuple[Batch, ...]:
        """Contacts, as the user asked for them."""
        batches = []
        if self._options.contact_point:
            batches += contact_discs(self._model, state)
        if self._options.contact_force:
            batches += force_arrows(self._model, state, self._options.force_scale)
        return tuple(batches)

    def _bounds(self, rows: Floats, lost: NDArray[np.bool_]) -> tuple[Floats, float]:
        """A sphere around all solid instances, but for those that have flown far away."""
        middle, extent = np.asarray(self._model.stat.center, dtype=np.float32), float(self._model.stat.extent)
        away = np.abs(rows[self._solid_rows, POSITION] - middle).max(axis=1, initial=0.0)
        near = self._solid_rows[(away < FLOWN * extent) & ~lost[self._solid_rows]]
        if not len(near):
            return middle, extent
        position, reach = rows[near, POSITION], self._rbound[near, None]
        low, high = (position - reach).min(axis=0), (position + reach).max(axis=0)
        center = (low + high) / 2
        return center, float((np.linalg.norm(position - center, axis=1) + reach[:, 0]).max())


def _drawn(model: ModelView, prefix: str, groups: list[bool]) -> NDArray[np.int64]:
    """Ids of the geoms, sites or tendons in visible groups, of drawable type, not fully transparent."""
    if not getattr(model, f"n{prefix}") or not groups:
        return np.zeros(0, dtype=np.int64)
    group = np.clip(getattr(model, f"{prefix}_group"), 0, len(groups) - 1)
    visible = np.array(groups)[group]
    if prefix != "tendon":
        visible &= np.isin(getattr(model, f"{prefix}_type"), [*SHAPE_NAMES, *OWN_SHAPES])
    visible &= _colours(model, prefix)[:, 3] > 0
    return np.flatnonzero(visible)


def _field(model: ModelView, kind: _Kind, name: str) -> NDArray[Any]:
    """The field of the drawn elements of a kind."""
    if not len(kind.ids):
        return np.zeros(0, dtype=np.int64)
    return np.asarray(getattr(model, f"{kind.prefix}_{name}"))[kind.ids]


def model_shape(kind: int, index: int) -> str:
    """The name of the shape that mesh or height field `index` is."""
    return f"{OWN_SHAPES[kind]} {index}"


def _shape_names(model: ModelView, kind: _Kind) -> NDArray[Any]:
    """What shape each drawn element has."""
    types = _field(model, kind, "type").tolist()
    # only geoms have shapes of the model's own
    own = _field(model, kind, "dataid").tolist() if kind.prefix == "geom" else [-1] * len(types)
    names = [SHAPE_NAMES.get(t) or model_shape(t, index) for t, index in zip(types, own, strict=True)]
    return np.array(names, dtype=object)


def _colours(model: ModelView, prefix: str) -> Floats:
    """Own colour where one is set, otherwise the material's."""
    rgba = np.array(getattr(model, f"{prefix}_rgba"), dtype=np.float32)
    material = np.asarray(getattr(model, f"{prefix}_matid"))
    inherits = (material >= 0) & np.all(rgba == DEFAULT_RGBA, axis=1)
    if inherits.any():
        rgba[inherits] = model.mat_rgba[material[inherits]]
    return rgba


def _surfaces(model: ModelView, kind: _Kind) -> Floats:
    """Rows with colour and material alone."""
    rows = np.zeros((len(kind.ids), INSTANCE_FLOATS), dtype=np.float32)
    if not len(kind.ids):
        return rows
    rows[:, COLOUR] = _colours(model, kind.prefix)[kind.ids]
    rows[:, MATERIAL] = DEFAULT_MATERIAL
    rows[:, TEXTURE] = 1.0
    material = _field(model, kind, "matid")
    has, used = material >= 0, material[material >= 0]
    columns = [model.mat_specular, model.mat_shininess, model.mat_emission, model.mat_reflectance]
    rows[has, MATERIAL] = np.column_stack([column[used] for column in columns])
    return rows


def _layout(model: ModelView, kind: _Kind) -> Floats:
    """Rows with everything but the pose."""
    rows = _surfaces(model, kind)
    if not len(kind.ids):
        return rows
    types, size = _field(model, kind, "type"), _field(model, kind, "size")
    rows[:, SHAPE] = _shape_scales(types, size)
    material = _field(model, kind, "matid")
    has, used = material >= 0, material[material >= 0]
    if len(used):
        rows[has, TEXTURE] = _texture_scales(model, used, types[has], size[has])
    return rows


def _shape_scales(types: NDArray[Any], size: NDArray[Any]) -> Floats:
    """Scale of the unit primitive along x, y, z and the half length by which a capsule is drawn apart."""
    scale = np.zeros((len(types), 4), dtype=np.float32)
    scale[:, :3] = size
    for kind, columns in ((SPHERE, [0, 0, 0]), (CAPSULE, [0, 0, 0]), (CYLINDER, [0, 0, 1])):
        chosen = types == kind
        scale[chosen, :3] = size[chosen][:, columns]
    scale[types == CAPSULE, 3] = size[types == CAPSULE, 1]
    scale[np.isin(types, list(OWN_SHAPES))] = (1, 1, 1, 0)
    return scale


def _texture_scales(model: ModelView, material: NDArray[Any], types: NDArray[Any], size: NDArray[Any]) -> Floats:
    """Repetitions in x and y, and the half lengths over which they are counted."""
    scales = np.ones((len(material), 5), dtype=np.float32)
    scales[:, :2] = model.mat_texrepeat[material]
    # over the whole object, or over two metres if uniform or infinite
    half = _shape_scales(types, size)[:, :3]
    half[types == CAPSULE, 2] += size[types == CAPSULE, 1]
    own = np.isin(types, list(OWN_SHAPES))
    half[own] = size[own]
    uniform = np.asarray(model.mat_texuniform[material], dtype=bool)[:, None]
    scales[:, 2:] = np.where(uniform | (half <= 0), 1.0, half)
    return scales


def _textures(model: ModelView, kind: _Kind) -> NDArray[np.int64]:
    """The colour texture of each drawn element, or NO_TEXTURE."""
    textures = np.full(len(kind.ids), NO_TEXTURE, dtype=np.int64)
    material = _field(model, kind, "matid")
    has = material >= 0
    if has.any():
        textures[has] = model.mat_texid[material[has], TEXTURE_ROLE_RGB]
    return textures


def _skybox(model: ModelView) -> int:
    """The first skybox texture, or NO_TEXTURE."""
    return next((i for i in range(model.ntex) if model.tex_type[i] == TEXTURE_SKYBOX), NO_TEXTURE)


def _headlight(model: ModelView) -> Headlight:
    head, zero = model.vis.headlight, np.zeros(3, dtype=np.float32)
    if not head.active:
        return Headlight(zero, zero, zero)
    return Headlight(*(np.array(v, dtype=np.float32) for v in (head.ambient, head.diffuse, head.specular)))


def _lights(model: ModelView, state: StateView) -> tuple[Light, ...]:
    """The active lights of the model, those with shadows first; the viewer's own if there are none."""
    lights = [
        Light(
            kind=int(model.light_type[i]),
            position=np.array(state.light_xpos[i], dtype=np.float32),
            direction=np.array(state.light_xdir[i], dtype=np.float32),
            ambient=np.array(model.light_ambient[i], dtype=np.float32),
            diffuse=np.array(model.light_diffuse[i], dtype=np.float32),
            specular=np.array(model.light_specular[i], dtype=np.float32),
            attenuation=np.array(model.light_attenuation[i], dtype=np.float32),
            cutoff=float(model.light_cutoff[i]),
            exponent=float(model.light_exponent[i]),
            shadow=bool(model.light_castshadow[i]),
        )
        for i in range(model.nlight)
        if model.light_active[i] and model.light_type[i] in (SPOT, DIRECTIONAL, POINT)
    ]
    lights.sort(key=lambda light: not light.shadow)
    return tuple(lights[:MAX_LIGHTS]) or (KEY_LIGHT,)


def _vector(*values: float) -> Floats:
    return np.array(values, dtype=np.float32)


# lights a scene that has none of its own: from above, left of and behind the usual start view
KEY_LIGHT = Light(
    kind=DIRECTIONAL,
    position=_vector(0, 0, 0),
    direction=_vector(0.44, 0.36, -0.82),
    ambient=_vector(0, 0, 0),
    diffuse=_vector(0.7, 0.68, 0.64),
    specular=_vector(0.3, 0.3, 0.3),
    attenuation=_vector(1, 0, 0),
    cutoff=45.0,
    exponent=0.0,
    shadow=True,
)
