"""The path of the solver: the forces of contacts after each iteration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sim.analysis.solver.problem import WHOLE, Array
from sim.analysis.solver.steps import solver_steps
from sim.script.contact_force import forces_of_rows

if TYPE_CHECKING:
    from sim.model import Data, Model


@dataclass(frozen=True)
class SolverPath:
    """Forces of contacts in their frames, (n, contacts, 6), after n numbers of iterations; 0 is the warm start.

    Iterations above `solver` are those of noslip. `converged`: the solver ended before it reached its bound.
    """

    iterations: tuple[int, ...]
    forces: Array
    solver: int
    converged: bool


def solver_path(m: Model, d: Data, contacts: Sequence[int]) -> SolverPath:
    """The path of one contact, or of several of one island, such as those of two bodies.

    The constraint stage of `d`, which was forwarded, runs again and again, and ends with the forces that it had.
    """
    address = int(d.contact.efc_address[[*contacts]].max(initial=-1))
    if address < 0:
        return SolverPath((), np.zeros((0, len(contacts), 6)), 0, True)
    island = int(d.efc_island[address]) if d.nisland else WHOLE
    steps = solver_steps(m, d, island)
    places, made, solver = steps.path(d, island)
    forces = np.array([forces_of_rows(d, steps.force[k])[[*contacts]] for k in places])
    return SolverPath(tuple(made), forces, solver, solver < steps.bound)
