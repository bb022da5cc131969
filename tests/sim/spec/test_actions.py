"""What a user does to elements: planned as data, which a spec is then changed by, and undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import ndiff

import pytest

import sim
from sim.spec import Element, Spec
from sim.spec.actions import (
    Place,
    TreeEdit,
    add,
    apply,
    consequences,
    delete,
    duplicate,
    find,
    place_of,
    rename,
    reorder,
    reparent,
    set_attributes,
    set_pose,
)

TEXT = """<mujoco>
  <option timestep=".001"/>
  <default>
    <default class="thin"><geom rgba="0 1 0 1"/></default>
  </default>
  <asset><material name="red" rgba="1 0 0 1"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="box" pos="0 0 1">
      <freejoint/>
      <geom name="g" size=".1" material="red"/>
      <geom size=".1" class="thin"/>
      <body name="arm" pos="1 0 0" euler="0 90 0">
        <joint name="j"/>
        <geom size=".1"/>
        <site name="tip"/>
      </body>
    </body>
    <body name="hand" pos="0 1 0">
      <geom size=".2"/>
      <geom size=".3"/>
    </body>
    <camera name="c" mode="targetbody" target="arm"/>
  </worldbody>
  <actuator><motor name="m3" joint="j"/></actuator>
  <sensor><jointpos joint="j"/><framepos objtype="site" objname="tip"/></sensor>
</mujoco>
"""
Edits = Callable[[Spec], Sequence[TreeEdit]]


def the(spec: Spec, kind: str, name: str) -> Element:
    found = spec.find(kind, name)
    assert found is not None
    return found


def pieces(spec: Spec) -> list[Element]:
    """The geoms without a name."""
    return [geom for geom in spec.all("geom") if not geom.name]


# what is done -> the lines that come and go
CHANGES: dict[str, tuple[Edits, tuple[str, ...]]] = {
    "a copy has what belongs to it": (
        lambda s: duplicate([the(s, "body", "arm")], pos=(0, 0.5, 0)),
        (
            '+ <body name="arm_2" pos="1 0.5 0" euler="0 90 0">', '+ <joint name="j_2"/>', '+ <geom size=".1"/>',
            '+ <site name="tip_2"/>', "+ </body>", '+ <motor name="m4" joint="j_2"/>', '+ <jointpos joint="j_2"/>',
            '+ <framepos objtype="site" objname="tip_2"/>',
        ),
    ),
    "a copy without a name gets one": (
        lambda s: duplicate([pieces(s)[2]]), ('+ <geom name="geom" size=".2"/>',),
    ),
    "what refers to it goes along, a camera stays": (
        lambda s: delete([the(s, "body", "arm")]),
        (
            '- <body name="arm" pos="1 0 0" euler="0 90 0">', '- <joint name="j"/>', '- <geom size=".1"/>',
            '- <site name="tip"/>', "- </body>", '- <camera name="c" mode="targetbody" target="arm"/>',
            '+ <camera name="c"/>', "- <actuator>", '- <motor name="m3" joint="j"/>', "- </actuator>", "- <sensor>",
            '- <jointpos joint="j"/>', '- <framepos objtype="site" objname="tip"/>', "- </sensor>",
        ),
    ),
    "several, of which some are in others": (
        lambda s: delete([*pieces(s)[2:], the(s, "body", "hand")]),
        ('- <body name="hand" pos="0 1 0">', '- <geom size=".2"/>', '- <geom size=".3"/>', "- </body>"),
    ),
    "a geom can be without its material": (
        lambda s: delete([the(s, "material", "red")]),
        (
            "- <asset>", '- <material name="red" rgba="1 0 0 1"/>', "- </asset>",
            '- <geom name="g" size=".1" material="red"/>', '+ <geom name="g" size=".1"/>',
        ),
    ),
    "a class leaves what it said": (
        lambda s: delete([the(s, "default", "thin")]),
        (
            "- <default>", '- <default class="thin">', '- <geom rgba="0 1 0 1"/>', "- </default>", "- </default>",
            '- <geom size=".1" class="thin"/>', '+ <geom size=".1" class="main" rgba="0 1 0 1"/>',
        ),
    ),
    "references follow a name": (
        lambda s: rename(the(s, "joint", "j"), "elbow"),
        (
            '- <joint name="j"/>', '+ <joint name="elbow"/>', '- <motor name="m3" joint="j"/>',
            '+ <motor name="m3" joint="elbow"/>', '- <jointpos joint="j"/>', '+ <jointpos joint="elbow"/>',
        ),
    ),
    "and the name of a class": (
        lambda s: rename(the(s, "default", "thin"), "thick"),
        (
            '- <default class="thin">', '+ <default class="thick">', '- <geom size=".1" class="thin"/>',
            '+ <geom size=".1" class="thick"/>',
        ),
    ),
    "it stays where it is": (
        lambda s: reparent([the(s, "body", "arm")], the(s, "body", "hand"), pieces(s)[3]),
        (
            '- <body name="arm" pos="1 0 0" euler="0 90 0">', "- </body>", '- <body name="hand" pos="0 1 0">',
            '+ <body name="hand" pos="0 1 0">', '+ <geom size=".2"/>',
            '+ <body name="arm" pos="1 -1 1" euler="0 90 0">', "+ </body>", '- <geom size=".2"/>',
        ),
    ),
    "a geom that turns": (
        lambda s: reparent([the(s, "geom", "g")], the(s, "body", "arm")),
        (
            '- <geom name="g" size=".1" material="red"/>',
            '+ <geom name="g" size=".1" material="red" pos="0 0 -1" quat="0.707106781187 0 -0.707106781187 0"/>',
        ),
    ),
    "before another": (
        lambda s: reorder(pieces(s)[3], pieces(s)[2]), ('- <geom size=".3"/>', '+ <geom size=".3"/>'),
    ),
    "in a section": (
        lambda s: reorder(s.all("sensor")[0], None),
        ('+ <framepos objtype="site" objname="tip"/>', '- <framepos objtype="site" objname="tip"/>'),
    ),
    "a new name": (
        lambda s: add(s, "geom", the(s, "body", "box"), name="g", size=".1"), ('+ <geom name="g_2" size=".1"/>',),
    ),
    "options, parts of classes": (
        lambda s: [
            *set_attributes([find(s, Place("option", ""))], {"timestep": ".002"}),
            *set_attributes([find(s, Place("default/geom", "thin"))], {"rgba": None, "group": "3"}),
        ],
        (
            '- <option timestep=".001"/>', '+ <option timestep=".002"/>', '- <geom rgba="0 1 0 1"/>',
            '+ <geom group="3"/>',
        ),
    ),
    "a pose as it is written": (
        lambda s: set_pose(the(s, "body", "arm"), (0, 0, 1), (0.5**0.5, 0, 0, 0.5**0.5)),
        ('- <body name="arm" pos="1 0 0" euler="0 90 0">', '+ <body name="arm" pos="0 0 1" euler="0 0 90">'),
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_a_plan_changes_nothing_until_it_is_applied(what: str) -> None:
    plan, expected = CHANGES[what]
    spec = Spec.loads(TEXT)
    before, version = spec.to_xml(), len(spec.tree.done)
    edits = plan(spec)
    assert spec.to_xml() == before and len(spec.tree.done) == version
    apply(spec, edits)
    spec.compile()
    after = spec.to_xml()
    lines = [line for line in ndiff(before.splitlines(), after.splitlines()) if line[0] in "+-"]
    found = [f"{line[0]} {line[1:].strip()}" for line in lines if line[1:].strip()]
    assert sorted(found) == sorted(expected)
    spec.undo()
    assert spec.to_xml() == before


REFUSED: tuple[tuple[Edits, str], ...] = (
    (lambda s: rename(the(s, "geom", "g"), "floor"), "another geom is called 'floor'"),
    (lambda s: reparent([the(s, "body", "box")], the(s, "body", "arm")), "it cannot move into itself"),
    (lambda s: reparent([the(s, "body", "box")], the(s, "body", "hand")), "only a body of the world can have a free"),
    (lambda s: reparent([the(s, "joint", "j")], s.world), "the world cannot have a joint"),
    (lambda s: reparent([the(s, "geom", "g")], the(s, "site", "tip")), "holds no elements"),
    (lambda s: delete([s.world]), "cannot be deleted"),
    (lambda s: reorder(the(s, "geom", "g"), pieces(s)[3]), "only where it is"),
)


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_a_sentence_says_why_not(number: int) -> None:
    plan, why = REFUSED[number]
    spec = Spec.loads(TEXT)
    before = spec.to_xml()
    with pytest.raises(sim.MjcfError, match=why):
        plan(spec)
    assert spec.to_xml() == before


def test_what_to_ask_before_it_is_deleted() -> None:
    spec = Spec.loads(TEXT)
    found = consequences([the(spec, "body", "arm")])
    assert [item.tag for item in found.deleted] == ["motor", "jointpos", "framepos"]
    assert [(item.name, key) for item, key in found.lost] == [("c", "target")]
    assert not consequences([the(spec, "body", "hand")])


def test_every_element_has_a_place() -> None:
    spec = Spec.loads(TEXT)
    for kind in ("body", "geom", "joint", "site", "camera", "actuator", "sensor", "material", "default"):
        for item in spec.all(kind):
            assert find(spec, place_of(item)) is item
    thin = the(spec, "default", "thin").children[0]
    assert place_of(thin) == Place("default/geom", "thin") and find(spec, place_of(thin)) is thin
    with pytest.raises(sim.MjcfError, match="the file has no body none"):
        find(spec, Place("body", "none"))
