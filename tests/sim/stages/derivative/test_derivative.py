"""How forces change with velocities: against MuJoCo, and against finite differences of our own forces."""

import mujoco
import numpy as np
import pytest

import sim
from sim.enums import INT_DISCRETE, INT_IMPLICIT, INT_IMPLICITFAST
from sim.stages.derivative.bias import bias_vel
from sim.stages.derivative.smooth import smooth_vel
from sim.stages.derivative.solve import factor_lu
from sim.stages.smooth.inertia import factor_implicit
from tests import oracle
from tests.sim.pipeline.test_integrate import DRIVEN, SMOOTH, both, log_elsewhere  # noqa: F401

ALL = SMOOTH | DRIVEN
integrators = pytest.mark.parametrize("integrator", [INT_IMPLICIT, INT_IMPLICITFAST], ids=["implicit", "implicitfast"])


def prepared(name, integrator, seed):
    """Both engines in the same generic state, without constraints, everything up to accelerations computed."""
    mj, dj, m, d = both(ALL[name], integrator)
    mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    m.opt.disableflags = mj.opt.disableflags
    oracle.random_state(mj, dj, seed)
    rng = np.random.default_rng(seed)
    dj.ctrl[:] = rng.normal(size=mj.nu) * rng.choice([0.3, 3], size=mj.nu)
    dj.act[:] = rng.normal(size=mj.na) * 0.5
    oracle.copy_fields(dj, d, oracle.STATE)
    sim.forward(m, d)
    return mj, dj, m, d


@integrators
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", ALL)
def test_against_mujoco(name, seed, integrator):
    mj, dj, m, d = prepared(name, integrator, seed)
    mujoco.mj_forward(mj, dj)
    mujoco.mj_implicit(mj, dj)
    oracle.poison(d, ["qDeriv", "qLU", "qH", "qHDiagInv"])
    smooth_vel(m, d)
    if integrator == INT_IMPLICIT:
        bias_vel(m, d)
        factor_lu(m, d)
        # of bodies that do not turn nothing but rounding is left
        size = max(np.abs(dj.qDeriv).max(), np.abs(dj.M).max(), 1e-8)
        assert np.abs(d.qDeriv - dj.qDeriv).max() < 1e-11 * size
        oracle.assert_same(d, dj, ["qLU"], 1e-9)
    else:
        factor_implicit(m, d)
        oracle.assert_same(d, dj, ["qDeriv"], 1e-11)
        oracle.assert_same(d, dj, ["qH", "qHDiagInv"], 1e-9)


DRIVE = '<dcmotor joint="hinge" motorconst=".5" resistance="2" {}/>'
DRIVES = {
    "voltage_limit": DRIVE.format('controller="3 4 5 0 0 2" input="pos vel ff voltage"'),
    "warm": DRIVE.format('thermal="2 3 .4 .004 25 20" controller="3 4 5" input="pos vel"'),
    "current": DRIVE.format('inductance=".02" controller="3 0 5" input="pos"'),
    "current_rate_limit": DRIVE.format('inductance=".02" saturation="0 0 .3"'),
    "no_position": DRIVE.format('controller="3 0 5" input="ff"'),
    "bristles": DRIVE.format('inductance=".02" lugre="10 1 .1 .3 .5" controller="3 0 5 0 0 20" input="vel"'),
    "torque_limit": DRIVE.format('saturation="1" cogging="3 6 .2" lugre="10 1 .1 .3 .5"'),
    "torque_limit_of_current": DRIVE.format('saturation=".1" inductance=".02" lugre="10 1 .1 .3 .5"'),
    "force_limit": DRIVE.format('saturation=".01"'),
    "clamped_control": '<damper joint="hinge" kv="2" ctrlrange="0 1"/>',
    "clamped_gain": '<general joint="hinge" gaintype="affine" gainprm="1 -2 -3" ctrlrange="-.1 .1"/>',
    "delayed_control": '<damper joint="hinge" kv="2" ctrlrange="0 1" nsample="4" delay=".01"/>',
}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", DRIVES)
def test_what_is_at_its_limit_has_no_derivative(name, seed):
    """In qDeriv, and in the metric of the discrete integrator, where derivatives by position are too."""
    body = '<body><joint name="hinge" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body>'
    xml = f"""<mujoco><worldbody>{body}</worldbody><actuator>{DRIVES[name]}</actuator></mujoco>"""
    for integrator in (INT_IMPLICIT, INT_IMPLICITFAST, INT_DISCRETE):
        mj, dj, m, d = both(xml, integrator)
        rng = np.random.default_rng(seed)
        for state in (dj.qpos, dj.qvel, dj.ctrl, dj.act):
            state[:] = rng.normal(size=len(state)) * (0.5 if state is dj.act else 3)
        oracle.copy_fields(dj, d, oracle.STATE)
        mujoco.mj_forward(mj, dj)
        sim.forward(m, d)
        if integrator == INT_DISCRETE:
            oracle.assert_same(d, dj, ["qacc"], 1e-12)
            continue
        mujoco.mj_implicit(mj, dj)
        smooth_vel(m, d)
        assert abs(d.qDeriv[0] - dj.qDeriv[0]) < 1e-12 * max(1, abs(dj.qDeriv[0]))


@pytest.mark.parametrize("coefficients", ["1 0 0 0 0", "0 1 0 0 0", "0 0 1 0 0", "0 0 0 1 0", "0 0 0 0 1"])
@pytest.mark.parametrize("speed", [1.0, 1e-3, 1e-8, 0.0])
@pytest.mark.parametrize("scale", [1.0, 1e-1, 1e-2, 1e-3])
def test_ellipsoids_in_a_fluid_of_any_size_and_speed(scale, speed, coefficients):
    """Forces and derivatives are in proportion to size and speed: nothing small is taken for zero."""
    size = " ".join(map(str, scale * np.array([0.5, 0.2, 0.3])))
    geom = f"<geom type='ellipsoid' size='{size}' fluidshape='ellipsoid' fluidcoef='{coefficients}'/>"
    xml = f"<mujoco><option density='1000'/><worldbody><body><freejoint/>{geom}</body></worldbody></mujoco>"
    mj, dj, m, d = both(xml, INT_IMPLICITFAST)
    dj.qvel[:] = speed * np.array([0.1, -0.5, 0.4, 0.3, -1, 0.6])
    oracle.copy_fields(dj, d, oracle.STATE)
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    assert np.abs(d.qfrc_fluid - dj.qfrc_fluid).max() <= 1e-12 * np.abs(dj.qfrc_fluid).max()
    mujoco.mj_implicit(mj, dj)
    smooth_vel(m, d)
    assert np.abs(d.qDeriv - dj.qDeriv).max() <= 1e-12 * np.abs(dj.qDeriv).max()
    if speed > 0:
        assert np.abs(dj.qDeriv).max() > 0


# motors, limits of joints and tendons and the inertia of tendons are left out of qDeriv, in MuJoCo too
EXACT = ["joints", "medium", "polynomial", "followers", "ball_chain", "humanoid", "tendon_muscles", "muscles", "pid"]


@pytest.mark.parametrize("name", EXACT)
def test_against_finite_differences(name):
    _, _, m, d = prepared(name, INT_IMPLICIT, 3)
    m.jnt_actfrclimited = 0
    m.tendon_actfrclimited = 0
    smooth_vel(m, d)
    bias_vel(m, d)
    exact = np.zeros((m.nv, m.nv))
    pattern = np.zeros((m.nv, m.nv), bool)
    for v in range(m.nv):
        row = slice(m.D_rowadr[v], m.D_rowadr[v] + m.D_rownnz[v])
        exact[v, m.D_colind[row]] = d.qDeriv[row]
        pattern[v, m.D_colind[row]] = True
    start, found, eps = d.qvel.copy(), np.zeros((m.nv, m.nv)), 1e-6
    for v in range(m.nv):
        sides = []
        for side in (eps, -eps):
            d.qvel = start
            d.qvel[v] += side
            sim.forward(m, d)
            sides.append(d.qfrc_actuator + d.qfrc_passive - d.qfrc_bias)
        found[:, v] = (sides[0] - sides[1]) / (2 * eps)
    size = np.abs(found).max()
    assert size > 1e-3
    assert np.abs(exact - found)[pattern].max() < 1e-6 * size


@pytest.mark.parametrize("name", ["joints", "medium", "humanoid", "tendon_fixed"])
def test_factor_solves(name):
    """(U + 1) L is M - h qDeriv."""
    _, _, m, d = prepared(name, INT_IMPLICIT, 4)
    smooth_vel(m, d)
    bias_vel(m, d)
    matrix, lower, upper = np.zeros((m.nv, m.nv)), np.zeros((m.nv, m.nv)), np.eye(m.nv)
    for v in range(m.nv):
        row = slice(m.M_rowadr[v], m.M_rowadr[v] + m.M_rownnz[v])
        matrix[v, m.M_colind[row]] = matrix[m.M_colind[row], v] = d.M[row]
    factor_lu(m, d)
    for v in range(m.nv):
        for k in range(m.D_rowadr[v], m.D_rowadr[v] + m.D_rownnz[v]):
            c = m.D_colind[k]
            matrix[v, c] -= m.opt.timestep * d.qDeriv[k]
            (lower if c <= v else upper)[v, c] = d.qLU[k]
    assert np.allclose(upper @ lower, matrix, rtol=0, atol=1e-12 * np.abs(matrix).max())


def test_for_scripts():
    """As mjd_smooth_vel, which the bindings do not have: the implicit integrator's qDeriv is with it, the fast one's is
    without what bias changes."""
    for integrator, flg_bias in ((INT_IMPLICIT, True), (INT_IMPLICITFAST, False)):
        mj, dj, m, d = prepared("joints", integrator, 1)
        mujoco.mj_forward(mj, dj)
        mujoco.mj_implicit(mj, dj)
        d.qDeriv = np.nan
        sim.smooth_vel(m, d, flg_bias)
        oracle.assert_same(d, dj, ["qDeriv"], 1e-9)
