"""Diagnosis of a divergence: the forces that accelerate their joints most in the state before it.

Forces of actuators, of springs, dampers and fluid, and of constraints are compared dof by dof by the acceleration
that each would give to that dof alone: |qfrc| · dof_invweight0. The dof whose number became bad first is often not the
one that was pushed: bad numbers spread along the kinematic tree within a step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.model.elements import JOINT_TYPES
from app.model.selection import Selection, described
from app.model.views import ModelView, StateView
from sim.enums import TRN_JOINT, TRN_JOINTINPARENT

# field of generalized forces -> their sources
SOURCES = {
    "qfrc_actuator": "actuators",
    "qfrc_passive": "springs, dampers and fluid",
    "qfrc_constraint": "contacts, limits and equalities",
}
# how many are shown, and the smallest fraction of the strongest
MOST, WEAKEST = 3, 0.01


@dataclass(frozen=True)
class Suspect:
    """A force on a dof of a joint, and the element to select."""

    words: str
    force: float
    unit: str
    selection: Selection


def suspects(model: ModelView, state: StateView) -> list[Suspect]:
    """The largest accelerations of a state, in descending order, one per joint and source."""
    pushes = np.array([getattr(state, name) for name in SOURCES]) * np.asarray(model.dof_invweight0)
    strength = np.where(np.isfinite(pushes), np.abs(pushes), 0.0)
    found: dict[tuple[int, int], Suspect] = {}
    for flat in np.argsort(strength, axis=None, kind="stable")[::-1]:
        source, dof = (int(k) for k in np.unravel_index(flat, strength.shape))
        if len(found) == MOST or strength[source, dof] <= WEAKEST * strength.max():
            break
        joint = int(model.dof_jntid[dof])
        if (source, joint) not in found:
            found[source, joint] = _suspect(model, state, list(SOURCES)[source], joint, dof)
    return list(found.values())


def _suspect(model: ModelView, state: StateView, source: str, joint: int, dof: int) -> Suspect:
    """One of them, described."""
    whose, selection = SOURCES[source], Selection("joint", joint)
    actuator = _actuator(model, state, joint) if source == "qfrc_actuator" else -1
    if actuator >= 0:
        whose, selection = described(model, "actuator", actuator), Selection("actuator", actuator)
    kind, axis = JOINT_TYPES[int(model.jnt_type[joint])], dof - int(model.jnt_dofadr[joint])
    unit = "N" if kind == "slide" or (kind == "free" and axis < 3) else "N m"
    words = f"{whose} on {described(model, 'joint', joint)}"
    return Suspect(words, float(getattr(state, source)[dof]), unit, selection)


def _actuator(model: ModelView, state: StateView, joint: int) -> int:
    """The strongest of the actuators that act on a joint directly, or -1."""
    direct = np.isin(model.actuator_trntype, (TRN_JOINT, TRN_JOINTINPARENT))
    acting = np.flatnonzero(direct & (np.asarray(model.actuator_trnid)[:, 0] == joint))
    forces = [abs(float(state.actuator_force[int(model.actuator_outadr[a])])) for a in acting]
    return int(acting[int(np.argmax(forces))]) if forces else -1
