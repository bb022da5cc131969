"""Delay buffers: the latest samples of controls and sensors, with their times.

A buffer of n samples of `dim` numbers is stored in d.history from its address on: a number for its user, the index of
the newest sample, n times, n · dim values. It is a ring; sample 0 in the functions below is the oldest. Initially it
holds zeros, or for inputs that are a quaternion the identity, at the n steps before time 0. Reading is zero-order hold,
linear interpolation, or cubic interpolation whose derivative at a sample is the slope between its neighbours, for each
number on its own.
"""

from math import ceil

from sim.enums import CHART_QUAT, GAIN_SO3, MINVAL
from sim.jit import helper, inline, kernel

ZERO_ORDER, LINEAR = 0, 1


@inline
def ring_place(d, adr, n, i):
    """Index of sample i in the ring."""
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
    """Index of the first sample that is not older than t, or n."""
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
    """Derivative of the cubic at sample i: the slope between its neighbours, 0 at the ends."""
    if i <= 0 or i >= n - 1:
        return 0.0
    rise = sample(d, adr, n, dim, i + 1, k) - sample(d, adr, n, dim, i - 1, k)
    return rise / max(MINVAL, sample_time(d, adr, n, i + 1) - sample_time(d, adr, n, i - 1))


@helper
def read_sample(d, adr, n, dim, k, t, order):
    """Number k at time t; clamped to the oldest and the newest sample."""
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
    """Insert a sample at time t, replacing the oldest; returns the address of its values."""
    i = first_not_before(d, adr, n, t)
    if i < n and abs(sample_time(d, adr, n, i) - t) < MINVAL:
        return adr + 2 + n + dim * ring_place(d, adr, n, i)
    if i == n:
        # the newest: it replaces the oldest
        d.history[adr + 1] = float(ring_place(d, adr, n, 0))
        i = n - 1
    elif i > 0:
        # in between: older samples shift, overwriting the oldest
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


@inline
def takes_quaternion(m, i):
    """The controls of an actuator are a quaternion, which starts as the identity."""
    return m.actuator_gaintype[i] == GAIN_SO3 and m.actuator_ctrlspec[i] == CHART_QUAT


@helper
def delayed_control(m, d, i, k):
    """Control k of an actuator, delayed."""
    n, order = m.actuator_history[i, 0], m.actuator_history[i, 1]
    if n == 0:
        return d.ctrl[m.actuator_ctrladr[i] + k]
    dim = m.actuator_ctrlnum[i]
    return read_sample(d, m.actuator_historyadr[i], n, dim, k, d.time - m.actuator_delay[i], order)


@kernel(when=lambda m: m.nhistory > 0)
def record_controls(m, d):
    """(ctrl, time) -> (history)"""
    for i in range(m.nactuator):
        n, dim = m.actuator_history[i, 0], m.actuator_ctrlnum[i]
        if n > 0:
            slot = sample_slot(d, m.actuator_historyadr[i], n, dim, d.time)
            for k in range(dim):
                d.history[slot + k] = d.ctrl[m.actuator_ctrladr[i] + k]


# ---------------------------------------------------------------- sensors


@inline
def is_due(m, d, s):
    """Whether a sensor with a sampling interval is sampled now."""
    return d.history[m.sensor_historyadr[s]] + m.sensor_interval[s, 0] <= d.time


@helper
def reads_history(m, d, s):
    """Whether a sensor reads from its buffer: it is delayed, or between two samples."""
    if m.sensor_history[s, 0] <= 0:
        return False
    return m.sensor_delay[s] > 0.0 or (m.sensor_interval[s, 0] > 0.0 and not is_due(m, d, s))


@helper
def delayed_reading(m, d, s, k):
    """Number k of a sensor, delayed."""
    n, order = m.sensor_history[s, 0], m.sensor_history[s, 1]
    return read_sample(d, m.sensor_historyadr[s], n, m.sensor_dim[s], k, d.time - m.sensor_delay[s], order)


@helper
def sensor_slot(m, d, s):
    """Insert a sample for a sensor's reading; returns the address of its values, or -1 between two samples."""
    adr = m.sensor_historyadr[s]
    if m.sensor_interval[s, 0] > 0.0:
        if not is_due(m, d, s):
            return -1
        d.history[adr] += m.sensor_interval[s, 0]
    return sample_slot(d, adr, m.sensor_history[s, 0], m.sensor_dim[s], d.time)


@inline
def store_reading(d, slot, k, x):
    """Store number k of the sample in a slot; returns the old one."""
    old = d.history[slot + k]
    d.history[slot + k] = x
    return old


@kernel(when=lambda m: m.nhistory > 0)
def load_history(m, d, row: int, at: int):
    """(roll.start) -> (history), at the start of a rollout"""
    for i in range(m.nhistory):
        d.history[i] = d.roll.start[row, at + i]


@kernel(when=lambda m: m.nhistory > 0)
def copy_history(m, d, source):
    """(source: history) -> (history)"""
    for i in range(m.nhistory):
        d.history[i] = source.history[i]


# ---------------------------------------------------------------- checkpoints


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


# ---------------------------------------------------------------- initialization


@helper
def init_buffer(m, d, adr, n, dim, user):
    """Initialize a buffer with zeros at the n steps before time 0."""
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
        n, dim, adr = m.actuator_history[i, 0], m.actuator_ctrlnum[i], m.actuator_historyadr[i]
        if n <= 0:
            continue
        init_buffer(m, d, adr, n, dim, 0.0)
        if takes_quaternion(m, i):
            for j in range(n):
                d.history[adr + 2 + n + dim * j] = 1.0
    for s in range(m.nsensor):
        n, adr = m.sensor_history[s, 0], m.sensor_historyadr[s]
        if n <= 0:
            continue
        period, phase = m.sensor_interval[s, 0], m.sensor_interval[s, 1]
        first = -h
        if period > 0.0:
            first = -period if phase == 0.0 else phase
        init_buffer(m, d, adr, n, m.sensor_dim[s], first)
        # with a sampling interval, the samples are at the steps on or after the sampling times, one per step at most
        if period > 0.0:
            spacing = max(period, h)
            last = -spacing if phase == 0.0 else phase
            for j in range(n):
                d.history[adr + 2 + j] = ceil((last - float(n - 1 - j) * spacing) / h) * h
