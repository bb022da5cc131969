"""Inverse dynamics against MuJoCo, against our own forward dynamics, and in discrete time."""

import mujoco
import numpy as np
import pytest

import sim
from sim.enums import (
    CONE_ELLIPTIC,
    CONE_PYRAMIDAL,
    ENBL_FWDINV,
    ENBL_INVDISCRETE,
    INT_EULER,
    INT_IMPLICIT,
    INT_IMPLICITFAST,
    INT_RK4,
    INT_SPRINGDAMPER,
    SOL_CG,
    SOL_NEWTON,
    SOL_PGS,
    STAGE_POS,
    STAGE_VEL,
)
from tests import oracle
from tests.sim.pipeline.test_integrate import DRIVEN, SMOOTH, both, log_elsewhere  # noqa: F401
from tests.sim.stages.constraint import scenes

ALL = SMOOTH | DRIVEN | scenes.ALL
HARD = scenes.ALL | {name: SMOOTH[name] for name in ("humanoid", "gripper", "tendon_arm", "quadruped")}
FORCES = ["qfrc_inverse", "qfrc_constraint", "efc_force"]
cones = pytest.mark.parametrize("cone", [CONE_PYRAMIDAL, CONE_ELLIPTIC], ids=["pyramidal", "elliptic"])
discrete = pytest.mark.parametrize(
    "integrator", [INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST], ids=["euler", "implicit", "implicitfast"]
)


def somewhere(name, integrator=INT_EULER, cone=CONE_PYRAMIDAL, enable=0):
    """Both engines in the same state, a few steps after the start, with controls and applied forces."""
    mj, dj, m, d = both(ALL[name], integrator)
    mj.opt.cone = m.opt.cone = cone
    rng = np.random.default_rng(5)
    dj.qvel[:] = 0.1 * rng.normal(size=mj.nv)
    dj.ctrl[:] = 0.3 * rng.normal(size=mj.nu)
    mujoco.mj_step(mj, dj, 5)
    dj.qfrc_applied[:] = rng.normal(size=mj.nv)
    dj.xfrc_applied[1:] = rng.normal(size=(mj.nbody - 1, 6))
    mj.opt.enableflags |= enable
    m.opt.enableflags = mj.opt.enableflags
    oracle.copy_fields(dj, d, [*oracle.STATE, "eq_active", "history"])
    return mj, dj, m, d


def needed(d):
    """What inverse dynamics should find after forward dynamics: applied and actuator forces."""
    return d.qfrc_smooth + d.qfrc_bias - d.qfrc_passive


@cones
@pytest.mark.parametrize("name", ALL)
def test_against_mujoco(name, cone):
    mj, dj, m, d = somewhere(name, cone=cone)
    acc = 5 * np.random.default_rng(2).normal(size=mj.nv)
    dj.qacc[:] = d.qacc[:] = acc
    oracle.poison(d, ["qfrc_inverse", "qfrc_constraint"])
    mujoco.mj_inverse(mj, dj)
    sim.inverse(m, d)
    oracle.assert_same(d, dj, FORCES, 1e-8)
    assert np.array_equal(d.qacc, acc)


@discrete
@pytest.mark.parametrize("name", [*HARD, "medium", "joints", "polynomial", "muscles", "tendon_fixed", "dcmotors"])
def test_discrete_against_mujoco(name, integrator):
    mj, dj, m, d = somewhere(name, integrator, enable=ENBL_INVDISCRETE)
    acc = 5 * np.random.default_rng(2).normal(size=mj.nv)
    dj.qacc[:] = d.qacc[:] = acc
    # what it takes from the state is what forward dynamics left there
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    dj.qacc[:] = d.qacc[:] = acc
    mujoco.mj_inverse(mj, dj)
    sim.inverse(m, d)
    oracle.assert_same(d, dj, FORCES, 1e-8)
    assert np.array_equal(d.qacc, acc)


@pytest.mark.parametrize("skip", [STAGE_POS, STAGE_VEL])
def test_with_stages_skipped(skip):
    mj, dj, m, d = somewhere("contacts")
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    for data in (dj, d):
        data.qpos[:] += 0.1
        data.qvel[:] += 0.2 * (skip == STAGE_POS)
        data.qacc[:] = 0.3
    mujoco.mj_inverseSkip(mj, dj, skip, 1)
    sim.inverse(m, d, skip, skip_sensors=True)
    oracle.assert_same(d, dj, FORCES, 1e-8)


# ---------------------------------------------------------------- forward, then back


@cones
@pytest.mark.parametrize("name", ALL)
def test_inverse_of_forward(name, cone):
    _, _, m, d = somewhere(name, cone=cone)
    m.opt.noslip_iterations = 0
    m.opt.solver, m.opt.tolerance, m.opt.iterations = SOL_NEWTON, 0, 200
    sim.forward(m, d)
    wanted, size = needed(d), 1 + np.abs(d.qfrc_constraint).max() + np.abs(d.qfrc_smooth).max()
    sim.inverse(m, d)
    assert np.abs(d.qfrc_inverse - wanted).max() < 1e-8 * size


@pytest.mark.parametrize("name", [*HARD, "medium", "polynomial"])
@pytest.mark.parametrize("integrator", [INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_SPRINGDAMPER])
def test_discrete_inverse_of_a_step(name, integrator):
    _, _, m, d = somewhere(name, integrator, enable=ENBL_INVDISCRETE)
    m.opt.solver, m.opt.tolerance, m.opt.iterations = SOL_NEWTON, 0, 200
    before = sim.get_state(m, d)
    start = d.qvel.copy()
    sim.step(m, d)
    acc, wanted = (d.qvel - start) / m.opt.timestep, needed(d)
    size = 1 + np.abs(d.qfrc_constraint).max() + np.abs(d.qfrc_smooth).max()
    sim.set_state(m, d, before)
    d.qacc = acc
    sim.inverse(m, d)
    assert np.abs(d.qfrc_inverse - wanted).max() < 1e-8 * size


@cones
@pytest.mark.parametrize(
    ("solver", "enable"),
    [(SOL_PGS, 0), (SOL_CG, 0), (SOL_NEWTON, 0), (SOL_NEWTON, ENBL_INVDISCRETE)],
    ids=["pgs", "cg", "newton", "discrete"],
)
@pytest.mark.parametrize("name", HARD)
def test_comparison_in_a_step(name, solver, enable, cone):
    """Solvers that are stopped early are as far from the inverse as MuJoCo's; the step is not disturbed."""
    mj, dj, m, d = somewhere(name, cone=cone, enable=ENBL_FWDINV | enable)
    mj.opt.solver = m.opt.solver = solver
    mj.opt.iterations = m.opt.iterations = 3
    twin = d.copy()
    mujoco.mj_step(mj, dj)
    sim.step(m, d)
    scale = 1e-8 * (1 + np.abs(dj.qfrc_constraint).max() + np.abs(dj.qfrc_inverse).max())
    assert np.allclose(d.solver_fwdinv, dj.solver_fwdinv, rtol=1e-5, atol=scale)
    m.opt.enableflags = 0
    sim.step(m, twin)
    assert np.array_equal(twin.qpos, d.qpos) and np.array_equal(twin.efc_force, d.efc_force)


def test_refused():
    _, _, m, d = somewhere("contacts", INT_RK4, enable=ENBL_INVDISCRETE)
    with pytest.raises(ValueError, match="RK4 integrator has no discrete inverse"):
        sim.inverse(m, d)


DRIVEN_BY = {
    "velocity": 'general joint="j" gaintype="affine" gainprm="1 0 -2"',
    "position": 'general joint="j" gaintype="affine" gainprm="1 -40 0"',
    "clamped": 'general joint="j" gaintype="affine" gainprm="1 0 -2" ctrlrange="-.5 .5"',
    "delayed": 'general joint="j" gaintype="affine" gainprm="1 0 -2" nsample="3" delay=".01"',
    "state": 'general joint="j" gaintype="affine" gainprm="1 0 -2" dyntype="filter" dynprm=".1" actearly="true"',
    "motor": 'dcmotor joint="j" motorconst=".3" resistance="2" controller="3 4 5 6 .1 2" input="pos"',
}


@pytest.mark.parametrize("before", [0.0, 0.3])
@pytest.mark.parametrize("integrator", ["discrete", "implicit", "implicitfast"])
@pytest.mark.parametrize("actuator", DRIVEN_BY.values(), ids=DRIVEN_BY)
def test_controls_now(actuator, integrator, before):
    """Derivatives of actuator forces are those at the controls now, whatever they were at the last forward."""
    xml = f"""<mujoco><option integrator="{integrator}" timestep=".01" gravity="0 0 0"><flag invdiscrete="enable"/>
      </option><worldbody><body><joint name="j" type="slide"/><geom size=".1" mass="1"/></body></worldbody>
      <actuator><{actuator}/></actuator></mujoco>"""
    mj, m = mujoco.MjModel.from_xml_string(xml), sim.loads(xml)
    dj, d, fresh = mujoco.MjData(mj), sim.Data(m), sim.Data(m)
    dj.ctrl[:] = d.ctrl[:] = before
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    for data in (dj, d, fresh):
        data.ctrl[:] = 1.0
        data.qvel[:] = 0.1
        data.qacc[:] = 3.0
    mujoco.mj_inverse(mj, dj)
    sim.inverse(m, d)
    sim.inverse(m, fresh)
    oracle.assert_same(d, dj, ["qfrc_inverse"], 1e-12)
    assert np.allclose(fresh.qfrc_inverse, d.qfrc_inverse, rtol=1e-12)
