"""Saved models load to what they were, here and in MuJoCo, with the edits that were made."""

from __future__ import annotations

import contextlib
import errno
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import sim
from sim.fields import MODEL_LAYOUT
from sim.mjcf import Compiled, MjcfError, compile_file, compile_text
from sim.mjcf.save.expanded import xml_text
from sim.mjcf.save.save import Source
from sim.model import Model
from tests.sim.mjcf.asset_files import INLINE as LOPSIDED
from tests.sim.mjcf.asset_files import with_mesh
from tests.sim.mjcf.attach.test_expand import ATTACHED, CHILD, CHILD_SECTIONS, REFERRED, REPLICATED
from tests.sim.mjcf.compare import fields
from tests.sim.mjcf.models import MODELS
from tests.sim.mjcf.pip_models import LARGE, pip_models, short_name
from tests.sim.mjcf.test_prune import DISCARDED, FUSED

# computed by the engine after compiling
NOT_YET = {"signature"}


def made(compiled: Compiled) -> Model:
    """A Model with the source it was compiled from."""
    m = Model(compiled.values, compiled.names)
    m.set_source(Source.of(compiled.parsed))
    return m


def loaded(path: Path) -> Model:
    return made(compile_file(path))


def different(a: Model, b: Model, tolerance: float = 0.0) -> list[str]:
    """Fields in which two of our models differ."""
    found = []
    for name in MODEL_LAYOUT.places:
        ours, theirs = np.asarray(a.read(name)), np.asarray(b.read(name))
        near = (
            ours.shape == theirs.shape
            and ours.dtype.kind == "f"
            and np.allclose(ours, theirs, rtol=tolerance, atol=tolerance)
        )
        if not (np.array_equal(ours, theirs) or (tolerance and near)):
            found.append(name)
    return found + ["names"] * (a.names != b.names)


def mujoco_different(a: mujoco.MjModel, b: mujoco.MjModel) -> list[str]:
    """Fields in which two of MuJoCo's models differ."""
    others = dict(fields(b))
    found = []
    for name, value in fields(a):
        same = np.array_equal(value, others[name]) if isinstance(value, np.ndarray) else value == others[name]
        if not same and isinstance(value, np.ndarray | float) and np.shape(value) == np.shape(others[name]):
            same = np.allclose(value, others[name], rtol=1e-9, atol=1e-11)
        if not same and name not in NOT_YET:
            found.append(name)
    return found


def round_trip(source: Path, folder: Path) -> tuple[list[str], list[str]]:
    m, saved = loaded(source), folder / "saved.xml"
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "MJCF has no attribute")
        m.save_xml(saved)
    ours = different(m, loaded(saved), 1e-12)
    theirs = mujoco_different(*(mujoco.MjModel.from_xml_path(str(path)) for path in (source, saved)))
    return ours, theirs


INLINE = {
    **MODELS,
    **{f"replicated {name}": text for name, text in REPLICATED.items()},
    **{f"referred {name}": text for name, text in REFERRED.items()},
    **{f"fused {name}": text for name, text in FUSED.items()},
    **{f"discarded {name}": text for name, text in DISCARDED.items()},
}


@pytest.mark.parametrize("name", INLINE)
def test_round_trip(name: str, tmp_path: Path) -> None:
    source = tmp_path / "source.xml"
    source.write_text(INLINE[name])
    assert round_trip(source, tmp_path) == ([], [])


@pytest.mark.parametrize("name", ATTACHED)
def test_attached_models(name: str, tmp_path: Path) -> None:
    (tmp_path / "child.xml").write_text(CHILD % CHILD_SECTIONS)
    (tmp_path / "main.xml").write_text(ATTACHED[name])
    (tmp_path / "elsewhere").mkdir()
    if name == "copies":
        (tmp_path / "child.xml").write_text(CHILD % "")
    assert round_trip(tmp_path / "main.xml", tmp_path / "elsewhere") == ([], [])


def pip_parameters() -> list[Any]:
    return [
        pytest.param(path, id=short_name(path), marks=[pytest.mark.release] if LARGE.search(str(path)) else [])
        for path in pip_models()
    ]


@pytest.mark.parametrize("path", pip_parameters())
def test_pip_model(path: Path, tmp_path: Path) -> None:
    try:
        mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        # there is nothing to compare with
        with contextlib.suppress(MjcfError):
            compile_file(path)
        return
    assert round_trip(path, tmp_path) == ([], [])


# ---- files


def test_files_are_found_from_another_folder(tmp_path: Path) -> None:
    for folder in ("meshes/deep", "other"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "meshes" / "deep" / "m.obj").write_text(OBJ)
    (tmp_path / "main.xml").write_text(
        '<mujoco><compiler meshdir="meshes"/><asset><mesh file="deep/m.obj"/></asset><worldbody>'
        '<geom type="mesh" mesh="m"/></worldbody></mujoco>'
    )
    assert round_trip(tmp_path / "main.xml", tmp_path / "other") == ([], [])
    # beside the original, everything stays as it was written
    assert round_trip(tmp_path / "main.xml", tmp_path) == ([], [])
    assert 'meshdir="meshes"' in (tmp_path / "saved.xml").read_text()


@pytest.mark.parametrize("place", ["meshes/m.obj", "meshes/parts/m.obj", "parts/m.obj"])
def test_files_of_an_included_file_are_found(place: str, tmp_path: Path) -> None:
    """Wherever the compiler found them."""
    for name, text in {
        "main.xml": '<mujoco><compiler meshdir="meshes"/><include file="parts/mesh.xml"/></mujoco>',
        "parts/mesh.xml": '<mujocoinclude><asset><mesh file="m.obj"/></asset></mujocoinclude>',
        place: OBJ,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    m = loaded(tmp_path / "main.xml")
    (tmp_path / "elsewhere").mkdir()
    m.save_xml(tmp_path / "elsewhere" / "saved.xml")
    assert different(m, loaded(tmp_path / "elsewhere" / "saved.xml")) == []


def test_files_given_in_memory_are_written(tmp_path: Path) -> None:
    text = (
        '<mujoco><compiler meshdir="x"/><asset><mesh name="q" file="m.obj"/></asset><worldbody>'
        '<geom type="mesh" mesh="q"/></worldbody></mujoco>'
    )
    m = made(compile_text(text, {"m.obj": OBJ}))
    m.save_xml(tmp_path / "saved.xml")
    assert (tmp_path / "saved_assets" / "m.obj").read_text() == OBJ
    again = loaded(tmp_path / "saved.xml")
    assert set(different(m, again)) <= {"mesh_pathadr", "npaths", "paths"}


def test_includes_stay(tmp_path: Path) -> None:
    (tmp_path / "part.xml").write_text('<x><geom name="g" size="1"/></x>')
    text = '<mujoco><worldbody><include file="part.xml"/></worldbody></mujoco>'
    (tmp_path / "main.xml").write_text(text)
    assert round_trip(tmp_path / "main.xml", tmp_path) == ([], [])
    assert (tmp_path / "saved.xml").read_text() == text


def test_special_characters(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(
        '<mujoco model="a &amp; b"><worldbody><geom name="&lt;&quot;größe&quot;&gt;&#10;" size="1"/></worldbody>'
        "</mujoco>",
        encoding="utf-8",
    )
    assert round_trip(tmp_path / "a.xml", tmp_path) == ([], [])


def test_a_model_without_a_source() -> None:
    compiled = compile_text("<mujoco/>")
    m = Model(compiled.values, compiled.names)
    with pytest.raises(ValueError, match="not compiled from MJCF"):
        m.save_xml("never.xml")


OBJ = "v 0 0 0\nv 1.1 .1 0\nv 0 1.2 .1\nv .1 0 1.3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"

# ---- edits

RICH = """<mujoco><compiler %s/><option timestep=".01"><flag contact="disable"/></option>
  <default><geom rgba="1 0 0 1"/><joint damping="2"/><default class="c"><geom friction=".5"/></default></default>
  <asset><material name="m"/><material name="n"/></asset>
  <worldbody>
    <light directional="true"/><camera name="cam" pos="0 0 1" euler="10 20 30"/>
    <frame pos="1 2 3" euler="10 20 30"><body name="a" pos="1 0 0" euler="0 30 0">
      <joint name="h" range="-50 60" ref="10" springref="5"/><joint name="s" type="slide" range="-1 1"/>
      <geom name="g" class="c" type="capsule" size=".1" fromto="0 0 0 0 1 1" material="m"/>
      <frame pos="0 0 1" euler="0 0 45"><geom name="q" type="box" size=".1 .2 .3" pos="1 0 0"/><site name="t"/>
      <joint name="b" pos="0 1 0" axis="1 0 0"/></frame></body></frame>
    <body name="f"><freejoint name="ff"/><geom size=".2"/></body>
    <body name="o" mocap="true" gravcomp=".5" user="1 2"/>
  </worldbody>
  <actuator><position name="p" joint="h" kp="3" ctrlrange="-1 1"/><motor name="mo" joint="s" gear="2"/>
    <general name="ge" joint="b" gainprm="4" forcerange="-1 1"/></actuator>
  <tendon><fixed name="te" range="0 1" stiffness="3"><joint joint="h" coef="1"/></fixed></tendon>
  <equality><joint name="ej" joint1="h" joint2="s"/><connect body1="f" body2="a" anchor="1 2 3"/></equality>
  <contact><pair geom1="g" geom2="q"/></contact>
  <sensor><jointpos name="se" joint="h"/></sensor><custom><numeric name="nu" data="1 2 3"/></custom>
  <keyframe><key name="k" time="1"/></keyframe></mujoco>"""

Edit = Callable[[Model], None]


def put(name: str, row: Any, value: Any) -> Edit:
    def edit(m: Model) -> None:
        if row is None:
            m.write(name, value)
        else:
            m.read(name)[row] = value

    return edit


EDITS: dict[str, Edit] = {
    name if row is None else f"{name}[{row}]": put(name, row, value)
    for name, row, value in (
        ("opt.timestep", None, 0.003),
        ("opt.gravity", None, [1, 2, 3]),
        ("opt.integrator", None, 1),
        ("opt.disableflags", None, 1 | 1 << 7),
        ("opt.enableflags", None, 2),
        ("opt.disableactuator", None, 6),
        ("opt.o_solref", None, [0.1, 2]),
        ("vis.global_.fovy", None, 30.0),
        ("vis.map.znear", None, 0.123),
        ("vis.rgba.haze", None, [0.1, 0.2, 0.3, 0.4]),
        ("vis.headlight.active", None, 0),
        ("vis.headlight.active", None, 1),
        ("vis.global_.orthographic", None, 1),
        ("stat.extent", None, 7.0),
        ("stat.center", None, [1, 2, 3]),
        ("body_mass", 1, 5.5),
        ("body_inertia", 2, [1, 2, 2.5]),
        ("body_ipos", 1, [0.1, 0.2, 0.3]),
        ("body_gravcomp", 3, 0.25),
        ("body_user", 3, [3, 4]),
        ("body_pos", 1, [3, 2, 1]),
        ("body_pos", 3, [3, 2, 1]),
        ("jnt_range", 0, [-0.5, 0.25]),
        ("jnt_range", 1, [-0.5, 0.25]),
        ("jnt_stiffness", 1, 7.0),
        ("jnt_stiffnesspoly", 1, [1, 2]),
        ("jnt_axis", 2, [0, 0.6, 0.8]),
        ("jnt_pos", 2, [1, 2, 3]),
        ("jnt_limited", 0, False),
        ("jnt_group", 3, 2),
        ("dof_damping", 0, 9.0),
        ("dof_armature", 2, 0.5),
        ("dof_armature", slice(3, 9), 0.5),
        ("dof_frictionloss", 1, 0.25),
        ("qpos_spring", 0, 0.5),
        ("geom_rgba", 0, [0.1, 0.2, 0.3, 0.4]),
        ("geom_friction", 0, [1, 2, 3]),
        ("geom_size", 1, [0.3, 0.2, 0.1]),
        ("geom_pos", 1, [1, 2, 3]),
        ("geom_pos", 0, [1, 2, 3]),
        ("geom_size", 0, [0.2, 0.3, 0]),
        ("geom_contype", 0, 4),
        ("geom_condim", 1, 6),
        ("geom_matid", 0, 1),
        ("geom_solref", 0, [-1, -2]),
        ("site_pos", 0, [1, 2, 3]),
        ("site_rgba", 0, [1, 0, 1, 0]),
        ("cam_pos", 0, [1, 2, 3]),
        ("cam_fovy", 0, 20.0),
        ("cam_mode", 0, 1),
        ("light_diffuse", 0, [0.1, 0.2, 0.3]),
        ("light_type", 0, 2),
        ("light_castshadow", 0, False),
        ("mat_reflectance", 1, 0.5),
        ("mat_rgba", 0, [0, 1, 0, 1]),
        ("actuator_gear", 1, [3, 0, 0, 0, 0, 0]),
        ("actuator_ctrlrange", 0, [-2, 3]),
        ("actuator_gainprm", (0, 0), 8.0),
        ("actuator_gainprm", (2, 0), 8.0),
        ("actuator_biasprm", (0, 1), -8.0),
        ("actuator_forcerange", 2, [-3, 4]),
        ("actuator_forcelimited", 2, False),
        ("tendon_range", 0, [0.1, 0.9]),
        ("tendon_stiffness", 0, 5.0),
        ("eq_data", (0, slice(0, 5)), [1, 2, 3, 4, 5]),
        ("eq_active0", 1, False),
        ("eq_solref", 0, [0.1, 3]),
        ("pair_friction", 0, [1, 2, 3, 4, 5]),
        ("pair_margin", 0, 0.1),
        ("sensor_cutoff", 0, 2.0),
        ("numeric_data", 1, 7.0),
        ("key_time", 0, 3.0),
        ("key_ctrl", 0, [1, 2, 3]),
        ("key_mpos", 0, [1, 2, 3]),
    )
}


# the same with other settings, where they matter
SETTINGS = {"": "", "jnt_": 'angle="radian"', "qpos": 'angle="radian"', "body_": 'settotalmass="20"'}


@pytest.mark.parametrize(
    ("name", "settings"),
    [(name, settings) for start, settings in SETTINGS.items() for name in EDITS if name.startswith(start)],
)
def test_edit(name: str, settings: str, tmp_path: Path) -> None:
    m = made(compile_text(RICH % settings))
    EDITS[name](m)
    saved = tmp_path / "saved.xml"
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "MJCF has no attribute")
        m.save_xml(saved)
    again = loaded(saved)
    field = name.partition("[")[0]
    np.testing.assert_allclose(again.read(field), m.read(field), rtol=1e-9, atol=1e-12)
    # MuJoCo reads the same, where it has computed nothing of it by itself
    reference = dict(fields(mujoco.MjModel.from_xml_path(str(saved))))
    np.testing.assert_allclose(reference[field], m.read(field), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("kind", "settings"), [("mesh", ""), ("box", ""), ("box", 'fitaabb="true"')])
@pytest.mark.parametrize("field", ["geom_surfacevel", "geom_pos", "geom_quat"])
def test_an_edit_of_what_a_mesh_has_moved(kind: str, settings: str, field: str, tmp_path: Path) -> None:
    text = with_mesh(LOPSIDED, 'pos="1 2 3" euler="10 20 30" surfacevel="1 2 3 4 5 6"', settings, kind)
    m = made(compile_text(text))
    value = np.arange(m.read(field).shape[1]) + 2.0
    m.read(field)[0] = value if field != "geom_quat" else value / np.linalg.norm(value)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "MJCF has no attribute")
        m.save_xml(tmp_path / "saved.xml")
    reference = dict(fields(mujoco.MjModel.from_xml_path(str(tmp_path / "saved.xml"))))
    for name in ("geom_surfacevel", "geom_pos", "geom_quat", "geom_size"):
        np.testing.assert_allclose(reference[name], m.read(name), rtol=1e-9, atol=1e-12, err_msg=name)


def test_an_edit_changes_nothing_else(tmp_path: Path) -> None:
    m = made(compile_text(RICH % ""))
    before = m.copy()
    m.opt.timestep = 0.5
    m.geom_rgba[0] = [0, 0, 0, 1]
    m.jnt_range[0] = [-0.1, 0.1]
    m.save_xml(tmp_path / "saved.xml")
    again = loaded(tmp_path / "saved.xml")
    assert different(before, again, 1e-12) == ["opt.timestep", "jnt_range", "geom_rgba"]
    assert different(m, again, 1e-12) == []


@pytest.mark.parametrize("way", ["element", "class"])
def test_a_radius_is_written_beside_the_fromto_of_a_class(way: str, tmp_path: Path) -> None:
    file, size = tmp_path / "m.xml", 'size=".04"'
    file.write_text(f"""<mujoco>
      <default><default class="c"><geom type="capsule" fromto="0 0 0 .3 .1 0" {size}/></default></default>
      <worldbody><body pos="1 2 3"><geom class="c"/></body></worldbody></mujoco>""")
    text, m = file.read_text(), sim.load(file)
    m.geom_size[0, 0] = 0.07
    (edit,) = m.plan_save().edits
    m.plan_save(ways={edit.key: way}).write()
    written = file.read_text()
    places = {"element": ('class="c"/>', 'class="c" size="0.07"/>'), "class": (size, 'size="0.07"')}
    assert written == text.replace(*places[way])
    for saved in (sim.load(file), mujoco.MjModel.from_xml_path(str(file))):
        assert np.array_equal(saved.geom_size, m.geom_size) and np.array_equal(saved.geom_pos, m.geom_pos)


def test_an_edit_that_leaves_a_muscle_without_a_length_range_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "m.xml"
    file.write_text("""<mujoco><compiler><lengthrange useexisting="false" uselimit="false"/></compiler><worldbody>
      <body><joint name="j" type="slide" limited="true" range="-1 1"/><geom size=".1"/></body></worldbody>
      <actuator><muscle name="u" joint="j"/></actuator></mujoco>""")
    text, m = file.read_text(), sim.load(file)
    m.jnt_limited[0] = 0
    plan = m.plan_save()
    with pytest.raises(ValueError, match=r"not saved, because the file would not load: .*length"):
        plan.write()
    assert file.read_text() == text


def test_copies_are_edited_one_by_one(tmp_path: Path) -> None:
    m = made(compile_text(REPLICATED["bodies"]))
    m.geom_rgba[1] = [0, 0, 1, 1]
    m.body_mass[3] *= 2
    m.save_xml(tmp_path / "saved.xml")
    again = loaded(tmp_path / "saved.xml")
    # both follow from the masses when a file is loaded
    assert different(m, again, 1e-12) == ["stat.meanmass", "body_subtreemass"]


def test_an_edit_without_a_place_is_told(tmp_path: Path) -> None:
    m = made(compile_text(RICH % ""))
    m.geom_fluid[0] = 1
    with pytest.warns(UserWarning, match="no attribute for edits of geom_fluid"):
        m.save_xml(tmp_path / "saved.xml")
    assert different(m, loaded(tmp_path / "saved.xml"), 1e-12) == ["geom_fluid"]


def test_a_failed_save_leaves_the_file(tmp_path: Path) -> None:
    m = made(compile_text("<mujoco/>"))
    (tmp_path / "old.xml").write_text("old")
    with pytest.raises(OSError, match="No such file"):
        m.save_xml(tmp_path / "missing" / "old.xml")
    assert (tmp_path / "old.xml").read_text() == "old"


def test_expanded_text_is_indented() -> None:
    m = made(compile_text('<mujoco><worldbody><body name="a"><geom size="1"/></body></worldbody></mujoco>'))
    assert (
        xml_text(m.__dict__["source"].root)
        == """<mujoco>
  <worldbody>
    <body name="a">
      <geom size="1"/>
    </body>
  </worldbody>
</mujoco>
"""
    )


def test_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch):
    m = sim.loads("<mujoco/>")
    (tmp_path / "a.xml").write_text("precious")

    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(OSError, match="No space left"):
        m.save_xml(tmp_path / "a.xml")
    assert [file.name for file in tmp_path.iterdir()] == ["a.xml"]
    assert (tmp_path / "a.xml").read_text() == "precious"


def test_an_edited_model_without_joints_can_be_saved(tmp_path: Path) -> None:
    m = sim.loads('<mujoco><worldbody><geom name="g" size="1"/></worldbody></mujoco>')
    m.geom_gap[0] = 0.5
    m.save_xml(tmp_path / "saved.xml")
    assert sim.load(tmp_path / "saved.xml").geom_gap[0] == 0.5


@pytest.mark.parametrize("frame", ['pos="1 2 3" euler="40 50 60"', 'pos="1 2 3" scale="2"'])
@pytest.mark.parametrize("field", ["body_mass", "body_ipos", "body_iquat", "body_inertia"])
def test_an_inertial_in_a_frame_is_edited(field: str, frame: str, tmp_path: Path) -> None:
    inertial = '<inertial pos="1 0 0" mass="1" diaginertia="1 2 2.5"/>'
    m = sim.loads(f"<mujoco><worldbody><body><joint/><frame {frame}>{inertial}</frame></body></worldbody></mujoco>")
    m.read(field)[1] *= -1 if field == "body_iquat" else 2
    m.save_xml(tmp_path / "saved.xml")
    again = mujoco.MjModel.from_xml_path(str(tmp_path / "saved.xml"))
    for name in ("body_mass", "body_ipos", "body_inertia"):
        np.testing.assert_allclose(getattr(again, name), m.read(name), atol=1e-12)
    assert abs(again.body_iquat[1] @ m.body_iquat[1]) == pytest.approx(1, abs=1e-12)
