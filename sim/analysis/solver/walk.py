"""The iterations of the solver on one island, each with cost, gradient, step, active set, and what the solver tells.

Costs and gradients are computed from accelerations and forces with the formulas of problem.py; only the numbers of
evaluations and of rank-one updates are the solver's own. Improvements of PGS count from where momentum has moved the
forces: a sweep begins there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sim.analysis.solver.hessian import newton_step
from sim.analysis.solver.problem import WHOLE, Array, Ints, Problem, problem_of
from sim.analysis.solver.steps import Steps
from sim.analysis.solver.sweep import dual_cost, extrapolations
from sim.enums import CNSTRSTATE_SATISFIED, MINVAL, NISLAND, NSOLVER, SOL_NEWTON, SOL_PGS

if TYPE_CHECKING:
    from sim.model import Data, Model

# dofs of the largest island whose Newton steps are computed again, to tell how much of each was taken
MOST_NEWTON = 300
# points of the cost along a line, from a bit behind its start to some multiple of the step
LINE_POINTS, BEHIND, BEYOND = 61, -0.25, 2.0
# of so many numbers the points of a line are computed together
TOGETHER = 1_000_000


@dataclass(frozen=True, eq=False)
class Line:
    """The cost along the search direction of an iteration, as multiples of the step that was taken; scaled."""

    at: Array
    cost: Array


@dataclass(frozen=True, eq=False)
class Walk:
    """After each of n numbers of iterations, 0 is the warm start; those above `solver` are sweeps of noslip.

    Costs, gradients and improvements are scaled like opt.tolerance, by 1 / trace M. What no iteration led to is NaN.
    """

    problem: Problem
    method: int
    tolerance: float
    bound: int
    solver: int
    iterations: tuple[int, ...]
    acc: Array
    force: Array
    state: NDArray[np.int8]
    inertial: Array
    rows_cost: Array
    # of forces: what PGS and noslip make smaller; NaN for the others
    dual: Array
    gradient: Array
    improvement: Array
    slope: Array
    # length of the step, and that as a part of the Newton step; momentum of PGS
    length: Array
    alpha: Array
    momentum: Array
    # the solver's own of the last iteration before each place, -1 where it did not tell
    told: Array
    neval: Ints
    nupdate: Ints
    lines: dict[int, Line] = field(default_factory=dict)

    @cached_property
    def cost(self) -> Array:
        """Inertia and rows together."""
        return self.inertial + self.rows_cost

    @cached_property
    def nactive(self) -> Ints:
        """Rows that are not satisfied."""
        return np.asarray((self.state != CNSTRSTATE_SATISFIED).sum(axis=1))

    @cached_property
    def changed(self) -> NDArray[np.bool_]:
        """Rows whose state is another than one place before."""
        return np.concatenate([np.zeros((1, self.state.shape[1]), bool), self.state[1:] != self.state[:-1]])

    @cached_property
    def nchange(self) -> Ints:
        """How many these are."""
        return np.asarray(self.changed.sum(axis=1))

    @cached_property
    def states(self) -> frozenset[int]:
        """All states that a row has in some iteration."""
        return frozenset(np.unique(self.state).tolist())

    @property
    def converged(self) -> bool:
        """Whether the solver ended before its bound."""
        return self.solver < self.bound

    @property
    def ending(self) -> str:
        """Why the solver stopped."""
        last = self.iterations.index(self.solver) if self.solver in self.iterations else len(self.iterations) - 1
        if not self.converged:
            return "it used all of its iterations"
        if last == 0:
            return "the warm start is the solution"
        if self.method != SOL_PGS and self.gradient[last] < self.tolerance:
            return "the gradient is below the tolerance"
        if self.told[last] != -1 and self.told[last] < self.tolerance:
            return "the improvement is below the tolerance"
        if self.method == SOL_NEWTON:
            return "a further step would improve less than the tolerance"
        return "the next step would bring no significant improvement"


def solver_walk(m: Model, d: Data, steps: Steps, island: int = WHOLE) -> Walk:
    """The iterations of an island, after `solver_steps`; `island` is one of `blocks_of`."""
    problem, method = problem_of(m, d, island), int(m.opt.solver)
    at, made, solver = steps.path(d, island)
    places = np.array(at)
    acc, force = steps.acc[np.ix_(places, problem.dofs)], steps.force[np.ix_(places, problem.rows)]
    state, unknown = steps.state[np.ix_(places, problem.rows)], np.full(len(made), np.nan)
    gradients = np.array([problem.gradient(a) for a in acc])
    inertial, rows_cost = problem.inertial_cost(acc.T), problem.row_cost(problem.residual(acc.T))
    momentum, starts = unknown, unknown
    if method == SOL_PGS:
        momentum, starts = extrapolations(problem, force, made, solver)
    dual = _dual_costs(problem, acc, force, made, solver if method != SOL_PGS else -1, solver)
    moved = np.diff(acc, axis=0, prepend=acc[:1])
    length = np.linalg.norm(moved, axis=1)
    along = np.abs((moved * gradients).sum(axis=1)) / np.maximum(length, MINVAL)
    primal = np.array([0 < n <= solver and method != SOL_PGS for n in made])
    walk = Walk(
        problem=problem,
        method=method,
        tolerance=float(m.opt.tolerance),
        bound=steps.bound,
        solver=solver,
        iterations=tuple(made),
        acc=acc,
        force=force,
        state=state,
        inertial=problem.scale * inertial,
        rows_cost=problem.scale * rows_cost,
        dual=problem.scale * dual,
        gradient=problem.scale * np.linalg.norm(gradients, axis=1),
        improvement=problem.scale * _improvements(problem, force, inertial + rows_cost, dual, starts, made, solver),
        slope=np.where(primal, problem.scale * along, np.nan),
        length=np.where(primal, length, np.nan),
        alpha=_newton_parts(problem, acc, moved, made, solver) if method == SOL_NEWTON else unknown,
        momentum=momentum,
        told=_told(steps, "improvement", island, made),
        neval=_told(steps, "neval", island, made).astype(np.int64),
        nupdate=_told(steps, "nupdate", island, made).astype(np.int64),
    )
    walk.lines.update({k: _line(problem, acc[k - 1], moved[k]) for k in np.flatnonzero(primal).tolist() if length[k]})
    return walk


def _dual_costs(problem: Problem, acc: Array, force: Array, made: list[int], after: int, solver: int) -> Array:
    """The cost that the dual solvers lower, after so many iterations; noslip, after the solver, drops R."""
    costs = np.full(len(made), np.nan)
    for k in np.flatnonzero(np.array(made) > after).tolist():
        regularized = made[k] <= solver
        if problem.factored is problem.M:
            costs[k] = problem.dual_cost(force[k], acc[k], regularized)
        else:
            # the acceleration is that in the whole metric
            costs[k] = dual_cost(problem, force[k], regularized)
    return costs


def _improvements(
    problem: Problem, force: Array, cost: Array, dual: Array, starts: Array, made: list[int], solver: int
) -> Array:
    """What each place has gained since the one before; of a sweep of PGS, since momentum was added."""
    found = np.full(len(made), np.nan)
    for k in range(1, len(made)):
        if made[k] > solver:
            # noslip begins by dropping the regularization
            before = dual[k - 1] if made[k - 1] > solver else dual_cost(problem, force[k - 1])
            found[k] = before - dual[k]
        elif np.isnan(dual[k]):
            found[k] = cost[k - 1] - cost[k]
        else:
            found[k] = (dual[k - 1] if np.isnan(starts[k]) else starts[k]) - dual[k]
    return found


def _newton_parts(problem: Problem, acc: Array, moved: Array, made: list[int], solver: int) -> Array:
    """How much of each Newton step was taken, where the iteration before is known."""
    found = np.full(len(made), np.nan)
    if len(problem.dofs) > MOST_NEWTON:
        return found
    for k in range(1, len(made)):
        if made[k] <= solver and made[k] == made[k - 1] + 1 and np.isfinite(acc[k - 1]).all():
            step = newton_step(problem, acc[k - 1])
            found[k] = float(moved[k] @ step) / max(float(step @ step), MINVAL)
    return found


def _told(steps: Steps, name: str, island: int, made: list[int]) -> Array:
    """A number that the solver tells of its iterations."""
    at, found = max(island, 0), np.full(len(made), -1.0)
    for k, n in enumerate(made):
        if at < NISLAND and 0 < n <= NSOLVER:
            found[k] = steps.statistics[name][at, n - 1]
    return found


def _line(problem: Problem, start: Array, step: Array) -> Line:
    """The cost along a step, less that at its start."""
    at = np.linspace(BEHIND, BEYOND, LINE_POINTS)
    x, along = problem.residual(start), problem.J @ step
    parts = max(1, -(-len(x) * LINE_POINTS // TOGETHER))
    costs = [problem.row_cost(x[:, None] + np.outer(along, part)) for part in np.array_split(at, parts)]
    # the quadratic part by its coefficients
    slope, curve = float(step @ (problem.M @ start - problem.smooth)), float(step @ (problem.M @ step))
    cost = np.concatenate(costs) - problem.row_cost(x) + at * (slope + 0.5 * at * curve)
    return Line(at, problem.scale * cost)
