"""The perturbation of the mouse: its force, and what it leaves alone."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import sim
from sim.enums import PERT_ROTATE, PERT_TRANSLATE, STATE_INTEGRATION, WAKE_XFRC

BALL = "<body name='b' pos='0 0 1'><freejoint/><geom size='.1'/></body>"
ARM = """<body><joint axis='0 1 0' damping='.01'/><geom type='capsule' size='.03' fromto='0 0 0 .4 0 0'/>
<body pos='.4 0 0'><joint axis='0 1 0' damping='.01'/><geom type='capsule' size='.03' fromto='0 0 0 .4 0 0'/>
</body></body>"""


def engine(bodies: str, option: str = "gravity='0 0 0'", rest: str = "") -> tuple[Any, Any]:
    """Model and data, ready to step."""
    model: Any = sim.loads(f"<mujoco><option {option}/><worldbody>{bodies}</worldbody>{rest}</mujoco>")
    data = sim.Data(model)
    sim.forward(model, data)
    return model, data


def pull(d: Any, body: int, target: Any, point: Any = (0.0, 0.0, 0.0)) -> None:
    """Pull a point of a body somewhere."""
    d.perturb.select, d.perturb.active = body, PERT_TRANSLATE
    d.perturb.localpos, d.perturb.refselpos = point, target


def distances(m: Any, d: Any, seconds: float) -> list[float]:
    """How far the point is from its target over time."""
    left = []
    for _ in range(round(seconds / m.opt.timestep)):
        sim.step(m, d)
        b = d.perturb.select
        point = d.xpos[b] + d.xmat[b].reshape(3, 3) @ d.perturb.localpos
        left.append(float(np.linalg.norm(point - d.perturb.refselpos)))
    return left


@pytest.mark.parametrize("density", [10, 1000, 20000])
def test_a_body_comes_to_the_target_without_swinging(density: float) -> None:
    m, d = engine(BALL.replace("size", f"density='{density}' size"))
    pull(d, 1, (0.5, 0.0, 1.0))
    left = distances(m, d, 1.5)
    assert left[0] == pytest.approx(0.5, abs=0.01)
    assert left[-1] < 0.01
    assert max(np.diff(left)) < 1e-3


def test_a_point_off_the_centre() -> None:
    m, d = engine(BALL)
    pull(d, 1, (0.3, 0.4, 1.0), (0.1, 0.0, 0.0))
    assert distances(m, d, 3.0)[-1] < 0.03


def test_a_chain() -> None:
    m, d = engine(ARM)
    pull(d, 2, (0.4, 0.0, 0.4), (0.4, 0.0, 0.0))
    left = distances(m, d, 6.0)
    assert np.isfinite(left).all()
    assert left[-1] < 0.1


@pytest.mark.parametrize("angle", [0.5, 2.0, 3.1])
def test_a_turn_reaches_the_wanted_pose(angle: float) -> None:
    m, d = engine(BALL.replace("size='.1'", "type='box' size='.1 .2 .3'"))
    wanted = sim.axis_angle_to_quat((0.6, 0.0, 0.8), angle)
    d.perturb.select, d.perturb.active, d.perturb.refquat = 1, PERT_ROTATE, wanted
    sim.step(m, d, 1500)
    assert np.allclose(d.xmat[1].reshape(3, 3), sim.quat_to_mat(wanted).reshape(3, 3), atol=0.02)


def test_the_force_is_that_of_the_formula() -> None:
    """Recomputed in numpy, and given as the user's own force it moves the model the same way."""
    m, d = engine(ARM)
    d.qpos, d.qvel = (0.3, -0.7), (1.0, -2.0)
    pull(d, 2, (0.1, 0.2, 0.5), (0.4, 0.0, 0.01))
    d.perturb.active, d.perturb.refquat = PERT_TRANSLATE | PERT_ROTATE, sim.axis_angle_to_quat((0, 1, 0), 0.4)
    sim.forward(m, d)
    point = d.xpos[2] + d.xmat[2].reshape(3, 3) @ d.perturb.localpos
    jacp, jacr = sim.jac(m, d, point, 2)
    k, turning = m.vis.map.stiffness, m.vis.map.stiffnessrot
    force = (k * (d.perturb.refselpos - point) - 2 * np.sqrt(k) * jacp @ d.qvel) / m.body_invweight0[2, 0]
    angle = sim.quat_to_vel(sim.mul_quat(d.perturb.refquat, sim.neg_quat(d.xquat[2])), 1.0)
    torque = np.cross(point - d.xipos[2], force)
    torque += (turning * angle - 2 * np.sqrt(turning) * jacr @ d.qvel) / m.body_invweight0[2, 1]
    assert np.allclose(d.perturb.xfrc, [*force, *torque], rtol=1e-10)
    other = sim.Data(m)
    other.qpos, other.qvel = d.qpos, d.qvel
    other.xfrc_applied[2] = d.perturb.xfrc
    sim.forward(m, other)
    assert np.array_equal(d.qacc, other.qacc)


def test_the_users_own_force_stays() -> None:
    m, d = engine(BALL)
    d.xfrc_applied[1] = (1.0, 2.0, 3.0, 0.1, 0.2, 0.3)
    own = d.xfrc_applied.copy()
    pull(d, 1, (0.0, 0.0, 2.0))
    sim.step(m, d, 5)
    assert np.array_equal(d.xfrc_applied, own)
    assert np.allclose(d.qfrc_smooth[:3], own[1, :3] + d.perturb.xfrc[:3])


def test_sensors_feel_it() -> None:
    """A body that is held still: what the mouse pulls goes into the joint above it."""
    arm = "<body><joint stiffness='1e4' damping='1e3'/><site name='s'/><geom size='.1' pos='0 .2 0'/></body>"
    m, d = engine(arm, rest="<sensor><force site='s'/></sensor>")
    pull(d, 1, (0.0, 0.0, 1.0))
    sim.step(m, d, 2000)
    sim.forward(m, d)
    assert abs(d.perturb.xfrc[2]) > 1.0
    assert np.allclose(d.sensordata, -d.perturb.xfrc[:3], rtol=1e-6, atol=1e-6)


def test_a_pull_wakes_what_sleeps_and_keeps_it_awake() -> None:
    xml = """<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='5 5 1'/>
    <body pos='0 0 .1'><freejoint/><geom size='.1'/></body><body pos='1 0 .1'><freejoint/><geom size='.1'/></body>
    </worldbody></mujoco>"""
    m: Any = sim.loads(xml)
    d = sim.Data(m)
    sim.step(m, d, 2000)
    assert (d.tree_asleep >= 0).all()
    # where it is, so that it does not move
    pull(d, 2, d.xpos[2])
    sim.step(m, d, 500)
    assert d.tree_asleep[0] >= 0
    assert d.tree_asleep[1] < 0
    assert d.tree_wakecause[1].tolist() == [WAKE_XFRC, 2]


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicitfast"])
def test_from_a_recorded_moment_it_goes_on_with_the_same_bits(integrator: str) -> None:
    m, d = engine(BALL + ARM, f"integrator='{integrator}'")
    sim.trace(m, d, 100)
    pull(d, 1, (0.5, 0.2, 1.4), (0.0, 0.05, 0.0))
    sim.step(m, d, 60)
    wanted = d.trace.state[:60].copy()
    again = sim.Data(m)
    sim.trace(m, again, 100)
    sim.set_state(m, again, wanted[19], sim.record_signature(m))
    sim.step(m, again, 40)
    assert np.array_equal(again.trace.state[:40], wanted[20:])
    # without the perturbation it is another run
    sim.set_state(m, again, wanted[19, : sim.state_size(m, STATE_INTEGRATION)], STATE_INTEGRATION)
    again.perturb.active = 0
    sim.step(m, again, 40)
    assert not np.allclose(again.qpos[:3], d.qpos[:3], atol=1e-3)


@pytest.mark.parametrize("body", [-1, 0, 3, 10**9])
def test_no_body_is_no_perturbation(body: int) -> None:
    m, d = engine(BALL)
    other = copy.copy(d)
    pull(d, body, (5.0, 5.0, 5.0))
    for data in (d, other):
        sim.step(m, data, 3)
    assert np.array_equal(d.qpos, other.qpos)


def test_a_reset_lets_go() -> None:
    m, d = engine(BALL)
    pull(d, 1, (0.0, 0.0, 2.0))
    sim.reset(m, d)
    assert d.perturb.active == 0
    # and so does one after a state that is not finite
    pull(d, 1, (0.0, 0.0, 2.0))
    d.qpos[0] = np.nan
    sim.step(m, d)
    assert d.perturb.active == 0
