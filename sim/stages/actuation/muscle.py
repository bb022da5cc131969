"""Muscles: how activation follows the control, and force follows activation, length and velocity.

Lengths are in units of L₀ and velocities of L₀ · vmax: L = r₀ + (length - lo) / L₀ with L₀ = (hi - lo) / (r₁ - r₀),
where [lo, hi] is actuator_lengthrange and [r₀, r₁] the operating range. Force = -F₀ · (FL(L) FV(V) act + FP(L)): FL
is a bump with its peak at 1, made of four parabolas; FV rises from 0 at -1 through 1 at rest to fvmax; FP starts at 1.
prm = (r₀, r₁, F₀, scale, lmin, lmax, vmax, fpmax, fvmax); F₀ < 0 stands for scale / acc0.
"""

from sim.enums import BIAS_MUSCLE, DYN_MUSCLE, GAIN_MUSCLE, MINVAL
from sim.jit import helper, inline, kernel


@inline
def over(a, b):
    """a / b, b not below the smallest number that may be divided by."""
    return a / max(MINVAL, b)


@inline
def half_square(x):
    return 0.5 * x * x


@helper
def length_curve(x, lmin, lmax):
    """FL: force at length x, 1 at x = 1, 0 outside [lmin, lmax]."""
    if x < lmin or x > lmax:
        return 0.0
    a, b = 0.5 * (lmin + 1.0), 0.5 * (1.0 + lmax)
    if x <= a:
        return half_square(over(x - lmin, a - lmin))
    if x <= 1.0:
        return 1.0 - half_square(over(1.0 - x, 1.0 - a))
    if x <= b:
        return 1.0 - half_square(over(x - 1.0, b - 1.0))
    return half_square(over(lmax - x, lmax - b))


@helper
def velocity_curve(v, fvmax):
    """FV: force at velocity v, 1 at rest, 0 when it shortens at full speed, fvmax when it lengthens fast."""
    y = fvmax - 1.0
    if v <= -1.0:
        return 0.0
    if v <= 0.0:
        return (v + 1.0) * (v + 1.0)
    if v <= y:
        return fvmax - over((y - v) * (y - v), y)
    return fvmax


@helper
def passive_curve(x, lmax, fpmax):
    """FP: force of the stretched fibre, from length 1 on; a parabola at first, then straight."""
    if x <= 1.0:
        return 0.0
    b = 0.5 * (1.0 + lmax)
    if x <= b:
        return fpmax * half_square(over(x - 1.0, b - 1.0))
    return fpmax * (0.5 + over(x - b, b - 1.0))


@inline
def peak_force(m, prm, i, r):
    """F₀."""
    force = prm[i, 2]
    return over(prm[i, 3], m.actuator_acc0[r]) if force < 0.0 else force


@inline
def unit_length(m, prm, i, r):
    """L₀."""
    return over(m.actuator_lengthrange[r, 1] - m.actuator_lengthrange[r, 0], prm[i, 1] - prm[i, 0])


@inline
def normal_length(m, d, prm, i, r, unit):
    """L."""
    return prm[i, 0] + over(d.actuator_length[r] - m.actuator_lengthrange[r, 0], unit)


@kernel(when=lambda m: (m.actuator_gaintype == GAIN_MUSCLE).any())
def muscle_gain(m, d, i: int, r: int) -> float:
    """(actuator_length, actuator_velocity) -> force at full activation"""
    prm = m.actuator_gainprm
    unit = unit_length(m, prm, i, r)
    at_length = length_curve(normal_length(m, d, prm, i, r, unit), prm[i, 4], prm[i, 5])
    at_speed = velocity_curve(over(d.actuator_velocity[r], unit * prm[i, 6]), prm[i, 8])
    return -peak_force(m, prm, i, r) * at_length * at_speed


@kernel(when=lambda m: (m.actuator_biastype == BIAS_MUSCLE).any())
def muscle_bias(m, d, i: int, r: int) -> float:
    """(actuator_length) -> force without activation"""
    prm = m.actuator_biasprm
    unit = unit_length(m, prm, i, r)
    return -peak_force(m, prm, i, r) * passive_curve(normal_length(m, d, prm, i, r, unit), prm[i, 5], prm[i, 7])


@inline
def smooth_step(x):
    """0 up to 0, 1 from 1 on, with two continuous derivatives."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    return x * x * x * (3.0 * x * (2.0 * x - 5.0) + 10.0)


@kernel(when=lambda m: (m.actuator_dyntype == DYN_MUSCLE).any())
def muscle_dot(m, d, i: int, u: float, act: float) -> float:
    """Rate of change of an activation: towards the control, faster up than down."""
    now = min(max(act, 0.0), 1.0)
    up = m.actuator_dynprm[i, 0] * (0.5 + 1.5 * now)
    down = m.actuator_dynprm[i, 1] / (0.5 + 1.5 * now)
    width = m.actuator_dynprm[i, 2]
    way = min(max(u, 0.0), 1.0) - act
    if width < MINVAL:
        tau = up if way > 0.0 else down
    else:
        tau = down + (up - down) * smooth_step(way / width + 0.5)
    return over(way, tau)
