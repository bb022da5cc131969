"""What each island costs the solver: rows, dofs, contacts, iterations, time, and the residual that it stops at.

The islands of a forwarded state are solved again one by one, from the warm start of the step; the median of a few
solves counts, less what calls from Python take. The solver solves everything as one block where islands are disabled,
or where the discrete integrator couples trees that no row does: then there is one entry, of all trees that are awake.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sim.analysis.solver.problem import WHOLE, dofs_of, rows_of
from sim.callback import user_control
from sim.enums import NISLAND, SOL_CG, SOL_NEWTON, SOL_PGS
from sim.stages.constraint.row import is_discrete, is_sparse
from sim.stages.solver.block import gather_all, gather_island, scatter
from sim.stages.solver.cg import cg
from sim.stages.solver.newton import newton
from sim.stages.solver.noslip import noslip
from sim.stages.solver.pgs import pgs, warm_start_forces
from sim.stages.solver.primal import update_forces, update_gradient, warm_start

if TYPE_CHECKING:
    from sim.model import Data, Model

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Call = Callable[[], Any]

SOLVERS = {SOL_NEWTON: newton, SOL_CG: cg, SOL_PGS: pgs}
# solves of each island, and empty calls that are timed
ROUNDS, EMPTY_CALLS = 5, 20


@dataclass(frozen=True, eq=False)
class Islands:
    """What is solved together: one entry for each island, and for each tree the entry that it is in, or -1."""

    # whether these are islands; otherwise one block of everything
    split: bool
    of_tree: Ints
    trees: Ints
    dofs: Ints
    rows: Ints
    contacts: Ints
    # the lowest tree of each: islands are renumbered at every step, trees are not
    first: Ints
    # by the last step; -1 where nobody counted them
    iterations: Ints

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, eq=False)
class Costs:
    """Of each entry of Islands: iterations, the duration of a solve, s, and the gradient at its end.

    The gradient is scaled as opt.tolerance is: its norm times 1 / trace M. noslip comes after it.
    """

    iterations: Ints
    seconds: Floats
    residual: Floats


def islands(m: Model, d: Data) -> Islands:
    """The islands of a forwarded state."""
    awake = np.asarray(d.tree_asleep) < 0
    nothing = np.zeros(0, np.int64)
    if not d.nefc:
        return Islands(True, np.full(int(m.ntree), -1), nothing, nothing, nothing, nothing, nothing, nothing)
    address = np.asarray(d.contact.efc_address[: d.ncon])
    if not _splits(m, d):
        counts = np.count_nonzero(awake), d.nv_awake, d.nefc, np.count_nonzero(address >= 0)
        trees, dofs, rows, contacts = (np.array([count]) for count in counts)
        first, iterations = np.flatnonzero(awake)[:1], np.array([d.solver_niter[0]])
        return Islands(False, np.where(awake, 0, -1), trees, dofs, rows, contacts, first, iterations)
    n = int(d.nisland)
    of_tree = np.where(awake, np.asarray(d.tree_island, np.int64), -1)
    inside = np.flatnonzero(of_tree >= 0)
    first = np.full(n, int(m.ntree))
    np.minimum.at(first, of_tree[inside], inside)
    contacts = np.bincount(np.asarray(d.efc_island)[address[address >= 0]], minlength=n)
    trees, dofs, rows = (np.array(d.read(f"island_{name}")[:n], np.int64) for name in ("ntree", "nv", "nefc"))
    iterations = np.full(n, -1)
    iterations[:NISLAND] = d.solver_niter[: min(n, NISLAND)]
    return Islands(True, of_tree, trees, dofs, rows, contacts, first, iterations)


def island_costs(m: Model, d: Data, found: Islands, rounds: int = ROUNDS) -> Costs:
    """Solve each island of `d` some more times, which ends with the forces that it had."""
    n = len(found)
    costs = Costs(np.zeros(n, np.int64), np.zeros(n), np.zeros(n))
    if not n:
        return costs
    warm = _warm_start(m, d)
    overhead = median(_seconds(partial(user_control, m, d)) for _ in range(EMPTY_CALLS))
    try:
        # an island of trees that the integrator couples may have no rows
        for i in np.flatnonzero(found.rows).tolist():
            island = i if found.split else WHOLE
            gather, solve, end = _calls(m, d, island)
            start = partial(_start, d, warm, dofs_of(d, island), rows_of(d, island))
            start()
            _run(gather + solve)
            costs.residual[i] = _residual(m, d)
            taken = []
            for _ in range(rounds):
                start()
                taken.append(_run(gather + solve + end) - len(gather + solve + end) * overhead)
            costs.iterations[i] = d.solver_niter[0]
            costs.seconds[i] = max(median(taken), 0.0)
    finally:
        m.engine.fwd_constraint(m, d)
    return costs


def _splits(m: Model, d: Data) -> bool:
    """Whether the solver solves islands one by one, as in `fwd_constraint`."""
    return bool(d.nisland > 0 and not (is_discrete(m) and d.metric.ncouple > 0))


def _warm_start(m: Model, d: Data) -> tuple[Floats, Floats]:
    """The accelerations and forces from which this step's solve starts."""
    _run(_gather_all(m, d))
    acc, force = np.array(d.qacc_smooth), np.array(d.block.force[: d.nefc])
    acc[d.block.dof[: d.block.nv]] = d.block.acc[: d.block.nv]
    return acc, force


def _start(d: Data, warm: tuple[Floats, Floats], dofs: Any, rows: Any) -> None:
    """Set what a solve starts from."""
    d.qacc[dofs] = warm[0][dofs]
    d.efc_force[rows] = warm[1][rows]
    d.solver_niter[0] = 0


def _gather_all(m: Model, d: Data) -> list[Call]:
    """Calls that make one block of everything, at its warm start."""
    calls: list[Call] = [partial(gather_all, m, d), partial(warm_start, m, d)]
    return [*calls, partial(warm_start_forces, m, d)] if m.opt.solver == SOL_PGS else calls


def _calls(m: Model, d: Data, island: int) -> tuple[list[Call], list[Call], list[Call]]:
    """The calls that gather an island, or everything, that solve it, and that come after the solver.

    All statistics go to the first place: there is one for a few islands only.
    """
    gather: list[Call] = [partial(gather_island, m, d, island)] if island != WHOLE else _gather_all(m, d)
    solve: list[Call] = [partial(SOLVERS[int(m.opt.solver)], m, d, 0)]
    slip: list[Call] = [partial(noslip, m, d, 0)] if m.opt.noslip_iterations > 0 else []
    return gather, solve, [*slip, partial(scatter, m, d)]


def _residual(m: Model, d: Data) -> float:
    """The scaled gradient of the block that was solved last."""
    if m.opt.solver != SOL_PGS:
        return float(d.block.gradient)
    # PGS solves for forces: those that the rows have at its acceleration are others until it has converged
    nv, n = d.block.nv, d.block.nefc
    d.block.jar[:n] = _times_j(m, d) - d.block.aref[:n]
    d.block.ma[:nv] = d.block.smooth[:nv] + d.block.qfrc_constraint[:nv]
    update_forces(m, d)
    return float(update_gradient(m, d))


def _times_j(m: Model, d: Data) -> Floats:
    """J times the acceleration, of the block."""
    nv, n, acc = d.block.nv, d.block.nefc, d.block.acc
    if not is_sparse(m):
        dense: Floats = d.block.J[: n * nv].reshape(n, nv) @ acc[:nv]
        return dense
    rows = np.repeat(np.arange(n), d.block.J_rownnz[:n])
    terms = d.block.J[: len(rows)] * acc[d.block.J_colind[: len(rows)]]
    return np.bincount(rows, terms, minlength=n).astype(np.float64)


def _run(calls: Sequence[Call]) -> float:
    """Make calls; returns how long they took, s."""
    return sum(_seconds(call) for call in calls)


def _seconds(call: Call) -> float:
    began = perf_counter()
    call()
    return perf_counter() - began
