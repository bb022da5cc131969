"""How forces of actuators change with velocities.

(ctrl, act, actuator_length, actuator_velocity, actuator_force, actuator_moment) -> (qDeriv += momentᵀ slope moment).
Slope: of an affine bias and gain its third parameter, of a muscle that of its velocity curve, of a motor that of
its back-EMF, its controller and its bristles. An actuator at the limit of its force has none.
"""

from math import exp

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
)
from sim.jit import helper, inline, kernel
from sim.math.vec import norm3
from sim.stages.actuation.activation import switched_off
from sim.stages.actuation.force import last_state
from sim.stages.actuation.motor import CONTROLLER
from sim.stages.actuation.muscle import length_curve, normal_length, over, peak_force, unit_length
from sim.stages.derivative.row import add_square
from sim.stages.sleep.awake import actuator_sleeps


@inline
def at_limit(m, d, i, r):
    """The actuator gives as much force as it may."""
    if not m.actuator_forcelimited[i]:
        return False
    low, high = m.actuator_forcerange[i, 0], m.actuator_forcerange[i, 1]
    force = d.actuator_force[r]
    if m.actuator_gaintype[i] == GAIN_SO3:
        # scaled to the limit, it may come out a rounding error below; MuJoCo lets that decide
        return norm3((force, d.actuator_force[r + 1], d.actuator_force[r + 2])) >= high * (1.0 - 1e-12)
    return force <= low or force >= high


@helper
def muscle_slope(m, d, i, r):
    """Slope of the force at full activation."""
    prm = m.actuator_gainprm
    unit = unit_length(m, prm, i, r)
    fastest = max(MINVAL, unit * prm[i, 6])
    v = d.actuator_velocity[r] / fastest
    y = prm[i, 8] - 1.0
    slope = 0.0
    if v > -1.0 and v <= 0.0:
        slope = 2.0 * v + 2.0
    elif v > 0.0 and v <= y:
        slope = over(2.0 * (y - v), y)
    at_length = length_curve(normal_length(m, d, prm, i, r, unit), prm[i, 4], prm[i, 5])
    return -peak_force(m, prm, i, r) * at_length * slope / fastest


@helper
def motor_slope(m, i):
    """Slope of a motor's torque: through its current, and of the friction of its bristles."""
    prm = m.actuator_gainprm
    resistance, constant = max(MINVAL, prm[i, 0]), prm[i, 1]
    # the voltage that the controller takes back, less that of the back-EMF
    voltage = -constant
    if m.actuator_ctrlspec[i] & CONTROLLER:
        voltage = -resistance / constant * prm[i, 6]
    slope = constant * voltage / resistance
    # a current that lags follows only in part within a step
    if m.actuator_dynprm[i, 0] > 0.0:
        slope *= 1.0 - exp(-m.opt.timestep / m.actuator_dynprm[i, 0])
    return slope - max(0.0, m.actuator_dynprm[i, 6])


@helper
def force_slope(m, d, i, r):
    """Slope of the force of actuator i, whose first output is r."""
    slope = 0.0
    bias = m.actuator_biastype[i]
    if bias == BIAS_AFFINE or bias == BIAS_SO3:
        slope = m.actuator_biasprm[i, 2]
    kind = m.actuator_gaintype[i]
    gain = 0.0
    if kind == GAIN_AFFINE:
        gain = m.actuator_gainprm[i, 2]
    elif kind == GAIN_MUSCLE:
        gain = muscle_slope(m, d, i, r)
    elif kind == GAIN_DCMOTOR:
        slope += motor_slope(m, i)
    if gain != 0.0:
        x = d.ctrl[m.actuator_ctrladr[i]] if m.actuator_dyntype[i] == DYN_NONE else last_state(m, d, i)
        slope += gain * x
    return slope


@kernel(when=lambda m: m.nactuator > 0 and m.opt.integrator in (INT_IMPLICIT, INT_IMPLICITFAST))
def actuator_vel(m, d):
    """(ctrl, act, actuator_*) -> (qDeriv): += d(qfrc_actuator) / d(qvel)"""
    if m.opt.disableflags & DSBL_ACTUATION:
        return
    for i in range(m.nactuator):
        r = m.actuator_outadr[i]
        if switched_off(m, i) or actuator_sleeps(m, d, i) or at_limit(m, d, i, r):
            continue
        slope = force_slope(m, d, i, r)
        if slope != 0.0:
            for k in range(r, r + m.actuator_outnum[i]):
                add_square(m, d, d.moment_colind, d.actuator_moment, d.moment_rowadr[k], d.moment_rownnz[k], slope)
