"""What changed in a file, in MJCF's words."""

from __future__ import annotations

from pathlib import Path

import pytest

import sim
from app.model.file_diff import MOST, file_changes, summary
from tests.sim.mjcf.asset_files import CORNERS, FACES, stl

ROOT = Path(__file__).resolve().parents[3]
FILE = """
<mujoco><option timestep="0.002"><flag contact="enable"/></option>
<default><geom friction="1"/></default>
<asset><material name="m"/><material name="a"/></asset>
<worldbody><geom name="floor" type="plane" size="1 1 1" friction="1"/><camera name="eye" target="b"/>
<body name="b" pos="0 0 1"><freejoint/><geom size=".1" material="m" mass="1"/><geom size=".2"/>
<body><joint name="j" damping="1" range="-1 1"/><geom size=".1"/></body></body></worldbody>
<actuator><motor name="p" joint="j"/></actuator>
<keyframe><key name="k"/></keyframe></mujoco>"""
LAST = '<joint name="j" damping="1" range="-1 1"/><geom size=".1"/>'


def changes(*edits: tuple[str, str]) -> list[str]:
    text = FILE
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return file_changes(sim.loads(FILE), sim.loads(text))


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ('size="1 1 1" friction="1"', 'size="1 1 1" friction="0.8"', "friction of geom floor: 1 → 0.8"),
        ('<default><geom friction="1"/>', '<default><geom friction="1 .3"/>', "friction of 4 geoms: 1 0.005 → 1 0.3"),
        ('"0.002"', '"0.001"', "timestep: 0.002 → 0.001"),
        ('"enable"', '"disable"', "flag contact: enable → disable"),
        ('pos="0 0 1"', 'pos="0 0 2"', "pos of body b: 0 0 1 → 0 0 2"),
        ('size=".2"', 'size=".3"', "size of b / sphere 2: 0.2 → 0.3"),
        ('material="m"', 'material="a"', "material of b / sphere 1: m → a"),
        # neither of these shifts what the others refer to
        ('<material name="m"/>', '<material name="z"/><material name="m"/>', "+1 material"),
        ('<body name="b"', '<body name="n"><geom size="1"/></body><body name="b"', "+1 body, +1 geom"),
        ("<body>" + LAST + "</body>", "<body>" + LAST + LAST.replace('"j"', '"k"') + "</body>", "+1 geom, +1 joint"),
        ('damping="1"', 'damping="1 2"', "damping of joint j: 1 0 → 1 2"),
        ('<geom size=".2"/>', "", "-1 geom"),
        ('mass="1"', 'mass="2"', "mass of body b: 34.5103 → 35.5103"),
        ('<key name="k"/>', '<key name="k" qpos="0 0 5 1 0 0 0 0"/>', "qpos of keyframe k: 0 0 1 → 0 0 5"),
        ('range="-1 1"', 'range="-1 2"', "range of joint j: -0.0174533 0.0174533 → -0.0174533 0.0349066"),
        ('<motor name="p" joint="j"/>', '<motor name="p" joint="j" gear="2"/>', "gear of actuator p: 1 → 2"),
        ("<actuator>", "<!-- a comment --><actuator>", ""),
    ],
)  # fmt: skip
def test_one_change(old: str, new: str, text: str) -> None:
    found = changes((old, new))
    assert found == (text.split("; ") if text else [])


def test_an_element_with_another_name() -> None:
    renamed = changes(('<body name="b"', '<body name="c"'), ('target="b"', 'target="c"'))
    assert renamed == ["body b renamed c"]


def test_a_summary_is_short() -> None:
    many = [f"change {k}" for k in range(12)]
    assert summary(many) == "change 0; change 1; change 2 ... and 9 more"
    assert summary(many[:MOST]) == "change 0; change 1; change 2"
    assert summary([]) == ""


def test_what_no_attribute_says(tmp_path: Path) -> None:
    """A mesh with other vertices."""
    text = '<mujoco><asset><mesh name="m" file="m.stl"/></asset><worldbody/></mujoco>'
    models = [sim.loads(text, {"m.stl": stl(CORNERS * scale, FACES)}) for scale in (1, 2)]
    assert "mesh_vert" in file_changes(*models)


@pytest.mark.parametrize("name", ["humanoid", "servos", "instruments", "windlass", "sculpture"])
def test_the_same_file_has_no_changes(name: str) -> None:
    path = ROOT / "scenes" / f"{name}.xml"
    assert file_changes(sim.load(path), sim.load(path)) == []


def test_parameters_of_an_actuator_have_the_names_that_people_know() -> None:
    text = """<mujoco><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody><actuator>
        <position name="servo" joint="j" kp="20" kv="2"/><muscle name="m" joint="j" lengthrange="0 1" force="5"/>
        </actuator></mujoco>"""
    other = text.replace('kp="20" kv="2"', 'kp="30" kv="2"').replace('force="5"', 'force="6"')
    found = file_changes(sim.loads(text), sim.loads(other))
    assert found == ["kp of actuator servo: 20 → 30", "force of actuator m: 5 → 6"]
