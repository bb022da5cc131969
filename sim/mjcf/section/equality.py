"""Equality constraints: connect, weld, joint, tendon and distance.

eq_data by type: connect = anchor in body 1, anchor in body 2; weld = anchor in body 2, relative pose, torquescale,
and 1 if the pose is computed; joint and tendon = polynomial coefficients; distance = the distance. Anchors and poses
that the file does not give are computed at qpos0. Constraints between sites need no data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sim import enums
from sim.attributes.keywords import OBJECT_TYPES
from sim.mjcf.errors import check_not_negative
from sim.mjcf.read_element import begin_element, merge
from sim.mjcf.records import Equality, Ids, Joint, Parsed, Values, find
from sim.mjcf.rotation import Quat, Vector, mul_quat, neg_quat, normalize4
from sim.mjcf.schema import element
from sim.mjcf.source import Node

# maximum number of constraint rows of a type; a weld counts its quaternion
ROWS = {enums.EQ_CONNECT: 3, enums.EQ_WELD: 7}


def read_equality(parsed: Parsed, node: Node) -> Equality:
    name = element("equality").children[node.tag]
    equality, values = begin_element(parsed, node, Equality, name, "equality")
    equality.type, take = TYPES[node.tag]
    take(equality, node, values)
    merge(equality.__dict__, values, name)
    return equality


def _objects(equality: Equality, kind: str, values: dict[str, Any]) -> None:
    equality.objtype = kind
    equality.obj1, equality.obj2 = values.pop(f"{kind}1"), values.pop(f"{kind}2", "")


def _write(equality: Equality, start: int, numbers: Vector) -> None:
    data = equality.data
    equality.data = data[:start] + numbers + data[start + len(numbers) :]


def _connect(equality: Equality, node: Node, values: dict[str, Any]) -> None:
    if "body1" in values and "anchor" in values:
        _objects(equality, "body", values)
        _write(equality, 0, values.pop("anchor"))
    elif "site1" in values and "site2" in values:
        _objects(equality, "site", values)
    else:
        raise node.error("its objects are missing", "give body1 and anchor, or site1 and site2")


def _weld(equality: Equality, node: Node, values: dict[str, Any]) -> None:
    if "body1" in values:
        _objects(equality, "body", values)
        _write(equality, 0, values.pop("anchor", (0.0, 0.0, 0.0)))
        _write(equality, 3, values.pop("relpose", (0.0,) * 7))
    elif "site1" in values and "site2" in values:
        _objects(equality, "site", values)
    else:
        raise node.error("its objects are missing", "give body1, or site1 and site2")
    if "torquescale" in values:
        _write(equality, 10, (values.pop("torquescale"),))


def _polynomial(kind: str) -> Callable[[Equality, Node, dict[str, Any]], None]:
    def take(equality: Equality, _: Node, values: dict[str, Any]) -> None:
        _objects(equality, kind, values)
        _write(equality, 0, values.pop("polycoef", ()))

    return take


def _distance(equality: Equality, _: Node, values: dict[str, Any]) -> None:
    _objects(equality, "geom", values)
    equality.data = (values.pop("distance"),) + (0.0,) * 11


TYPES: dict[str, tuple[int, Callable[[Equality, Node, dict[str, Any]], None]]] = {
    "connect": (enums.EQ_CONNECT, _connect),
    "weld": (enums.EQ_WELD, _weld),
    "joint": (enums.EQ_JOINT, _polynomial("joint")),
    "tendon": (enums.EQ_TENDON, _polynomial("tendon")),
    "distance": (enums.EQ_DISTANCE, _distance),
}


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
