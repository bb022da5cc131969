"""MjsSensor: a sensor; its tag is its type, and its attributes depend on that."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from sim import enums
from sim.attributes import defaults
from sim.attributes.keywords import KEYWORDS, OBJECT_NAMES, OBJECT_TYPES
from sim.mjcf.schema import element as schema
from sim.mjcf.section.sensor import CONTACT_DATA, RAY_DATA, TYPES, read_sensor
from sim.mujoco.specs.fields import Field
from sim.mujoco.specs.grouped import Grouped
from sim.mujoco.specs.members import WithPlugin

TAGS = {row.number: tag for tag, row in TYPES.items()}
KEYS = {
    "site", "camera", "joint", "tendon", "actuator", "body", "mesh", "geom", "objtype", "objname", "reftype", "refname",
    "geom1", "geom2", "body1", "body2", "subtree1", "subtree2", "data", "num", "reduce", "enclosed", "datatype",
    "needstage", "dim",
}  # fmt: skip
FIRST = {"site": "site", "body": "body1", "xbody": "subtree1", "geom": "geom1"}
SECOND = {"body": "body2", "xbody": "subtree2", "geom": "geom2"}
USER_ONLY = ("datatype", "needstage", "dim")


class MjsSensor(
    Grouped,
    WithPlugin,
    kind="sensor",
    rows="""type:mjtSensor:- objtype:mjtObj:- objname:s:- reftype:mjtObj:- refname:s:- intprm:i3:-
    datatype:mjtDataType:- needstage:mjtStage:- dim:i:- cutoff:f noise:f nsample:i interp:i delay:f interval:f2
    userdata:F:user""",
):
    """A sensor."""

    together = ("type", "objtype", "objname", "reftype", "refname", "intprm", *USER_ONLY)
    unset: ClassVar[dict[str, Any]] = {
        "type": 0, "objtype": 0, "objname": "", "reftype": 0, "refname": "", "intprm": (0, 0, 0), "datatype": 0,
        "needstage": enums.STAGE_ACC, "dim": 0,
    }  # fmt: skip

    def _definition(self) -> dict[str, Any]:
        item = read_sensor(self._element.spec.classes.parsed, self._element.node)
        found = {name: getattr(item, name) for name in ("type", "objname", "refname", "intprm")}
        found |= {name: OBJECT_TYPES.get(getattr(item, name), 0) for name in ("objtype", "reftype")}
        user = item.type == enums.SENS_USER
        return {**self.unset, **found, **({name: getattr(item, name) for name in USER_ONLY} if user else {})}

    def _load(self, field: Field) -> Any:
        if field.key and field.key not in schema(self._element.schema).attributes:
            return field.from_attribute(defaults("sensor").get(field.key))
        return super()._load(field)

    def _store(self, field: Field, value: Any) -> None:
        if field.key and field.key not in schema(self._element.schema).attributes:
            # a type without this attribute: MuJoCo has no use for it either
            self._own[field.name] = value
        else:
            super()._store(field, value)

    def _define(self) -> None:
        own = self._own
        kind, tag = int(own["type"]), TAGS.get(int(own["type"]))
        if tag is None:
            raise ValueError(f"sensors of type {kind} are not supported")
        row = TYPES[tag]
        first, second = (OBJECT_NAMES.get(int(own[name]), "") for name in ("objtype", "reftype"))
        values: dict[str, Any] = {}
        if tag == "user":
            values = {name: int(own[name]) for name in USER_ONLY}
        if row.objtype and tag not in ("rangefinder", "contact"):
            values[row.objtype] = own["objname"] or None
        elif tag == "rangefinder":
            values[first if first in ("site", "camera") else "site"] = own["objname"] or None
            values["data"] = words(own["intprm"][0], RAY_DATA)
        elif tag == "contact":
            values |= {FIRST.get(first, "geom1"): own["objname"] or None} if first else {}
            values |= {SECOND.get(second, "geom2"): own["refname"] or None} if second else {}
            values |= {"data": words(own["intprm"][0], CONTACT_DATA), "num": int(own["intprm"][2])}
            reduce = int(own["intprm"][1])
            values["reduce"] = reduce if reduce in KEYWORDS["reduce"].values() else None
        elif tag in ("distance", "normal", "fromto"):
            values |= {FIRST.get(first, "geom1"): own["objname"] or None}
            values |= {SECOND.get(second, "geom2"): own["refname"] or None}
        elif first and tag not in ("clock", "e_potential", "e_kinetic"):
            values |= {"objtype": first, "objname": own["objname"] or None}
            if second and not row.reftype and tag in RELATIVE:
                values |= {"reftype": second, "refname": own["refname"] or None}
        if row.reftype:
            values[row.reftype] = own["refname"] or None
        if tag == "insidesite" and int(own["intprm"][0]):
            values["enclosed"] = True
        self._retag(tag, KEYS, values)

    def problem(self) -> str:
        """MuJoCo's error for a sensor that a file cannot hold; "" if nothing is wrong."""
        if self._own.get("type") is None and "intprm" not in self._own:
            return ""
        tag = TAGS.get(int(self.type), "")
        bits, reduce, number = (int(x) for x in self.intprm)
        if tag == "rangefinder":
            return "data spec (intprm[0]) must be positive, got 0" if bits <= 0 else ""
        if tag != "contact":
            return ""
        first, second = (OBJECT_NAMES.get(int(kind), "") for kind in (self.objtype, self.reftype))
        if first and first not in FIRST:
            return "first matching criterion: if set, must be (x)body, geom or site"
        if second and second not in SECOND:
            return "second matching criterion: if set, must be (x)body or geom"
        known = (1 << len(CONTACT_DATA)) - 1
        if bits <= 0:
            return f"data spec (intprm[0]) must be positive, got {bits}"
        if not bits & known:
            return f"data spec intprm[0]={bits} must have at least one bit set of the first mjNCONDATA bits"
        if bits & ~known:
            return f"data spec intprm[0]={bits} has bits set beyond the first mjNCONDATA bits"
        if reduce not in KEYWORDS["reduce"].values():
            return f"unknown reduction criterion. got {reduce}"
        return "num (intprm[2]) must be positive in sensor" if number <= 0 else ""

    def get_data_size(self) -> int:
        """The number of its values."""
        tag = TAGS.get(int(self.type), "")
        bits, _, number = (int(x) for x in self.intprm)
        if tag == "contact":
            return number * sum(size for k, size in enumerate(CONTACT_DATA.values()) if bits & 1 << k)
        if tag == "rangefinder":
            camera = self._spec.camera(self.objname) if OBJECT_NAMES.get(int(self.objtype)) == "camera" else None
            rays = int(np.prod(camera.resolution)) if camera is not None else 1
            return rays * sum(size for k, size in enumerate(RAY_DATA.values()) if bits & 1 << k)
        return int(self.dim) if tag == "user" else TYPES[tag].dim or 1 if tag else 0


RELATIVE = ("framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel")


def words(bits: int, known: dict[str, int]) -> str | None:
    """The keywords of bits."""
    return " ".join(word for k, word in enumerate(known) if int(bits) & 1 << k) or None
