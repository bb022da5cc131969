"""The global callbacks: `set_mjcb_control` and the like set the engine's, `sim.callbacks`."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any

from sim.callback import callbacks
from sim.mujoco import warn
from sim.mujoco.binding import FUNCTIONS, register
from sim.mujoco.functions.steps import set_clock

# MuJoCo's name -> the engine's
CALLBACKS = {
    "control": "control",
    "passive": "passive",
    "sensor": "sensor",
    "act_dyn": "act_dyn",
    "act_gain": "act_gain",
    "act_bias": "act_bias",
    "contactfilter": "contactfilter",
}

_time: list[Callable[[], float] | None] = [None]


def _checked(function: Any) -> Any:
    if function is not None and not callable(function):
        raise TypeError("callback is not an Optional[Callable]")
    return function


def _setter(name: str) -> Callable[[Any], None]:
    def put(callback: Any) -> None:
        setattr(callbacks, name, _checked(callback))

    return put


def _getter(name: str) -> Callable[[], Any]:
    def get() -> Any:
        return getattr(callbacks, name)

    return get


def set_mjcb_time(callback: Any) -> None:
    """Set the clock of d.timer; None is the system's."""
    function = _time[0] = _checked(callback)

    def clock() -> float:
        value = function()
        if not isinstance(value, Real):
            raise TypeError("mjcb_time callback did not return a number")
        return float(value)

    set_clock(None if function is None else clock)


def get_mjcb_time() -> Any:
    """The clock of d.timer, None if it is the system's."""
    return _time[0]


def set_mju_user_warning(callback: Any) -> None:
    """Set the function that is called with the text of each warning."""
    warn.handlers[:] = [] if _checked(callback) is None else [callback]


def get_mju_user_warning() -> Any:
    """The function that is called with the text of each warning."""
    return warn.handlers[0] if warn.handlers else None


def mj_resetCallbacks() -> None:
    """Remove all callbacks."""
    for name in CALLBACKS.values():
        setattr(callbacks, name, None)
    callbacks.collision.clear()
    set_mjcb_time(None)


for _theirs, _ours in CALLBACKS.items():
    for _way, _make in (("set", _setter), ("get", _getter)):
        _function: Any = _make(_ours)
        _function.__name__ = _function.__qualname__ = f"{_way}_mjcb_{_theirs}"
        _function.__doc__ = f"{_way} the callback {_theirs}; see sim.callback for its arguments.".capitalize()
        FUNCTIONS[_function.__name__] = _function

FUNCTIONS.update(
    {
        function.__name__: function
        for function in (
            set_mjcb_time,
            get_mjcb_time,
            set_mju_user_warning,
            get_mju_user_warning,
        )
    }
)
register(mj_resetCallbacks, "mj_resetCallbacks", "", "None", mj_resetCallbacks.__doc__)
