"""User callbacks of the pipeline: `sim.callbacks.NAME = f` sets one, for all models; None removes it.

| name | called | for |
|---|---|---|
| control(m, d) | before actuators, also in step1 | controls and applied forces |
| passive(m, d) | after all passive forces | adding to d.qfrc_passive |
| act_dyn(m, d, i) -> rate | for actuator i with dyntype "user" | act_dot; writes d.act_dot if there are several |
| act_gain, act_bias(m, d, i) | with gaintype or biastype "user" | gain and bias; default: 1 and 0 |
| sensor(m, d, stage) | once per stage with sensors of type "user" | their parts of d.sensordata, initially 0 |
| contactfilter(m, d, geom1, geom2) | for geoms that are near each other | true: no contact; replaces contype |
| collision[type1, type2](m, d, geom1, geom2, margin) | for geoms of two types | hits; None: no contacts |

A callback sees what the current step has computed so far. A Python function costs about 3 us per call and needs the
GIL; an exception rolls the step back and is raised by the call of step. A `sim.kernel` with the same parameters is
native code like the rest of the engine, so that a step runs without Python. Functions that it calls must be
`sim.helper`s. Code that cannot be compiled raises CompileError with file, line and cure.

A hit is (dist, pos, normal): distance, negative for penetration; the midpoint between the surfaces; and the direction
from the first geom, which has the lower type, to the second. Types are names or GEOM_*. Explicit pairs skip the filter.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, MutableMapping
from typing import TYPE_CHECKING, Any

import numpy as np

from sim import enums
from sim.enums import BIAS_USER, DYN_USER, GAIN_USER, SENS_USER
from sim.jit import kernel
from sim.stages.collision.hook import hooks, some_hooks, user_filter, user_manifold

if TYPE_CHECKING:
    from sim.typed_fields import DataFields, ModelFields

# ---------------------------------------------------------------- defaults


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


# ---------------------------------------------------------------- for scripts

SLOTS: dict[str, Any] = {
    "control": user_control,
    "passive": user_passive,
    "act_dyn": user_dot,
    "act_gain": user_gain,
    "act_bias": user_bias,
    "sensor": user_sensors,
    "contactfilter": user_filter,
    "collision": user_manifold,
}

Callback = Callable[..., Any]
Hit = tuple[float, Any, Any]

# held while the table of collision functions, or the switch for both hooks of collision, is brought up to date
_changing = threading.RLock()
# in place of a collision function: the engine's own is used
ENGINE = object()


class CollisionFunctions(MutableMapping[tuple[int | str, int | str], Callback | None]):
    """The user's collision functions: (type, type) -> function, or None for no contacts."""

    def __init__(self) -> None:
        self._routines: dict[tuple[int, int], Callback | None] = {}

    def __getitem__(self, types: tuple[int | str, int | str]) -> Callback | None:
        return self._routines[_pair(types)]

    def __setitem__(self, types: tuple[int | str, int | str], function: Callback | None) -> None:
        if function is not None and not callable(function):
            raise TypeError(f"callbacks.collision[{types}] must be a function or None, not {function!r}")
        with _changing:
            self._routines[_pair(types)] = function
            _set_callback("collision", self._hits)

    def __delitem__(self, types: tuple[int | str, int | str]) -> None:
        with _changing:
            del self._routines[_pair(types)]
            if not self._routines:
                _set_callback("collision", None)

    def pop(self, *key_and_default: Any) -> Any:
        """Remove a function and return it."""
        with _changing:
            return super().pop(*key_and_default)

    def clear(self) -> None:
        """Remove all functions."""
        with _changing:
            super().clear()

    def __iter__(self) -> Iterator[tuple[int | str, int | str]]:
        return iter(tuple(self._routines))

    def __len__(self) -> int:
        return len(self._routines)

    def _hits(self, m: ModelFields, d: DataFields, geom1: int, geom2: int, margin: float) -> int:
        """Store the hits of the function for two types in d.manifold; returns how many, or -1 without a function."""
        types = int(m.geom_type[geom1]), int(m.geom_type[geom2])
        # looked up once: another thread may remove it meanwhile
        function: Any = self._routines.get(types, ENGINE)
        if function is ENGINE:
            return -1
        found = None if function is None else function(m, d, geom1, geom2, margin)
        return found if isinstance(found, int) else _store_hits(d, found or (), margin)


def _pair(types: tuple[int | str, int | str]) -> tuple[int, int]:
    """Two geom types as integers, the lower one first."""
    try:
        first, second = (getattr(enums, f"GEOM_{t.upper()}") if isinstance(t, str) else int(t) for t in types)
    except (AttributeError, TypeError, ValueError):
        raise KeyError(f"{types!r} is not a pair of geom types, such as ('sphere', 'box')") from None
    return min(first, second), max(first, second)


def _store_hits(d: DataFields, found: Any, margin: float) -> int:
    """Store the hits within the margin in d.manifold; returns their number."""
    near: list[Hit] = [hit for hit in found if not hit[0] > margin]
    to = d.manifold
    limit = len(to.dist)
    if len(near) > limit:
        raise ValueError(f"a function in callbacks.collision returned {len(near)} hits: the limit is {limit}")
    for k, (dist, pos, normal) in enumerate(near):
        length = np.linalg.norm(normal)
        if not (np.isfinite([dist, *pos]).all() and 0 < length < np.inf):
            raise ValueError(f"a function in callbacks.collision returned an invalid hit: {dist}, {pos}, {normal}")
        to.dist[k], to.pos[k], to.normal[k], to.tangent[k] = dist, pos, normal / length, 0.0
    return len(near)


def _set_callback(name: str, function: Callback | None) -> None:
    """Set or remove a callback."""
    if SLOTS[name].stand_in != function:
        SLOTS[name].redirect(function)
    # the last thread to come here sees the callbacks that all others have set
    with _changing:
        target = some_hooks if user_filter.stand_in or user_manifold.stand_in else None
        if hooks.stand_in is not target:
            hooks.redirect(target)


def any_callback() -> bool:
    """Whether a callback is set: then a step depends on more than the model and the state."""
    return any(slot.stand_in is not None for slot in SLOTS.values())


class Callbacks:
    """The current callbacks."""

    control: Callback | None
    passive: Callback | None
    act_dyn: Callback | None
    act_gain: Callback | None
    act_bias: Callback | None
    sensor: Callback | None
    contactfilter: Callback | None
    collision: CollisionFunctions

    def __init__(self) -> None:
        self.__dict__["collision"] = CollisionFunctions()

    if not TYPE_CHECKING:  # a misspelt name is found

        def __getattr__(self, name: str) -> Callback | None:
            if name not in SLOTS:
                raise AttributeError(f"there is no callback {name!r}, only {', '.join(SLOTS)}")
            return SLOTS[name].stand_in

        def __setattr__(self, name: str, function: Callback | None) -> None:
            if name not in SLOTS:
                raise AttributeError(f"there is no callback {name!r}, only {', '.join(SLOTS)}")
            if name == "collision":
                if function is not None:
                    raise TypeError("callbacks.collision is a table: set callbacks.collision[type, type]")
                self.__dict__["collision"].clear()
                return
            if function is not None and not callable(function):
                raise TypeError(f"callbacks.{name} must be a function or None, not {function!r}")
            _set_callback(name, function)

    def __dir__(self) -> list[str]:
        return list(SLOTS)


callbacks = Callbacks()
