"""Dynamics, stages, state, steps and rays of sim/mujoco/functions against MuJoCo, in the same state."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

from sim import mujoco as ours
from sim.mujoco.functions.stages import STAGES
from tests.sim.mujoco.scenes import Pair, moved, pair

RESULTS = (
    "qacc",
    "xpos",
    "xquat",
    "cvel",
    "M",
    "qfrc_bias",
    "qfrc_passive",
    "actuator_force",
    "sensordata",
    "efc_force",
)


@pytest.fixture(scope="module")
def both() -> Pair:
    made = moved()
    made.call("mj_forward")
    return made


def test_step_and_forward() -> None:
    """A step, several in one call, the halves, forward with skipped stages, inverse dynamics."""
    both = moved()
    both.call("mj_forward")
    both.same(*RESULTS)
    for _ in range(20):
        both.call("mj_step")
    both.same("qpos", "qvel", "act", "time", "sensordata", tol=1e-7)
    for d in (both.d, both.their_d):
        assert d.timer[ours.mjtTimer.mjTIMER_STEP].number == 20
    ours.mj_step(both.m, both.d, 3)
    mujoco.mj_step(both.their_m, both.their_d, 3)
    ours.mj_step(both.m, both.d, nstep=2)
    mujoco.mj_step(both.their_m, both.their_d, nstep=2)
    both.same("qpos", "time", tol=1e-6)
    both.call("mj_step1")
    both.call("mj_step2")
    both.same("qpos", tol=1e-6)
    both.call("mj_forwardSkip", ours.mjtStage.mjSTAGE_VEL.value, 1)
    both.call("mj_inverse")
    both.same("qfrc_inverse", tol=1e-4)
    both.call("mj_inverseSkip", 1, 0)
    both.same("qfrc_inverse", tol=1e-4)


def test_reset() -> None:
    """To the initial state, to a keyframe, to one that does not exist; timers are reset with it."""
    both = moved(steps=3)
    both.call("mj_resetData")
    both.same("qpos", "qvel", "ctrl", "time", "xpos", "ncon")
    assert both.d.timer[0].number == both.their_d.timer[0].number == 0
    both.call("mj_resetDataKeyframe", 0)
    both.same("qpos", "ctrl", "time")
    assert both.d.time == 1.5
    both.call("mj_resetDataKeyframe", 7)
    assert both.d.time == both.their_d.time == 0
    both.set(ctrl=1.0)
    both.call("mj_resetCtrl")
    both.same("ctrl")


@pytest.mark.parametrize("name", ["mj_jacBody", "mj_jacBodyCom", "mj_jacGeom", "mj_jacSite"])
def test_jacobians(both: Pair, name: str) -> None:
    """Of frames: both parts, one of them, none."""
    count = {"mj_jacGeom": both.m.ngeom, "mj_jacSite": both.m.nsite}.get(name, both.m.nbody)
    shape = (3, both.m.nv)
    for index in range(count):
        mine, theirs = np.ones((2, *shape)), np.ones((2, *shape))
        assert getattr(ours, name)(both.m, both.d, mine[0], mine[1], index) is None
        getattr(mujoco, name)(both.their_m, both.their_d, theirs[0], theirs[1], index)
        np.testing.assert_allclose(mine, theirs, atol=1e-12)
        alone = np.ones(shape)
        getattr(ours, name)(both.m, both.d, None, alone, index)
        np.testing.assert_array_equal(alone, mine[1])
        getattr(ours, name)(both.m, both.d, None, None, index)
    with pytest.raises(TypeError):
        getattr(ours, name)(both.m, both.d, np.zeros((3, 2)), None, 0)
    with pytest.raises(IndexError):
        getattr(ours, name)(both.m, both.d, None, None, count)


def filled(both: Pair, name: str, shapes: list[tuple[int, ...]], *args: object, tol: float = 1e-9) -> None:
    """Outputs of a function f(m, d, outputs..., args...) are equal."""
    mine, theirs = ([np.full(shape, 7.0) for shape in shapes] for _ in range(2))
    getattr(ours, name)(both.m, both.d, *mine, *args)
    getattr(mujoco, name)(both.their_m, both.their_d, *theirs, *args)
    for a, b in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(a, b, atol=tol, rtol=tol, err_msg=name)


def test_points_and_inertia(both: Pair) -> None:
    """Jacobians of points, momentum, the inertia matrix and its products and solutions."""
    nv, point = both.m.nv, np.array([0.3, 0.2, 0.1])
    wide = (3, nv)
    for body in range(1, both.m.nbody):
        filled(both, "mj_jac", [wide, wide], point, body)
        filled(both, "mj_jacDot", [wide, wide], point, body)
        filled(both, "mj_jacPointAxis", [wide, wide], point, np.array([0.0, 0.6, 0.8]), body)
        filled(both, "mj_jacSubtreeCom", [wide], body)
        filled(both, "mj_angmomMat", [wide], body)
    filled(both, "mj_fullM", [(nv, nv)])
    vec = np.arange(1.0, nv + 1)
    filled(both, "mj_mulM", [(nv,)], vec)
    filled(both, "mj_mulM2", [(nv,)], vec)
    filled(both, "mj_solveM", [(2, nv)], np.stack([vec, vec**2]))
    sqrt = np.sqrt(both.their_d.qLDiagInv)[None]
    filled(both, "mj_solveM2", [(2, nv)], np.stack([vec, vec**2]), sqrt)
    filled(both, "mj_mulJacVec", [(both.d.nefc,)], vec)
    filled(both, "mj_mulJacTVec", [(nv,)], np.arange(both.d.nefc, dtype=float))
    for acc in (0, 1):
        mine, theirs = np.zeros(nv), np.zeros(nv)
        ours.mj_rne(both.m, both.d, acc, mine)
        mujoco.mj_rne(both.their_m, both.their_d, acc, theirs)
        np.testing.assert_allclose(mine, theirs, atol=1e-8)
    mine, theirs = np.zeros(nv), np.zeros(nv)
    force = [np.array(v, float) for v in ([1, 2, 3], [0.1, 0.2, 0.3], point)]
    ours.mj_applyFT(both.m, both.d, *force, 3, mine)
    mujoco.mj_applyFT(both.their_m, both.their_d, *force, 3, theirs)
    np.testing.assert_allclose(mine, theirs, atol=1e-12)


def test_add_m(both: Pair) -> None:
    """M added to a sparse matrix of its own columns."""
    m, d = both.their_m, both.their_d
    ints = [np.array(a) for a in (m.M_rownnz, m.M_rowadr)] + [np.resize(m.M_colind, m.nM)]
    mine, theirs = np.ones(m.nM), np.ones(m.nM)
    ours.mj_addM(both.m, both.d, mine, *ints)
    mujoco.mj_addM(m, d, theirs, *ints)
    np.testing.assert_allclose(mine, theirs, atol=1e-12)


def test_objects_and_contacts(both: Pair) -> None:
    """Velocities and accelerations of objects, forces of contacts."""
    kinds = (ours.mjtObj.mjOBJ_BODY, ours.mjtObj.mjOBJ_XBODY, ours.mjtObj.mjOBJ_GEOM, ours.mjtObj.mjOBJ_SITE)
    for kind in kinds:
        for local in (0, 1):
            for name in ("mj_objectVelocity", "mj_objectAcceleration"):
                mine, theirs = np.zeros(6), np.zeros(6)
                getattr(ours, name)(both.m, both.d, kind, 1, mine, local)
                getattr(mujoco, name)(both.their_m, both.their_d, int(kind), 1, theirs, local)
                np.testing.assert_allclose(mine, theirs, atol=1e-5)
    with pytest.raises(ours.FatalError, match="invalid object type 3"):
        ours.mj_objectVelocity(both.m, both.d, 3, 0, np.zeros(6), 0)
    assert both.d.ncon == both.their_d.ncon > 0
    for contact in range(both.d.ncon + 1):
        mine, theirs = np.ones(6), np.ones(6)
        ours.mj_contactForce(both.m, both.d, contact, mine)
        mujoco.mj_contactForce(both.their_m, both.their_d, contact, theirs)
        if contact < both.d.ncon:
            np.testing.assert_allclose(mine, theirs, atol=1e-6)
    for body in range(both.m.nbody):
        for same in range(5):
            mine, theirs = [np.zeros(3), np.zeros(9)], [np.zeros(3), np.zeros(9)]
            ours.mj_local2Global(both.d, *mine, [0.1, 0.2, 0.3], [0.5, 0.5, 0.5, 0.5], body, same)
            mujoco.mj_local2Global(both.their_d, *theirs, [0.1, 0.2, 0.3], [0.5, 0.5, 0.5, 0.5], body, same)
            np.testing.assert_allclose(np.hstack(mine), np.hstack(theirs), atol=1e-12)


def test_positions(both: Pair) -> None:
    """Positions integrated, differentiated and normalized."""
    rng = np.random.default_rng(3)
    q1, v = both.their_d.qpos.copy(), rng.normal(size=both.m.nv)
    mine, theirs = q1.copy(), q1.copy()
    ours.mj_integratePos(both.m, mine, v, 0.1)
    mujoco.mj_integratePos(both.their_m, theirs, v, 0.1)
    np.testing.assert_allclose(mine, theirs, atol=1e-12)
    a, b = np.zeros(both.m.nv), np.zeros(both.m.nv)
    ours.mj_differentiatePos(both.m, a, 0.1, q1, mine)
    mujoco.mj_differentiatePos(both.their_m, b, 0.1, q1, theirs)
    np.testing.assert_allclose(a, b, atol=1e-10)
    np.testing.assert_allclose(a, v, atol=1e-10)
    mine, theirs = 2 * q1, 2 * q1
    ours.mj_normalizeQuat(both.m, mine)
    mujoco.mj_normalizeQuat(both.their_m, theirs)
    np.testing.assert_allclose(mine, theirs, atol=1e-12)


def test_rays_and_distances(both: Pair) -> None:
    """One ray, several, those on a mesh or a height field alone; distances; inside a site."""
    rng = np.random.default_rng(4)
    hits = 0
    for _ in range(40):
        p = rng.normal(size=3) + np.array((0.0, 0.0, 2.0))
        v = rng.normal(size=3) - p
        for group, static, body in ((None, 1, -1), ([1, 0, 0, 0, 0, 0], 0, 2), (None, 0, 99)):
            ids, normals = np.zeros((2, 1), np.int32), np.zeros((2, 3))
            mine = ours.mj_ray(both.m, both.d, p, v, group, static, body, ids[0], normals[0])
            theirs = mujoco.mj_ray(both.their_m, both.their_d, p, v, group, static, body, ids[1], normals[1])
            np.testing.assert_allclose(mine, theirs, atol=1e-9)
            np.testing.assert_array_equal(ids[0], ids[1])
            np.testing.assert_allclose(normals[0], normals[1], atol=1e-9)
            hits += mine >= 0
        for name, geom in (("mj_rayMesh", "palm"), ("mj_rayHfield", "land")):
            g = both.m.geom(geom).id
            toward = both.d.geom_xpos[g] + 0.1 * rng.normal(size=3) - p
            normals = np.zeros((2, 3))
            mine = getattr(ours, name)(both.m, both.d, g, p, toward, normals[0])
            theirs = getattr(mujoco, name)(both.their_m, both.their_d, g, p, toward, normals[1])
            np.testing.assert_allclose(mine, theirs, atol=1e-9)
            np.testing.assert_allclose(normals[0], normals[1], atol=1e-9)
    assert hits > 20
    vec = rng.normal(size=(30, 3))
    found = [[np.zeros(30, np.int32), np.zeros(30), np.zeros(90)] for _ in range(2)]
    ours.mj_multiRay(both.m, both.d, [0, 0, 1], vec.ravel(), None, 1, -1, *found[0], 30, 10.0)
    mujoco.mj_multiRay(both.their_m, both.their_d, [0, 0, 1], vec.ravel(), None, 1, -1, *found[1], 30, 10.0)
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-9)
    for g1, g2 in ((0, 2), (2, 3), (3, 5)):
        ends = np.zeros((2, 6))
        mine = ours.mj_geomDistance(both.m, both.d, g1, g2, 10.0, ends[0])
        theirs = mujoco.mj_geomDistance(both.their_m, both.their_d, g1, g2, 10.0, ends[1])
        np.testing.assert_allclose(mine, theirs, atol=1e-6)
        np.testing.assert_allclose(ends[0], ends[1], atol=1e-4)
    for _ in range(20):
        point = both.d.site_xpos[0] + 0.05 * rng.normal(size=3)
        assert ours.mj_insideSite(both.m, both.d, 0, point) == mujoco.mj_insideSite(
            both.their_m, both.their_d, 0, point
        )


@pytest.mark.parametrize("integrator", ["mjINT_EULER", "mjINT_IMPLICIT", "mjINT_IMPLICITFAST"])
def test_stages(integrator: str) -> None:
    """All stages one after another, as scripts call them, and an integrator at the end: as MuJoCo's."""
    both = moved(2)
    for m in (both.m, both.their_m):
        m.opt.integrator = int(getattr(ours.mjtIntegrator, integrator))
    order = (
        "mj_checkPos", "mj_checkVel", "mj_kinematics", "mj_comPos", "mj_camlight", "mj_tendon", "mj_makeM",
        "mj_factorM", "mj_collision", "mj_makeConstraint", "mj_island", "mj_transmission", "mj_sensorPos",
        "mj_energyPos", "mj_fwdVelocity", "mj_sensorVel", "mj_energyVel", "mj_fwdActuation", "mj_fwdAcceleration",
        "mj_fwdConstraint", "mj_sensorAcc", "mj_checkAcc", "mj_subtreeVel", "mj_rnePostConstraint",
    )  # fmt: skip
    for name in order:
        both.call(name)
    both.same(*RESULTS, "energy", "subtree_linvel", "cfrc_ext", "cacc", tol=1e-7)
    both.call("mj_Euler" if integrator == "mjINT_EULER" else "mj_implicit")
    both.same("qpos", "qvel", "time", "act", tol=1e-7)


def test_larger_stages() -> None:
    """The stages that consist of others, and those of inverse dynamics; the comparison of both."""
    both = moved(5)
    for name in ("mj_fwdKinematics", "mj_fwdPosition", "mj_fwdVelocity", "mj_fwdActuation", "mj_fwdAcceleration"):
        both.call(name)
    both.call("mj_fwdConstraint")
    both.same(*RESULTS[:-2], tol=1e-7)
    both.call("mj_invPosition")
    both.call("mj_invVelocity")
    both.call("mj_invConstraint")
    both.same("efc_force", tol=1e-5)
    both.call("mj_compareFwdInv")
    both.same("solver_fwdinv", tol=1e-6)
    both.call("mj_RungeKutta", 4)
    both.same("qpos", "time", tol=1e-6)
    for module, m, d in ((ours, both.m, both.d), (mujoco, both.their_m, both.their_d)):
        with pytest.raises(module.FatalError, match="N=4"):
            module.mj_RungeKutta(m, d, 3)


def test_constraint_update() -> None:
    """Forces and cost of given J qacc - aref, with both cones."""
    for cone in (0, 1):
        both = moved(8)
        for m in (both.m, both.their_m):
            m.opt.cone = cone
        both.call("mj_forward")
        jar = np.random.default_rng(0).normal(size=both.d.nefc)
        assert len(jar) > 4
        costs = np.zeros((2, 1))
        ours.mj_constraintUpdate(both.m, both.d, jar, costs[0], 0)
        mujoco.mj_constraintUpdate(both.their_m, both.their_d, jar, costs[1], 0)
        np.testing.assert_allclose(costs[0], costs[1], rtol=1e-9)
        both.same("efc_force", "efc_state", "qfrc_constraint", tol=1e-8)
        both.call("mj_constraintUpdate", jar, None, 0)
        np.testing.assert_allclose(both.d.contact.mu, both.their_d.contact.mu, rtol=1e-9)
        with pytest.raises(TypeError):
            ours.mj_constraintUpdate(both.m, both.d, jar[:-1], None, 0)


def test_every_stage_is_compared() -> None:
    """No stage of the table is left out above."""
    source = Path(__file__).read_text(encoding="utf-8")
    # parts of others
    inside = {"mj_crb", "mj_comVel", "mj_passive", "mj_referenceConstraint"}
    assert [name for name in STAGES if name not in source and name not in inside] == []
    both = moved(6)
    both.call("mj_fwdPosition")
    for name in ("mj_crb", "mj_comVel", "mj_passive", "mj_referenceConstraint"):
        both.call(name)
    both.same("crb", "cvel", "qfrc_passive", "efc_vel", "efc_aref", tol=1e-9)


def test_checks() -> None:
    """A bad number resets, counts a warning and calls the user's function."""
    for name, field, warning in (("mj_checkPos", "qpos", 3), ("mj_checkVel", "qvel", 4), ("mj_checkAcc", "qacc", 5)):
        both = moved()
        told: list[str] = []
        ours.set_mju_user_warning(told.append)
        try:
            for d in (both.d, both.their_d):
                getattr(d, field)[2] = np.nan
            both.call(name)
        finally:
            ours.set_mju_user_warning(None)
        both.same("qpos", "qvel", "time")
        for d in (both.d, both.their_d):
            assert d.warning[warning].number == 1 and d.warning[warning].lastinfo == 2
        assert len(told) == 1 and field.upper() in told[0]


def test_step_tells_of_warnings() -> None:
    """The user's function hears of a warning that a step raises, once."""
    both = moved()
    told: list[str] = []
    ours.set_mju_user_warning(told.append)
    try:
        both.d.qpos[0] = np.nan
        ours.mj_step(both.m, both.d)
        ours.mj_step(both.m, both.d)
    finally:
        ours.set_mju_user_warning(None)
    assert len(told) == 1 and "QPOS" in told[0]


def test_state() -> None:
    """Vectors of every part, set and copied; keyframes; the errors of a wrong signature or size."""
    both = moved(steps=2)
    for bit in range(15):
        sig = 1 << bit
        size = ours.mj_stateSize(both.m, sig)
        assert size == mujoco.mj_stateSize(both.their_m, sig)
        mine, theirs = np.zeros(size), np.zeros(size)
        both_sig = sig, int(ours.mjtState.mjSTATE_INTEGRATION)
        ours.mj_getState(both.m, both.d, mine, sig)
        mujoco.mj_getState(both.their_m, both.their_d, theirs, sig)
        np.testing.assert_allclose(mine, theirs, atol=1e-7)
        if sig & both_sig[1]:
            whole = np.zeros(ours.mj_stateSize(both.m, both_sig[1]))
            ours.mj_getState(both.m, both.d, whole, both_sig[1])
            part = np.zeros(size)
            ours.mj_extractState(both.m, whole, both_sig[1], part, sig)
            np.testing.assert_array_equal(part, mine)
    other = ours.MjData(both.m)
    ours.mj_copyState(both.m, both.d, other, ours.mjtState.mjSTATE_INTEGRATION)
    np.testing.assert_array_equal(other.qpos, both.d.qpos)
    # a state that is not finite may be set, as in MuJoCo
    ours.mj_setState(both.m, other, np.full(both.m.nv, np.nan), ours.mjtState.mjSTATE_QVEL)
    assert np.isnan(other.qvel).all()
    for sig in (-1, 1 << 15):
        with pytest.raises(ours.FatalError, match="invalid state signature"):
            ours.mj_stateSize(both.m, sig)
    both.call("mj_setKeyframe", 1)
    np.testing.assert_allclose(both.m.key_qpos, both.their_m.key_qpos, atol=1e-7)
    for key in (-1, 2):
        with pytest.raises(ours.FatalError):
            ours.mj_setKeyframe(both.m, both.d, key)


ALL_SHAPES = """
<mujoco><asset><mesh name="me" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><hfield name="hf" nrow="3" ncol="3" size="1 1 1 1"/>
</asset><worldbody><geom type="plane" size="1 1 1"/><geom type="hfield" hfield="hf"/><geom size="1"/>
<geom type="capsule" size="1 1"/><geom type="ellipsoid" size="1 1 1"/><geom type="cylinder" size="1 1"/>
<geom type="box" size="1 1 1"/><geom type="mesh" mesh="me"/></worldbody></mujoco>
"""


def test_most_contacts() -> None:
    """Of all pairs of shapes, with the flags that change it."""
    both = pair(ALL_SHAPES)
    for flags in (0, 1 << 17, 1 << 19, 1 << 17 | 1 << 19):
        for m in (both.m, both.their_m):
            m.opt.disableflags = flags
        for g1 in range(both.m.ngeom):
            for g2 in range(both.m.ngeom):
                mine = ours.mj_maxContact(both.m, g1, g2, -1)
                assert mine == mujoco.mj_maxContact(both.their_m, g1, g2, -1), (g1, g2, flags)


def test_names_and_sizes() -> None:
    """Names to numbers and back, for every type; -1 and None; what a model is; its mass."""
    both = pair()
    for kind in range(26):
        for number in range(4):
            mine = ours.mj_id2name(both.m, kind, number)
            assert mine == mujoco.mj_id2name(both.their_m, kind, number)
            if mine:
                assert ours.mj_name2id(both.m, kind, mine) == number
        assert ours.mj_name2id(both.m, kind, "nothing") == -1
    for name in ("mj_isPyramidal", "mj_isSparse", "mj_isDual"):
        for option, value in (("cone", 1), ("jacobian", 1), ("solver", 0), ("jacobian", 0)):
            assert getattr(ours, name)(both.m) == getattr(mujoco, name)(both.their_m)
            for m in (both.m, both.their_m):
                setattr(m.opt, option, value)
    ours.mj_setTotalmass(both.m, 12.0)
    mujoco.mj_setTotalmass(both.their_m, 12.0)
    np.testing.assert_allclose(ours.mj_getTotalmass(both.m), 12.0)
    np.testing.assert_allclose(both.m.body_inertia, both.their_m.body_inertia)
    both.call("mj_setConst")
    np.testing.assert_allclose(both.m.body_invweight0, both.their_m.body_invweight0, rtol=1e-9)


def test_derivatives() -> None:
    """Finite differences of a step and of inverse dynamics: all outputs, and only some."""
    both = moved(7)
    both.call("mj_forward")
    n, nu, ns = 2 * both.m.nv + both.m.na, both.m.nu, both.m.nsensordata
    shapes = [(n, n), (n, nu), (ns, n), (ns, nu)]
    mine, theirs = ([np.zeros(shape) for shape in shapes] for _ in range(2))
    ours.mjd_transitionFD(both.m, both.d, 1e-6, True, *mine)
    mujoco.mjd_transitionFD(both.their_m, both.their_d, 1e-6, True, *theirs)
    for a, b in zip(mine[:2], theirs[:2], strict=True):
        np.testing.assert_allclose(a, b, atol=1e-4, rtol=1e-4)
    only = np.zeros((n, nu))
    ours.mjd_transitionFD(both.m, both.d, 1e-6, True, None, only, None, None)
    np.testing.assert_allclose(only, mine[1], atol=1e-9)
    with pytest.raises(TypeError):
        ours.mjd_transitionFD(both.m, both.d, 1e-6, True, np.zeros((n + 1, n + 1)), None, None, None)
    nv = both.m.nv
    mine, theirs = ([np.zeros((nv, nv)) for _ in range(3)] for _ in range(2))
    rest = [None] * 4
    ours.mjd_inverseFD(both.m, both.d, 1e-6, False, *mine, *rest)
    mujoco.mjd_inverseFD(both.their_m, both.their_d, 1e-6, False, *theirs, *rest)
    for a, b in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(a, b, atol=2e-2, rtol=1e-3)


def test_refusals() -> None:
    """An unknown option is fatal, as are data of another model; other types are TypeErrors."""
    both = pair()
    both.m.opt.solver = 10
    with pytest.raises(ours.FatalError, match="mj_fwdConstraint: unknown solver type 10"):
        ours.mj_step(both.m, both.d)
    both.m.opt.solver = 2
    other = ours.MjData(ours.MjModel.from_xml_string("<mujoco/>"))
    with pytest.raises(ours.FatalError):
        ours.mj_forward(both.m, other)
    for module, m, d in ((ours, both.m, both.d), (mujoco, both.their_m, both.their_d)):
        small = module.MjData(module.MjModel.from_xml_string("<mujoco/>"))
        with pytest.raises(module.FatalError):
            module.mj_copyData(small, m, d)
    # the centre of mass of a body that was compiled as simple has moved
    both.m.body_ipos[both.m.body("box").id] = 0.1
    both.their_m.body_ipos[both.their_m.body("box").id] = 0.1
    with pytest.raises(ours.FatalError, match="simple"):
        ours.mj_setConst(both.m, both.d)
    with pytest.raises(mujoco.FatalError, match="simple"):
        mujoco.mj_setConst(both.their_m, both.their_d)
    for args in (("a", both.d), (both.m, "b"), (both.m, both.d, 2.0)):
        with pytest.raises(TypeError):
            ours.mj_step(*args)
    for name in ("mj_forward", "mj_kinematics", "mj_step1"):
        with pytest.raises(TypeError):
            getattr(ours, name)(both.d, both.m)
