"""Compiles a Spec into the values of Model's fields, with MuJoCo's names, types and shapes.

Bodies get their ids depth first; joints, geoms, sites, cameras and lights follow the order of their bodies. Each
element type has a table of fields: name, type, width, and where the value comes from.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.enums import MINVAL
from sim.mjcf.asset.assets import compile_assets, fill_assets
from sim.mjcf.body import compile_bodies, depth_first
from sim.mjcf.errors import suggestion
from sim.mjcf.names import NAMED_TYPES, check_names
from sim.mjcf.pose import poses, set_offsets, set_statistics
from sim.mjcf.prune import discard_visual, fuse_static, update_weldids
from sim.mjcf.section.contact import sort_contacts
from sim.mjcf.section.equality import set_anchors
from sim.mjcf.section.keyframe import complete_keys, fill_keys
from sim.mjcf.section.sections import SECTION_FIELDS, SECTION_USER_SIZES, compile_sections, fill_sections
from sim.mjcf.section.tendon import armature_sites
from sim.mjcf.shape import bounding_radius, fluid_coefficients
from sim.mjcf.spec import TRUE, Body, Item, LengthRange, Spec
from sim.mjcf.tree import IN_BODIES, FieldTable, Values, fill_bvh, fill_columns, fill_tree

Names: TypeAlias = dict[str, list[str]]
Ids: TypeAlias = dict[str, dict[str, int]]

TEXTURE_ROLES = 10
SKYBOX = 2

# element type -> prefix, and rows of (field, type, width or 0 for a scalar, attribute or function of the element)
FIELDS: dict[str, tuple[str, FieldTable]] = {
    "body": ("body", [
        ("mocapid", "i4", 0, "mocapid"), ("weldid", "i4", 0, "weldid"), ("pos", "f8", 3, "pos"),
        ("quat", "f8", 4, "quat"), ("ipos", "f8", 3, "ipos"), ("iquat", "f8", 4, "iquat"),
        ("mass", "f8", 0, "mass"), ("inertia", "f8", 3, "inertia"), ("gravcomp", "f8", 0, "gravcomp"),
        ("margin", "f8", 0, lambda body: max((geom.margin + geom.gap for geom in body.geoms), default=0.0)),
        ("parentid", "i4", 0, lambda body: body.parent.id if body.parent else 0),
        ("plugin", "i4", 0, lambda body: -1),
    ]),
    "joint": ("jnt", [
        ("type", "i4", 0, "type"), ("group", "i4", 0, "group"), ("pos", "f8", 3, "pos"),
        ("axis", "f8", 3, "axis"), ("range", "f8", 2, "range"), ("actfrcrange", "f8", 2, "actuatorfrcrange"),
        ("solref", "f8", 2, "solreflimit"), ("solimp", "f8", 5, "solimplimit"),
        ("margin", "f8", 0, "margin"), ("actgravcomp", "b1", 0, "actuatorgravcomp"),
        ("limited", "b1", 0, lambda joint: joint.limited == TRUE),
        ("actfrclimited", "b1", 0, lambda joint: joint.actuatorfrclimited == TRUE),
        ("stiffness", "f8", 0, lambda joint: joint.stiffness[0]),
        ("stiffnesspoly", "f8", 2, lambda joint: joint.stiffness[1:]),
    ]),
    "geom": ("geom", [
        ("type", "i4", 0, "type"), ("contype", "i4", 0, "contype"), ("conaffinity", "i4", 0, "conaffinity"),
        ("condim", "i4", 0, "condim"), ("group", "i4", 0, "group"), ("priority", "i4", 0, "priority"),
        ("size", "f8", 3, "size"), ("aabb", "f8", 6, "aabb"), ("pos", "f8", 3, "pos"),
        ("quat", "f8", 4, "quat"), ("friction", "f8", 3, "friction"), ("solmix", "f8", 0, "solmix"),
        ("solref", "f8", 2, "solref"), ("solimp", "f8", 5, "solimp"), ("margin", "f8", 0, "margin"),
        ("gap", "f8", 0, "gap"), ("surfacevel", "f8", 6, "surfacevel"), ("adhesion", "f8", 0, "adhesion"),
        ("rgba", "f4", 4, "rgba"), ("fluid", "f8", 12, fluid_coefficients),
        ("rbound", "f8", 0, bounding_radius),
        ("dataid", "i4", 0, lambda geom: geom.asset.id if geom.asset else -1), ("plugin", "i4", 0, lambda geom: -1),
    ]),
    "site": ("site", [
        ("type", "i4", 0, "type"), ("group", "i4", 0, "group"), ("size", "f8", 3, "size"),
        ("pos", "f8", 3, "pos"), ("quat", "f8", 4, "quat"), ("rgba", "f4", 4, "rgba"),
    ]),
    "camera": ("cam", [
        ("mode", "i4", 0, "mode"), ("pos", "f8", 3, "pos"), ("quat", "f8", 4, "quat"),
        ("projection", "i4", 0, "projection"), ("fovy", "f8", 0, "fovy"), ("ipd", "f8", 0, "ipd"),
        ("resolution", "i4", 2, "resolution"), ("output", "i4", 0, "output"),
        ("sensorsize", "f4", 2, "sensorsize"), ("intrinsic", "f4", 4, "intrinsic"),
    ]),
    "light": ("light", [
        ("mode", "i4", 0, "mode"), ("type", "i4", 0, "type"), ("castshadow", "b1", 0, "castshadow"),
        ("active", "b1", 0, "active"), ("pos", "f8", 3, "pos"), ("dir", "f8", 3, "dir"),
        ("bulbradius", "f4", 0, "bulbradius"), ("intensity", "f4", 0, "intensity"),
        ("range", "f4", 0, "range"), ("attenuation", "f4", 3, "attenuation"), ("cutoff", "f4", 0, "cutoff"),
        ("softness", "f4", 0, "softness"), ("exponent", "f4", 0, "exponent"),
        ("ambient", "f4", 3, "ambient"), ("diffuse", "f4", 3, "diffuse"), ("specular", "f4", 3, "specular"),
    ]),
    "texture": ("tex", [
        ("type", "i4", 0, "type"), ("colorspace", "i4", 0, "colorspace"), ("height", "i4", 0, "height"),
        ("width", "i4", 0, "width"), ("nchannel", "i4", 0, "nchannel"),
    ]),
    "material": ("mat", [
        ("texuniform", "b1", 0, "texuniform"), ("texrepeat", "f4", 2, "texrepeat"),
        ("emission", "f4", 0, "emission"), ("specular", "f4", 0, "specular"),
        ("shininess", "f4", 0, "shininess"), ("reflectance", "f4", 0, "reflectance"),
        ("metallic", "f4", 0, "metallic"), ("roughness", "f4", 0, "roughness"), ("rgba", "f4", 4, "rgba"),
    ]),
    **SECTION_FIELDS,
    "key": ("key", [("time", "f8", 0, "time")]),
}  # fmt: skip

# element types with user data -> size field
USER_SIZES = {
    "body": "nuser_body",
    "joint": "nuser_jnt",
    "geom": "nuser_geom",
    "site": "nuser_site",
    "camera": "nuser_cam",
    **SECTION_USER_SIZES,
}


class Inputs(NamedTuple):
    """What set_const needs and Model has no field for: springdamper of each joint, and <lengthrange>."""

    springdamper: NDArray[np.float64]
    lengthrange: LengthRange


class Compiled(NamedTuple):
    """A compiled model: field -> value, element type -> names, the spec, and inputs of set_const."""

    values: Values
    names: Names
    spec: Spec
    inputs: Inputs


def fill(spec: Spec) -> Compiled:
    """Compile a spec."""
    complete_keys(spec)
    bodies, lists, ids = _assign_ids(spec)
    check_names("frame", spec.frames)
    compile_assets(spec, lists["geom"], ids)
    compile_bodies(spec, bodies)
    if spec.compiler.fusestatic:
        fuse_static(spec, bodies)
    if spec.compiler.discardvisual:
        discard_visual(spec, bodies)
    if spec.compiler.fusestatic or spec.compiler.discardvisual:
        bodies, lists, ids = _assign_ids(spec)
        update_weldids(bodies)
    for index, body in enumerate(body for body in bodies if body.mocap):
        body.mocapid = index
    compile_sections(spec, lists, ids)
    m: Values = {}
    _settings(m, spec)
    for kind, (prefix, rows) in FIELDS.items():
        fill_columns(m, prefix, rows, lists[kind])
        m[f"n{prefix}"] = len(lists[kind])
    _user(m, spec, lists)
    _references(m, lists, ids)
    fill_tree(m, bodies, lists["joint"], armature_sites(lists["tendon"]))
    fill_sections(m, lists)
    fill_bvh(m, bodies)
    fill_assets(m, spec, ids)
    _scale_mass(m, spec.compiler.settotalmass)
    _derived(m, spec)
    fill_keys(m, spec, bodies, lists.get("actuator", ()))
    spec.lists = lists
    names = {kind: [item.name for item in lists.get(kind, ())] for kind in NAMED_TYPES}
    _sizes(m, spec)
    springdamper = np.array([joint.springdamper for joint in lists["joint"]], float).reshape(-1, 2)
    return Compiled(m, names, spec, Inputs(springdamper, spec.lengthrange))


def _assign_ids(spec: Spec) -> tuple[list[Body], dict[str, Sequence[Any]], Ids]:
    """Assign ids: all elements by type in their final order, and name -> id by type."""
    bodies = depth_first(spec.world)
    lists: dict[str, Sequence[Any]] = {"body": bodies}
    for kind, place in IN_BODIES.items():
        lists[kind] = [item for body in bodies for item in getattr(body, place)]
    lists |= {
        "mesh": spec.meshes,
        "skin": spec.skins,
        "hfield": spec.hfields,
        "texture": spec.textures,
        "material": spec.materials,
        "key": spec.keys,
    }
    sort_contacts(spec, bodies)
    lists |= spec.section_elements
    ids: Ids = {}
    for kind, items in lists.items():
        for index, item in enumerate(items):
            item.id = index
        ids[kind] = check_names(kind, items)
    return bodies, lists, ids


def _settings(m: Values, spec: Spec) -> None:
    """opt.*, and vis.* in single precision."""
    for name, value in spec.option.items():
        m[f"opt.{name}"] = np.array(value, float) if isinstance(value, tuple) else value
    for group, values in spec.visual.items():
        group = "global_" if group == "global" else group
        for name, value in values.items():
            if isinstance(value, tuple):
                value = np.array(value, np.float32)
            elif isinstance(value, float):
                value = float(np.float32(value))
            m[f"vis.{group}.{name}"] = int(value) if isinstance(value, bool) else value


def _user(m: Values, spec: Spec, lists: dict[str, Sequence[Any]]) -> None:
    """*_user, padded with zeros."""
    for kind, size in USER_SIZES.items():
        items = lists[kind]
        width = spec.size[size]
        if width == -1:
            width = max((len(item.user) for item in items), default=0)
        if items:
            spec.budget.reserve(items[0] if spec.size[size] == -1 else spec.size_element, 8 * len(items) * width)
        rows = np.zeros((len(items), width))
        for item in items:
            if len(item.user) > width:
                raise item.error(f"user has {len(item.user)} values", f"{size} is {width}: increase it")
            rows[item.id, : len(item.user)] = item.user
        m[size] = width
        m[f"{FIELDS[kind][0]}_user"] = rows


def _references(m: Values, lists: dict[str, Sequence[Any]], ids: Ids) -> None:
    """Resolve names of materials, textures and target bodies to ids."""
    for item in (*lists["texture"], *lists["material"], *lists["mesh"], *lists["hfield"]):
        if not item.name and getattr(item, "type", -1) != SKYBOX:
            raise item.error("missing attribute 'name'")

    def lookup(item: Item, kind: str, name: str) -> int:
        if not name:
            return -1
        if name not in ids[kind]:
            raise item.error(f"{kind} '{name}' does not exist", suggestion(name, ids[kind]))
        return ids[kind][name]

    def column(kind: str, target: str, attribute: str) -> Any:
        return np.array([lookup(item, target, getattr(item, attribute)) for item in lists[kind]], np.int32)

    for kind in ("geom", "site", "tendon"):
        m[f"{kind}_matid"] = column(kind, "material", "material")
    m["cam_targetbodyid"], m["light_targetbodyid"] = (
        column("camera", "body", "target"),
        column("light", "body", "target"),
    )
    m["light_texid"] = column("light", "texture", "texture")
    m["mat_texid"] = np.full((len(lists["material"]), TEXTURE_ROLES), -1, np.int32)
    for material in lists["material"]:
        for role, name in material.textures.items():
            m["mat_texid"][material.id, role] = lookup(material, "texture", name)


# ---- derived fields


def _scale_mass(m: Values, wanted: float) -> None:
    if wanted > 0:
        scale = max(MINVAL, wanted / max(MINVAL, float(m["body_mass"].sum())))
        m["body_mass"] *= scale
        m["body_inertia"] *= scale


def _derived(m: Values, spec: Spec) -> None:
    """Subtree masses, flags, and what follows from the poses at qpos0."""
    mass = m["body_mass"].tolist()
    for b in range(len(mass) - 1, 0, -1):
        mass[int(m["body_parentid"][b])] += mass[b]
    m["body_subtreemass"] = np.array(mass, float)
    m["ngravcomp"] = int((m["body_gravcomp"] > 0).sum())
    m["flg_gravcomp"] = m["ngravcomp"] > 0
    m["flg_surfacevel"] = bool(m["geom_surfacevel"].any())
    at = poses(SimpleNamespace(**m), aimed=False)
    set_offsets(m, at)
    set_anchors(m, at)
    set_statistics(m, at, spec.statistic)


def _sizes(m: Values, spec: Spec) -> None:
    """Sizes that are not those of an array."""
    m["nuserdata"], m["njmax"], m["nconmax"] = (spec.size[name] for name in ("nuserdata", "njmax", "nconmax"))
