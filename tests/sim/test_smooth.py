"""Every stage of the smooth pipeline against MuJoCo 3.12.0, alone and together."""

import mujoco
import numpy as np
import pytest

import sim
from sim.acceleration import fwd_acceleration, fwd_constraint
from sim.camlight import camera_poses, light_poses
from sim.com import com_pos, com_vel, subtree_coms
from sim.inertia import crb, factor_m
from sim.kinematics import kinematics
from sim.passive import passive
from sim.rne import rne
from tests import oracle
from tests.sim import models

SEEDS = (1, 2)

# stage -> fields it writes; what it reads is taken from MuJoCo
STAGES = {
    kinematics: "xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat",
    subtree_coms: "subtree_com",
    com_pos: "cinert cdof",
    camera_poses: "cam_xpos cam_xmat",
    light_poses: "light_xpos light_xdir",
    crb: "crb M",
    factor_m: "qLD qLDiagInv",
    com_vel: "cvel cdof_dot",
    passive: "qfrc_spring qfrc_damper qfrc_passive",
    rne: "qfrc_bias",
    fwd_acceleration: "qfrc_smooth qacc_smooth",
    fwd_constraint: "qfrc_constraint qacc",
}
OUTPUTS = [name for fields in STAGES.values() for name in fields.split()]


@pytest.fixture(params=list(models.ALL))
def engines(request):
    """(MuJoCo's model and data, ours), constraints and actuators off."""
    mj = mujoco.MjModel.from_xml_string(models.ALL[request.param])
    mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_ACTUATION
    m = oracle.model_of(mj)
    return mj, mujoco.MjData(mj), m, sim.Data(m)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("stage", STAGES, ids=lambda k: k.pyfunc.__name__)
def test_stage_alone(engines, stage, seed):
    mj, dj, m, d = engines
    oracle.random_state(mj, dj, seed)
    mujoco.mj_forward(mj, dj)
    outputs = STAGES[stage].split()
    oracle.copy_fields(dj, d, [*oracle.STATE, *(n for n in OUTPUTS if n not in outputs)])
    oracle.poison(d, outputs)
    stage(m, d)
    oracle.assert_same(d, dj, outputs)


@pytest.mark.parametrize("seed", SEEDS)
def test_forward(engines, seed):
    mj, dj, m, d = engines
    oracle.random_state(mj, dj, seed)
    oracle.copy_fields(dj, d, oracle.STATE)
    oracle.poison(d, OUTPUTS)
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    oracle.assert_same(d, dj, OUTPUTS)


@pytest.mark.parametrize("flags", [0, "EULERDAMP", "DAMPER", "SPRING", "GRAVITY"])
def test_steps(engines, flags):
    mj, dj, m, d = engines
    if flags:
        mj.opt.disableflags |= getattr(mujoco.mjtDisableBit, f"mjDSBL_{flags}")
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


def test_inertia_matrix_from_bias_forces(engines):
    """Column v of M is the force that an acceleration of dof v alone needs: here, by adding inertia forces."""
    mj, dj, m, d = engines
    oracle.random_state(mj, dj, 5)
    oracle.copy_fields(dj, d, oracle.STATE)
    sim.forward(m, d)
    dense = np.zeros((m.nv, m.nv))
    for v in range(m.nv):
        row = slice(m.M_rowadr[v], m.M_rowadr[v] + m.M_rownnz[v])
        dense[v, m.M_colind[row]] = dense[m.M_colind[row], v] = d.M[row]
    expected = np.diag(m.dof_armature.astype(float))
    for b in range(1, m.nbody):
        i = d.cinert[b]
        spatial = np.zeros((6, 6))
        spatial[:3, :3] = [[i[0], i[3], i[4]], [i[3], i[1], i[5]], [i[4], i[5], i[2]]]
        x, y, z = i[6:9]
        spatial[:3, 3:] = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
        spatial[3:, :3] = spatial[:3, 3:].T
        spatial[3:, 3:] = np.eye(3) * i[9]
        jacobian = np.zeros((m.nv, 6))
        moved = m.body_weldid[b]
        v = m.body_dofadr[moved] + m.body_dofnum[moved] - 1 if moved else -1
        while v >= 0:
            jacobian[v] = d.cdof[v]
            v = m.dof_parentid[v]
        expected += jacobian @ spatial @ jacobian.T
    assert np.allclose(dense, expected, rtol=1e-10, atol=1e-12)
    assert np.allclose(dense @ d.qacc_smooth, d.qfrc_smooth, rtol=1e-9, atol=1e-9)


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
