"""Models made of parts: replicate, attach and model assets, against MuJoCo, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import mujoco
import pytest

from sim.mjcf import MjcfError, compile_file, compile_text
from sim.mjcf.attach import assembly, keyframes
from sim.mjcf.attach.references import walk
from sim.mjcf.source import Node
from tests.sim.mjcf.compare import differences

ARM = '<body name="b" pos="1 0 0"><joint name="j" ref="10"/><geom name="g" size=".1"/><site name="s"/></body>'
OUTER = '<body name="o"><joint name="oj" type="slide"/><geom name="og" size=".1"/></body>'


HEAD = '<asset><model name="c" file="c.xml"/></asset>'


def model(world: str, head: str = "", tail: str = "") -> str:
    return f"<mujoco>{head}<worldbody>{world}</worldbody>{tail}</mujoco>"


def copies(count: int, inside: str, more: str = 'offset="1 0 0" euler="0 0 90"') -> str:
    return f'<replicate count="{count}" {more}>{inside}</replicate>'


CLASS = '<default><geom rgba="1 0 0 1"/><default class="a"><geom size="2"/><joint type="ball"/></default></default>'

REPLICATED = {
    "bodies": model(copies(3, ARM) + OUTER),
    "none": model(copies(0, ARM) + copies(-1, ARM) + OUTER),
    "one": model(copies(1, ARM)),
    "geoms": model(copies(12, '<geom size="1" name="g"/><frame name="f" pos="0 0 1"><site name="s"/></frame><light/>')),
    "geoms of a body": model("<body><joint/>" + copies(3, '<geom size=".1"/>') + '<geom size=".3"/></body>'),
    "inertia inside": model(
        '<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        + copies(2, '<inertial pos="0 0 0" mass="5" diaginertia="1 2 2"/><geom size="1"/>')
        + "</body>"
    ),
    "nested": model(copies(10, copies(2, ARM, 'offset="0 0 1"'), 'sep="-" euler="5 6 7" offset="1 2 3"')),
    "radians": model(copies(4, ARM, 'euler="1 2 3"'), '<compiler angle="radian" eulerseq="zXy"/>'),
    "in a frame": model(f'<frame pos="1 2 3" euler="1 2 3">{copies(4, ARM)}</frame>'),
    "class": model(copies(2, "<geom/><body><joint/><geom/></body>", 'childclass="a"'), CLASS),
    "class from above": model(f'<body childclass="a">{copies(2, "<geom/><body><joint/><geom/></body>")}</body>', CLASS),
    "attributes without effect": model(copies(2, ARM, 'offset="1 0 0" prefix="p" name="r" pos="1 2 3"')),
    "target": model(copies(2, ARM.replace("<site", '<camera mode="targetbody" target="b"/><site'))),
    "material": model(copies(2, '<geom size="1" material="m"/>'), '<asset><material name="m"/></asset>'),
    "keyframe": model(OUTER + copies(2, ARM), tail='<keyframe><key name="k" qpos="1 2" qvel="3 4"/></keyframe>'),
    "keyframe of one": model(copies(3, ARM), tail='<keyframe><key name="k" qpos="1"/><key qvel="2"/></keyframe>'),
    "empty keyframe": model(copies(2, ARM) + OUTER, tail='<keyframe><key name="k" time="1"/></keyframe>'),
    "keyframe and nkey": model(copies(2, ARM), '<size nkey="3"/>', '<keyframe><key name="k" qpos="1"/></keyframe>'),
    "free bodies in a keyframe": model(
        copies(2, '<body name="f" pos="0 0 1" euler="1 2 3"><freejoint/><geom size="1"/></body>'),
        tail='<keyframe><key name="k" qpos="1 2 3 1 0 0 0"/></keyframe>',
    ),
    "part of itself": model(ARM + '<frame pos="0 0 1"><attach body="b" prefix="x_"/></frame>' + OUTER),
    "frame of itself": model('<frame name="f" pos="1 0 0"><geom size="1"/></frame><attach frame="f" prefix="x_"/>'),
    "keyframe of a part of itself": model(
        ARM + '<attach body="b" prefix="x_"/>', tail='<keyframe><key name="k" qpos="3"/></keyframe>'
    ),
    "short keyframe": model(
        OUTER + ARM + '<body pos="1 2 3" euler="1 2 3"><freejoint/><geom size="1"/></body>',
        tail='<keyframe><key qpos="3"/><key qpos="3 4 5"/></keyframe>',
    ),
    "short mocap keyframe": model(
        '<frame pos="1 1 1"><body mocap="true"/><body mocap="true" pos="1 2 3" euler="1 2 3"/></frame>',
        tail='<keyframe><key mpos="1 2 3" mquat="1 1 0 0"/></keyframe>',
    ),
}


@pytest.mark.parametrize("name", REPLICATED)
def test_copies(name: str) -> None:
    compiled = compile_text(REPLICATED[name])
    assert differences(compiled, mujoco.MjModel.from_xml_string(REPLICATED[name])) == []


# ---- what refers to copies

SECTIONS = """
    <sensor><clock name="cl"/><jointpos joint="j"/><jointpos name="oj" joint="oj"/><user name="u" dim="1"/>
      <framepos objtype="site" objname="s" reftype="body" refname="world"/><actuatorpos actuator="m"/></sensor>
    <actuator><motor name="m" joint="j"/><motor name="om" joint="oj"/><motor tendon="t"/></actuator>
    <equality><weld name="w" body1="b" body2="o"/><connect name="q" body1="b" anchor="0 0 0"/>
      <joint name="jj" joint1="j"/><tendon tendon1="t"/></equality>
    <contact><exclude body1="b" body2="o"/><pair geom1="g" geom2="og"/><exclude body1="world" body2="b"/></contact>
    <tendon><fixed name="t"><joint joint="j" coef="1"/></fixed><fixed name="to"><joint joint="oj" coef="1"/></fixed>
    </tendon>
    <custom><numeric name="n" data="1"/><text name="x" data="y"/>
      <tuple name="tt"><element objtype="body" objname="o"/></tuple></custom>"""

REFERRED = {
    "copies": model(OUTER + copies(2, ARM), tail=SECTIONS),
    "copies of copies": model(OUTER + copies(2, copies(2, ARM), 'offset="0 0 1" sep="_"'), tail=SECTIONS),
    "part of itself": model(OUTER + ARM + '<attach body="b" prefix="x_"/>', tail=SECTIONS),
    "controls in keyframes of a part of itself": model(
        OUTER + ARM + '<attach body="b" prefix="x_"/>',
        tail=SECTIONS + '<keyframe><key name="k" qpos="1 2" ctrl="3 4 5"/></keyframe>',
    ),
    "controls in keyframes": model(
        OUTER + copies(2, ARM), tail=SECTIONS + '<keyframe><key name="k" qpos="1 2" ctrl="3 4 5"/></keyframe>'
    ),
}


PARTS = """<site name="s0"/><geom name="g0" type="plane" size="1 1 1"/><camera name="c0" resolution="2 2"/>
    <body name="o"><joint name="jo"/><geom name="go" size="1"/></body>"""
PART = """<body name="a"><joint name="ja"/><geom name="ga" size="1"/><camera name="ca" resolution="2 2"/>
    <site name="s1"/></body>"""


def in_tuple(*names: str) -> str:
    inside = "".join(f'<element objtype="body" objname="{name}"/>' for name in names)
    return f'<custom><tuple name="e">{inside}</tuple></custom>'


# elements that refer to what is copied, to what is not, and to the world
HALF_COPIED = [
    *(
        f"<equality>{element}</equality>"
        for element in (
            '<weld name="e" body1="a" body2="world"/>',
            '<weld name="e" body1="world" body2="a"/>',
            '<connect name="e" body1="world" body2="a" anchor="0 0 0"/>',
            '<weld name="e" body1="a"/>',
            '<weld name="e" body1="a" body2="o"/>',
            '<weld name="e" site1="s0" site2="s1"/>',
            '<joint name="e" joint1="ja" joint2="jo"/>',
        )
    ),
    *(
        f"<sensor>{element}</sensor>"
        for element in (
            '<distance name="e" body1="world" body2="a"/>',
            '<distance name="e" body1="o" body2="a"/>',
            '<distance name="e" body1="o" body2="world"/>',
            '<framepos name="e" objtype="body" objname="a" reftype="body" refname="o"/>',
            '<framepos name="e" objtype="body" objname="o" reftype="body" refname="a"/>',
            '<framepos name="e" objtype="body" objname="a" reftype="xbody" refname="world"/>',
            '<framepos name="e" objtype="body" objname="world"/>',
            '<framepos name="e" objtype="body" objname="o"/>',
            '<contact name="e" geom1="ga" geom2="g0"/>',
            '<contact name="e" subtree1="world"/>',
            '<contact name="e"/>',
            '<camprojection name="e" site="s0" camera="ca"/>',
            '<insidesite name="e" objtype="body" objname="o" site="s1"/>',
            '<clock name="e"/>',
        )
    ),
    *(in_tuple(*names) for names in (["world"], ["a"], ["o"], ["world", "a"], ["world", "o"], ["a", "o"])),
    '<contact><exclude name="e" body1="o" body2="a"/></contact>',
    '<contact><pair name="e" geom1="g0" geom2="ga"/></contact>',
    '<tendon><spatial name="e"><site site="s0"/><site site="s1"/></spatial></tendon>',
    '<actuator><general name="e" site="s1" refsite="s0"/></actuator>',
    '<actuator><adhesion name="e" body="world" ctrlrange="0 1"/></actuator>',
]


@pytest.mark.parametrize("section", HALF_COPIED)
def test_references_to_what_is_not_copied(section: str) -> None:
    texts = [model(PARTS + copies(count, PART), tail=section) for count in (0, 1, 2)]
    texts.append(model(PARTS + PART + '<attach body="a" prefix="x_"/>', tail=section))
    for own in ("", PARTS):
        for part in ("", 'body="a"'):
            texts.append(model(f'{own}<attach model="c" {part} prefix="x_"/>', HEAD))
    child = model(PARTS + PART, tail=section)
    for text in texts:
        compiled = compile_text(text, {"c.xml": child})
        assert differences(compiled, mujoco.MjModel.from_xml_string(text, {"c.xml": child.encode()})) == []


@pytest.mark.parametrize("name", REFERRED)
def test_references(name: str) -> None:
    compiled = compile_text(REFERRED[name])
    assert differences(compiled, mujoco.MjModel.from_xml_string(REFERRED[name])) == []


# ---- attached models

CHILD = """<mujoco model="child"><compiler angle="radian" eulerseq="zyx" autolimits="false"/>
  <default><geom size=".2" rgba="1 0 0 1"/><default class="k"><geom size=".3" material="m"/><joint damping="3"/>
  </default></default>
  <asset><texture name="t" type="2d" builtin="flat" width="2" height="2"/><material name="m" texture="t"/>
    <material name="unused"/></asset>
  <worldbody><geom name="floor" type="plane" size="1 1 1"/><light name="l"/>
    <frame name="ff" pos="0 0 3" childclass="k"><frame name="fg" pos="0 0 4"><geom name="inf"/></frame></frame>
    <body name="a" euler="0.1 0.2 0.3"><freejoint name="f"/><geom name="ga" material="m"/>
      <body name="c" childclass="k"><joint name="jc" range="-1 1" limited="true" ref=".5"/><geom name="gc"/>
        <camera name="cam" mode="targetbody" target="c"/><site name="s"/></body></body>
    <body name="other" pos="1 1 1"><joint name="jo"/><geom/></body>
    <body name="m" mocap="true"/>
  </worldbody>%s
  <keyframe><key name="home" qpos="0 0 1 1 0 0 0 .5 .6" qvel="1 2 3 4 5 6 7 8" mpos="4 5 6"/><key time="3"/></keyframe>
  </mujoco>"""

CHILD_SECTIONS = """
  <sensor><jointpos name="sp" joint="jc"/><jointpos name="so" joint="jo"/><clock name="cl"/>
    <framepos objtype="body" objname="a" reftype="body" refname="world"/></sensor>
  <actuator><motor name="mc" joint="jc"/><position name="mo" joint="jo" class="k"/></actuator>
  <equality><weld name="w" body1="c" body2="other"/><joint joint1="jc"/><weld body1="c" body2="world"/></equality>
  <contact><exclude body1="a" body2="c"/><exclude body1="world" body2="a"/><exclude body1="other" body2="a"/></contact>
  <tendon><fixed name="t"><joint joint="jc" coef="2"/></fixed></tendon>
  <custom><numeric name="n" data="1"/><text name="x" data="y"/><tuple name="tt"><element objtype="body" objname="c"/>
    </tuple><tuple name="t2"><element objtype="body" objname="other"/></tuple></custom>"""

ASSET = '<asset><model name="ch" file="child.xml"/><material name="m"/></asset>'
KEY = '<keyframe><key name="pk" qpos="5"/></keyframe>'
PARENT_CLASS = '<default><geom size="9"/><joint armature="7"/><default class="k"><geom size="3"/></default></default>'

ATTACHED = {
    "body": model(OUTER + '<attach model="ch" body="a" prefix="x_"/>', ASSET + PARENT_CLASS, KEY),
    "world": model(OUTER + '<attach model="ch" prefix="x_"/>', ASSET + PARENT_CLASS),
    "body called world": model('<attach model="ch" body="other" prefix="x_"/>', ASSET),
    "frame": model('<attach model="ch" frame="ff" prefix="x_"/>', ASSET),
    "inner frame": model('<body pos="0 1 0"><attach model="ch" frame="fg" prefix="x_"/></body>', ASSET),
    "in a frame": model('<frame pos="1 2 3" euler="40 50 60"><attach model="ch" body="c" prefix="x_"/></frame>', ASSET),
    "twice": model('<attach model="ch" body="a" prefix="x_"/><attach model="ch" prefix="y_"/>', ASSET),
    "no prefix": model('<attach model="ch" body="a" prefix=""/>', ASSET.replace('<material name="m"/>', "")),
    "class around": model(
        '<body childclass="k"><attach model="ch" body="c" prefix="x_"/><geom/></body>', ASSET + PARENT_CLASS
    ),
    "copies": model(copies(2, '<attach model="ch" body="other" prefix="x_"/>'), ASSET),
    "by its own name": model(
        '<attach model="child" body="a" prefix="x_"/>', '<asset><model file="child.xml"/></asset>'
    ),
    "full keyframe": model(
        '<attach model="ch" body="other" prefix="x_"/>' + OUTER, ASSET, '<keyframe><key qpos="1 2"/></keyframe>'
    ),
    "conflict": model(
        '<attach model="ch" body="a" prefix="x_"/>', '<compiler boundmass="500" inertiafromgeom="true"/>' + ASSET
    ),
}


def compared(folder: Path, files: dict[str, str]) -> list[str]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    main = folder / next(iter(files))
    compiled = compile_file(main)
    return differences(compiled, mujoco.MjModel.from_xml_path(str(main)))


@pytest.mark.parametrize("name", ATTACHED)
def test_attached(name: str, tmp_path: Path) -> None:
    assert compared(tmp_path, {"main.xml": ATTACHED[name], "child.xml": CHILD % ""}) == []


@pytest.mark.parametrize("name", ATTACHED)
def test_attached_with_sections(name: str, tmp_path: Path) -> None:
    child = CHILD % CHILD_SECTIONS
    child = child.replace('time="3"', 'time="3" ctrl="8 9"')
    assert compared(tmp_path, {"main.xml": ATTACHED[name], "child.xml": child}) == []


EMPTY_NAMES = """<mujoco><asset><material name="m"/></asset><default><geom material="m"/></default><worldbody>%s
  <body name="b"><joint name=""/><geom name="" size="1" material=""/><geom size="1"/><camera target=""/><site name=""/>
  </body>%s</worldbody><sensor><clock name=""/></sensor><keyframe><key name=""/></keyframe></mujoco>"""


def test_empty_names_stay_empty() -> None:
    child = EMPTY_NAMES % ("", "")
    for text in (
        EMPTY_NAMES % ('<replicate count="2">', "</replicate>"),
        model('<attach model="c" prefix="x"/>', HEAD),
    ):
        compiled = compile_text(text, {"c.xml": child})
        expected = mujoco.MjModel.from_xml_string(text, {"c.xml": child.encode()})
        assert differences(compiled, expected) == []
        for kind in ("body", "joint", "geom", "site", "sensor", "key"):
            assert compiled.names[kind] == [getattr(expected, kind)(k).name for k in range(len(compiled.names[kind]))]


def test_models_in_models(tmp_path: Path) -> None:
    attach = '<asset><model name="%s" file="%s"/></asset><worldbody>%s<attach model="%s" body="%s" prefix="%s"/>'
    files = {
        "main.xml": "<mujoco>" + attach % ("m", "sub/m.xml", OUTER, "m", "mid", "m_") + "</worldbody></mujoco>",
        "sub/m.xml": '<mujoco><default><geom rgba="0 1 0 1"/></default><compiler angle="radian"/>'
        + attach % ("n", "deep/n.xml", '<body name="mid" euler="1 0 0"><geom size="1"/>', "n", "low", "n_")
        + "</body></worldbody></mujoco>",
        "sub/deep/n.xml": '<mujoco><default><geom size=".3"/><default class="q"><geom size=".4"/></default></default>'
        '<worldbody><body name="low" euler="0 30 0"><geom/><geom class="q"/></body></worldbody></mujoco>',
    }
    assert compared(tmp_path, files) == []


SETTINGS = {
    "timestep": ('<option timestep=".01"/>', '<option timestep=".001"/>'),
    "larger timestep": ('<option timestep=".001"/>', '<option timestep=".01"/>'),
    "only there": ("", '<option gravity="1 2 3" timestep=".01" integrator="RK4"/>'),
    "iterations": ('<option iterations="3"/>', '<option iterations="300"/>'),
    "flags": (
        '<option><flag contact="enable"/></option>',
        '<option><flag contact="disable" energy="enable"/></option>',
    ),
    "enabled flags": ('<option><flag contact="disable"/></option>', '<option><flag contact="enable"/></option>'),
    "flags that are off": ('<option><flag energy="enable"/></option>', '<option><flag energy="disable"/></option>'),
    "flags that are on": ('<option><flag energy="disable"/></option>', '<option><flag energy="enable"/></option>'),
    "groups": ('<option actuatorgroupdisable="1"/>', '<option actuatorgroupdisable="2 3"/>'),
    "gravity": ('<option gravity="0 0 1"/>', '<option gravity="0 0 2"/>'),
    "same gravity": ('<option gravity="0 0 1"/>', '<option gravity="0 0 1.0"/>'),
    "looks": ('<visual><map znear=".1" zfar="8"/></visual>', '<visual><map znear=".2" zfar="9"/></visual>'),
    "sizes": ('<size nuser_geom="2" nconmax="5"/>', '<size nuser_geom="3" nuserdata="7"/>'),
}


@pytest.mark.filterwarnings("ignore:.*")
@pytest.mark.parametrize("mode", ["warning", "merge", "error"])
@pytest.mark.parametrize("name", SETTINGS)
def test_conflict(name: str, mode: str, tmp_path: Path) -> None:
    ours, theirs = SETTINGS[name]
    files = {
        "main.xml": f'<mujoco><compiler conflict="{mode}"/>{ours}<asset><model name="c" file="c.xml"/></asset>'
        '<worldbody>\n<attach model="c" prefix="x"/></worldbody></mujoco>',
        "c.xml": f'<mujoco>{theirs}<worldbody><geom size="1"/></worldbody></mujoco>',
    }
    for file, text in files.items():
        (tmp_path / file).write_text(text)
    try:
        reference = mujoco.MjModel.from_xml_path(str(tmp_path / "main.xml"))
    except ValueError:
        with pytest.raises(MjcfError, match=r"main\.xml:2: <attach>: settings of the attached model conflict: "):
            compile_file(tmp_path / "main.xml")
        return
    assert differences(compile_file(tmp_path / "main.xml"), reference) == []


def test_a_conflict_is_told(tmp_path: Path) -> None:
    ours, theirs = SETTINGS["timestep"]
    head = f'{ours}<asset><model name="c" file="c.xml"/></asset>'
    text = model('\n<attach model="c" prefix="x"/>', head)
    with pytest.warns(UserWarning, match=r"<text>:2: <attach>: settings .* timestep: .01 here, .001 there"):
        compile_text(text, {"c.xml": f'<mujoco>{theirs}<worldbody><geom size="1"/></worldbody></mujoco>'})


SMALL = {"c.xml": '<mujoco><worldbody><body name="a"><geom size="1"/></body></worldbody></mujoco>'}
# what is wrong -> world, head, words of the message
BAD: dict[str, tuple[str, str, str]] = {
    "no count": ("<replicate/>", "", "<replicate>: missing attribute 'count'"),
    "count": ('<replicate count="2.5"/>', "", "count=\"2.5\": '2.5' is not an integer"),
    "huge count": ('<replicate count="1000000"/>', "", "count is 1000000; the maximum is 100000"),
    "too many": (copies(90000, copies(90, '<geom size="1"/>')), "", "<replicate>: the model is too large: more than"),
    "attribute": ('<replicate count="1" of="1"/>', "", "unknown attribute 'of'"),
    "element": (copies(1, "<geoom/>"), "", "<geoom>: unknown element in <body>; did you mean 'geom'?"),
    "class": (copies(1, "<geom/>", 'childclass="z"'), "", "unknown default class 'z'"),
    "no model": ('<attach model="d" prefix="x"/>', HEAD, "<attach>: model 'd' does not exist; known: c"),
    "no body": ('<attach model="c" body="z" prefix="x"/>', HEAD, "model 'c' has no body 'z'"),
    "no prefix": ('<attach model="c" body="a"/>', HEAD, "missing attribute 'prefix'"),
    "body and frame": (
        '<attach model="c" body="a" frame="a" prefix="x"/>',
        HEAD,
        "'body' and 'frame' are mutually exclusive; specify only one",
    ),
    "nothing": ('<attach prefix="x"/>', "", "nothing to attach; set model, body or frame"),
    "not so far": (
        '<attach body="b" prefix="x"/><body name="b"/>',
        "",
        "body 'b' is not defined before this; known: world",
    ),
    "twice": ('<attach model="c" body="a" prefix="x"/>' * 2, HEAD, "body 'xa' already exists; use another prefix"),
    "missing file": ("", '<asset>\n<model file="z.xml"/></asset>', "<model>: file 'z.xml' not found"),
    "no file": ("", '<asset>\n<model name="z"/></asset>', "<model>: missing attribute 'file'"),
    "network": ("", '<asset>\n<model file="http://host/z.xml"/></asset>', "is a network address"),
    "target outside": (copies(2, '<camera target="q"/>') + '<body name="q"/>', "", "target body 'q0' does not exist"),
    "size of a keyframe": (copies(2, ARM), "", "<key>: 'k': qpos has 3 values; the model needs 2"),
}


@pytest.mark.parametrize("element", ["<sensor><clock/></sensor>", in_tuple("world")])
def test_what_doubles_with_each_copy_is_bounded(element: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.mjcf.attach.assembly.MOST_DOUBLED", 30)
    inside = copies(6, '<geom size=".1"/>')
    with pytest.raises(
        MjcfError, match=r"every copy of a <replicate> duplicates it.*: more than 30; move the <replicate>"
    ):
        compile_text(model(inside, tail=element))
    # the cure
    attached = model('<attach model="c" prefix="x_"/>', '<asset><model name="c" file="c.xml"/></asset>', element)
    values = compile_text(attached, {"c.xml": model(inside)}).values
    assert values["nsensor"] + values["ntuple"] == 1 and values["ngeom"] == 6


def test_each_copy_is_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice as many copies do not walk four times as far."""
    steps = []

    def counted(node: Node) -> Iterator[Node]:
        for found in walk(node):
            steps.append(found)
            yield found

    for module in (assembly, keyframes):
        monkeypatch.setattr(module, "walk", counted)
    walked = []
    for count in (100, 200):
        steps.clear()
        compile_text(model(copies(count, '<body><freejoint/><geom size="1"/></body>')))
        walked.append(len(steps))
    assert walked[1] <= 2.5 * walked[0]


JOINTS = {
    "joint": "<joint/>",
    "free joint": "<freejoint/>",
    "in a frame": "<frame>\n<joint/></frame>",
    "in copies": '<replicate count="2"><joint/></replicate>',
}


@pytest.mark.parametrize("name", JOINTS)
@pytest.mark.parametrize("count", [0, 2])
def test_joints_are_not_copied_into_a_body(name: str, count: int) -> None:
    text = model(f'<body><geom size="1"/>{copies(count, JOINTS[name])}</body>')
    with pytest.raises(ValueError, match="joint cannot be a direct child of replicate"):
        mujoco.MjModel.from_xml_string(text)
    with pytest.raises(MjcfError, match=r"into the enclosing body; wrap it in a <body>"):
        compile_text(text)
    inside = f'<body><geom size="1"/>{JOINTS[name]}</body>'
    if "copies" not in name:
        text = model(copies(count, inside))
        assert differences(compile_text(text), mujoco.MjModel.from_xml_string(text)) == []


@pytest.mark.parametrize("mistake", BAD)
def test_bad_structure(mistake: str) -> None:
    world, head, words = BAD[mistake]
    tail = '<keyframe>\n<key name="k" qpos="1 2 3"/></keyframe>' if "keyframe" in mistake else ""
    text = model("\n" + world if not head.count("\n") and not tail else world, head, tail)
    with pytest.raises(MjcfError) as caught:
        compile_text(text, SMALL)
    assert words in str(caught.value)
    assert str(caught.value).startswith("<text>:2: ")


def test_errors_in_attached_models_name_their_file() -> None:
    for text, words in (
        ("<html/>", "c.xml:1: <html>: the root element is <html>"),
        ('<mujoco>\n<worldbody>\n<geom sise="1"/></worldbody></mujoco>', "c.xml:3: <geom>: unknown attribute 'sise'"),
        ("<mujoco>\n<worldbodi/></mujoco>", "c.xml:2: <worldbodi>: unknown element"),
        ("<mujoco>", "c.xml:1: not well-formed XML"),
    ):
        with pytest.raises(MjcfError) as caught:
            compile_text(model('<attach model="c" prefix="x"/>', HEAD), {"c.xml": text})
        assert words in str(caught.value)


def test_a_model_cannot_be_a_part_of_itself(tmp_path: Path) -> None:
    for name, other in (("a.xml", "b.xml"), ("b.xml", "a.xml"), ("c.xml", "c.xml")):
        (tmp_path / name).write_text(f'<mujoco><asset><model file="{other}"/></asset></mujoco>')
    for name in ("a.xml", "c.xml"):
        with pytest.raises(MjcfError, match="attaches itself"):
            compile_file(tmp_path / name)
