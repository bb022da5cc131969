"""Delay buffers: the latest samples of controls and sensors, with their times.

A buffer of n samples of `dim` numbers is, in d.history from its address on: a number of its user's, the place of
the newest sample, n times, n · dim values. It is a ring; sample 0 of the functions below is the oldest. It starts
with zeros at the n steps before time 0. Reading holds the last value, or interpolates linearly, or by cubics whose
slopes are those between a sample's neighbours.
"""

from math import ceil

from sim.enums import MINVAL
from sim.jit import helper, inline, kernel

ZERO_ORDER, LINEAR = 0, 1


@inline
def ring_place(d, adr, n, i):
    """Where sample i is in the ring."""
    return (int(d.history[adr + 1]) + 1 + i) % n


@inline
def sample_time(d, adr, n, i):
    return d.history[adr + 2 + ring_place(d, adr, n, i)]


@inline
def sample(d, adr, n, dim, i, k):
    """Number k of sample i."""
    return d.history[adr + 2 + n + dim * ring_place(d, adr, n, i) + k]


@helper
def first_not_before(d, adr, n, t):
    """The first sample that is not older than t, or n."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if sample_time(d, adr, n, middle) < t:
            low = middle + 1
        else:
            high = middle
    return low


@helper
def slope(d, adr, n, dim, i, k):
    """Slope of a cubic at sample i: that between its neighbours, 0 at the ends."""
    if i <= 0 or i >= n - 1:
        return 0.0
    rise = sample(d, adr, n, dim, i + 1, k) - sample(d, adr, n, dim, i - 1, k)
    return rise / max(MINVAL, sample_time(d, adr, n, i + 1) - sample_time(d, adr, n, i - 1))


@helper
def read_sample(d, adr, n, dim, k, t, order):
    """Number k at time t; before the oldest and after the newest sample, theirs."""
    if t <= sample_time(d, adr, n, 0) + MINVAL:
        return sample(d, adr, n, dim, 0, k)
    if t >= sample_time(d, adr, n, n - 1) - MINVAL:
        return sample(d, adr, n, dim, n - 1, k)
    i = first_not_before(d, adr, n, t)
    after, y1 = sample_time(d, adr, n, i), sample(d, adr, n, dim, i, k)
    if abs(after - t) < MINVAL:
        return y1
    before, y0 = sample_time(d, adr, n, i - 1), sample(d, adr, n, dim, i - 1, k)
    if order == ZERO_ORDER:
        return y0
    h = after - before
    x = (t - before) / h
    if order == LINEAR:
        return y0 + (y1 - y0) * x
    s0, s1 = h * slope(d, adr, n, dim, i - 1, k), h * slope(d, adr, n, dim, i, k)
    rest = 1.0 - x
    return rest * rest * ((1.0 + 2.0 * x) * y0 + x * s0) + x * x * ((3.0 - 2.0 * x) * y1 - rest * s1)


@helper
def sample_slot(d, adr, n, dim, t):
    """Make room for a sample of time t, in its order, at the cost of the oldest; returns where its values go."""
    i = first_not_before(d, adr, n, t)
    if i < n and abs(sample_time(d, adr, n, i) - t) < MINVAL:
        return adr + 2 + n + dim * ring_place(d, adr, n, i)
    if i == n:
        # the newest: it takes the place of the oldest
        d.history[adr + 1] = float(ring_place(d, adr, n, 0))
        i = n - 1
    elif i > 0:
        # within: older ones move up, over the oldest
        i -= 1
        for j in range(i):
            to, source = ring_place(d, adr, n, j), ring_place(d, adr, n, j + 1)
            d.history[adr + 2 + to] = d.history[adr + 2 + source]
            for k in range(dim):
                d.history[adr + 2 + n + dim * to + k] = d.history[adr + 2 + n + dim * source + k]
    at = ring_place(d, adr, n, i)
    d.history[adr + 2 + at] = t
    return adr + 2 + n + dim * at


# ---------------------------------------------------------------- controls


@helper
def delayed_control(m, d, i):
    """The control of an actuator, as old as its delay says."""
    n = m.actuator_history[i, 0]
    if n == 0:
        return d.ctrl[m.actuator_ctrladr[i]]
    return read_sample(d, m.actuator_historyadr[i], n, 1, 0, d.time - m.actuator_delay[i], m.actuator_history[i, 1])


@kernel(when=lambda m: m.nhistory > 0)
def record_controls(m, d):
    """(ctrl, time) -> (history)"""
    for i in range(m.nactuator):
        n = m.actuator_history[i, 0]
        if n > 0:
            slot = sample_slot(d, m.actuator_historyadr[i], n, 1, d.time)
            d.history[slot] = d.ctrl[m.actuator_ctrladr[i]]


# ---------------------------------------------------------------- sensors


@inline
def is_due(m, d, s):
    """Whether a sensor that ticks does so now."""
    return d.history[m.sensor_historyadr[s]] + m.sensor_interval[s, 0] <= d.time


@helper
def reads_history(m, d, s):
    """Whether a sensor says what it saw before: it is delayed, or between two ticks."""
    if m.sensor_history[s, 0] <= 0:
        return False
    return m.sensor_delay[s] > 0.0 or (m.sensor_interval[s, 0] > 0.0 and not is_due(m, d, s))


@helper
def delayed_reading(m, d, s, k):
    """Number k of a sensor, as old as its delay says."""
    n, order = m.sensor_history[s, 0], m.sensor_history[s, 1]
    return read_sample(d, m.sensor_historyadr[s], n, m.sensor_dim[s], k, d.time - m.sensor_delay[s], order)


@helper
def sensor_slot(m, d, s):
    """Make room for what a sensor sees now; where its numbers go, or -1 between two ticks."""
    adr = m.sensor_historyadr[s]
    if m.sensor_interval[s, 0] > 0.0:
        if not is_due(m, d, s):
            return -1
        d.history[adr] += m.sensor_interval[s, 0]
    return sample_slot(d, adr, m.sensor_history[s, 0], m.sensor_dim[s], d.time)


@inline
def store_reading(d, slot, k, x):
    """Number k of the sample in a slot; returns what it was."""
    old = d.history[slot + k]
    d.history[slot + k] = x
    return old


@kernel(when=lambda m: m.nhistory > 0)
def load_history(m, d, row: int, at: int):
    """(roll.start) -> (history): as a rollout starts with it"""
    for i in range(m.nhistory):
        d.history[i] = d.roll.start[row, at + i]


@kernel(when=lambda m: m.nhistory > 0)
def copy_history(m, d, source):
    """(source: history) -> (history)"""
    for i in range(m.nhistory):
        d.history[i] = source.history[i]


# ---------------------------------------------------------------- undoing a step


@kernel(when=lambda m: m.nhistory > 0)
def save_history(m, d):
    """(history) -> (checkpoint_history)"""
    for i in range(m.nhistory):
        d.checkpoint_history[i] = d.history[i]


@kernel(when=lambda m: m.nhistory > 0)
def restore_history(m, d):
    """(checkpoint_history) -> (history)"""
    for i in range(m.nhistory):
        d.history[i] = d.checkpoint_history[i]


# ---------------------------------------------------------------- the beginning


@helper
def init_buffer(m, d, adr, n, dim, user):
    """Zeros at the n steps before time 0."""
    h = m.opt.timestep
    d.history[adr] = user
    d.history[adr + 1] = float(n - 1)
    for j in range(n):
        d.history[adr + 2 + j] = -float(n - j) * h
    for k in range(n * dim):
        d.history[adr + 2 + n + k] = 0.0


@kernel(when=lambda m: m.nhistory > 0)
def init_history(m, d):
    """() -> (history): all buffers as they are at time 0"""
    h = m.opt.timestep
    for i in range(m.nactuator):
        if m.actuator_history[i, 0] > 0:
            init_buffer(m, d, m.actuator_historyadr[i], m.actuator_history[i, 0], 1, 0.0)
    for s in range(m.nsensor):
        n, adr = m.sensor_history[s, 0], m.sensor_historyadr[s]
        if n <= 0:
            continue
        period, phase = m.sensor_interval[s, 0], m.sensor_interval[s, 1]
        first = -h
        if period > 0.0:
            first = -period if phase == 0.0 else phase
        init_buffer(m, d, adr, n, m.sensor_dim[s], first)
        # a sensor that ticks was last read at the steps on or after its ticks
        if period > 0.0:
            for j in range(n):
                d.history[adr + 2 + j] = ceil((first - float(n - 1 - j) * period) / h) * h
