"""Delay buffers of actuators and sensors, for scripts: what a delayed control or reading is at a time, and filling one.

See sim/state/delay.py for the buffers. A script fills one to start with a past: by default it holds zeros, which for a
quaternion is not a rotation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sim.arguments import check_fit, check_index
from sim.state.delay import read_sample

if TYPE_CHECKING:
    from sim.model import Data, Model


class Buffer(NamedTuple):
    """Where a buffer is in d.history, how many samples of how many numbers it has, and how it is read."""

    address: int
    samples: int
    dim: int
    interp: int
    delay: float


def control_buffer(m: Model, actuator: int) -> Buffer:
    """The buffer of an actuator; without samples if it has none."""
    check_index("actuator", actuator, m.nactuator)
    samples, interp = m.actuator_history[actuator].tolist()
    dim, address = int(m.actuator_ctrlnum[actuator]), int(m.actuator_historyadr[actuator])
    return Buffer(address, samples, dim, interp, float(m.actuator_delay[actuator]))


def sensor_buffer(m: Model, sensor: int) -> Buffer:
    """The buffer of a sensor; without samples if it has none."""
    check_index("sensor", sensor, m.nsensor)
    samples, interp = m.sensor_history[sensor].tolist()
    dim, address = int(m.sensor_dim[sensor]), int(m.sensor_historyadr[sensor])
    return Buffer(address, samples, dim, interp, float(m.sensor_delay[sensor]))


def read_control(m: Model, d: Data, actuator: int, time: float, interp: int | None = None) -> np.ndarray:
    """The controls that an actuator sees at a time, delayed; without a delay those of now.

    `interp`: 0 holds the last sample, 1 is linear, 2 cubic; None: as the model says.
    """
    check_fit(m, d)
    buffer = control_buffer(m, actuator)
    if not buffer.samples:
        first = int(m.actuator_ctrladr[actuator])
        return d.ctrl[first : first + buffer.dim].copy()
    return _read(d, buffer, time, interp)


def read_sensor(m: Model, d: Data, sensor: int, time: float, interp: int | None = None) -> np.ndarray:
    """What a delayed sensor shows at a time; without a delay what it shows now."""
    check_fit(m, d)
    buffer = sensor_buffer(m, sensor)
    if not buffer.samples:
        first = int(m.sensor_adr[sensor])
        return d.sensordata[first : first + buffer.dim].copy()
    return _read(d, buffer, time, interp)


def _read(d: Data, buffer: Buffer, time: float, interp: int | None) -> np.ndarray:
    order = buffer.interp if interp is None or interp < 0 else interp
    address, samples, dim = buffer[:3]
    at = time - buffer.delay
    return np.array([read_sample(d, address, samples, dim, k, at, order) for k in range(dim)])


def fill_control_history(m: Model, d: Data, actuator: int, values: Any, times: Any = None) -> None:
    """Fill the buffer of an actuator: a row of controls per sample, oldest first; `times` as they are if not given."""
    check_fit(m, d)
    _fill(d, control_buffer(m, actuator), values, times)


def fill_sensor_history(
    m: Model, d: Data, sensor: int, values: Any, times: Any = None, sampled: float | None = None
) -> None:
    """Fill the buffer of a sensor; `sampled`: when it was sampled last, if it has an interval."""
    check_fit(m, d)
    buffer = sensor_buffer(m, sensor)
    _fill(d, buffer, values, times)
    if sampled is not None:
        d.history[buffer.address] = sampled


def _fill(d: Data, buffer: Buffer, values: Any, times: Any) -> None:
    address, samples, dim = buffer[:3]
    rows = np.asarray(values, float)
    if not samples or rows.size != samples * dim or rows.shape[:1] != (samples,):
        raise ValueError(f"values must be of shape ({samples}, {dim}), not {rows.shape}")
    if times is not None:
        moments = np.asarray(times, float)
        if moments.shape != (samples,):
            raise ValueError(f"times must have {samples} numbers, not shape {moments.shape}")
        if (np.diff(moments) <= 0).any():
            raise ValueError("times must increase")
        d.history[address + 1] = samples - 1
        d.history[address + 2 : address + 2 + samples] = moments
    # places in the ring, oldest first
    ring = (int(d.history[address + 1]) + 1 + np.arange(samples)) % samples
    start = address + 2 + samples
    stored = d.history[start : start + samples * dim].reshape(samples, dim)
    stored[ring] = rows.reshape(samples, dim)
