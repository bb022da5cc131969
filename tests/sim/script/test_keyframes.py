"""Keyframes are added, removed and saved as MuJoCo reads them: sim/mjcf/save/key_changes.py and keyframes.py."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

import sim
from sim.model import Model

ARM = """<mujoco>
  <worldbody>
    <body name="hand" mocap="true" pos="0 0 2"><geom size=".1" contype="0" conaffinity="0"/></body>
    <body name="arm" pos="0 0 1"><joint name="a" axis="0 1 0" ref="30"/><geom size=".1" pos=".2 0 0"/>
      <body pos=".5 0 0"><joint type="ball"/><geom size=".1"/></body></body>
    <body pos="0 1 1"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <actuator><general joint="a" dyntype="integrator"/></actuator>%s
</mujoco>
"""
KEYS = """
  <keyframe>
    <key name="rest"/> <!-- as it starts -->
    <key name="bent" time="1" qpos="1 1 0 0 0 0 1 1 1 0 0 0"/>
  </keyframe>"""
FIELDS = ("key_time", "key_qpos", "key_qvel", "key_act", "key_ctrl", "key_mpos", "key_mquat")


def moved(m: Model) -> sim.Data:
    """Some state."""
    d = sim.Data(m)
    d.time = 0.25
    d.qpos[0] = 0.1
    d.qpos[1:5] = [2, 1, 0, 0]
    d.qvel[:] = np.arange(m.nv) / 7
    d.mocap_pos[0] = [1, 2, 3]
    return d


def check(m: Model, path: Path) -> None:
    """The saved file has the keyframes of the model, here and in MuJoCo."""
    again, reference = sim.load(path), mujoco.MjModel.from_xml_path(str(path))
    for field in FIELDS:
        assert np.array_equal(again.read(field), m.read(field)), field
        np.testing.assert_allclose(getattr(reference, field).reshape(m.read(field).shape), m.read(field), atol=1e-15)
    assert again.names["key"] == m.names["key"] == [reference.key(k).name for k in range(reference.nkey)]


@pytest.mark.parametrize("keys", ["", KEYS])
def test_a_new_keyframe(keys: str, tmp_path: Path) -> None:
    path = tmp_path / "arm.xml"
    path.write_text(ARM % keys)
    m = sim.load(path)
    d = moved(m)
    key = sim.add_keyframe(m, d, "mine")
    assert key == m.nkey - 1 == m.name2id("key", "mine")
    assert m.key_time[key] == 0.25
    np.testing.assert_allclose(np.linalg.norm(m.key_qpos[key, 1:5]), 1)
    other = sim.Data(m)
    sim.reset(m, other, key)
    assert np.array_equal(other.qvel, d.qvel)
    plan = m.plan_save()
    added = [line[1:].strip() for line in plan.diff().splitlines() if line[:1] == "+" and line[:3] != "+++"]
    # of the vectors only those that are not as at the start
    (line,) = (line for line in added if line.startswith("<key "))
    assert [part.split()[-1] for part in line.split("=")[:-1]] == ["name", "time", "qpos", "qvel", "mpos"]
    assert len(added) == (1 if keys else 3)
    plan.write()
    check(m, path)


def test_a_keyframe_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "arm.xml"
    path.write_text(ARM % KEYS)
    m = sim.load(path)
    before = m.copy()
    key = sim.add_keyframe(m, moved(m), "mine")
    copy = m.copy()
    sim.remove_keyframe(m, key)
    assert m.nkey == 2 and m.names == before.names
    assert all(np.array_equal(m.read(field), before.read(field)) for field in FIELDS)
    assert m.plan_save().edits == ()
    # a copy has its own
    assert copy.nkey == 3 and copy.key_rows == (0, 1, -1)
    sim.remove_keyframe(copy, 0)
    assert copy.id2name("key", 0) == "bent"
    copy.plan_save().write()
    check(copy, path)
    assert "<!-- as it starts -->" in path.read_text()
    with pytest.raises(ValueError, match="there is no keyframe 2: the model has 2"):
        sim.remove_keyframe(copy, 2)


def test_an_edited_keyframe(tmp_path: Path) -> None:
    path = tmp_path / "arm.xml"
    path.write_text(ARM % KEYS)
    m = sim.load(path)
    m.key_qpos[1, 0] = 0.5
    m.key_time[0] = 3.0
    plan = m.plan_save()
    assert [(edit.element, edit.attribute, edit.before, edit.after) for edit in plan.edits] == [
        ('key "rest"', "time", "0", "3"),
        ('key "bent"', "qpos", "1 1 0 0 0 0 1 1 1 0 0 0", "0.5 1 0 0 0 0 1 1 1 0 0 0"),
    ]
    plan.write()
    check(m, path)


def test_a_name_is_used_once() -> None:
    m = sim.loads(ARM % KEYS)
    with pytest.raises(ValueError, match="keyframe 'bent' already exists"):
        sim.add_keyframe(m, sim.Data(m), "bent")
    assert sim.add_keyframe(m, sim.Data(m)) == 2
    assert sim.add_keyframe(m, sim.Data(m)) == 3
    assert m.names["key"] == ["rest", "bent", "", ""]


ATTACHING = """<mujoco>
  <asset><model name="part" file="part.xml"/></asset>
  <worldbody><body><joint/><geom size="1"/></body><attach model="part" body="b" prefix="p_"/></worldbody>
  <keyframe><key name="own" qpos="1 2"/></keyframe>
</mujoco>
"""
PART = """<mujoco><worldbody><body name="b"><joint/><geom size="1"/></body></worldbody>
  <keyframe><key name="theirs" qpos="3"/></keyframe></mujoco>
"""


def test_keyframes_of_attached_models_come_last(tmp_path: Path) -> None:
    (tmp_path / "part.xml").write_text(PART)
    path = tmp_path / "main.xml"
    path.write_text(ATTACHING)
    m = sim.load(path)
    d = sim.Data(m)
    d.qpos[:] = [5, 6]
    assert sim.add_keyframe(m, d, "new") == 1
    m.key_qpos[2, 1] = 4.0
    assert m.names["key"] == ["own", "new", "p_theirs"]
    plan = m.plan_save()
    assert {edit.file.name: edit.source for edit in plan.edits} == {"main.xml": "", "part.xml": "attach"}
    plan.write()
    check(m, path)
    assert 'qpos="4"' in (tmp_path / "part.xml").read_text()


def test_a_new_one_in_a_model_with_copies(tmp_path: Path) -> None:
    path = tmp_path / "main.xml"
    copied = '<replicate count="2"><body><joint/><geom size="1"/></body></replicate>'
    path.write_text(f"<mujoco><worldbody>{copied}</worldbody></mujoco>")
    m = sim.load(path)
    d = sim.Data(m)
    d.qpos[:] = [5, 6]
    sim.add_keyframe(m, d, "new")
    plan = m.plan_save()
    assert plan.unsaved == ()
    plan.write()
    assert "<replicate" in path.read_text()
    check(m, path)
