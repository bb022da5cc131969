"""Equality constraints: connect, weld, joint, tendon and distance.

eq_data by type: connect = anchor in body 1, anchor in body 2; weld = anchor in body 2, relative pose, torquescale,
and 1 if the pose is computed; joint and tendon = polynomial coefficients; distance = the distance. Anchors and poses
that the file does not give are computed at qpos0. Constraints between sites need no data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sim import enums
from sim.attributes.keywords import OBJECT_TYPES
from sim.mjcf.errors import check_not_negative
from sim.mjcf.read_element import begin_element, merge
from sim.mjcf.records import Equality, Ids, Joint, Parsed, Values, find
from sim.mjcf.rotation import Quat, mul_quat, neg_quat, normalize4
from sim.mjcf.schema import element
from sim.mjcf.source import Node

# maximum number of constraint rows of a type; a weld counts its quaternion
ROWS = {enums.EQ_CONNECT: 3, enums.EQ_WELD: 7}


# tag -> type, and where the numbers of its attributes are in eq_data
TYPES: dict[str, tuple[int, dict[str, slice]]] = {
    "connect": (enums.EQ_CONNECT, {"anchor": slice(0, 3)}),
    "weld": (enums.EQ_WELD, {"anchor": slice(0, 3), "relpose": slice(3, 10), "torquescale": slice(10, 11)}),
    "joint": (enums.EQ_JOINT, {"polycoef": slice(0, 5)}),
    "tendon": (enums.EQ_TENDON, {"polycoef": slice(0, 5)}),
    "distance": (enums.EQ_DISTANCE, {"distance": slice(0, 1)}),
}


def read_equality(parsed: Parsed, node: Node) -> Equality:
    name = element("equality").children[node.tag]
    equality, values = begin_element(parsed, node, Equality, name, "equality")
    equality.type, places = TYPES[node.tag]
    kind = equality.objtype = _object_type(node, values)
    equality.obj1, equality.obj2 = values.pop(f"{kind}1"), values.pop(f"{kind}2", "")
    data = list(equality.data)
    # without an anchor or a pose; a distance has nothing else
    cleared = 12 if kind == "geom" else 10 if node.tag == "weld" and kind == "body" else 0
    data[:cleared] = [0.0] * cleared
    for key, place in places.items():
        if key in values:
            given = values.pop(key)
            numbers = given if isinstance(given, tuple) else (given,)
            data[place.start : place.start + len(numbers)] = numbers
    equality.data = tuple(data)
    merge(equality.__dict__, values, name)
    return equality


def _object_type(node: Node, values: dict[str, Any]) -> str:
    """The type of its objects: of a connect or weld, bodies or sites."""
    if node.tag not in ("connect", "weld"):
        return "geom" if node.tag == "distance" else node.tag
    if "body1" in values and (node.tag == "weld" or "anchor" in values):
        return "body"
    if "site1" in values and "site2" in values:
        return "site"
    bodies = "body1" if node.tag == "weld" else "body1 and anchor"
    raise node.error("its objects are missing", f"set {bodies}, or site1 and site2")


def object_type(equality: Equality) -> int:
    """eq_objtype; 0 where the equality type implies it, as in MuJoCo."""
    return 0 if equality.type in (enums.EQ_JOINT, enums.EQ_TENDON) else OBJECT_TYPES[equality.objtype]


def compile_equalities(equalities: Sequence[Equality], joints: Sequence[Joint], ids: Ids) -> None:
    for equality in equalities:
        equality.obj1id = find(equality, equality.objtype, equality.obj1, ids)
        # without a second body, the first is constrained to the world
        equality.obj2id = 0 if equality.objtype == "body" else -1
        if equality.obj2:
            equality.obj2id = find(equality, equality.objtype, equality.obj2, ids)
        if equality.obj1id == equality.obj2id:
            what = f"{equality.objtype} '{equality.obj1}'"
            raise equality.error(f"{what} is named twice", "name two different ones")
        if equality.type == enums.EQ_DISTANCE:
            check_not_negative(equality, "distance", equality.data[0])
        if equality.type == enums.EQ_JOINT:
            for index in (equality.obj1id, equality.obj2id):
                if index >= 0 and joints[index].type not in (enums.JNT_HINGE, enums.JNT_SLIDE):
                    raise equality.error("a joint has the wrong type", "both must be hinges or slides")


def set_anchors(m: Values, at: dict[str, Any]) -> None:
    """Complete eq_data from the poses at qpos0, and set nemax."""
    m["nemax"] = sum(ROWS.get(kind, 1) for kind in m["eq_type"].tolist())
    for kind, what, first, second, data in zip(
        m["eq_type"], m["eq_objtype"], m["eq_obj1id"], m["eq_obj2id"], m["eq_data"], strict=True
    ):
        if kind == enums.EQ_CONNECT and what == enums.OBJ_SITE:
            data[:] = 0
        elif kind == enums.EQ_CONNECT:
            data[3:6] = _transform_point(at, first, second, data[:3])
        elif kind == enums.EQ_WELD and what == enums.OBJ_BODY:
            if data[6:10].any() and not data[11]:
                data[6:10] = normalize4(data[6:10].tolist())
            else:
                data[3:6] = _transform_point(at, second, first, data[:3])
                data[6:10] = mul_quat(neg_quat(_quat(at, first)), _quat(at, second))
                data[11] = 1


def _quat(at: dict[str, Any], body: int) -> Quat:
    w, x, y, z = at["xquat"][body].tolist()
    return (w, x, y, z)


def _transform_point(at: dict[str, Any], start: int, end: int, point: Any) -> Any:
    """A point given in the frame of body `start`, in the frame of body `end`."""
    world = at["xpos"][start] + at["xmat"][start].reshape(3, 3) @ point
    return at["xmat"][end].reshape(3, 3).T @ (world - at["xpos"][end])
