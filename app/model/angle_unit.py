"""Degrees or radians, as the user prefers: factors and units of what is shown.

Fields, files and expressions stay MJCF's; only angles, angular velocities and angular accelerations are converted, not
stiffnesses per radian.
"""

from __future__ import annotations

from math import pi

from app.model.editable import Editable
from app.model.elements import tendon_unit
from app.model.parameters import actuator_type
from app.model.views import ModelView
from sim.enums import BIAS_AFFINE, GAIN_PID, INPUT_POS, JNT_BALL, JNT_HINGE, TRN_JOINT, TRN_JOINTINPARENT, TRN_TENDON

# unit of the engine -> unit in degrees
DEGREES = {"rad": "°", "rad/s": "°/s", "rad/s²": "°/s²"}
DEGREE = 180 / pi
# what drives in the unit of its length, and in that of its velocity
SERVOS, SPEED_SERVOS = ("position",), ("velocity", "intvelocity")


def shown_unit(unit: str, degrees: bool) -> tuple[float, str]:
    """The factor by which a number is shown, and its unit."""
    return (DEGREE, DEGREES[unit]) if degrees and unit in DEGREES else (1.0, unit)


def length_unit(model: ModelView, actuator: int) -> str:
    """The unit of an actuator's length: that of its joint or tendon, m elsewhere."""
    if int(model.actuator_trntype[actuator]) == TRN_TENDON:
        return tendon_unit(model, int(model.actuator_trnid[actuator, 0]))
    if int(model.actuator_trntype[actuator]) not in (TRN_JOINT, TRN_JOINTINPARENT):
        return "m"
    turns = int(model.jnt_type[int(model.actuator_trnid[actuator, 0])]) in (JNT_HINGE, JNT_BALL)
    return "rad" if turns else "m"


def control_unit(model: ModelView, actuator: int, control: int = 0) -> str:
    """The unit of the n-th control of an actuator: that of a servo's target, else none."""
    if int(model.actuator_gaintype[actuator]) == GAIN_PID:
        return length_unit(model, actuator) if control == 0 and model.actuator_ctrlspec[actuator] & INPUT_POS else ""
    # the other laws have no target; to tell them apart takes longer
    if int(model.actuator_biastype[actuator]) != BIAS_AFFINE:
        return ""
    kind, unit = actuator_type(model, actuator), length_unit(model, actuator)
    if kind in SERVOS:
        return unit
    return f"{unit}/s" if unit and kind in SPEED_SERVOS else ""


def field_unit(row: Editable, model: ModelView, rows: tuple[int, ...]) -> str:
    """The unit of an editable field of an element; ranges of controls have that of the control."""
    if row.path == "actuator_ctrlrange":
        first = model.actuator_ctrladr
        actuator = int(first.searchsorted(rows[0], "right")) - 1
        return control_unit(model, actuator, rows[0] - int(first[actuator]))
    return row.unit(model, rows)
