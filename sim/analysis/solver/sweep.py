"""Momentum of projected Gauss-Seidel: where each sweep begins, from the forces after the sweeps before.

Between sweeps the forces are extrapolated by (k - 1) / (k + 2) of their last change and projected on their bounds; k is
reset when a sweep opposes the momentum. See sim/stages/solver/pgs.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sim.analysis.solver.problem import Array, Problem


def extrapolations(problem: Problem, force: Array, made: Sequence[int], solver: int) -> tuple[Array, Array]:
    """(momentum, dual cost where the sweep begins) of each place; NaN where the sweeps before are not all known."""
    momentum, starts = np.full(len(made), np.nan), np.full(len(made), np.nan)
    k, old = 0, force[0]
    for at in range(1, len(made)):
        if made[at] > solver or made[at] != at:
            break
        part = (k - 1) / (k + 2) if k > 1 else 0.0
        start = projected(problem, force[at - 1] + part * (force[at - 1] - old)) if part else force[at - 1]
        momentum[at], starts[at] = part, dual_cost(problem, start)
        # after an extrapolation, or none, the last change counts from here
        old = force[at - 1]
        opposes = at > 1 and float((force[at] - start) @ (start - old)) < 0.0
        k = 0 if opposes else k + 1
    return momentum, starts


def dual_cost(problem: Problem, force: Array, regularized: bool = True) -> float:
    """½ fᵀ (A + R) f + bᵀ f of forces whose acceleration is not known."""
    from scipy.sparse.linalg import spsolve

    push = problem.J.T @ force
    moved = spsolve(problem.factored.tocsc(), push)
    return problem.dual_cost(force, problem.acc_smooth + moved, regularized)


def projected(problem: Problem, force: Array) -> Array:
    """Forces within their bounds and cones."""
    found = force.copy()
    found[problem.dry] = np.clip(force, -problem.floss, problem.floss)[problem.dry]
    found[problem.one_sided] = np.maximum(force, 0.0)[problem.one_sided]
    for cones in problem.cones:
        of_cone = found[cones.rows]
        normal = np.maximum(of_cone[:, 0], 0.0)
        size = np.sqrt(((of_cone[:, 1:] / cones.scale[:, 1:]) ** 2).sum(axis=1))
        of_cone[:, 1:] *= np.where(size > normal, normal / np.maximum(size, 1e-300), 1.0)[:, None]
        of_cone[:, 0] = normal
        found[cones.rows] = of_cone
    return found
