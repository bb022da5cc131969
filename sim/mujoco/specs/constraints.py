"""Contact pairs, excludes, equalities and tendons under MuJoCo's names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from sim.attributes.keywords import OBJECT_TYPES
from sim.enums import EQ_CONNECT, EQ_DISTANCE, EQ_JOINT, EQ_TENDON, EQ_WELD, GEOM_CYLINDER
from sim.mjcf.section.equality import TYPES, read_equality
from sim.mujoco.enums import CLASSES
from sim.mujoco.specs.base import Classed, Facade, Mjs
from sim.mujoco.specs.fields import Field
from sim.mujoco.specs.grouped import Grouped
from sim.spec import Element

EQUALITY_TAGS = {number: tag for tag, (number, _) in TYPES.items()}
EQUALITY_KEYS = {
    "body1", "body2", "site1", "site2", "joint1", "joint2", "tendon1", "tendon2", "geom1", "geom2", "anchor", "relpose",
    "torquescale", "polycoef", "distance",
}  # fmt: skip
OBJECT_KEYS = {EQ_JOINT: "joint", EQ_TENDON: "tendon", EQ_DISTANCE: "geom"}
# attributes of a spatial tendon only
SPATIAL_ONLY = ("width", "material", "rgba")


class MjsPair(
    Classed,
    kind="pair",
    rows="""geomname1:s:geom1 geomname2:s:geom2 condim:i solref:f2 solreffriction:f2 solimp:f5 margin:f gap:f adhesion:f
    friction:f5""",
):
    """A contact pair."""


class MjsExclude(Mjs, kind="exclude", rows="bodyname1:s:body1 bodyname2:s:body2"):
    """A pair of bodies without contacts."""


class MjsEquality(
    Grouped,
    Classed,
    kind="equality",
    rows="type:mjtEq:- data:f12:- active:b name1:s:- name2:s:- objtype:mjtObj:- solref:f2 solimp:f5",
):
    """An equality constraint; its type says which attributes it has in a file."""

    together = ("type", "data", "name1", "name2", "objtype")
    unset: ClassVar[dict[str, Any]] = {
        "type": 0,
        "data": (0.0, 1.0, *(0.0,) * 8, 1.0, 0.0),
        "name1": "",
        "name2": "",
        "objtype": 0,
    }

    def _definition(self) -> dict[str, Any]:
        element = self._element
        if element.tag == "equality":
            return dict(self.unset)
        item = read_equality(element.spec.classes.parsed, element.node)
        objtype = 0 if item.type in (EQ_JOINT, EQ_TENDON) else OBJECT_TYPES[item.objtype]
        return {"type": item.type, "data": item.data, "name1": item.obj1, "name2": item.obj2, "objtype": objtype}

    def _define(self) -> None:
        own = self._own
        kind, data = int(own["type"]), np.array(own["data"], float)
        if kind not in EQUALITY_TAGS:
            raise ValueError("equality constraints of deformable bodies (flex) are not supported")
        what = OBJECT_KEYS.get(kind, "site" if int(own["objtype"]) == OBJECT_TYPES["site"] else "body")
        values: dict[str, Any] = {f"{what}1": own["name1"] or None, f"{what}2": own["name2"] or None}
        if kind == EQ_CONNECT and what == "body":
            values["anchor"] = data[:3]
        elif kind == EQ_WELD:
            values |= {"anchor": data[:3], "relpose": data[3:10]} if what == "body" else {}
            values["torquescale"] = float(data[10])
        elif kind in (EQ_JOINT, EQ_TENDON):
            values["polycoef"] = data[:5]
        elif kind == EQ_DISTANCE:
            values["distance"] = float(data[0])
        self._retag(EQUALITY_TAGS[kind], EQUALITY_KEYS, values)


WRAPS: Any = CLASSES["mjtWrap"]


class MjsWrap(Facade):
    """A part of the path of a tendon."""

    __slots__ = ("info",)

    def __init__(self, element: Element) -> None:
        super().__init__(element)
        self.info = ""

    def _named(self, kind: str, name: Any) -> Any:
        return getattr(self._spec, kind)(name) if name else None

    @property
    def type(self) -> Any:
        element = self._element
        if element.tag == "geom":
            built, geom = element.spec.built, element.spec.find("geom", element.get("geom") or "")
            shape = geom.get("type") if built is not None and geom is not None else 0
            return WRAPS.mjWRAP_CYLINDER if shape == GEOM_CYLINDER else WRAPS.mjWRAP_SPHERE
        return getattr(WRAPS, f"mjWRAP_{element.tag.upper()}")

    @property
    def target(self) -> Any:
        tag = self._element.tag
        return None if tag == "pulley" else self._named(tag, self._element.get(tag))

    @property
    def sidesite(self) -> Any:
        return self._named("site", self._element.get("sidesite")) if self._element.tag == "geom" else None

    @property
    def coef(self) -> float:
        return float(self._element.get("coef") or 0) if self._element.tag == "joint" else 0.0

    @property
    def divisor(self) -> float:
        return float(self._element.get("divisor") or 0) if self._element.tag == "pulley" else 0.0


class MjsTendonPath:
    """The path of a tendon."""

    __slots__ = ("_tendon",)

    def __init__(self, tendon: MjsTendon) -> None:
        self._tendon = tendon

    def _wraps(self) -> list[MjsWrap]:
        return [self._tendon._spec.wrap(element) for element in self._tendon._element.children]

    def __len__(self) -> int:
        return len(self._wraps())

    def __getitem__(self, index: int) -> MjsWrap:
        wraps = self._wraps()
        if not 0 <= index < len(wraps):
            raise IndexError("Index out of range.")
        return wraps[index]

    def __iter__(self) -> Iterator[MjsWrap]:
        return iter(self._wraps())


class MjsTendon(
    Mjs,
    kind="tendon",
    rows="""stiffness:f3 springlength:f2 springyield:f damping:f3 frictionloss:f solref_friction:f2:solreffriction
    solimp_friction:f5:solimpfriction armature:f limited:mjtLimited actfrclimited:mjtLimited:actuatorfrclimited range:f2
    actfrcrange:f2:actuatorfrcrange margin:f solref_limit:f2:solreflimit solimp_limit:f5:solimplimit material:s width:f
    rgba:g4 group:i userdata:F:user""",
):
    """A tendon; it is written as <fixed> once it has joints."""

    def default(self) -> Any:
        return self._spec.find_default(self._spec.class_of(self._element))

    @property
    def path(self) -> MjsTendonPath:
        return MjsTendonPath(self)

    def _load(self, field: Field) -> Any:
        if self._element.tag == "fixed" and field.key in SPATIAL_ONLY:
            prototype = self._element.spec.classes.prototype(self._element.node)
            return field.from_attribute(self._own.get(field.name, vars(prototype)[field.key]))
        own = self._element.own("springlength") if field.name == "springlength" else None
        # one spring length stands for both ends of its range
        return super()._load(field) if own is None else field.from_attribute((*own, *own)[:2])

    def _store(self, field: Field, value: Any) -> None:
        if self._element.tag == "fixed" and field.key in SPATIAL_ONLY:
            self._own[field.name] = field.copied(value)
            self._beyond(field.key, value)
        else:
            super()._store(field, value)

    def _beyond(self, key: str, value: Any) -> None:
        """Keep what <fixed> has no attribute for."""
        plain = tuple(value.tolist()) if isinstance(value, np.ndarray) else value
        self._element.spec.set_beyond(self._element, key, plain)

    def _wrap(self, tag: str, attributes: dict[str, Any]) -> MjsWrap:
        element = self._element
        self._spec.flush_defaults()
        if tag == "joint" and element.tag == "spatial" and not element.children:
            for key in SPATIAL_ONLY:
                if element.own(key) is not None:
                    self._own[key] = element.own(key)
                    self._beyond(key, element.own(key))
                    element.set(key, None)
            element.spec.tree.set_tag(element.node, "fixed")
        if (tag == "joint") != (element.tag == "fixed"):
            raise ValueError("Error: a tendon cannot be both spatial and fixed")
        self._spec.structure_changed()
        made: MjsWrap = self._spec.wrap(element.add(tag, **attributes))
        return made

    def wrap_site(self, name: str) -> MjsWrap:
        return self._wrap("site", {"site": name})

    def wrap_geom(self, name: str, sidesite: str) -> MjsWrap:
        return self._wrap("geom", {"geom": name, **({"sidesite": sidesite} if sidesite else {})})

    def wrap_joint(self, name: str, coef: float) -> MjsWrap:
        return self._wrap("joint", {"joint": name, "coef": float(coef)})

    def wrap_pulley(self, divisor: float) -> MjsWrap:
        return self._wrap("pulley", {"divisor": float(divisor)})
