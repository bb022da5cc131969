"""The solver's problem in numpy: forces, gradient and Hessian as the engine has them; one contact in closed form."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from sim.analysis.solver.hessian import MOST_DOFS, hessian
from sim.analysis.solver.problem import WHOLE, Problem, blocks_of, problem_of
from sim.analysis.solver.sweep import dual_cost, projected
from sim.enums import CNSTRSTATE_CONE, CNSTRSTATE_QUADRATIC
from tests.sim.analysis.solver.test_walk import prepared

BALL = """<mujoco><option cone='{cone}' solver='{solver}' tolerance='0' gravity='0 0 -10'/><worldbody>
  <geom type='plane' size='9 9 .1' solref='.02 1' solimp='.9 .9 .001' condim='{condim}' friction='.5 .01 .001'/>
  <body pos='0 0 .099'><freejoint/><geom size='.1' mass='2' condim='{condim}' friction='.5 .01 .001'/></body>
</worldbody></mujoco>"""


def problems(m: sim.Model, d: sim.Data) -> list[Problem]:
    return [problem_of(m, d, island) for island in blocks_of(m, d)]


@pytest.mark.parametrize("integrator", ["Euler", "discrete"])
@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
def test_forces_and_states_are_the_engines(cone: str, integrator: str) -> None:
    m, d = prepared("Newton", cone, integrator=integrator)
    for problem in problems(m, d):
        force, state = problem.forces(problem.residual(d.qacc[problem.dofs]))
        assert force == pytest.approx(d.efc_force[problem.rows], rel=1e-8, abs=1e-8)
        assert np.array_equal(state, d.efc_state[problem.rows])
        assert problem.M @ problem.acc_smooth == pytest.approx(problem.smooth, abs=1e-9)
        assert problem.b == pytest.approx(d.efc_b[problem.rows], abs=1e-9)


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
def test_gradient_and_hessian_are_derivatives_of_the_cost(cone: str) -> None:
    m, d = prepared("Newton", cone, condim=6)
    seen: set[int] = set()
    for problem in problems(m, d):
        acc = d.qacc[problem.dofs] + np.random.default_rng(5).normal(size=len(problem.dofs))
        seen |= set(problem.forces(problem.residual(acc))[1].tolist())
        h = 1e-6 * np.eye(len(acc))
        costs = [
            problem.inertial_cost(a) + problem.row_cost(problem.residual(a))
            for a in (acc[:, None] + h, acc[:, None] - h)
        ]
        gradient = problem.gradient(acc)
        assert (costs[0] - costs[1]) / 2e-6 == pytest.approx(gradient, rel=1e-4, abs=1e-4 * np.abs(gradient).max())
        slopes = np.array([(problem.gradient(acc + row) - problem.gradient(acc - row)) / 2e-6 for row in h])
        H = hessian(problem, acc)
        assert slopes == pytest.approx(H, rel=1e-4, abs=1e-6 * np.abs(H).max())
        assert np.linalg.eigvalsh(H).min() > 0
    assert CNSTRSTATE_QUADRATIC in seen and (CNSTRSTATE_CONE in seen) == (cone == "elliptic")


def test_one_contact_in_closed_form() -> None:
    """A ball pressed on a plane: the force that balances gravity, softened by R, is (aref - a₀) / (A + R)."""
    m = sim.loads(BALL.format(cone="elliptic", solver="Newton", condim=1))
    d = sim.Data(m)
    sim.forward(m, d)
    (problem,) = problems(m, d)
    a = 1 / 2
    expected = (float(d.efc_aref[0]) + 10.0) / (a + float(d.efc_R[0]))
    best = problem.acc_smooth + np.array([0, 0, a * expected, 0, 0, 0])
    assert d.efc_force[0] == pytest.approx(expected, rel=1e-9)
    assert np.abs(problem.gradient(best)).max() < 1e-9
    lowest = problem.inertial_cost(best) + problem.row_cost(problem.residual(best))
    assert lowest == pytest.approx(0.5 * expected * (float(d.efc_aref[0]) + 10.0), rel=1e-9)
    # both problems have the same optimum: the costs are opposite
    assert problem.dual_cost(np.array([expected]), best) == pytest.approx(-lowest, rel=1e-9)


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
def test_both_costs_meet_at_the_solution(cone: str) -> None:
    m, d = prepared("Newton", cone)
    for problem in problems(m, d):
        acc, force = d.qacc[problem.dofs], d.efc_force[problem.rows]
        primal = float(problem.inertial_cost(acc) + problem.row_cost(problem.residual(acc)))
        assert problem.dual_cost(force, acc) == pytest.approx(-primal, rel=1e-6)
        assert dual_cost(problem, force) == pytest.approx(-primal, rel=1e-6)


def test_projection_on_bounds_and_cones() -> None:
    m, d = prepared("PGS", "elliptic")
    problem = problem_of(m, d, WHOLE)
    assert projected(problem, d.efc_force) == pytest.approx(d.efc_force, abs=1e-9)
    wild = projected(problem, np.random.default_rng(2).normal(size=d.nefc) * 50)
    assert (wild[problem.one_sided] >= 0).all()
    assert (np.abs(wild[problem.dry]) <= problem.floss[problem.dry]).all()
    for cones in problem.cones:
        force = wild[cones.rows]
        assert (np.linalg.norm(force[:, 1:] / cones.scale[:, 1:], axis=1) <= force[:, 0] + 1e-9).all()


def test_sleeping_dofs_are_in_no_problem() -> None:
    m = sim.loads(
        BALL.format(cone="elliptic", solver="CG", condim=3).replace(
            "gravity='0 0 -10'/>", "gravity='0 0 -10'><flag sleep='enable'/></option>"
        )
    )
    d = sim.Data(m)
    sim.step(m, d, 2000)
    assert d.nv_awake == 0
    sim.forward(m, d)
    assert blocks_of(m, d) == []
    assert len(problem_of(m, d).dofs) == 0


def test_a_large_hessian_is_refused() -> None:
    m, d = prepared("Newton")
    problem = problem_of(m, d)
    object.__setattr__(problem, "dofs", np.arange(MOST_DOFS + 1))
    with pytest.raises(ValueError, match="too large"):
        hessian(problem, d.qacc)
