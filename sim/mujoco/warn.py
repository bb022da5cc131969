"""Warnings of the simulation, for `mju_user_warning` and for scripts that check the state themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sim.enums import WARN_BADCTRL, WARN_BADQACC, WARN_BADQPOS, WARN_BADQVEL, WARN_CNSTRFULL, WARN_CONTACTFULL

TEXTS = {
    0: "Inertia matrix is too close to singular at DOF {}. Check model.",
    WARN_CONTACTFULL: "Too many contacts. Either the arena memory is full, or nconmax is specified and is exceeded. "
    "Increase arena memory allocation, or increase/remove nconmax. (ncon = {})",
    WARN_CNSTRFULL: "Insufficient arena memory for the number of constraints generated. (nefc = {})",
    WARN_BADQPOS: "Nan, Inf or huge value in QPOS at DOF {}. The simulation is unstable.",
    WARN_BADQVEL: "Nan, Inf or huge value in QVEL at DOF {}. The simulation is unstable.",
    WARN_BADQACC: "Nan, Inf or huge value in QACC at DOF {}. The simulation is unstable.",
    WARN_BADCTRL: "Nan, Inf or huge value in CTRL at ACTUATOR {}. The simulation is unstable.",
}

# the user's function, if there is one
handlers: list[Callable[[str], Any]] = []


def text(warning: int, info: int) -> str:
    """The message of a warning."""
    return TEXTS.get(warning, "Unknown warning type {}").format(info)


def report(d: Any) -> None:
    """Tell the user's function about warnings that are new since it was told last."""
    numbers = d.warning.number.tolist()
    told = d.__dict__.get("told_warnings", [0] * len(numbers))
    d.__dict__["told_warnings"] = numbers
    for warning, (now, before) in enumerate(zip(numbers, told, strict=True)):
        # MuJoCo reports each warning once
        if now and not before:
            for handler in handlers:
                handler(text(warning, int(d.warning.lastinfo[warning])) + f" Time = {d.time:.4f}.")
