"""What MjSpec does with a whole spec, against MuJoCo's: pruning, deleting, attaching, copying back."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

from sim import mujoco as ours
from sim.mujoco.specs.spec import PLURALS
from tests.sim.spec.built_models import differences

MACHINE = """
<mujoco>
  <asset>
    <texture name="t1" type="2d" builtin="checker" width="4" height="4"/>
    <texture name="t2" type="2d" builtin="checker" width="4" height="4"/>
    <texture name="t3" type="2d" builtin="flat" width="4" height="4"/>
    <material name="m1" texture="t1"/><material name="m2" texture="t2"/><material name="m3" texture="t3"/>
    <mesh name="a" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><mesh name="b" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <mesh name="shown" vertex="0 0 0 2 0 0 0 2 0 0 0 2"/>
  </asset>
  <worldbody>
    <body name="base" pos="1 0 0" euler="0 0 30"><geom name="base" size=".3" material="m3"/></body>
    <body name="cart">
      <joint name="slide" type="slide"/>
      <geom name="cart" type="mesh" mesh="a" material="m1"/>
      <geom name="shell" type="mesh" mesh="shown" contype="0" conaffinity="0" material="m2"/>
      <body name="mount" pos="0 0 1" euler="90 0 0">
        <inertial pos="0 0 .1" mass="2" diaginertia=".1 .2 .25"/>
        <geom name="mount" type="mesh" mesh="b"/>
        <site name="mark" pos="0 1 0"/>
        <body name="pole" pos="0 0 1"><joint name="hinge"/><geom name="pole" size=".1" material="m2"/></body>
      </body>
      <body name="named" pos="1 1 1"><geom name="named" size=".1"/></body>
      <body name="plate" pos="0 0 2"><geom name="plate" type="box" size=".1 .2 .3"/></body>
    </body>
  </worldbody>
  <sensor><framepos name="where" objtype="body" objname="named"/><framepos objtype="site" objname="mark"/></sensor>
</mujoco>
"""


def names(spec: Any) -> dict[str, list[str]]:
    return {plural: [item.name for item in getattr(spec, plural)] for plural in PLURALS.values() if plural != "frames"}


def both(text: str = MACHINE) -> list[Any]:
    return [mj.MjSpec.from_string(text) for mj in (ours, mujoco)]


@pytest.mark.parametrize("operation", ["fuse_static", "discard_visual", "dedup_assets"])
def test_pruning(operation: str) -> None:
    here, there = both()
    assert getattr(here, operation)() == getattr(there, operation)() > 0
    assert names(here) == names(there)
    assert differences(here.compile(), there.compile()) == []
    assert getattr(here, operation)() == 0
    assert here.spec.undo() and names(here) == names(both()[0])


def test_all_of_them_one_after_the_other() -> None:
    here, there = both()
    for spec in (here, there):
        spec.discard_visual()
        spec.dedup_assets()
        spec.fuse_static()
    assert names(here) == names(there)
    assert differences(here.compile(), there.compile()) == []


def test_adopted_inertia_stays() -> None:
    here, there = both()
    for spec in (here, there):
        spec.adopt_inertial(spec.body("pole"))
        spec.geom("pole").size[0] = 0.5
    assert differences(here.compile(), there.compile()) == []
    np.testing.assert_allclose(here.body("pole").inertia, there.body("pole").inertia)


@pytest.mark.parametrize(
    ("kind", "name"),
    [("body", "mount"), ("body", "cart"), ("geom", "pole"), ("site", "mark"), ("sensor", "where"), ("material", "m1")],
)
def test_deleting(kind: str, name: str) -> None:
    """Only bodies and frames take along what refers to them; what dangles is an error of compiling."""
    here, there = both()
    errors = []
    for spec in (here, there):
        spec.delete(getattr(spec, kind)(name))
        try:
            spec.compile()
            errors.append(False)
        except ValueError:
            errors.append(True)
    assert names(here) == names(there)
    assert errors[0] == errors[1]


def test_a_part_of_the_same_spec_is_attached_as_a_copy() -> None:
    here, there = both()
    for spec in (here, there):
        frame = spec.worldbody.add_frame(name="second", pos=[0, 3, 0])
        with pytest.raises(ValueError, match=r"\w"):
            frame.attach_body(spec.body("cart"), prefix="x_")
        spec.copy_during_attach = True
        copy = frame.attach_body(spec.body("cart"), prefix="x_")
        assert copy.name == "x_cart" and copy is not spec.body("cart")
    assert names(here) == names(there)
    assert differences(here.compile(), there.compile()) == []


def test_changes_of_a_model_are_copied_back() -> None:
    here, there = both()
    for spec in (here, there):
        m = spec.compile()
        m.body("plate").pos[:] = [1, 2, 3]
        m.geom("pole").size[0] = 0.3
        m.opt.timestep = 0.005
        spec.copy_back(m)
        np.testing.assert_allclose(spec.body("plate").pos, [1, 2, 3])
    assert differences(here.compile(), there.compile()) == []
