"""Fixes that change elements of the file: each planted fault is found, mended by the first such fix, and gone."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import mujoco
import pytest

import sim
from app.instruments.doctor.examine import examine
from app.instruments.doctor.finding import Finding, Fix
from app.instruments.doctor.subject import Subject
from app.instruments.doctor.usable import Usable, lacking
from app.run.structure import load_with
from sim.tree_edit import TreeEdit


class Fault(NamedTuple):
    """A model with a fault: the check that finds it, and a part of the file's lines that mend it."""

    check: str
    xml: str
    mended: tuple[str, ...]


LINK = "<geom type='capsule' fromto='0 0 0 .3 0 0' size='.03'/>"
CUBE = "v -100 -100 -100\nv 100 -100 -100\nv 0 100 -100\nv 0 0 100\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
FAULTS = {
    "overlap": Fault(
        "overlap",
        f"""<mujoco><worldbody>
  <body name='a'><joint axis='0 1 0'/>{LINK}
    <body name='b' pos='.3 0 0'><joint axis='0 1 0'/><geom size='.02'/>
      <body pos='.02 0 0'><joint axis='0 1 0'/><geom type='sphere' size='.03'/></body></body></body>
</worldbody></mujoco>""",
        ("<exclude",),
    ),
    "touching": Fault(
        "touch-always",
        """<mujoco><worldbody>
  <body name='a'><joint axis='0 1 0' range='-40 40'/><geom type='box' size='.1 .1 .1'/>
    <body name='b' pos='.11 0 0'><joint axis='1 0 0' range='-40 40'/><geom size='.005' mass='1'/>
      <body name='c' pos='.09 0 0'><joint axis='1 0 0' range='-40 40'/>
        <geom type='box' size='.101 .1 .1'/></body></body></body>
</worldbody></mujoco>""",
        ("<exclude",),
    ),
    "mesh": Fault(
        "mesh-scale",
        """<mujoco><asset>
  <mesh name='part' file='part.obj'/>
</asset><worldbody>
  <body name='a'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.03'/>
    <body name='b' pos='.3 0 0'><joint axis='0 1 0'/><geom type='mesh' mesh='part' mass='1'/></body></body>
</worldbody></mujoco>""",
        ('scale="0.001 0.001 0.001"',),
    ),
    "inertia": Fault(
        "inertia-small",
        f"""<mujoco><worldbody>
  <body name='a'><joint axis='0 1 0'/>{LINK}
    <body name='b' pos='.3 0 0'><joint axis='0 1 0'/>
      <inertial pos='.15 0 0' mass='1' diaginertia='1e-8 1e-8 1e-8'/>
      {LINK}</body></body>
</worldbody></mujoco>""",
        ("<inertial", "mass='1'"),
    ),
    "axis": Fault(
        "axis-twin",
        f"""<mujoco><worldbody><body><freejoint/><geom size='.1'/>
  <body pos='0 .2 0'><joint name='left_knee' axis='0 1 0' range='-150 0'/>{LINK}</body>
  <body pos='0 -.2 0'><joint name='right_knee' axis='0 -1 0' range='-150 0'/>{LINK}</body>
</body></worldbody></mujoco>""",
        ("axis='0 1 0'",),
    ),
    "degrees": Fault(
        "angle-unit",
        f"""<mujoco><compiler angle='radian'/><worldbody>
  <body name='a'><joint axis='0 1 0' range='-90 90'/>{LINK}
    <body name='b' pos='.3 0 0'><joint axis='0 1 0' range='-120 0'/>{LINK}</body></body>
</worldbody></mujoco>""",
        ("angle='degree'",),
    ),
    "radians": Fault(
        "angle-unit",
        f"""<mujoco><worldbody>
  <body name='a'><joint axis='0 1 0' range='-1.5 1.5'/>{LINK}
    <body name='b' pos='.3 0 0'><joint axis='0 1 0' range='-1.2 0'/>{LINK}</body></body>
</worldbody></mujoco>""",
        ('angle="radian"',),
    ),
    "excluded": Fault(
        "body-filtered",
        """<mujoco><worldbody>
  <geom name='floor' type='plane' size='2 2 .1'/>
  <body name='ball' pos='0 0 1'><freejoint/><geom size='.1'/></body>
</worldbody><contact>
  <exclude body1='world' body2='ball'/>
</contact></mujoco>""",
        (),
    ),
}


def found(model: sim.Model, check: str) -> Finding | None:
    return next((finding for finding in examine(model) if finding.check == check), None)


def first_fix(finding: Finding) -> Fix:
    return next(fix for fix in finding.fixes if fix.tree)


def mended(path: Path, edits: tuple[TreeEdit, ...]) -> sim.Model:
    model, lost = load_with(path, ((0, edits),), 0, {})
    assert not lost
    return model


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_is_found_and_mended(fault: Fault, tmp_path: Path) -> None:
    (tmp_path / "part.obj").write_text(CUBE)
    path = tmp_path / "model.xml"
    path.write_text(fault.xml)
    finding = found(sim.load(path), fault.check)
    assert finding is not None
    fix = first_fix(finding)
    model = mended(path, fix.tree)
    assert found(model, fault.check) is None
    # the text before is untouched until it is saved, and the diff is what the save does
    assert path.read_text() == fault.xml
    model.save_xml(path)
    after = path.read_text()
    new = [line for line in after.splitlines() if line not in fault.xml.splitlines()]
    assert new == [line[1:] for line in fix.diff[1:] if line.startswith("+")] and len(new) <= 4
    gone = [line for line in fault.xml.splitlines() if line not in after.splitlines()]
    assert gone == [line[1:] for line in fix.diff[1:] if line.startswith("-")] and len(gone) <= 3
    assert all(part in "\n".join(new) for part in fault.mended)
    assert found(sim.load(path), fault.check) is None
    assert mujoco.MjModel.from_xml_path(str(path)).nbody == model.nbody


ARM = """<mujoco><worldbody>
  <body name='base'><geom type='cylinder' size='.08 .05' pos='0 0 .05'/>
    <body pos='0 0 .2'><joint axis='0 1 0' range='-100 60'/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.03'/>
      <body pos='.36 0 0'><joint name='elbow' axis='0 1 0' range='-140 -10'/>
        <geom type='capsule' fromto='0 0 0 .2 0 0' size='.02'/></body></body></body>
</worldbody></mujoco>"""
LEG = """<body name='{0}' pos='{1} {2} 0'><joint name='{0}_hip' axis='0 1 0' range='-60 60'/>
  <geom type='capsule' fromto='0 0 0 0 0 -.2' size='.02'/><body pos='0 0 -.2'>
  <joint name='{0}_knee' axis='0 1 0' range='-120 -10'/>
  <geom type='capsule' fromto='0 0 0 0 0 -.2' size='.02'/></body></body>
"""
LEGS = "".join(
    LEG.format(*leg) for leg in (("fl", 0.2, 0.12), ("fr", 0.2, -0.12), ("hl", -0.2, 0.12), ("hr", -0.2, -0.12))
)
DOG = f"""<mujoco><worldbody>
<body name='trunk'><geom type='box' size='.2 .1 .05'/>{LEGS}</body></worldbody></mujoco>"""
# model -> the tags that are added, and how far a joint may give way in a second, rad
BARE = {
    "arm": (ARM, ["texture", "material", "geom", "light", "position", "position", "key"], 0.03),
    "dog": (
        DOG,
        ["texture", "material", "geom", "light", "freejoint", *["position"] * 8, *["exclude"] * 4, "key"],
        0.4,
    ),
}


@pytest.mark.parametrize(("xml", "tags", "most"), BARE.values(), ids=BARE)
def test_a_bare_robot_is_made_usable_and_holds_its_home(xml: str, tags: list[str], most: float, tmp_path: Path) -> None:
    path = tmp_path / "robot.xml"
    path.write_text(xml)
    usable = lacking(Subject(sim.load(path)))
    assert usable.bare and [edit.tag for edit in usable.everything if edit.action == "add"] == tags
    # each of them alone is good too
    for lack in usable.lacks:
        mended(path, lack.tree)
    model = mended(path, usable.everything)
    assert lacking(Subject(model)) == Usable()
    data = sim.Data(model)
    sim.reset(model, data, 0)
    start = data.qpos.copy()
    for _ in range(500):
        sim.step(model, data)
    assert abs(data.qpos - start).max() < most
    model.save_xml(path)
    assert mujoco.MjModel.from_xml_path(str(path)).nu == model.nu


def test_a_model_that_is_not_of_an_mjcf_file_says_so(tmp_path: Path) -> None:
    usable = lacking(Subject(sim.loads(ARM)))
    assert usable.bare and not usable.lacks and "save it as .xml first" in usable.why_not
    # nor has it fixes that change the file
    assert not any(fix.tree for finding in examine(sim.loads(FAULTS["axis"].xml)) for fix in finding.fixes)
