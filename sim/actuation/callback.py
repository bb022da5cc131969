"""What the user's own actuators compute: Python functions that native code calls.

`sim.callbacks.act_dyn(m, d, i)` gives the rate of an activation of actuator i, `act_gain` its gain and `act_bias` its
bias, for dyntype, gaintype and biastype "user". One with several activations writes their rates to d.act_dot itself.
They see everything up to velocities of the step that is running. Without one: rate 0, gain 1, bias 0.
A model without such actuators never leaves native code; a call costs about 3 us.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sim.enums import BIAS_USER, DYN_USER, GAIN_USER
from sim.jit import kernel

Callback = Callable[[Any, Any, int], float | None]


@dataclass
class Callbacks:
    """The functions that are called now, for all models."""

    act_dyn: Callback | None = None
    act_gain: Callback | None = None
    act_bias: Callback | None = None


callbacks = Callbacks()


@kernel(python=True, when=lambda m: (m.actuator_dyntype == DYN_USER).any())
def user_dot(m, d, i: int) -> float:
    """Rate of an activation of actuator i."""
    return _ask(callbacks.act_dyn, m, d, i, 0.0)


@kernel(python=True, when=lambda m: (m.actuator_gaintype == GAIN_USER).any())
def user_gain(m, d, i: int) -> float:
    """Gain of actuator i."""
    return _ask(callbacks.act_gain, m, d, i, 1.0)


@kernel(python=True, when=lambda m: (m.actuator_biastype == BIAS_USER).any())
def user_bias(m, d, i: int) -> float:
    """Bias of actuator i."""
    return _ask(callbacks.act_bias, m, d, i, 0.0)


def _ask(function: Callback | None, m: Any, d: Any, i: int, otherwise: float) -> float:
    value = function(m, d, i) if function is not None else otherwise
    return 0.0 if value is None else float(value)
