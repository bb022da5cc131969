"""Colour, material, texture and scale of geoms, sites, tendons and skins, as columns of instance rows.

All of it is constant for a model: a row lacks only its pose.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView
from app.scene.instances import (
    COLOUR,
    ID,
    ID_STEP,
    INSTANCE_FLOATS,
    MATERIAL,
    METALLIC_ROUGHNESS,
    NO_METALLIC_ROUGHNESS,
    NO_TEXTURE,
    SHAPE,
    TEXTURE,
    Floats,
    Kind,
)
from sim.enums import TEXTURE_2D, TEXTURE_SKYBOX

# values of mjtGeom
PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF = range(9)
SHAPE_NAMES = {
    PLANE: "plane", SPHERE: "sphere", CAPSULE: "capsule", ELLIPSOID: "sphere", CYLINDER: "cylinder", BOX: "box",
}  # fmt: skip
# geom types whose mesh is part of the model, in metres
MODEL_SHAPES = {HFIELD: "height field", MESH: "mesh", SDF: "mesh"}

TEXTURE_ROLE_RGB, TEXTURE_ROLE_RGBA = 1, 8
# further columns of mat_texid (mjtTextureRole) that are used. Opacity is not: alpha is that of the geom or of RGBA
LAYER_ROLES = {"occlusion": 2, "roughness": 3, "metallic": 4, "normal": 5, "emissive": 7, "orm": 9}
DEFAULT_RGBA = np.array([0.5, 0.5, 0.5, 1.0], dtype=np.float32)
DEFAULT_MATERIAL = (0.5, 0.5, 0.0, 0.0)

Ids = NDArray[np.int64]


def visible(model: ModelView, kind: Kind, groups: list[bool]) -> Ids:
    """Ids of the elements in visible groups, of drawable type, with alpha above 0."""
    prefix = kind.name.lower()
    if not getattr(model, f"n{prefix}", 0):
        return np.zeros(0, dtype=np.int64)
    group = np.clip(getattr(model, f"{prefix}_group"), 0, len(groups) - 1)
    shown = np.array(groups)[group]
    if kind in (Kind.GEOM, Kind.SITE):
        shown &= np.isin(getattr(model, f"{prefix}_type"), [*SHAPE_NAMES, *MODEL_SHAPES])
    shown &= colours(model, kind)[:, 3] > 0
    return np.flatnonzero(shown)


def colours(model: ModelView, kind: Kind) -> Floats:
    """The colour of each element: its from_model, unless only its material has one."""
    prefix = kind.name.lower()
    rgba = np.array(getattr(model, f"{prefix}_rgba"), dtype=np.float32)
    material = np.asarray(getattr(model, f"{prefix}_matid"))
    from_material = (material >= 0) & (rgba == DEFAULT_RGBA).all(axis=1)
    if from_material.any():
        rgba[from_material] = model.mat_rgba[material[from_material]]
    return rgba


def surfaces(model: ModelView, kind: Kind, ids: Ids) -> Floats:
    """Rows with only colour, material and id."""
    rows = np.zeros((len(ids), INSTANCE_FLOATS), dtype=np.float32)
    if not len(ids):
        return rows
    rows[:, COLOUR] = colours(model, kind)[ids]
    rows[:, MATERIAL], rows[:, METALLIC_ROUGHNESS], rows[:, TEXTURE] = DEFAULT_MATERIAL, NO_METALLIC_ROUGHNESS, 1.0
    rows[:, ID] = kind * ID_STEP + ids
    material = _field(model, kind, "matid", ids)
    has, used = material >= 0, material[material >= 0]
    columns = (model.mat_specular, model.mat_shininess, model.mat_emission, model.mat_reflectance)
    rows[has, MATERIAL] = np.column_stack([column[used] for column in columns])
    rows[has, METALLIC_ROUGHNESS] = np.column_stack([model.mat_metallic[used], model.mat_roughness[used]])
    return rows


def layout(model: ModelView, kind: Kind, ids: Ids) -> Floats:
    """Rows of geoms or sites, complete but for the pose."""
    rows = surfaces(model, kind, ids)
    if not len(ids):
        return rows
    types, size = _field(model, kind, "type", ids), _field(model, kind, "size", ids)
    rows[:, SHAPE] = shape_scales(types, size)
    material = _field(model, kind, "matid", ids)
    has, used = material >= 0, material[material >= 0]
    if len(used):
        rows[has, TEXTURE] = _texture_scales(model, used, types[has], size[has])
    return rows


def element_types(model: ModelView, kind: Kind, ids: Ids) -> NDArray[Any]:
    """The geom type of each element."""
    return _field(model, kind, "type", ids)


def shape_names(model: ModelView, kind: Kind, ids: Ids, hulls: bool) -> list[str]:
    """The mesh name of each element; with `hulls`, convex hulls for meshes."""
    types = _field(model, kind, "type", ids).tolist()
    from_model = _field(model, kind, "dataid", ids).tolist()
    return [SHAPE_NAMES.get(t) or model_shape(t, i, hulls) for t, i in zip(types, from_model, strict=True)]


def model_shape(geom_type: int, index: int, hull: bool = False) -> str:
    """The mesh name of a mesh or height field."""
    return f"{'hull' if hull and geom_type == MESH else MODEL_SHAPES[geom_type]} {index}"


def textures(model: ModelView, kind: Kind, ids: Ids) -> NDArray[np.int64]:
    """The colour texture of each element, or NO_TEXTURE."""
    found = np.full(len(ids), NO_TEXTURE, dtype=np.int64)
    material = _field(model, kind, "matid", ids)
    has = material >= 0
    if has.any():
        found[has] = _colour_texture(model, material[has])
    return found


def _colour_texture(model: ModelView, material: NDArray[Any]) -> NDArray[Any]:
    """The colour texture of each material, or NO_TEXTURE."""
    rgb, rgba = (np.asarray(model.mat_texid)[material, role] for role in (TEXTURE_ROLE_RGB, TEXTURE_ROLE_RGBA))
    found: NDArray[Any] = np.where(rgb >= 0, rgb, np.maximum(rgba, NO_TEXTURE))
    return found


def layers(model: ModelView, material: int) -> dict[str, int]:
    """The 2D texture layers of a material except colour, by role."""
    found = {role: int(model.mat_texid[material, column]) for role, column in LAYER_ROLES.items()}
    return {role: i for role, i in found.items() if i >= 0 and model.tex_type[i] == TEXTURE_2D}


def layer_materials(model: ModelView, kind: Kind, ids: Ids) -> NDArray[np.int64]:
    """The material of each element if it has such layers, or NO_TEXTURE."""
    material = _field(model, kind, "matid", ids).astype(np.int64)
    having = [i for i in np.unique(material).tolist() if i >= 0 and layers(model, i)]
    return np.where(np.isin(material, having), material, NO_TEXTURE)


def skybox(model: ModelView) -> int:
    """The first skybox texture, or NO_TEXTURE."""
    return next((i for i in range(model.ntex) if model.tex_type[i] == TEXTURE_SKYBOX), NO_TEXTURE)


def texture_pixels(model: ModelView, index: int) -> NDArray[np.uint8]:
    """The pixels of a texture: rows from top to bottom, RGBA."""
    width, height = int(model.tex_width[index]), int(model.tex_height[index])
    channels, start = int(model.tex_nchannel[index]), int(model.tex_adr[index])
    raw = np.asarray(model.tex_data[start : start + width * height * channels], dtype=np.uint8)
    raw = raw.reshape(height, width, channels)
    pixels = np.full((height, width, 4), 255, dtype=np.uint8)
    pixels[:, :, :channels] = raw if channels >= 3 else raw[:, :, :1]
    if channels < 3:
        pixels[:, :, 1:3] = raw[:, :, :1]
    return pixels


def shape_scales(types: NDArray[Any], size: NDArray[Any]) -> Floats:
    """Scale of the unit primitive along x, y, z, and the half length of a capsule."""
    scale = np.zeros((len(types), 4), dtype=np.float32)
    scale[:, :3] = size
    for kind, columns in ((SPHERE, [0, 0, 0]), (CAPSULE, [0, 0, 0]), (CYLINDER, [0, 0, 1])):
        chosen = types == kind
        scale[chosen, :3] = size[chosen][:, columns]
    scale[types == CAPSULE, 3] = size[types == CAPSULE, 1]
    scale[np.isin(types, list(MODEL_SHAPES))] = (1, 1, 1, 0)
    return scale


def _field(model: ModelView, kind: Kind, name: str, ids: Ids) -> NDArray[Any]:
    """A field of some elements."""
    if not len(ids):
        return np.zeros(0, dtype=np.int64)
    return np.asarray(getattr(model, f"{kind.name.lower()}_{name}"))[ids]


def _texture_scales(model: ModelView, material: NDArray[Any], types: NDArray[Any], size: NDArray[Any]) -> Floats:
    """texrepeat in x and y, and the half lengths that it refers to."""
    scales = np.ones((len(material), 5), dtype=np.float32)
    scales[:, :2] = model.mat_texrepeat[material]
    # of the whole geom, without the caps of a capsule; two metres if texuniform or infinite
    half = shape_scales(types, size)[:, :3]
    half[types == CAPSULE, 2] = np.maximum(size[types == CAPSULE, 1], 1e-9)
    from_model = np.isin(types, list(MODEL_SHAPES))
    half[from_model] = size[from_model]
    uniform = np.asarray(model.mat_texuniform[material], dtype=bool)
    scales[:, 2:] = np.where(uniform[:, None] | (half <= 0), 1.0, half)
    # a cube map on a mesh or height field is in metres; with texuniform, as in MuJoCo, in metres times size
    is_cube = np.asarray(model.tex_type) != TEXTURE_2D
    cubes = from_model & np.isin(_colour_texture(model, material), np.flatnonzero(is_cube))
    scales[cubes, 2:] = np.where(uniform[cubes, None], 1 / np.maximum(size[cubes], 1e-9), 1.0)
    return scales
