"""Activation dynamics: time derivatives and integration of actuator states.

(ctrl, act, actuator_length, actuator_velocity) -> (actuator_input, act_dot): none, the control itself; integrator,
act' = u; filter, act' = (u - act) / τ; muscle, motor and pid, see there; user, a callback.
(act, act_dot_step) -> (act_next): Euler integration, or the exact solution where the dynamics are linear; then clamped
to actrange. Setpoints of a rotation are periodic: the one nearest to the current rotation is used; a filter follows the
one nearest to its state.
"""

from math import exp, floor, pi

from sim.callback import user_dot
from sim.enums import (
    BIAS_AFFINE,
    DSBL_CLAMPCTRL,
    DYN_DCMOTOR,
    DYN_FILTER,
    DYN_FILTEREXACT,
    DYN_INTEGRATOR,
    DYN_MUSCLE,
    DYN_NONE,
    DYN_PID,
    DYN_USER,
    GAIN_FIXED,
    GAIN_SO3,
    JNT_BALL,
    MAXVAL,
    MINVAL,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_SITE,
    WARN_BADCTRL,
)
from sim.jit import helper, inline, kernel
from sim.math.vec import norm3
from sim.stages.actuation.motor import clip, limit_slew, motor_dot, next_motor_state, pid_dot, slew_rate
from sim.stages.actuation.muscle import muscle_dot
from sim.stages.sleep.awake import actuator_idles
from sim.state.delay import delayed_control
from sim.state.warning import warn


@helper
def read_inputs(m, d):
    """(ctrl, history) -> (actuator_input): controls in effect, delayed and clamped"""
    for u in range(m.nu):
        d.actuator_input[u] = d.ctrl[u]
    if m.nhistory > 0:
        for i in range(m.nactuator):
            if m.actuator_delay[i] != 0.0:
                for k in range(m.actuator_ctrlnum[i]):
                    d.actuator_input[m.actuator_ctrladr[i] + k] = delayed_control(m, d, i, k)
    if not m.opt.disableflags & DSBL_CLAMPCTRL:
        for u in range(m.nu):
            if m.actuator_ctrllimited[u]:
                x = clip(d.actuator_input[u], m.actuator_ctrlrange[u, 0], m.actuator_ctrlrange[u, 1])
                d.actuator_input[u] = x
    # one control that is not finite sets all of them to zero
    for u in range(m.nu):
        if not abs(d.actuator_input[u]) <= MAXVAL:
            warn(d, WARN_BADCTRL, u)
            for k in range(m.nu):
                d.actuator_input[k] = 0.0
            return


@helper
def read_targets(m, d):
    """(ctrl, history, act) -> (actuator_input): controls as forces depend on them, with setpoints of limited rate"""
    read_inputs(m, d)
    for i in range(m.nactuator):
        if slew_rate(m, i) > 0.0:
            limit_slew(m, d, i)


@inline
def is_disabled(m, i):
    """The group of the actuator is disabled."""
    group = m.actuator_group[i]
    return group >= 0 and group <= 30 and (m.opt.disableactuator >> group) & 1 == 1


@kernel(when=lambda m: m.na > 0)
def activation_rates(m, d):
    """(actuator_input, act, actuator_length, actuator_velocity) -> (act_dot)"""
    for i in range(m.nactuator):
        n = m.actuator_actnum[i]
        if n == 0 or actuator_idles(m, d, i):
            continue
        first = m.actuator_actadr[i]
        last = first + n - 1
        for a in range(first, last + 1):
            d.act_dot[a] = 0.0
        u = m.actuator_ctrladr[i]
        kind = m.actuator_dyntype[i]
        if kind == DYN_INTEGRATOR:
            controls = m.actuator_ctrlnum[i]
            for k in range(controls):
                d.act_dot[last - controls + 1 + k] = d.actuator_input[u + k]
        elif kind == DYN_FILTER or kind == DYN_FILTEREXACT:
            target = nearest(d.actuator_input[u], d.act[last], setpoint_period(m, i))
            d.act_dot[last] = (target - d.act[last]) / max(MINVAL, m.actuator_dynprm[i, 0])
        elif kind == DYN_MUSCLE:
            d.act_dot[last] = muscle_dot(m, d, i, d.actuator_input[u], d.act[last])
        elif kind == DYN_DCMOTOR:
            motor_dot(m, d, i)
        elif kind == DYN_PID:
            pid_dot(m, d, i)
        elif kind == DYN_USER:
            rate = user_dot(m, d, i)
            if n == 1:
                d.act_dot[last] = rate


# ---------------------------------------------------------------- setpoints of rotations


@helper
def setpoint_period(m, i):
    """Period of a position servo's setpoint, in units of its length; 0: not periodic."""
    servo = m.actuator_gaintype[i] == GAIN_FIXED and m.actuator_biastype[i] == BIAS_AFFINE
    if not servo or m.actuator_gainprm[i, 0] != -m.actuator_biasprm[i, 1]:
        return 0.0
    kind = m.actuator_dyntype[i]
    if kind != DYN_NONE and kind != DYN_INTEGRATOR and kind != DYN_FILTER and kind != DYN_FILTEREXACT:
        return 0.0
    target, trn, r = m.actuator_trnid[i, 0], m.actuator_trntype[i], m.actuator_outadr[i]
    linear = (m.actuator_gear[r, 0], m.actuator_gear[r, 1], m.actuator_gear[r, 2])
    if trn == TRN_SITE and m.actuator_trnid[i, 1] >= 0 and norm3(linear) == 0.0:
        return 2.0 * pi * norm3((m.actuator_gear[r, 3], m.actuator_gear[r, 4], m.actuator_gear[r, 5]))
    if (trn == TRN_JOINT or trn == TRN_JOINTINPARENT) and m.jnt_type[target] == JNT_BALL:
        return 2.0 * pi * norm3(linear)
    return 0.0


@inline
def nearest(u, x, period):
    """The one among u + k · period that is nearest to x."""
    if period == 0.0:
        return u
    turns = (u - x) / period
    # round halves away from zero
    rounded = floor(abs(turns) + 0.5)
    return u - period * (rounded if turns > 0.0 else -rounded)


@inline
def nearest_setpoint(d, r, u, period):
    """The setpoint among u + k · period that is nearest to the length."""
    return nearest(u, d.actuator_length[r], period)


# ---------------------------------------------------------------- integration


@helper
def next_activation(m, d, i, a, rate):
    """Activation a of actuator i after a step with this derivative."""
    kind = m.actuator_dyntype[i]
    if kind == DYN_DCMOTOR:
        return next_motor_state(m, d, i, a, rate)
    h = m.opt.timestep
    if kind == DYN_FILTEREXACT:
        tau = max(MINVAL, m.actuator_dynprm[i, 0])
        act = d.act[a] + rate * tau * (1.0 - exp(-h / tau))
    else:
        act = d.act[a] + rate * h
    if m.actuator_actlimited[i]:
        act = clip(act, m.actuator_actrange[i, 0], m.actuator_actrange[i, 1])
    return act


@helper
def wrap_rotation(d, a):
    """Wrap the rotation vector at act_next[a] to an angle of at most π."""
    angle = norm3((d.act_next[a], d.act_next[a + 1], d.act_next[a + 2]))
    if angle > pi:
        scale = (angle - 2.0 * pi * floor(angle / (2.0 * pi) + 0.5)) / angle
        for k in range(3):
            d.act_next[a + k] *= scale


@helper
def any_periodic(m):
    """Whether some activation is a setpoint of a rotation, which the length wraps."""
    for i in range(m.nactuator):
        if m.actuator_actnum[i] > 0 and setpoint_period(m, i) != 0.0:
            return True
    return False


@helper
def any_motor(m):
    """Whether some actuator is a motor, states of which may follow the velocity, whether or not it has one."""
    for i in range(m.nactuator):
        if m.actuator_dyntype[i] == DYN_DCMOTOR:
            return True
    return False


@kernel(when=lambda m: m.na > 0)
def next_activations(m, d):
    """(act, act_dot_step) -> (act_next)"""
    for i in range(m.nactuator):
        n = m.actuator_actnum[i]
        if n == 0:
            continue
        first = m.actuator_actadr[i]
        disabled = is_disabled(m, i)
        for a in range(first, first + n):
            rate = 0.0 if disabled else d.act_dot_step[a]
            d.act_next[a] = next_activation(m, d, i, a, rate)
        if m.actuator_gaintype[i] == GAIN_SO3:
            if m.actuator_dyntype[i] == DYN_INTEGRATOR:
                wrap_rotation(d, first)
        else:
            last = first + n - 1
            d.act_next[last] = nearest_setpoint(d, m.actuator_outadr[i], d.act_next[last], setpoint_period(m, i))
