"""Types of elements: their words in MJCF, what actuators act on, what sensors measure, what tendons pass."""

from __future__ import annotations

from collections.abc import Mapping

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
# elements of a body -> the field with its id
OWNERS = {
    "geom": "geom_bodyid", "joint": "jnt_bodyid", "site": "site_bodyid", "camera": "cam_bodyid",
    "light": "light_bodyid",
}  # fmt: skip
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
# what a tendon passes -> type of element; a pulley is none
WRAPPED = {
    enums.WRAP_JOINT: "joint", enums.WRAP_SITE: "site", enums.WRAP_SPHERE: "geom", enums.WRAP_CYLINDER: "geom",
}  # fmt: skip
# equalities whose objects have no type in the model -> the type of element that they couple
COUPLED = {"joint": "joint", "tendon": "tendon", "distance": "geom"}
