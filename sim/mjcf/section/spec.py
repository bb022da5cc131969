"""Classes of the elements beside the body tree: pairs, equalities, tendons, actuators, sensors, custom.

They refer to other elements by name; `find` resolves a name to an id once ids are assigned. Fields are named as the
MJCF attributes, as in `sim.mjcf.spec`; `spec.section_elements` holds the elements by type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sim import enums
from sim.mjcf.errors import suggestion
from sim.mjcf.rotation import Vector
from sim.mjcf.scale.frame_scale import Scale
from sim.mjcf.spec import Item

Ids = Mapping[str, Mapping[str, int]]


class Pair(Item, element="pair"):
    geom1: str
    geom2: str
    condim: int
    gap: float
    margin: float
    # computed
    geomids: tuple[int, int] = (-1, -1)
    signature: int = -1


class Exclude(Item, element="exclude"):
    body1: str
    body2: str
    # computed
    signature: int = -1


class Equality(Item, element="equality"):
    """`obj1` and `obj2` are names of objects of type `objtype`; `data` is laid out as in eq_data."""

    type: int = enums.EQ_CONNECT
    objtype: str = ""
    obj1: str = ""
    obj2: str = ""
    data: Vector = (0.0, 1.0) + (0.0,) * 8 + (1.0, 0.0)
    # scales of the two positions in `data`
    anchors: tuple[Scale | None, Scale | None] = (None, None)
    # computed
    obj1id: int = -1
    obj2id: int = -1


class Wrap(Item):
    """One element of a tendon's path: `target` is a joint, site or geom, `prm` a coefficient or divisor."""

    type: int = enums.WRAP_NONE
    target: str = ""
    sidesite: str = ""
    prm: float = 0.0
    # computed
    objid: int = -1


class Tendon(Item, element="tendon"):
    path: tuple[Wrap, ...] = ()
    group: int
    limited: int
    actuatorfrclimited: int
    range: Vector
    actuatorfrcrange: Vector
    springlength: Vector
    springyield: float
    width: float
    material: str
    margin: float
    stiffness: Vector
    damping: Vector
    armature: float
    user: Vector


class Actuator(Item, element="actuator"):
    """`target` is a joint, tendon, site or body, depending on `trntype`; `input` sets ctrlspec."""

    trntype: int = enums.TRN_UNDEFINED
    target: str = ""
    slidersite: str
    refsite: str
    group: int
    nsample: int
    interp: int
    delay: float
    ctrllimited: int
    ctrlrange: Vector
    velrange: Vector
    ffrange: Vector
    forcelimited: int
    forcerange: Vector
    actlimited: int
    actrange: Vector
    inheritrange: float
    lengthrange: Vector
    gear: Vector
    damping: Vector
    armature: float
    cranklength: float
    actdim: int
    input: int = 0
    # the element that it is written as; of a default class, the last one there
    shortcut: str = ""
    # what the control is, declared by `input` or implied by the shortcut; 0: a number without a dimension
    control: int = 0
    dyntype: int
    gaintype: int
    biastype: int
    dynprm: Vector
    gainprm: Vector
    biasprm: Vector
    actearly: bool
    user: Vector
    # computed: ids of the transmission targets, counts of controls and outputs, limits of the controls
    trnid: tuple[int, int] = (-1, -1)
    ctrlspec: int = 0
    ctrlnum: int = 1
    outnum: int = 1
    limits: tuple[tuple[bool, Vector], ...] = ()


def is_ratio(actuator: Actuator) -> bool:
    """Whether the third number of its biasprm is a damping ratio, which loading replaces by the damping."""
    kp = -actuator.biasprm[1] if actuator.gaintype == enums.GAIN_PID else actuator.gainprm[0]
    return kp == -actuator.biasprm[1] and actuator.biasprm[2] > 0


class Sensor(Item, element="sensor"):
    """`objname` and `refname` are names of objects of types `objtype` and `reftype`, which may be empty."""

    type: int = enums.SENS_USER
    objtype: str = ""
    objname: str = ""
    reftype: str = ""
    refname: str = ""
    nsample: int
    interp: int
    delay: float
    interval: Vector
    cutoff: float
    intprm: tuple[int, int, int] = (0, 0, 0)
    datatype: int
    needstage: int
    dim: int
    user: Vector
    # computed
    objid: int = -1
    refid: int = -1


class Numeric(Item, element="numeric"):
    data: Vector


class Text(Item, element="text"):
    data: str


class Element(Item, element="element"):
    """One element of a tuple: an object and a number."""

    objtype: str = ""
    objname: str = ""
    prm: float
    # computed
    objid: int = -1


class Tuple(Item, element="tuple"):
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
