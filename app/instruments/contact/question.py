"""Questions of the contact microscope: all contacts of two geoms in detail, and the solver's path to their forces.

A contact has no name, and its index changes from step to step. So the question is about two geoms, and the panel takes
the contact that is nearest to the selected one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.background.probe import Moment
from sim import Data, Model
from sim.analysis.contact_detail import ContactDetail, contact_detail
from sim.analysis.elements import reference
from sim.analysis.pair_force import PairForce, pair_force
from sim.analysis.solver_path import SolverPath, solver_path

# in the place of a geom and of a body where a flex of MuJoCo's touches
FLEX = -1


@dataclass(frozen=True)
class Touch:
    """The contacts of two geoms, the force between their bodies, and how to name both in expressions."""

    contacts: tuple[ContactDetail, ...]
    between: PairForce
    geoms: tuple[str, str]
    bodies: tuple[str, str]

    def nearest(self, position: NDArray[np.float64] | None) -> int:
        """Which of the contacts is nearest to a place; without one, which bears most."""
        if position is None:
            return int(np.argmax([contact.normal for contact in self.contacts]))
        return int(np.argmin([np.linalg.norm(contact.position - position) for contact in self.contacts]))


@dataclass(frozen=True)
class TouchQuestion:
    """What happens between two geoms, which may have no contacts at all."""

    first: int
    second: int

    def answer(self, moment: Moment) -> Touch:
        """Of all their contacts."""
        m, d = moment.model, moment.data
        found = contacts_of(d, self.first, self.second)
        geoms = self.first, self.second
        first, second = (int(m.geom_bodyid[geom]) if geom >= 0 else FLEX for geom in geoms)
        # on the one that moves; on the second one if both do
        ends = (first, second) if second == FLEX or m.body_weldid[second] else (second, first)
        return Touch(
            tuple(contact_detail(m, d, contact) for contact in found),
            pair_force(m, d, *ends),
            (_reference(m, "geom", geoms[0]), _reference(m, "geom", geoms[1])),
            (_reference(m, "body", first), _reference(m, "body", second)),
        )


@dataclass(frozen=True)
class PathQuestion:
    """How the solver came to the forces between two geoms; None if they do not touch."""

    first: int
    second: int

    def answer(self, moment: Moment) -> SolverPath | None:
        m, d = moment.scratch()
        m.engine.forward(m, d)
        found = contacts_of(d, self.first, self.second)
        return solver_path(m, d, found) if found else None


def _reference(m: Model, kind: str, index: int) -> str:
    """How an expression names an element; no expression names a flex."""
    return reference(m.names, kind, index) if index != FLEX else ""


def contacts_of(d: Data, first: int, second: int) -> list[int]:
    """The contacts of two geoms."""
    found: list[int] = np.flatnonzero((d.contact.geom == (first, second)).all(axis=1)).tolist()
    return found
