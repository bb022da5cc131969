"""Constraint rows for people: what each row comes from, and its name, such as "foot on floor, normal"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sim.analysis.contact_detail import row_axis
from sim.analysis.element_names import Named, described, dof_name, placed_geom_name
from sim.analysis.force_sources import CONSTRAINTS
from sim.analysis.solver.problem import Array, Ints
from sim.enums import (
    CNSTR_CONTACT_ELLIPTIC,
    CNSTR_CONTACT_FRICTIONLESS,
    CNSTR_CONTACT_PYRAMIDAL,
    CNSTR_EQUALITY,
    CNSTR_FRICTION_DOF,
    CNSTR_FRICTION_TENDON,
    CNSTR_LIMIT_JOINT,
)

if TYPE_CHECKING:
    from sim.model import Data

# axes of an elliptic contact before those of torques
TRANSLATIONS = 3
# what a row state is called, and what it means
STATES = {
    0: ("satisfied", "the row is satisfied: no force"),
    1: ("quadratic", "the force grows with the violation, like that of a spring"),
    2: ("linear -", "dry friction at its limit, in the positive direction"),
    3: ("linear +", "dry friction at its limit, in the negative direction"),
    4: ("cone", "on the surface of the friction cone: the contact slides"),
}


@dataclass(frozen=True, eq=False)
class RowTable:
    """Type and id of some rows, the number of each among those of its source; dimension, geoms, place of contacts."""

    rows: Ints
    types: Ints
    ids: Ints
    part: Ints
    dim: Ints
    geoms: Ints
    points: Array

    def source(self, m: Named, row: int) -> tuple[str, int]:
        """The element that a row comes from, by type and index."""
        kind, index = int(self.types[row]), int(self.ids[row])
        return CONSTRAINTS[kind][1], int(m.dof_jntid[index]) if kind == CNSTR_FRICTION_DOF else index

    def name(self, m: Named, row: int) -> str:
        """For people: its source, and which of its rows."""
        kind, index, part = int(self.types[row]), int(self.ids[row]), int(self.part[row])
        if kind >= CNSTR_CONTACT_FRICTIONLESS:
            first, second = (placed_geom_name(m, int(geom)) for geom in self.geoms[row])
            axis = row_axis(part, int(self.dim[row]), kind == CNSTR_CONTACT_PYRAMIDAL)
            return f"{second} on {first}, {axis}"
        if kind == CNSTR_FRICTION_DOF:
            return f"dry friction of {dof_name(m, index)}"
        source = described(m, *self.source(m, row))
        if kind == CNSTR_EQUALITY:
            return f"{source}, row {part + 1}" if self._mates(row) > 1 else source
        return f"{'dry friction' if kind == CNSTR_FRICTION_TENDON else 'limit'} of {source}"

    def unit(self, row: int) -> str:
        """The unit of a contact's force; others depend on their element."""
        if self.types[row] < CNSTR_CONTACT_FRICTIONLESS:
            return "N or N m"
        turns = self.types[row] == CNSTR_CONTACT_ELLIPTIC and self.part[row] >= TRANSLATIONS
        return "N m" if turns else "N"

    def _mates(self, row: int) -> int:
        """How many rows have the same source."""
        return int(((self.types == self.types[row]) & (self.ids == self.ids[row])).sum())


def row_table(d: Data, rows: Ints) -> RowTable:
    """Some rows of a state."""
    types, ids = np.array(d.efc_type[rows], np.int64), np.array(d.efc_id[rows], np.int64)
    new = np.ones(len(rows), bool)
    # the rows of a limit on both sides are two sources
    new[1:] = (types[1:] != types[:-1]) | (ids[1:] != ids[:-1]) | (types[1:] == CNSTR_LIMIT_JOINT)
    first = np.maximum.accumulate(np.where(new, np.arange(len(rows)), 0))
    touches = types >= CNSTR_CONTACT_FRICTIONLESS
    dim, geoms, points = np.zeros(len(rows), np.int64), np.full((len(rows), 2), -1), np.zeros((len(rows), 3))
    dim[touches] = np.asarray(d.contact.dim)[ids[touches]]
    geoms[touches] = np.asarray(d.contact.geom)[ids[touches]]
    points[touches] = np.asarray(d.contact.pos)[ids[touches]]
    return RowTable(rows, types, ids, np.arange(len(rows)) - first, dim, geoms, points)
