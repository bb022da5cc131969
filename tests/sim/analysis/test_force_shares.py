"""Shares of accelerations of joints and bodies: force_shares.py, on cases with known answers."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from sim.analysis.force_shares import Shares, body_shares, joint_shares, solve_tree, tree_dofs
from sim.analysis.force_sources import Source, force_sources

PENDULUM = """
<mujoco>
  <worldbody>
    <body name="rod" pos="0 0 1">
      <joint name="pivot" axis="0 1 0"/>
      <inertial pos="0 0 -.5" mass="2" diaginertia="1e-9 1e-9 1e-9"/>
    </body>
  </worldbody>
</mujoco>
"""
TUMBLING = """
<mujoco>
  <worldbody>
    <body name="dumbbell">
      <freejoint/>
      <inertial pos=".3 0 0" mass="2" diaginertia=".01 .02 .03"/>
    </body>
  </worldbody>
</mujoco>
"""
BALL_CHAIN_LINKS = 40


def moment(xml: str, **fields: object) -> tuple[sim.Model, sim.Data]:
    m = sim.loads(xml)
    d = sim.Data(m)
    for name, value in fields.items():
        setattr(d, name, value)
    sim.forward(m, d)
    return m, d


def share(shares: Shares, kind: str) -> np.ndarray:
    """The acceleration from one source."""
    return shares.acceleration[[s.kind for s in shares.sources].index(kind)]


def test_pendulum_joint_has_the_textbook_acceleration():
    m, d = moment(PENDULUM, qpos=[0.4], qvel=[3.0])
    shares = joint_shares(m, d, force_sources(m, d), 0)
    assert share(shares, "gravity") == pytest.approx([-9.81 / 0.5 * np.sin(0.4)], rel=1e-6)
    assert shares.total == pytest.approx(d.qacc)
    assert shares.force.sum(axis=0) == pytest.approx(shares.total_force)


def test_pendulum_bob_is_drawn_to_the_pivot_by_its_velocity():
    angle, speed, length = 0.4, 3.0, 0.5
    m, d = moment(PENDULUM, qpos=[angle], qvel=[speed])
    shares = body_shares(m, d, force_sources(m, d), 1)
    inwards = (np.array([0, 0, 1.0]) - d.xipos[1]) / length
    gravity = np.array([0, 0, -9.81])
    assert share(shares, "velocity")[:3] == pytest.approx(length * speed**2 * inwards, abs=1e-6)
    assert share(shares, "gravity")[:3] == pytest.approx(gravity - gravity @ inwards * inwards, abs=1e-6)
    # the net force is mass times acceleration
    assert shares.force[:, :3] == pytest.approx(2 * shares.acceleration[:, :3])
    assert shares.total[:3] == pytest.approx(shares.acceleration.sum(axis=0)[:3])


def test_free_body_tumbles_about_its_centre_of_mass():
    # its frame is elsewhere: forces of velocity and the curved path cancel
    m, d = moment(TUMBLING, qvel=[0.1, 0.2, 0.3, 4.0, 5.0, 6.0])
    shares = body_shares(m, d, force_sources(m, d), 1)
    assert share(shares, "velocity")[:3] == pytest.approx(np.zeros(3), abs=1e-12)
    assert share(shares, "gravity")[:3] == pytest.approx([0, 0, -9.81])
    # Euler's equations
    inertia, spin = np.array([0.01, 0.02, 0.03]), np.array([4.0, 5.0, 6.0])
    assert share(shares, "velocity")[3:] == pytest.approx(-np.cross(spin, inertia * spin) / inertia)


def test_torque_on_a_body_is_its_share_of_the_force():
    m, d = moment(
        TUMBLING.replace("<body", "<body euler='20 50 70'").replace("mass=", "euler='40 10 30' mass="),
        xfrc_applied=[[0.0] * 6, [0.0, 0.0, 0.0, 0.1, 0.2, -0.3]],
    )
    shares = body_shares(m, d, force_sources(m, d), 1)
    applied = [s.kind for s in shares.sources].index("applied force")
    assert shares.force[applied] == pytest.approx([0, 0, 0, 0.1, 0.2, -0.3], abs=1e-12)


def test_motor_torque_turns_joint_and_body():
    m, d = moment(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j' axis='0 0 1'/>"
        "<inertial pos='.5 0 0' mass='2' diaginertia='.1 .1 .1'/></body></worldbody>"
        "<actuator><motor joint='j'/></actuator></mujoco>",
        ctrl=[3.0],
    )
    found = force_sources(m, d)
    angular = 3.0 / (0.1 + 2 * 0.25)
    assert share(joint_shares(m, d, found, 0), "actuator") == pytest.approx([angular])
    assert share(body_shares(m, d, found, 1), "actuator") == pytest.approx([0, 0.5 * angular, 0, 0, 0, angular])


def test_force_on_one_joint_accelerates_others():
    m, d = moment(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint axis='0 1 0'/><geom size='.1' pos='0 0 -.5'/>"
        "<body pos='0 0 -1'><joint axis='0 1 0'/><geom size='.1' pos='0 0 -.5'/></body></body></worldbody></mujoco>",
        qfrc_applied=[0.0, 1.0],
    )
    found = force_sources(m, d)
    shares = joint_shares(m, d, found, 0)
    assert shares.sources[0] == Source("applied force", "joint", 1)
    assert shares.force[0] == pytest.approx([0.0])
    assert shares.acceleration[0] == pytest.approx([d.qacc[0]])
    assert abs(d.qacc[0]) > 1


def test_tree_that_sleeps_has_no_shares():
    m = sim.loads(
        "<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='9 9 1'/>"
        "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>"
    )
    d = sim.Data(m)
    sim.step(m, d, 3000)
    sim.forward(m, d)
    found = force_sources(m, d)
    for shares in (joint_shares(m, d, found, 0), body_shares(m, d, found, 1), body_shares(m, d, found, 0)):
        assert shares.asleep
        assert not len(shares.sources)
        assert shares.total.tolist() == [0.0] * 6


def test_long_chain_is_solved_beyond_the_rounding_of_its_inertia():
    links = "".join(
        "<body pos='.1 0 0'><joint axis='0 1 0'/><geom size='.02' pos='.1 0 0'/>" for _ in range(BALL_CHAIN_LINKS)
    )
    m, d = moment(f"<mujoco><worldbody>{links}{'</body>' * BALL_CHAIN_LINKS}</worldbody></mujoco>")
    found, block = force_sources(m, d), tree_dofs(m, 0)
    inertia = sim.full_m(m, d)
    assert np.linalg.cond(inertia) > 1e6
    rows = np.eye(m.nv)[:3]
    exact = solve_tree(m, d, block, rows)
    left = inertia.astype(np.longdouble) @ exact.T - rows.T
    assert float(np.abs(left).max()) < 1e-13
    shares = joint_shares(m, d, found, 0)
    assert shares.acceleration.sum(axis=0) == pytest.approx(shares.total, rel=1e-12)
