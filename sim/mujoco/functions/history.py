"""Delay buffers: mj_readCtrl, mj_readSensor and filling them, from sim.script.delays."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.mujoco.binding import fatal, returning
from sim.script import delays


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


def _declare(what: str, kind: str, buffer_of: Any, read: Any, fill: Any) -> None:
    """The functions of one kind of buffers: Ctrl or Sensor."""

    def buffer(m: Any, index: int) -> delays.Buffer:
        if not 0 <= index < m.read(f"n{kind}"):
            raise IndexError(f"{kind} id out of range")
        found: delays.Buffer = buffer_of(m, index)
        return found

    def values_at(m: Any, d: Any, index: int, time: float, result: Any, interp: int) -> Any:
        size = buffer(m, index).dim
        if len(result) != size:
            raise TypeError(f"mj_read{what}: result should have {size} elements, not {len(result)}")
        result[:] = read(m, d, index, time, interp)
        return result

    def init(m: Any, d: Any, index: int, times: Any, values: Any, *phase: float) -> None:
        place = buffer(m, index)
        rows = _values(f"mj_init{what}History", place, values)
        _times(f"mj_init{what}History", place, times)
        fill(m, d, index, rows, times, *phase)

    shown, filled, more = {
        "actuator": (
            "The controls that an actuator sees at",
            "an actuator; without times, at its current ones",
            "",
        ),
        "sensor": ("What a delayed sensor shows at", "a sensor; phase: when it was sampled last", " phase:float"),
    }[kind]
    returning({
        f"mj_read{what} m d id:int time:float result:out* interp:int -> numpy.ndarray": (
            values_at, f"{shown} a time. interp: 0 holds the last sample, 1 is linear, 2 cubic.",
        ),
        f"mj_init{what}History m d id:int times:in?* values:any{more}": (init, f"Fill the delay buffer of {filled}."),
    })  # fmt: skip


_declare("Ctrl", "actuator", delays.control_buffer, delays.read_control, delays.fill_control_history)
_declare("Sensor", "sensor", delays.sensor_buffer, delays.read_sensor, delays.fill_sensor_history)
