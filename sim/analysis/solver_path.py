"""The path of the solver: the forces of contacts after each iteration.

The solver runs again from the same rows and the same warm start with opt.iterations = 0, 1, 2, ... It is deterministic,
so this is the path that it took. opt.iterations bounds each island by itself: an island that needs k iterations has the
same forces for every bound from k on, so the path of a contact ends where its island does. The iterations of noslip,
which begin where the solver has ended, come after.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sim.enums import NISLAND
from sim.script.contact_force import contact_forces

if TYPE_CHECKING:
    from sim.model import Data, Model

Array = NDArray[np.float64]

# every iteration up to this one is computed, later ones at a constant ratio
EACH, RATIO = 20, 1.25


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
    rows = _rows_of_island(d, contacts)
    if not len(rows):
        return SolverPath((), np.zeros((0, len(contacts), 6)), 0, True)
    bound, noslip = int(m.opt.iterations), int(m.opt.noslip_iterations)

    def solve(iterations: int, sweeps: int) -> tuple[Array, Array]:
        """(forces of all rows of the island, forces of the contacts)"""
        m.opt.iterations, m.opt.noslip_iterations = iterations, sweeps
        m.engine.fwd_constraint(m, d)
        return d.efc_force[rows].copy(), contact_forces(d)[[*contacts]]

    try:
        final, _ = solve(bound, 0)
        path = _walk(lambda n: solve(n, 0), _needed(d, rows, bound), final)
        solver = path[-1][0]
        if noslip:
            final, _ = solve(bound, noslip)
            needed = min(_needed(d, rows, solver + noslip) - solver, noslip)
            path += [(solver + n, force) for n, force in _walk(lambda n: solve(bound, n), needed, final)[1:]]
    finally:
        solve(bound, noslip)
    return SolverPath(tuple(n for n, _ in path), np.array([force for _, force in path]), solver, solver < bound)


def _walk(solve: Callable[[int], tuple[Array, Array]], last: int, final: Array) -> list[tuple[int, Array]]:
    """The force after each number of iterations, until all forces of the island are the final ones."""
    path = []
    for count in iteration_counts(last):
        forces, force = solve(count)
        path.append((count, force))
        if np.array_equal(forces, final, equal_nan=True):
            break
    return path


def iteration_counts(last: int) -> list[int]:
    """0 to `last`: each at first, then at a constant ratio."""
    counts = [*range(min(last, EACH) + 1)]
    while counts[-1] < last:
        counts.append(min(round(counts[-1] * RATIO), last))
    return counts


def _rows_of_island(d: Data, contacts: Sequence[int]) -> NDArray[np.int64]:
    """The rows that are solved together with those of contacts; none if these have no rows."""
    address = int(d.contact.efc_address[[*contacts]].max(initial=-1))
    if address < 0:
        return np.zeros(0, np.int64)
    return np.flatnonzero(d.efc_island == d.efc_island[address]) if d.nisland else np.arange(d.nefc)


def _needed(d: Data, rows: NDArray[np.int64], bound: int) -> int:
    """The iterations of the last solve of an island; the bound for islands whose iterations nobody counts."""
    island = int(d.efc_island[rows[0]]) if d.nisland else 0
    return int(d.solver_niter[island]) if island < NISLAND else bound
