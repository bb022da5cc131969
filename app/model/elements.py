"""Types of elements: names of geom, joint and sensor types, objects of sensors, units of sensor values."""

from __future__ import annotations

from collections.abc import Mapping

from app.model.views import ModelView
from sim import enums
from sim.attributes.keywords import KEYWORDS


def _names(prefix: str) -> dict[int, str]:
    """Constants of one enum of the engine: value -> name."""
    return {value: name.removeprefix(prefix).lower() for name, value in vars(enums).items() if name.startswith(prefix)}


JOINT_TYPES = tuple(KEYWORDS["jointtype"])
SENSOR_TYPES = _names("SENS_")
# element -> the field with its type, and the names of the types
TYPES: dict[str, tuple[str, Mapping[int, str]]] = {
    "geom": ("geom_type", {value: word for word, value in KEYWORDS["geomtype"].items()}),
    "joint": ("jnt_type", dict(enumerate(JOINT_TYPES))),
    "equality": ("eq_type", _names("EQ_")),
    "light": ("light_type", {value: word for word, value in KEYWORDS["lighttype"].items()}),
    "sensor": ("sensor_type", SENSOR_TYPES),
}
# targets of actuators
TRANSMISSIONS = {
    enums.TRN_JOINT: "joint", enums.TRN_JOINTINPARENT: "joint", enums.TRN_SLIDERCRANK: "site",
    enums.TRN_TENDON: "tendon", enums.TRN_SITE: "site", enums.TRN_BODY: "body",
}  # fmt: skip
# objects of sensors
OBJECTS = {
    enums.OBJ_BODY: "body", enums.OBJ_XBODY: "body", enums.OBJ_JOINT: "joint", enums.OBJ_GEOM: "geom",
    enums.OBJ_SITE: "site", enums.OBJ_CAMERA: "camera", enums.OBJ_TENDON: "tendon", enums.OBJ_ACTUATOR: "actuator",
}  # fmt: skip
# sensor type -> unit of its values
SENSOR_UNITS = {
    "touch": "N", "accelerometer": "m/s²", "velocimeter": "m/s", "gyro": "rad/s", "force": "N", "torque": "N m",
    "magnetometer": "T", "rangefinder": "m", "camprojection": "px",
    "ballangvel": "rad/s", "framepos": "m", "framelinvel": "m/s", "frameangvel": "rad/s", "framelinacc": "m/s²",
    "frameangacc": "rad/s²", "subtreecom": "m", "subtreelinvel": "m/s", "subtreeangmom": "kg m²/s",
    "geomdist": "m", "geomfromto": "m", "e_potential": "J", "e_kinetic": "J", "clock": "s",
}  # fmt: skip
# those of joints: (of a slide, of a hinge)
JOINT_SENSOR_UNITS = {
    "jointpos": ("m", "rad"), "jointvel": ("m/s", "rad/s"), "jointactfrc": ("N", "N m"),
    "jointlimitpos": ("m", "rad"), "jointlimitvel": ("m/s", "rad/s"), "jointlimitfrc": ("N", "N m"),
}  # fmt: skip


# data of a contact sensor, in the order of the bits of sensor_intprm -> unit
CONTACT_UNITS = ("", "N", "N m", "m", "m", "", "", "m/s", "rad/s")


def element_type(model: ModelView, kind: str, index: int) -> str:
    """The type of a geom, joint, equality, light or sensor; empty for elements without types."""
    if kind not in TYPES:
        return ""
    field, words = TYPES[kind]
    return words.get(int(getattr(model, field)[index]), "")


def sensor_unit(model: ModelView, sensor: int) -> str:
    """The unit of a sensor's values, or an empty string."""
    kind, data = SENSOR_TYPES[int(model.sensor_type[sensor])], int(model.sensor_intprm[sensor, 0])
    if kind == "insidesite":
        return "m" if data else ""
    if kind == "contact":
        units = {unit for bit, unit in enumerate(CONTACT_UNITS) if data & 1 << bit}
        return units.pop() if len(units) == 1 else ""
    if kind not in JOINT_SENSOR_UNITS:
        return SENSOR_UNITS.get(kind, "")
    slides = JOINT_TYPES[int(model.jnt_type[int(model.sensor_objid[sensor])])] == "slide"
    return JOINT_SENSOR_UNITS[kind][0 if slides else 1]
