"""Dataclasses of the elements beside the body tree: pairs, equalities, tendons, actuators, sensors, custom.

They refer to other elements by name; `find` resolves a name to an id once ids are assigned. Fields are named as the
MJCF attributes, as in `sim.mjcf.spec`; `spec.section_elements` holds the elements by type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sim import enums
from sim.mjcf.errors import suggestion
from sim.mjcf.rotation import Vector
from sim.mjcf.spec import AUTO, FALSE, GREY, SOLIMP, SOLREF, Item

Ids = Mapping[str, Mapping[str, int]]


def enum_values(prefix: str, words: str) -> dict[str, int]:
    """MJCF keywords -> values of the enum constants called PREFIX_KEYWORD."""
    return {word: getattr(enums, f"{prefix}_{word.upper()}") for word in words.split()}


# object types: keyword -> mjtObj; an xbody is a body with its regular frame instead of the inertial one
OBJECT_TYPES = enum_values("OBJ", """
    body xbody joint dof geom site camera light flex mesh skin hfield texture material pair exclude equality tendon
    actuator sensor numeric text tuple key plugin""")  # fmt: skip
OBJECT_NAMES = {number: kind for kind, number in OBJECT_TYPES.items()}

NPRM = 10
ONE_PRM: Vector = (1.0,) + (0.0,) * (NPRM - 1)
NO_PRM: Vector = (0.0,) * NPRM


@dataclass(eq=False)
class Pair(Item):
    geom1: str = ""
    geom2: str = ""
    condim: int = 3
    friction: Vector = (1.0, 1.0, 0.005, 0.0001, 0.0001)
    solref: Vector = SOLREF
    solreffriction: Vector = (0.0, 0.0)
    solimp: Vector = SOLIMP
    gap: float = 0.0
    margin: float = 0.0
    adhesion: float = 0.0
    # computed
    geomids: tuple[int, int] = (-1, -1)
    signature: int = -1


@dataclass(eq=False)
class Exclude(Item):
    body1: str = ""
    body2: str = ""
    # computed
    signature: int = -1


@dataclass(eq=False)
class Equality(Item):
    """`obj1` and `obj2` are names of objects of type `objtype`; `data` is laid out as in eq_data."""

    type: int = enums.EQ_CONNECT
    objtype: str = ""
    obj1: str = ""
    obj2: str = ""
    active: bool = True
    solref: Vector = SOLREF
    solimp: Vector = SOLIMP
    data: Vector = (0.0, 1.0) + (0.0,) * 8 + (1.0,)
    # computed
    obj1id: int = -1
    obj2id: int = -1


@dataclass(eq=False)
class Wrap(Item):
    """One element of a tendon's path: `target` is a joint, site or geom, `prm` a coefficient or divisor."""

    type: int = enums.WRAP_NONE
    target: str = ""
    sidesite: str = ""
    prm: float = 0.0
    # computed
    objid: int = -1


@dataclass(eq=False)
class Tendon(Item):
    path: tuple[Wrap, ...] = ()
    group: int = 0
    limited: int = AUTO
    actuatorfrclimited: int = FALSE
    range: Vector = (0.0, 0.0)
    actuatorfrcrange: Vector = (0.0, 0.0)
    solreflimit: Vector = SOLREF
    solimplimit: Vector = SOLIMP
    solreffriction: Vector = SOLREF
    solimpfriction: Vector = SOLIMP
    frictionloss: float = 0.0
    springlength: Vector = (-1.0, -1.0)
    width: float = 0.003
    material: str = ""
    margin: float = 0.0
    stiffness: Vector = (0.0, 0.0, 0.0)
    damping: Vector = (0.0, 0.0, 0.0)
    armature: float = 0.0
    rgba: Vector = GREY
    user: Vector = ()


@dataclass(eq=False)
class Actuator(Item):
    """`target` is a joint, tendon, site or body, depending on `trntype`; `input` sets ctrlspec."""

    trntype: int = enums.TRN_UNDEFINED
    target: str = ""
    slidersite: str = ""
    refsite: str = ""
    group: int = 0
    nsample: int = 0
    interp: int = 0
    delay: float = 0.0
    ctrllimited: int = AUTO
    ctrlrange: Vector = (0.0, 0.0)
    velrange: Vector = (0.0, 0.0)
    ffrange: Vector = (0.0, 0.0)
    forcelimited: int = AUTO
    forcerange: Vector = (0.0, 0.0)
    actlimited: int = AUTO
    actrange: Vector = (0.0, 0.0)
    inheritrange: float = 0.0
    lengthrange: Vector = (0.0, 0.0)
    gear: Vector = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    damping: Vector = (0.0, 0.0, 0.0)
    armature: float = 0.0
    cranklength: float = 0.0
    actdim: int = -1
    input: int = 0
    dyntype: int = enums.DYN_NONE
    gaintype: int = enums.GAIN_FIXED
    biastype: int = enums.BIAS_NONE
    dynprm: Vector = ONE_PRM
    gainprm: Vector = ONE_PRM
    biasprm: Vector = NO_PRM
    actearly: bool = False
    user: Vector = ()
    # computed: ids of the transmission targets, counts of controls and outputs, limits of the controls
    trnid: tuple[int, int] = (-1, -1)
    ctrlspec: int = 0
    ctrlnum: int = 1
    outnum: int = 1
    limits: tuple[tuple[bool, Vector], ...] = ()


@dataclass(eq=False)
class Sensor(Item):
    """`objname` and `refname` are names of objects of types `objtype` and `reftype`, which may be empty."""

    type: int = enums.SENS_USER
    objtype: str = ""
    objname: str = ""
    reftype: str = ""
    refname: str = ""
    nsample: int = 0
    interp: int = 0
    delay: float = 0.0
    interval: Vector = (0.0, 0.0)
    cutoff: float = 0.0
    noise: float = 0.0
    intprm: tuple[int, int, int] = (0, 0, 0)
    datatype: int = enums.DATATYPE_REAL
    needstage: int = enums.STAGE_ACC
    dim: int = 0
    user: Vector = ()
    # computed
    objid: int = -1
    refid: int = -1


@dataclass(eq=False)
class Numeric(Item):
    data: Vector = ()


@dataclass(eq=False)
class Text(Item):
    data: str = ""


@dataclass(eq=False)
class Element(Item):
    """One element of a tuple: an object and a number."""

    objtype: str = ""
    objname: str = ""
    prm: float = 0.0
    # computed
    objid: int = -1


@dataclass(eq=False)
class Tuple(Item):
    elements: tuple[Element, ...] = ()


# types that a default class can set
SECTION_PROTOTYPES: dict[str, type[Item]] = {
    "pair": Pair, "equality": Equality, "tendon": Tendon, "actuator": Actuator,
}  # fmt: skip

_TARGETS = {
    enums.TRN_JOINT: "joint", enums.TRN_JOINTINPARENT: "joint", enums.TRN_SLIDERCRANK: "site",
    enums.TRN_TENDON: "tendon", enums.TRN_SITE: "site", enums.TRN_BODY: "body",
}  # fmt: skip
_PATH = {enums.WRAP_JOINT: "joint", enums.WRAP_SITE: "site"}


def references(item: Item) -> Iterator[tuple[Any, str, str]]:
    """Every reference by name: the item that holds it, the attribute, and the type of the object."""
    if isinstance(item, Tendon):
        for wrap in item.path:
            yield wrap, "target", _PATH.get(wrap.type, "geom")
            yield wrap, "sidesite", "site"
    elif isinstance(item, Tuple):
        for element in item.elements:
            yield element, "objname", element.objtype
    elif isinstance(item, Pair):
        yield from ((item, "geom1", "geom"), (item, "geom2", "geom"))
    elif isinstance(item, Exclude):
        yield from ((item, "body1", "body"), (item, "body2", "body"))
    elif isinstance(item, Equality):
        yield from ((item, "obj1", item.objtype), (item, "obj2", item.objtype))
    elif isinstance(item, Actuator):
        yield from (
            (item, "target", _TARGETS.get(item.trntype, "")),
            (item, "slidersite", "site"),
            (item, "refsite", "site"),
        )
    elif isinstance(item, Sensor):
        yield from ((item, "objname", item.objtype), (item, "refname", item.reftype))


def target_kind(actuator: Actuator) -> str:
    """Type of the object that an actuator acts on."""
    return _TARGETS[actuator.trntype]


def find(item: Item, kind: str, name: str, ids: Ids) -> int:
    """The id of a named element that `item` refers to."""
    known = ids.get("body" if kind == "xbody" else kind, {})
    if name not in known:
        raise item.error(f"{kind} '{name}' does not exist", suggestion(name, known))
    return known[name]
