"""Functions that scripts call, against MuJoCo's of the same name."""

from __future__ import annotations

import copy
import inspect
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import sim
from sim import enums
from sim.script import jacobian, positions
from tests.oracle import STATE, assert_same, copy_fields, poison, random_state, read
from tests.sim import models

XML = """
<mujoco>
  <worldbody>
    <camera name="eye" pos="0 -3 1" mode="trackcom"/>
    <light mode="targetbodycom" target="torso" pos="1 1 3"/>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="torso" pos="0 0 .3">
      <freejoint/>
      <geom name="trunk" type="box" size=".2 .1 .1" pos=".05 0 0" euler="10 20 30"/>
      <body name="arm" pos=".2 0 0">
        <joint type="ball"/>
        <geom name="upper" type="capsule" size=".04" fromto="0 0 0 .3 0 .1"/>
        <body name="hand" pos=".3 0 .1">
          <joint name="wrist" axis="0 1 1" armature=".01"/>
          <joint name="slider" type="slide" axis="1 0 0"/>
          <geom type="sphere" size=".06"/>
          <site name="tip" pos=".1 0 0" euler="0 40 0"/>
          <camera name="view" pos="0 0 .1"/>
        </body>
      </body>
    </body>
    <body name="ball" pos=".1 .1 .75"><freejoint/><geom size=".1"/></body>
    <body name="held" pos="1 1 1" mocap="true">
      <geom name="handle" size=".1" contype="0" conaffinity="0"/>
      <body name="welded" pos=".2 0 0"><site name="mark" pos="0 .1 0"/></body>
    </body>
  </worldbody>
  <tendon>
    <fixed><joint joint="wrist" coef="2"/><joint joint="slider" coef="-1"/></fixed>
    <spatial><site site="tip"/><site site="mark"/></spatial>
  </tendon>
  <actuator><motor joint="wrist" gear="3"/></actuator>
</mujoco>
"""

Engines = tuple[mujoco.MjModel, mujoco.MjData, sim.Model, sim.Data]


@pytest.fixture(params=range(2))
def engines(request: pytest.FixtureRequest) -> Engines:
    """Both engines in the same random state, all of it computed."""
    mj = mujoco.MjModel.from_xml_string(XML)
    dj, m = mujoco.MjData(mj), sim.loads(XML)
    d = sim.Data(m)
    random_state(mj, dj, request.param)
    copy_fields(dj, d, STATE)
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    return mj, dj, m, d


def same(ours: Any, theirs: Any) -> bool:
    """The same numbers in the same shape."""
    return np.shape(ours) == np.shape(theirs) and np.allclose(ours, theirs, rtol=1e-9, atol=1e-11)


# ---- stages ----

# stage of ours, of MuJoCo, and what it writes
STAGES: list[tuple[Callable[..., None], Callable[..., None], tuple[str, ...]]] = [
    (sim.kinematics, mujoco.mj_kinematics, ("xpos", "xquat", "xmat", "xipos", "geom_xpos", "site_xmat")),
    (sim.com_pos, mujoco.mj_comPos, ("subtree_com", "cinert", "cdof")),
    (sim.camlight, mujoco.mj_camlight, ("cam_xpos", "cam_xmat")),
    (sim.com_vel, mujoco.mj_comVel, ("cvel", "cdof_dot")),
    (sim.fwd_position, mujoco.mj_fwdPosition, ("xpos", "cdof", "M", "qLD", "efc_J", "actuator_length")),
    (sim.fwd_velocity, mujoco.mj_fwdVelocity, ("cvel", "qfrc_bias", "efc_aref", "actuator_velocity")),
    (sim.fwd_constraint, mujoco.mj_fwdConstraint, ("efc_force", "qfrc_constraint", "qacc")),
    (sim.subtree_vel, mujoco.mj_subtreeVel, ("subtree_linvel", "subtree_angmom")),
    (sim.rne_post_constraint, mujoco.mj_rnePostConstraint, ("cacc", "cfrc_int", "cfrc_ext")),
]


@pytest.mark.parametrize(("ours", "theirs", "fields"), STAGES, ids=[s[0].__name__ for s in STAGES])
def test_a_stage_alone(engines: Engines, ours: Any, theirs: Any, fields: tuple[str, ...]) -> None:
    mj, dj, m, d = engines
    poison(d, fields)
    ours(m, d)
    theirs(mj, dj)
    assert_same(d, dj, fields, 1e-9)


def test_contacts_alone(engines: Engines) -> None:
    mj, dj, m, d = engines
    for position in (dj.qpos, d.qpos):
        position[2], position[-7:-4] = 0.02, (0.1, 0.1, 0.3)
    for stage in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_collision):
        stage(mj, dj)
    for stage in (sim.kinematics, sim.com_pos, sim.collision):
        stage(m, d)
    assert d.ncon == dj.ncon > 2
    assert_same(d, dj, ("contact.geom", "contact.dist", "contact.pos"), 1e-9)


@pytest.mark.parametrize("flg_acc", (0, 1))
def test_newton_euler_leaves_data_alone(engines: Engines, flg_acc: int) -> None:
    mj, dj, m, d = engines
    forces, before = np.zeros(mj.nv), (d.qacc.copy(), d.qfrc_bias.copy())
    mujoco.mj_rne(mj, dj, flg_acc, forces)
    assert same(sim.rne(m, d, bool(flg_acc)), forces)
    assert (d.qacc == before[0]).all() and (d.qfrc_bias == before[1]).all()


# ---- dynamics ----


def test_inertia_matrix(engines: Engines) -> None:
    mj, dj, m, d = engines
    rows, full, product, solution = np.eye(mj.nv)[:3] + 0.1, *(np.zeros((n, mj.nv)) for n in (mj.nv, 3, 3))
    mujoco.mj_fullM(mj, dj, full)
    for row, out in zip(rows, product, strict=True):
        mujoco.mj_mulM(mj, dj, out, row)
    mujoco.mj_solveM(mj, dj, solution, rows)
    assert same(sim.full_m(m, d), full)
    assert same(sim.mul_m(m, d, rows), product) and same(sim.mul_m(m, d, rows[0]), product[0])
    assert same(sim.solve_m(m, d, rows), solution) and same(sim.solve_m(m, d, rows[0]), solution[0])


def test_sparse_matrices_in_full(engines: Engines) -> None:
    mj, dj, m, d = engines
    inertia = sim.sparse_to_dense(d.M, m.M_rownnz, m.M_rowadr, m.M_colind, m.nv)
    assert same(inertia, np.tril(sim.full_m(m, d)))
    tendons = sim.sparse_to_dense(d.ten_J, m.ten_J_rownnz, m.ten_J_rowadr, m.ten_J_colind, m.nv)
    wanted = np.zeros((mj.ntendon, mj.nv))
    mujoco.mju_sparse2dense(wanted, dj.ten_J, mj.ten_J_rownnz, mj.ten_J_rowadr, mj.ten_J_colind)
    assert same(tendons, wanted) and wanted[1].any()
    moment = sim.sparse_to_dense(d.actuator_moment, d.moment_rownnz, d.moment_rowadr, d.moment_colind, m.nv)
    assert moment[0, m.joint("wrist").dofadr] == moment.sum() == 3


@pytest.mark.parametrize("body", ("torso", "arm", "hand", "ball"))
def test_rates_of_jacobians_and_momentum(engines: Engines, body: str) -> None:
    mj, dj, m, d = engines
    b, point = mj.body(body).id, dj.body(body).xpos + 0.3
    jacp, jacr, momentum = (np.zeros((3, mj.nv)) for _ in range(3))
    mujoco.mj_jacDot(mj, dj, jacp, jacr, point, b)
    ours = sim.jac_dot(m, d, point, b)
    assert same(ours[0], jacp) and same(ours[1], jacr)
    mujoco.mj_angmomMat(mj, dj, momentum, b)
    assert same(sim.angmom_mat(m, d, b), momentum)


def test_wrench_is_added(engines: Engines) -> None:
    mj, dj, m, d = engines
    force, torque, point = np.array([1.0, 2, 3]), np.array([0.1, 0.2, 0.3]), np.array([0.0, 0, 1])
    mujoco.mj_applyFT(mj, dj, force, torque, point, 3, dj.qfrc_applied)
    sim.apply_ft(m, d, force, torque, point, 3, d.qfrc_applied)
    assert same(d.qfrc_applied, dj.qfrc_applied)
    with pytest.raises(ValueError, match="in place"):
        sim.apply_ft(m, d, force, torque, point, 3, [0.0] * m.nv)  # type: ignore[arg-type]


OBJECTS = [
    ("body", "hand"),
    ("body", "world"),
    ("geom", "trunk"),
    ("geom", "floor"),
    ("site", "tip"),
    ("camera", "view"),
    ("body", "held"),
    ("geom", "handle"),
    ("site", "mark"),
]


@pytest.mark.parametrize(("kind", "name"), OBJECTS)
@pytest.mark.parametrize("local", (0, 1))
def test_motion_of_objects(engines: Engines, kind: str, name: str, local: int) -> None:
    mj, dj, m, d = engines
    number, i, motion = getattr(enums, f"OBJ_{kind.upper()}"), m.name2id(kind, name), np.zeros(6)
    mujoco.mj_objectVelocity(mj, dj, number, i, motion, local)
    assert same(sim.object_velocity(m, d, kind, i, bool(local)), motion)
    assert same(sim.object_velocity(m, d, number, i, bool(local)), motion)
    mujoco.mj_rnePostConstraint(mj, dj)
    mujoco.mj_objectAcceleration(mj, dj, number, i, motion, local)
    assert same(sim.object_acceleration(m, d, kind, i, bool(local)), motion)


def test_frame_of_a_body(engines: Engines) -> None:
    mj, dj, m, d = engines
    motion = np.zeros(6)
    mujoco.mj_objectVelocity(mj, dj, mujoco.mjtObj.mjOBJ_XBODY, 3, motion, 1)
    assert same(sim.object_velocity(m, d, "xbody", 3, True), motion)
    with pytest.raises(ValueError, match="joint"):
        sim.object_velocity(m, d, "joint", 0)
    with pytest.raises(IndexError, match="there are 2"):
        sim.object_velocity(m, d, "site", 2)


# ---- positions ----


def test_positions_and_velocities(engines: Engines) -> None:
    mj, dj, m, d = engines
    theirs, velocity = mj.qpos0.copy(), np.zeros(mj.nv)
    mujoco.mj_differentiatePos(mj, velocity, 0.3, theirs, dj.qpos)
    assert same(sim.differentiate_pos(m, 0.3, m.qpos0, d.qpos), velocity)
    ours = m.qpos0.copy()
    mujoco.mj_integratePos(mj, theirs, velocity, 0.2)
    sim.integrate_pos(m, ours, velocity, 0.2)
    assert same(ours, theirs)
    sim.integrate_pos(m, ours, velocity, 0.1)
    assert same(np.abs(ours), np.abs(d.qpos))


def test_small_velocities_are_not_lost(engines: Engines) -> None:
    _, _, m, d = engines
    velocity = np.full(m.nv, 1e-9)
    ours = d.qpos.copy()
    sim.integrate_pos(m, ours, velocity, 1.0)
    assert np.allclose(sim.differentiate_pos(m, 1.0, d.qpos, ours), velocity, rtol=1e-5)


@pytest.mark.parametrize("part", (0.0, 1e-16, 1e-14, np.nan))
def test_quaternions_of_a_position(engines: Engines, part: float) -> None:
    mj, _, m, d = engines
    ours = 3 * d.qpos
    ours[-4:] = part, 0, 0, part
    theirs = ours.copy()
    mujoco.mj_normalizeQuat(mj, theirs)
    sim.normalize_quat(m, ours)
    assert np.allclose(ours, theirs, rtol=1e-12, atol=0, equal_nan=True)


def test_positions_of_other_models(engines: Engines) -> None:
    _, _, m, d = engines
    with pytest.raises(ValueError, match=f"qpos has {m.nq} numbers"):
        sim.integrate_pos(m, np.zeros(3), d.qvel, 0.1)
    with pytest.raises(ValueError, match="in place"):
        sim.integrate_pos(m, list(d.qpos), d.qvel, 0.1)  # type: ignore[arg-type]


class Interrupted:
    """A model of which somebody else asks the same when a field of it is read."""

    def __init__(self, m: sim.Model, field: str, ask: Callable[[Any], Any]) -> None:
        self.m, self.field, self.ask, self.answers = m, field, ask, list[Any]()

    def __getattr__(self, name: str) -> Any:
        if name == self.field:
            self.field = ""
            self.answers.append(copy.deepcopy(self.ask(self)))
        return getattr(self.m, name)


@pytest.mark.parametrize(
    ("field", "ask"),
    [
        ("dof_parentid", lambda m: jacobian.dofs_above(m, 3)),
        ("jnt_dofadr", lambda m: positions.position_parts(m).quats),
    ],
    ids=("dofs", "parts"),
)
def test_threads_share_what_is_kept_with_a_model(engines: Engines, field: str, ask: Callable[[Any], Any]) -> None:
    m = Interrupted(engines[2], field, ask)
    assert m.ask(m) and m.answers == [ask(m)]


# ---- rotations ----

P, Q, V = np.array([0.5, 0.5, -0.5, 0.5]), np.array([0.8, 0.0, 0.6, 0.0]), np.array([1.0, -2.0, 0.5])
R = np.array(sim.quat_to_mat(sim.mul_quat(P, Q)))
# ours, and MuJoCo's with its output in front
ROTATIONS: list[tuple[Callable[[], np.ndarray], Callable[[np.ndarray], None]]] = [
    (lambda: sim.mul_quat(P, Q), lambda out: mujoco.mju_mulQuat(out, P, Q)),
    (lambda: sim.neg_quat(P), lambda out: mujoco.mju_negQuat(out, P)),
    (lambda: sim.rot_vec_quat(V, P), lambda out: mujoco.mju_rotVecQuat(out, V, P)),
    (lambda: sim.axis_angle_to_quat([0, 0, 1], 0.7), lambda out: mujoco.mju_axisAngle2Quat(out, np.eye(3)[2], 0.7)),
    (lambda: sim.euler_to_quat(V, "xYz"), lambda out: mujoco.mju_euler2Quat(out, V, "xYz")),
    (lambda: sim.quat_to_mat(Q).ravel(), lambda out: mujoco.mju_quat2Mat(out, Q)),
    (lambda: sim.mat_to_quat(R), lambda out: mujoco.mju_mat2Quat(out, R.ravel())),
    (lambda: sim.quat_to_vel(Q, 0.5), lambda out: mujoco.mju_quat2Vel(out, Q, 0.5)),
    (lambda: sim.quat_to_vel(-Q, 0.5), lambda out: mujoco.mju_quat2Vel(out, -Q, 0.5)),
    (lambda: sim.sub_quat(P, Q), lambda out: mujoco.mju_subQuat(out, P, Q)),
]


@pytest.mark.parametrize(("ours", "theirs"), ROTATIONS)
def test_rotations(ours: Callable[[], np.ndarray], theirs: Callable[[np.ndarray], None]) -> None:
    found = ours()
    wanted = np.zeros_like(found)
    theirs(wanted)
    assert same(found, wanted)


DIRECTIONS = ([1, -2, 0.5], [0, 0, -2], [0, 0, 0], [1e-9, 0, -1], [0, 1e-9, 1], [1e-16, 0, -1], [0, 0, 1e-20])


@pytest.mark.parametrize("vec", DIRECTIONS, ids=str)
def test_turn_to_a_direction(vec: list[float]) -> None:
    wanted = np.zeros(4)
    mujoco.mju_quatZ2Vec(wanted, np.array(vec, float))
    assert np.allclose(sim.quat_z_to_vec(vec), wanted, rtol=1e-6, atol=1e-15)


def test_quaternion_integrated() -> None:
    theirs = Q.copy()
    mujoco.mju_quatIntegrate(theirs, V, 0.3)
    assert same(sim.quat_integrate(Q, V, 0.3), theirs)


def test_wrong_numbers_are_named() -> None:
    with pytest.raises(ValueError, match="a quaternion has 4 numbers, not 3"):
        sim.mul_quat(P, V)
    with pytest.raises(ValueError, match="'xy' is not a sequence"):
        sim.euler_to_quat(V, "xy")


# ---- names and copies ----


def test_kinds_by_number(engines: Engines) -> None:
    mj, _, m, _ = engines
    for kind in (enums.OBJ_BODY, enums.OBJ_XBODY, enums.OBJ_GEOM, enums.OBJ_SITE, enums.OBJ_CAMERA, enums.OBJ_JOINT):
        for i, name in enumerate(m.names[sim.named.NUMBERS[kind]]):
            assert m.id2name(kind, i) == name == (mujoco.mj_id2name(mj, kind, i) or "")
            assert not name or m.name2id(kind, name) == mujoco.mj_name2id(mj, kind, name) == i
    with pytest.raises(ValueError, match="no names for '99', only for"):
        m.id2name(99, 0)


def test_copied_data_goes_on_alike(engines: Engines) -> None:
    _, _, m, d = engines
    other = sim.Data(m)
    sim.copy_data(other, m, d)
    assert (other.contact.dist == d.contact.dist).all() and (other.xpos == d.xpos).all()
    sim.step(m, d, 5)
    assert other.time < d.time
    sim.step(m, other, 5)
    assert (other.qpos == d.qpos).all()
    with pytest.raises(ValueError, match="another model"):
        sim.copy_data(other, m, sim.Data(sim.loads(models.FOLLOWERS)))


PILE = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <replicate count="20" offset=".3 0 0">
      <body pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    </replicate>
  </worldbody>
</mujoco>
"""


def test_copied_data_grows() -> None:
    m = sim.loads(PILE)
    d, other = sim.Data(m), sim.Data(m)
    sim.step(m, d, 3)
    assert d.ncon == 80
    sim.copy_data(other, m, d)
    assert (other.contact.dist == d.contact.dist).all() and (other.efc_force == d.efc_force).all()
    sim.step(m, d, 5)
    sim.step(m, other, 5)
    assert (other.qpos == d.qpos).all()


CONSTANTS = (
    "body_subtreemass", "body_invweight0", "dof_invweight0", "dof_M0", "cam_poscom0", "cam_pos0", "cam_mat0",
    "light_poscom0", "ngravcomp", "flg_gravcomp", "stat.meanmass", "stat.meaninertia", "actuator_acc0",
    "dof_length", "body_sameframe", "geom_sameframe", "site_sameframe",
)  # fmt: skip


def test_constants_follow_edits_and_need_no_data(engines: Engines, tmp_path: Path) -> None:
    mj, dj, m, d = engines
    state, seen = d.qpos.copy(), (m.stat.extent, m.stat.meansize, *m.stat.center)
    for model in (mj, m):
        model.body_mass[:] *= np.linspace(1, 3, mj.nbody)
        model.body_inertia[:] *= 2
        model.body_pos[1:] += 0.1
        model.body_gravcomp[2] = 0.5
    # mocap bodies are where that Data has them
    mujoco.mj_setConst(mj, mujoco.MjData(mj))
    sim.set_const(m, d)
    for name in CONSTANTS:
        assert same(m.read(name), read(mj, name)), name
    assert (d.qpos == state).all()
    # a file needs the edits alone
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m.save_xml(tmp_path / "edited.xml")
    assert "statistic" not in (tmp_path / "edited.xml").read_text()
    assert same(sim.load(tmp_path / "edited.xml").body_subtreemass, m.body_subtreemass)
    # what is seen does not change with what is edited
    assert (m.stat.extent, m.stat.meansize, *m.stat.center) == seen
    # and they count: the next step is that of MuJoCo
    copy_fields(dj, d, STATE)
    sim.forward(m, d)
    mujoco.mj_forward(mj, dj)
    assert_same(d, dj, ("subtree_com", "qacc"), 1e-6)


TURNED = """
<mujoco>
  <worldbody>
    <body pos="0 0 1">
      <joint/>
      <geom type="capsule" size=".05 .2" pos=".1 0 0" euler="20 30 0"/>
      <site pos=".1 0 0" euler="20 30 0"/>
      <site/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize("field", ("body_ipos", "body_iquat", "geom_pos", "geom_quat", "site_pos", "site_quat"))
def test_frames_that_agree_follow_edits(field: str) -> None:
    mj = mujoco.MjModel.from_xml_string(TURNED)
    dj, m = mujoco.MjData(mj), sim.loads(TURNED)
    d = sim.Data(m)
    for model in (mj, m):
        rows = getattr(model, field)
        rows[-1] = (0.8, 0, 0.6, 0) if field.endswith("quat") else rows[-1] + 0.1
    mujoco.mj_setConst(mj, dj)
    sim.set_const(m)
    for name in CONSTANTS:
        assert same(m.read(name), read(mj, name)), name
    mujoco.mj_forward(mj, dj)
    sim.forward(m, d)
    assert_same(d, dj, ("xipos", "ximat", "geom_xpos", "geom_xmat", "site_xpos", "site_xmat", "qacc"), 1e-9)


def test_a_simple_body_does_not_get_another_centre(engines: Engines) -> None:
    mj, dj, m, _ = engines
    before = m.values()
    for model in (mj, m):
        model.body_ipos[model.body("ball").id, 0] = 0.1
    with pytest.raises(mujoco.FatalError, match="simple"):
        mujoco.mj_setConst(mj, dj)
    with pytest.raises(ValueError, match=r"the inertial frame of body ball has moved.*simple=.false"):
        sim.set_const(m)
    # nothing else has changed
    m.body_ipos = before["body_ipos"]
    assert all(np.array_equal(m.read(name), value, equal_nan=True) for name, value in before.items())


# ---- arguments that do not fit ----

# what a function needs besides (m, d), by the names of its parameters
GIVEN: dict[str, Any] = {
    "point": np.zeros(3), "axis": np.zeros(3), "force": np.zeros(3), "torque": np.zeros(3), "pnt": np.zeros(3),
    "vec": np.ones(3), "body": 0, "geom": 0, "geom1": 0, "geom2": 0, "site": 0, "contact": 0, "objtype": "body",
    "objid": 0, "distmax": 1.0, "tree": 0, "key": 0, "rows": 3, "qfrc": np.zeros(99), "path": "nowhere", "state": {},
    "parts": {}, "actuator": 0, "sensor": 0, "time": 0.0, "values": np.zeros((1, 1)), "kernel": "passive",
}  # fmt: skip
# theirs come with a size of their own, which is wrong first
ALONE = {"set_state": lambda m, d: sim.set_state(m, d, np.zeros(sim.state_size(m)))}
ALONE |= {"multi_ray": lambda m, d: sim.multi_ray(m, d, np.zeros(3), np.ones((2, 3)))}


def takes(name: str) -> list[str]:
    """Names of the parameters that a public function has to be given; none of what is not a function."""
    function = getattr(sim, name)
    if not callable(function) or isinstance(function, type):
        return []
    return [n for n, p in inspect.signature(function).parameters.items() if p.default is p.empty or n == "d"]


FOREIGN = [name for name in sim.__all__ if takes(name)[:2] == ["m", "d"] and name != "load_state"]


@pytest.mark.parametrize("name", FOREIGN)
def test_data_of_another_model_is_refused(name: str) -> None:
    large, small = (sim.loads(xml) for xml in (XML, PILE))
    call = ALONE.get(name, lambda m, d: getattr(sim, name)(m, d, *[GIVEN[n] for n in takes(name)[2:]]))
    for m, other in ((large, small), (small, large)):
        d = sim.Data(other)
        for model in (m, other):
            model.opt.enableflags |= enums.ENBL_SLEEP
        if name == "contact_force":
            d.ncon = 1
        with pytest.raises(ValueError, match="belongs to another model"):
            call(m, d)


def test_a_saved_state_is_not_for_data_of_another_model(tmp_path: Path) -> None:
    m, other = sim.loads(XML), sim.loads(PILE)
    sim.save_state(m, sim.Data(m), tmp_path / "state.npz")
    with pytest.raises(ValueError, match="belongs to another model"):
        sim.load_state(m, sim.Data(other), tmp_path / "state.npz")


INDEXED = [(name, n) for name in FOREIGN for n in takes(name) if n in ("body", "geom", "geom1", "geom2", "site")]


@pytest.mark.parametrize(("name", "index"), INDEXED)
@pytest.mark.parametrize("by_name", (False, True))
def test_indices_that_nothing_has(engines: Engines, name: str, index: str, by_name: bool) -> None:
    _, _, m, d = engines
    given = {n: GIVEN[n] for n in takes(name)[2:]}
    count = m.read(f"n{index.rstrip('12')}")
    for bad in (-1, count, 10**9):
        arguments = given | {index: bad}
        with pytest.raises(IndexError, match=rf"{index.rstrip('12')} {bad}: there are {count}"):
            getattr(sim, name)(m, d, *(() if by_name else arguments.values()), **(arguments if by_name else {}))


@pytest.mark.parametrize(
    "call",
    [
        sim.step, sim.forward, sim.inverse, sim.step1, sim.step2, sim.reset, sim.get_state, sim.copy_state, sim.wake,
        sim.kinematics, sim.transition, sim.transition_fd, sim.set_const, sim.stage_times,
    ],
)  # fmt: skip
def test_model_and_data_are_checked(call: Callable[..., Any], engines: Engines) -> None:
    _, _, m, d = engines
    for wrong in ((3, d), (m, 3), (d, m)):
        with pytest.raises(TypeError, match=r"\b[md] (should be a Model|should be a Data|cannot be)"):
            call(*wrong)


def test_steps_do_not_run_backwards(engines: Engines) -> None:
    _, _, m, d = engines
    before = sim.get_state(m, d)
    with pytest.raises(ValueError, match="nstep is -5"):
        sim.step(m, d, -5)
    sim.step(m, d, 0)
    assert np.array_equal(sim.get_state(m, d), before)
