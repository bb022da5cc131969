"""Every stage of the smooth pipeline against MuJoCo, alone and together."""

import platform

import mujoco
import numpy as np
import pytest

import sim
from sim.enums import INT_DISCRETE, MINVAL, WARN_INERTIA
from sim.script import jacobian
from sim.stages.smooth.acceleration import discrete_smooth_acc, fwd_acceleration
from sim.stages.smooth.camlight import camera_poses, light_poses
from sim.stages.smooth.com import com_pos, com_vel, subtree_coms
from sim.stages.smooth.inertia import crb, factor_m
from sim.stages.smooth.kinematics import kinematics
from sim.stages.smooth.passive import passive
from sim.stages.smooth.rne import rne, rne_acc, rne_postconstraint
from sim.stages.solver.metric import free_bodies_acc, make_metric
from sim.stages.solver.solve import fwd_constraint
from tests import oracle
from tests.sim import models

SEEDS = (1, 2)

# stage -> fields it writes; what it reads is taken from MuJoCo
STAGES = {
    kinematics: "xpos xquat xmat xipos xiquat ximat xanchor xaxis geom_xpos geom_xquat geom_xmat site_xpos site_xquat "
    "site_xmat",
    subtree_coms: "subtree_com",
    com_pos: "cinert cdof",
    camera_poses: "cam_xpos cam_xmat",
    light_poses: "light_xpos light_xdir",
    crb: "crb M",
    factor_m: "qLD qLDiagInv",
    com_vel: "cvel cdof_dot",
    passive: "qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive",
    rne: "qfrc_bias",
    fwd_acceleration: "qfrc_smooth qacc_smooth",
    fwd_constraint: "qfrc_constraint qacc",
}
OUTPUTS = [name for fields in STAGES.values() for name in fields.split()]
# what follows a stage with the discrete integrator
DISCRETE = {fwd_acceleration: (make_metric, discrete_smooth_acc), fwd_constraint: (make_metric, free_bodies_acc)}
# what they read besides, which has tests of its own
TENDONS = ["ten_length", "ten_velocity", "ten_J"]


@pytest.fixture(params=list(models.ALL))
def engines(request):
    """(MuJoCo's model and data, ours), constraints and actuators off."""
    mj = mujoco.MjModel.from_xml_string(models.ALL[request.param])
    mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_ACTUATION
    # what tendons add to M, which has tests of its own
    mj.tendon_armature[:] = 0
    m = oracle.model_of(mj)
    return mj, mujoco.MjData(mj), m, sim.Data(m)


def test_frames_to_the_last_bit(engines):
    """Contacts of flat faces hang on single bits of the frames; other processors round products in other places."""
    mj, dj, m, d = engines
    tolerance = 0.0 if platform.machine() in ("x86_64", "AMD64") else 1e-14
    for seed in range(5):
        oracle.random_state(mj, dj, seed)
        mujoco.mj_kinematics(mj, dj)
        oracle.copy_fields(dj, d, oracle.STATE)
        kinematics(m, d)
        for name in STAGES[kinematics].split():
            assert np.abs(getattr(d, name) - getattr(dj, name)).max(initial=0) <= tolerance, name


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("stage", STAGES, ids=lambda k: k.pyfunc.__name__)
def test_stage_alone(engines, stage, seed):
    mj, dj, m, d = engines
    oracle.random_state(mj, dj, seed)
    mujoco.mj_forward(mj, dj)
    outputs = STAGES[stage].split()
    oracle.copy_fields(dj, d, [*oracle.STATE, *TENDONS, *(n for n in OUTPUTS if n not in outputs)])
    oracle.poison(d, outputs)
    stage(m, d)
    for discrete in DISCRETE.get(stage, ()) if m.opt.integrator == INT_DISCRETE else ():
        discrete(m, d)
    oracle.assert_same(d, dj, outputs)


@pytest.mark.parametrize("seed", SEEDS)
def test_forward(engines, seed):
    mj, dj, m, d = engines
    oracle.random_state(mj, dj, seed)
    oracle.copy_fields(dj, d, oracle.STATE)
    oracle.poison(d, [*OUTPUTS, "energy"])
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    oracle.assert_same(d, dj, [*OUTPUTS, "energy"])


@pytest.mark.parametrize("flags", ["", "EULERDAMP", "DAMPER", "SPRING", "SPRING DAMPER", "GRAVITY"])
def test_steps(engines, flags):
    mj, dj, m, d = engines
    oracle.disable(mj, flags.split())
    m.opt.disableflags = mj.opt.disableflags
    oracle.random_state(mj, dj, 3)
    oracle.copy_fields(dj, d, oracle.STATE)
    mujoco.mj_step(mj, dj)
    sim.step(m, d)
    oracle.assert_same(d, dj, ["qpos", "qvel", "qacc_warmstart"], 1e-10)
    mujoco.mj_step(mj, dj, 19)
    sim.step(m, d, 19)
    oracle.assert_same(d, dj, ["qpos", "qvel"], 1e-8)
    assert d.time == pytest.approx(dj.time, abs=1e-14)


@pytest.mark.parametrize("field", ["qpos", "qvel", "qfrc_applied"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -1e11])
@pytest.mark.parametrize("autoreset", [True, False])
def test_bad_numbers_reset_as_in_mujoco(field, value, autoreset, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # MuJoCo writes a log where it is
    mj = mujoco.MjModel.from_xml_string(models.JOINTS)
    mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    if not autoreset:
        mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    dj, m = mujoco.MjData(mj), oracle.model_of(mj)
    d = sim.Data(m)
    oracle.random_state(mj, dj, 4)
    getattr(dj, field)[1] = value
    oracle.copy_fields(dj, d, oracle.STATE)
    mujoco.mj_step(mj, dj)
    sim.step(m, d)
    assert d.warning.number.tolist() == [w.number for w in dj.warning]
    assert d.time == dj.time
    for name in ("qpos", "qvel"):
        ours, theirs = d.read(name), oracle.read(dj, name)
        assert np.array_equal(np.isfinite(ours), np.isfinite(theirs)), name
        assert oracle.error(np.nan_to_num(ours), np.nan_to_num(theirs)) < 1e-10, name
    if d.warning.number.any():
        bad = int(d.warning.number.argmax())
        assert d.warning[bad].lastinfo == dj.warning[bad].lastinfo


# ---------------------------------------------------------------- without the oracle


def dense_inertia(m, packed) -> np.ndarray:
    """M, or the metric of the discrete integrator, which has its pattern where tendons and actuators are off."""
    dense = np.zeros((m.nv, m.nv))
    for v in range(m.nv):
        row = slice(m.M_rowadr[v], m.M_rowadr[v] + m.M_rownnz[v])
        dense[v, m.M_colind[row]] = dense[m.M_colind[row], v] = packed[row]
    return dense


def test_inertia_matrix_column_by_column(engines):
    """Column v of M is what rne adds for an acceleration of dof v alone, and armature."""
    mj, dj, m, d = engines
    oracle.random_state(mj, dj, 5)
    oracle.copy_fields(dj, d, oracle.STATE)
    sim.forward(m, d)
    columns = np.diag(m.dof_armature.astype(float))
    for v in range(m.nv):
        d.qacc = np.eye(m.nv)[v]
        rne_acc(m, d)
        columns[:, v] += d.qfrc_rne - d.qfrc_bias
    dense = dense_inertia(m, d.M)
    assert np.allclose(dense, columns, rtol=1e-9, atol=1e-9 * np.abs(dense).max())
    force = d.qfrc_smooth.copy()
    if m.opt.integrator == INT_DISCRETE:
        dense, force = dense_inertia(m, d.metric.M), force - d.metric.shift
    assert np.allclose(dense @ d.qacc_smooth, force, rtol=1e-9, atol=1e-9)


def test_forces_after_constraints(engines):
    mj, dj, m, d = engines
    oracle.random_state(mj, dj, 6)
    oracle.copy_fields(dj, d, oracle.STATE)
    mujoco.mj_forward(mj, dj)
    mujoco.mj_rnePostConstraint(mj, dj)
    sim.forward(m, d)
    names = ["cacc", "cfrc_int", "cfrc_ext"]
    oracle.poison(d, names)
    rne_postconstraint(m, d)
    oracle.assert_same(d, dj, names)


def test_jacobians(engines):
    mj, dj, m, d = engines
    oracle.random_state(mj, dj, 7)
    oracle.copy_fields(dj, d, oracle.STATE)
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    jacp, jacr = np.zeros((3, mj.nv)), np.zeros((3, mj.nv))
    point, axis = np.array([0.3, -0.2, 0.5]), np.array([0.2, 0.5, 1.0])

    def same(ours, *theirs):
        for a, b in zip(ours, theirs, strict=True):
            assert np.allclose(a, b, rtol=1e-10, atol=1e-12)

    for b in range(m.nbody):
        mujoco.mj_jac(mj, dj, jacp, jacr, point, b)
        same(jacobian.jac(m, d, point, b), jacp, jacr)
        mujoco.mj_jacBody(mj, dj, jacp, jacr, b)
        same(jacobian.jac_body(m, d, b), jacp, jacr)
        mujoco.mj_jacBodyCom(mj, dj, jacp, jacr, b)
        same(jacobian.jac_body_com(m, d, b), jacp, jacr)
        mujoco.mj_jacPointAxis(mj, dj, jacp, jacr, point, axis, b)
        same(jacobian.jac_point_axis(m, d, point, axis, b), jacp, jacr)
        if m.body_subtreemass[b] > 0:
            mujoco.mj_jacSubtreeCom(mj, dj, jacp, b)
            same([jacobian.jac_subtree_com(m, d, b)], jacp)
    for g in range(m.ngeom):
        mujoco.mj_jacGeom(mj, dj, jacp, jacr, g)
        same(jacobian.jac_geom(m, d, g), jacp, jacr)
    for s in range(m.nsite):
        mujoco.mj_jacSite(mj, dj, jacp, jacr, s)
        same(jacobian.jac_site(m, d, s), jacp, jacr)


def energy_drift(timestep: float) -> float:
    """Energy gained by an undamped double pendulum within two seconds."""
    arm = "<joint axis='0 1 0'/><geom type='capsule' size='.02' fromto='0 0 0 .5 0 0'/>"
    mj = mujoco.MjModel.from_xml_string(
        f"<mujoco><option timestep='{timestep}'><flag constraint='disable'/></option>"
        f"<worldbody><body>{arm}<body pos='.5 0 0'>{arm}</body></body></worldbody></mujoco>"
    )
    m = oracle.model_of(mj)
    d = sim.Data(m)

    def energy():
        sim.forward(m, d)
        kinetic = 0.5 * (d.M[0] * d.qvel[0] ** 2 + 2 * d.M[1] * d.qvel[0] * d.qvel[1] + d.M[2] * d.qvel[1] ** 2)
        return kinetic - m.body_mass @ d.xipos @ m.opt.gravity

    before = energy()
    sim.step(m, d, round(2 / timestep))
    assert abs(d.qvel).max() > 1
    return energy() - before


def test_energy_drifts_with_the_first_order_of_the_timestep():
    coarse, fine = energy_drift(2e-4), energy_drift(1e-4)
    assert abs(fine) < 0.02
    assert coarse / fine == pytest.approx(2, rel=0.1)


def test_same_start_same_bits():
    results = []
    for _ in range(2):
        mj = mujoco.MjModel.from_xml_string(models.JOINTS)
        m = oracle.model_of(mj)
        d = sim.Data(m)
        d.qvel = 0.5
        sim.step(m, d, 500)
        results.append(d.qpos.tobytes() + d.qvel.tobytes())
    assert results[0] == results[1]


def test_one_call_equals_many():
    mj = mujoco.MjModel.from_xml_string(models.JOINTS)
    m = oracle.model_of(mj)
    one, many = sim.Data(m), sim.Data(m)
    sim.step(m, one, 50)
    for _ in range(50):
        sim.step(m, many)
    assert one.qpos.tobytes() == many.qpos.tobytes()


def test_singular_inertia_is_a_warning(tmp_path, monkeypatch):
    """Two hinges about one axis: a small pivot in place of zero."""
    monkeypatch.chdir(tmp_path)  # MuJoCo writes a log where it is
    xml = (
        "<mujoco><worldbody><body><joint axis='0 1 0'/><joint axis='0 1 0'/><geom size='.1' pos='.2 0 0'/></body>"
        "</worldbody></mujoco>"
    )
    mj, m = mujoco.MjModel.from_xml_string(xml), sim.loads(xml)
    dj, d = mujoco.MjData(mj), sim.Data(m)
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    oracle.assert_same(d, dj, ["qLD", "qLDiagInv", "qacc"])
    assert d.warning.number.tolist() == [w.number for w in dj.warning]
    assert d.warning.number[WARN_INERTIA] == 1
    assert d.warning.lastinfo[WARN_INERTIA] == 0
    assert d.qLDiagInv[0] == 1 / MINVAL
    for values in (d.qLD, d.qacc, m.dof_invweight0, m.body_invweight0):
        assert np.isfinite(values).all()
    # inertia of its own, and the matrix is regular
    m.dof_armature = 0.01
    sim.reset(m, d)
    sim.forward(m, d)
    assert not d.warning.number.any()
