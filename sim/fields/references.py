"""Fields of Model that refer to elements by index: native code takes every such number at its word.

`GUARDS` names for each field the references that depend on it; `check_references` finds what is out of range.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import enums

Numbers = NDArray[np.int64]
# the least legal number, and the count of the elements referred to; both for each number of the field
Range = tuple[Any, Any]

OBJECTS = {
    enums.OBJ_BODY: "nbody", enums.OBJ_XBODY: "nbody", enums.OBJ_JOINT: "njnt", enums.OBJ_DOF: "nv",
    enums.OBJ_GEOM: "ngeom", enums.OBJ_SITE: "nsite", enums.OBJ_CAMERA: "ncam", enums.OBJ_LIGHT: "nlight",
    enums.OBJ_MESH: "nmesh", enums.OBJ_SKIN: "nskin", enums.OBJ_HFIELD: "nhfield", enums.OBJ_TEXTURE: "ntex",
    enums.OBJ_MATERIAL: "nmat", enums.OBJ_PAIR: "npair", enums.OBJ_EXCLUDE: "nexclude", enums.OBJ_EQUALITY: "neq",
    enums.OBJ_TENDON: "ntendon", enums.OBJ_ACTUATOR: "nactuator", enums.OBJ_SENSOR: "nsensor",
    enums.OBJ_NUMERIC: "nnumeric", enums.OBJ_TEXT: "ntext", enums.OBJ_TUPLE: "ntuple", enums.OBJ_KEY: "nkey",
}  # fmt: skip
EQUALITIES = {enums.EQ_JOINT: "njnt", enums.EQ_TENDON: "ntendon", enums.EQ_DISTANCE: "ngeom"}
TARGETS = {
    enums.TRN_JOINT: "njnt", enums.TRN_JOINTINPARENT: "njnt", enums.TRN_SLIDERCRANK: "nsite",
    enums.TRN_TENDON: "ntendon", enums.TRN_SITE: "nsite", enums.TRN_BODY: "nbody",
}  # fmt: skip
WRAPS = {
    enums.WRAP_JOINT: "njnt", enums.WRAP_SITE: "nsite", enums.WRAP_SPHERE: "ngeom", enums.WRAP_CYLINDER: "ngeom",
}  # fmt: skip
SHAPES = {enums.GEOM_MESH: "nmesh", enums.GEOM_HFIELD: "nhfield"}


def _counts(m: Any, types: Any, sizes: Mapping[int, str]) -> Numbers:
    """The size that each type counts; 0 for the others."""
    return np.array([m.read(sizes[kind]) if kind in sizes else 0 for kind in np.ravel(types).tolist()], np.int64)


def _typed(types: str, sizes: Mapping[int, str], optional: bool = False) -> Callable[[Any], Range]:
    """References to elements of the type in another field; -1 where that is none, or always if `optional`."""

    def reference(m: Any) -> Range:
        kinds = m.read(types)
        return -1 if optional else np.where(np.isin(kinds, [*sizes]), 0, -1), _counts(m, kinds, sizes)

    return reference


def _optional(size: str) -> Callable[[Any], Range]:
    """References to elements of one type, or -1; a few fields have -2 for several."""
    return lambda m: (-2 if size == "nactuator" else -1, m.read(size))


def _equality(m: Any, least: int) -> Range:
    """Objects of equalities: those of connect and weld are bodies or sites."""
    kinds, objects = m.read("eq_type"), _counts(m, m.read("eq_objtype"), OBJECTS)
    either = np.isin(kinds, (enums.EQ_CONNECT, enums.EQ_WELD))
    return np.where(either, 0, least), np.where(either, objects, _counts(m, kinds, EQUALITIES))


def _transmission(m: Any) -> Range:
    """Targets of actuators; a servo of three angles turns a ball joint, or a site relative to another."""
    kinds, second = m.read("actuator_trntype"), m.read("actuator_trnid")[:, 1]
    turns = kinds == enums.TRN_SO3
    first = np.where(turns, np.where(second < 0, m.read("njnt"), m.read("nsite")), _counts(m, kinds, TARGETS))
    known = turns | np.isin(kinds, [*TARGETS])
    crank = np.where(kinds == enums.TRN_SLIDERCRANK, 0, -1)
    return np.stack([np.where(known, 0, -1), crank], 1), np.stack([first, np.full_like(first, m.read("nsite"))], 1)


def _shape(m: Any) -> Range:
    """Meshes and height fields of geoms; those of other shapes may have the mesh that they were fitted to."""
    kinds = m.read("geom_type")
    shaped, most = np.isin(kinds, [*SHAPES]), max(m.read("nmesh"), m.read("nhfield"))
    return np.where(shaped, 0, -1), np.where(shaped, _counts(m, kinds, SHAPES), most)


REFERENCES: dict[str, Callable[[Any], Range]] = {
    "geom_dataid": _shape,
    "eq_obj1id": lambda m: _equality(m, 0),
    "eq_obj2id": lambda m: _equality(m, -1),
    "actuator_trnid": _transmission,
    "sensor_objid": _typed("sensor_objtype", OBJECTS),
    "sensor_refid": _typed("sensor_reftype", OBJECTS, optional=True),
    "wrap_objid": _typed("wrap_type", WRAPS),
    "pair_geom1": lambda m: (0, m.read("ngeom")),
    "pair_geom2": lambda m: (0, m.read("ngeom")),
    "cam_targetbodyid": _optional("nbody"),
    "light_targetbodyid": _optional("nbody"),
    "jnt_actuatorid": _optional("nactuator"),
    "tendon_actuatorid": _optional("nactuator"),
    "geom_matid": _optional("nmat"),
    "site_matid": _optional("nmat"),
    "tendon_matid": _optional("nmat"),
    "skin_matid": _optional("nmat"),
    "mat_texid": _optional("ntex"),
}
GUARDS: dict[str, tuple[str, ...]] = {name: (name,) for name in REFERENCES} | {
    "geom_type": ("geom_dataid",),
    "eq_type": ("eq_obj1id", "eq_obj2id"),
    "eq_objtype": ("eq_obj1id", "eq_obj2id"),
    "actuator_trntype": ("actuator_trnid",),
    "sensor_objtype": ("sensor_objid",),
    "sensor_reftype": ("sensor_refid",),
    "wrap_type": ("wrap_objid",),
}


def check_references(m: Any, names: tuple[str, ...]) -> None:
    """Raise ValueError for a number of one of these fields that is no element's."""
    for name in names:
        values = m.read(name)
        least, count = (np.broadcast_to(bound, values.shape) for bound in REFERENCES[name](m))
        wrong = np.argwhere((values < least) | (values >= count))
        if len(wrong):
            at = tuple(wrong[0].tolist())
            span = f"from {least[at]} to {count[at] - 1}" if count[at] > least[at] else "-1"
            raise ValueError(f"{name}{[*at]} is {values[at]}: it must be {span}")
