"""What constraint rows must be, without a referee: J is the slope of the position, impedance its curve."""

import mujoco
import numpy as np
import pytest

import sim
from sim.enums import EQ_DISTANCE, OBJ_GEOM
from sim.stages.constraint.impedance import impedance
from tests import oracle
from tests.sim.stages.constraint import rows, scenes

JACOBIANS = {"dense": 0, "sparse": 1}

# two geoms on different trees and two on the same one, to be kept at a distance
ROPES = """
<mujoco>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <geom name="hook" size=".1" pos="0 0 2"/>
    <body pos="0 0 1"><freejoint/><geom name="a" type="box" size=".1 .2 .1" pos=".1 0 0"/>
      <body pos=".3 0 0"><joint type="ball"/><geom name="b" size=".1" pos=".1 .1 0"/></body></body>
    <body pos="1 0 1"><joint axis="0 1 0"/><geom name="c" size=".1" pos=".2 0 .1"/></body>
  </worldbody>
  <equality>
    <joint joint1="spare"/><joint joint1="spare"/><joint joint1="spare"/>
  </equality>
</mujoco>
""".replace('<joint axis="0 1 0"/>', '<joint name="spare" axis="0 1 0"/>')


def ropes(jacobian):
    """MuJoCo has no distance equality: its model is given three joint equalities, and ours turns them."""
    mj = mujoco.MjModel.from_xml_string(ROPES)
    mj.opt.jacobian = jacobian
    dj = mujoco.MjData(mj)
    oracle.random_state(mj, dj, 3)
    m, d = rows.engines(mj, dj)
    m.eq_type = EQ_DISTANCE
    m.eq_objtype = OBJ_GEOM
    names = [("hook", "a"), ("a", "b"), ("b", "c")]
    m.eq_obj1id = [mj.geom(first).id for first, _ in names]
    m.eq_obj2id = [mj.geom(second).id for _, second in names]
    m.eq_data[:, 0] = [0.5, 0.2, 0.1]
    return mj, dj, m, d


def moved(mj, dj, d, v, h):
    """Positions after moving along one dof."""
    other = mujoco.MjData(mj)
    for name in ("qpos", "qvel", "mocap_pos", "mocap_quat"):
        getattr(other, name)[:] = getattr(dj, name)
    mujoco.mj_integratePos(mj, other.qpos, np.eye(mj.nv)[v], h)
    mujoco.mj_forward(mj, other)
    rows.copy_inputs(mj, other, d)


def slopes(mj, dj, m, d, h=1e-6):
    """d(efc_pos)/dq by differences"""
    columns = []
    for v in range(mj.nv):
        ends = []
        for step in (h, -h):
            moved(mj, dj, d, v, step)
            rows.make(m, d)
            ends.append(d.efc_pos.copy())
        columns.append((ends[0] - ends[1]) / (2 * h))
    rows.copy_inputs(mj, dj, d)
    rows.make(m, d)
    return np.array(columns).T


@pytest.mark.parametrize("jacobian", JACOBIANS.values(), ids=JACOBIANS)
def test_distance(jacobian):
    mj, dj, m, d = ropes(jacobian)
    slope = slopes(mj, dj, m, d)
    assert d.nefc == d.ne == 3
    way = np.linalg.norm(dj.geom_xpos[m.eq_obj1id] - dj.geom_xpos[m.eq_obj2id], axis=1)
    assert d.efc_pos == pytest.approx(way - [0.5, 0.2, 0.1])
    assert rows.our_dense(m, d) == pytest.approx(slope, abs=1e-7)
    assert d.efc_vel == pytest.approx(slope @ dj.qvel, abs=1e-6)


def test_forces_of_a_distance_are_felt():
    """Sensors read the same if the user pulls in its place."""
    m = sim.loads("""
    <mujoco>
      <default><geom contype="0" conaffinity="0"/></default>
      <worldbody>
        <geom name="hook" size=".1" pos="0 .5 3"/>
        <body pos="0 0 1"><joint axis="0 1 0"/><geom size=".1"/>
          <body name="hand" pos=".5 0 0"><geom name="a" size=".1"/><site name="wrist" pos="-.1 0 0"/></body></body>
        <body name="ball" pos="1 1 0"><freejoint/><geom name="b" size=".1"/></body>
      </worldbody>
      <equality>
        <distance geom1="a" geom2="hook" distance="1.5"/><distance geom1="b" geom2="a" distance="1"/>
      </equality>
      <sensor><force site="wrist"/><torque site="wrist"/><framelinacc objtype="body" objname="ball"/></sensor>
    </mujoco>""")
    held, pulled = sim.Data(m), sim.Data(m)
    sim.forward(m, held)
    assert abs(held.efc_force).min() > 1
    pulled.eq_active = 0
    hook, a, b = held.geom_xpos[[m.geom(name).id for name in ("hook", "a", "b")]]
    up, along = ((way / np.linalg.norm(way)) for way in (a - hook, b - a))
    hand, ball = m.body("hand").id, m.body("ball").id
    pulled.xfrc_applied[hand, :3] = held.efc_force[0] * up - held.efc_force[1] * along
    pulled.xfrc_applied[ball, :3] = held.efc_force[1] * along
    sim.forward(m, pulled)
    assert pulled.nefc == 0
    for name in ("qacc", "sensordata", "cfrc_ext", "cfrc_int", "cacc"):
        assert held.read(name) == pytest.approx(pulled.read(name), rel=1e-9, abs=1e-9), name


def test_equalities_move_as_their_rows_say():
    mj = mujoco.MjModel.from_xml_string(scenes.EQUALITIES)
    dj = mujoco.MjData(mj)
    oracle.random_state(mj, dj, 1)
    m, d = rows.engines(mj, dj)
    slope = slopes(mj, dj, m, d)
    assert rows.our_dense(m, d) == pytest.approx(slope, abs=1e-6)


@pytest.mark.parametrize("power", [1.0, 1.5, 2.0, 4.0])
@pytest.mark.parametrize("mid", [0.2, 0.5, 0.8])
def test_impedance_is_a_smooth_sigmoid(mid, power):
    solimp = (0.3, 0.9, 0.1, mid, power)
    x = np.linspace(-0.12, 0.12, 4801)
    y, slope = np.array([impedance(solimp, float(v)) for v in x]).T
    assert (y[0], y[2400], y[-1]) == pytest.approx((0.9, 0.3, 0.9))
    assert y == pytest.approx(y[::-1])
    assert (np.diff(y[2400:]) > -1e-12).all()
    inside = (abs(x) > 0.001) & (abs(x) < 0.099) & (abs(abs(x) - 0.1 * mid) > 0.001)
    assert np.gradient(y, x)[inside] == pytest.approx(slope[inside], rel=1e-2)


def test_no_room_is_left_as_it_was():
    """Nothing is written beyond the arrays: a heap that does not fit leaves no rows at all."""
    mj = mujoco.MjModel.from_xml_string(scenes.CONTACTS)
    dj = mujoco.MjData(mj)
    m, d = rows.engines(mj, dj)
    rows.make(m, d)
    fitting = d.efc_J.copy()
    rows.make(m, d)
    assert (d.efc_J == fitting).all()
    empty = sim.Data(m)
    rows.make(m, empty)
    assert (empty.nefc, empty.ncon) == (0, 0)
