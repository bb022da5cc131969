"""Orientation servos: torque kp · log(q⁻¹ q*) - kv · velocity, in the frame of the rotated body.

q is the orientation whose rotation vector is actuator_length; q* is the setpoint: a rotation vector in three controls
or activations, or a quaternion in four controls.
"""

from sim.enums import CHART_QUAT, DYN_NONE, GAIN_SO3, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.quat import axis_angle_to_quat, conjugate, mul_quat, normalize4, quat_to_rotation_vector
from sim.math.vec import norm3, scale3
from sim.stages.actuation.activation import next_activation


@inline
def rotation_vector_to_quat(v):
    angle = norm3(v)
    if angle < MINVAL:
        return 1.0, 0.0, 0.0, 0.0
    return axis_angle_to_quat(scale3(v, 1.0 / angle), angle)


@inline
def setpoint_state(m, d, i, a):
    """Activation a, or its next value if actearly is set."""
    return next_activation(m, d, i, a, d.act_dot[a]) if m.actuator_actearly[i] else d.act[a]


@helper
def setpoint_quat(m, d, i):
    """q*, the setpoint as a quaternion."""
    u = m.actuator_ctrladr[i]
    x = d.actuator_input
    if m.actuator_ctrlspec[i] == CHART_QUAT:
        return normalize4((x[u], x[u + 1], x[u + 2], x[u + 3]))
    if m.actuator_dyntype[i] == DYN_NONE:
        return rotation_vector_to_quat((x[u], x[u + 1], x[u + 2]))
    a = m.actuator_actadr[i]
    state = (setpoint_state(m, d, i, a), setpoint_state(m, d, i, a + 1), setpoint_state(m, d, i, a + 2))
    return rotation_vector_to_quat(state)


@kernel(when=lambda m: (m.actuator_gaintype == GAIN_SO3).any())
def orientation_force(m, d, i: int):
    """(actuator_input, act, actuator_length, actuator_velocity) -> (three of actuator_force)"""
    r = m.actuator_outadr[i]
    now = rotation_vector_to_quat((d.actuator_length[r], d.actuator_length[r + 1], d.actuator_length[r + 2]))
    error = quat_to_rotation_vector(mul_quat(conjugate(now), setpoint_quat(m, d, i)))
    kp, constant, damping = m.actuator_gainprm[i, 0], m.actuator_biasprm[i, 0], m.actuator_biasprm[i, 2]
    d.actuator_force[r] = kp * error[0] + constant + damping * d.actuator_velocity[r]
    d.actuator_force[r + 1] = kp * error[1] + constant + damping * d.actuator_velocity[r + 1]
    d.actuator_force[r + 2] = kp * error[2] + constant + damping * d.actuator_velocity[r + 2]
