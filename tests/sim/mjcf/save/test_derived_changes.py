"""A saved file computes no stiffness, damping or range that the edited model does not have, here and in MuJoCo."""

from __future__ import annotations

import warnings
from pathlib import Path

import mujoco
import numpy as np
import pytest

import sim

MODEL = """<mujoco><compiler angle="radian"/>
  <default><default class="c"><joint springdamper=".3 .5"/><position inheritrange=".5"/></default></default>
  <worldbody><body><joint name="h" {joint} axis="0 1 0" range="-1 1"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
  <actuator>{actuator}</actuator></mujoco>"""
PLAIN = MODEL.replace(MODEL[MODEL.index("  <default>") : MODEL.index("  <worldbody>")], "")
OWN, CLASS = 'springdamper=".2 .6"', 'class="c"'
RANGES = {
    "own": '<position joint="h" inheritrange="1.2"/>',
    "class": '<position joint="h" class="c"/>',
    "integrated": '<intvelocity joint="h" inheritrange="1"/>',
}
FIELDS = (
    "jnt_stiffness", "dof_damping", "dof_armature", "jnt_range", "actuator_ctrlrange", "actuator_ctrllimited",
    "actuator_actrange", "actuator_actlimited",
)  # fmt: skip


def check(m: sim.Model, path: Path) -> str:
    """The saved file loads to the model; its text."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m.save_xml(path)
    again, theirs = sim.load(path), mujoco.MjModel.from_xml_path(str(path))
    for field in FIELDS:
        np.testing.assert_array_equal(again.read(field), m.read(field), field)
        np.testing.assert_allclose(np.reshape(getattr(theirs, field), m.read(field).shape), m.read(field), 1e-12)
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("edit", ["dof_damping", "jnt_stiffness", "dof_armature"])
@pytest.mark.parametrize(("text", "joint"), [(PLAIN, OWN), (MODEL, OWN), (MODEL, CLASS)])
def test_springdamper(text: str, joint: str, edit: str, tmp_path: Path) -> None:
    """An edit of one number leaves the other one, which springdamper gave."""
    m = sim.loads(text.format(joint=joint, actuator=""))
    assert joint in check(m, tmp_path / "same.xml")
    m.read(edit)[0] = 3.0
    saved = check(m, tmp_path / "saved.xml")
    assert ("springdamper" in saved) is (text is MODEL)


def test_springdamper_stays_where_nothing_depends_on_the_edit(tmp_path: Path) -> None:
    m = sim.loads(PLAIN.format(joint=OWN, actuator=""))
    m.dof_frictionloss[0] = 3.0
    assert OWN in check(m, tmp_path / "saved.xml")


@pytest.mark.parametrize("name", RANGES)
def test_inherited_range(name: str, tmp_path: Path) -> None:
    """The range of a joint does not move that of its servo, and the other way round."""
    m = sim.loads(MODEL.format(joint="", actuator=RANGES[name]))
    assert RANGES[name] in check(m, tmp_path / "same.xml")
    m.jnt_range[0] = (-0.5, 0.25)
    check(m, tmp_path / "joint.xml")
    m.jnt_range[0] = (-1.0, 1.0)
    field = m.actuator_actrange if name == "integrated" else m.actuator_ctrlrange
    field[0] = (-0.125, 0.5)
    check(m, tmp_path / "servo.xml")
