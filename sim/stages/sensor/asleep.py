"""Sensors of sleeping objects: they are not evaluated and keep their last outputs.

Rangefinders, contact sensors with a site volume, and user sensors are always evaluated. A sensor with an object and a
reference is asleep if neither is awake; one with a single object if that is asleep: a static object is measured.
"""

from sim.enums import (
    ASLEEP,
    AWAKE,
    OBJ_ACTUATOR,
    OBJ_JOINT,
    OBJ_SITE,
    OBJ_TENDON,
    OBJ_UNKNOWN,
    SENS_CONTACT,
    SENS_RANGEFINDER,
    SENS_USER,
)
from sim.jit import helper, kernel
from sim.stages.sensor.reading import body_of
from sim.stages.sleep.awake import actuator_sleeps, sleeps, tendon_sleeps


@helper
def sleep_state(m, d, kind, i):
    """Sleep state of an object: AWAKE, ASLEEP or STATIC."""
    if kind == OBJ_UNKNOWN:
        return AWAKE
    if kind == OBJ_TENDON:
        return ASLEEP if tendon_sleeps(m, d, i) else AWAKE
    if kind == OBJ_ACTUATOR:
        return ASLEEP if actuator_sleeps(m, d, i) else AWAKE
    if kind == OBJ_JOINT:
        return d.body_awake[m.jnt_bodyid[i]]
    return d.body_awake[body_of(m, kind, i)]


@kernel(when=sleeps)
def is_asleep(m, d, s: int) -> int:
    """Whether a sensor is skipped and keeps its last outputs."""
    kind, objtype, reftype = m.sensor_type[s], m.sensor_objtype[s], m.sensor_reftype[s]
    if kind == SENS_USER or kind == SENS_RANGEFINDER or (kind == SENS_CONTACT and objtype == OBJ_SITE):
        return 0
    obj, ref = sleep_state(m, d, objtype, m.sensor_objid[s]), sleep_state(m, d, reftype, m.sensor_refid[s])
    if objtype != OBJ_UNKNOWN and reftype != OBJ_UNKNOWN:
        return 1 if obj != AWAKE and ref != AWAKE else 0
    return 1 if obj == ASLEEP or ref == ASLEEP else 0
