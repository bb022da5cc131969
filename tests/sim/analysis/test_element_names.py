"""Names of elements for people."""

from __future__ import annotations

import time

import pytest

import sim
from app.run.snapshot import view_model
from sim.analysis.element_names import described, dof_name, element_name, full_geom_name, geom_name, short_name

MODEL = (
    """<mujoco><asset><mesh name='shell' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>
<worldbody><geom type='plane' size='1 1 .1'/><camera/><light/><site name='nail'/><site/>
<body name='torso' pos='0 0 1'><freejoint/><geom size='.1'/><camera/>
  <body name='thigh'><joint/><joint name='twist' axis='1 0 0'/><joint axis='0 1 0'/>
    <geom type='box' size='.1 .1 .1'/><geom name='pad' size='.1'/><geom type='box' size='.1 .1 .1'/>
    <geom type='mesh' mesh='shell'/><site name='imu'/>
    <body><joint type='slide'/><geom size='.1'/><body><joint type='ball'/><geom size='.1'/></body></body>
  </body></body>
<body name='cup' pos='2 0 1'><freejoint name='loose'/><geom size='.1'/></body>
</worldbody>
<contact><pair geom1='pad' geom2='sole'/><exclude body1='torso' body2='thigh'/></contact>
<tendon><fixed><joint joint='twist' coef='1'/></fixed>
  <spatial><site site='nail'/><site site='imu'/></spatial></tendon>
<actuator><motor joint='twist'/><position joint='twist'/><velocity joint='twist'/><motor joint='twist'/>
  <adhesion body='cup' ctrlrange='0 1'/><motor tendon='pull' name='winch'/></actuator>
<equality><weld body1='cup'/><joint joint1='twist'/></equality>
<sensor><gyro site='imu'/><jointpos joint='twist'/><clock/><framepos objtype='body' objname='torso'/></sensor>
<keyframe><key/><key name='home'/></keyframe>
</mujoco>""".replace("tendon='pull'", "joint='loose'")
    .replace("geom2='sole'", "geom2='lid'")
    .replace("<freejoint name='loose'/><geom", "<freejoint name='loose'/><geom name='lid'")
)

NAMES = {
    "body": ["world", "torso", "thigh", "thigh / body 3", "body 4", "cup"],
    "geom": [
        "world / plane", "torso / sphere", "thigh / box 1", "pad", "thigh / box 2", "thigh / mesh shell",
        "thigh / body 3 / sphere", "body 4 / sphere", "lid",
    ],
    "joint": [
        "torso free joint", "thigh / hinge 1", "twist", "thigh / hinge 2", "thigh / body 3 / slide", "body 4 / ball",
        "loose",
    ],
    "site": ["nail", "world / site", "imu"],
    "camera": ["camera 0", "torso / camera"],
    "light": ["light 0"],
    "pair": ["pair thigh / pad – cup / lid"],
    "exclude": ["exclude torso – thigh"],
    "tendon": ["tendon twist", "tendon nail – imu"],
    "actuator": [
        "twist / motor 1", "twist / position servo", "twist / velocity servo", "twist / motor 2", "cup / adhesion",
        "winch",
    ],
    "equality": ["weld cup – world", "joint equality twist"],
    "sensor": ["gyro of imu", "jointpos of twist", "clock", "framepos of torso"],
    "key": ["keyframe 0", "home"],
    "tree": ["torso", "cup"],
    "mesh": ["shell"],
}  # fmt: skip


@pytest.mark.parametrize("kind", NAMES)
def test_every_element_has_a_name_that_says_where_it_is(kind: str) -> None:
    model = sim.loads(MODEL)
    names = [element_name(model, kind, index) for index in range(len(NAMES[kind]))]
    assert names == NAMES[kind]
    shown = view_model(model)
    if kind != "exclude":
        assert [element_name(shown, kind, index) for index in range(len(names))] == names
    # what is not there has a number
    assert element_name(model, kind, 99).endswith(" 99")


def test_parts_of_names() -> None:
    model = sim.loads(MODEL)
    assert [geom_name(model, geom) for geom in (2, 3, 6, -1)] == ["box 1", "pad", "sphere", "flex"]
    assert [full_geom_name(model, geom) for geom in (2, 3, -1)] == ["thigh / box 1", "thigh / pad", "flex"]
    assert [dof_name(model, dof) for dof in (0, 5, 6, 7)] == ["torso x", "torso rz", "thigh / hinge 1", "twist"]


def test_names_beside_their_body() -> None:
    model = sim.loads(MODEL)
    told = {
        ("joint", 0): "free joint", ("joint", 1): "hinge 1", ("joint", 2): "twist", ("body", 3): "body 3",
        ("camera", 1): "camera", ("actuator", 1): "twist / position servo", ("site", 1): "site",
    }  # fmt: skip
    assert {element: short_name(model, *element) for element in told} == told


def test_the_type_is_said_where_the_name_does_not() -> None:
    model = sim.loads(MODEL)
    told = {
        ("body", 1): "body torso", ("joint", 2): "joint twist", ("joint", 0): "torso free joint",
        ("geom", 2): "thigh / box 1", ("key", 0): "keyframe 0", ("key", 1): "keyframe home",
        ("tree", 0): "tree of torso", ("island", 3): "island 3",
    }  # fmt: skip
    assert {element: described(model, *element) for element in told} == told


def test_ten_thousand_names_are_made_once() -> None:
    geoms = "<geom size='.1'/>" * 10000
    model = view_model(sim.loads(f"<mujoco><worldbody><body name='b'>{geoms}</body></worldbody></mujoco>"))
    assert element_name(model, "geom", 9999) == "b / sphere 10000"
    made = model.derived.copy()
    began = time.process_time()
    names = [element_name(model, "geom", geom) for geom in range(10000)]
    assert time.process_time() - began < 1.0
    assert len(set(names)) == 10000 and model.derived == made
