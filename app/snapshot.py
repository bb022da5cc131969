"""Snapshots: what the GUI thread sees of Model and Data, immutable.

The simulation thread copies the fields that drawing and panels need, marks the copies read-only and publishes
a `Snapshot` by swapping one reference. A `ModelView` is copied once per model and again after an edit; a
`StateView` once per published state. Both keep the engine's field names and shapes. A field that the engine
does not carry is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.state import RunState

# kinds of named elements and the field that counts them
NAMED = {
    "body": "nbody", "joint": "njnt", "geom": "ngeom", "site": "nsite", "camera": "ncam", "light": "nlight",
    "key": "nkey",
}  # fmt: skip

MODEL_FIELDS = (
    "nq", "nv", "nbody", "njnt", "ngeom", "nsite", "ncam", "nlight", "ntex", "nmat", "nkey",
    "ntendon", "body_parentid", "body_mass", "body_weldid", "jnt_type", "jnt_bodyid",
    "geom_type", "geom_size", "geom_rgba", "geom_matid", "geom_group", "geom_bodyid", "geom_rbound",
    "geom_dataid",
    "mesh_vertadr", "mesh_vertnum", "mesh_vert", "mesh_normaladr", "mesh_normalnum", "mesh_normal",
    "mesh_texcoordadr", "mesh_texcoordnum", "mesh_texcoord", "mesh_faceadr", "mesh_facenum", "mesh_face",
    "mesh_facenormal", "mesh_facetexcoord",
    "hfield_size", "hfield_nrow", "hfield_ncol", "hfield_adr", "hfield_data",
    "tendon_width", "tendon_rgba", "tendon_matid", "tendon_group",
    "site_type", "site_size", "site_rgba", "site_matid", "site_group", "site_bodyid",
    "cam_fovy",
    "light_type", "light_active", "light_castshadow", "light_ambient", "light_diffuse", "light_specular",
    "light_attenuation", "light_cutoff", "light_exponent",
    "mat_rgba", "mat_specular", "mat_shininess", "mat_emission", "mat_reflectance", "mat_texid",
    "mat_texrepeat", "mat_texuniform",
    "tex_type", "tex_width", "tex_height", "tex_nchannel", "tex_adr", "tex_data",
    "opt.timestep", "opt.gravity", "opt.cone",
    "stat.center", "stat.extent", "stat.meansize", "stat.meanmass",
    "vis.global_.azimuth", "vis.global_.elevation", "vis.global_.fovy", "vis.global_.cameraid",
    "vis.global_.glow",
    "vis.headlight.active", "vis.headlight.ambient", "vis.headlight.diffuse", "vis.headlight.specular",
    "vis.map.znear", "vis.map.zfar", "vis.map.haze", "vis.map.force", "vis.quality.shadowsize",
    "vis.scale.contactwidth", "vis.scale.contactheight", "vis.scale.forcewidth", "vis.scale.selectpoint",
    "vis.rgba.haze", "vis.rgba.contactpoint", "vis.rgba.contactgap", "vis.rgba.contactforce",
    "vis.rgba.selectpoint", "vis.rgba.force",
)  # fmt: skip

STATE_FIELDS = (
    "time", "qpos", "qvel", "xpos", "xmat", "geom_xpos", "geom_xmat", "site_xpos", "site_xmat",
    "cam_xpos", "cam_xmat", "light_xpos", "light_xdir",
    "ten_wrapadr", "ten_wrapnum", "wrap_obj", "wrap_xpos",
    "ncon", "nefc", "nisland", "efc_force", "xfrc_applied",
    "contact.pos", "contact.frame", "contact.dim", "contact.friction", "contact.geom", "contact.efc_address",
)  # fmt: skip


class FrozenFields:
    """Read-only attributes, nested where the source's names are dotted."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"this snapshot does not carry the field '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"snapshots are immutable: '{name}' cannot be set")


class ModelView(FrozenFields):
    """The constants of a model, with the names of its elements."""

    def id2name(self, kind: str, index: int) -> str:
        """The name of an element, or an empty string."""
        return str(self.__dict__["names"][kind][index])


class StateView(FrozenFields):
    """The state and the poses at one instant."""


@dataclass(frozen=True)
class Snapshot:
    """Everything the GUI needs for one frame. `serial` differs between any two published snapshots."""

    serial: int
    run: RunState
    model: ModelView | None = None
    state: StateView | None = None


def view_model(model: Any) -> ModelView:
    """Copy the constants that the GUI needs."""
    values = _copy_fields(model, MODEL_FIELDS)
    values["names"] = {
        kind: tuple(model.id2name(kind, i) or "" for i in range(getattr(model, count, 0)))
        for kind, count in NAMED.items()
    }
    return ModelView(values)


def view_state(data: Any) -> StateView:
    """Copy the state and the poses that the GUI needs."""
    return StateView(_copy_fields(data, STATE_FIELDS))


def _copy_fields(source: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """The named fields of `source`, frozen; dotted names become nested groups."""
    values: dict[str, Any] = {}
    groups: dict[str, list[str]] = {}
    for name in names:
        head, dot, rest = name.partition(".")
        if dot:
            groups.setdefault(head, []).append(rest)
        elif hasattr(source, head):
            values[head] = _frozen(getattr(source, head))
    for head, members in groups.items():
        if hasattr(source, head):
            values[head] = FrozenFields(_copy_fields(getattr(source, head), tuple(members)))
    return values


def _frozen(value: Any) -> Any:
    """A scalar as it is, an array as a read-only copy."""
    if not isinstance(value, np.ndarray):
        return value
    copy = value.copy()
    copy.setflags(write=False)
    return copy
