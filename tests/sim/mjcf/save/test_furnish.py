"""Floor, light and actuators for a model that has none: the saved file has them, here and in MuJoCo."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

import sim
from sim.mjcf.save.furnish import furnish
from tests.sim.mjcf.format.urdf_models import INERTIAL, joint, link, robot, shape

LIMITS = '<origin xyz="0 0 -0.5"/><axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="30"/>'
ROBOT = robot(
    link("base", "") + link("arm", INERTIAL + shape('<sphere radius="0.1"/>', before='<origin xyz="0.3 0 0"/>'))
    + link("hand") + link("finger") + link("ball")
    + joint("revolute", LIMITS, "shoulder", "base", "arm")
    + joint("prismatic", "", "grip", "arm", "hand")
    + joint("prismatic", '<mimic joint="grip"/>', "follow", "arm", "finger")
    + joint("spherical", "", "wrist", "hand", "ball")
)  # fmt: skip


def furnished(folder: Path, text: str = ROBOT, **added: bool | str) -> tuple[sim.Model, mujoco.MjModel]:
    m = sim.loads(text)
    furnish(m, **added)  # type: ignore[arg-type]
    m.save_xml(folder / "robot.xml")
    return sim.load(folder / "robot.xml"), mujoco.MjModel.from_xml_path(str(folder / "robot.xml"))


def test_nothing_is_added_without_request(tmp_path: Path) -> None:
    m, reference = furnished(tmp_path)
    assert (m.nu, m.nlight, m.ngeom) == (reference.nu, reference.nlight, reference.ngeom) == (0, 0, 1)


def test_floor_is_below_the_model(tmp_path: Path) -> None:
    m, reference = furnished(tmp_path, floor=True)
    floor = m.name2id("geom", "floor")
    assert reference.geom("floor").pos[2] == m.geom_pos[floor, 2] == pytest.approx(-0.6)


def test_floor_is_not_above_zero_and_has_its_own_name(tmp_path: Path) -> None:
    text = '<mujoco><worldbody><geom name="floor" size="1" pos="0 0 5"/></worldbody></mujoco>'
    m, _ = furnished(tmp_path, text, floor=True)
    assert m.geom_pos[m.name2id("geom", "floor2"), 2] == 0


def test_light_is_above_the_model(tmp_path: Path) -> None:
    m, reference = furnished(tmp_path, light=True)
    assert m.nlight == reference.nlight == 1
    assert m.light_pos[0, 2] > m.stat.center[2] and m.light_dir[0, 2] == -1


@pytest.mark.parametrize("kind", ["motor", "position", "velocity"])
def test_hinges_and_slides_that_do_not_follow_get_actuators(kind: str, tmp_path: Path) -> None:
    m, reference = furnished(tmp_path, actuators=kind)
    assert m.names["actuator"] == [reference.actuator(k).name for k in range(reference.nu)] == ["shoulder", "grip"]
    np.testing.assert_array_equal(m.actuator_ctrlrange, reference.actuator_ctrlrange)
    wanted = {"motor": (-30, 30), "position": (-1, 2), "velocity": (-2 * np.pi, 2 * np.pi)}
    np.testing.assert_allclose(m.actuator_ctrlrange[0], wanted[kind])


def test_what_has_an_actuator_keeps_it(tmp_path: Path) -> None:
    first, _ = furnished(tmp_path, actuators="motor")
    furnish(first, actuators="position")
    first.save_xml(tmp_path / "again.xml")
    assert sim.load(tmp_path / "again.xml").nu == 2


def test_position_servo_holds_against_gravity(tmp_path: Path) -> None:
    m, _ = furnished(tmp_path, actuators="position")
    d = sim.Data(m)
    d.ctrl[:] = (0.5, 0.1)
    sim.step(m, d, nstep=2000)
    np.testing.assert_allclose(d.qpos[:2], d.ctrl, atol=0.1)
    assert np.abs(d.qvel[:2]).max() < 0.01


def test_servo_of_a_wide_range_is_as_stiff(tmp_path: Path) -> None:
    narrow, wide = (
        furnished(tmp_path, ROBOT.replace('upper="2"', f'upper="{upper}"'), actuators="position")[0]
        for upper in (0, 12)
    )
    assert narrow.actuator_gainprm[0, 0] == wide.actuator_gainprm[0, 0] > 0


def test_timestep_can_follow_servos_of_a_chain(tmp_path: Path) -> None:
    """Where the next joint gives way, a servo moves far less than the inertia below it."""
    body = '<body pos=".2 0 0"><joint axis="0 1 0" range="-90 90" actuatorfrcrange="-1e6 1e6"/>'
    chain = (body + '<geom type="capsule" fromto="0 0 0 .2 0 0" size=".02" contype="0"/>') * 6 + "</body>" * 6
    m, _ = furnished(tmp_path, f"<mujoco><worldbody>{chain}</worldbody></mujoco>", actuators="position")
    assert (np.sqrt(m.actuator_gainprm[:, 0] * m.dof_invweight0) * m.opt.timestep < 0.301).all()


def test_joint_without_a_name_gets_one(tmp_path: Path) -> None:
    text = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'
    m, _ = furnished(tmp_path, text, actuators="motor")
    assert m.names["joint"] == m.names["actuator"] == ["joint0"]
