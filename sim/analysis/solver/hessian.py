"""The Hessian of the primal cost, dense: M + Jᵀ D J over the quadratic rows, and Jᵀ H_c J of cones in their middle."""

from __future__ import annotations

import numpy as np

from sim.analysis.solver.problem import Array, Cones, Ints, Problem, cone_slope
from sim.enums import CNSTRSTATE_CONE, CNSTRSTATE_QUADRATIC

# dofs of the largest island whose Hessian is made
MOST_DOFS = 1500


def hessian(problem: Problem, acc: Array) -> Array:
    """At an acceleration; ValueError for an island with too many dofs."""
    if len(problem.dofs) > MOST_DOFS:
        raise ValueError(f"an island with more than {MOST_DOFS} dofs: its Hessian is too large to show")
    x = problem.residual(acc)
    state = problem.forces(x)[1]
    weights = np.where(state == CNSTRSTATE_QUADRATIC, problem.D, 0.0)
    active = problem.J[np.flatnonzero(weights)]
    found = problem.M.toarray() + (active.T @ active.multiply(weights[weights != 0.0][:, None])).toarray()
    for cones in problem.cones:
        for k in np.flatnonzero(state[cones.rows[:, 0]] == CNSTRSTATE_CONE).tolist():
            rows = problem.J[cones.rows[k]].toarray()
            used = np.flatnonzero(rows.any(axis=0))
            found[np.ix_(used, used)] += rows[:, used].T @ cone_hessian(cones, k, x, problem.D) @ rows[:, used]
    return np.asarray(found)


def cone_hessian(cones: Cones, k: int, x: Array, D: Array) -> Array:
    """Second derivatives of ½ Dm (N - μT)² of one contact by its rows."""
    which: Ints = np.array([k])
    slope, scale, mu = cone_slope(cones, which, x)[0], cones.scale[k], float(cones.mu[k])
    u = x[cones.rows[k]] * scale
    tangent = float(np.linalg.norm(u[1:]))
    depth, across = u[0] - mu * tangent, u[1:] / tangent
    bend = np.zeros((len(u), len(u)))
    bend[1:, 1:] = -mu / tangent * (np.eye(len(across)) - np.outer(across, across))
    stiffness = float(cones.stiffness(D)[k])
    found: Array = stiffness * (np.outer(slope, slope) + depth * bend) * np.outer(scale, scale)
    return found


def newton_step(problem: Problem, acc: Array) -> Array:
    """-H⁻¹ gradient: where Newton's method searches."""
    return np.asarray(np.linalg.solve(hessian(problem, acc), -problem.gradient(acc)))
