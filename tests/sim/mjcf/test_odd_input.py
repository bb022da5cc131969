"""Odd input: what MuJoCo loads loads here, into the same values, and what it refuses is refused."""

from __future__ import annotations

import io
from pathlib import Path

import mujoco
import numpy as np
import pytest
from PIL import Image

import sim
from sim.mjcf import MjcfError, compile_text
from tests.sim.infinite_ranges import INFINITE
from tests.sim.mjcf.compare import differences


def model(inside: str = "", after: str = "", before: str = "") -> str:
    return f"<mujoco>{before}<worldbody>{inside}</worldbody>{after}</mujoco>"


def jointed(attributes: str, after: str = "") -> str:
    return model(f'<body><joint name="j" {attributes}/><geom size="1"/></body>', after)


def acted(attributes: str) -> str:
    return jointed("", f'<actuator><general joint="j" {attributes}/></actuator>')


def strung(attributes: str) -> str:
    return jointed("", f'<tendon><fixed {attributes}><joint joint="j" coef="1"/></fixed></tendon>')


# ranges that are the wrong way round limit nothing
INVERTED = {
    "joint": jointed('range="1 -1"'),
    "ball": jointed('type="ball" range="0 -1"'),
    "force of a joint": jointed('actuatorfrcrange="1 -1"'),
    "no force of a joint": jointed('actuatorfrcrange="0 -1"'),
    "tendon": strung('range="1 -1"'),
    "control": acted('ctrlrange="1 -1"'),
    "force": acted('forcerange="1 -1"'),
    "activation": acted('dyntype="integrator" actrange="1 -1"'),
    "inherited": jointed('range="1 -1"', '<actuator><position joint="j" inheritrange="1"/></actuator>'),
}


@pytest.mark.parametrize("which", INVERTED)
def test_inverted_ranges_limit_nothing(which: str) -> None:
    with pytest.warns(
        UserWarning,
        match=r"<text>:1: <\w+>: .*range is .*, and has no effect; the first number must be below the second",
    ):
        compiled = compile_text(INVERTED[which])
    assert differences(compiled, mujoco.MjModel.from_xml_string(INVERTED[which])) == []


BLANK = {
    "geom": model('<geom name="  " size="1"/><geom name=" " size="1"/>'),
    "tab": model('<geom name="&#9;" size="1"/>'),
    "joint": model(
        '<body><joint name=" "/><geom size="1"/></body>', '<actuator><motor name=" " joint=" "/></actuator>'
    ),
    "material": model('<geom material=" " size="1"/>', before='<asset><material name=" "/></asset>'),
    "class": model(
        '<geom class=" " size="1"/>', before='<default><default class=" "><geom mass="7"/></default></default>'
    ),
    "numeric": model(after='<custom><numeric name=" " data="1"/><text name=" " data=" "/></custom>'),
    "body": model('<body name=" "/>', '<sensor><framepos objtype="body" objname=" "/></sensor>'),
    "prefix": model('<body name="b"/><attach body="b" prefix=" "/>'),
    "separator": model('<replicate count="2" sep=" "><geom name="g" size="1"/></replicate>'),
    "numbers": model('<geom pos=" " contype="" size="1"/>'),
    "data": model('<site name="s"/>', '<sensor><rangefinder site="s" data=" "/></sensor>'),
}


@pytest.mark.parametrize("which", BLANK)
def test_names_can_be_blanks(which: str) -> None:
    compiled = compile_text(BLANK[which])
    expected = mujoco.MjModel.from_xml_string(BLANK[which])
    assert differences(compiled, expected) == []
    for kind in ("geom", "joint", "body", "material", "actuator", "numeric"):
        assert compiled.names[kind] == [getattr(expected, kind)(k).name for k in range(len(compiled.names[kind]))]


BLANK_REFUSED = {
    "the same blanks": (model('<geom name=" " size="1"/><geom name=" " size="1"/>'), "another geom has this name"),
    "a reference": (jointed("", '<actuator><motor joint=" "/></actuator>'), "joint ' ' does not exist"),
    "a material": (model('<geom material=" " size="1"/>'), "material ' ' does not exist"),
    "a class": (model('<geom class=" " size="1"/>'), "unknown default class ' '"),
    "a target": (model('<camera target=" "/>'), "body ' ' does not exist"),
    "a keyword": (model('<geom type=" " size="1"/>'), "unknown keyword"),
    "no keyword": (model('<geom type="" size="1"/>'), "unknown keyword"),
    "a switch": (model('<body mocap=" "/>'), "unknown keyword"),
    "axes": (model(before='<compiler eulerseq=" "/>'), "is not a sequence of axes"),
    "memory": (model(before='<size memory=" "/>'), "is not a size"),
    "no memory": (model(before='<size memory=""/>'), "is not a size"),
}


@pytest.mark.parametrize("which", BLANK_REFUSED)
def test_blanks_that_mean_nothing(which: str) -> None:
    text, words = BLANK_REFUSED[which]
    with pytest.raises(ValueError, match="rror"):
        mujoco.MjModel.from_xml_string(text)
    with pytest.raises(MjcfError) as caught:
        compile_text(text)
    assert words in str(caught.value)


@pytest.mark.parametrize("kind", ["skybox", "cube"])
@pytest.mark.parametrize("height", ["1000000000", "-5"])
def test_the_height_of_a_cube_does_not_count(kind: str, height: str) -> None:
    texture = f'<asset><texture name="t" type="{kind}" builtin="gradient" width="8" height="{height}"/></asset>'
    compiled = compile_text(model(before=texture))
    assert differences(compiled, mujoco.MjModel.from_xml_string(model(before=texture))) == []


def test_pictures_may_be_as_large_as_we_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library has a limit of its own, below ours."""
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 3)
    packed = io.BytesIO()
    Image.new("RGB", (4, 4), (9, 8, 7)).save(packed, "PNG")
    text = model(before='<asset><texture type="2d" file="t.png"/></asset>')
    compiled = compile_text(text, {"t.png": packed.getvalue()})
    assert compiled.values["tex_data"].tolist() == [9, 8, 7] * 16


@pytest.mark.parametrize("tag", ["body", "frame"])
def test_as_deep_as_in_mujoco(tag: str) -> None:
    text = model(f'<{tag} pos=".1 0 0">' * 490 + '<geom size="1"/>' + f"</{tag}>" * 490)
    compiled = compile_text(text)
    assert differences(compiled, mujoco.MjModel.from_xml_string(text)) == []


def test_ends_of_ranges_can_be_infinite(tmp_path: Path) -> None:
    """As in MuJoCo, of which they are no limits."""
    expected = mujoco.MjModel.from_xml_string(INFINITE)
    assert differences(compile_text(INFINITE), expected) == []
    m = sim.loads(INFINITE)
    m.save_xml(tmp_path / "saved.xml")
    saved = mujoco.MjModel.from_xml_path(str(tmp_path / "saved.xml"))
    for field in ("jnt_range", "jnt_actfrcrange", "tendon_range", "actuator_ctrlrange", "actuator_forcerange"):
        assert np.array_equal(getattr(saved, field), getattr(expected, field)), field
    d, theirs = sim.Data(m), mujoco.MjData(expected)
    d.ctrl[:] = theirs.ctrl[:] = (0.5, 2.0, 0.3)
    sim.step(m, d, nstep=200)
    mujoco.mj_step(expected, theirs, nstep=200)
    assert np.allclose(d.qpos, theirs.qpos, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("ends", "words"),
    [("-inf nan", "'nan' is not a finite number"), ("0 1e999", "'1e999' is not"), ("0 infinit", "is not a number")],
)
def test_other_ends_of_ranges_are_refused(ends: str, words: str) -> None:
    with pytest.raises(MjcfError, match=words):
        compile_text(jointed(f'range="{ends}"'))
