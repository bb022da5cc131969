"""Changes of elements are written in the text of the file that they are in."""

from __future__ import annotations

from difflib import ndiff
from pathlib import Path

import numpy as np
import pytest

import sim
from sim.spec import Spec
from sim.spec.delete import keep_keys
from sim.spec.source_files import load_changed

TEXT = """<mujoco>
  <!-- a comment -->
  <include file="arm.xml"/>
  <worldbody>
    <geom name='floor' type="plane" size="1 1 .1"/>  <!-- the floor -->
    <body name="box" pos="0 0 1">
      <freejoint/>
      <geom name="g" size=".1"/>
    </body>
    <!-- behind the box -->
    <body name="hand"><geom size=".2"/></body>
  </worldbody>
  <keyframe>
    <key name="home" qpos=".5  0 0 1.0  1 0 0 0"/>
  </keyframe>
</mujoco>
"""
ARM = """<mujoco>
  <worldbody>
    <!-- the arm -->
    <body name="arm"><joint name="j"/><geom size=".1" mass="1"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that includes another."""
    (tmp_path / "arm.xml").write_text(ARM)
    path = tmp_path / "model.xml"
    path.write_text(TEXT)
    return path


def changed_lines(before: str, after: str) -> list[str]:
    return [line for line in ndiff(before.splitlines(), after.splitlines()) if line[0] in "+-"]


def change(spec: Spec) -> None:
    """One of each."""
    keep_keys(spec)
    box = spec.find("body", "box")
    floor, hand, arm = spec.find("geom", "floor"), spec.find("body", "hand"), spec.find("body", "arm")
    assert box and floor and hand and arm
    box.add("geom", name="new", size="0.3", pos=(0, 0, 1))
    floor.set("size", "2 2 .1")
    arm.add("site", name="tip")
    hand.move_to(box)
    spec.add("motor", joint="j")


def test_only_what_changes_is_written(path: Path) -> None:
    model = load_changed(path, change)
    assert path.read_text() == TEXT
    assert model.body("hand").parentid == model.body("box").id and model.nu == 1
    plan = model.plan_save()
    assert sorted(file.path.name for file in plan.files) == ["arm.xml", "model.xml"]
    plan.write()
    assert changed_lines(TEXT, path.read_text()) == [
        """-     <geom name='floor' type="plane" size="1 1 .1"/>  <!-- the floor -->""",
        """+     <geom name='floor' type="plane" size="2 2 .1"/>  <!-- the floor -->""",
        '+       <geom name="new" size="0.3" pos="0 0 1"/>',
        '+       <body name="hand"><geom size=".2"/></body>',
        '-     <body name="hand"><geom size=".2"/></body>',
        "+   <actuator>",
        '+     <motor joint="j"/>',
        "+   </actuator>",
    ]
    assert "<!-- the arm -->" in (path.parent / "arm.xml").read_text()
    fresh = sim.load(path)
    assert fresh.names == model.names
    for name in model.layout.places:
        assert np.array_equal(fresh.read(name), model.read(name), equal_nan=True), name


def test_elsewhere_it_is_the_same_model(path: Path, tmp_path: Path) -> None:
    model = load_changed(path, change)
    (tmp_path / "other").mkdir()
    model.plan_save(tmp_path / "other/saved.xml").write()
    fresh = sim.load(tmp_path / "other/saved.xml")
    assert fresh.names == model.names and path.read_text() == TEXT
    assert (path.parent / "arm.xml").read_text() == ARM


def test_a_keyframe_follows_what_is_deleted(path: Path) -> None:
    def delete(spec: Spec) -> None:
        keep_keys(spec)
        box = spec.find("body", "box")
        assert box
        box.delete()

    model = load_changed(path, delete)
    assert model.key_qpos.tolist() == [[0.5]]
    model.body_pos[1, 2] = 3
    model.plan_save().write()
    text = path.read_text()
    assert '<key name="home" qpos="0.5"/>' in text and "<!-- behind the box -->" in text
    assert sim.load(path).key_qpos.tolist() == [[0.5]]


def test_what_is_not_mjcf_cannot_be_changed(tmp_path: Path) -> None:
    path = tmp_path / "model.urdf"
    path.write_text("<robot name='r'><link name='a'><inertial><mass value='1'/>"
                    "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>")  # fmt: skip
    with pytest.raises(sim.MjcfError, match="not an element of an MJCF file on disk"):
        load_changed(path, lambda spec: spec.world.add("geom", size="1") and None)


def test_an_error_changes_nothing(path: Path) -> None:
    def taken(spec: Spec) -> None:
        spec.world.add("geom", name="g", size="1")

    with pytest.raises(sim.MjcfError, match="another geom is called 'g'") as caught:
        load_changed(path, taken)
    # the viewer watches them
    assert {file.name for file in caught.value.files} == {"model.xml", "arm.xml"}

    def cycle(spec: Spec) -> None:
        box = spec.find("body", "box")
        assert box
        box.add("body", name="inner")
        box.move_to(box.children[-1])

    with pytest.raises(sim.MjcfError, match="it cannot move into itself"):
        load_changed(path, cycle)


NESTED = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <!-- the box -->
    <body name="box" pos="0 0 1">
      <geom name="g" size=".1"/>
      <body name="arm" pos="1 0 0"
            euler="0 90 0">
        <!-- the elbow -->
        <joint name="j"/>   <!-- bends -->
        <geom size=".1"/>
      </body>
    </body>
    <body name="hand" pos="0 1 0">
      <geom name="h" size=".2"/>  <!-- the palm -->
    </body>
  </worldbody>
</mujoco>
"""


def test_what_moves_keeps_its_text_even_if_something_moves_into_it(tmp_path: Path) -> None:
    path = tmp_path / "model.xml"
    path.write_text(NESTED)

    def change(spec: Spec) -> None:
        box, arm, hand, palm = (spec.find(*place) for place in (
            ("body", "box"), ("body", "arm"), ("body", "hand"), ("geom", "h")
        ))  # fmt: skip
        assert box and arm and hand and palm
        arm.move_to(spec.world)
        palm.move_to(arm)
        palm.set("size", ".25")
        spec.find("joint", "j").rename("elbow")  # type: ignore[union-attr]
        hand.delete()
        box.move_to(spec.world)

    model = load_changed(path, change)
    model.plan_save().write()
    assert (
        path.read_text()
        == """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="arm" pos="1 0 0"
          euler="0 90 0">
      <!-- the elbow -->
      <joint name="elbow"/>   <!-- bends -->
      <geom size=".1"/>
      <geom name="h" size=".25"/>
    </body>
    <!-- the box -->
    <body name="box" pos="0 0 1">
      <geom name="g" size=".1"/>
    </body>
  </worldbody>
</mujoco>
"""
    )
