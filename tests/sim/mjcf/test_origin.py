"""The line of an element, and the one that sets an attribute: classes, includes, copies, URDF."""

from __future__ import annotations

from pathlib import Path

import pytest

import sim
from sim.mjcf.origin import Origins

MAIN = """<mujoco>
  <option timestep="0.002"/>
  <include file="classes.xml"/>
  <option gravity="0 0 -1"><flag energy="enable"/></option>
  <asset>
    <model name="part" file="part.xml"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane"
          size="1 1 .1"
          friction="2"/>
    <body name="ball" childclass="soft">
      <freejoint/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <geom name="own" size=".1" solref="0.03 1"/>
      <geom name="inherits" size=".1"/>
    </body>
    <replicate count="3" offset="1 0 0">
      <body pos="0 2 0">
        <joint name="turn" damping="1"/>
        <geom size=".1"/>
      </body>
    </replicate>
    <attach model="part" prefix="p/"/>
  </worldbody>
  <actuator>
    <position joint="turn0" class="soft"/>
  </actuator>
  <keyframe>
    <key name="a"/>
  </keyframe>
</mujoco>
"""
CLASSES = """<mujoco>
  <default>
    <geom condim="4"/>
    <default class="soft">
      <geom solref="0.05 1"/>
      <position kp="7"/>
    </default>
  </default>
</mujoco>
"""
PART = """<mujoco>
  <default><geom solref="0.07 1"/></default>
  <worldbody>
    <body name="part"><joint name="hinge"/>
      <geom name="lump" size=".2"/>
    </body>
  </worldbody>
</mujoco>
"""
# kind, name or number, attribute -> file, line
PLACES = [
    ("geom", "floor", "", "main.xml", 9),
    ("geom", "floor", "size", "main.xml", 10),
    ("geom", "floor", "friction", "main.xml", 11),
    ("geom", "floor", "condim", "classes.xml", 3),
    # at its default: the element
    ("geom", "floor", "margin", "main.xml", 9),
    ("geom", "own", "solref", "main.xml", 15),
    ("geom", "inherits", "solref", "classes.xml", 5),
    ("geom", "inherits", "", "main.xml", 16),
    ("body", "ball", "", "main.xml", 12),
    ("body", "ball", "mass", "main.xml", 14),
    ("joint", "turn0", "", "main.xml", 20),
    ("joint", "turn2", "damping", "main.xml", 20),
    ("joint", "p/hinge", "", "part.xml", 4),
    ("geom", "p/lump", "", "part.xml", 5),
    ("geom", "p/lump", "solref", "part.xml", 2),
    ("actuator", 0, "kp", "classes.xml", 6),
    ("actuator", 0, "joint", "main.xml", 27),
    ("key", "a", "", "main.xml", 30),
    ("option", 0, "timestep", "main.xml", 2),
    ("option", 0, "gravity", "main.xml", 4),
    ("option", 0, "energy", "main.xml", 4),
    # set nowhere: where one would set it
    ("option", 0, "iterations", "main.xml", 4),
    ("statistic", 0, "extent", "main.xml", 1),
]


@pytest.fixture(scope="module")
def origins(tmp_path_factory: pytest.TempPathFactory) -> tuple[sim.Model, Origins]:
    folder = tmp_path_factory.mktemp("origin")
    for name, text in (("main.xml", MAIN), ("classes.xml", CLASSES), ("part.xml", PART)):
        (folder / name).write_text(text)
    model = sim.load(str(folder / "main.xml"))
    return model, Origins(model)


@pytest.mark.parametrize(("kind", "element", "attribute", "file", "line"), PLACES)
def test_line(
    origins: tuple[sim.Model, Origins], kind: str, element: str | int, attribute: str, file: str, line: int
) -> None:
    model, lines = origins
    index = element if isinstance(element, int) else model.name2id(kind, element)
    found = lines.line(kind, index, attribute)
    assert found is not None
    assert (Path(found.file).name, found.line) == (file, line)


def test_copy_of_the_model_has_lines(origins: tuple[sim.Model, Origins]) -> None:
    model, _ = origins
    found = Origins(model.copy()).line("geom", 0)
    assert found is not None and found.line == 9


def test_added_keyframe_has_none(origins: tuple[sim.Model, Origins]) -> None:
    model = origins[0].copy()
    sim.add_keyframe(model, sim.Data(model), "new")
    lines = Origins(model)
    assert lines.line("key", model.name2id("key", "new")) is None
    assert lines.line("key", model.name2id("key", "a")) is not None


def test_no_such_element(origins: tuple[sim.Model, Origins]) -> None:
    assert origins[1].line("geom", 999) is None
    assert origins[1].line("contact", 0) is None


def test_model_without_source() -> None:
    model = sim.loads("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    bare = sim.Model(model.values(), model.names)
    assert Origins(bare).line("geom", 0) is None and Origins(bare).line("option", 0, "timestep") is None
    assert Origins(bare).root is None


def test_urdf_has_its_own_lines(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text("""<robot name="arm">
  <link name="base"/>
  <link name="hand">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="wrist" type="revolute">
    <parent link="base"/><child link="hand"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="10" velocity="1"/>
  </joint>
</robot>
""")
    model = sim.load(str(path))
    lines = Origins(model)
    assert [lines.line("joint", 0, "range"), lines.line("body", model.name2id("body", "hand"))] == [
        (str(path), 6),
        (str(path), 3),
    ]
