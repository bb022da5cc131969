"""DC motors and PID controllers.

A controller computes the torque kp (u - length) + ki x + kv (u' - velocity) + feedforward; x is the integral of the
position error, and the slew rate of the position setpoint can be limited. A motor with winding resistance R and motor
constant K converts a voltage V to the current (V - K velocity) / R, instantly or with a time constant, and the current
i to the torque K i. Its controller sets the voltage for the required torque. States, if present, in this order:
setpoint (slew), integral, temperature above ambient, bristle deflection of LuGre friction, current; a PID controller
has the first two. R increases with temperature; cogging and friction act on the shaft and are not clamped.
motor: gainprm = (R, K, α, T₀, kp, ki, kd, Vmax); dynprm = (te, di/dt max, Rt, C, Ta, σ₀, σ₁, slew, imax);
biasprm = (cogging A, N, φ, Coulomb, static, Stribeck velocity). pid: gainprm = (ki); dynprm = (imax, slew).
"""

from math import exp, sin

from sim.enums import (
    DYN_DCMOTOR,
    DYN_PID,
    GAIN_DCMOTOR,
    GAIN_PID,
    INPUT_FF,
    INPUT_POS,
    INPUT_VEL,
    INPUT_VOLTAGE,
    MINVAL,
)
from sim.jit import helper, inline, kernel

CONTROLLER = INPUT_POS | INPUT_VEL | INPUT_FF


@inline
def clip(x, low, high):
    return min(max(x, low), high)


@inline
def anti_windup(rate, x, limit):
    """Rate of an integral x that is confined to [-limit, limit]; limit 0: unbounded."""
    if limit > 0.0:
        if x >= limit:
            return min(rate, 0.0)
        if x <= -limit:
            return max(rate, 0.0)
    return rate


@inline
def input_of(m, d, i, bit):
    """The control for a bit of ctrlspec, or 0 if the actuator has none."""
    spec = m.actuator_ctrlspec[i]
    if not spec & bit:
        return 0.0
    below = spec & (bit - 1)
    return d.actuator_input[m.actuator_ctrladr[i] + (below & 1) + (below >> 1 & 1) + (below >> 2 & 1)]


@inline
def slew_rate(m, i):
    """Highest rate of the position setpoint; 0: not limited."""
    kind = m.actuator_dyntype[i]
    if kind == DYN_PID:
        return m.actuator_dynprm[i, 1]
    return m.actuator_dynprm[i, 7] if kind == DYN_DCMOTOR else 0.0


@helper
def limit_slew(m, d, i):
    """The position setpoint, the first state, follows the control at a limited rate; returns its rate of change."""
    u, h = m.actuator_ctrladr[i], m.opt.timestep
    reach, previous = slew_rate(m, i) * h, d.act[m.actuator_actadr[i]]
    setpoint = clip(d.actuator_input[u], previous - reach, previous + reach)
    d.actuator_input[u] = setpoint
    return (setpoint - previous) / h


@helper
def integrate_error(m, d, i, a, limit):
    """State a: integral of the position error."""
    error = input_of(m, d, i, INPUT_POS) - d.actuator_length[m.actuator_outadr[i]]
    d.act_dot[a] = anti_windup(error, d.act[a], limit)


# ---------------------------------------------------------------- PID


@kernel(when=lambda m: (m.actuator_dyntype == DYN_PID).any())
def pid_dot(m, d, i: int):
    """(actuator_input, act, actuator_length) -> (act_dot, actuator_input)"""
    a = m.actuator_actadr[i]
    if slew_rate(m, i) > 0.0:
        d.act_dot[a] = limit_slew(m, d, i)
        a += 1
    if m.actuator_gainprm[i, 0] > 0.0:
        integrate_error(m, d, i, a, m.actuator_dynprm[i, 0])


@kernel(when=lambda m: (m.actuator_gaintype == GAIN_PID).any())
def pid_force(m, d, i: int, integral: float) -> float:
    """(actuator_input) -> force, without the bias"""
    kp, kv = -m.actuator_biasprm[i, 1], -m.actuator_biasprm[i, 2]
    force = kp * input_of(m, d, i, INPUT_POS) + kv * input_of(m, d, i, INPUT_VEL) + input_of(m, d, i, INPUT_FF)
    return force + m.actuator_gainprm[i, 0] * integral


# ---------------------------------------------------------------- DC motors


@inline
def motor_states(m, i):
    """Indices of integral, temperature, bristles and current among a motor's states; -1: not present."""
    n = 1 if m.actuator_dynprm[i, 7] > 0.0 else 0
    integral, temperature, bristles, current = -1, -1, -1, -1
    if m.actuator_gainprm[i, 5] > 0.0:
        integral = n
        n += 1
    if m.actuator_dynprm[i, 2] > 0.0:
        temperature = n
        n += 1
    if m.actuator_dynprm[i, 5] > 0.0:
        bristles = n
        n += 1
    if m.actuator_dynprm[i, 0] > 0.0:
        current = n
    return integral, temperature, bristles, current


@helper
def controller_voltage(m, d, i, r, integral):
    """Voltage of the controller, without its limit."""
    prm = m.actuator_gainprm
    speed = d.actuator_velocity[r]
    torque = prm[i, 4] * (input_of(m, d, i, INPUT_POS) - d.actuator_length[r]) + prm[i, 5] * integral
    torque += prm[i, 6] * (input_of(m, d, i, INPUT_VEL) - speed) + input_of(m, d, i, INPUT_FF)
    # voltage for this torque at this speed, with the winding at its reference temperature
    return prm[i, 0] / prm[i, 1] * torque + prm[i, 1] * speed


@helper
def motor_voltage(m, d, i, r, integral):
    """Voltage of the controller plus the voltage input."""
    voltage = 0.0
    if m.actuator_ctrlspec[i] & CONTROLLER:
        voltage = controller_voltage(m, d, i, r, integral)
        most = m.actuator_gainprm[i, 7]
        if most > 0.0:
            voltage = clip(voltage, -most, most)
    return voltage + input_of(m, d, i, INPUT_VOLTAGE)


@inline
def motor_resistance(m, d, i, temperature):
    """R at the winding temperature, which is state `temperature`; -1: constant."""
    resistance = m.actuator_gainprm[i, 0]
    if temperature >= 0:
        above = d.act[m.actuator_actadr[i] + temperature] + m.actuator_dynprm[i, 4] - m.actuator_gainprm[i, 3]
        resistance *= 1.0 + m.actuator_gainprm[i, 2] * above
    return resistance


@helper
def bristle_decay(m, d, i):
    """Decay rate of the bristle deflection: -σ₀ |v| / g(v), with g(v) the Stribeck curve from static to Coulomb."""
    coulomb, static, stribeck = m.actuator_biasprm[i, 3], m.actuator_biasprm[i, 4], m.actuator_biasprm[i, 5]
    speed = d.actuator_velocity[m.actuator_outadr[i]]
    ratio = speed / max(MINVAL, stribeck)
    g = coulomb + (static - coulomb) * exp(-ratio * ratio)
    return -m.actuator_dynprm[i, 5] * abs(speed) / max(MINVAL, g)


@kernel(when=lambda m: (m.actuator_dyntype == DYN_DCMOTOR).any())
def motor_dot(m, d, i: int):
    """(actuator_input, act, actuator_length, actuator_velocity) -> (act_dot, actuator_input)"""
    dyn = m.actuator_dynprm
    first, r = m.actuator_actadr[i], m.actuator_outadr[i]
    integral, temperature, bristles, current = motor_states(m, i)
    speed, constant = d.actuator_velocity[r], m.actuator_gainprm[i, 1]
    if slew_rate(m, i) > 0.0:
        d.act_dot[first] = limit_slew(m, d, i)
    x = 0.0
    if integral >= 0:
        x = d.act[first + integral]
        integrate_error(m, d, i, first + integral, dyn[i, 8])
    voltage = motor_voltage(m, d, i, r, x)
    resistance = motor_resistance(m, d, i, temperature)
    # heat: R i² is produced, and dissipated through the thermal resistance
    if temperature >= 0:
        if current >= 0:
            amperes = d.act[first + current]
        else:
            amperes = (voltage - constant * speed) / resistance
        above = d.act[first + temperature]
        d.act_dot[first + temperature] = (resistance * amperes * amperes - above / dyn[i, 2]) / dyn[i, 3]
    if bristles >= 0:
        d.act_dot[first + bristles] = bristle_decay(m, d, i) * d.act[first + bristles] + speed
    if current >= 0:
        rate = (voltage / resistance - constant / resistance * speed - d.act[first + current]) / dyn[i, 0]
        if dyn[i, 1] > 0.0:
            rate = clip(rate, -dyn[i, 1], dyn[i, 1])
        d.act_dot[first + current] = rate


@kernel(when=lambda m: (m.actuator_dyntype == DYN_DCMOTOR).any())
def next_motor_state(m, d, i: int, a: int, rate: float) -> float:
    """State a after a step: exact for current and bristles, clamped for the integral"""
    h = m.opt.timestep
    integral, _, bristles, current = motor_states(m, i)
    k = a - m.actuator_actadr[i]
    if k == current:
        te = max(MINVAL, m.actuator_dynprm[i, 0])
        return d.act[a] + rate * te * (1.0 - exp(-h / te))
    if k == bristles:
        decay = bristle_decay(m, d, i)
        factor = exp(decay * h)
        gain = (factor - 1.0) / decay if abs(decay) > MINVAL else h
        return factor * d.act[a] + gain * d.actuator_velocity[m.actuator_outadr[i]]
    act = d.act[a] + rate * h
    limit = m.actuator_dynprm[i, 8]
    if k == integral and limit > 0.0:
        return clip(act, -limit, limit)
    return act


@kernel(when=lambda m: (m.actuator_gaintype == GAIN_DCMOTOR).any())
def motor_force(m, d, i: int, current: float) -> float:
    """(actuator_input, act, actuator_velocity) -> electrical torque; `current` is used if it is a state"""
    r = m.actuator_outadr[i]
    constant = m.actuator_gainprm[i, 1]
    if m.actuator_dynprm[i, 0] > 0.0:
        return constant * current
    integral, temperature, _, _ = motor_states(m, i)
    x = d.act[m.actuator_actadr[i] + integral] if integral >= 0 else 0.0
    gain = constant / max(MINVAL, motor_resistance(m, d, i, temperature))
    return gain * (motor_voltage(m, d, i, r, x) - constant * d.actuator_velocity[r])


@kernel(when=lambda m: (m.actuator_gaintype == GAIN_DCMOTOR).any())
def shaft_force(m, d, i: int) -> float:
    """(act, act_dot, actuator_length) -> torque of cogging and friction"""
    force = 0.0
    cogging = m.actuator_biasprm[i, 0]
    if cogging != 0.0:
        angle = m.actuator_biasprm[i, 1] * d.actuator_length[m.actuator_outadr[i]] + m.actuator_biasprm[i, 2]
        force += cogging * sin(angle)
    _, _, bristles, _ = motor_states(m, i)
    if bristles >= 0:
        a = m.actuator_actadr[i] + bristles
        force -= m.actuator_dynprm[i, 5] * d.act[a] + m.actuator_dynprm[i, 6] * d.act_dot[a]
    return force
