"""Islands and their solution against MuJoCo."""

import mujoco
import numpy as np
import pytest

from sim.stages.constraint.island import island
from tests import oracle
from tests.sim.stages.solver import rows
from tests.sim.stages.solver.test_solve import CONES, JACOBIANS, NEWTON, SOLVERS, moving, table

FIELDS = [
    "tree_island",
    "map_itree2tree",
    "dof_island",
    "map_dof2idof",
    "map_idof2dof",
    "efc_island",
    "map_efc2iefc",
    "map_iefc2efc",
    *(f"island_{n}" for n in ("ntree", "itreeadr", "nv", "idofadr", "dofadr", "ne", "nf", "nefc", "iefcadr")),
]

# bodies held together by an equality of joints, a tendon between trees, a weld of sites, one that is free
LINKED = """
<mujoco>
  <default><geom contype="0" conaffinity="0"/><joint type="slide" axis="0 0 1"/></default>
  <worldbody>
    <site name="fixed"/>
    <body><joint name="a"/><geom size=".1"/></body>
    <body><joint name="b"/><geom size=".1"/></body>
    <body><joint name="c"/><geom size=".1"/></body>
    <body><joint name="d"/><geom size=".1"/></body>
    <body name="e"><freejoint/><geom size=".1"/><site name="e" pos="0 0 .1"/></body>
    <body name="f"><freejoint/><geom size=".1"/><site name="f" pos="0 0 .2"/></body>
    <body name="g"><freejoint/><geom size=".1"/></body>
    <body name="h"><joint frictionloss=".1"/><geom size=".1"/></body>
    <body name="i"><joint range="1 2" limited="true"/><geom size=".1"/></body>
  </worldbody>
  <equality>
    <joint joint1="d" joint2="a"/>
    <weld site1="e" site2="f"/>
    <connect site1="fixed" site2="f"/>
  </equality>
  <tendon>
    <fixed frictionloss=".1"><joint joint="b" coef="1"/><joint joint="c" coef="2"/></fixed>
  </tendon>
</mujoco>
"""


@pytest.mark.parametrize(("scene", "steps"), [("zoo", 0), ("zoo", 300), ("pile12", 0), ("pile75", 300), (LINKED, 3)])
@table(JACOBIANS)
def test_islands(scene, steps, jacobian):
    _, dj, m, d = moving(scene, steps, islands=True, jacobian=jacobian)
    d.grow("nisland", m.ntree)
    d.nisland = m.ntree
    for name in FIELDS:
        d.read(name)[...] = -7
    island(m, d)
    assert (d.nisland, d.nidof) == (dj.nisland, dj.nidof)
    assert dj.nisland > 1
    for name in FIELDS:
        assert d.read(name).tolist() == oracle.read(dj, name).tolist(), name


@pytest.mark.parametrize(("scene", "steps"), [("zoo", 300), ("pile12", 0), ("pile75", 300), (LINKED, 3)])
@pytest.mark.parametrize("slip", [0, 5], ids=["", "noslip"])
@table(JACOBIANS)
@table(CONES)
@table(SOLVERS)
def test_solution_by_islands(solver, cone, jacobian, slip, scene, steps):
    options = {"solver": solver, "cone": cone, "jacobian": jacobian, "noslip_iterations": slip, "islands": True}
    _, dj, m, d = moving(scene, steps, **options)
    d.grow("nisland", m.ntree)
    island(m, d)
    rows.solve(m, d)
    oracle.assert_same(d, dj, rows.RESULTS, 1e-8)
    difference = np.abs(d.solver_niter[: d.nisland] - dj.solver_niter[: dj.nisland])
    assert difference.max() <= (0 if solver == NEWTON else 1)


def test_one_island_of_everything():
    """A single island has its own unit of cost, which decides when it is done."""
    _, dj, m, d = moving(rows.pile(1), 300, islands=True)
    island(m, d)
    assert (d.nisland, d.nidof) == (1, m.nv)
    rows.solve(m, d)
    oracle.assert_same(d, dj, rows.RESULTS, 1e-8)
    assert d.solver_niter[0] == dj.solver_niter[0]
    n = d.solver_niter[0]
    assert np.allclose(d.solver.gradient[: n - 1], dj.solver.gradient[: n - 1], rtol=1e-5)


def test_asks_for_room():
    bodies = "".join(f'<body pos="{i} 0 0"><joint frictionloss="1"/><geom size=".1"/></body>' for i in range(100))
    mj, dj = rows.settle(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>", 1, islands=True)
    m, d = rows.engines(mj, dj)
    island(m, d)
    assert d.nisland == 0
    assert d.required.nisland == dj.nisland == 100
    assert d.grow_required()
    island(m, d)
    rows.solve(m, d)
    oracle.assert_same(d, dj, rows.RESULTS, 1e-8)


def test_switched_off():
    flag = int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
    _, _, m, d = moving("zoo", 300, disableflags=flag)
    d.nisland = 3
    island(m, d)
    assert d.nisland == 0
