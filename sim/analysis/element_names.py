"""Names of elements for people; `element_name` knows all types.

An element with a name is called by it. Nearly all geoms of real robots have none: body first, then what it is and
which of these, "thigh / box 2", or its mesh; a free joint is that of its body, an actuator is called by what it drives,
a sensor by what it measures, an equality, tendon or pair by its two ends. Names of what has none are made once for each
model and type. In expressions elements are addressed as `geom:31`: see elements.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sim import enums
from sim.analysis.element_types import COUPLED, JOINT_TYPES, OBJECTS, OWNERS, TRANSMISSIONS, TYPES, WRAPPED
from sim.enums import JNT_BALL, JNT_FREE


class Named(Protocol):
    """A model, or a view of one; other fields are read by name."""

    @property
    def names(self) -> Mapping[str, Sequence[str]]: ...
    @property
    def derived(self) -> dict[str, Any]: ...
    @property
    def geom_bodyid(self) -> NDArray[np.int32]: ...
    @property
    def jnt_bodyid(self) -> NDArray[np.int32]: ...
    @property
    def jnt_type(self) -> NDArray[np.int32]: ...
    @property
    def jnt_dofadr(self) -> NDArray[np.int32]: ...
    @property
    def dof_jntid(self) -> NDArray[np.int32]: ...


# dofs of a joint -> what they are called
AXES = {JNT_FREE: ("x", "y", "z", "rx", "ry", "rz"), JNT_BALL: ("rx", "ry", "rz")}
# types that people call otherwise than MJCF
WORDS = {"key": "keyframe"}
# types of equalities that would be taken for what they couple
EQUALITY_WORDS = {"joint": "joint equality", "tendon": "tendon equality"}
# where `derived` of a model keeps the names that were made
MADE = "names of what has none"


def element_name(m: Named, kind: str, index: int) -> str:
    """The name of an element, made up if it has none; "flex" in the place of one of MuJoCo's flexes, -1."""
    if index < 0 and kind in ("body", "geom"):
        return "flex"
    if name := _own(m, kind, index):
        return name
    if kind not in MAKERS:
        return f"{WORDS.get(kind, kind)} {index}"
    known: dict[str, list[str]] = m.derived.setdefault(MADE, {})
    if kind not in known:
        known[kind] = _numbered(_made(m, kind))
    return known[kind][index] if 0 <= index < len(known[kind]) else f"{kind} {index}"


def described(m: Named, kind: str, index: int) -> str:
    """The type and the name of an element; names that were made up say what it is."""
    if kind == "tree":
        return f"tree of {element_name(m, kind, index)}"
    own = _own(m, kind, index)
    return f"{WORDS.get(kind, kind)} {own}" if own else element_name(m, kind, index)


def body_name(m: Named, body: int) -> str:
    """The name of a body."""
    return element_name(m, "body", body)


def short_name(m: Named, kind: str, index: int) -> str:
    """The name of an element where its body is in sight: "sole", "box 2", "free joint"."""
    name = element_name(m, kind, index)
    if index < 0 or _own(m, kind, index) or kind not in (*OWNERS, "body"):
        return name
    return "free joint" if kind == "joint" and m.jnt_type[index] == JNT_FREE else name.rpartition(" / ")[2]


def geom_name(m: Named, geom: int) -> str:
    """The name of a geom without its body."""
    return short_name(m, "geom", geom)


def full_geom_name(m: Named, geom: int) -> str:
    """A geom with its body: "foot / sole"."""
    name = element_name(m, "geom", geom)
    return f"{body_name(m, int(m.geom_bodyid[geom]))} / {name}" if geom >= 0 and _own(m, "geom", geom) else name


def placed_geom_name(m: Named, geom: int) -> str:
    """A geom with its body, unless that is the world."""
    return full_geom_name(m, geom) if geom >= 0 and m.geom_bodyid[geom] else geom_name(m, geom)


def joint_and_axis(m: Named, dof: int) -> tuple[str, str]:
    """The joint of a dof, and which of its axes it is; "" where the joint has only one.

    Of a free joint without a name, its body: with the axis, that is enough.
    """
    joint = int(m.dof_jntid[dof])
    axes = AXES.get(int(m.jnt_type[joint]))
    named = _own(m, "joint", joint) or m.jnt_type[joint] != JNT_FREE
    name = element_name(m, "joint", joint) if named else body_name(m, int(m.jnt_bodyid[joint]))
    return name, axes[dof - int(m.jnt_dofadr[joint])] if axes else ""


def dof_name(m: Named, dof: int) -> str:
    """A dof by its joint, with the axis where the joint has several: "ball rx"."""
    return " ".join(joint_and_axis(m, dof)).strip()


# ---- names of what has none


def _own(m: Named, kind: str, index: int) -> str:
    """The name in the model, or an empty string."""
    names = m.names.get(kind, ())
    return names[index] if 0 <= index < len(names) else ""


def _numbered(made: list[str]) -> list[str]:
    """The same texts, those that occur several times with a number, from 1."""
    often, seen = Counter(made), Counter[str]()
    for index, text in enumerate(made):
        if often[text] > 1:
            seen[text] += 1
            made[index] = f"{text} {seen[text]}"
    return made


def _made(m: Any, kind: str) -> list[str]:
    """A text for each element without a name; the others count for no number."""
    names = m.names.get(kind, ()) if kind != "tree" else [""] * len(m.tree_bodyadr)
    return [f"{name}\n{index}" if name else MAKERS[kind](m, index) for index, name in enumerate(names)]


def _body(m: Any, body: int) -> str:
    """A body by its number, below a body with a name with that."""
    parent = int(m.body_parentid[body])
    above = _own(m, "body", parent) if body and parent else ""
    number = f"body {body}" if body else "world"
    return f"{above} / {number}" if above else number


def _part(kind: str, m: Any, index: int) -> str:
    """An element of a body: body first, then the type."""
    owner = int(getattr(m, OWNERS[kind])[index])
    # cameras and lights of the world are known by their numbers, on the command line too
    if not owner and kind in ("camera", "light"):
        return f"{kind} {index}"
    separator = " " if kind == "joint" and m.jnt_type[index] == JNT_FREE else " / "
    return f"{body_name(m, owner)}{separator}{NOUNS[kind](m, index) if kind in NOUNS else kind}"


def _geom_word(m: Any, geom: int) -> str:
    """The type of a geom, or its mesh."""
    mesh = _own(m, "mesh", int(m.geom_dataid[geom])) if m.geom_type[geom] == enums.GEOM_MESH else ""
    return f"mesh {mesh}" if mesh else TYPES["geom"][1].get(int(m.geom_type[geom]), "geom")


def _joint_word(m: Any, joint: int) -> str:
    word = JOINT_TYPES[int(m.jnt_type[joint])]
    return "free joint" if word == "free" else word


NOUNS: dict[str, Callable[[Any, int], str]] = {"geom": _geom_word, "joint": _joint_word}


def _actuator(m: Any, actuator: int) -> str:
    kind, target = TRANSMISSIONS.get(int(m.actuator_trntype[actuator])), int(m.actuator_trnid[actuator, 0])
    law = _law(m, actuator)
    return f"{element_name(m, kind, target)} / {law}" if kind and target >= 0 else law


def _law(m: Any, actuator: int) -> str:
    """What an actuator is, as MJCF's shortcuts call it."""
    gain, bias = int(m.actuator_gaintype[actuator]), int(m.actuator_biastype[actuator])
    if gain == enums.GAIN_MUSCLE:
        return "muscle"
    if (gain, bias) == (enums.GAIN_FIXED, enums.BIAS_NONE):
        return "adhesion" if m.actuator_trntype[actuator] == enums.TRN_BODY else "motor"
    if (gain, bias) == (enums.GAIN_FIXED, enums.BIAS_AFFINE):
        return "position servo" if m.actuator_biasprm[actuator, 1] else "velocity servo"
    return "damper" if (gain, bias) == (enums.GAIN_AFFINE, enums.BIAS_NONE) else "actuator"


def _sensor(m: Any, sensor: int) -> str:
    word = TYPES["sensor"][1].get(int(m.sensor_type[sensor]), "sensor")
    kind = OBJECTS.get(int(m.sensor_objtype[sensor]))
    return f"{word} of {element_name(m, kind, int(m.sensor_objid[sensor]))}" if kind else word


def _tendon(m: Any, tendon: int) -> str:
    """A tendon by the first and the last element on its path."""
    first, count = int(m.tendon_adr[tendon]), int(m.tendon_num[tendon])
    passed = [(WRAPPED.get(int(m.wrap_type[w])), int(m.wrap_objid[w])) for w in range(first, first + count)]
    return _joined("tendon", [element_name(m, kind, index) for kind, index in passed if kind])


def _equality(m: Any, equality: int) -> str:
    word = TYPES["equality"][1].get(int(m.eq_type[equality]), "equality")
    kind = COUPLED.get(word) or OBJECTS.get(int(m.eq_objtype[equality]), "flex")
    ends = (int(m.eq_obj1id[equality]), int(m.eq_obj2id[equality]))
    return _joined(EQUALITY_WORDS.get(word, word), [element_name(m, kind, end) for end in ends if end >= 0])


def _pair(m: Any, pair: int) -> str:
    return _joined("pair", [placed_geom_name(m, int(ends[pair])) for ends in (m.pair_geom1, m.pair_geom2)])


def _exclude(m: Any, exclude: int) -> str:
    bodies = divmod(int(m.exclude_signature[exclude]), 1 << 16)
    return _joined("exclude", [body_name(m, body) for body in bodies])


def _tree(m: Any, tree: int) -> str:
    """A tree by its root body."""
    return body_name(m, int(m.tree_bodyadr[tree]))


def _joined(word: str, ends: list[str]) -> str:
    """What joins its ends: "weld hand – cup"."""
    ends = [ends[0], ends[-1]] if len(ends) > 1 else ends
    return f"{word} {' – '.join(ends)}" if ends else word


MAKERS: dict[str, Callable[[Any, int], str]] = {
    "body": _body, **{kind: partial(_part, kind) for kind in OWNERS}, "actuator": _actuator, "sensor": _sensor,
    "tendon": _tendon, "equality": _equality, "pair": _pair, "exclude": _exclude, "tree": _tree,
}  # fmt: skip
