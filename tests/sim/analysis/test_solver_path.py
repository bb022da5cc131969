"""The solver's path: ends with the forces of the state, starts with the warm start, follows each island by itself."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from sim.analysis.solver.steps import EACH, iteration_counts
from sim.analysis.solver_path import solver_path
from sim.script.contact_force import contact_forces

# two islands: a stack that needs many iterations, and a ball that needs few
STACK = """<mujoco><option solver='{solver}' cone='{cone}' iterations='{bound}' noslip_iterations='{noslip}'
  tolerance='1e-10'/>
<worldbody><geom type='plane' size='9 9 .1'/>
  <body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' density='100'/></body>
  <body pos='.02 0 .3'><freejoint/><geom type='box' size='.1 .1 .1' density='900'/></body>
  <body pos='0 .02 .5'><freejoint/><geom type='box' size='.1 .1 .1' density='4000'/></body>
  <body pos='2 0 .1'><freejoint/><geom type='sphere' size='.1'/></body>
</worldbody></mujoco>"""


def stack(solver: str = "CG", cone: str = "elliptic", bound: int = 100, noslip: int = 0) -> tuple[sim.Model, sim.Data]:
    m = sim.loads(STACK.format(solver=solver, cone=cone, bound=bound, noslip=noslip))
    d = sim.Data(m)
    sim.step(m, d, 20)
    # so that the warm start is not yet the answer
    d.qvel[:] += np.random.default_rng(1).normal(size=m.nv) * 0.05
    sim.forward(m, d)
    return m, d


@pytest.mark.parametrize("noslip", [0, 5])
@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
@pytest.mark.parametrize("solver", ["PGS", "CG", "Newton"])
def test_the_path_ends_with_the_forces_of_the_state(solver: str, cone: str, noslip: int) -> None:
    m, d = stack(solver, cone, noslip=noslip)
    before, forces, acc = d.efc_force.copy(), contact_forces(d), d.qacc.copy()
    for contact in (0, d.ncon - 1):
        path = solver_path(m, d, [contact])
        assert path.iterations[0] == 0
        assert path.iterations[-1] == d.solver_niter[d.efc_island[d.contact.efc_address[contact]]]
        assert np.array_equal(path.forces[-1, 0], forces[contact])
        assert path.converged == (path.solver < m.opt.iterations)
        assert (path.iterations[-1] > path.solver) == (noslip > 0)
        # nothing has changed
        assert np.array_equal(d.efc_force, before) and np.array_equal(d.qacc, acc)
        assert (m.opt.iterations, m.opt.noslip_iterations) == (100, noslip)


@pytest.mark.parametrize("solver", ["PGS", "CG", "Newton"])
def test_each_point_is_what_a_run_with_that_bound_gives(solver: str) -> None:
    m, d = stack(solver)
    contact = 0
    path = solver_path(m, d, [contact])
    assert len(path.iterations) > 1
    for count in path.iterations[1:4]:
        bounded = sim.loads(STACK.format(solver=solver, cone="elliptic", bound=count, noslip=0))
        other = sim.Data(bounded)
        other.qpos[:], other.qvel[:], other.qacc_warmstart[:] = d.qpos, d.qvel, d.qacc_warmstart
        sim.forward(bounded, other)
        assert np.array_equal(path.forces[count, 0], contact_forces(other)[contact])
    assert not np.array_equal(path.forces[0], path.forces[-1])


def test_islands_have_paths_of_their_own_length() -> None:
    m, d = stack()
    ball = int(np.flatnonzero((m.geom_bodyid[d.contact.geom] == 4).any(axis=1))[0])
    of_stack, of_ball = solver_path(m, d, [0]), solver_path(m, d, [ball])
    assert of_stack.converged and of_ball.converged
    assert d.nisland == 2
    assert of_ball.iterations[-1] < of_stack.iterations[-1]


def test_contacts_of_one_island_are_followed_together() -> None:
    m, d = stack()
    both = solver_path(m, d, [0, 3])
    for k, contact in enumerate((0, 3)):
        assert np.array_equal(both.forces[:, k], solver_path(m, d, [contact]).forces[:, 0])


def test_a_bound_that_is_too_low_is_not_convergence() -> None:
    m, d = stack(bound=3)
    path = solver_path(m, d, [0])
    assert path.iterations == (0, 1, 2, 3) and not path.converged


def test_a_contact_without_rows_has_no_path() -> None:
    m = sim.loads("""<mujoco><worldbody><geom type='plane' size='9 9 .1'/>
      <body pos='0 0 .15'><freejoint/><geom size='.1' gap='.1'/></body></worldbody></mujoco>""")
    d = sim.Data(m)
    sim.forward(m, d)
    assert d.ncon == 1 and d.nefc == 0
    assert solver_path(m, d, [0]).iterations == ()


def test_the_work_is_bounded() -> None:
    counts = iteration_counts(10_000)
    assert counts[: EACH + 1] == [*range(EACH + 1)] and counts[-1] == 10_000
    assert len(counts) < 60 and counts == sorted(set(counts))
    assert iteration_counts(0) == [0] and iteration_counts(3) == [0, 1, 2, 3]
