"""Compiles a parsed model into the values of Model's fields, with MuJoCo's names, types and shapes.

Bodies get their ids depth first; joints, geoms, sites, cameras and lights follow the order of their bodies. Most fields
are an attribute of their element, by the table in `sim.attributes`; the others are computed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim import enums
from sim.attributes import ATTRIBUTES
from sim.mjcf.asset.assets import compile_assets, fill_assets
from sim.mjcf.body import align_free, check_moving, compile_bodies, depth_first
from sim.mjcf.body_tree import IN_BODIES, fill_bvh, fill_tree
from sim.mjcf.columns import fill_attributes, fill_column, id_of
from sim.mjcf.pose import poses, set_offsets, set_statistics
from sim.mjcf.prune import discard_visual, discard_weighed, fuse_static, update_weldids
from sim.mjcf.records import SECTION_TYPES, Body, Ids, Item, LengthRange, Material, Parsed, Values
from sim.mjcf.scale.scale_assets import scale_assets, scale_skins
from sim.mjcf.scale.scale_sections import scale_sections
from sim.mjcf.scale.scale_tree import scale_tree
from sim.mjcf.section.contact import sort_contacts
from sim.mjcf.section.equality import set_anchors
from sim.mjcf.section.keyframe import complete_keys, fill_keys
from sim.mjcf.section.plastic import fill_plastic
from sim.mjcf.section.sections import SECTION_COMPUTED, compile_sections, fill_sections
from sim.mjcf.section.tendon import inert_parts
from sim.mjcf.shape import bounding_radius, fluid_coefficients
from sim.named import KINDS

Names: TypeAlias = dict[str, list[str]]

TEXTURE_ROLES = 10
SKYBOX = 2

# fields that are not an attribute: element type -> field -> the element's value, by name or function
COMPUTED: dict[str, dict[str, str | Callable[[Any], Any]]] = {
    "body": {
        "body_mocapid": "mocapid",
        "body_weldid": "weldid",
        "body_ipos": "ipos",
        "body_iquat": "iquat",
        "body_mass": "mass",
        "body_inertia": "inertia",
        "body_margin": lambda body: max((geom.margin + geom.gap for geom in body.geoms), default=0.0),
        "body_parentid": lambda body: body.parent.id if body.parent else 0,
        "body_plugin": lambda body: -1,
    },
    "geom": {
        "geom_aabb": "aabb",
        "geom_fluid": fluid_coefficients,
        "geom_rbound": bounding_radius,
        "geom_dataid": lambda geom: (
            geom.asset.id if geom.asset and geom.type in (enums.GEOM_HFIELD, enums.GEOM_MESH) else -1
        ),
        "geom_plugin": lambda geom: -1,
    },
    "camera": {"cam_intrinsic": "intrinsic"},
    **SECTION_COMPUTED,
}
# in the order of their fields; assets are filled once they are loaded
ELEMENTS = ("body", "joint", "geom", "site", "camera", "light", "material", *SECTION_TYPES, "key")

NAMED_TYPES = (
    "body", "joint", "geom", "site", "camera", "light", "mesh", "skin", "hfield", "texture", "material", "pair",
    "exclude", "equality", "tendon", "actuator", "sensor", "numeric", "text", "tuple", "key",
)  # fmt: skip

# element types with user data -> size field
USER_SIZES = {row.element: str(row.shape[1]) for row in ATTRIBUTES if row.name == "user"}


class Inputs(NamedTuple):
    """What set_const needs and Model has no field for: springdamper of each joint, and <lengthrange>."""

    springdamper: NDArray[np.float64]
    lengthrange: LengthRange


class Compiled(NamedTuple):
    """A compiled model: field -> value, element type -> names, what was parsed, and inputs of set_const."""

    values: Values
    names: Names
    parsed: Parsed
    inputs: Inputs


def fill(parsed: Parsed) -> Compiled:
    """Compile a parsed model."""
    complete_keys(parsed)
    if parsed.scaled:
        scale_tree(parsed)
        scale_assets(parsed)
        scale_sections(parsed)
    visual = discard_visual(parsed, depth_first(parsed.world)) if parsed.compiler.discardvisual else []
    bodies, lists, ids = _assign_ids(parsed)
    _check_names("frame", parsed.frames)
    compile_assets(parsed, lists["geom"], lists["site"], ids)
    if parsed.scaled:
        scale_skins(parsed, bodies)
    compile_bodies(parsed, bodies)
    if parsed.compiler.discardvisual:
        discard_weighed(parsed, bodies, visual)
    if parsed.compiler.fusestatic:
        fuse_static(parsed, bodies)
    check_moving(bodies)
    align_free(parsed, bodies)
    if parsed.compiler.fusestatic or parsed.compiler.discardvisual:
        bodies, lists, ids = _assign_ids(parsed)
        update_weldids(bodies)
    for index, body in enumerate(body for body in bodies if body.mocap):
        body.mocapid = index
    compile_sections(parsed, lists, ids)
    m: Values = {}
    _settings(m, parsed)
    _check_asset_names(lists)
    for kind in ELEMENTS:
        _fill_elements(m, kind, lists[kind], ids)
    _user(m, parsed, lists)
    _fill_layers(m, lists["material"], ids)
    fill_tree(m, bodies, lists["joint"], inert_parts(lists["tendon"], lists["actuator"]), ids)
    fill_sections(m, lists)
    fill_plastic(m, lists["joint"], lists["tendon"])
    fill_bvh(m, bodies)
    fill_assets(m, parsed, ids)
    _scale_mass(m, parsed.compiler.settotalmass)
    _derived(m, parsed)
    fill_keys(m, parsed, bodies, lists["actuator"], lists["tendon"])
    parsed.lists = lists
    names = {kind: [item.name for item in lists.get(kind, ())] for kind in NAMED_TYPES}
    _sizes(m, parsed)
    springdamper = np.array([joint.springdamper for joint in lists["joint"]], float).reshape(-1, 2)
    return Compiled(m, names, parsed, Inputs(springdamper, parsed.lengthrange))


def _assign_ids(parsed: Parsed) -> tuple[list[Body], dict[str, Sequence[Any]], Ids]:
    """Assign ids: all elements by type in their final order, and name -> id by type."""
    bodies = depth_first(parsed.world)
    lists: dict[str, Sequence[Any]] = {"body": bodies}
    for kind, place in IN_BODIES.items():
        lists[kind] = [item for body in bodies for item in getattr(body, place)]
    lists |= {
        "mesh": parsed.meshes,
        "skin": parsed.skins,
        "hfield": parsed.hfields,
        "texture": parsed.textures,
        "material": parsed.materials,
        "key": parsed.keys,
    }
    sort_contacts(parsed, bodies)
    lists |= parsed.section_elements
    ids: dict[str, dict[str, int]] = {}
    for kind, items in lists.items():
        for index, item in enumerate(items):
            item.id = index
        ids[kind] = _check_names(kind, items)
    return bodies, lists, ids


def _check_names(kind: str, items: Sequence[Item]) -> dict[str, int]:
    """name -> id; two elements of a type with the same name are an error."""
    ids: dict[str, int] = {}
    for index, item in enumerate(items):
        if item.name:
            if item.name in ids:
                other = items[ids[item.name]].node
                where = f"the other one is at {other.file}:{other.line}" if other else "it is the world's"
                raise item.error(f"another {kind} has this name", where)
            ids[item.name] = index
    return ids


def _settings(m: Values, parsed: Parsed) -> None:
    """opt.*, and vis.* in single precision."""
    for name, value in parsed.option.items():
        m[f"opt.{name}"] = np.array(value, float) if isinstance(value, tuple) else value
    for group, values in parsed.visual.items():
        group = "global_" if group == "global" else group
        for name, value in values.items():
            if isinstance(value, tuple):
                value = np.array(value, np.float32)
            elif isinstance(value, float):
                value = float(np.float32(value))
            m[f"vis.{group}.{name}"] = int(value) if isinstance(value, bool) else value


def _user(m: Values, parsed: Parsed, lists: dict[str, Sequence[Any]]) -> None:
    """*_user, padded with zeros."""
    for kind, size in USER_SIZES.items():
        items = lists[kind]
        width = parsed.size[size]
        if width == -1:
            width = max((len(item.user) for item in items), default=0)
        if items:
            parsed.budget.reserve(items[0] if parsed.size[size] == -1 else parsed.size_element, 8 * len(items) * width)
        rows = np.zeros((len(items), width))
        for item in items:
            if len(item.user) > width:
                raise item.error(f"user has {len(item.user)} values", f"{size} is {width}: increase it")
            rows[item.id, : len(item.user)] = item.user
        m[size] = width
        m[f"{KINDS[kind].prefixes[0]}user"] = rows


def _check_asset_names(lists: dict[str, Sequence[Any]]) -> None:
    for item in (*lists["texture"], *lists["material"], *lists["mesh"], *lists["hfield"]):
        if not item.name and getattr(item, "type", -1) != SKYBOX:
            raise item.error("missing attribute 'name'")


def _fill_elements(m: Values, kind: str, items: Sequence[Any], ids: Ids) -> None:
    """The number of elements, and their fields with one row each."""
    size = KINDS[kind].sizes[0]
    m[size] = len(items)
    fill_attributes(m, kind, size, items, ids)
    for field, source in COMPUTED.get(kind, {}).items():
        read = attrgetter(source) if isinstance(source, str) else source
        fill_column(m, field, [read(item) for item in items])


def _fill_layers(m: Values, materials: Sequence[Material], ids: Ids) -> None:
    """mat_texid: the texture of each role."""
    m["mat_texid"] = np.full((len(materials), TEXTURE_ROLES), -1, np.int32)
    for material in materials:
        for role, name in material.textures.items():
            m["mat_texid"][material.id, role] = id_of(material, "texture", name, ids)


# ---- derived fields


def _scale_mass(m: Values, wanted: float) -> None:
    if wanted > 0:
        scale = max(enums.MINVAL, wanted / max(enums.MINVAL, float(m["body_mass"].sum())))
        m["body_mass"] *= scale
        m["body_inertia"] *= scale


def _derived(m: Values, parsed: Parsed) -> None:
    """Subtree masses, flags, and what follows from the poses at qpos0."""
    mass = m["body_mass"].tolist()
    for b in range(len(mass) - 1, 0, -1):
        mass[int(m["body_parentid"][b])] += mass[b]
    m["body_subtreemass"] = np.array(mass, float)
    m["ngravcomp"] = int((m["body_gravcomp"] > 0).sum())
    m["flg_gravcomp"] = m["ngravcomp"] > 0
    m["flg_surfacevel"] = bool(m["geom_surfacevel"].any())
    fields: Any = SimpleNamespace(**m)
    at = poses(fields, aimed=False)
    set_offsets(m, at)
    set_anchors(m, at)
    set_statistics(m, at, parsed.statistic)


def _sizes(m: Values, parsed: Parsed) -> None:
    """Sizes that are not those of an array."""
    m["nuserdata"], m["njmax"], m["nconmax"] = (parsed.size[name] for name in ("nuserdata", "njmax", "nconmax"))
