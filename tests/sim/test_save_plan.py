"""Plans of saves: which files and lines change, for whom, and in which ways.

For sim/save_plan.py, sim/mjcf/save/source_edits.py and sim/mjcf/save/class_values.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import sim
from sim.model import Model
from sim.save_plan import CLASS, COPIES, ELEMENT, LEAVE_OUT, SavePlan

MAIN = """<mujoco>
  <!-- settings -->
  <option timestep="0.01"/>
  <default>
    <geom friction=".8"/>
    <default class="soft"><geom solref=".1 1"/></default>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/> <!-- the floor -->
    <body name="a"><geom name="g" class="soft" size='.1'/></body>
    <body name="b"><geom name="h" class="soft" size='.1'/></body>
    <replicate count="2"><body name="c"><geom name="k" size=".2"/></body></replicate>
    <include file="part.xml"/>
  </worldbody>
</mujoco>
"""
PART = """<mujocoinclude>
  <geom name="p" size=".3"/>
</mujocoinclude>
"""


@pytest.fixture
def model(tmp_path: Path) -> Model:
    (tmp_path / "main.xml").write_text(MAIN)
    (tmp_path / "part.xml").write_text(PART)
    return sim.load(tmp_path / "main.xml")


def changed(plan: SavePlan) -> list[str]:
    """The lines that a plan removes and adds."""
    lines = plan.diff().splitlines()
    return [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def test_nothing_is_edited(model: Model) -> None:
    plan = model.plan_save()
    assert (plan.files, plan.edits, plan.unsaved, plan.diff()) == ((), (), (), "")
    assert plan.write() == []


def test_an_option_and_an_attribute(model: Model, tmp_path: Path) -> None:
    model.opt.timestep = 0.002
    model.geom("g").rgba[:] = [1, 0.5, 0, 1]
    plan = model.plan_save()
    assert changed(plan) == [
        '-  <option timestep="0.01"/>',
        '+  <option timestep="0.002"/>',
        """-    <body name="a"><geom name="g" class="soft" size='.1'/></body>""",
        """+    <body name="a"><geom name="g" class="soft" size='.1' rgba="1 0.5 0 1"/></body>""",
    ]
    assert [(edit.line, edit.element, edit.attribute, edit.before, edit.after) for edit in plan.edits] == [
        (3, "option", "timestep", "0.01", "0.002"),
        (10, 'geom "g"', "rgba", "", "1 0.5 0 1"),
    ]
    assert plan.files[0].lines == (3, 10)
    assert plan.write() == [tmp_path / "main.xml"]
    assert plan.backups == (tmp_path / "main.xml~",)
    assert (tmp_path / "main.xml~").read_text() == MAIN
    again = sim.load(tmp_path / "main.xml")
    assert again.opt.timestep == 0.002
    assert again.geom("g").rgba[1] == 0.5


def test_a_value_of_a_class(model: Model, tmp_path: Path) -> None:
    model.geom("g").solref[:] = [0.2, 1]
    (edit,) = model.plan_save().edits
    assert (edit.line, edit.source, edit.way, edit.affects) == (10, "class", ELEMENT, ('geom "g"',))
    assert edit.ways == (ELEMENT, CLASS, LEAVE_OUT)
    plan = model.plan_save(ways={edit.key: CLASS})
    (edit,) = plan.edits
    assert (edit.line, edit.before, edit.affects) == (6, ".1 1", ('geom "g"', 'geom "h"'))
    assert [line.strip("+- ") for line in changed(plan)] == [
        '<default class="soft"><geom solref=".1 1"/></default>',
        '<default class="soft"><geom solref="0.2 1"/></default>',
    ]
    assert model.plan_save(ways={edit.key: LEAVE_OUT}).files == ()
    with pytest.raises(ValueError, match="cannot be saved as 'all copies', only as element or class or leave out"):
        model.plan_save(ways={edit.key: COPIES})
    with pytest.raises(ValueError, match="there is no edit of geom nobody rgba"):
        model.plan_save(ways={("geom nobody", "rgba"): ELEMENT})


def test_two_values_for_one_class(model: Model) -> None:
    for name, value in (("g", 0.2), ("h", 0.3)):
        model.geom(name).solref[0] = value
    keys = [edit.key for edit in model.plan_save().edits]
    with pytest.raises(ValueError, match="different solref for their class"):
        model.plan_save(ways=dict.fromkeys(keys, CLASS))


def test_copies(model: Model) -> None:
    model.geom("k0").rgba[0] = 0.125
    plan = model.plan_save()
    (edit,) = plan.undecided
    assert (edit.line, edit.source, edit.ways) == (12, "replicate", (COPIES, LEAVE_OUT))
    assert edit.affects == ('geom "k0"', 'geom "k1"')
    assert plan.files == ()
    with pytest.raises(ValueError, match=r"choose how to save .*all copies or leave out"):
        plan.write()
    assert len(changed(model.plan_save(ways={edit.key: COPIES}))) == 2
    assert model.plan_save(ways={edit.key: LEAVE_OUT}).write() == []
    # the same edit of all copies needs no choice
    model.geom("k1").rgba[0] = 0.125
    assert [edit.way for edit in model.plan_save().edits] == [COPIES]
    model.geom("k1").rgba[0] = 0.25
    assert [(edit.way, edit.ways) for edit in model.plan_save().edits] == [("", (LEAVE_OUT,))]


def test_an_included_file(model: Model, tmp_path: Path) -> None:
    model.geom("p").margin[0] = 0.5
    plan = model.plan_save()
    assert [(edit.file, edit.line, edit.source, edit.way) for edit in plan.edits] == [
        (tmp_path / "part.xml", 2, "include", ELEMENT)
    ]
    assert plan.write() == [tmp_path / "part.xml"]
    assert (tmp_path / "part.xml").read_text() == PART.replace('".3"', '".3" margin="0.5"')
    assert (tmp_path / "main.xml").read_text() == MAIN


def test_a_file_elsewhere_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "main.xml").write_text(MAIN.replace("part.xml", "../part.xml"))
    (tmp_path / "part.xml").write_text(PART)
    model = sim.load(tmp_path / "own" / "main.xml")
    model.geom("p").margin[0] = 0.5
    plan = model.plan_save()
    assert [(edit.way, edit.ways) for edit in plan.edits] == [("", (ELEMENT, LEAVE_OUT))]
    assert plan.files == ()
    (change,) = model.plan_save(ways={plan.edits[0].key: ELEMENT}).files
    assert change.path == plan.edits[0].file == tmp_path / "part.xml"
    # what somebody else changed meanwhile is noticed there too
    (tmp_path / "part.xml").write_text(PART + " ")
    with pytest.raises(ValueError, match="has changed since it was read"):
        model.plan_save(ways={plan.edits[0].key: ELEMENT}).write()


def test_a_file_that_has_changed_is_not_overwritten(model: Model, tmp_path: Path) -> None:
    model.opt.timestep = 0.002
    (tmp_path / "main.xml").write_text(MAIN + "<!-- mine -->")
    plan = model.plan_save()
    with pytest.raises(ValueError, match="has changed since it was read"):
        plan.write()
    assert (tmp_path / "main.xml").read_text() == MAIN + "<!-- mine -->"
    plan.write(overwrite=True)
    assert (tmp_path / "main.xml").read_text() == MAIN.replace("0.01", "0.002")
    assert (tmp_path / "main.xml~").read_text() == MAIN + "<!-- mine -->"


def test_a_second_save(model: Model, tmp_path: Path) -> None:
    model.opt.timestep = 0.002
    model.plan_save().write()
    model.opt.timestep = 0.003
    model.plan_save().write()
    assert (tmp_path / "main.xml").read_text() == MAIN.replace("0.01", "0.003")
    model.opt.timestep = 0.01
    plan = model.plan_save()
    assert changed(plan) == ['-  <option timestep="0.003"/>', '+  <option timestep="0.01"/>']
    plan.write()
    assert (tmp_path / "main.xml").read_text() == MAIN


def test_a_file_that_would_not_load_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "main.xml"
    path.write_text(
        '<mujoco><worldbody><body><joint name="j" range="-1 1"/><geom size="1"/></body></worldbody>'
        '<tendon><fixed name="t" limited="true" range="0 1"><joint joint="j" coef="1"/></fixed></tendon>'
        '<sensor><tendonlimitfrc tendon="t"/></sensor></mujoco>'
    )
    before = path.read_text()
    model = sim.load(path)
    model.tendon_limited[0] = False
    with pytest.raises(ValueError, match=r"not saved, because the file would not load: .*tendon 't' has no limit"):
        model.plan_save().write()
    assert [file.name for file in tmp_path.iterdir()] == ["main.xml"]
    assert path.read_text() == before


@pytest.mark.parametrize("kind", ["urdf", "mjz"])
def test_a_part_in_another_format_cannot_be_edited(kind: str, tmp_path: Path) -> None:
    part = tmp_path / f"part.{kind}"
    inertia = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    if kind == "urdf":
        shape = "<collision><geometry><sphere radius='1'/></geometry></collision>"
        part.write_text(f"<robot name='r'><link name='l'>{inertia}{shape}</link></robot>")
    else:
        sim.loads('<mujoco><worldbody><body name="l"><geom size="1"/></body></worldbody></mujoco>').pack(part)
    (tmp_path / "main.xml").write_text(
        f'<mujoco><asset><model name="p" file="{part.name}"/></asset>'
        '<worldbody><attach model="p" prefix="p_"/></worldbody></mujoco>'
    )
    model = sim.load(tmp_path / "main.xml")
    model.geom_rgba[0, 0] = 0.125
    plan = model.plan_save()
    assert plan.files == () and f"part.{kind}" in plan.unsaved[0]
    # expanded, it can be saved
    model.save_xml(tmp_path / "whole.xml")
    assert sim.load(tmp_path / "whole.xml").geom_rgba[0, 0] == 0.125
