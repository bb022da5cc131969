"""The pipeline against MuJoCo on every contact scene: contacts, rows, islands, forces, one step."""

import mujoco
import numpy as np
import pytest

import sim
from tests import oracle
from tests.sim.contact_scenes import CURVED, SCENES
from tests.sim.stages.collision.scenes import difference
from tests.sim.stages.constraint import rows
from tests.sim.stages.constraint.test_island import FIELDS as ISLANDS

STEPS = (0, 8, 60, 120)  # states that are compared, counted from the start


@pytest.fixture(autouse=True)
def quiet():
    """MuJoCo warns of a solref that is wrong on purpose."""
    mujoco.set_mju_user_warning(lambda message: None)
    yield
    mujoco.set_mju_user_warning(None)


def states(mj, dj):
    """MuJoCo's data in some reachable states, controls noisy."""
    rng = np.random.default_rng(0)
    dj.qvel[:] = 0.05 * rng.normal(size=mj.nv)
    for k in range(max(STEPS) + 1):
        dj.ctrl[:] = 0.9 * dj.ctrl + 0.1 * rng.normal(size=mj.nu)
        if k in STEPS:
            yield
        mujoco.mj_step(mj, dj)


def compare_stages(mj, dj, m, d, tolerance):
    """Contacts, rows, islands and what the solver makes of them: all that depends on contacts ten times as far off."""
    assert difference(d, dj, tolerance) == ""
    rows.compare(mj, dj, m, d, 10 * tolerance)
    assert (d.nisland, d.nidof) == (dj.nisland, dj.nidof)
    if dj.nisland:
        for name in ISLANDS:
            assert d.read(name).tolist() == oracle.read(dj, name).tolist(), name
    oracle.assert_same(d, dj, ["qfrc_smooth", "qacc_smooth"], 1e-9)
    oracle.assert_same(d, dj, ["qfrc_constraint", "qacc", "efc_force"], 10 * tolerance)


@pytest.mark.parametrize("solver", [0, 1, 2], ids=["pgs", "cg", "newton"])
@pytest.mark.parametrize("name", ["condim3_pyramidal", "condim6_pyramidal", "condim3_elliptic", "condim6_elliptic"])
def test_converged(name, solver):
    """Solvers that go on until nothing is left to gain end where MuJoCo's do."""
    mj = mujoco.MjModel.from_xml_string(SCENES[name])
    dj = mujoco.MjData(mj)
    mj.opt.solver, mj.opt.tolerance, mj.opt.iterations = solver, 1e-14, 2000
    m = oracle.model_of(mj)
    d = sim.Data(m)
    for _ in states(mj, dj):
        oracle.copy_fields(dj, d, oracle.STATE)
        mujoco.mj_forward(mj, dj)
        sim.forward(m, d)
        oracle.assert_same(d, dj, ["qfrc_constraint", "qacc", "efc_force"], 1e-7)


@pytest.mark.parametrize("name", SCENES)
def test_as_mujoco(name):
    mj = mujoco.MjModel.from_xml_string(SCENES[name])
    dj = mujoco.MjData(mj)
    m = oracle.model_of(mj)
    d = sim.Data(m)
    tolerance = 3e-5 if name in CURVED else 1e-9
    found = 0
    for _ in states(mj, dj):
        oracle.copy_fields(dj, d, oracle.STATE)
        mujoco.mj_forward(mj, dj)
        sim.forward(m, d)
        found += d.nefc
        compare_stages(mj, dj, m, d, tolerance)
        ahead = mujoco.MjData(mj)
        mujoco.mj_copyData(ahead, mj, dj)
        mujoco.mj_step(mj, ahead)
        sim.step(m, d)
        oracle.assert_same(d, ahead, ["qpos", "qvel", "act", "qacc_warmstart"], 10 * tolerance)
    assert found > 0
