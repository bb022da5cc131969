"""Muscles: activation dynamics, and the force-length, force-velocity and passive force curves.

Lengths are in units of L₀ and velocities of L₀ · vmax: L = r₀ + (length - lo) / L₀ with L₀ = (hi - lo) / (r₁ - r₀),
where [lo, hi] is actuator_lengthrange and [r₀, r₁] the operating range. Force = -F₀ · (FL(L) FV(V) act + FP(L)): FL is
a bump of four parabolas with its peak at L = 1; FV rises from 0 at V = -1 through 1 at V = 0 to fvmax; FP is zero up to
L = 1. prm = (r₀, r₁, F₀, scale, lmin, lmax, vmax, fpmax, fvmax); F₀ < 0 means scale / acc0.
"""

from sim.enums import BIAS_MUSCLE, DYN_MUSCLE, GAIN_MUSCLE, MINVAL
from sim.jit import helper, inline, kernel


@inline
def safe_divide(a, b):
    """a / b, with b at least MINVAL."""
    return a / max(MINVAL, b)


@inline
def half_square(x):
    return 0.5 * x * x


@helper
def length_curve(x, lmin, lmax):
    """FL: active force at length x; 1 at x = 1, 0 outside [lmin, lmax]."""
    if x < lmin or x > lmax:
        return 0.0
    a, b = 0.5 * (lmin + 1.0), 0.5 * (1.0 + lmax)
    if x <= a:
        return half_square(safe_divide(x - lmin, a - lmin))
    if x <= 1.0:
        return 1.0 - half_square(safe_divide(1.0 - x, 1.0 - a))
    if x <= b:
        return 1.0 - half_square(safe_divide(x - 1.0, b - 1.0))
    return half_square(safe_divide(lmax - x, lmax - b))


@helper
def velocity_curve(v, fvmax):
    """FV: active force at velocity v; 0 for shortening at full speed, 1 at rest, fvmax for fast lengthening."""
    y = fvmax - 1.0
    if v <= -1.0:
        return 0.0
    if v <= 0.0:
        return (v + 1.0) * (v + 1.0)
    if v <= y:
        return fvmax - safe_divide((y - v) * (y - v), y)
    return fvmax


@helper
def passive_curve(x, lmax, fpmax):
    """FP: passive force at length x; 0 up to 1, then quadratic, then linear."""
    if x <= 1.0:
        return 0.0
    b = 0.5 * (1.0 + lmax)
    if x <= b:
        return fpmax * half_square(safe_divide(x - 1.0, b - 1.0))
    return fpmax * (0.5 + safe_divide(x - b, b - 1.0))


@inline
def peak_force(m, prm, i, r):
    """F₀, the peak active force."""
    force = prm[i, 2]
    return safe_divide(prm[i, 3], m.actuator_acc0[r]) if force < 0.0 else force


@inline
def resting_length(m, prm, i, r):
    """L₀, the optimal resting length."""
    return safe_divide(m.actuator_lengthrange[r, 1] - m.actuator_lengthrange[r, 0], prm[i, 1] - prm[i, 0])


@inline
def normalized_length(m, d, prm, i, r, unit):
    """L, the length in units of L₀."""
    return prm[i, 0] + safe_divide(d.actuator_length[r] - m.actuator_lengthrange[r, 0], unit)


@kernel(when=lambda m: (m.actuator_gaintype == GAIN_MUSCLE).any())
def muscle_gain(m, d, i: int, r: int) -> float:
    """(actuator_length, actuator_velocity) -> force at full activation"""
    prm = m.actuator_gainprm
    unit = resting_length(m, prm, i, r)
    at_length = length_curve(normalized_length(m, d, prm, i, r, unit), prm[i, 4], prm[i, 5])
    at_speed = velocity_curve(safe_divide(d.actuator_velocity[r], unit * prm[i, 6]), prm[i, 8])
    return -peak_force(m, prm, i, r) * at_length * at_speed


@kernel(when=lambda m: (m.actuator_biastype == BIAS_MUSCLE).any())
def muscle_bias(m, d, i: int, r: int) -> float:
    """(actuator_length) -> passive force"""
    prm = m.actuator_biasprm
    unit = resting_length(m, prm, i, r)
    return -peak_force(m, prm, i, r) * passive_curve(normalized_length(m, d, prm, i, r, unit), prm[i, 5], prm[i, 7])


@helper
def length_curve_slope(x, lmin, lmax):
    """Derivative of FL."""
    if x < lmin or x > lmax:
        return 0.0
    a, b = 0.5 * (lmin + 1.0), 0.5 * (1.0 + lmax)
    if x <= a:
        return safe_divide(x - lmin, (a - lmin) * (a - lmin))
    if x <= 1.0:
        return safe_divide(1.0 - x, (1.0 - a) * (1.0 - a))
    if x <= b:
        return -safe_divide(x - 1.0, (b - 1.0) * (b - 1.0))
    return -safe_divide(lmax - x, (lmax - b) * (lmax - b))


@helper
def passive_curve_slope(x, lmax, fpmax):
    """Derivative of FP."""
    if x <= 1.0:
        return 0.0
    b = 0.5 * (1.0 + lmax)
    return fpmax * (safe_divide(x - 1.0, (b - 1.0) * (b - 1.0)) if x <= b else safe_divide(1.0, b - 1.0))


@helper
def muscle_slope(m, d, i, r, passive):
    """Derivative by length of the force at full activation, or of the passive force."""
    prm = m.actuator_biasprm if passive else m.actuator_gainprm
    unit = resting_length(m, prm, i, r)
    x = normalized_length(m, d, prm, i, r, unit)
    if passive:
        slope = passive_curve_slope(x, prm[i, 5], prm[i, 7])
    else:
        at_speed = velocity_curve(safe_divide(d.actuator_velocity[r], unit * prm[i, 6]), prm[i, 8])
        slope = length_curve_slope(x, prm[i, 4], prm[i, 5]) * at_speed
    return -peak_force(m, prm, i, r) * safe_divide(slope, unit)


@inline
def sigmoid(x):
    """Quintic sigmoid: 0 below 0, 1 above 1, twice continuously differentiable."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    return x * x * x * (3.0 * x * (2.0 * x - 5.0) + 10.0)


@kernel(when=lambda m: (m.actuator_dyntype == DYN_MUSCLE).any())
def muscle_dot(m, d, i: int, u: float, act: float) -> float:
    """Time derivative of a muscle activation: towards the control, with separate time constants up and down."""
    clamped = min(max(act, 0.0), 1.0)
    up = m.actuator_dynprm[i, 0] * (0.5 + 1.5 * clamped)
    down = m.actuator_dynprm[i, 1] / (0.5 + 1.5 * clamped)
    width = m.actuator_dynprm[i, 2]
    difference = min(max(u, 0.0), 1.0) - act
    if width < MINVAL:
        tau = up if difference > 0.0 else down
    else:
        tau = down + (up - down) * sigmoid(difference / width + 0.5)
    return safe_divide(difference, tau)
