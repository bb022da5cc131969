"""The global callbacks: `set_mjcb_control` and the like set the engine's, `sim.callbacks`."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any

from sim.callback import callbacks
from sim.mujoco import warn
from sim.mujoco.binding import FUNCTIONS, register
from sim.mujoco.functions.steps import set_clock

# those that have MuJoCo's names
CALLBACKS = ("control", "passive", "sensor", "act_dyn", "act_gain", "act_bias", "contactfilter")

_time: list[Callable[[], float] | None] = [None]


def _checked(function: Any) -> Any:
    if function is not None and not callable(function):
        raise TypeError("callback is not an Optional[Callable]")
    return function


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
    for name in CALLBACKS:
        setattr(callbacks, name, None)
    callbacks.collision.clear()
    set_mjcb_time(None)


def _declare(name: str) -> None:
    """`set_mjcb_control` and `get_mjcb_control`"""

    def put(callback: Any) -> None:
        setattr(callbacks, name, _checked(callback))

    def get() -> Any:
        return getattr(callbacks, name)

    for way, function in (("set", put), ("get", get)):
        function.__name__ = function.__qualname__ = f"{way}_mjcb_{name}"
        function.__doc__ = f"{way.capitalize()} the callback {name}; see sim.callback for its arguments."
        FUNCTIONS[function.__name__] = function


for _name in CALLBACKS:
    _declare(_name)
for _function in (set_mjcb_time, get_mjcb_time, set_mju_user_warning, get_mju_user_warning):
    FUNCTIONS[_function.__name__] = _function
register(mj_resetCallbacks, "mj_resetCallbacks", "", "None", mj_resetCallbacks.__doc__)
