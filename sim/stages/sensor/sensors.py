"""Sensor stages: sensors that depend on positions, on velocities, and on accelerations and forces.

Each sensor is evaluated and then clamped to its cutoff: real data on both sides, positive data from above. One with a
delay or an interval may output an earlier reading from its history buffer; `record_sensors`, at the end of a step, then
measures it and stores the new reading. Quantities that several sensors share, subtree velocities and forces between
bodies, are computed once, on first use.
"""

from sim.callback import user_sensors
from sim.enums import (
    DATATYPE_POSITIVE,
    DATATYPE_REAL,
    DSBL_SENSOR,
    SENS_CAMPROJECTION,
    SENS_CLOCK,
    SENS_CONTACT,
    SENS_E_KINETIC,
    SENS_E_POTENTIAL,
    SENS_GEOMDIST,
    SENS_GEOMFROMTO,
    SENS_GEOMNORMAL,
    SENS_INSIDESITE,
    SENS_RANGEFINDER,
    SENS_SUBTREEANGMOM,
    SENS_SUBTREELINVEL,
    SENS_TACTILE,
    SENS_TOUCH,
    SENS_USER,
    STAGE_ACC,
    STAGE_POS,
    STAGE_VEL,
)
from sim.jit import helper, kernel
from sim.stages.sensor.asleep import is_asleep
from sim.stages.sensor.camera import camera_projection, range_finder
from sim.stages.sensor.contact import contacts, touch
from sim.stages.sensor.distance import geom_distances
from sim.stages.sensor.enclosure import enclosure
from sim.stages.sensor.frame import ACCELERATIONS, frame_acceleration, frame_position, frame_velocity
from sim.stages.sensor.frame import POSITIONS as FRAME_POSITIONS
from sim.stages.sensor.frame import VELOCITIES as FRAME_VELOCITIES
from sim.stages.sensor.joint import FORCES, joint_force, joint_position, joint_velocity
from sim.stages.sensor.joint import POSITIONS as JOINT_POSITIONS
from sim.stages.sensor.joint import VELOCITIES as JOINT_VELOCITIES
from sim.stages.sensor.reading import put_reading
from sim.stages.sensor.tactile import tactile
from sim.stages.sleep.awake import some_asleep
from sim.stages.smooth.energy import energy_pos, energy_vel
from sim.stages.smooth.rne import rne_postconstraint
from sim.stages.smooth.subtree import subtree_vel
from sim.state.delay import delayed_reading, reads_history, sensor_slot, store_reading


@helper
def any_sensors(m, stage):
    """Whether any sensor is evaluated in a stage."""
    if m.opt.disableflags & DSBL_SENSOR:
        return False
    for s in range(m.nsensor):
        if m.sensor_needstage[s] == stage:
            return True
    return False


@helper
def any_recorded(m):
    """Whether any sensor has a history buffer."""
    for s in range(m.nsensor):
        if m.sensor_history[s, 0] > 0:
            return True
    return False


@helper
def apply_cutoff(m, d, s):
    """Clamp outputs to the sensor's cutoff; not of contacts, nor of segments, whose search it limits already."""
    cutoff, kind = m.sensor_cutoff[s], m.sensor_type[s]
    if cutoff <= 0.0 or kind == SENS_CONTACT or kind == SENS_GEOMFROMTO:
        return
    first = m.sensor_adr[s]
    for k in range(first, first + m.sensor_dim[s]):
        if m.sensor_datatype[s] == DATATYPE_REAL:
            d.sensordata[k] = min(max(d.sensordata[k], -cutoff), cutoff)
        elif m.sensor_datatype[s] == DATATYPE_POSITIVE:
            d.sensordata[k] = min(d.sensordata[k], cutoff)


# ---------------------------------------------------------------- one sensor


@helper
def measure_position(m, d, s):
    kind = m.sensor_type[s]
    if kind in JOINT_POSITIONS:
        joint_position(m, d, s)
    elif kind == SENS_INSIDESITE and m.sensor_intprm[s, 0] != 0:
        enclosure(m, d, s)
    elif kind in FRAME_POSITIONS:
        frame_position(m, d, s)
    elif kind == SENS_RANGEFINDER:
        range_finder(m, d, s)
    elif kind == SENS_GEOMDIST or kind == SENS_GEOMNORMAL or kind == SENS_GEOMFROMTO:
        geom_distances(m, d, s)
    elif kind == SENS_CAMPROJECTION:
        camera_projection(m, d, s)
    elif kind == SENS_CONTACT:
        contacts(m, d, s)
    elif kind == SENS_E_POTENTIAL:
        energy_pos(m, d)
        put_reading(m, d, s, 0, d.energy[0])
    elif kind == SENS_E_KINETIC:
        energy_vel(m, d)
        put_reading(m, d, s, 0, d.energy[1])
    elif kind == SENS_CLOCK:
        put_reading(m, d, s, 0, d.time)
    apply_cutoff(m, d, s)


@helper
def ensure_subtree_vel(m, d):
    """(cvel) -> (subtree_linvel, subtree_angmom), unless they are up to date."""
    if not d.flg_subtreevel:
        subtree_vel(m, d)


@helper
def measure_velocity(m, d, s):
    kind = m.sensor_type[s]
    if kind == SENS_SUBTREELINVEL or kind == SENS_SUBTREEANGMOM:
        ensure_subtree_vel(m, d)
    if kind in JOINT_VELOCITIES:
        joint_velocity(m, d, s)
    elif kind in FRAME_VELOCITIES:
        frame_velocity(m, d, s)
    elif kind == SENS_CONTACT:
        contacts(m, d, s)
    elif kind == SENS_TACTILE:
        tactile(m, d, s)
    apply_cutoff(m, d, s)


@helper
def ensure_rne_postconstraint(m, d):
    """(qacc, efc_force) -> (cacc, cfrc_ext, cfrc_int), unless up to date; with RK4, those of its first stage."""
    if not d.flg_rnepost:
        rne_postconstraint(m, d)


@helper
def measure_force(m, d, s):
    kind = m.sensor_type[s]
    if kind in FORCES:
        joint_force(m, d, s)
    elif kind in ACCELERATIONS:
        ensure_rne_postconstraint(m, d)
        frame_acceleration(m, d, s)
    elif kind == SENS_TOUCH:
        touch(m, d, s)
    elif kind == SENS_CONTACT:
        contacts(m, d, s)
    apply_cutoff(m, d, s)


# ---------------------------------------------------------------- a stage


@kernel(when=any_recorded)
def replay_reading(m, d, s: int):
    """(history) -> (sensordata): an earlier reading of a sensor"""
    for k in range(m.sensor_dim[s]):
        put_reading(m, d, s, k, delayed_reading(m, d, s, k))


@helper
def is_measured(m, d, s, stage):
    """Whether a sensor is evaluated in a stage; one with a delay outputs an earlier reading instead."""
    if m.sensor_needstage[s] != stage or m.sensor_type[s] == SENS_USER:
        return False
    if m.sensor_history[s, 0] <= 0 and some_asleep(m, d) and is_asleep(m, d, s):
        return False
    if reads_history(m, d, s):
        replay_reading(m, d, s)
        return False
    return True


@helper
def clear_user_sensors(m, d, stage):
    """User sensors of a stage are zero until evaluated; returns whether there are any."""
    found = False
    for s in range(m.nsensor):
        if m.sensor_type[s] == SENS_USER and m.sensor_needstage[s] == stage:
            found = True
            for k in range(m.sensor_dim[s]):
                put_reading(m, d, s, k, 0.0)
    return found


@helper
def run_user_sensors(m, d, stage):
    """Evaluate the user sensors of a stage by the callback."""
    user_sensors(m, d, stage)
    for s in range(m.nsensor):
        if m.sensor_type[s] == SENS_USER and m.sensor_needstage[s] == stage:
            apply_cutoff(m, d, s)


@kernel(when=lambda m: (m.sensor_needstage == STAGE_POS).any())
def sensor_pos(m, d):
    """(everything that follows from qpos) -> (sensordata)"""
    for s in range(m.nsensor):
        if is_measured(m, d, s, STAGE_POS):
            measure_position(m, d, s)
    if clear_user_sensors(m, d, STAGE_POS):
        run_user_sensors(m, d, STAGE_POS)


@kernel(when=lambda m: (m.sensor_needstage == STAGE_VEL).any())
def sensor_vel(m, d):
    """(everything that follows from qpos and qvel) -> (sensordata)"""
    for s in range(m.nsensor):
        if is_measured(m, d, s, STAGE_VEL):
            measure_velocity(m, d, s)
    if clear_user_sensors(m, d, STAGE_VEL):
        ensure_subtree_vel(m, d)
        run_user_sensors(m, d, STAGE_VEL)


@kernel(when=lambda m: (m.sensor_needstage == STAGE_ACC).any())
def sensor_acc(m, d):
    """(everything) -> (sensordata)"""
    for s in range(m.nsensor):
        if is_measured(m, d, s, STAGE_ACC):
            measure_force(m, d, s)
    if clear_user_sensors(m, d, STAGE_ACC):
        ensure_rne_postconstraint(m, d)
        run_user_sensors(m, d, STAGE_ACC)


# ---------------------------------------------------------------- the end of a step


@helper
def measure(m, d, s):
    """Evaluate a sensor of any stage."""
    if m.sensor_needstage[s] == STAGE_POS:
        measure_position(m, d, s)
    elif m.sensor_needstage[s] == STAGE_VEL:
        measure_velocity(m, d, s)
    else:
        measure_force(m, d, s)


@kernel(when=any_recorded)
def record_sensors(m, d):
    """(sensordata, and what sensors measure) -> (history)"""
    for s in range(m.nsensor):
        if m.sensor_history[s, 0] <= 0:
            continue
        slot = sensor_slot(m, d, s)
        if slot < 0:
            continue
        first, delayed = m.sensor_adr[s], m.sensor_delay[s] > 0.0
        for k in range(m.sensor_dim[s]):
            store_reading(d, slot, k, d.sensordata[first + k])
        # the output is a delayed reading: measure, store the new reading, and restore the output
        if delayed:
            measure(m, d, s)
            for k in range(m.sensor_dim[s]):
                d.sensordata[first + k] = store_reading(d, slot, k, d.sensordata[first + k])
