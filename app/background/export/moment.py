"""A moment to export: a model of its own with the edits of then, and the state as fields that both engines have.

The force of the mouse becomes an applied force, and noise on controls ends with the moment: no other engine has them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import sim
from app.files.error_text import printable
from sim.edits import ModelEdits
from sim.enums import ENBL_SLEEP, STATE_INTEGRATION
from sim.script.positions import integrate_pos
from sim.script.state_vector import split_state
from sim.state.signature import SLEEP_PARTS

# what follows from which trees sleep, under MuJoCo's names
AWAKE = (
    "tree_awake", "body_awake", "body_awake_ind", "parent_awake_ind", "dof_awake_ind", "ntree_awake", "nbody_awake",
    "nparent_awake", "nv_awake",
)  # fmt: skip
# how far the state is moved to see which numbers rounding decides, and how often
NUDGE, NUDGES = 1e-12, 3

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ExportMoment:
    """A model with its edits, its state by field, the sleep state if it has one, and where it is from."""

    model: sim.Model
    state: Mapping[str, Any]
    sleep: Mapping[str, Any]
    # the name of the file or scene, and of the branch
    title: str
    branch: str = ""
    step: int = -1
    # what is to be known about it, a sentence each
    notes: tuple[str, ...] = ()
    edits: ModelEdits = field(default_factory=ModelEdits)

    @property
    def time(self) -> float:
        """The simulated time, s."""
        return float(self.state["time"])

    @property
    def awake(self) -> dict[str, Any]:
        """What follows from the sleep state."""
        d = self.start()
        return {name: np.copy(d.read(name)) for name in AWAKE} if self.sleep else {}

    def start(self) -> sim.Data:
        """Data at this state, where nothing that depends on it is computed, except of what sleeps."""
        d = self.model.engine.Data(self.model)
        self.model.engine.write_state(self.model, d, {**self.state, **self.sleep})
        return d

    def forwarded(self, nudge: int = 0) -> sim.Data:
        """Data at this state with all that depends on it; moved a little in direction `nudge`, if that is not 0."""
        d = self._moved(nudge)
        self.model.engine.forward(self.model, d)
        return d

    def after(self, steps: int, nudge: int = 0) -> sim.Data:
        """Data some steps later."""
        d = self._moved(nudge)
        self.model.engine.step(self.model, d, steps)
        return d

    def _moved(self, nudge: int) -> sim.Data:
        d, m = self.start(), self.model
        if nudge and m.nv and np.isfinite(np.asarray(d.qpos)).all():
            away = np.random.default_rng(nudge).standard_normal((2, m.nv))
            moved, before = np.array(d.qpos), np.array(d.qpos)
            integrate_pos(m, moved, NUDGE * away[0], 1.0)
            # what sleeps would wake
            awake = np.asarray(d.tree_asleep)[np.asarray(m.dof_treeid)] < 0
            for joint in np.flatnonzero(~awake[np.asarray(m.jnt_dofadr)]):
                first = int(m.jnt_qposadr[joint])
                last = int(m.jnt_qposadr[joint + 1]) if joint + 1 < m.njnt else m.nq
                moved[first:last] = before[first:last]
            d.write("qpos", moved)
            d.write("qvel", np.asarray(d.qvel) + NUDGE * awake * away[1])
        return d

    def spread(self, values: Callable[[sim.Data], list[Any]], steps: int | None = None) -> list[tuple[Any, float]]:
        """Values of this moment, or of one some steps later, each with how far rounding errors move it."""

        def at(nudge: int) -> list[Any]:
            return values(self.forwarded(nudge) if steps is None else self.after(steps, nudge))

        found = at(0)
        moved = [at(nudge) for nudge in range(1, NUDGES + 1)]
        return [(value, max(distance(value, other[place]) for other in moved)) for place, value in enumerate(found)]


def export_moment(
    model: sim.Model, data: sim.Data, edits: ModelEdits, state: Mapping[str, Any], title: str, branch: str = "",
    step: int = -1,
) -> ExportMoment:  # fmt: skip
    """The moment of a state (sim.copy_state); model and data are the export's own from now on."""
    engine = model.engine
    engine.apply_edits(model, edits)
    split = split_state(model, state["state"], STATE_INTEGRATION, check=False)
    parts = {name: np.array(part) for name, part in split.items()}
    sleeps = bool(model.opt.enableflags & ENBL_SLEEP)
    sleep = {name: np.copy(state[name]) for name in SLEEP_PARTS if sleeps and name in state}
    notes = []
    if int(state["perturb.active"]):
        engine.restore_state(model, data, state)
        engine.forward(model, data)
        body = int(state["perturb.select"])
        parts["xfrc_applied"][body] += np.asarray(data.perturb.xfrc)
        notes.append("The mouse was pulling: its force is part of xfrc_applied and stays constant in later steps.")
    return ExportMoment(model, parts, sleep, printable(title), branch, step, tuple(notes), edits)


def distance(value: Any, other: Any) -> float:
    """The largest difference of two values; inf if they have different shapes, or one of them is not finite."""
    value, other = (np.ravel(np.asarray(one, float)) for one in (value, other))
    if value.shape != other.shape or not np.array_equal(np.isfinite(value), np.isfinite(other)):
        return float("inf")
    finite = np.isfinite(value)
    return float(np.abs(value[finite] - other[finite]).max(initial=0.0))
