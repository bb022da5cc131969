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
        (10, 'geom "g"', "rgba", "0.5 0.5 0.5 1", "1 0.5 0 1"),
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
    assert (edit.before, edit.after) == (".1 1", "0.2")
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


def test_gain_and_bias_are_one_edit(tmp_path: Path) -> None:
    """Without one of them, a servo would be broken."""
    path = tmp_path / "main.xml"
    servo = '<general joint="j" gaintype="fixed" biastype="affine"%s/>'
    text = (
        '<mujoco><default><general gainprm="3" biasprm="0 -3"/></default><worldbody><body><joint name="j"/>'
        f'<geom size="1"/></body></worldbody><actuator>{servo % ""}{servo % ""}</actuator></mujoco>'
    )
    path.write_text(text)
    m = sim.load(path)
    m.actuator_gainprm[0, 0], m.actuator_biasprm[0, 1] = 5, -5
    (edit,) = m.plan_save().edits
    assert (edit.attribute, edit.before, edit.after) == ("gainprm, biasprm", "3; 0 -3", "5; 0 -5")
    assert m.plan_save(ways={edit.key: LEAVE_OUT}).files == ()
    plan = m.plan_save(ways={edit.key: CLASS})
    assert plan.edits[0].affects == ("actuator 0", "actuator 1")
    assert 'gainprm="5" biasprm="0 -5"' in plan.files[0].after
    m.plan_save().write()
    assert path.read_text() == text.replace('="affine"/', '="affine" gainprm="5" biasprm="0 -5"/', 1)


SPANNING = """<mujoco>
  <default><default class="span"><geom type="capsule" size=".04" fromto="0 0 0 0 .2 .2"/></default></default>
  <asset><mesh name="m" vertex="0 0 0  .3 0 0  0 .2 0  0 0 .1"/></asset>
  <worldbody><body name="b" pos="1 0 0" euler="0 30 0"><joint type="ball"/>
    <geom name="own" type="capsule" fromto="0 0 0 .5 0 0" size=".05"/>
    <geom name="span" class="span"/>
    <geom name="mesh" type="mesh" mesh="m"/>
  </body></worldbody>
  <equality><weld name="w" body1="b" relpose="1 2 3 1 0 0 0"/></equality>
</mujoco>
"""


@pytest.mark.parametrize(
    ("field", "at", "values", "line"),
    [
        # a radius, of a geom whose ends are its own or those of its class
        ("geom_size", (0, 0), 0.06, '<geom name="own" type="capsule" fromto="0 0 0 .5 0 0" size="0.06"/>'),
        ("geom_size", (1, 0), 0.06, '<geom name="span" class="span" size="0.06"/>'),
        # its length, and where it is
        ("geom_size", (0, 1), 0.5, '<geom name="own" type="capsule" fromto="-0.25 0 0 0.75 0 0" size=".05"/>'),
        ("geom_pos", 0, [0.25, 0, 1], '<geom name="own" type="capsule" fromto="0 0 1 .5 0 1" size=".05"/>'),
        ("geom_pos", 1, [1, 0.1, 0.1], '<geom name="span" class="span" fromto="1 0 0 1 0.2 0.2"/>'),
        ("body_pos", 1, [3, 0, 0], '<worldbody><body name="b" pos="3 0 0" euler="0 30 0"><joint type="ball"/>'),
        (
            "eq_data",
            (0, 0),
            5,
            '<equality><weld name="w" body1="b" relpose="1 2 3 1 0 0 0" anchor="5 0 0"/></equality>',
        ),
    ],
)
def test_only_what_was_edited_is_written(field: str, at: object, values: object, line: str) -> None:
    m = sim.loads(SPANNING)
    m.read(field)[at] = values
    plan = m.plan_save("saved.xml")
    (added,) = [text[1:].strip() for text in changed(plan) if text.startswith("+")]
    assert (added, plan.unsaved) == (line, ())


@pytest.mark.parametrize(
    ("field", "at", "value", "name"),
    [
        ("dof_damping", 1, 3.0, "dof_damping of joint 0"),
        ("geom_size", (2, 0), 0.5, 'geom_size of geom "mesh"'),
        ("eq_data", (0, 11), 1.0, 'eq_data of equality "w"'),
        ("geom_quat", (1, 0), 0.5, 'geom_quat of geom "span"'),
    ],
)
def test_what_no_attribute_says_is_named_and_not_written(field: str, at: object, value: object, name: str) -> None:
    m = sim.loads(SPANNING)
    m.read(field)[at] = value
    plan = m.plan_save("saved.xml")
    assert (plan.unsaved, plan.edits) == ((name,), ())


def test_an_element_that_cannot_be_so_does_not_block_the_others(tmp_path: Path) -> None:
    path = tmp_path / "main.xml"
    path.write_text('<mujoco><worldbody><camera name="c" fovy="40"/><camera name="d"/></worldbody></mujoco>')
    m = sim.load(path)
    m.cam_sensorsize[0], m.cam_fovy[1] = 1, 60
    plan = m.plan_save()
    assert plan.unsaved == ("cam_sensorsize of camera \"c\": 'fovy' and 'sensorsize' are mutually exclusive",)
    plan.write()
    assert path.read_text() == path.read_text().replace('name="d"/', 'name="d" fovy="60"/')
    assert sim.load(path).cam_fovy[1] == 60


def test_what_mujoco_does_not_read_is_said(tmp_path: Path) -> None:
    path = tmp_path / "main.xml"
    path.write_text(
        MAIN.replace("</worldbody>", '</worldbody><equality><distance geom1="g" geom2="h" distance="1"/></equality>')
    )
    (tmp_path / "part.xml").write_text(PART)
    m = sim.load(path)
    distance = ("the distance equality", None)
    m.opt.density = 1
    assert m.plan_save().unread == (distance,)
    m.opt.integrator = 5
    (edit,) = [edit for edit in m.plan_save().edits if edit.attribute == "integrator"]
    assert edit.after == "implicitspringdamper"
    assert m.plan_save().unread == (("the integrator implicitspringdamper", edit.key), distance)
    assert m.plan_save(ways={edit.key: LEAVE_OUT}).unread == (distance,)


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
