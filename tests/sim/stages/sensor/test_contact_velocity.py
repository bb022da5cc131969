"""Contact sensors with linvel and angvel, and the cutoff of tactile sensors: figures of MuJoCo 4.0.0, and laws."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import sim
from sim.enums import STAGE_ACC, STAGE_POS, STAGE_VEL
from sim.stages.sensor.contact import FIELD_SIZE, NFIELD

BALL = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1" euler="{tilt} 0 0"/>
  <body name="ball" pos="0 0 .099"><freejoint/><geom name="g" size=".1"/></body></worldbody>
  <sensor>{sensors}</sensor></mujoco>"""


def ball(sensors: str, tilt: float = 0) -> tuple[Any, Any]:
    """A ball that slides along a floor, rises from it and turns."""
    m = sim.loads(BALL.format(sensors=sensors, tilt=tilt))
    d = sim.Data(m)
    d.qvel[:] = (0.3, -0.2, 0.1, 1.0, 2.0, -3.0)
    sim.forward(m, d)
    assert d.ncon == 1
    return m, d


@pytest.mark.parametrize("tilt", [0, 10])
@pytest.mark.parametrize(("first", "second"), [("floor", "g"), ("g", "floor")])
def test_velocity_of_a_ball(first: str, second: str, tilt: float) -> None:
    m, d = ball(f'<contact geom1="{first}" geom2="{second}" data="normal tangent linvel angvel"/>', tilt)
    normal, tangent, linear, angular = d.sensordata.reshape(4, 3)
    frame = np.array([normal, tangent, np.cross(normal, tangent)])
    spin = np.array(d.qvel[3:])
    velocity = d.qvel[:3] + np.cross(spin, d.contact.pos[0] - d.qpos[:3])
    # of the second geom relative to the first; moving apart is positive
    sign = 1 if second == "g" else -1
    assert linear == pytest.approx(frame @ (sign * velocity), abs=1e-12)
    assert angular == pytest.approx(frame @ (sign * spin), abs=1e-12)
    assert linear[0] == pytest.approx(0.1 if tilt == 0 else linear[0])
    assert m.sensor_needstage.tolist() == [STAGE_VEL]


@pytest.mark.parametrize(
    ("attributes", "stage", "dim"),
    [
        ('data="linvel"', STAGE_VEL, 3),
        ('data="found linvel angvel" num="2"', STAGE_VEL, 14),
        ('data="linvel" reduce="mindist"', STAGE_VEL, 3),
        ('data="torque linvel"', STAGE_ACC, 6),
        ('data="angvel" reduce="maxforce"', STAGE_ACC, 3),
        ('data="found"', STAGE_POS, 1),
        ('data="dist pos normal tangent" reduce="mindist"', STAGE_POS, 10),
        ('data="found" reduce="maxforce"', STAGE_ACC, 1),
        ('data="pos" reduce="netforce"', STAGE_ACC, 3),
    ],
)
def test_stage_and_size(attributes: str, stage: int, dim: int) -> None:
    """A sensor is evaluated as early as what it reports and sorts by allows, as in MuJoCo."""
    m, _ = ball(f"<contact {attributes}/>")
    assert m.sensor_needstage.tolist() == [stage] and m.sensor_dim.tolist() == [dim]
    theirs = mujoco.MjModel.from_xml_string(BALL.format(sensors=f"<contact {attributes}/>", tilt=0))
    assert theirs.sensor_needstage.tolist() == [stage] and theirs.sensor_dim.tolist() == [dim]


def test_sizes_of_fields() -> None:
    assert len(FIELD_SIZE) == NFIELD


@pytest.mark.parametrize("data", ["linvel", "angvel", "force angvel"])
def test_a_net_force_has_no_velocity(data: str) -> None:
    with pytest.raises(sim.MjcfError, match="a net force has no velocity"):
        ball(f'<contact data="{data}" reduce="netforce"/>')


TWO = """<mujoco><worldbody>
  <body pos="0 0 0"><joint axis="0 1 1"/><geom name="a" type="box" size=".1 .1 .1"/></body>
  <body pos=".05 .02 .19" euler="10 20 30"><freejoint/><geom name="b" type="capsule" size=".1 .1"/></body>
  </worldbody><sensor>{}</sensor></mujoco>"""


def test_figures_of_mujoco() -> None:
    fields = 'data="found dist linvel angvel" num="3"'
    sensors = f'<contact geom1="a" {fields}/><contact geom1="b" {fields} reduce="mindist"/>'
    m = sim.loads(TWO.format(sensors))
    d = sim.Data(m)
    d.qvel[:] = (2.0, 0.3, -0.2, 0.1, 1.0, 2.0, -3.0)
    sim.forward(m, d)
    # of MuJoCo 4.0.0
    expected = """1 -0.102541658 0.195196129 0.30492589 -0.0578769251 -3.75774587 -1.2654982 -1.15195537
        0 0 0 0 0 0 0 0
        0 0 0 0 0 0 0 0
        1 -0.102541658 0.195196129 0.30492589 0.0578769251 -3.75774587 -1.2654982 1.15195537
        0 0 0 0 0 0 0 0
        0 0 0 0 0 0 0 0"""
    assert d.sensordata == pytest.approx(np.array(expected.split(), float), abs=1e-7)


TACTILE = """<mujoco><asset><mesh name="p" builtin="plate" params="4 4" scale=".1 .1 .01"/></asset><worldbody>
  <body euler="180 0 0"><geom type="box" size=".1 .1 .01"/>
    <geom name="s" type="mesh" mesh="p" contype="0" conaffinity="0" mass="0"/></body>
  <body pos="0.02 0 .045"><joint type="slide"/><geom size=".05" mass="1"/></body></worldbody>
  <sensor><tactile geom="s" mesh="p" {}/></sensor></mujoco>"""


def test_a_tactile_sensor_is_of_velocities() -> None:
    """It reports as soon as velocities are known, as in MuJoCo: no forces are needed."""
    xml = TACTILE.format("")
    m, theirs = sim.loads(xml), mujoco.MjModel.from_xml_string(xml)
    assert m.sensor_needstage.tolist() == theirs.sensor_needstage.tolist() == [STAGE_VEL]


def test_cutoff_of_a_tactile_sensor() -> None:
    readings = []
    for cutoff in ("", 'cutoff=".002"'):
        m = sim.loads(TACTILE.format(cutoff))
        d = sim.Data(m)
        d.qvel[0] = 0.3
        sim.forward(m, d)
        readings.append(d.sensordata.copy())
    assert np.abs(readings[0]).max() > 0.004
    assert readings[1].tolist() == np.clip(readings[0], -0.002, 0.002).tolist()
