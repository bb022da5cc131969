"""What the solver had after each iteration: accelerations, forces and states of all rows.

The solver runs again from the same rows and the same warm start with opt.iterations = 0, 1, 2, ... It is deterministic,
so this is the path that it took. opt.iterations bounds each island by itself: an island that needs k iterations has the
same forces for every bound from k on. The sweeps of noslip, which begin where the solver has ended, come after.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sim.analysis.solver.problem import WHOLE, Array, Ints, rows_of
from sim.enums import NISLAND, NSOLVER

if TYPE_CHECKING:
    from sim.model import Data, Model

# every iteration up to this one is computed, later ones at a constant ratio
EACH, RATIO = 20, 1.25
# what the solver tells about each of its iterations
STATISTICS = ("improvement", "gradient", "lineslope", "nactive", "nchange", "neval", "nupdate")


@dataclass(frozen=True, eq=False)
class Steps:
    """After each of n pairs of iterations and sweeps of noslip: qacc (n, nv), forces and states of rows (n, nefc).

    Both are bounds; what an island did of them is in `path`. `statistics` are the solver's own, (islands, iterations).
    """

    iterations: Ints
    sweeps: Ints
    acc: Array
    force: Array
    state: NDArray[np.int8]
    # by island, of the solver and with noslip
    solver_niter: Ints
    total_niter: Ints
    statistics: dict[str, Array]
    bound: int

    def path(self, d: Data, island: int) -> tuple[list[int], list[int], int]:
        """(places in these arrays, iterations made until there, those of the solver) of an island.

        Iterations above those of the solver are sweeps of noslip; 0 is the warm start.
        """
        rows, at = rows_of(d, island), max(island, 0)
        changes = [k for k in range(len(self.force)) if k == 0 or not self._same(k, k - 1, rows)]
        own = np.flatnonzero(self.sweeps == 0)
        counted = at < NISLAND
        solver = int(self.solver_niter[at]) if counted else int(self.iterations[[k for k in changes if k in own]].max())
        sweeps = int(self.total_niter[at]) - solver if counted else int(self.sweeps.max())
        places: list[int] = []
        made: list[int] = []
        for k in range(len(self.force)):
            done = min(int(self.iterations[k]), solver) + min(int(self.sweeps[k]), sweeps)
            if not made or done > made[-1]:
                places.append(k)
                made.append(done)
        return places, made, solver

    def _same(self, k: int, other: int, rows: Ints) -> bool:
        return np.array_equal(self.force[k, rows], self.force[other, rows], equal_nan=True)


def iteration_counts(last: int) -> list[int]:
    """0 to `last`: each at first, then at a constant ratio."""
    counts = [*range(min(last, EACH) + 1)]
    while counts[-1] < last:
        counts.append(min(round(counts[-1] * RATIO), last))
    return counts


def solver_steps(m: Model, d: Data, island: int = WHOLE) -> Steps:
    """The iterations of an island, or of all; the arrays are those of all rows.

    The constraint stage of `d`, which was forwarded, runs again and again, and ends with the forces that it had.
    """
    bound, noslip = int(m.opt.iterations), int(m.opt.noslip_iterations)
    rows = rows_of(d, island)
    kept: list[tuple[int, int, Array, Array, NDArray[np.int8]]] = []

    def solve(iterations: int, sweeps: int) -> Array:
        m.opt.iterations, m.opt.noslip_iterations = iterations, sweeps
        m.engine.fwd_constraint(m, d)
        return np.array(d.efc_force[: d.nefc])

    def keep(iterations: int, sweeps: int) -> Array:
        force = solve(iterations, sweeps)
        state = np.array(d.efc_state[: d.nefc], np.int8)
        kept.append((iterations, sweeps, np.array(d.qacc), force, state))
        return force[rows]

    try:
        final = solve(bound, 0)[rows]
        own = np.array(d.solver_niter, np.int64)
        counted = d.nisland <= NISLAND if island == WHOLE else island < NISLAND
        _walk(lambda n: keep(n, 0), iteration_counts(_needed(own, island, bound) if counted else bound), counted, final)
        if noslip:
            final = solve(bound, noslip)[rows]
            more = _needed(np.asarray(d.solver_niter) - own, island, noslip) if counted else noslip
            _walk(lambda n: keep(bound, n), iteration_counts(more)[1:], counted, final)
    finally:
        solve(bound, noslip)
    iterations, sweeps, acc, force, state = zip(*kept, strict=True)
    statistics = {name: np.array(getattr(d.solver, name), float).reshape(-1, NSOLVER)[:NISLAND] for name in STATISTICS}
    return Steps(
        np.array(iterations), np.array(sweeps), np.array(acc), np.array(force), np.array(state), own,
        np.array(d.solver_niter, np.int64), statistics, bound,
    )  # fmt: skip


def _walk(solve: Callable[[int], Array], counts: list[int], counted: bool, final: Array) -> None:
    """Solve with each count; where nobody counts what is needed, until all forces are the final ones."""
    for count in counts:
        if np.array_equal(solve(count), final, equal_nan=True) and not counted:
            return


def _needed(made: Ints, island: int, bound: int) -> int:
    """The iterations that an island needs, or the slowest."""
    return min(int(made.max() if island == WHOLE else made[island]), bound)
