"""The solvers against MuJoCo, on rows that MuJoCo made; and against what a solution must be.

Files: block.py, cg.py, dual.py, newton.py, noslip.py, pattern.py, pgs.py, primal.py, qcqp.py.
"""

import mujoco
import numpy as np
import pytest

import sim
from sim.stages.solver.solve import fwd_constraint
from tests import oracle
from tests.sim.stages.solver import rows

PGS, CG, NEWTON = 0, 1, 2
SOLVERS = {"pgs": PGS, "cg": CG, "newton": NEWTON}
CONES = {"pyramidal": 0, "elliptic": 1}
JACOBIANS = {"dense": 0, "sparse": 1}
STATES = [("one", 50), ("zoo", 0), ("zoo", 300), ("pile3", 300), ("pile12", 0), ("rolling", 300), ("pile75", 0)]


def table(options):
    return pytest.mark.parametrize(
        next(k for k, v in {"solver": SOLVERS, "cone": CONES, "jacobian": JACOBIANS}.items() if v is options),
        options.values(),
        ids=options,
    )


def moving(scene, steps, **options):
    """A state whose rows are not solved by the last acceleration."""
    mj, dj = rows.settle(scene, steps, **options)
    dj.qvel += np.random.default_rng(1).normal(size=mj.nv) * 0.05
    m, d = rows.engines(mj, dj)
    return mj, dj, m, d


def dense_rows(mj, dj):
    """J as a matrix."""
    if not mujoco.mj_isSparse(mj):
        return dj.efc_J.reshape(dj.nefc, mj.nv)
    out = np.zeros((dj.nefc, mj.nv))
    mujoco.mju_sparse2dense(out, dj.efc_J, dj.efc_J_rownnz, dj.efc_J_rowadr, dj.efc_J_colind)
    return out


def dense_inertia(mj, dj):
    out = np.zeros((mj.nv, mj.nv))
    mujoco.mj_fullM(mj, dj, out)
    return out


# ---------------------------------------------------------------- against MuJoCo


@pytest.mark.parametrize(("scene", "steps"), STATES)
@table(JACOBIANS)
@table(CONES)
@table(SOLVERS)
def test_as_mujoco(solver, cone, jacobian, scene, steps):
    _, dj, m, d = moving(scene, steps, solver=solver, cone=cone, jacobian=jacobian)
    rows.solve(m, d)
    oracle.assert_same(d, dj, [*rows.RESULTS, "efc_b"], 1e-8)
    n = dj.solver_niter[0]
    assert abs(d.solver_niter[0] - n) <= (0 if solver == NEWTON else 1)
    if solver == NEWTON:
        assert d.efc_state.tolist() == dj.efc_state.tolist()


@pytest.mark.parametrize(("scene", "steps"), [("zoo", 300), ("pile12", 0), ("rolling", 300)])
@table(CONES)
@table(SOLVERS)
def test_as_mujoco_when_converged(solver, cone, scene, steps):
    options = {"tolerance": 1e-14, "iterations": 500, "solver": solver, "cone": cone}
    _, dj, m, d = moving(scene, steps, **options)
    rows.solve(m, d)
    oracle.assert_same(d, dj, rows.RESULTS, 1e-6)


@pytest.mark.parametrize(("scene", "steps"), [("zoo", 300), ("pile12", 0), ("rolling", 300)])
@table(JACOBIANS)
@table(CONES)
@table(SOLVERS)
def test_noslip(solver, cone, jacobian, scene, steps):
    options = {"noslip_iterations": 10, "solver": solver, "cone": cone, "jacobian": jacobian}
    _, dj, m, d = moving(scene, steps, **options)
    rows.solve(m, d)
    oracle.assert_same(d, dj, rows.RESULTS, 1e-8)
    assert d.solver_niter[0] == dj.solver_niter[0]


@table(JACOBIANS)
@table(CONES)
def test_newton_statistics(cone, jacobian):
    _, dj, m, d = moving("pile12", 0, cone=cone, jacobian=jacobian)
    rows.solve(m, d)
    n = dj.solver_niter[0]
    assert n >= 2
    for name in ("nactive", "nchange", "neval", "nupdate"):
        assert getattr(d.solver, name)[:n].tolist() == getattr(dj.solver, name)[:n].tolist(), name
    # what is left of the last numbers is rounding
    for name in ("improvement", "gradient"):
        ours, theirs = getattr(d.solver, name)[: n - 1], getattr(dj.solver, name)[: n - 1]
        assert np.allclose(ours, theirs, rtol=1e-4, atol=1e-12), name


@table(SOLVERS)
def test_without_warm_start(solver):
    mj, dj, m, d = moving("pile12", 300, solver=solver)
    flags = mj.opt.disableflags | mujoco.mjtDisableBit.mjDSBL_WARMSTART
    mj.opt.disableflags = m.opt.disableflags = flags
    dj.qacc_warmstart[:] = 1e3
    d.qacc_warmstart = 1e3
    mujoco.mj_forward(mj, dj)
    rows.solve(m, d)
    oracle.assert_same(d, dj, rows.RESULTS, 1e-8)


@table(SOLVERS)
def test_bad_warm_start_is_not_used(solver):
    mj, dj, m, d = moving("pile12", 300, solver=solver)
    dj.qacc_warmstart[:] = 1e6
    d.qacc_warmstart = 1e6
    mujoco.mj_forward(mj, dj)
    rows.solve(m, d)
    oracle.assert_same(d, dj, rows.RESULTS, 1e-8)


@pytest.mark.parametrize("solver", [CG, NEWTON], ids=["cg", "newton"])
@table(CONES)
def test_good_start_takes_no_iteration(solver, cone):
    mj, dj, m, d = moving("zoo", 300, solver=solver, cone=cone, tolerance=1e-12, iterations=500)
    dj.qacc_warmstart[:] = dj.qacc
    mj.opt.tolerance = m.opt.tolerance = 1e-6
    mujoco.mj_forward(mj, dj)
    d.qacc_warmstart = dj.qacc_warmstart
    rows.solve(m, d)
    assert d.solver_niter[0] == dj.solver_niter[0] == 0
    oracle.assert_same(d, dj, rows.RESULTS, 1e-8)


def test_no_rows():
    _, _, m, d = moving("zoo", 0, disableflags=int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT))
    assert d.nefc == 0
    rows.solve(m, d)
    assert np.array_equal(d.qacc, d.qacc_smooth)
    assert not d.qfrc_constraint.any()


# ---------------------------------------------------------------- without the oracle


@table(JACOBIANS)
@table(CONES)
@table(SOLVERS)
def test_forces_and_acceleration_belong_together(solver, cone, jacobian):
    """M qacc = smooth forces + Jᵀ force; nothing pulls; the force is what the acceleration calls for."""
    options = {"solver": solver, "cone": cone, "jacobian": jacobian, "tolerance": 1e-13, "iterations": 2000}
    mj, dj, m, d = moving("pile12", 0, **options)
    rows.solve(m, d)
    jac, inertia = dense_rows(mj, dj), dense_inertia(mj, dj)
    assert np.allclose(jac.T @ d.efc_force, d.qfrc_constraint, atol=1e-9)
    assert np.allclose(inertia @ d.qacc, d.qfrc_smooth + d.qfrc_constraint, atol=1e-5 * np.abs(d.qfrc_constraint).max())
    jar = jac @ d.qacc - d.efc_aref
    if cone == 0:
        called_for = np.where(jar < 0, -d.efc_D * jar, 0)
        assert np.allclose(called_for, d.efc_force, atol=1e-4 * d.efc_force.max())
        assert d.efc_force.min() >= 0
    else:
        for c in range(d.ncon):
            normal, *friction = d.efc_force[3 * c : 3 * c + 3]
            assert np.hypot(*(friction / d.contact.friction[c, :2])) <= normal * (1 + 1e-9) + 1e-9


@table(CONES)
def test_dense_and_sparse_agree(cone):
    results = []
    for jacobian in JACOBIANS.values():
        _, _, m, d = moving("rolling", 300, cone=cone, jacobian=jacobian, tolerance=0, iterations=30)
        rows.solve(m, d)
        results.append(d.qacc.copy())
    assert oracle.error(*results) < 1e-9


def test_asks_for_room():
    """A factor that does not fit is asked for, and nothing is given back."""
    for options, size in (({"solver": NEWTON}, "nL"), ({"solver": PGS}, "nY")):
        _, _, m, d = moving("pile75", 0, **options)
        oracle.poison(d, rows.RESULTS)
        fwd_constraint(m, d)
        assert d.read(f"required.{size}") > 64
        assert np.isnan(d.qacc).all()
        assert d.grow_required()
        rows.solve(m, d)
        assert np.isfinite(d.qacc).all()


@table(JACOBIANS)
@table(CONES)
@table(SOLVERS)
def test_ends_on_bad_numbers(solver, cone, jacobian):
    _, _, m, d = moving("zoo", 300, solver=solver, cone=cone, jacobian=jacobian, noslip_iterations=3)
    d.qfrc_smooth[3] = d.qacc_smooth[3] = np.nan
    rows.solve(m, d)
    assert not np.isfinite(d.qacc).all()


# what overflows: option, plane, ball
HUGE = {
    "gravity": ("gravity='0 0 -1e200'", "", ""),
    "gravity squared": ("gravity='0 0 -1e155'", "", ""),
    "mass": ("", "", "mass='1e308'"),
    "friction": ("", "", "friction='1e308'"),
    "margin": ("", "margin='1e308'", ""),
    "solref": ("", "", "solref='-1e308 -1e308'"),
    "impratio": ("impratio='1e308'", "", ""),
    "large, but not too large": ("", "", "mass='1e200'"),
}


@pytest.mark.parametrize("what", HUGE)
@table(CONES)
@table(SOLVERS)
@pytest.mark.filterwarnings("ignore:.*encountered:RuntimeWarning")
def test_overflow_is_a_warning(tmp_path, monkeypatch, solver, cone, what):
    """What is not finite is not taken for a solution: the step gives the warnings that MuJoCo gives."""
    monkeypatch.chdir(tmp_path)  # for its log
    option, plane, ball = HUGE[what]
    xml = (
        f"<mujoco><option {option}/><worldbody><geom type='plane' size='1 1 1' {plane}/>"
        f"<body pos='0 0 .09'><freejoint/><geom size='.1' {ball}/></body></worldbody></mujoco>"
    )
    mj, m = mujoco.MjModel.from_xml_string(xml), sim.loads(xml)
    for model in (mj, m):
        model.opt.solver, model.opt.cone = solver, cone
    dj, d = mujoco.MjData(mj), sim.Data(m)
    mujoco.mj_step(mj, dj)
    sim.step(m, d)
    assert d.warning.number.tolist() == dj.warning.number.tolist()


def test_solver_statistics_stay_in_their_table():
    _, _, m, d = moving("pile12", 0, solver=CG, tolerance=0, iterations=500)
    rows.solve(m, d)
    assert d.solver_niter[0] > 200
    assert not d.solver.neval[200:].any()
