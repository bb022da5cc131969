"""<sensor>: types, attached objects, stages, dimensions and data types.

TYPES has a row for each tag: object type, stage, dimension, data type, and type of the reference object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from sim import enums
from sim.attributes.keywords import KEYWORDS, OBJECT_NAMES
from sim.mjcf.columns import starts
from sim.mjcf.errors import check_not_negative, suggestion
from sim.mjcf.read_element import begin_element, merge
from sim.mjcf.records import TRUE, Ids, Lists, MemoryBudget, Parsed, Sensor, Values, find
from sim.mjcf.source import Node

LARGEST_HISTORY = 1 << 24
# `data` of a rangefinder and of a contact sensor: keyword -> dimension
RAY_DATA = {"dist": 1, "dir": 3, "origin": 3, "point": 3, "normal": 3, "depth": 1}
CONTACT_DATA = {
    "found": 1, "force": 3, "torque": 3, "dist": 1, "pos": 3, "normal": 3, "tangent": 3, "linvel": 3, "angvel": 3,
}  # fmt: skip
FORCE_BITS, VELOCITY_BITS = 1 << 1 | 1 << 2, 1 << 7 | 1 << 8
# geom types that can be enclosed
COMPACT = range(enums.GEOM_SPHERE, enums.GEOM_MESH + 1)


class Type(NamedTuple):
    """One sensor type; a dim of 0 depends on the sensor."""

    number: int
    objtype: str
    stage: int
    dim: int
    datatype: int = enums.DATATYPE_REAL
    reftype: str = ""


def _types(stage: int, kind: str, rows: Mapping[str, int], datatype: int = enums.DATATYPE_REAL) -> dict[str, Type]:
    """Types whose tag is that of the enum constant, with their dimensions."""
    return {tag: Type(getattr(enums, f"SENS_{tag.upper()}"), kind, stage, dim, datatype) for tag, dim in rows.items()}


TYPES: dict[str, Type] = {
    "touch": Type(enums.SENS_TOUCH, "site", enums.STAGE_ACC, 1, enums.DATATYPE_POSITIVE),
    **_types(enums.STAGE_ACC, "site", {"accelerometer": 3, "force": 3, "torque": 3}),
    **_types(enums.STAGE_VEL, "site", {"velocimeter": 3, "gyro": 3}),
    **_types(enums.STAGE_POS, "site", {"magnetometer": 3, "rangefinder": 0}),
    "camprojection": Type(enums.SENS_CAMPROJECTION, "site", enums.STAGE_POS, 2, reftype="camera"),
    **_types(enums.STAGE_POS, "joint", {"jointpos": 1, "jointlimitpos": 1}),
    **_types(enums.STAGE_VEL, "joint", {"jointvel": 1, "jointlimitvel": 1, "ballangvel": 3}),
    **_types(enums.STAGE_ACC, "joint", {"jointlimitfrc": 1}),
    "jointactuatorfrc": Type(enums.SENS_JOINTACTFRC, "joint", enums.STAGE_ACC, 1),
    "ballquat": Type(enums.SENS_BALLQUAT, "joint", enums.STAGE_POS, 4, enums.DATATYPE_QUATERNION),
    **_types(enums.STAGE_POS, "tendon", {"tendonpos": 1, "tendonlimitpos": 1}),
    **_types(enums.STAGE_VEL, "tendon", {"tendonvel": 1, "tendonlimitvel": 1}),
    **_types(enums.STAGE_ACC, "tendon", {"tendonlimitfrc": 1}),
    "tendonactuatorfrc": Type(enums.SENS_TENDONACTFRC, "tendon", enums.STAGE_ACC, 1),
    **_types(enums.STAGE_POS, "actuator", {"actuatorpos": 0}),
    **_types(enums.STAGE_VEL, "actuator", {"actuatorvel": 0}),
    **_types(enums.STAGE_ACC, "actuator", {"actuatorfrc": 0}),
    **_types(enums.STAGE_POS, "", {"framepos": 3}),
    **_types(enums.STAGE_POS, "", {"framequat": 4}, enums.DATATYPE_QUATERNION),
    **_types(enums.STAGE_POS, "", {"framexaxis": 3, "frameyaxis": 3, "framezaxis": 3}, enums.DATATYPE_AXIS),
    **_types(enums.STAGE_VEL, "", {"framelinvel": 3, "frameangvel": 3}),
    **_types(enums.STAGE_ACC, "", {"framelinacc": 3, "frameangacc": 3}),
    **_types(enums.STAGE_POS, "body", {"subtreecom": 3}),
    **_types(enums.STAGE_VEL, "body", {"subtreelinvel": 3, "subtreeangmom": 3}),
    "insidesite": Type(enums.SENS_INSIDESITE, "", enums.STAGE_POS, 1, enums.DATATYPE_POSITIVE, "site"),
    "distance": Type(enums.SENS_GEOMDIST, "", enums.STAGE_POS, 1),
    "normal": Type(enums.SENS_GEOMNORMAL, "", enums.STAGE_POS, 3, enums.DATATYPE_AXIS),
    "fromto": Type(enums.SENS_GEOMFROMTO, "", enums.STAGE_POS, 6),
    **_types(enums.STAGE_ACC, "", {"contact": 0}),
    **_types(enums.STAGE_POS, "", {"e_potential": 1, "e_kinetic": 1, "clock": 1}),
    "tactile": Type(enums.SENS_TACTILE, "mesh", enums.STAGE_VEL, 0, reftype="geom"),
    "user": Type(enums.SENS_USER, "", enums.STAGE_ACC, 0),
}

# attributes that name the first and the second object -> object type
_FIRST = {"body1": "body", "subtree1": "xbody", "geom1": "geom"}
_SECOND = {"body2": "body", "subtree2": "xbody", "geom2": "geom"}


# ---- reading


def read_sensor(parsed: Parsed, node: Node) -> Sensor:
    name = f"sensor/{node.tag}"
    sensor, values = begin_element(parsed, node, Sensor, name)
    row = TYPES[node.tag]
    sensor.type, sensor.needstage, sensor.dim, sensor.datatype = row.number, row.stage, row.dim, row.datatype
    _SPECIAL.get(node.tag, _plain)(sensor, node, values)
    merge(sensor.__dict__, values, name)
    return sensor


def _plain(sensor: Sensor, node: Node, values: dict[str, Any]) -> None:
    """Objects named by an attribute called as their type, or by objtype and objname."""
    row = TYPES[node.tag]
    if row.objtype:
        sensor.objtype, sensor.objname = row.objtype, values.pop(row.objtype)
    elif "objtype" in values:
        sensor.objtype, sensor.objname = OBJECT_NAMES[values.pop("objtype")], values.pop("objname")
    if row.reftype:
        sensor.reftype, sensor.refname = row.reftype, values.pop(row.reftype)
    elif "reftype" in values or "refname" in values:
        if "reftype" not in values or "refname" not in values:
            raise node.error("'reftype' and 'refname' must be used together", "set both")
        sensor.reftype, sensor.refname = OBJECT_NAMES[values.pop("reftype")], values.pop("refname")


def _rangefinder(sensor: Sensor, node: Node, values: dict[str, Any]) -> None:
    for kind in ("site", "camera"):
        if kind in values:
            sensor.objtype, sensor.objname = kind, values.pop(kind)
    if not sensor.objtype:
        raise node.error("it is not attached to an object", "set site or camera")
    sensor.intprm = (_data(node, values, RAY_DATA), 0, 0)


def _pair(sensor: Sensor, node: Node, values: dict[str, Any]) -> None:
    sensor.objtype, sensor.objname = _one_of(values, _FIRST)
    sensor.reftype, sensor.refname = _one_of(values, _SECOND)
    for kind, place in ((sensor.objtype, 1), (sensor.reftype, 2)):
        if not kind:
            raise node.error("it needs two objects", f"set body{place} or geom{place}")


def _contact(sensor: Sensor, node: Node, values: dict[str, Any]) -> None:
    sensor.objtype, sensor.objname = _one_of(values, {"site": "site", **_FIRST})
    sensor.reftype, sensor.refname = _one_of(values, _SECOND)
    count = values.pop("num", 1)
    if count <= 0:
        raise node.error(f"num is {count}", "it must be positive")
    data, reduce = _data(node, values, CONTACT_DATA), values.pop("reduce", 0)
    if data & VELOCITY_BITS and reduce == KEYWORDS["reduce"]["netforce"]:
        raise node.error("a net force has no velocity", "remove linvel and angvel from data, or change reduce")
    # the first stage that has all that it reports and sorts by
    if not data & FORCE_BITS and reduce not in (KEYWORDS["reduce"]["maxforce"], KEYWORDS["reduce"]["netforce"]):
        sensor.needstage = enums.STAGE_VEL if data & VELOCITY_BITS else enums.STAGE_POS
    sensor.intprm = (data, reduce, count)


def _inside_site(sensor: Sensor, node: Node, values: dict[str, Any]) -> None:
    if values.pop("enclosed", False):
        sensor.intprm, sensor.datatype = (1, 0, 0), enums.DATATYPE_REAL
    _plain(sensor, node, values)


def _user(sensor: Sensor, node: Node, values: dict[str, Any]) -> None:
    if ("objtype" in values) != ("objname" in values):
        raise node.error("'objtype' and 'objname' must be used together", "set both")
    _plain(sensor, node, values)


_SPECIAL: dict[str, Callable[[Sensor, Node, dict[str, Any]], None]] = {
    "rangefinder": _rangefinder, "contact": _contact, "user": _user, "insidesite": _inside_site,
    **dict.fromkeys(("distance", "normal", "fromto"), _pair),
}  # fmt: skip


def _one_of(values: dict[str, Any], keys: Mapping[str, str]) -> tuple[str, str]:
    for key, kind in keys.items():
        if key in values:
            return kind, values.pop(key)
    return "", ""


def _data(node: Node, values: dict[str, Any], known: Mapping[str, int]) -> int:
    """Bits of the keywords in `data`, in the order of the table; by default the first one."""
    text = values.pop("data", "").strip() or next(iter(known))
    bits = 0
    for word in text.split():
        if word not in known:
            raise node.error(f'data="{text}": unknown keyword', suggestion(word, known))
        bit = 1 << list(known).index(word)
        if bit <= bits:
            raise node.error(f'data="{text}": keywords are out of order', f"the order is {' '.join(known)}")
        bits |= bit
    return bits


# ---- compiling


def compile_sensors(sensors: Sequence[Sensor], budget: MemoryBudget, lists: Lists, ids: Ids) -> None:
    for sensor in sensors:
        _check_numbers(sensor)
        if sensor.objtype:
            sensor.objid = find(sensor, sensor.objtype, sensor.objname, ids)
        if sensor.reftype:
            sensor.refid = find(sensor, sensor.reftype, sensor.refname, ids)
        check = _CHECKS.get(sensor.type)
        if check:
            check(sensor, lists)
        directed = sensor.datatype == enums.DATATYPE_AXIS and sensor.type != enums.SENS_GEOMNORMAL
        if sensor.cutoff > 0 and (directed or sensor.datatype == enums.DATATYPE_QUATERNION):
            raise sensor.error("its data are a unit vector or quaternion, which have no cutoff", "remove cutoff")
        budget.reserve(sensor, 8 * (sensor.dim + max(sensor.nsample, 0) * (sensor.dim + 1)))


def _check_numbers(sensor: Sensor) -> None:
    for what in ("noise", "cutoff"):
        check_not_negative(sensor, what, getattr(sensor, what))
    period, phase = sensor.interval
    check_not_negative(sensor, "the period of interval", period)
    if phase > 0 or (period > 0 and phase <= -period):
        raise sensor.error(f"the phase of interval is {phase:g}", "it must be in (-period, 0]")
    if sensor.delay > 0 and sensor.nsample <= 0:
        raise sensor.error("a delay needs a history buffer", "set nsample")
    if sensor.nsample > LARGEST_HISTORY:
        raise sensor.error(f"nsample is {sensor.nsample}", f"the maximum is {LARGEST_HISTORY}")


def _needs_type(types: tuple[int, ...], cure: str) -> Callable[[Sensor, Lists], None]:
    def check(sensor: Sensor, lists: Lists) -> None:
        if lists["joint"][sensor.objid].type not in types:
            raise sensor.error(f"joint '{sensor.objname}' has the wrong type", cure)

    return check


def _needs_limit(sensor: Sensor, lists: Lists) -> None:
    if lists[sensor.objtype][sensor.objid].limited != TRUE:
        raise sensor.error(f"{sensor.objtype} '{sensor.objname}' has no limit", "set its range")


def _outputs(sensor: Sensor, lists: Lists) -> None:
    sensor.dim = lists["actuator"][sensor.objid].outnum


def _projection(sensor: Sensor, lists: Lists) -> None:
    if min(lists["camera"][sensor.refid].resolution) <= 0:
        raise sensor.error(f"camera '{sensor.refname}' has no resolution", "set its resolution")


def _rays(sensor: Sensor, lists: Lists) -> None:
    width, height = lists["camera"][sensor.objid].resolution if sensor.objtype == "camera" else (1, 1)
    if min(width, height) <= 0:
        raise sensor.error(f"camera '{sensor.objname}' has no resolution", "set its resolution")
    sensor.dim = _dimension(sensor.intprm[0], RAY_DATA.values()) * width * height


def _dimension(bits: int, sizes: Iterable[int]) -> int:
    return sum(size for place, size in enumerate(sizes) if bits & 1 << place)


def _contacts(sensor: Sensor, _: Lists) -> None:
    sensor.dim = sensor.intprm[2] * _dimension(sensor.intprm[0], CONTACT_DATA.values())


def _check_pair(sensor: Sensor, lists: Lists) -> None:
    if (sensor.objtype, sensor.objid) == (sensor.reftype, sensor.refid):
        raise sensor.error(f"{sensor.objtype} '{sensor.objname}' is named twice", "name two different ones")
    for kind, number in ((sensor.objtype, sensor.objid), (sensor.reftype, sensor.refid)):
        if kind == "geom" and lists["geom"][number].type == enums.GEOM_HFIELD:
            raise sensor.error("distances to height fields are not supported", "name another geom")


def _tactile(sensor: Sensor, lists: Lists) -> None:
    """tactile: three values for each vertex of the mesh, on a body with a geom that collides."""
    surface = lists["geom"][sensor.refid]
    body = next(body for body in lists["body"] if any(geom is surface for geom in body.geoms))
    if not any(geom.contype or geom.conaffinity for geom in body.geoms):
        raise sensor.error(
            f"the body of geom '{sensor.refname}' has no geom that collides", "set contype or conaffinity"
        )
    sensor.dim = 3 * len(lists["mesh"][sensor.objid].compiled.vertex)


def _enclosed(sensor: Sensor, lists: Lists) -> None:
    """insidesite with `enclosed`: geoms and sites have a shape, cameras have none."""
    if not sensor.intprm[0]:
        return
    if sensor.objtype == "camera":
        raise sensor.error("a camera cannot be enclosed", "name a body, geom or site")
    geoms: Sequence[Any] = ()
    if sensor.objtype == "geom":
        geoms = [lists["geom"][sensor.objid]]
    elif sensor.objtype != "site":
        members = {sensor.objid}
        for body in lists["body"]:
            if sensor.objtype == "xbody" and body.parent is not None and body.parent.id in members:
                members.add(body.id)
        geoms = [geom for body in lists["body"] if body.id in members for geom in body.geoms]
        if not geoms:
            raise sensor.error(f"body '{sensor.objname}' has no geom", "name one with geoms")
    for geom in geoms:
        if geom.type not in COMPACT:
            raise sensor.error(f"geom '{geom.name}' cannot be enclosed", "do not name planes or height fields")


def _user_dim(sensor: Sensor, _: Lists) -> None:
    wanted = {enums.DATATYPE_AXIS: 3, enums.DATATYPE_QUATERNION: 4}.get(sensor.datatype, sensor.dim)
    if sensor.dim < 0 or sensor.dim != wanted:
        cure = f"it must be {wanted} for this datatype" if wanted >= 0 else "it must be zero or positive"
        raise sensor.error(f"dim is {sensor.dim}", cure)


_SCALAR = _needs_type((enums.JNT_SLIDE, enums.JNT_HINGE), "it must be a slide or a hinge")
_BALL = _needs_type((enums.JNT_BALL,), "it must be a ball")
_CHECKS: dict[int, Callable[[Sensor, Lists], None]] = {
    **dict.fromkeys((enums.SENS_JOINTPOS, enums.SENS_JOINTVEL, enums.SENS_JOINTACTFRC), _SCALAR),
    **dict.fromkeys((enums.SENS_BALLQUAT, enums.SENS_BALLANGVEL), _BALL),
    **dict.fromkeys(range(enums.SENS_JOINTLIMITPOS, enums.SENS_TENDONLIMITFRC + 1), _needs_limit),
    **dict.fromkeys((enums.SENS_ACTUATORPOS, enums.SENS_ACTUATORVEL, enums.SENS_ACTUATORFRC), _outputs),
    **dict.fromkeys((enums.SENS_GEOMDIST, enums.SENS_GEOMNORMAL, enums.SENS_GEOMFROMTO), _check_pair),
    enums.SENS_CAMPROJECTION: _projection,
    enums.SENS_RANGEFINDER: _rays,
    enums.SENS_CONTACT: _contacts,
    enums.SENS_USER: _user_dim,
    enums.SENS_TACTILE: _tactile,
    enums.SENS_INSIDESITE: _enclosed,
}


def fill_sensors(m: Values, sensors: Sequence[Sensor]) -> None:
    """sensor_dim and addresses; history buffers follow those of the actuators."""
    m["sensor_adr"], m["sensor_dim"] = starts([sensor.dim for sensor in sensors])
    m["nsensordata"] = int(m["sensor_dim"].sum())
    m["sensor_historyadr"] = np.full(len(sensors), -1, np.int32)
    for s, sensor in enumerate(sensors):
        if sensor.nsample > 0:
            m["sensor_historyadr"][s] = m["nhistory"]
            m["nhistory"] += 2 + sensor.nsample + sensor.nsample * sensor.dim
