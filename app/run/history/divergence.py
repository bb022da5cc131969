"""Divergence: the step at which a position, velocity or acceleration became bad, and its joint.

Inside its native loop the engine checks qpos and qvel before a step and qacc in it. If a number is not finite or too
large it counts a warning and, unless the flag `autoreset` is disabled, resets to the initial state. Here the states
that the loop recorded are searched for that: time that does not grow, or the first state with a bad number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.model.problem import Problem
from sim import Data, Model
from sim.analysis.element_names import described
from sim.enums import DSBL_AUTORESET, MAXVAL, WARN_BADQACC, WARN_BADQPOS, WARN_BADQVEL

Array = NDArray[np.float64]

# warning -> the field that it is about
FIELDS = {WARN_BADQPOS: "qpos", WARN_BADQVEL: "qvel", WARN_BADQACC: "qacc"}
QUANTITIES = {"qpos": "position", "qvel": "velocity", "qacc": "acceleration"}


@dataclass(frozen=True)
class Divergence:
    """The moments of the first and of the last bad state, the time before, and which number was bad.

    `count` is how many times the simulation diverged between them, `was_reset` whether the engine reset it.
    """

    moment: int
    last: int
    time: float
    field: str
    index: int
    was_reset: bool
    count: int = 1

    def text(self, model: Model) -> str:
        """For a marker."""
        after = ", reset" if self.was_reset else ""
        return f"diverged{after}: {self.field}[{self.index}], {owner(model, self.field, self.index)}"

    def problem(self, model: Model) -> Problem:
        """For a card that leads to the moment before."""
        what = f"the {QUANTITIES[self.field]} {self.field}[{self.index}] was not finite or exceeded {MAXVAL:g}"
        when = f"In step {self.moment}, at {self.time:.4g} s" if self.moment else "At the start"
        after = "reset the state" if self.was_reset else "continues with these values"
        flag = "on" if self.was_reset else "off"
        return Problem(
            "The simulation has diverged" + (" and was reset" if self.was_reset else ""),
            f"{when}, {what}: {owner(model, self.field, self.index)}.\n"
            f"The engine {after}, because the autoreset flag is {flag}. The timeline keeps the steps before.",
            max(self.moment - 1, 0),
        )


def warned(data: Data) -> bool:
    """Whether the engine has found bad numbers since its warnings were cleared."""
    return bool(data.warning.number[list(FIELDS)].any())


def find(model: Model, data: Data, states: Array, first: int, before: bool) -> Divergence | None:
    """The divergence in the steps between `states`, if there is one.

    The first of them is moment `first`; `before` is what `warned` returned there.
    """
    if not warned(data):
        return None
    if model.opt.disableflags & DSBL_AUTORESET:
        return None if before else _first_bad(model, states, first)
    # a reset sets the time back; only a reset in the very first step cannot be seen in the times
    steps = np.flatnonzero(np.diff(states[:, 0]) <= 0.0)
    if not steps.size and not before:
        steps = np.zeros(1, int)
    if not steps.size:
        return None
    # a reset clears all warnings but its own
    warning = next(warning for warning in FIELDS if data.warning.number[warning])
    # a bad position or velocity is found one step late
    late = 0 if warning == WARN_BADQACC else 1
    moments = first + 1 - late + int(steps[0]), first + 1 - late + int(steps[-1])
    time = float(states[steps[0], 0]) - late * float(model.opt.timestep)
    return Divergence(*moments, time, FIELDS[warning], int(data.warning.lastinfo[warning]), True, len(steps))


def owner(model: Model, field: str, index: int) -> str:
    """The joint and the body that a coordinate or a degree of freedom belongs to."""
    joint = int(np.searchsorted(model.jnt_qposadr, index, "right")) - 1 if field == "qpos" else model.dof_jntid[index]
    body = int(model.jnt_bodyid[joint])
    if not model.id2name("joint", int(joint)):
        return described(model, "joint", int(joint))
    return f"{described(model, 'joint', int(joint))} of {described(model, 'body', body)}"


def _first_bad(model: Model, states: Array, first: int) -> Divergence | None:
    """The first state with a bad number; accelerations become bad before velocities and positions."""
    velocities = 1 + model.nq
    accelerations = velocities + model.nv + model.na + model.nhistory
    parts = {"qacc": (accelerations, model.nv), "qpos": (1, model.nq), "qvel": (velocities, model.nv)}
    found = []
    for rank, (name, (start, size)) in enumerate(parts.items()):
        bad = np.argwhere(~(np.abs(states[:, start : start + size]) <= MAXVAL))
        if bad.size:
            found.append((int(bad[0, 0]), rank, name, int(bad[0, 1])))
    if not found:
        return None
    row, _, name, index = min(found)
    time = float(states[row, 0]) - float(model.opt.timestep)
    return Divergence(first + row, first + row, time, name, index, was_reset=False)
