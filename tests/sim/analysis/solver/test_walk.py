"""The stepper's iterations equal the solver's own statistics: costs, gradients, line searches and active sets."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from sim.analysis.solver.hessian import newton_step
from sim.analysis.solver.problem import blocks_of
from sim.analysis.solver.steps import solver_steps
from sim.analysis.solver.walk import Walk, solver_walk
from sim.enums import NISLAND, NSOLVER, SOL_NEWTON, SOL_PGS

# contacts, limits, dry friction of a joint and a tendon, equalities of several kinds; two islands
XML = """<mujoco><option solver='{solver}' cone='{cone}' integrator='{integrator}' jacobian='{jacobian}'
   noslip_iterations='{noslip}' tolerance='1e-12' iterations='20' impratio='2'><flag island='{island}'/></option>
<worldbody><geom type='plane' size='9 9 .1' friction='.8 .02 .001'/>
  <body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' density='300'/></body>
  <body pos='.02 0 .29'><freejoint/><geom type='box' size='.1 .1 .1' density='900' condim='{condim}'/></body>
  <body name='arm' pos='2 0 .5'><joint name='a' axis='0 1 0' limited='true' range='-5 5' frictionloss='.3'
      damping='.1'/>
    <geom type='capsule' fromto='0 0 0 .4 0 0' size='.04'/>
    <body name='hand' pos='.4 0 0'><joint name='b' axis='0 1 0' frictionloss='.1' stiffness='2'/>
      <geom type='capsule' fromto='0 0 0 .3 0 -.3' size='.04' condim='1'/></body></body>
  <body name='slider' pos='2 1 .5'><joint name='c' type='slide' axis='1 0 0'/><geom size='.05'/></body>
</worldbody>
<tendon><fixed name='t' frictionloss='.2' damping='.3' stiffness='1'>
  <joint joint='a' coef='1'/><joint joint='b' coef='-.5'/></fixed></tendon>
<equality><joint joint1='c' joint2='b' polycoef='0 .4 0 0 0'/></equality>
</mujoco>"""


def prepared(solver: str, cone: str = "elliptic", **more: object) -> tuple[sim.Model, sim.Data]:
    """A state that the warm start does not solve."""
    parts = {"integrator": "Euler", "jacobian": "dense", "noslip": 0, "island": "enable", "condim": 3} | more
    m = sim.loads(XML.format(solver=solver, cone=cone, **parts))
    d = sim.Data(m)
    d.qpos[m.jnt_qposadr[2]] = 0.3
    sim.step(m, d, 12)
    d.qvel[:] += np.random.default_rng(3).normal(size=m.nv) * 0.3
    d.qvel[m.jnt_dofadr[2]] = 4.0
    sim.forward(m, d)
    return m, d


def walks(m: sim.Model, d: sim.Data) -> list[Walk]:
    steps = solver_steps(m, d)
    return [solver_walk(m, d, steps, island) for island in blocks_of(m, d)]


def check(m: sim.Model, d: sim.Data) -> int:
    """Compare with d.solver; returns the number of iterations."""
    compared = 0
    for walk in walks(m, d):
        stat = max(walk.problem.island, 0)
        assert walk.iterations == tuple(range(d.solver_niter[stat] + 1))
        told = {name: np.asarray(getattr(d.solver, name)).reshape(NISLAND, -1)[stat] for name in STATISTICS}
        size = np.abs(np.concatenate([walk.cost, walk.dual[np.isfinite(walk.dual)]])).max()
        for k in range(1, len(walk.iterations)):
            assert walk.improvement[k] == pytest.approx(told["improvement"][k - 1], rel=1e-6, abs=1e-13 * size)
            assert walk.nactive[k] == told["nactive"][k - 1]
            if k != walk.solver + 1:
                assert walk.nchange[k] == told["nchange"][k - 1]
            assert walk.neval[k] == told["neval"][k - 1]
            if walk.method == SOL_PGS or k > walk.solver:
                assert told["gradient"][k - 1] == told["lineslope"][k - 1] == 0.0
            else:
                noise = 1e-11 * walk.problem.scale * np.abs(walk.problem.smooth).max()
                assert walk.gradient[k] == pytest.approx(told["gradient"][k - 1], rel=1e-6, abs=noise)
                assert walk.slope[k] == pytest.approx(told["lineslope"][k - 1], rel=1e-4, abs=noise)
            compared += 1
    return compared


STATISTICS = ("improvement", "gradient", "lineslope", "nactive", "nchange", "neval")


@pytest.mark.parametrize("island", ["enable", "disable"])
@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
@pytest.mark.parametrize("solver", ["PGS", "CG", "Newton"])
def test_iterations_equal_the_statistics_of_the_solver(solver: str, cone: str, island: str) -> None:
    m, d = prepared(solver, cone, island=island)
    assert (d.ne, d.nf, d.nl) == (1, 3, 1) and (d.nisland == 0) == (island == "disable")
    assert len(blocks_of(m, d)) == (1 if island == "disable" else d.nisland)
    assert check(m, d) > (3 if solver == "Newton" else 15)


@pytest.mark.parametrize("solver", ["PGS", "CG", "Newton"])
@pytest.mark.parametrize(
    "more",
    [
        {"noslip": 4},
        {"noslip": 4, "cone": "pyramidal"},
        {"integrator": "discrete"},
        {"integrator": "discrete", "cone": "pyramidal", "island": "disable"},
        {"integrator": "discrete", "noslip": 4},
        {"integrator": "discrete", "noslip": 4, "cone": "pyramidal", "island": "disable"},
        {"jacobian": "sparse"},
        {"condim": 6},
        {"condim": 4, "cone": "pyramidal"},
    ],
    ids=str,
)
def test_so_they_do_with_other_options(solver: str, more: dict[str, object]) -> None:
    m, d = prepared(solver, **{"cone": "elliptic"} | more)  # type: ignore[arg-type]
    assert check(m, d) > 3
    if "noslip" in more:
        assert all(walk.iterations[-1] > walk.solver for walk in walks(m, d))


@pytest.mark.parametrize("solver", ["Newton", "CG"])
def test_terms_that_couple_dofs_are_in_their_island(solver: str) -> None:
    m, d = prepared(solver, integrator="discrete")
    assert d.metric.ncouple == 1 and d.nisland > 1
    coupled = [walk.problem.M is not walk.problem.factored for walk in walks(m, d)]
    assert len(coupled) == d.nisland and sum(coupled) == 1


def test_the_state_is_as_it_was() -> None:
    m, d = prepared("CG", noslip=3)
    before = {name: np.array(getattr(d, name)) for name in ("qacc", "efc_force", "efc_state", "solver_niter")}
    walks(m, d)
    assert all(np.array_equal(getattr(d, name), value) for name, value in before.items())
    assert (m.opt.iterations, m.opt.noslip_iterations) == (20, 3)


def test_walks_end_with_the_forces_of_the_state() -> None:
    m, d = prepared("CG")
    for walk in walks(m, d):
        assert np.array_equal(walk.force[-1], d.efc_force[walk.problem.rows])
        assert np.array_equal(walk.acc[-1], d.qacc[walk.problem.dofs])
        assert np.array_equal(walk.state[-1], d.efc_state[walk.problem.rows])


def test_changed_rows_are_those_of_another_state() -> None:
    m, d = prepared("Newton")
    for walk in walks(m, d):
        assert walk.changed.sum(axis=1).tolist() == walk.nchange.tolist()
        assert not walk.changed[0].any()


def test_parts_of_newton_steps_and_the_line_through_them() -> None:
    m, d = prepared("Newton")
    for walk in walks(m, d):
        for k in range(1, len(walk.iterations)):
            step = newton_step(walk.problem, walk.acc[k - 1])
            # the search goes along the Newton step, so far
            assert walk.acc[k] - walk.acc[k - 1] == pytest.approx(walk.alpha[k] * step, rel=1e-5, abs=1e-7)
            line = walk.lines[k]
            there = np.interp(1.0, line.at, line.cost)
            assert there == pytest.approx(-walk.improvement[k], rel=1e-3, abs=1e-12)
            # an exact search ends at the lowest point
            assert there <= line.cost.min() + 1e-3 * abs(line.cost.min()) + 1e-15
        # the last steps are whole ones
        assert walk.alpha[-1] == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize("solver", ["CG", "PGS"])
def test_other_solvers_have_no_newton_steps(solver: str) -> None:
    m, d = prepared(solver)
    for walk in walks(m, d):
        assert np.isnan(walk.alpha).all()
        assert bool(walk.lines) == (solver == "CG")
        # momentum from the third sweep on
        assert np.isfinite(walk.momentum[1:]).all() == (solver == "PGS")
        if solver == "PGS":
            assert (
                walk.momentum[1] == walk.momentum[2] == 0.0
                and walk.momentum.max(initial=0.0, where=~np.isnan(walk.momentum)) > 0
            )


def test_why_it_stopped() -> None:
    m, d = prepared("Newton")
    assert all("tolerance" in walk.ending and walk.converged for walk in walks(m, d))
    m.opt.iterations = 1
    assert any("all of its iterations" in walk.ending and not walk.converged for walk in walks(m, d))
    m.opt.iterations = 100
    sim.forward(m, d)
    m.opt.tolerance = 1e-6
    d.qacc_warmstart[:] = d.qacc
    assert all("warm start" in walk.ending for walk in walks(m, d))


def test_many_iterations_are_thinned() -> None:
    m, d = prepared("CG")
    m.opt.iterations, m.opt.tolerance = 190, 0.0
    sim.forward(m, d)
    longest = max(walks(m, d), key=lambda walk: walk.solver)
    assert longest.solver > 40 and longest.iterations[-1] == longest.solver
    assert len(longest.iterations) < 40
    # the last improvement is that of several iterations: the solver's own says why it stopped
    island = max(longest.problem.island, 0)
    assert longest.told[-1] == d.solver.improvement[island * NSOLVER + longest.solver - 1] and longest.told[0] == -1
    # what is left out is in the next improvement
    assert np.nansum(longest.improvement) == pytest.approx(longest.cost[0] - longest.cost[-1])


def test_what_diverged_is_told_and_not_hidden() -> None:
    m, d = prepared("Newton")
    d.qacc_warmstart[:] = np.nan
    sim.forward(m, d)
    for walk in walks(m, d):
        assert walk.method == SOL_NEWTON and np.isnan(walk.cost).all()
