"""Velocity derivatives of actuator forces.

(ctrl, act, actuator_length, actuator_velocity, actuator_force, actuator_moment) -> (qDeriv += momentᵀ derivative
moment). The derivative of an affine bias or gain is its third parameter, of a muscle that of its velocity curve, of a
motor that of its back-EMF, its controller and its bristles. Voltage, torque and rate of current of a motor have none at
their limits, its bristles always. An actuator at its force limit, or at that of the actuator forces of its joint or
tendon, has none; but that of a tendon does not hold for the bristles of a motor.
"""

from math import cos, exp

from sim.enums import (
    BIAS_AFFINE,
    BIAS_SO3,
    DSBL_ACTUATION,
    DYN_NONE,
    GAIN_AFFINE,
    GAIN_DCMOTOR,
    GAIN_MUSCLE,
    GAIN_SO3,
    INT_IMPLICIT,
    INT_IMPLICITFAST,
    MINVAL,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_TENDON,
)
from sim.jit import helper, inline, kernel
from sim.math.vec import norm3
from sim.stages.actuation.activation import is_disabled
from sim.stages.actuation.force import last_state
from sim.stages.actuation.motor import CONTROLLER, controller_voltage, motor_force, motor_resistance, motor_states
from sim.stages.actuation.muscle import length_curve, normalized_length, peak_force, resting_length, safe_divide
from sim.stages.derivative.row import add_outer
from sim.stages.sleep.awake import actuator_sleeps


@inline
def at_limit(m, d, i, r):
    """The force of the actuator is at its limit; of a motor see torque_per_volt."""
    if not m.actuator_forcelimited[i] or m.actuator_gaintype[i] == GAIN_DCMOTOR:
        return False
    low, high = m.actuator_forcerange[i, 0], m.actuator_forcerange[i, 1]
    force = d.actuator_force[r]
    if m.actuator_gaintype[i] == GAIN_SO3:
        # a force scaled to the limit may be below it by rounding; in MuJoCo that decides
        return norm3((force, d.actuator_force[r + 1], d.actuator_force[r + 2])) >= high * (1.0 - 1e-12)
    return force <= low or force >= high


@inline
def tendon_at_limit(m, d, i):
    """The total of actuator forces on the tendon of the actuator, if it has one, is at its limit."""
    k = m.actuator_trnid[i, 0]
    if m.actuator_trntype[i] != TRN_TENDON or not m.tendon_actfrclimited[k]:
        return False
    total = d.tendon_actuator_force[k]
    return total <= m.tendon_actfrcrange[k, 0] or total >= m.tendon_actfrcrange[k, 1]


@inline
def target_at_limit(m, d, i):
    """The total of actuator forces on the joint or tendon of the actuator is at its limit; see torque_per_volt too."""
    kind = m.actuator_trntype[i]
    k = m.actuator_trnid[i, 0]
    if kind == TRN_TENDON:
        return m.actuator_gaintype[i] != GAIN_DCMOTOR and tendon_at_limit(m, d, i)
    if kind == TRN_JOINT or kind == TRN_JOINTINPARENT:
        total = d.qfrc_actuator[m.jnt_dofadr[k]]
        return m.jnt_actfrclimited[k] and (total <= m.jnt_actfrcrange[k, 0] or total >= m.jnt_actfrcrange[k, 1])
    return False


@helper
def muscle_derivative(m, d, i, r):
    """Velocity derivative of the force at full activation."""
    prm = m.actuator_gainprm
    unit = resting_length(m, prm, i, r)
    fastest = max(MINVAL, unit * prm[i, 6])
    v = d.actuator_velocity[r] / fastest
    y = prm[i, 8] - 1.0
    derivative = 0.0
    if v > -1.0 and v <= 0.0:
        derivative = 2.0 * v + 2.0
    elif v > 0.0 and v <= y:
        derivative = safe_divide(2.0 * (y - v), y)
    at_length = length_curve(normalized_length(m, d, prm, i, r, unit), prm[i, 4], prm[i, 5])
    return -peak_force(m, prm, i, r) * at_length * derivative / fastest


@helper
def torque_per_volt(m, d, i):
    """d(torque)/d(voltage) of a motor: with a time constant, of the part of a change of its current that happens within
    a step; none if the torque, the rate of the current, or what acts on the tendon is at its limit."""
    if tendon_at_limit(m, d, i):
        return 0.0
    if m.actuator_forcelimited[i]:
        torque = motor_force(m, d, i, last_state(m, d, i))
        if torque <= m.actuator_forcerange[i, 0] or torque >= m.actuator_forcerange[i, 1]:
            return 0.0
    _, temperature, _, current = motor_states(m, i)
    derivative = m.actuator_gainprm[i, 1] / max(MINVAL, motor_resistance(m, d, i, temperature))
    if current < 0:
        return derivative
    most = m.actuator_dynprm[i, 1]
    if most > 0.0 and abs(d.act_dot[m.actuator_actadr[i] + current]) >= most:
        return 0.0
    return derivative * (1.0 - exp(-m.opt.timestep / m.actuator_dynprm[i, 0]))


@helper
def has_feedback(m, d, i, r):
    """The motor has a controller, whose voltage is not at its limit."""
    if not m.actuator_ctrlspec[i] & CONTROLLER:
        return False
    integral, _, _, _ = motor_states(m, i)
    x = d.act[m.actuator_actadr[i] + integral] if integral >= 0 else 0.0
    most = m.actuator_gainprm[i, 7]
    return most <= 0.0 or abs(controller_voltage(m, d, i, r, x)) < most


@helper
def motor_derivative(m, d, i, r):
    """Velocity derivative of a motor's torque: of its current, and of its bristle friction."""
    constant = m.actuator_gainprm[i, 1]
    # derivative of the voltage: back-EMF, or the velocity feedback of the controller, which compensates for it
    voltage = -constant
    if has_feedback(m, d, i, r):
        voltage = -m.actuator_gainprm[i, 0] / constant * m.actuator_gainprm[i, 6]
    return voltage * torque_per_volt(m, d, i) - max(0.0, m.actuator_dynprm[i, 6])


@helper
def motor_slope(m, d, i, r):
    """Position derivative of a motor's torque: of cogging, and by the feedback of its controller."""
    phase = m.actuator_biasprm[i, 1] * d.actuator_length[r] + m.actuator_biasprm[i, 2]
    slope = m.actuator_biasprm[i, 0] * m.actuator_biasprm[i, 1] * cos(phase)
    if has_feedback(m, d, i, r):
        per_torque = m.actuator_gainprm[i, 0] / m.actuator_gainprm[i, 1]
        slope -= per_torque * m.actuator_gainprm[i, 4] * torque_per_volt(m, d, i)
    return slope


@helper
def force_derivative(m, d, i, r):
    """Velocity derivative of the force of actuator i, whose first output is r."""
    derivative = 0.0
    bias = m.actuator_biastype[i]
    if bias == BIAS_AFFINE or bias == BIAS_SO3:
        derivative = m.actuator_biasprm[i, 2]
    kind = m.actuator_gaintype[i]
    gain = 0.0
    if kind == GAIN_AFFINE:
        gain = m.actuator_gainprm[i, 2]
    elif kind == GAIN_MUSCLE:
        gain = muscle_derivative(m, d, i, r)
    elif kind == GAIN_DCMOTOR:
        derivative += motor_derivative(m, d, i, r)
    if gain != 0.0:
        x = d.actuator_input[m.actuator_ctrladr[i]] if m.actuator_dyntype[i] == DYN_NONE else last_state(m, d, i)
        derivative += gain * x
    return derivative


@kernel(when=lambda m: m.nactuator > 0 and m.opt.integrator in (INT_IMPLICIT, INT_IMPLICITFAST))
def actuator_vel(m, d):
    """(ctrl, act, actuator_*) -> (qDeriv): += d(qfrc_actuator) / d(qvel)"""
    if m.opt.disableflags & DSBL_ACTUATION:
        return
    for i in range(m.nactuator):
        r = m.actuator_outadr[i]
        if is_disabled(m, i) or actuator_sleeps(m, d, i) or at_limit(m, d, i, r) or target_at_limit(m, d, i):
            continue
        derivative = force_derivative(m, d, i, r)
        if derivative != 0.0:
            for k in range(r, r + m.actuator_outnum[i]):
                add_outer(m, d, d.moment_colind, d.actuator_moment, d.moment_rowadr[k], d.moment_rownnz[k], derivative)
