"""Constraint rows against MuJoCo, field by field, from the positions and contacts that MuJoCo has.

Files: contact.py, equality.py, friction.py, limit.py, reference.py, row.py, tendon.py.
"""

import mujoco
import numpy as np
import pytest

import sim
from sim.stages.constraint.assemble import make_constraint
from sim.stages.smooth.passive import passive
from tests import oracle
from tests.sim.stages.constraint import rows, scenes
from tests.sim.stages.solver.rows import pile

CONES = {"pyramidal": 0, "elliptic": 1}
JACOBIANS = {"dense": 0, "sparse": 1}
FLAGS = ["CONSTRAINT", "EQUALITY", "FRICTIONLOSS", "LIMIT", "CONTACT", "REFSAFE"]
EVERY_ROW = {**scenes.ALL, "heap": pile(12, 4)}
EXACT = mujoco.mjtEnableBit.mjENBL_DIAGEXACT


@pytest.fixture(autouse=True)
def quiet():
    """MuJoCo warns of the solrefs that are wrong on purpose."""
    mujoco.set_mju_user_warning(lambda message: None)
    yield
    mujoco.set_mju_user_warning(None)


def state(scene: str, seed: int = 0, **options):
    """A state near the scene's first, moving, and both engines' models and data for it."""
    mj = mujoco.MjModel.from_xml_string(EVERY_ROW[scene])
    dj = mujoco.MjData(mj)
    for name, value in options.items():
        setattr(mj.opt, name, value)
    rng = np.random.default_rng(seed)
    if scene in ("contacts", "surfaces", "heap"):
        mujoco.mj_step(mj, dj, 5 * seed)
        mujoco.mj_integratePos(mj, dj.qpos, rng.normal(size=mj.nv), 0.002)
    else:
        mujoco.mj_integratePos(mj, dj.qpos, rng.normal(size=mj.nv), 0.3)
    dj.mocap_quat[:] += rng.normal(size=dj.mocap_quat.shape) * 0.1
    dj.qvel[:] = rng.normal(size=mj.nv)
    return mj, dj, *rows.engines(mj, dj)


def same(mj, dj, m, d) -> None:
    rows.make(m, d)
    rows.compare(mj, dj, m, d)


# ---------------------------------------------------------------- against MuJoCo


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("jacobian", JACOBIANS.values(), ids=JACOBIANS)
@pytest.mark.parametrize("cone", CONES.values(), ids=CONES)
@pytest.mark.parametrize("scene", EVERY_ROW)
def test_rows(scene, cone, jacobian, seed):
    mj, dj, m, d = state(scene, seed, cone=cone, jacobian=jacobian)
    assert dj.nefc > 0
    same(mj, dj, m, d)


@pytest.mark.parametrize("flag", FLAGS)
@pytest.mark.parametrize("scene", scenes.ALL)
def test_rows_without(scene, flag):
    same(*state(scene, disableflags=int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}"))))


@pytest.mark.parametrize("jacobian", JACOBIANS.values(), ids=JACOBIANS)
@pytest.mark.parametrize("cone", CONES.values(), ids=CONES)
@pytest.mark.parametrize("scene", scenes.ALL)
def test_rows_with_exact_diagonal(scene, cone, jacobian):
    same(*state(scene, 1, cone=cone, jacobian=jacobian, enableflags=int(EXACT)))


@pytest.mark.parametrize("impratio", [0.1, 1.0, 50.0, 0.0])
@pytest.mark.parametrize("cone", CONES.values(), ids=CONES)
def test_impratio(cone, impratio):
    same(*state("contacts", cone=cone, impratio=impratio))


@pytest.mark.parametrize("timestep", [1e-4, 0.02, 0.2])
@pytest.mark.parametrize("scene", scenes.ALL)
def test_time_constants_follow_the_timestep(scene, timestep):
    same(*state(scene, timestep=timestep))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("scene", ["equalities", "friction"])
def test_solref_and_solimp(scene, seed):
    """Parameters of every form, also beyond their ranges."""
    mj, dj, *_ = state(scene)
    rng = np.random.default_rng(seed)
    for name in ("eq", "jnt", "dof", "tendon"):
        for end in ("_lim", "_fri") if name == "tendon" else ("",):
            ref, imp = getattr(mj, f"{name}_solref{end}"), getattr(mj, f"{name}_solimp{end}")
            ref[:] = rng.choice([0.0, 0.001, 0.05, 1.0, -5.0, -100.0], ref.shape)
            imp[:, [0, 1, 3]] = rng.uniform(-0.2, 1.2, (len(imp), 3))
            imp[:, 2] = rng.choice([0.0, -1.0, 0.01, 1.0, 10.0], len(imp))
            imp[:, 4] = rng.choice([0.5, 1.0, 2.0, 3.0, 4.5], len(imp))
    same(mj, dj, *rows.engines(mj, dj))


def test_switching_equalities():
    mj, dj, *_ = state("equalities")
    dj.eq_active[:] = ~mj.eq_active0
    same(mj, dj, *rows.engines(mj, dj))


def test_sparse_columns():
    """Not only J as a whole: entries that are zero are stored where MuJoCo stores them."""
    for scene in scenes.ALL:
        _, dj, m, d = state(scene, 2, jacobian=JACOBIANS["sparse"])
        rows.make(m, d)
        for name in ("efc_J_rownnz", "efc_J_rowadr", "efc_J_colind"):
            assert d.read(name).tolist() == getattr(dj, name).tolist(), (scene, name)


# ---------------------------------------------------------------- room, layouts, the start


def test_room_is_asked_for_exactly():
    """More rows and entries than fit: none are left, and what is asked for is what they need."""
    _, dj, m, d = state("heap", 40, jacobian=JACOBIANS["sparse"])
    assert dj.nefc > len(d.array("efc_type"))
    make_constraint(m, d)
    assert (d.nefc, d.nJ, d.ne, d.nf, d.nl) == (0, 0, 0, 0, 0)
    assert (d.required.nefc, d.required.nJ) == (dj.nefc, dj.nJ)


def test_layouts_may_be_switched():
    """Dense rows know their columns after sparse ones were there, and after more of them come."""
    mj, dj, m, d = state("contacts")
    for jacobian in (0, 1, 0, 1):
        m.opt.jacobian = mj.opt.jacobian = jacobian
        mujoco.mj_forward(mj, dj)
        rows.copy_inputs(mj, dj, d)
        same(mj, dj, m, d)
    m.opt.jacobian = mj.opt.jacobian = 0
    for flags in (mujoco.mjtDisableBit.mjDSBL_CONTACT, 0):
        m.opt.disableflags = mj.opt.disableflags = int(flags)
        mujoco.mj_forward(mj, dj)
        rows.copy_inputs(mj, dj, d)
        same(mj, dj, m, d)


def test_equalities_start_as_the_file_says():
    m = oracle.model_of(mujoco.MjModel.from_xml_string(scenes.EQUALITIES))
    d = sim.Data(m)
    assert d.eq_active.tolist() == m.eq_active0.tolist()
    d.eq_active = ~m.eq_active0
    sim.reset(m, d)
    assert d.eq_active.tolist() == m.eq_active0.tolist()


# ---------------------------------------------------------------- in the pipeline


@pytest.mark.parametrize("jacobian", JACOBIANS.values(), ids=JACOBIANS)
@pytest.mark.parametrize("scene", ["equalities", "friction"])
def test_forward(scene, jacobian):
    """From the state alone to the acceleration."""
    mj, dj, m, _ = state(scene, 1, jacobian=jacobian)
    mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ISLAND
    mujoco.mj_forward(mj, dj)
    d = sim.Data(m)
    oracle.copy_fields(dj, d, ["qpos", "qvel", "mocap_pos", "mocap_quat", "qacc_warmstart"])
    sim.forward(m, d)
    rows.compare(mj, dj, m, d)
    oracle.assert_same(d, dj, ["qacc", "efc_force"], 1e-6)


@pytest.mark.parametrize("flags", [0, 96], ids=["on", "springs and dampers off"])
def test_adhesion_is_passive(flags):
    _, dj, m, d = state("surfaces", disableflags=flags)
    oracle.copy_fields(dj, d, ["cvel", "qpos", "qvel"])
    oracle.poison(d, ["qfrc_adhesion", "qfrc_passive"])
    passive(m, d)
    assert np.any(dj.qfrc_adhesion) == (flags == 0)
    oracle.assert_same(d, dj, ["qfrc_adhesion", "qfrc_passive"])
