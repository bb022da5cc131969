"""Element keys: unique, never a name, the same for a model and its view, and kept when the file changes elsewhere."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

import sim
from app.model.element_keys import element_keys
from app.run.snapshot import NAMED, view_model
from sim.tree_edit import SEPARATOR, shown

ROOT = Path(__file__).resolve().parents[3]

MODEL = """
<mujoco>
  <asset><material name="steel"/></asset>
  <worldbody>
    <light/> <geom size="1" name="floor"/> {first}
    <body name="torso">
      <freejoint/> <geom size="1"/> {geom} <geom size="1" name="skin"/> <geom size="1"/> <site/> <site/> <camera/>
      <body pos="2 0 0"> <joint axis="0 1 0"/> <joint name="knee" axis="1 0 0"/> <geom size="1"/> </body>
      <body pos="4 0 0"> <joint axis="1 0 0"/> <geom size="1"/> <body pos="2 0 0"> <geom size="1"/> </body> </body>
    </body>
    <body name="torso/geom 1" pos="0 9 0"> <joint name="free" type="slide"/> <geom size="1"/> </body>
  </worldbody>
  <tendon> <fixed> <joint joint="knee" coef="1"/> </fixed> <fixed name="cord"> <joint joint="knee" coef="1"/> </fixed>
    <fixed> <joint joint="knee" coef="2"/> <joint joint="free" coef="1"/> </fixed> </tendon>
  <contact> <pair geom1="floor" geom2="skin"/> </contact>
  <equality> {equality} <joint joint1="knee" joint2="free"/> <weld body1="torso"/> <tendon tendon1="cord"/> </equality>
  <actuator> {actuator} <motor joint="knee"/> <motor joint="knee"/> <motor tendon="cord"/>
    <motor name="hip" joint="free"/>
    <adhesion body="torso" ctrlrange="0 1"/> </actuator>
  <sensor> <clock/> <jointpos joint="knee"/> {sensor} <jointvel joint="knee"/> <jointvel joint="knee"/>
    <subtreecom body="torso"/> </sensor>
  <keyframe> <key/> <key name="start"/> <key/> </keyframe>
</mujoco>
"""
NOTHING = dict.fromkeys(("first", "geom", "equality", "actuator", "sensor"), "")
MORE = {
    "first": '<body name="leg"> <joint/> <geom size="1"/> <site/> <camera/> <light/> </body>',
    "geom": '<geom name="shirt" size="1"/>',
    "equality": '<weld body1="torso/geom 1" body2="torso"/>',
    "actuator": '<motor joint="free"/> <motor name="boost" joint="knee"/>',
    "sensor": '<jointpos joint="free"/> <framepos objtype="body" objname="torso"/>',
}


def load(**parts: str) -> sim.Model:
    return sim.loads(MODEL.format(**{**NOTHING, **parts}))


def test_elements_have_their_names_or_a_place() -> None:
    keys = element_keys(load())
    assert tuple(map(shown, keys["body"])) == (
        "world", "torso", "torso/body 0", "torso/body 1", "torso/body 1/body 0", "torso/geom 1",
    )  # fmt: skip
    assert tuple(map(shown, keys["geom"][:4])) == ("floor", "torso/geom 0", "skin", "torso/geom 1")
    assert tuple(map(shown, keys["joint"])) == (
        "torso/joint 0", "torso/body 0/joint 0", "knee", "torso/body 1/joint 0", "free",
    )  # fmt: skip
    assert tuple(map(shown, keys["tendon"])) == ("knee/knee/tendon 0", "cord", "knee/free/tendon 0")
    assert tuple(map(shown, keys["actuator"])) == (
        "knee/actuator 0", "knee/actuator 1", "cord/actuator 0", "hip", "torso/actuator 0",
    )  # fmt: skip
    assert tuple(map(shown, keys["equality"])) == (
        "knee/free/equality 0", "torso/world/equality 0", "cord//equality 0",
    )  # fmt: skip
    assert tuple(map(shown, keys["key"])) == ("key 0", "start", "key 1")
    assert keys["tree"] == ("torso", "torso/geom 1")
    # neither of these bodies has the key of the geom
    assert SEPARATOR in keys["geom"][3] and SEPARATOR not in keys["body"][5]


@pytest.mark.parametrize("parts", [{}, *({part: text} for part, text in MORE.items()), MORE])
def test_keys_survive_what_is_added_elsewhere(parts: dict[str, str]) -> None:
    before, after = element_keys(load()), element_keys(load(**parts))
    for kind in before:
        kept = [key for key in after[kind] if key in before[kind]]
        assert kept == list(before[kind]), kind


def test_a_model_and_its_view_have_the_same_keys() -> None:
    for name in ("humanoid", "rovers", "windlass", "puppet", "instruments", "sleepers"):
        model = sim.load(ROOT / "scenes" / f"{name}.xml")
        keys = element_keys(model)
        assert keys == element_keys(view_model(model))
        assert set(keys) == {*NAMED, "tree"}
        for kind, count in {**NAMED, "tree": "ntree"}.items():
            assert len(set(keys[kind])) == len(keys[kind]) == getattr(model, count), (name, kind)


def test_a_key_with_an_ordinal_cannot_be_a_name() -> None:
    for kind, name in itertools.product(("body", "joint"), (f"torso{SEPARATOR}geom 0", "&#31;")):
        with pytest.raises(ValueError, match=r"not well-formed|invalid character"):
            sim.loads(f'<mujoco><worldbody><body><{kind} name="{name}"/></body></worldbody></mujoco>')
