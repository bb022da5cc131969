"""Joint, tendon and actuator sensors: position, velocity, force and limits.

(qpos, qvel, ten_length, ten_velocity, actuator_length, actuator_velocity, actuator_force, qfrc_actuator, efc_*) ->
(sensordata). An inactive limit measures 0.
"""

from sim.enums import (
    CNSTR_LIMIT_JOINT,
    CNSTR_LIMIT_TENDON,
    SENS_ACTUATORFRC,
    SENS_ACTUATORPOS,
    SENS_ACTUATORVEL,
    SENS_BALLANGVEL,
    SENS_BALLQUAT,
    SENS_JOINTACTFRC,
    SENS_JOINTLIMITFRC,
    SENS_JOINTLIMITPOS,
    SENS_JOINTLIMITVEL,
    SENS_JOINTPOS,
    SENS_JOINTVEL,
    SENS_TENDONACTFRC,
    SENS_TENDONLIMITFRC,
    SENS_TENDONLIMITPOS,
    SENS_TENDONLIMITVEL,
    SENS_TENDONPOS,
    SENS_TENDONVEL,
    TRN_TENDON,
)
from sim.jit import helper, kernel
from sim.math.quat import quat_at
from sim.stages.sensor.reading import measures, put_reading, put_reading3

POSITIONS = (
    SENS_JOINTPOS,
    SENS_TENDONPOS,
    SENS_ACTUATORPOS,
    SENS_BALLQUAT,
    SENS_JOINTLIMITPOS,
    SENS_TENDONLIMITPOS,
)
VELOCITIES = (
    SENS_JOINTVEL,
    SENS_TENDONVEL,
    SENS_ACTUATORVEL,
    SENS_BALLANGVEL,
    SENS_JOINTLIMITVEL,
    SENS_TENDONLIMITVEL,
)
FORCES = (SENS_ACTUATORFRC, SENS_JOINTACTFRC, SENS_TENDONACTFRC, SENS_JOINTLIMITFRC, SENS_TENDONLIMITFRC)


@helper
def limit_row(d, kind, i):
    """The first constraint row of the limit of joint or tendon i, or -1."""
    first = d.ne + d.nf
    for r in range(first, first + d.nl):
        if d.efc_type[r] == kind and d.efc_id[r] == i:
            return r
    return -1


@helper
def put_outputs(m, d, s, values, i):
    """Write one value per force output of actuator i."""
    for k in range(m.actuator_outnum[i]):
        put_reading(m, d, s, k, values[m.actuator_outadr[i] + k])


@kernel(when=measures(*POSITIONS))
def joint_position(m, d, s: int):
    """(qpos, ten_length, actuator_length, efc_pos, efc_margin) -> (sensordata)"""
    kind, i = m.sensor_type[s], m.sensor_objid[s]
    if kind == SENS_JOINTPOS:
        put_reading(m, d, s, 0, d.qpos[m.jnt_qposadr[i]])
    elif kind == SENS_TENDONPOS:
        put_reading(m, d, s, 0, d.ten_length[i])
    elif kind == SENS_ACTUATORPOS:
        put_outputs(m, d, s, d.actuator_length, i)
    elif kind == SENS_BALLQUAT:
        q = quat_at(d.qpos, m.jnt_qposadr[i])
        for k in range(4):
            put_reading(m, d, s, k, q[k])
    else:
        r = limit_row(d, CNSTR_LIMIT_JOINT if kind == SENS_JOINTLIMITPOS else CNSTR_LIMIT_TENDON, i)
        put_reading(m, d, s, 0, d.efc_pos[r] - d.efc_margin[r] if r >= 0 else 0.0)


@kernel(when=measures(*VELOCITIES))
def joint_velocity(m, d, s: int):
    """(qvel, ten_velocity, actuator_velocity, efc_vel) -> (sensordata)"""
    kind, i = m.sensor_type[s], m.sensor_objid[s]
    if kind == SENS_JOINTVEL:
        put_reading(m, d, s, 0, d.qvel[m.jnt_dofadr[i]])
    elif kind == SENS_TENDONVEL:
        put_reading(m, d, s, 0, d.ten_velocity[i])
    elif kind == SENS_ACTUATORVEL:
        put_outputs(m, d, s, d.actuator_velocity, i)
    elif kind == SENS_BALLANGVEL:
        v = m.jnt_dofadr[i]
        put_reading3(m, d, s, 0, (d.qvel[v], d.qvel[v + 1], d.qvel[v + 2]))
    else:
        r = limit_row(d, CNSTR_LIMIT_JOINT if kind == SENS_JOINTLIMITVEL else CNSTR_LIMIT_TENDON, i)
        put_reading(m, d, s, 0, d.efc_vel[r] if r >= 0 else 0.0)


@helper
def tendon_actuator_force(m, d, t):
    """Total force of the actuators on a tendon."""
    total = 0.0
    for i in range(m.nactuator):
        if m.actuator_trntype[i] == TRN_TENDON and m.actuator_trnid[i, 0] == t:
            total += d.actuator_force[m.actuator_outadr[i]]
    return total


@kernel(when=measures(*FORCES))
def joint_force(m, d, s: int):
    """(actuator_force, qfrc_actuator, efc_force) -> (sensordata)"""
    kind, i = m.sensor_type[s], m.sensor_objid[s]
    if kind == SENS_ACTUATORFRC:
        put_outputs(m, d, s, d.actuator_force, i)
    elif kind == SENS_JOINTACTFRC:
        put_reading(m, d, s, 0, d.qfrc_actuator[m.jnt_dofadr[i]])
    elif kind == SENS_TENDONACTFRC:
        put_reading(m, d, s, 0, tendon_actuator_force(m, d, i))
    else:
        r = limit_row(d, CNSTR_LIMIT_JOINT if kind == SENS_JOINTLIMITFRC else CNSTR_LIMIT_TENDON, i)
        put_reading(m, d, s, 0, d.efc_force[r] if r >= 0 else 0.0)
