"""island_costs.py: rows, dofs and contacts sum to all of them; each island alone ends where the whole solve does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sim
import sim.analysis.trees.island_costs as island_costs_module
from sim.analysis.trees.island_costs import island_costs, islands
from sim.callback import user_control
from sim.enums import NISLAND, NSOLVER


def stacks(count: int, options: str = "", flags: str = "") -> tuple[sim.Model, sim.Data]:
    """Stacks of one box, two, three, one, ..., and a ball in the air; some steps after the start."""
    bodies = "".join(
        f"<body pos='{k} {0.02 * j} {0.1 + 0.199 * j}'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
        for k in range(count)
        for j in range(1 + k % 3)
    )
    m = sim.loads(
        f"<mujoco><option {options}><flag {flags}/></option><worldbody><geom type='plane' size='99 9 .1'/>{bodies}"
        "<body pos='0 5 9'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    d = sim.Data(m)
    sim.step(m, d, 5)
    sim.forward(m, d)
    return m, d


@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
def test_counts_sum_to_those_of_the_state(solver: str) -> None:
    m, d = stacks(9, f"solver='{solver}'")
    found = islands(m, d)
    costs = island_costs(m, d, found)
    assert len(found) == d.nisland == 9
    assert found.rows.sum() == d.nefc
    assert found.contacts.sum() == d.ncon
    assert found.dofs.tolist() == [6, 12, 18] * 3
    assert found.trees.tolist() == [1, 2, 3] * 3
    # the ball in the air is in none
    assert found.of_tree[-1] == -1 and found.of_tree[:-1].min() == 0
    assert [found.of_tree[tree] for tree in found.first.tolist()] == [*range(9)]
    assert costs.iterations.tolist() == d.solver_niter[:9].tolist() == found.iterations.tolist()


def test_time_is_that_of_the_calls_less_what_python_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    def seconds(call: Any) -> float:
        call()
        return 1e-6 if call.func is user_control else 5e-6

    monkeypatch.setattr(island_costs_module, "_seconds", seconds)
    m, d = stacks(3)
    # gathered, solved, written back
    assert island_costs(m, d, islands(m, d)).seconds == pytest.approx([12e-6] * 3)


@pytest.mark.parametrize("solver", ["Newton", "CG"])
def test_residual_is_the_gradient_of_the_last_iteration(solver: str) -> None:
    m, d = stacks(9, f"solver='{solver}' iterations='3' tolerance='0'")
    found = islands(m, d)
    costs = island_costs(m, d, found)
    last = [d.solver.gradient[i * NSOLVER + int(d.solver_niter[i]) - 1] for i in range(9)]
    assert costs.residual.tolist() == pytest.approx(last, rel=1e-9, abs=1e-18)
    assert max(last) > 0


def test_residual_of_pgs_falls_to_nothing() -> None:
    found = []
    for iterations in (1, 10, 2000):
        m, d = stacks(6, f"solver='PGS' iterations='{iterations}' tolerance='0'")
        found.append(island_costs(m, d, islands(m, d)).residual.max())
    assert found[0] > found[1] > found[2]
    assert found[2] < 1e-9 * found[0]


def test_residual_of_pgs_is_the_gradient_of_the_primal_problem() -> None:
    # few iterations of PGS, and a Newton that starts there and makes none
    m, d = stacks(6, "solver='PGS' iterations='4' tolerance='0'")
    residual = island_costs(m, d, islands(m, d)).residual
    there = np.array(d.qacc)
    m.opt.solver, m.opt.iterations = 2, 0
    d.qacc_warmstart[:] = there
    sim.forward(m, d)
    assert island_costs(m, d, islands(m, d)).residual == pytest.approx(residual, rel=1e-6)


@pytest.mark.parametrize("options", ["", "noslip_iterations='5'", "solver='PGS'", "jacobian='sparse'"])
def test_the_state_is_as_before(options: str) -> None:
    m, d = stacks(7, options)
    before = {name: np.array(d.read(name)) for name in ("qacc", "efc_force", "qfrc_constraint", "solver_niter")}
    island_costs(m, d, islands(m, d))
    for name, values in before.items():
        assert np.array_equal(d.read(name), values), name


def test_more_islands_than_the_engine_has_statistics_for() -> None:
    m, d = stacks(NISLAND + 7, "solver='CG'")
    found = islands(m, d)
    costs = island_costs(m, d, found, rounds=1)
    assert found.iterations[NISLAND:].tolist() == [-1] * 7
    assert (costs.iterations > 0).all()
    # equal stacks need equal work
    assert costs.iterations[NISLAND + 1] == costs.iterations[NISLAND + 4]


def test_without_islands_there_is_one_block() -> None:
    m, d = stacks(5, "solver='CG'", "island='disable'")
    found = islands(m, d)
    costs = island_costs(m, d, found)
    assert not found.split and found.rows.tolist() == [d.nefc] and found.trees.tolist() == [m.ntree]
    assert costs.iterations.tolist() == [d.solver_niter[0]]
    assert costs.residual[0] == pytest.approx(d.solver.gradient[int(d.solver_niter[0]) - 1], rel=1e-9)


def test_trees_that_the_discrete_integrator_couples_are_one_block() -> None:
    m = sim.loads(
        """<mujoco><option integrator='discrete' solver='CG'/><worldbody><geom type='plane' size='9 9 .1'/>
        <body pos='0 0 .099'><freejoint/><geom type='box' size='.1 .1 .1'/><site name='a'/></body>
        <body pos='1 0 .099'><freejoint/><geom type='box' size='.1 .1 .1'/><site name='b'/></body></worldbody>
        <tendon><spatial stiffness='50' springlength='.5'><site site='a'/><site site='b'/></spatial></tendon>
        </mujoco>"""
    )
    d = sim.Data(m)
    sim.step(m, d, 3)
    sim.forward(m, d)
    assert d.nisland and d.metric.ncouple
    before = np.array(d.qacc)
    found = islands(m, d)
    costs = island_costs(m, d, found)
    assert not found.split and found.rows.tolist() == [d.nefc]
    assert costs.iterations.tolist() == [d.solver_niter[0]] and np.array_equal(d.qacc, before)


@pytest.mark.parametrize("solver", ["Newton", "PGS"])
def test_iterations_of_noslip_count(solver: str) -> None:
    m, d = stacks(6, f"solver='{solver}' noslip_iterations='4' noslip_tolerance='0'")
    costs = island_costs(m, d, islands(m, d))
    assert costs.iterations.tolist() == d.solver_niter[:6].tolist()
    m.opt.noslip_iterations = 0
    sim.forward(m, d)
    assert (costs.iterations > d.solver_niter[:6]).all()


def test_nothing_that_is_constrained() -> None:
    m = sim.loads("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    d = sim.Data(m)
    sim.forward(m, d)
    found = islands(m, d)
    assert not len(found) and found.of_tree.tolist() == [-1]
    assert not len(island_costs(m, d, found).seconds)


def test_sleeping_trees_are_in_none() -> None:
    m, d = stacks(4, "", "sleep='enable'")
    sim.put_to_sleep(m, d, 0)
    sim.forward(m, d)
    found = islands(m, d)
    assert found.of_tree[0] == -1 and found.rows.sum() == d.nefc and len(found) == 3


def test_a_state_of_nan_has_an_answer() -> None:
    m, d = stacks(3)
    d.qfrc_smooth[:] = np.nan
    costs = island_costs(m, d, islands(m, d), rounds=1)
    assert np.isnan(costs.residual).all()
