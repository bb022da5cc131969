"""Ornstein-Uhlenbeck noise on controls that depends only on the seed, the time and the controls."""

from math import exp, sqrt

from sim.enums import MINVAL
from sim.jit import kernel
from sim.math.random import standard_normal


@kernel(when=lambda m: m.nu > 0)
def control_noise(m, d):
    """(ctrl, time) -> (ctrl): decays to the middle of its range, plus noise that is reproducible by seed and time"""
    h = m.opt.timestep
    keep = exp(-h / max(MINVAL, d.noise.rate))
    push = d.noise.scale * sqrt(1.0 - keep * keep)
    now = int(d.time / h + 0.5)
    for i in range(m.nu):
        low, high, middle, half = 0.0, 0.0, 0.0, 1.0
        if m.actuator_ctrllimited[i]:
            low, high = m.actuator_ctrlrange[i, 0], m.actuator_ctrlrange[i, 1]
            middle, half = 0.5 * (low + high), 0.5 * (high - low)
        u = keep * d.ctrl[i] + (1.0 - keep) * middle + push * half * standard_normal(d.noise.seed, now, i)
        if m.actuator_ctrllimited[i]:
            u = max(low, min(high, u))
        d.ctrl[i] = u
