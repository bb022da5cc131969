"""Damping and inertia that actuators add to joints, against MuJoCo. Those of tendons: see test_tendon.py."""

import mujoco
import numpy as np
import pytest

import sim
from sim.mjcf.set_const.set_const import set_inertia_constants
from sim.pipeline.integrate import any_damping
from sim.stages.smooth.inertia import crb
from sim.stages.smooth.passive import passive
from sim.stages.smooth.reflected_inertia import total_armature, total_damping
from tests import oracle

# every joint type, one actuator and several to a joint, gears of several numbers, a body of the simple kind
XML = """
<mujoco>
  <option timestep="0.01"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body><joint name="free" type="free"/><geom type="box" size=".1 .2 .1"/>
      <body pos=".2 0 0"><joint name="ball" type="ball" armature=".1"/><geom type="box" size=".1 .2 .1"/>
        <body pos=".3 0 0"><joint name="hinge"/>
          <joint name="slide" type="slide" damping=".2 .1 .3"/><geom size=".1"/></body>
      </body>
    </body>
    <body pos="1 0 0"><joint name="x" type="slide" axis="1 0 0"/><geom size=".1"/></body>
    <body pos="2 0 0"><joint axis="1 0 0"/><geom size=".1"/></body>
  </worldbody>
  <actuator>
    <motor joint="hinge" gear="2" damping="3 .1 .2" armature=".5"/>
    <motor joint="slide" gear="-2" damping="1 .1 .2" armature=".2"/>
    <motor jointinparent="slide" gear="3" damping="2" armature=".1"/>
    <motor joint="ball" gear="2 3 4" damping="1" armature=".3"/>
    <motor joint="free" gear="1 2 3 4 5 6" damping=".5" armature=".2"/>
    <motor joint="x" gear="3" damping="0 .5 0" armature=".7"/>
  </actuator>
</mujoco>
"""


@pytest.fixture
def engines():
    mj = mujoco.MjModel.from_xml_string(XML)
    mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_ACTUATION
    m = oracle.model_of(mj)
    return mj, mujoco.MjData(mj), m, sim.Data(m)


@pytest.mark.parametrize(("stage", "names"), [(crb, "crb M"), (passive, "qfrc_damper qfrc_passive")])
def test_stage_alone(engines, stage, names):
    mj, dj, m, d = engines
    for seed in range(3):
        oracle.random_state(mj, dj, seed)
        mujoco.mj_forward(mj, dj)
        oracle.copy_fields(dj, d, [*oracle.STATE, "cinert", "cdof"])
        oracle.poison(d, names.split())
        stage(m, d)
        oracle.assert_same(d, dj, names.split())


def test_steps(engines):
    """Euler is implicit in the damping that actuators add."""
    mj, dj, m, d = engines
    oracle.random_state(mj, dj, 3)
    oracle.copy_fields(dj, d, oracle.STATE)
    mujoco.mj_step(mj, dj, 10)
    sim.step(m, d, 10)
    oracle.assert_same(d, dj, ["qpos", "qvel"], 1e-9)


def test_constants(engines):
    mj, _, m, _ = engines
    names = ["dof_M0", "dof_invweight0", "body_invweight0"]
    for name in names:
        m.read(name)[...] = np.nan
    set_inertia_constants(m)
    wrong = {n: e for n in [*names, "stat.meaninertia"] if (e := oracle.error(m.read(n), oracle.read(mj, n))) > 1e-10}
    assert not wrong


def test_gear_counts_twice(engines):
    _, _, m, _ = engines
    hinge, x = 9, 11
    assert m.dof_armature[hinge] == 0
    assert total_armature(m, hinge) == pytest.approx(0.5 * 2**2)
    assert total_damping(m, hinge) == pytest.approx((12, 0.4, 0.8))
    assert total_damping(m, x) == pytest.approx((0, 4.5, 0))


def test_damping_of_actuators_alone_is_noticed(engines):
    _, _, m, d = engines
    m.dof_damping[:] = m.dof_dampingpoly[:] = 0
    assert any_damping(m, d)
    m.actuator_damping[:] = m.actuator_dampingpoly[:] = 0
    assert not any_damping(m, d)
