"""Warnings of the simulation, for `mju_user_warning` and for scripts that check the state themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sim import enums

BAD = "Nan, Inf or huge value in {} {{}}. The simulation is unstable."
TEXTS = {
    enums.WARN_INERTIA: "Inertia matrix is too close to singular, or the effective-metric solve failed to converge, "
    "at DOF {}. Check model.",
    enums.WARN_CONTACTFULL: "Too many contacts. The arena memory is full, increase arena memory allocation.(ncon = {})",
    enums.WARN_CNSTRFULL: "Insufficient arena memory for the number of constraints generated. "
    "Increase arena memory allocation above {} bytes.",
    enums.WARN_BADQPOS: BAD.format("QPOS at DOF"),
    enums.WARN_BADQVEL: BAD.format("QVEL at DOF"),
    enums.WARN_BADQACC: BAD.format("QACC at DOF"),
    enums.WARN_BADCTRL: BAD.format("CTRL at ACTUATOR"),
}

# the user's function, if there is one
handlers: list[Callable[[str], Any]] = []


def text(warning: int, info: int) -> str:
    """The message of a warning."""
    return TEXTS.get(warning, f"Unknown warning type {warning}.").format(info)


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
