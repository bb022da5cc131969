"""Types of elements in words, and units of sensor values."""

from __future__ import annotations

from app.model.views import ModelView
from sim.analysis.element_types import JOINT_TYPES, SENSOR_TYPES, TYPES
from sim.enums import JNT_SLIDE, WRAP_JOINT

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


def type_or_address(model: ModelView, kind: str, index: int) -> str:
    """The type of an element; for a geom or joint whose name says it, the address in expressions: `geom:31`."""
    nameless = kind in ("geom", "joint") and not model.names[kind][index]
    return f"{kind}:{index}" if nameless else element_type(model, kind, index)


def tendon_unit(model: ModelView, tendon: int) -> str:
    """The unit of a tendon's length: of a fixed one that of its joints, none if they slide and turn."""
    first = int(model.tendon_adr[tendon])
    if model.wrap_type[first] != WRAP_JOINT:
        return "m"
    kinds = {int(model.jnt_type[j]) for j in model.wrap_objid[first : first + int(model.tendon_num[tendon])].tolist()}
    return ("m" if JNT_SLIDE in kinds else "rad") if len(kinds) == 1 else ""


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
