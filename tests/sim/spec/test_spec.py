"""Specs: elements and their attributes, adding, deleting, attaching, compiling, and undoing all of it."""

from __future__ import annotations

import inspect
import random
from pathlib import Path

import mujoco
import numpy as np
import pytest

import sim
from sim.mjcf import MjcfError
from sim.spec import Element, Spec
from tests.sim.spec.built_models import differences

ARM = """
<mujoco model="arm">
  <compiler angle="radian"/>
  <default>
    <default class="link"><geom rgba="1 0 0 1" size=".1"/><joint damping=".5"/></default>
  </default>
  <asset><material name="steel" rgba=".2 .3 .4 1"/></asset>
  <worldbody>
    <camera name="eye" mode="targetbody" target="hand"/>
    <body name="arm" childclass="link">
      <joint name="shoulder" axis="0 1 0"/>
      <geom name="upper" type="capsule" fromto="0 0 0 0 0 1" material="steel"/>
      <site name="elbow" pos="0 0 1"/>
      <frame name="wrist" pos="0 0 1">
        <body name="hand"><joint name="twist" range="-1 1"/><geom name="palm"/></body>
      </frame>
    </body>
    <body name="ball" pos="3 0 0"><freejoint name="free"/><geom name="ball" size=".2"/></body>
  </worldbody>
  <contact><exclude name="apart" body1="arm" body2="hand"/></contact>
  <tendon><fixed name="both"><joint joint="shoulder" coef="1"/><joint joint="twist" coef="-1"/></fixed></tendon>
  <actuator><motor name="lift" joint="shoulder"/><position name="pull" tendon="both" kp="3"/></actuator>
  <sensor><jointpos name="angle" joint="twist"/><actuatorfrc name="force" actuator="pull"/><clock name="time"/></sensor>
  <keyframe><key name="home" qpos=".1 .2 1 2 3 1 0 0 0" ctrl="4 5"/></keyframe>
</mujoco>
"""


def arm() -> Spec:
    return Spec.loads(ARM)


def fixed_arm() -> Spec:
    """Without the free body, which can be directly below the world only."""
    spec = arm()
    find(spec, "body", "ball").delete()
    return spec


def find(spec: Spec, kind: str, name: str) -> Element:
    found = spec.find(kind, name)
    assert found is not None
    return found


def oracle(text: str) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(text)


# ---- elements


def test_a_model_from_nothing() -> None:
    spec = Spec()
    body = spec.world.add("body", name="b", pos=(0, 0, 1))
    body.add("joint", name="j", type="slide", axis=(1, 0, 0))
    body.add("geom", type="box", size=(0.1, 0.2, 0.3), rgba=np.array([1, 0.5, 0.2, 1], np.float32))
    spec.add("motor", name="m", joint="j", gear=(2,))
    spec.add("jointpos", joint="j")
    spec.section("option")["timestep"] = 0.001
    text = spec.to_xml()
    assert differences(spec.compile(), oracle(text)) == []
    assert 'rgba="1 0.5 0.2 1"' in text, "a number in single precision is written in as few digits"


def test_attributes_are_own_inherited_or_default() -> None:
    spec = arm()
    geom = find(spec, "geom", "palm")
    assert geom["rgba"] == (1, 0, 0, 1) and geom.own("rgba") is None and "rgba" not in geom
    assert geom["size"] == (0.1, 0, 0) and geom["friction"] == (1, 0.005, 0.0001)
    geom["friction"] = (0.5,)
    assert geom["friction"] == (0.5, 0.005, 0.0001), "a vector given in part keeps the rest"
    del geom["friction"]
    assert geom["friction"][0] == 1 and geom.default_class == "link"


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e-300, 5e-324, -2.5e17, 123456789.123456789])
def test_numbers_read_back_the_same_bits(value: float) -> None:
    spec = arm()
    geom = find(spec, "geom", "palm")
    geom["pos"] = (value, -value, 0)
    assert geom["pos"] == (value, -value, 0)
    assert spec.compile().geom("palm").pos[0] == value


def test_errors_name_the_line_of_the_program() -> None:
    spec = Spec()
    frame = inspect.currentframe()
    assert frame is not None
    line = frame.f_lineno + 1
    body = spec.world.add("body", name="b")
    with pytest.raises(MjcfError, match=r"unknown attribute 'gravcom'.*did you mean") as error:
        body["gravcom"] = 1
    assert (error.value.file, error.value.line, error.value.element) == (__file__, line, "body")
    body.add("joint")
    with pytest.raises(MjcfError, match="moving body needs mass") as error:
        spec.compile()
    assert (error.value.file, error.value.line) == (__file__, line)


@pytest.mark.parametrize(
    ("key", "value"),
    [("size", "a b"), ("size", (1, 2, 3, 4)), ("type", 77), ("type", "cube"), ("pos", (1, float("nan"), 0)),
     ("group", 1.5), ("pos", None), ("rgba", {}), ("material", 3), ("name", "upper")],
)  # fmt: skip
def test_bad_values_are_refused_at_once(key: str, value: object) -> None:
    geom = find(arm(), "geom", "palm")
    before = dict(geom.node.attrib)
    if value is None:
        geom[key] = None
    else:
        with pytest.raises(MjcfError):
            geom[key] = value
    assert geom.node.attrib == before


def test_bad_elements_are_refused() -> None:
    spec = arm()
    for call in (
        lambda: spec.world.add("motor"),
        lambda: spec.add("geom"),
        lambda: spec.add("engine"),
        lambda: spec.world.add("geom", name="palm"),
        lambda: spec.world.add("body", name="world"),
        lambda: spec.world.add("geom", size="x"),
    ):
        nodes = len(spec.tree.parents)
        with pytest.raises(MjcfError):
            call()
        assert len(spec.tree.parents) == nodes, "nothing was added"


def test_bad_files_are_refused_when_they_are_read() -> None:
    with pytest.raises(MjcfError, match="unknown attribute") as error:
        Spec.loads("<mujoco>\n<worldbody><geom sise='1'/></worldbody></mujoco>")
    assert error.value.line == 2


def test_elements_by_type() -> None:
    spec = arm()
    assert [e.name for e in spec.all("body")] == ["arm", "hand", "ball"]
    assert [e.name for e in spec.all("geom")] == ["upper", "palm", "ball"]
    assert [e.name for e in spec.all("actuator")] == ["lift", "pull"]
    assert [e.name for e in spec.all("default")] == ["main", "link"]
    hand = find(spec, "body", "hand")
    assert hand.body is find(spec, "body", "arm") and hand.frame is find(spec, "frame", "wrist")
    assert [e.name for e in find(spec, "body", "arm").walk("geom")] == ["upper", "palm"]
    assert find(spec, "actuator", "pull").tag == "position"
    assert spec.find("geom", "nothing") is None


def test_order_is_that_of_adding() -> None:
    """As in MuJoCo: what is added to a frame follows what came before into the body."""
    spec = Spec()
    body = spec.world.add("body")
    frame = body.add("frame")
    body.add("geom", name="a", size=(1,))
    frame.add("geom", name="b", size=(1,))
    body.add("geom", name="c", size=(1,))
    assert [e.name for e in body.members("geom")] == ["a", "b", "c"]
    assert spec.compile().names["geom"] == ["a", "b", "c"]
    inner = frame.add("frame", name="inner", pos=(0, 1, 0))
    inner.add("geom", name="d", size=(1,))
    body.add("geom", name="e", size=(1,))
    inner.add("geom", name="f", size=(1,), pos=(2, 0, 0))
    text = spec.to_xml()
    assert differences(spec.compile(), oracle(text)) == [], "frames are split where others came between"
    assert text.count("<frame") == 5 and text.count("inner") == 1


# ---- deleting


def test_deleting_a_body_takes_along_what_refers_to_it() -> None:
    spec = arm()
    find(spec, "camera", "eye").delete()
    find(spec, "body", "hand").delete()
    assert [e.name for kind in ("exclude", "tendon", "actuator", "sensor") for e in spec.all(kind)] == ["lift", "time"]
    m = spec.compile()
    # the keyframe keeps the values of what is left
    np.testing.assert_array_equal(m.key_qpos, [[0.1, 1, 2, 3, 1, 0, 0, 0]])
    np.testing.assert_array_equal(m.key_ctrl, [[4]])


def test_what_can_do_without_is_not_deleted() -> None:
    spec = arm()
    text = spec.to_xml()
    with pytest.raises(MjcfError, match=r"1 elements refer to it: <camera 'eye'>"):
        find(spec, "body", "hand").delete()
    with pytest.raises(MjcfError, match="<geom 'upper'>"):
        find(spec, "material", "steel").delete()
    assert spec.to_xml() == text
    assert {e.name for e in spec.referring(find(spec, "joint", "twist"))} == {"both", "pull", "angle", "force"}
    for impossible in (spec.world, spec.root):
        with pytest.raises(MjcfError, match="cannot be deleted"):
            spec.delete(impossible)


def test_a_default_class_leaves_its_values() -> None:
    spec = arm()
    before = spec.compile()
    find(spec, "default", "link").delete()
    after = spec.compile()
    for name in ("geom_rgba", "geom_size", "dof_damping"):
        np.testing.assert_array_equal(getattr(after, name), getattr(before, name))


# ---- undo


def random_edit(spec: Spec, rng: random.Random) -> None:
    """One edit of any kind."""
    kind = rng.choice(["add", "delete", "set", "attach", "class", "move"])
    bodies = [spec.world, *spec.all("body")]
    if kind == "add":
        body = rng.choice(bodies).add("body", pos=(rng.random(), 0, 0))
        body.add("geom", size=(rng.uniform(0.1, 1),))
    elif kind == "delete" and len(bodies) > 3:
        cameras = [e for e in spec.referring(bodies[-1]) if e.tag == "camera"]
        spec.delete(bodies[-1], *cameras)
    elif kind == "set":
        rng.choice(spec.all("geom"))["friction"] = (rng.random(), rng.random())
    elif kind == "attach":
        spec.attach(fixed_arm(), rng.choice(bodies), prefix=f"p{len(spec.tree.parents)}_")
    elif kind == "class":
        spec.add("default", class_=f"c{len(spec.tree.parents)}").add("geom", density=rng.random())
    else:
        geom = rng.choice(spec.all("geom"))
        assert geom.body is not None
        geom.move(geom.body.add("frame", pos=(rng.random(), 0, 0)))


@pytest.mark.parametrize("seed", range(6))
def test_every_edit_can_be_undone_and_redone(seed: int) -> None:
    rng, spec = random.Random(seed), arm()
    texts = [spec.to_xml()]
    while len(texts) < 12:
        with spec.edit(f"edit {len(texts)}"):
            random_edit(spec, rng)
        if len(spec.tree.done) == len(texts):
            texts.append(spec.to_xml())
    geoms = spec.all("geom")
    for number in range(len(texts) - 1, 0, -1):
        assert spec.undo() == f"edit {number}"
        assert spec.to_xml() == texts[number - 1]
    assert spec.undo() is None
    for number in range(1, len(texts)):
        assert spec.redo() == f"edit {number}"
    assert spec.redo() is None and spec.to_xml() == texts[-1]
    assert spec.all("geom") == geoms, "elements keep their identity"


def test_an_error_takes_its_group_back() -> None:
    spec = arm()
    text = spec.to_xml()
    with pytest.raises(MjcfError), spec.edit("both"):
        spec.world.add("body", name="new").add("geom", size=(1,))
        find(spec, "geom", "palm")["size"] = "x"
    assert spec.to_xml() == text and spec.find("body", "new") is None and spec.undo() is None


def test_an_error_inside_a_group_takes_only_its_part_back() -> None:
    spec = arm()
    with spec.edit("both"):
        spec.world.add("geom", name="kept", size=(1,))
        with pytest.raises(MjcfError):
            spec.world.add("geom", name="bad", size="x")
    assert spec.find("geom", "kept") is not None and spec.find("geom", "bad") is None
    assert spec.undo() == "both" and spec.find("geom", "kept") is None


# ---- attaching and copying


def test_attach_keeps_units_and_renames() -> None:
    spec = Spec.loads("<mujoco><worldbody><body name='base'><site name='here' pos='0 0 1' euler='90 0 0'/></body>"
                      "<geom name='upper' size='1'/></worldbody></mujoco>")  # fmt: skip
    frame = spec.attach(fixed_arm(), find(spec, "site", "here"), prefix="x_", suffix="_y")
    assert frame.tag == "frame" and find(spec, "geom", "x_palm_y")["rgba"] == (1, 0, 0, 1)
    m = spec.compile()
    np.testing.assert_allclose(m.joint("x_twist_y").range, [-1, 1])
    assert differences(m, oracle(spec.to_xml())) == []
    assert spec.attach(arm(), spec.world, "z_").body is spec.world
    with pytest.raises(MjcfError, match="already exists"):
        spec.attach(arm(), spec.world, "z_")


def test_a_part_is_attached() -> None:
    spec, child = Spec(), arm()
    hand = spec.attach(child, spec.world, "r_", part=find(child, "body", "hand"))
    assert hand.name == "r_hand" and [e.name for e in spec.all("body")] == ["r_hand"]
    assert [e.name for e in spec.all("sensor")] == ["r_angle", "r_time"]
    assert find(child, "body", "hand").spec is child
    np.testing.assert_array_equal(spec.compile().key_qpos, [[0.2]])


def test_moved_elements_are_those_of_the_parent() -> None:
    spec, child = Spec(), arm()
    palm = find(child, "geom", "palm")
    spec.attach(child, spec.world, "r_", move=True)
    palm["group"] = 3
    assert palm.spec is spec and palm.name == "r_palm"
    assert spec.compile().geom("r_palm").group == 3


def test_a_copy_is_independent() -> None:
    spec = arm()
    copy = spec.copy()
    find(copy, "geom", "palm")["group"] = 4
    find(copy, "camera", "eye").delete()
    find(copy, "body", "arm").delete()
    assert spec.to_xml() == arm().to_xml() and copy.undo() and copy.undo()
    assert find(copy, "geom", "palm")["group"] == 4


# ---- compiling and saving


def test_unexpanded_copies_stay_in_the_tree() -> None:
    text = ("<mujoco><worldbody><replicate count='3' offset='1 0 0'><geom name='g' size='.1'/></replicate>"
            "</worldbody></mujoco>")  # fmt: skip
    spec = Spec.loads(text)
    spec.world.add("geom", name="last", size=(0.2,))
    assert spec.compile().names["geom"] == ["g0", "g1", "g2", "last"]
    assert [e.name for e in Spec.loads(text, expanded=True).all("geom")] == ["g0", "g1", "g2"]


def test_the_model_keeps_what_it_was_compiled_from(tmp_path: Path) -> None:
    spec = arm()
    m = spec.compile()
    find(spec, "geom", "palm")["group"] = 2
    m.save_xml(tmp_path / "m.xml")
    assert sim.load(tmp_path / "m.xml").geom("palm").group == 0
    spec.save(tmp_path / "s.xml")
    assert differences(spec.compile(), mujoco.MjModel.from_xml_path(str(tmp_path / "s.xml"))) == []


def test_assets_in_memory() -> None:
    spec = Spec()
    spec.assets["cube.obj"] = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
    spec.add("mesh", name="cube", file="cube.obj")
    spec.world.add("geom", type="mesh", mesh="cube")
    spec.add("mesh", name="points", vertex=np.random.default_rng(0).normal(size=(20, 3)).astype(np.float32))
    spec.world.add("geom", type="mesh", mesh="points")
    m = spec.compile()
    assert m.nmesh == 2 and m.mesh_vertnum.tolist() == [8, 20]


def test_values_beside_the_tree_are_undone_too() -> None:
    spec = arm()
    texture = spec.add("texture", name="t", type="2d", width=2, height=1)
    spec.set_pixels(texture, bytes(range(6)))
    spec.set_beyond(find(spec, "tendon", "both"), "width", 0.25)
    m = spec.compile()
    assert m.tex_data.tolist() == list(range(6)) and m.tendon_width[0] == 0.25
    with pytest.raises(MjcfError, match="pixels are not in any file"):
        spec.to_xml()
    assert spec.undo() == "change fixed" and spec.compile().tendon_width[0] == 0.003
    assert spec.undo() == "pixels"
    with pytest.raises(MjcfError, match="neither builtin nor file"):
        spec.compile()
    spec.redo()
    assert spec.compile().ntexdata == 6
    spec.set_pixels(texture, b"1234")
    with pytest.raises(MjcfError, match="4 bytes"):
        spec.compile()


def test_state_of_what_remains_is_kept() -> None:
    spec = arm()
    m = spec.compile()
    d = sim.Data(m)
    d.qpos[:2], d.qvel[:2], d.ctrl[:], d.time = [0.3, 0.4], [1, 2], [5, 6], 7
    find(spec, "body", "ball").delete()
    new = find(spec, "body", "arm").add("body", name="new")
    new.add("joint", type="slide")
    new.add("geom")
    m, d = spec.recompile(m, d)
    np.testing.assert_array_equal(d.qpos, [0.3, 0.4, 0])
    np.testing.assert_array_equal(d.qvel, [1, 2, 0])
    np.testing.assert_array_equal(d.ctrl, [5, 6])
    assert d.time == 7
    with pytest.raises(ValueError, match="not the last one compiled from this spec"):
        spec.recompile(sim.loads(ARM), d)


DELAYED = """<mujoco><size nuserdata="2"/><worldbody><body name="first"><joint name="first"/><geom size=".1"/></body>
<body name="second" pos="1 0 0"><joint name="second" springyield=".01"/><geom size=".1"/></body></worldbody>
<actuator><motor name="gone" joint="first" nsample="3" delay=".004"/>
<motor name="stays" joint="second" nsample="4" delay=".006"/></actuator>
<sensor><jointpos name="angle" joint="second" nsample="3" delay=".004"/></sensor></mujoco>"""
PLAIN = DELAYED.replace(' springyield=".01"', "")


def test_delay_buffers_are_kept_as_in_mujoco() -> None:
    spec, theirs = Spec.loads(PLAIN), mujoco.MjSpec.from_string(PLAIN)
    m, their_m = spec.compile(), theirs.compile()
    d, their_d = sim.Data(m), mujoco.MjData(their_m)
    for step in range(9):
        d.ctrl[:] = their_d.ctrl[:] = [0.1 * step, -0.2 * step]
        sim.step(m, d)
        mujoco.mj_step(their_m, their_d)
    find(spec, "actuator", "gone").delete()
    theirs.delete(theirs.actuator("gone"))
    m, d = spec.recompile(m, d)
    their_m, their_d = theirs.recompile(their_m, their_d)
    for name in ("time", "qpos", "qvel", "ctrl", "history", "qacc_warmstart", "qacc"):
        np.testing.assert_allclose(getattr(d, name), getattr(their_d, name), atol=1e-12, err_msg=name)
    assert d.history.any() and not d.qacc.any()


def test_the_rest_of_plastic_springs_is_kept() -> None:
    spec = Spec.loads(DELAYED)
    m = spec.compile()
    d = sim.Data(m)
    d.plastic[:], d.userdata[:] = 0.3, [1, 2]
    find(spec, "body", "first").delete()
    m, d = spec.recompile(m, d)
    assert d.plastic.tolist() == [0.3] and d.userdata.tolist() == [1, 2]


def test_edits_of_a_model_are_copied_back() -> None:
    spec = arm()
    m = spec.compile()
    m.geom("palm").size[0] = 0.7
    m.joint("twist").range[1] = 0.5
    spec.copy_back(m)
    assert find(spec, "geom", "palm")["size"][0] == 0.7
    assert find(spec, "joint", "twist")["range"] == (-1, 0.5)
    assert spec.undo() == "copy back" and find(spec, "geom", "palm")["size"][0] == 0.1
