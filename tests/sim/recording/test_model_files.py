"""Models in recordings: whatever files a model was read from, it compiles to the same bits from memory alone."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import sim
from app.files.resources import bundled_scenes
from sim.mjcf import read_files
from sim.mjcf.complete import complete
from sim.recording.model_files import check_name, compile_files, digest, listed_files
from tests.sim.mjcf.format.test_archive import CUBE

MESH = """<mujoco><compiler meshdir="{dir}"/><asset><mesh name="c" file="{file}"/></asset>
<worldbody>{more}</worldbody></mujoco>"""
GEOM = '<geom type="mesh" mesh="c"/>'
URDF = """<robot name="r"><link name="base"><collision><geometry><mesh filename="{}"/></geometry></collision>
<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""


def again(m: sim.Model) -> sim.Model:
    """The model from what a recording would hold of it."""
    return complete(compile_files(listed_files(m).read(), "run.ktr"))


def assert_same(m: sim.Model) -> None:
    """The same bits, without the files."""
    made = again(m)
    assert digest(made) == digest(m)
    # and once more, from the recording's own
    assert digest(again(made)) == digest(m)


def put(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder


@pytest.mark.release
@pytest.mark.parametrize("scene", bundled_scenes(), ids=lambda scene: scene.name)
def test_bundled_scenes(scene: object) -> None:
    assert_same(sim.load(scene.path))  # type: ignore[attr-defined]


def test_files_in_other_folders(tmp_path: Path) -> None:
    """Includes and meshes above the main file, and below."""
    put(tmp_path / "meshes" / "deep", c__obj=CUBE)
    put(tmp_path, part__xml=f"<mujoco>{GEOM}</mujoco>")
    main = put(tmp_path / "models") / "m.xml"
    main.write_text(MESH.format(dir="../meshes", file="deep/c.obj", more='<include file="../part.xml"/>'))
    m = sim.load(main)
    names = listed_files(m).files
    assert {*names} == {"models/m.xml", "part.xml", "meshes/deep/c.obj"}
    shutil.rmtree(tmp_path)
    assert_same(m)


def test_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "m", c__obj=CUBE, m__xml=MESH.format(dir="", file="c.obj", more=GEOM))
    monkeypatch.chdir(tmp_path)
    m = sim.load("m/m.xml")
    monkeypatch.chdir("/")
    assert_same(m)


def test_a_file_named_in_full(tmp_path: Path) -> None:
    put(tmp_path / "far", c__obj=CUBE)
    main = put(tmp_path / "m") / "m.xml"
    main.write_text(MESH.format(dir="", file=tmp_path / "far" / "c.obj", more=GEOM))
    m = sim.load(main)
    assert listed_files(m).folder == str(tmp_path)
    shutil.rmtree(tmp_path)
    assert_same(m)


def test_no_folder_is_told_without_need(tmp_path: Path) -> None:
    put(tmp_path, c__obj=CUBE, m__xml=MESH.format(dir="", file="c.obj", more=GEOM))
    assert listed_files(sim.load(tmp_path / "m.xml")).folder == ""


def test_a_text_with_assets_and_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(put(tmp_path / "here"))
    put(tmp_path, part__xml=f"<mujoco>{GEOM}</mujoco>")
    text = MESH.format(dir="x", file="C.obj", more='<include file="../part.xml"/>')
    m = sim.loads(text, {"some/c.OBJ": CUBE})
    assert {*listed_files(m).given} == {"C.obj"}
    shutil.rmtree(tmp_path)
    monkeypatch.chdir("/")
    assert_same(m)


def test_an_attached_model(tmp_path: Path) -> None:
    put(tmp_path, c__obj=CUBE, child__xml=MESH.format(dir="", file="c.obj", more=f'<body name="b">{GEOM}</body>'))
    main = put(tmp_path / "m") / "m.xml"
    main.write_text(
        '<mujoco><asset><model name="c" file="../child.xml"/></asset><worldbody>'
        '<attach model="c" body="b" prefix="p"/></worldbody></mujoco>'
    )
    m = sim.load(main)
    assert m.nmesh == 1
    shutil.rmtree(tmp_path)
    assert_same(m)


def test_an_archive(tmp_path: Path) -> None:
    put(tmp_path, c__obj=CUBE, m__xml=MESH.format(dir="", file="c.obj", more=GEOM))
    sim.load(tmp_path / "m.xml").pack(tmp_path / "m.mjz")
    m = sim.load(tmp_path / "m.mjz")
    shutil.rmtree(tmp_path)
    assert_same(m)


@pytest.mark.parametrize("name", ["package://pkg/c.obj", "file://{}/elsewhere/share/pkg/c.obj"])
def test_urdf_with_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A mesh in a package that ROS knows, or named in full."""
    put(tmp_path / "elsewhere" / "share" / "pkg", c__obj=CUBE)
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "elsewhere"))
    put(tmp_path / "robot" / "urdf", r__urdf=URDF.format(name.format(tmp_path)))
    m = sim.load(tmp_path / "robot" / "urdf" / "r.urdf")
    assert m.nmesh == 1
    monkeypatch.delenv("AMENT_PREFIX_PATH")
    shutil.rmtree(tmp_path)
    assert_same(m)


def test_edits_and_saves_change_nothing(tmp_path: Path) -> None:
    """The recording has the model as it was read, whatever the file says since."""
    path = put(tmp_path, m__xml='<mujoco><worldbody><geom name="g" size="1"/></worldbody></mujoco>') / "m.xml"
    m = sim.load(path)
    before = digest(m)
    m.geom_friction[0, 0] = 0.3
    sim.add_keyframe(m, sim.Data(m), "new")
    path.write_text("<mujoco/>")
    assert digest(m) == before
    assert digest(again(m)) == before


def test_large_files_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_files, "KEPT", 300)
    put(tmp_path, c__obj=CUBE + "#" * 300, m__xml=MESH.format(dir="", file="c.obj", more=GEOM))
    m = sim.load(tmp_path / "m.xml")
    listed = listed_files(m)
    assert listed.files["c.obj"] == tmp_path / "c.obj"
    assert_same(m)
    assert not listed.changed
    (tmp_path / "c.obj").write_text(CUBE)
    listed.read()
    assert listed.changed == [str(tmp_path / "c.obj")]
    (tmp_path / "c.obj").unlink()
    with pytest.raises(FileNotFoundError):
        listed.read()


def test_nothing_outside_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that the recording does not have is missing, though it is on disk."""
    monkeypatch.chdir(put(tmp_path, c__obj=CUBE, m__xml=MESH.format(dir="", file="c.obj", more=GEOM)))
    found = listed_files(sim.load("m.xml")).read()
    without = type(found)(found.entry, {found.entry: found.files[found.entry]})
    with pytest.raises(sim.MjcfError, match="not found"):
        compile_files(without, "run.ktr")


def test_a_model_without_a_source() -> None:
    m = sim.load(os.path.join(os.path.dirname(__file__), "..", "..", "..", "scenes", "double_pendulum.xml"))
    bare = sim.Model(m.values(), m.names)
    with pytest.raises(ValueError, match=r"make it with sim.load or sim.loads"):
        listed_files(bare)


@pytest.mark.parametrize("name", ["a.xml", "a/b.obj", "..a/b", "ä.stl"])
def test_names_inside(name: str) -> None:
    check_name(name)
