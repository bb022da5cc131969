"""Sensors that nothing new happens to: what they are about is asleep, so they go on saying what they said.

Range finders, volumes that look for contacts, and the user's own are never asleep. A sensor that relates two objects
is, if neither is awake; one with one object, if that is asleep, while what belongs to no tree is measured always.
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
def wakefulness(m, d, kind, i):
    """Whether an object is awake, asleep, or part of no tree."""
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
    """Whether a sensor goes on saying what it said."""
    kind, objtype, reftype = m.sensor_type[s], m.sensor_objtype[s], m.sensor_reftype[s]
    if kind == SENS_USER or kind == SENS_RANGEFINDER or (kind == SENS_CONTACT and objtype == OBJ_SITE):
        return 0
    obj, ref = wakefulness(m, d, objtype, m.sensor_objid[s]), wakefulness(m, d, reftype, m.sensor_refid[s])
    if objtype != OBJ_UNKNOWN and reftype != OBJ_UNKNOWN:
        return 1 if obj != AWAKE and ref != AWAKE else 0
    return 1 if obj == ASLEEP or ref == ASLEEP else 0
