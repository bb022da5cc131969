"""A model saved in another folder finds its files, and keeps its text: elsewhere.py."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sim
from sim.mjcf.save.elsewhere import CannotMove, Elsewhere
from tests.sim.mjcf.save.test_save import OBJ

MAIN = """<mujoco>
  <!-- a robot -->
  <compiler meshdir="meshes" angle="radian"/>
  <include file="parts/limbs.xml"/>
  <asset><mesh name="m" file="m.obj"/><model name="hand" file="hand/hand.xml"/></asset>
  <worldbody>
    <geom name="g" type="mesh" mesh="m"/>
    <frame pos="0 0 3"><attach model="hand" body="h" prefix="x_"/></frame>
  </worldbody>
</mujoco>
"""
FILES = {
    "robot/main.xml": MAIN,
    "robot/meshes/m.obj": OBJ,
    "robot/parts/limbs.xml": '<x><worldbody><include file="leg.xml"/></worldbody>\n<!-- legs --></x>',
    "robot/parts/leg.xml": '<x>\n  <geom name="leg" size=".5"/>\n</x>',
    "robot/hand/hand.xml": """<mujoco>
  <worldbody><body name="h"><geom name="p" type="mesh" mesh="q"/></body></worldbody>
  <asset><mesh name="q" file="palm.obj"/></asset>
</mujoco>""",
    "robot/hand/palm.obj": OBJ,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "new" / "deep").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize("place", ["robot/other.xml", "new/other.xml", "new/deep/other.xml"])
def test_nothing_is_edited(place: str, folder: Path) -> None:
    m = sim.load(folder / "robot/main.xml")
    plan = m.plan_save(folder / place)
    assert plan.write() == [folder / place]
    up = {"robot/other.xml": "", "new/other.xml": "../robot/", "new/deep/other.xml": "../../robot/"}[place]
    expected = MAIN.replace('"parts', f'"{up}parts').replace('"meshes', f'"{up}meshes').replace('"hand/', f'"{up}hand/')
    assert (folder / place).read_text() == expected
    again = sim.load(folder / place)
    assert np.array_equal(again.mesh_vert, m.mesh_vert) and again.names == m.names


def test_edited_parts_are_copied_beside_it(folder: Path) -> None:
    m = sim.load(folder / "robot/main.xml")
    for name in ("leg", "x_p", "g"):
        m.geom(name).rgba[:] = [0, 1, 0, 1]
    plan = m.plan_save(folder / "new" / "other.xml")
    assert not plan.undecided
    names = {path.name for path in plan.write()}
    assert names == {"other.xml", "other_limbs.xml", "other_leg.xml", "other_hand.xml"}
    again = sim.load(folder / "new" / "other.xml")
    assert np.array_equal(again.geom_rgba, m.geom_rgba) and np.array_equal(again.geom_pos, m.geom_pos)
    # the old files are as they were
    assert all((folder / name).read_text() == text for name, text in FILES.items())
    assert "<!-- legs -->" in (folder / "new/other_limbs.xml").read_text()
    assert 'meshdir="../robot/hand"' in (folder / "new/other_hand.xml").read_text()


def test_saving_over_the_main_file_is_saving_in_place(folder: Path) -> None:
    m = sim.load(folder / "robot/main.xml")
    m.geom("leg").margin[0] = 0.5
    assert m.plan_save(folder / "robot" / "main.xml").write() == [folder / "robot/parts/leg.xml"]


def test_a_compiler_in_an_include(folder: Path) -> None:
    """One after it says where meshes are."""
    (folder / "robot/parts/leg.xml").write_text('<x><geom type="mesh" mesh="m"/></x>')
    text = MAIN.replace('  <compiler meshdir="meshes" angle="radian"/>\n', "")
    (folder / "robot/main.xml").write_text(text)
    limbs = (folder / "robot/parts/limbs.xml").read_text()
    (folder / "robot/parts/limbs.xml").write_text(limbs.replace("<x>", '<x><compiler meshdir="meshes"/>'))
    m = sim.load(folder / "robot/main.xml")
    m.plan_save(folder / "new/other.xml").write()
    assert '"/>\n  <compiler meshdir="../robot/meshes"/>\n  <asset>' in (folder / "new/other.xml").read_text()
    assert sim.load(folder / "new/other.xml").nmesh == 2


def test_what_is_in_memory_is_expanded(tmp_path: Path) -> None:
    text = '<mujoco><!-- x --><asset><mesh name="q" file="m.obj"/></asset></mujoco>'
    m = sim.loads(text, {"m.obj": OBJ})
    source = m.__dict__["source"]
    with pytest.raises(CannotMove, match=r"'m\.obj' is not a file on disk"):
        Elsewhere(source.parsed, {}, tmp_path / "a.xml")
    plan = m.plan_save(tmp_path / "a.xml")
    assert plan.expanded
    plan.write()
    assert (tmp_path / "a_assets" / "m.obj").read_text() == OBJ


def test_a_text(tmp_path: Path) -> None:
    m = sim.loads("<mujoco><!-- mine --></mujoco>")
    m.opt.timestep = 0.5
    with pytest.raises(ValueError, match="loaded from a string: specify a path"):
        m.plan_save()
    m.save_xml(tmp_path / "a.xml")
    assert (tmp_path / "a.xml").read_text() == '<mujoco><option timestep="0.5"/><!-- mine --></mujoco>'


@pytest.mark.parametrize("name", ["robot.urdf", "robot.mjz"])
def test_other_formats_are_saved_as_xml(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "robot.mjz":
        sim.loads("<mujoco/>").pack(path)
    else:
        path.write_text("<robot name='r'><link name='l'/></robot>")
    m = sim.load(path)
    with pytest.raises(ValueError, match=r"save the model as \.xml"):
        m.plan_save()
    m.plan_save(tmp_path / "robot.xml").write()
    assert sim.load(tmp_path / "robot.xml").nbody == m.nbody
