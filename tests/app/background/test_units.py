"""units.py: units of expressions, from the tables of fields, sensors and measures."""

from __future__ import annotations

import pytest

from app.background.units import unit_of
from app.model.views import ModelView
from sim.analysis import measures
from tests.app.conftest import Views

MODEL = """<worldbody>
  <body name='box'><freejoint name='free'/><geom size='.1'/><site name='s'/></body>
  <body name='arm' pos='1 0 0'><joint name='turn'/><geom size='.1'/>
    <body pos='1 0 0'><joint name='move' type='slide'/><geom size='.1'/></body></body>
  <body name='head' pos='3 0 0'><joint name='ball' type='ball'/><geom size='.1'/></body></worldbody>
  <actuator><motor name='turner' joint='turn'/><motor name='mover' joint='move'/></actuator>
  <sensor><accelerometer name='acc' site='s'/><jointpos name='pos' joint='turn'/></sensor>"""


@pytest.fixture
def model(views: Views) -> ModelView:
    return views(MODEL)[0]


@pytest.mark.parametrize(
    ("expression", "unit"),
    [
        ("d.time", "s"), ("d.qpos[0]", "m"), ("d.qpos[3]", ""), ("d.qpos[7]", "rad"), ("d.qpos[8]", "m"),
        ("d.qpos[-1]", ""), ("d.qvel[2]", "m/s"), ("d.qvel[3]", "rad/s"), ("d.qvel[6]", "rad/s"), ("d.qvel[7]", "m/s"),
        ("d.qacc[7]", "m/s²"), ("d.qfrc_actuator[6]", "N m"), ("d.actuator_force[0]", "N m"),
        ("d.actuator_force[1]", "N"), ("norm(d.qvel[0:3])", "m/s"), ("norm(d.qvel)", ""), ("norm(d.xpos[1])", "m"),
        ("d.xpos[1, 2]", "m"), ("d.xfrc_applied[1, 0]", "N"), ("d.xfrc_applied[1][4]", "N m"),
        ('d.joint("turn").qpos[0]', "rad"), ('d.joint("move").qvel', "m/s"),
        ('norm(d.joint("free").qvel[3:6])', "rad/s"),
        ('d.body("arm").xpos[2]', "m"), ('d.sensor("acc").data[0]', "m/s²"), ("d.sensordata[3]", "rad"),
        ("-d.qpos[0] + 1", "m"), ("d.qpos[0] - d.qpos[7]", ""), ("d.qpos[0] * 2", ""), ("abs(d.qpos[8])", "m"),
        ("degrees(d.qpos[7])", "°"), ('normal_force("box")', "N"), ("energy()", "J"), ("d.energy[0]", "J"),
        ("m.opt.timestep", "s"), ("d.qpos[99]", ""), ("d.nonsense[0]", ""), ("d.qpos[", ""), ("", ""), ("1", ""),
        ('d.joint("nobody").qpos', ""), ("d.qpos[0] > 1", ""), ("d.actuator_force", ""), ("d.contact.dist[0]", "m"),
    ],
)  # fmt: skip
def test_unit_of_an_expression(model: ModelView, expression: str, unit: str) -> None:
    assert unit_of(expression, model) == unit


def test_without_a_model_nothing_is_known() -> None:
    assert unit_of("d.time", None) == ""


def test_every_measure_is_in_the_table() -> None:
    for measure in measures.MEASURES.values():
        assert not measure.unit or f"({measure.unit})" in measure.text
