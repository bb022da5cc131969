"""Explosions: at which step numbers became too large or not finite, and whose they are.

Inside its native loop the engine checks qpos and qvel before a step and qacc in it. It counts a warning and, unless
the flag `autoreset` is disabled, starts over from the initial state. Here the states that the loop left are searched
for that: time that does not grow, or the first state with a bad number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.run.run_state import Problem
from sim.enums import DSBL_AUTORESET, MAXVAL, WARN_BADQACC, WARN_BADQPOS, WARN_BADQVEL

Array = NDArray[np.float64]

# what each warning is about
FIELDS = {WARN_BADQPOS: "qpos", WARN_BADQVEL: "qvel", WARN_BADQACC: "qacc"}
WORDS = {"qpos": "position", "qvel": "velocity", "qacc": "acceleration"}


@dataclass(frozen=True)
class Explosion:
    """The moments of the first and of the last state that is not to be trusted, the time before, and what was wrong.

    `count` is how many times it happened between them.
    """

    moment: int
    last: int
    time: float
    field: str
    index: int
    started_over: bool
    count: int = 1

    def text(self, model: Any) -> str:
        """In a few words."""
        after = "started over" if self.started_over else "exploded"
        return f"{after}: {self.field}[{self.index}], {owner(model, self.field, self.index)}"

    def problem(self, model: Any) -> Problem:
        """For a card that leads to the moment before."""
        what = f"the {WORDS[self.field]} {self.field}[{self.index}] was not finite or beyond {MAXVAL:g}"
        when = f"In step {self.moment}, at {self.time:.4g} s" if self.moment else "At the start"
        after = "started over from the initial state" if self.started_over else "goes on with such numbers"
        flag = "on" if self.started_over else "off"
        return Problem(
            "The simulation has exploded" + (" and started over" if self.started_over else ""),
            f"{when}, {what}: {owner(model, self.field, self.index)}.\n"
            f"The engine {after}, for the flag autoreset is {flag}. The timeline keeps the steps before.",
            max(self.moment - 1, 0),
        )


def warned(data: Any) -> bool:
    """Whether the engine has found bad numbers since its warnings were cleared."""
    return bool(data.warning.number[list(FIELDS)].any())


def look(model: Any, data: Any, states: Array, first: int, before: bool) -> Explosion | None:
    """What exploded in the steps between `states`, if anything did.

    The first of them is moment `first`; `before` is what `warned` said there.
    """
    if not warned(data):
        return None
    if model.opt.disableflags & DSBL_AUTORESET:
        return None if before else _first_bad(model, states, first)
    # time begins anew; only in the first step of all nothing can be seen of that
    steps = np.flatnonzero(np.diff(states[:, 0]) <= 0.0)
    if not steps.size and not before:
        steps = np.zeros(1, int)
    if not steps.size:
        return None
    # starting over clears all warnings but its own
    kind = next(kind for kind in FIELDS if data.warning.number[kind])
    # a bad position or velocity is of the step before
    late = 0 if kind == WARN_BADQACC else 1
    moments = first + 1 - late + int(steps[0]), first + 1 - late + int(steps[-1])
    time = float(states[steps[0], 0]) - late * float(model.opt.timestep)
    return Explosion(*moments, time, FIELDS[kind], int(data.warning.lastinfo[kind]), True, len(steps))


def owner(model: Any, field: str, index: int) -> str:
    """The joint and the body that a coordinate or a degree of freedom belongs to."""
    joint = int(np.searchsorted(model.jnt_qposadr, index, "right")) - 1 if field == "qpos" else model.dof_jntid[index]
    body = int(model.jnt_bodyid[joint])
    names = model.id2name("joint", int(joint)) or joint, model.id2name("body", body) or body
    return "joint {} of body {}".format(*names)


def _first_bad(model: Any, states: Array, first: int) -> Explosion | None:
    """The first state with a bad number; an acceleration goes bad before what it acts on."""
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
    return Explosion(first + row, first + row, time, name, index, started_over=False)
