"""Words of MuJoCo 4.0: every element and attribute of its schema is read, or refused by name with a reason.

`schema_4.txt` lists them as `mujoco.mj_printSchema` of MuJoCo 4.0.0 does, one element a line, with its path.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import sim
from sim.attributes import BY_TAG
from sim.mjcf.schema import CHILDREN, NOT_IN_DEFAULT, UNSUPPORTED
from tests.sim.mjcf.asset_files import png

SCHEMA = {
    path: names.split()
    for path, _, names in (
        line.partition(":")
        for line in (Path(__file__).parent / "schema_4.txt").read_text(encoding="utf-8").splitlines()
    )
}
# elements that are not supported, with all that is in them
REFUSED = {
    "extension": "plugins", "plugin": "plugins", "flex": "flexes", "flexcomp": "flexes", "flexstrain": "flexes",
}  # fmt: skip


def tag_of(path: str) -> str:
    """The name of an element in our schema."""
    *_, parent, tag = ("", *path.split("/"))
    qualified = f"{parent}/{tag}"
    if parent in CHILDREN:
        known = {kind.rstrip("?").rpartition("/")[2]: kind.rstrip("?") for kind in CHILDREN[parent].split()}
        return known.get(tag, tag)
    return qualified if qualified in BY_TAG else tag


@pytest.mark.parametrize("path", [path for path in SCHEMA if not set(path.split("/")) & set(REFUSED)])
def test_element_is_read(path: str) -> None:
    *_, parent, tag = ("", *path.split("/"))
    name = tag_of(path)
    known = set(BY_TAG.get(name, {}))
    if parent == "default" and not name.startswith("default/"):
        known -= {*NOT_IN_DEFAULT[""], *NOT_IN_DEFAULT.get(tag, ())}
    assert set(SCHEMA[path]) <= known
    if parent:
        assert name in {kind.rstrip("?") for kind in CHILDREN.get(tag_of(path.rpartition("/")[0]), "").split()} | {
            "model"
        }


@pytest.mark.parametrize("path", [path for path in SCHEMA if path.split("/")[-1] in REFUSED])
def test_element_is_refused_by_name(path: str) -> None:
    parts = path.split("/")
    if set(parts[:-1]) & set(REFUSED):
        return
    assert parts[-1] in UNSUPPORTED[parts[-2]]


JOINT = '<worldbody><body><joint name="j" {}/><geom size=".1"/></body></worldbody>'


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('<option><flag ipc="enable"/></option>', "<flag>: ipc"),
    ],
)
def test_physics_of_tomorrow_is_refused_by_name(text: str, line: str) -> None:
    with pytest.raises(sim.MjcfError, match=r"part of MuJoCo 4\.0's physics that is not supported yet") as error:
        sim.loads(f"<mujoco>{text}</mujoco>")
    assert line in str(error.value) and error.value.line == 1


@pytest.mark.parametrize(
    "text",
    [
        '<option><flag speculative="disable" ipc="disable"/></option>',
        JOINT.format('springyield="0"'),
        '<keyframe><key plastic=""/></keyframe>',
        '<compiler savecompiled="false" savecanonical="true" passthrough="textures"/>',
    ],
)
def test_words_that_change_nothing_are_read(text: str) -> None:
    sim.loads(f"<mujoco>{text}</mujoco>")


@pytest.mark.parametrize(("text", "value"), [("0", 0), ("1", 1), ("2", 2), ("false", 0), ("true", 1), ("auto", 2)])
def test_headlight(text: str, value: int) -> None:
    m = sim.loads(f'<mujoco><visual><headlight active="{text}"/></visual></mujoco>')
    assert m.vis.headlight.active == value


def test_defaults_of_textures_and_tendons() -> None:
    m = sim.loads("""<mujoco>
      <default>
        <texture builtin="flat" width="4" height="4" rgb1="1 0 0"/>
        <tendon armature="0.5" actuatorfrclimited="true" actuatorfrcrange="-1 2"/>
        <default class="big"><texture width="8" height="8" embed="true"/></default>
      </default>
      <asset><texture name="a" type="2d"/><texture name="b" class="big" type="2d"/></asset>
      <worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
      <tendon><fixed><joint joint="j" coef="1"/></fixed></tendon>
    </mujoco>""")
    assert m.tex_width.tolist() == [4, 8]
    assert m.tex_data[:3].tolist() == [255, 0, 0]
    assert m.tendon_armature[0] == 0.5 and m.tendon_actfrclimited[0]
    assert m.tendon_actfrcrange[0].tolist() == [-1, 2]


def actuator(inside: str, default: str = "") -> str:
    return f"""<mujoco><default>{default}</default>{JOINT.format('range="-1 1"')}
      <actuator>{inside}</actuator></mujoco>"""


@pytest.mark.parametrize(("word", "spec"), [("pos", 1), ("vel", 2), ("pressure", 32), ("", 0)])
@pytest.mark.parametrize("gain", ["fixed", "affine"])
def test_input_of_one_control(gain: str, word: str, spec: int) -> None:
    m = sim.loads(actuator(f'<general joint="j" gaintype="{gain}" biastype="affine" input="{word}"/>'))
    assert m.actuator_ctrlspec.tolist() == [spec] and m.nu == 1


@pytest.mark.parametrize("attributes", ['gaintype="user" input="pos"', 'input="ff"', 'input="pos vel"'])
def test_input_that_a_gain_does_not_have(attributes: str) -> None:
    with pytest.raises(sim.MjcfError, match="input"):
        sim.loads(actuator(f'<general joint="j" {attributes}/>'))


def test_input_of_a_default_is_for_its_gaintype() -> None:
    m = sim.loads(actuator('<damper joint="j" ctrlrange="0 1"/>', '<general input="pos"/>'))
    assert m.actuator_ctrlspec.tolist() == [0]


def test_empty_input_resets_that_of_the_default() -> None:
    m = sim.loads(actuator('<general joint="j" input=""/><general joint="j"/>', '<general input="pos"/>'))
    assert m.actuator_ctrlspec.tolist() == [0, 1]


def test_inherited_range_of_a_general_actuator() -> None:
    m = sim.loads(actuator('<general joint="j" biastype="affine" gainprm="2" biasprm="0 -2" inheritrange="0.5"/>'))
    limit = 0.5 * m.jnt_range[0, 1]
    assert m.actuator_ctrlrange[0].tolist() == [-limit, limit]


TEXT = "<mujoco><custom><text name='t' {}>{}</text></custom></mujoco>"


@pytest.mark.parametrize(
    ("inside", "data"),
    [
        ("<![CDATA[x <y>\n & z]]>", "x <y>\n & z"),
        (" <!-- c --> <![CDATA[a]]> ", "a"),
        ("p<![CDATA[a]]>q", "a"),
    ],
)
def test_text_in_cdata(inside: str, data: str, tmp_path: Path) -> None:
    m = sim.loads(TEXT.format("", inside))
    assert bytes(m.text_data) == data.encode() + b"\0"
    m.save_xml(tmp_path / "saved.xml")
    assert bytes(sim.load(tmp_path / "saved.xml").text_data) == data.encode() + b"\0"


@pytest.mark.parametrize(
    ("attribute", "inside", "error"),
    [
        ("data='q'", "<![CDATA[x]]>", "mutually exclusive"),
        ("", "<![CDATA[x]]><![CDATA[y]]>", "several CDATA"),
        ("", "plain", "missing attribute 'data'"),
        ("", "<![CDATA[]]>", "missing attribute 'data'"),
    ],
)
def test_bad_text(attribute: str, inside: str, error: str) -> None:
    with pytest.raises(sim.MjcfError, match=error):
        sim.loads(TEXT.format(attribute, inside))


def test_a_static_body_that_is_not_to_be_fused() -> None:
    text = """<mujoco><compiler fusestatic="true"/><worldbody>
      <body name="kept" fuse="false"><geom size=".1"/></body><body name="fused"><geom size=".1"/></body>
    </worldbody></mujoco>"""
    assert sim.loads(text).names["body"] == ["world", "kept"]


def test_shadows_of_a_geom() -> None:
    m = sim.loads('<mujoco><worldbody><geom size="1"/><geom size="1" castshadow="false"/></worldbody></mujoco>')
    assert m.geom_castshadow.tolist() == [True, False]


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ('<compiler settotalmass="2"/>', "<compiler>: settotalmass is deprecated in MuJoCo 4.0; scale the masses"),
        ('<statistic meaninertia="1"/>', "<statistic>: meaninertia is deprecated in MuJoCo 4.0; remove it"),
        # those that MuJoCo 4.0 does not mind
        ('<compiler settotalmass="-1"/><statistic meanmass="1"/>', ""),
    ],
)
def test_deprecated_words_are_read_with_a_warning(text: str, warning: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        m = sim.loads(f"<mujoco>{text}{JOINT.format('')}</mujoco>")
    assert len(caught) == bool(warning) and all(warning in str(one.message) for one in caught)
    assert not warning or (m.body_mass[1] == 2 if "total" in text else m.stat.meaninertia == 1)


def test_texture_by_reference_is_read() -> None:
    picture = png(np.full((4, 4, 3), 200, np.uint8))
    text = '<mujoco><asset><texture name="t" type="2d" file="t.png" embed="false"/></asset></mujoco>'
    m = sim.loads(text, assets={"t.png": picture})
    assert m.tex_width.tolist() == [4] and (m.tex_data == 200).all()
