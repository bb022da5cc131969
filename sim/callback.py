"""The user's own functions in the pipeline. `sim.callbacks.NAME = f` puts one in, for all models; None takes it out.

| name | called | for |
|---|---|---|
| control(m, d) | before actuators, also in step1 | controls and applied forces |
| passive(m, d) | after all passive forces | adding to d.qfrc_passive |
| act_dyn(m, d, i) -> rate | for actuator i with dyntype "user" | a rate; of several activations it writes d.act_dot |
| act_gain, act_bias(m, d, i) | with gaintype or biastype "user" | gain and bias; without: 1 and 0 |
| sensor(m, d, stage) | once a stage that has sensors of type "user" | their parts of d.sensordata, which are 0 before |

They see what the step that is running has computed so far. A Python function costs about 3 us a call and waits for
the GIL; what it raises, the caller of step hears, and the step is taken back. A `sim.kernel` with the same parameters
is native code like all the rest: with it a step has no Python in it. Functions that it calls are `sim.helper`s. What
cannot be native code is answered with file, line and cure.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sim.enums import BIAS_USER, DYN_USER, GAIN_USER, SENS_USER
from sim.jit import kernel

# ---------------------------------------------------------------- what happens without them


@kernel
def user_control(m, d):
    """The user's controller: none."""


@kernel
def user_passive(m, d):
    """The user's passive forces: none."""


@kernel(when=lambda m: (m.actuator_dyntype == DYN_USER).any())
def user_dot(m, d, i: int) -> float:
    """Rate of an activation of actuator i."""
    return 0.0


@kernel(when=lambda m: (m.actuator_gaintype == GAIN_USER).any())
def user_gain(m, d, i: int) -> float:
    """Gain of actuator i."""
    return 1.0


@kernel(when=lambda m: (m.actuator_biastype == BIAS_USER).any())
def user_bias(m, d, i: int) -> float:
    """Bias of actuator i."""
    return 0.0


@kernel(when=lambda m: (m.sensor_type == SENS_USER).any())
def user_sensors(m, d, stage: int):
    """The user's sensors of a stage: none."""


# ---------------------------------------------------------------- the user's side

SLOTS: dict[str, Any] = {
    "control": user_control,
    "passive": user_passive,
    "act_dyn": user_dot,
    "act_gain": user_gain,
    "act_bias": user_bias,
    "sensor": user_sensors,
}


class Callbacks:
    """The functions that are called now."""

    def __getattr__(self, name: str) -> Callable[..., Any] | None:
        if name not in SLOTS:
            raise AttributeError(f"there is no callback {name!r}, only {', '.join(SLOTS)}")
        return SLOTS[name].stand_in

    def __setattr__(self, name: str, function: Callable[..., Any] | None) -> None:
        if name not in SLOTS:
            raise AttributeError(f"there is no callback {name!r}, only {', '.join(SLOTS)}")
        if function is not None and not callable(function):
            raise TypeError(f"callbacks.{name} must be a function or None, not {function!r}")
        SLOTS[name].redirect(function)

    def __dir__(self) -> list[str]:
        return list(SLOTS)


callbacks = Callbacks()
