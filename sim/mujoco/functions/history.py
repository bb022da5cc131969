"""Delay buffers: mj_readCtrl, mj_readSensor and filling them, from sim.script.delays."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.mujoco.binding import bound, fatal
from sim.script import delays


def _checked(what: str, index: int, count: int) -> None:
    if not 0 <= index < count:
        raise IndexError(f"{what} id out of range")


def _times(function: str, buffer: delays.Buffer, times: Any) -> None:
    if times is None:
        return
    if len(times) != buffer.samples:
        raise TypeError(f"{function}: times should have {buffer.samples} elements, not {len(times)}")
    for k in np.flatnonzero(np.diff(times) <= 0):
        raise fatal(
            f"mju_historyInit: times must be strictly increasing, got times[{k}]={times[k]:g} >= "
            f"times[{k + 1}]={times[k + 1]:g}"
        )


def _values(function: str, buffer: delays.Buffer, values: Any) -> np.ndarray:
    rows = np.asarray(values, float)
    column = rows.ndim == 1 and buffer.dim == 1 and len(rows) == buffer.samples
    if not buffer.samples or not (column or rows.shape == (buffer.samples, buffer.dim)):
        raise TypeError(f"{function}: values should have shape ({buffer.samples}, {buffer.dim}), not {rows.shape}")
    return rows


def _result(function: str, result: np.ndarray, buffer: delays.Buffer) -> None:
    if len(result) != buffer.dim:
        raise TypeError(f"{function}: result should have {buffer.dim} elements, not {len(result)}")


@bound("m d id:int time:float result:out* interp:int", "numpy.ndarray")
def mj_readCtrl(m: Any, d: Any, id: int, time: float, result: Any, interp: int) -> Any:  # noqa: A002
    """The controls that an actuator sees at a time. interp: 0 holds the last sample, 1 is linear, 2 cubic."""
    _checked("actuator", id, m.nactuator)
    _result("mj_readCtrl", result, delays.control_buffer(m, id))
    result[:] = delays.read_control(m, d, id, time, interp)
    return result


@bound("m d id:int time:float result:out* interp:int", "numpy.ndarray")
def mj_readSensor(m: Any, d: Any, id: int, time: float, result: Any, interp: int) -> Any:  # noqa: A002
    """What a delayed sensor shows at a time. interp: 0 holds the last sample, 1 is linear, 2 cubic."""
    _checked("sensor", id, m.nsensor)
    _result("mj_readSensor", result, delays.sensor_buffer(m, id))
    result[:] = delays.read_sensor(m, d, id, time, interp)
    return result


@bound("m d id:int times:in?* values:any")
def mj_initCtrlHistory(m: Any, d: Any, id: int, times: Any, values: Any) -> None:  # noqa: A002
    """Fill the delay buffer of an actuator, at the times that it has if none are given."""
    _checked("actuator", id, m.nactuator)
    buffer = delays.control_buffer(m, id)
    rows = _values("mj_initCtrlHistory", buffer, values)
    _times("mj_initCtrlHistory", buffer, times)
    delays.fill_control_history(m, d, id, rows, times)


@bound("m d id:int times:in?* values:any phase:float")
def mj_initSensorHistory(m: Any, d: Any, id: int, times: Any, values: Any, phase: float) -> None:  # noqa: A002
    """Fill the delay buffer of a sensor; phase: when it was sampled last."""
    _checked("sensor", id, m.nsensor)
    buffer = delays.sensor_buffer(m, id)
    rows = _values("mj_initSensorHistory", buffer, values)
    _times("mj_initSensorHistory", buffer, times)
    delays.fill_sensor_history(m, d, id, rows, times, phase)
