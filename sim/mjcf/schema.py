"""The MJCF schema: elements, their children, and checks of their attributes, whose types are in `sim.attributes`.

Checks that need no semantics come from here: unknown elements and attributes (with the closest known name), bad and
missing numbers, NaN, infinity where no range ends, wrong counts, unknown keywords, missing and mutually exclusive
attributes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from math import isfinite
from typing import Any

from sim.attributes import BY_ELEMENT, BY_TAG, Type
from sim.attributes.actuators import ACTUATOR_TAGS
from sim.attributes.keywords import KEYWORDS
from sim.mjcf.errors import shortened, suggestion
from sim.mjcf.source import Node


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")

# groups of <visual>
VISUAL_GROUPS = tuple(name.removeprefix("visual/") for name in BY_ELEMENT if name.startswith("visual/"))

_IN_BODY = "body frame inertial? joint freejoint geom site camera light replicate attach"

# elements beside the body tree that a default class can set
_IN_DEFAULT = " ".join(f"default/{tag}?" for tag in ("pair", "equality", "tendon", *ACTUATOR_TAGS))

# element -> children it can have; ? means at most once
CHILDREN: dict[str, str] = {
    "compiler": "lengthrange?",
    "mujoco": """compiler option size statistic visual default asset deformable worldbody keyframe custom contact
        equality tendon actuator sensor body frame""",
    "option": "flag?",
    "visual": " ".join(f"{group}?" for group in VISUAL_GROUPS),
    "default": "default texture? mesh? material? joint? geom? site? camera? light? " + _IN_DEFAULT,
    "asset": "texture material mesh hfield skin",
    "deformable": "skin",
    "skin": "bone",
    "material": "layer",
    "worldbody": _IN_BODY,
    "body": _IN_BODY,
    "frame": _IN_BODY,
    "keyframe": "key",
    "contact": "pair exclude",
    "equality": "connect weld equality/joint equality/tendon equality/distance",
    "tendon": "spatial fixed",
    "spatial": "spatial/site spatial/geom pulley",
    "fixed": "fixed/joint",
    "actuator": " ".join(ACTUATOR_TAGS),
    "sensor": " ".join(name for name in BY_TAG if name.startswith("sensor/")),
    "custom": "numeric text tuple",
    "tuple": "element",
}

# children that MJCF has and Kinetoscope does not support
UNSUPPORTED: dict[str, tuple[str, ...]] = {
    "mujoco": ("extension",),
    "deformable": ("flex",),
    "asset": words("model"),
    **dict.fromkeys(("worldbody", "body", "frame"), words("plugin flexcomp")),
    **dict.fromkeys(("geom", "mesh", "actuator", "sensor"), ("plugin",)),
    "equality": ("flex", "flexstrain"),
}
# children that MJCF no longer has -> their successors
REMOVED = {"composite": "a <flexcomp> of dim 1 replaces it", "flexvert": "use the flex's elasticity"}

# mutually exclusive attributes
EXCLUSIVE: dict[str, tuple[tuple[str, ...], ...]] = {
    **dict.fromkeys(("body", "frame", "geom", "site"), (ORIENTATIONS,)),
    "inertial": ((*ORIENTATIONS, "fullinertia"), ("diaginertia", "fullinertia")),
    "camera": (ORIENTATIONS, ("fovy", "sensorsize")),
    "attach": (("body", "frame"),),
    "light": (("directional", "type"),),
    "size": (("memory", "nstack"), ("memory", "njmax")),
    "connect": tuple(product(("site1", "site2"), ("body1", "body2", "anchor"))),
    "weld": tuple(product(("site1", "site2"), ("body1", "body2", "anchor", "relpose"))),
    "sensor/rangefinder": (("site", "camera"),),
    **dict.fromkeys(("sensor/distance", "sensor/normal", "sensor/fromto"), (("geom1", "body1"), ("geom2", "body2"))),
    "sensor/contact": (("geom1", "body1", "subtree1", "site"), ("geom2", "body2", "subtree2")),
}

# attributes that a default class cannot set, of all elements and of some
NOT_IN_DEFAULT = {
    "": ("name", "class", "target"),
    "light": ("texture",),
    "texture": words("content_type file fileright fileleft fileup filedown filefront fileback"),
    "mesh": words("""
        content_type file vertex normal texcoord face refpos refquat smoothnormal builtin params material"""),
}

# attributes that an empty text resets to none, whatever the default class says
RESETTABLE = {
    "geom": ("material", "mesh", "hfield"),
    "site": ("material", "mesh"),
    "material": ("texture",),
    "spatial": ("material",),
    "general": ("input",),
}

# ranges, whose ends can be infinite
RANGES = frozenset(words("range ctrlrange forcerange actrange actuatorfrcrange"))

NOT_YET = "it is part of MuJoCo 4.0's physics that is not supported yet"
# attributes whose physics is not computed yet -> the value that switches it off
LATER: dict[tuple[str, str], Any] = {
    ("flag", "ipc"): 0,
}

Parser = Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Reader:
    """How one attribute is read.

    `partial`: components not given keep their default; `absent`: whether a text counts as not given, which is blank
    text for numbers, empty text for names, and never for keywords.
    """

    parse: Parser
    partial: bool
    required: bool
    absent: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Element:
    """The schema of one element."""

    tag: str
    attributes: dict[str, Reader]
    required: tuple[str, ...]
    exclusive: tuple[tuple[str, ...], ...]
    children: dict[str, str] = field(default_factory=dict)
    once: frozenset[str] = frozenset()


@cache
def element(name: str) -> Element:
    """The schema of an element, built on first use."""
    attributes = {key: _reader(row.type, key in RANGES) for key, row in BY_TAG.get(name, {}).items()}
    kinds = CHILDREN.get(name, "").split()
    children = {kind.rstrip("?").rpartition("/")[2]: kind.rstrip("?") for kind in kinds}
    return Element(
        name,
        attributes,
        tuple(key for key, a in attributes.items() if a.required),
        EXCLUSIVE.get(name, ()),
        children,
        frozenset(tag for tag, kind in zip(children, kinds, strict=True) if kind.endswith("?")),
    )


def read_attributes(node: Node, name: str | None = None) -> dict[str, Any]:
    """Parsed and checked attributes; an empty one counts as not given, or resets a reference."""
    entry = element(name or node.tag)
    values = {}
    for key, text in node.attrib.items():
        attribute = entry.attributes.get(key)
        if attribute is None:
            raise node.error(f"unknown attribute '{key}'", suggestion(key, entry.attributes))
        if attribute.absent(text):
            if not text and key in RESETTABLE.get(entry.tag, ()):
                values[key] = ""
            continue
        try:
            values[key] = attribute.parse(text)
        except ValueError as why:
            raise node.error(f'{key}="{shortened(text)}": {why}') from None
        if (entry.tag, key) in LATER and values[key] != LATER[entry.tag, key]:
            raise node.error(f'{key}="{shortened(text)}": {NOT_YET}', "remove it")
    for key in entry.required:
        if key not in values:
            raise node.error(f"missing attribute '{key}'")
    for group in entry.exclusive:
        given = [key for key in group if key in values]
        if len(given) > 1:
            raise node.error(f"'{given[0]}' and '{given[1]}' are mutually exclusive", "specify only one")
    return values


def read_node(node: Node, name: str | None = None) -> dict[str, Any]:
    """The attributes of an element whose children are checked too."""
    check_children(node, name)
    return read_attributes(node, name)


def check_children(node: Node, name: str | None = None) -> None:
    """Raise on a child that is unknown here, not supported, or repeated."""
    if not node.children:
        return
    entry = element(name or node.tag)
    seen = set()
    for child in node.children:
        if child.tag not in entry.children:
            if child.tag in UNSUPPORTED.get(entry.tag, ()):
                raise child.error(f"<{child.tag}> in <{node.tag}> is not supported yet")
            if child.tag in REMOVED:
                raise child.error(f"MuJoCo 4.0 has no <{child.tag}>", REMOVED[child.tag])
            cure = suggestion(child.tag, entry.children) if entry.children else ""
            raise child.error(f"unknown element in <{node.tag}>", cure)
        if child.tag in entry.once:
            if child.tag in seen:
                raise child.error(f"<{node.tag}> can have only one <{child.tag}>", "merge them")
            seen.add(child.tag)


def _reader(kind: Type, infinite: bool) -> Reader:
    if not kind.vector:
        return Reader(_single(kind), False, kind.required, _ABSENT.get(kind.base, _blank))
    partial = kind.high is not None and kind.low < kind.high
    return Reader(vector_parser(kind.base, kind.low, kind.high, infinite), partial, kind.required, _blank)


def _blank(text: str) -> bool:
    return not text or text.isspace()


_ABSENT: dict[str, Callable[[str], bool]] = {
    **dict.fromkeys(("str", "ref"), lambda text: not text), **dict.fromkeys(("enum", "bool"), lambda text: False)
}  # fmt: skip


def _single(kind: Type) -> Parser:
    if kind.base == "real":
        return _real
    if kind.base == "int":
        return _int
    if kind.base in ("str", "ref"):
        return str
    if kind.base == "bool":
        return lambda text: bool(_keyword(text, {"false": 0, "true": 1}))
    known = KEYWORDS[kind.argument]
    if kind.base == "enum":
        return lambda text: _keyword(text, known)
    return lambda text: _flags(text, known)


def vector_parser(base: str, low: int, high: int | None, infinite: bool = False) -> Parser:
    """Parser of several numbers, how many of them lies between `low` and `high`; `infinite`: "inf" is one."""
    one: Callable[[str], Any] = _int if base != "real" else _end if infinite else _real

    def parse(text: str) -> tuple[Any, ...]:
        given = text.split()
        count = len(given)
        if count < low or (high is not None and count > high):
            wanted = f"{low}" if low == high else f"{low} to {high}"
            raise ValueError(f"expected {wanted} values, got {count}")
        # the common case at once; anything else number by number
        if base == "real" and "_" not in text and text.isascii():
            try:
                values = tuple(map(float, given))
                if isfinite(sum(values)):
                    return values
            except ValueError:
                pass
        return tuple(map(one, given))

    return parse


def _real(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = None
    if value is None or "_" in text or not text.isascii():
        raise ValueError(f"'{text.strip()}' is not a number")
    if not isfinite(value):
        raise ValueError(f"'{text.strip()}' is not a finite number")
    return value


def _end(text: str) -> float:
    """An end of a range: a number, or infinity by name."""
    return float(text) if text.lower().lstrip("+-") in ("inf", "infinity") else _real(text)


def _int(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = None
    if value is None or "_" in text or not text.isascii():
        raise ValueError(f"'{text.strip()}' is not an integer")
    if not -(2**31) <= value < 2**31:
        raise ValueError(f"{value} does not fit in 32 bits")
    return value


def _keyword(text: str, known: dict[str, int]) -> int:
    if text not in known:
        raise ValueError(f"unknown keyword; {suggestion(text, known)}")
    return known[text]


def _flags(text: str, known: dict[str, int]) -> int:
    bits = 0
    for word in text.split():
        bits |= _keyword(word, known)
    return bits
