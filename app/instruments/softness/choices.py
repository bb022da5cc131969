"""What is soft about the selection: pairs of geoms that touch, limits, equalities, dry friction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from app.instruments.softness.question import AskPair, AskRow
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from sim.analysis.element_names import element_name, full_geom_name
from sim.analysis.row_softness import EQUALITY, JOINT_FRICTION, JOINT_LIMIT, TENDON_FRICTION, TENDON_LIMIT
from sim.script.contact_force import contact_forces

# the list does not get longer
MOST = 40


@dataclass(frozen=True)
class Choice:
    """Something soft: its name, and the question about it; `force` orders contacts."""

    label: str
    question: AskPair | AskRow
    force: float = 0.0


def choices(model: ModelView, state: StateView, selection: Selection | None) -> tuple[Choice, ...]:
    """What is soft about the selection, all contacts if that is nothing; those with the largest forces first."""
    kind, index = (selection.kind, selection.index) if selection is not None else ("", -1)
    if kind == "pair":
        return (_touching(model, int(model.pair_geom1[index]), int(model.pair_geom2[index])),)
    if kind == "equality":
        return (Choice(element_name(model, "equality", index), AskRow(EQUALITY, index)),)
    if kind == "joint":
        return tuple(_joint(model, index))
    if kind == "tendon":
        return tuple(_tendon(model, index))
    if kind == "contact" and index < len(state.contact.dim):
        return (_touching(model, *(int(geom) for geom in state.contact.geom[index])),)
    found = _pairs(model, state, kind, index)
    if kind == "body":
        joints = np.flatnonzero(np.asarray(model.jnt_bodyid) == index).tolist()
        found += [choice for joint in joints for choice in _joint(model, joint)]
    return tuple(found[:MOST])


def _pairs(model: ModelView, state: StateView, kind: str, index: int) -> list[Choice]:
    """The pairs of geoms that touch, of a geom or body or of all."""
    geoms, force = np.asarray(state.contact.geom), contact_forces(state)[:, 0]
    chosen = (geoms >= 0).all(axis=1)
    if kind == "geom":
        chosen &= (geoms == index).any(axis=1)
    elif kind == "body":
        chosen &= (np.asarray(model.geom_bodyid)[np.maximum(geoms, 0)] == index).any(axis=1)
    sums: dict[tuple[int, int], float] = {}
    for (first, second), push in zip(geoms[chosen].tolist(), force[chosen].tolist(), strict=True):
        sums[first, second] = sums.get((first, second), 0.0) + push
    ordered = sorted(sums, key=lambda pair: -sums[pair])[:MOST]
    return [_touching(model, first, second, sums[first, second]) for first, second in ordered]


def _touching(model: ModelView, first: int, second: int, force: float = 0.0) -> Choice:
    label = f"{full_geom_name(model, second)} on {full_geom_name(model, first)}"
    return Choice(label, AskPair(*sorted((first, second))), force)


def _joint(model: ModelView, joint: int) -> Iterator[Choice]:
    name = element_name(model, "joint", joint)
    if model.jnt_limited[joint]:
        yield Choice(f"limit of {name}", AskRow(JOINT_LIMIT, joint))
    for dof in np.flatnonzero(np.asarray(model.dof_jntid) == joint).tolist():
        if model.dof_frictionloss[dof] > 0.0:
            yield Choice(f"dry friction of {name}, dof {dof}", AskRow(JOINT_FRICTION, dof))


def _tendon(model: ModelView, tendon: int) -> Iterator[Choice]:
    name = element_name(model, "tendon", tendon)
    if model.tendon_limited[tendon]:
        yield Choice(f"limit of {name}", AskRow(TENDON_LIMIT, tendon))
    if model.tendon_frictionloss[tendon] > 0.0:
        yield Choice(f"dry friction of {name}", AskRow(TENDON_FRICTION, tendon))
