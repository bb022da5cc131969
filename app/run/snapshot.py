"""Snapshots: immutable copies of the fields of Model and Data that the GUI thread reads.

The simulation thread copies the fields that drawing and panels need, marks the copies read-only and publishes
a `Snapshot` by swapping one reference. A `ModelView` is copied once per model, a `StateView` once per published state;
after an edit only the edited fields are copied. Both keep the engine's field names and shapes. A field that the engine
does not have is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from app.model.editable import BY_PATH, FLAG_PATHS
from app.run.run_state import RunState

# type of named element -> the field that counts them
NAMED = {
    "body": "nbody", "joint": "njnt", "geom": "ngeom", "site": "nsite", "camera": "ncam", "light": "nlight",
    "key": "nkey", "tendon": "ntendon", "actuator": "nactuator", "equality": "neq", "sensor": "nsensor",
    "pair": "npair", "material": "nmat",
}  # fmt: skip

MODEL_FIELDS = (
    "nq", "nv", "nbody", "njnt", "ngeom", "nsite", "ncam", "nlight", "ntex", "nmat", "nkey",
    "ntendon", "body_parentid", "body_mass", "body_weldid", "jnt_type", "jnt_bodyid",
    "geom_type", "geom_size", "geom_rgba", "geom_matid", "geom_group", "geom_bodyid", "geom_rbound",
    "geom_dataid",
    "mesh_vertadr", "mesh_vertnum", "mesh_vert", "mesh_normaladr", "mesh_normalnum", "mesh_normal",
    "mesh_texcoordadr", "mesh_texcoordnum", "mesh_texcoord", "mesh_faceadr", "mesh_facenum", "mesh_face",
    "mesh_facenormal", "mesh_facetexcoord", "mesh_graphadr", "mesh_graph", "mesh_bvhadr", "mesh_bvhnum",
    "hfield_size", "hfield_nrow", "hfield_ncol", "hfield_adr", "hfield_data",
    "tendon_width", "tendon_rgba", "tendon_matid", "tendon_group", "tendon_num", "tendon_limited", "tendon_range",
    "tendon_stiffness", "tendon_stiffnesspoly", "tendon_lengthspring", "tendon_damping", "tendon_dampingpoly",
    "tendon_frictionloss",
    "site_type", "site_size", "site_rgba", "site_matid", "site_group", "site_bodyid",
    "cam_fovy", "cam_resolution", "cam_bodyid", "cam_projection", "cam_sensorsize", "cam_intrinsic",
    "light_type", "light_active", "light_castshadow", "light_ambient", "light_diffuse", "light_specular",
    "light_attenuation", "light_cutoff", "light_exponent",
    "mat_rgba", "mat_specular", "mat_shininess", "mat_emission", "mat_reflectance", "mat_texid",
    "mat_texrepeat", "mat_texuniform", "mat_metallic", "mat_roughness",
    "nskin", "skin_matid", "skin_group", "skin_rgba", "skin_inflate", "skin_vertadr", "skin_vertnum",
    "skin_texcoordadr", "skin_faceadr", "skin_facenum", "skin_boneadr", "skin_bonenum", "skin_vert",
    "skin_texcoord", "skin_face", "skin_bonevertadr", "skin_bonevertnum", "skin_bonebindpos",
    "skin_bonebindquat", "skin_bonebodyid", "skin_bonevertid", "skin_bonevertweight",
    "body_rootid", "body_treeid", "body_inertia", "body_jntadr", "body_jntnum", "body_bvhadr",
    "body_bvhnum", "bvh_depth", "bvh_child", "bvh_aabb", "jnt_group",
    "nactuator", "nu", "actuator_trntype", "actuator_trnid", "actuator_group", "actuator_ctrlrange",
    "actuator_ctrllimited", "actuator_actadr", "actuator_actnum", "actuator_actrange",
    "actuator_cranklength", "actuator_ctrladr", "actuator_gear",
    "neq", "eq_type", "eq_obj1id", "eq_obj2id", "eq_objtype", "eq_data",
    "nsensor", "sensor_type", "sensor_objtype", "sensor_objid", "sensor_adr", "sensor_dim",
    "tex_type", "tex_width", "tex_height", "tex_nchannel", "tex_adr", "tex_data",
    "opt.timestep", "opt.gravity", "opt.cone",
    "stat.center", "stat.extent", "stat.meansize", "stat.meanmass",
    "vis.global_.azimuth", "vis.global_.elevation", "vis.global_.fovy", "vis.global_.cameraid",
    "vis.global_.glow", "vis.global_.ellipsoidinertia", "vis.global_.orthographic", "vis.global_.realtime",
    "vis.headlight.active", "vis.headlight.ambient", "vis.headlight.diffuse", "vis.headlight.specular",
    "vis.map.znear", "vis.map.zfar", "vis.map.haze", "vis.map.force", "vis.map.alpha", "vis.map.fogstart",
    "vis.map.fogend", "vis.map.actuatortendon", "vis.quality.shadowsize",
    "vis.scale.contactwidth", "vis.scale.contactheight", "vis.scale.forcewidth", "vis.scale.selectpoint",
    "vis.scale.connect", "vis.scale.com", "vis.scale.camera", "vis.scale.light", "vis.scale.jointlength",
    "vis.scale.jointwidth", "vis.scale.actuatorlength", "vis.scale.actuatorwidth", "vis.scale.framelength",
    "vis.scale.framewidth", "vis.scale.constraint", "vis.scale.slidercrank", "vis.scale.frustum",
    "vis.rgba.haze", "vis.rgba.fog", "vis.rgba.contactpoint", "vis.rgba.contactgap", "vis.rgba.contactforce",
    "vis.rgba.contactfriction", "vis.rgba.selectpoint", "vis.rgba.force",
    "vis.rgba.inertia", "vis.rgba.joint", "vis.rgba.actuator", "vis.rgba.actuatornegative",
    "vis.rgba.actuatorpositive", "vis.rgba.com", "vis.rgba.camera", "vis.rgba.light", "vis.rgba.connect",
    "vis.rgba.rangefinder", "vis.rgba.constraint", "vis.rgba.slidercrank", "vis.rgba.crankbroken",
    "vis.rgba.frustum", "vis.rgba.bv",
)  # fmt: skip
# Not used of m.vis: ipd (there is no stereo), linewidth (lines are rods), offwidth, offheight and offsamples (callers
# choose the size of an image), numslices, numstacks and numquads (shapes have levels of detail), shadowclip and
# shadowscale (shadow maps are fitted to the view), bvactive and its colour (the engine does not record which boxes were
# visited), torque and contacttorque (MuJoCo's viewer does not draw them either).

# large, and changed only where a script says so: `update_mesh` and the like
ASSETS = ("mesh_", "hfield_", "tex_", "skin_", "bvh_")
# what panels show or edit besides
PANEL_MODEL_FIELDS = (
    "na", "nmocap", "npair", "ntree", "tree_bodyadr", "tree_bodynum", "tree_dofadr", "tree_dofnum", "body_mocapid",
    "jnt_qposadr", "jnt_dofadr", "dof_jntid", "dof_invweight0", "qpos0", "light_bodyid", "pair_geom1", "pair_geom2",
    "actuator_ctrlnum", "actuator_outadr", "actuator_outnum", "actuator_dyntype", "actuator_gaintype",
    "actuator_biastype", "actuator_ctrlspec", "actuator_history", "sensor_history", "tendon_adr",
    "wrap_type", "wrap_objid", "sensor_datatype", "key_time", *BY_PATH, *FLAG_PATHS,
)  # fmt: skip
PANEL_STATE_FIELDS = (
    "act", "ctrl", "eq_active", "mocap_pos", "mocap_quat", "xanchor", "sensordata", "energy", "actuator_force",
    "ne", "nf", "nl", "nJ", "efc_type", "efc_id", "efc_pos", "efc_margin", "efc_vel", "efc_aref", "efc_R", "efc_state",
    "efc_island", "tree_island", "island_ntree", "island_nv", "island_nefc", "dof_island", "tree_asleep", "tree_awake",
    "tree_wakecause", "tree_restless", "ntree_awake", "nv_awake", "noise.scale", "noise.rate", "warning.number",
    "warning.lastinfo", "contact.dist", "contact.includemargin", "contact.solref", "contact.solimp", "contact.exclude",
    "cvel", "subtree_com",
    "solver_niter", "solver_nnz", "solver.improvement", "solver.gradient", "solver.neval",
    "ten_length", "ten_velocity", "actuator_length", "actuator_velocity",
    "qfrc_actuator", "qfrc_passive", "qfrc_constraint",
)  # fmt: skip

STATE_FIELDS = (
    "time", "qpos", "qvel", "xpos", "xmat", "geom_xpos", "geom_xmat", "site_xpos", "site_xmat",
    "cam_xpos", "cam_xmat", "light_xpos", "light_xdir",
    "xipos", "ximat", "xanchor", "xaxis", "subtree_com", "ctrl", "act", "eq_active", "sensordata",
    "ten_wrapadr", "ten_wrapnum", "wrap_obj", "wrap_xpos",
    "ncon", "nefc", "nisland", "efc_force", "xfrc_applied", "xquat",
    "perturb.select", "perturb.active", "perturb.xfrc",
    "contact.pos", "contact.frame", "contact.dim", "contact.friction", "contact.geom", "contact.efc_address",
    "contact.dist", "contact.adhesion", "tree_island", "tree_asleep", "actuator_force",
)  # fmt: skip


MISSING = object()


class FrozenFields:
    """Read-only attributes, nested where the source's names are dotted."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)

    def read(self, path: str) -> Any:
        """A field by its dotted name."""
        source: Any = self
        for part in path.split("."):
            source = getattr(source, part)
        return source

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"this snapshot does not have the field '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"snapshots are immutable: '{name}' cannot be set")


class ModelView(FrozenFields):
    """The fields of a model, with the names of its elements.

    Views of one loaded model, before and after edits, are equal and share all arrays that were not edited.
    """

    identity: object
    names: Mapping[str, tuple[str, ...]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ModelView) and other.identity is self.identity

    def __hash__(self) -> int:
        return id(self.identity)

    def id2name(self, kind: str, index: int) -> str:
        """The name of an element, or an empty string."""
        return str(self.names[kind][index])


class StateView(FrozenFields):
    """The state and the poses at one instant."""


@dataclass(frozen=True)
class Snapshot:
    """Everything the GUI needs for one frame. `serial` differs between any two published snapshots."""

    serial: int
    run: RunState
    model: ModelView | None = None
    state: StateView | None = None
    # edited field -> its value in the file
    file_values: Mapping[str, Any] = field(default_factory=dict)
    # watched expression, and its value or why it has none
    watches: tuple[tuple[str, float | str], ...] = ()


def view_model(model: Any) -> ModelView:
    """Copy the fields of a model that the GUI needs."""
    values = _copy_fields(model, _once(*MODEL_FIELDS, *PANEL_MODEL_FIELDS))
    values["names"] = element_names(model)
    values["identity"] = object()
    return ModelView(values)


def element_names(model: Any) -> dict[str, tuple[str, ...]]:
    """Names of elements by type; empty for those without a name."""
    return {
        kind: tuple(model.id2name(kind, i) or "" for i in range(getattr(model, count, 0)))
        for kind, count in NAMED.items()
    }


def edited_view(view: ModelView, model: Any, paths: Iterable[str]) -> ModelView:
    """The view after an edit of some fields; all others are shared with the view before."""
    values = dict(view.__dict__)
    for path in paths:
        _renew(values, model, path)
    return ModelView(values)


def _renew(values: dict[str, Any], source: Any, path: str) -> None:
    """Copy one field again, if it is among the values, and the groups that contain it."""
    group, dot, rest = path.partition(".")
    if group not in values:
        return
    if not dot:
        values[group] = _frozen(getattr(source, group))
        return
    inner = dict(values[group].__dict__)
    _renew(inner, getattr(source, group), rest)
    values[group] = FrozenFields(inner)


def refreshed_view(view: ModelView, model: Any) -> ModelView:
    """The view with the fields that have changed in the model; the same view if none has. Assets are not compared."""
    values = _refreshed(view.__dict__, model)
    return view if values is view.__dict__ else ModelView(values)


def view_state(data: Any) -> StateView:
    """Copy the state and the poses that the GUI needs."""
    return StateView(_copy_fields(data, _once(*STATE_FIELDS, *PANEL_STATE_FIELDS)))


@cache
def _once(*names: str) -> tuple[str, ...]:
    """The names without duplicates."""
    return tuple(dict.fromkeys(names))


def _copy_fields(source: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """The named fields of `source`, frozen; dotted names become nested groups."""
    values: dict[str, Any] = {}
    plain, groups = _grouped(names)
    for name in plain:
        value = getattr(source, name, MISSING)
        if value is not MISSING:
            values[name] = _frozen(value)
    for name, members in groups:
        group = getattr(source, name, MISSING)
        if group is not MISSING:
            values[name] = FrozenFields(_copy_fields(group, members))
    return values


@cache
def _grouped(names: tuple[str, ...]) -> tuple[list[str], list[tuple[str, tuple[str, ...]]]]:
    """Names without a dot, and the others by the part before it."""
    groups: dict[str, list[str]] = {}
    for name in names:
        head, dot, rest = name.partition(".")
        if dot:
            groups.setdefault(head, []).append(rest)
    return [name for name in names if "." not in name], [(head, tuple(rest)) for head, rest in groups.items()]


def _refreshed(values: dict[str, Any], source: Any) -> dict[str, Any]:
    """The values with changed ones replaced; the same dictionary if none has changed."""
    changed: dict[str, Any] = {}
    for name, shown in values.items():
        if isinstance(shown, FrozenFields):
            inner = _refreshed(shown.__dict__, getattr(source, name))
            if inner is not shown.__dict__:
                changed[name] = FrozenFields(inner)
        elif isinstance(shown, np.ndarray | np.generic | int | float) and not name.startswith(ASSETS):
            value = getattr(source, name)
            # for small arrays three times as fast as comparing numbers
            same = shown.tobytes() == value.tobytes() if isinstance(shown, np.ndarray) else shown == value
            if not same:
                changed[name] = _frozen(value)
    return {**values, **changed} if changed else values


def _frozen(value: Any) -> Any:
    """A scalar as it is, an array as a read-only copy."""
    if not isinstance(value, np.ndarray):
        return value
    copy = value.copy()
    copy.setflags(write=False)
    return copy
