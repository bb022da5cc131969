"""A study of one step: its islands, the solver's walk on one of them, and the force of a contact on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from sim.analysis.contact_detail import ContactDetail, contact_detail
from sim.analysis.solver.problem import WHOLE, Array, blocks_of, rows_of
from sim.analysis.solver.row_table import RowTable, row_table
from sim.analysis.solver.steps import solver_steps
from sim.analysis.solver.walk import Walk, solver_walk
from sim.enums import NISLAND
from sim.script.contact_force import contact_forces, forces_of_rows

if TYPE_CHECKING:
    from sim.model import Data, Model

# how often the solver is timed
ROUNDS = 5


@dataclass(frozen=True)
class Place:
    """A contact between two geoms, the one nearest to a point."""

    geoms: tuple[int, int]
    point: tuple[float, float, float]


@dataclass(frozen=True)
class Island:
    """What is solved together: its number, WHOLE for all rows; its largest tree, and sizes."""

    index: int
    tree: int
    trees: int
    rows: int
    dofs: int
    # -1 if nobody counts them
    iterations: int


@dataclass(frozen=True, eq=False)
class ContactSteps:
    """A contact, and its force (n, 6) at each place of the walk, in its frame."""

    contact: ContactDetail
    forces: Array


@dataclass(frozen=True, eq=False)
class Study:
    """All islands, and the walk on the one in question; None if there is nothing to solve."""

    islands: tuple[Island, ...]
    island: Island | None
    walk: Walk | None
    rows: RowTable
    contact: ContactSteps | None
    # qacc of all dofs, and what the solver took for all islands
    acc: Array
    seconds: float


def study_step(m: Model, d: Data, tree: int = -1, place: Place | None = None) -> Study:
    """The solver's work on the island of a tree, or the largest one; `d` was forwarded, and stays as it was.

    The contact is the one at `place`, or the one of the island that bears most.
    """
    islands = tuple(_islands(m, d))
    chosen = _chosen(d, islands, tree)
    if chosen is None:
        return Study(islands, None, None, row_table(d, rows_of(d, WHOLE)), None, np.array(d.qacc), 0.0)
    steps = solver_steps(m, d, chosen.index)
    walk = solver_walk(m, d, steps, chosen.index)
    contact = _contact_at(d, walk, place)
    found = None
    if contact is not None:
        places, _, _ = steps.path(d, chosen.index)
        forces = np.array([forces_of_rows(d, steps.force[k])[contact] for k in places])
        found = ContactSteps(contact_detail(m, d, contact), forces)
    return Study(islands, chosen, walk, row_table(d, walk.problem.rows), found, np.array(d.qacc), _seconds(m, d))


def _islands(m: Model, d: Data) -> list[Island]:
    """What is solved, the most rows first."""
    found, sizes, of_tree = [], np.asarray(m.tree_dofnum), np.asarray(d.tree_island)
    for index in blocks_of(m, d):
        trees = np.flatnonzero(of_tree == index) if index != WHOLE else np.flatnonzero(d.tree_awake)
        at = max(index, 0)
        found.append(
            Island(
                index,
                int(trees[np.argmax(sizes[trees])]) if len(trees) else -1,
                len(trees),
                len(rows_of(d, index)),
                int(sizes[trees].sum()),
                int(d.solver_niter[at]) if at < NISLAND else -1,
            )
        )
    return sorted(found, key=lambda island: -island.rows)


def _chosen(d: Data, islands: Sequence[Island], tree: int) -> Island | None:
    """The island of a tree, if that has one; else the one with the most rows."""
    of_tree = int(d.tree_island[tree]) if 0 <= tree < len(d.tree_island) else WHOLE
    mine = [island for island in islands if island.index == of_tree]
    return next(iter((*mine, *islands)), None)


def _contact_at(d: Data, walk: Walk, place: Place | None) -> int | None:
    """The contact at a place, if it is of this island; else the one that bears most."""
    address = np.asarray(d.contact.efc_address)
    mine = np.flatnonzero(np.isin(address, walk.problem.rows) & (address >= 0))
    if not len(mine):
        return None
    if place is not None:
        there = mine[(np.asarray(d.contact.geom)[mine] == place.geoms).all(axis=1)]
        if len(there):
            away = np.linalg.norm(np.asarray(d.contact.pos)[there] - place.point, axis=1)
            return int(there[np.argmin(away)])
    return int(mine[np.argmax(contact_forces(d)[mine, 0])])


def _seconds(m: Model, d: Data) -> float:
    """What the solver takes, the median of several runs."""
    taken = []
    for _ in range(ROUNDS):
        began = perf_counter()
        m.engine.fwd_constraint(m, d)
        taken.append(perf_counter() - began)
    return median(taken)
