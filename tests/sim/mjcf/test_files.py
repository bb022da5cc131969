"""The files of a model: what the compiler read and where it looked in vain, in Model and in MjcfError."""

from __future__ import annotations

import copy
import os
import pickle
from pathlib import Path
from typing import Any

import pytest

import sim
from sim.file_stamp import stamp
from sim.mjcf.asset import mesh
from tests.sim.mjcf.asset_files import CORNERS, FACES, picture, png, skn, stl

FILES: dict[str, str | bytes] = {
    "main.xml": """<mujoco><compiler meshdir="assets/meshes" texturedir="assets"/><include file="parts/outer.xml"/>
      <asset><mesh name="m" file="m.stl"/><mesh name="again" file="m.stl" scale="2 2 2"/>
        <hfield name="h" file="h.png" size="1 1 1 1"/><model name="arm" file="arm/arm.xml"/>
        <texture name="t" type="2d" file="t.png"/><texture name="unread" type="2d" file="no.png" builtin="flat"
          width="4" height="4"/>
        <texture name="cube" type="cube" fileright="1.png" fileleft="2.png" fileup="3.png" filedown="4.png"
          filefront="5.png" fileback="6.png"/></asset>
      <worldbody><attach model="arm" body="upper" prefix="l_"/><attach model="arm" body="upper" prefix="r_"/>
      </worldbody></mujoco>""",
    "parts/outer.xml": '<mujocoinclude><include file="inner.xml"/></mujocoinclude>',
    "parts/inner.xml": """<mujocoinclude><asset><mesh name="n" file="../n.stl"/></asset><deformable>
      <skin name="s" file="s.skn"/></deformable></mujocoinclude>""",
    "arm/arm.xml": """<mujoco><asset><mesh name="bone" file="bone.stl"/></asset><worldbody><body name="upper">
      <geom type="mesh" mesh="bone"/></body></worldbody></mujoco>""",
    "arm/bone.stl": stl(CORNERS, FACES),
    "assets/meshes/m.stl": stl(CORNERS, FACES),
    "assets/meshes/h.png": png(picture(4, 4)),
    "assets/meshes/s.skn": skn(["world"]),
    "assets/n.stl": stl(2 * CORNERS, FACES),
    **{f"assets/{name}.png": png(picture(4, 4)) for name in ("t", *"123456")},
}
# in the order of reading: XML, then meshes, height fields, skins and textures
READ = [
    "main.xml", "parts/outer.xml", "parts/inner.xml", "arm/arm.xml", "assets/n.stl", "assets/meshes/m.stl",
    "arm/bone.stl", "assets/meshes/h.png", "assets/meshes/s.skn", "assets/t.png", "assets/1.png", "assets/2.png",
    "assets/3.png", "assets/4.png", "assets/5.png", "assets/6.png",
]  # fmt: skip


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder / "main.xml"


def names(folder: Path, found: sim.Model | sim.MjcfError, read: bool) -> list[str]:
    """Files that were read, or those that were not there."""
    return [str(path.relative_to(folder)) for path, seen in found.files.items() if (seen is not None) == read]


def failed(path: Path) -> sim.MjcfError:
    with pytest.raises(sim.MjcfError) as error:
        sim.load(path)
    return error.value


def test_every_file_that_is_read(tmp_path: Path) -> None:
    m = sim.load(write(tmp_path, FILES))
    assert names(tmp_path, m, read=True) == READ
    # an included file is looked for beside the main one first, what it names likewise
    assert names(tmp_path, m, read=False) == ["inner.xml"]
    assert m.files == {path: stamp(path) for path in m.files}


def test_a_cached_mesh_is_a_file_of_every_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main = write(tmp_path, FILES)
    first = sim.load(main)

    def compiled_again(*_: Any) -> None:
        raise AssertionError("the mesh was not in the cache")

    monkeypatch.setattr(mesh, "_processed", compiled_again)
    assert list(sim.load(main).files) == list(first.files)


def test_relative_paths_become_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, FILES)
    monkeypatch.chdir(tmp_path / "arm")
    assert names(tmp_path, sim.load("../main.xml"), read=True) == READ


def test_copies_keep_the_files(tmp_path: Path) -> None:
    m = sim.load(write(tmp_path, FILES))
    m.save_xml(tmp_path / "saved.xml")
    for other in (m.copy(), copy.copy(m), copy.deepcopy(m), pickle.loads(pickle.dumps(m)), m.with_own(())):
        assert list(other.files.items()) == list(m.files.items())
    assert names(tmp_path, m, read=True) == READ


def test_of_text_only_real_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    text = """<mujoco><asset><mesh file="given.stl"/><mesh file="arm/bone.stl"/></asset><include file="g.xml"/>
    </mujoco>"""
    given = {"given.stl": stl(CORNERS, FACES), "g.xml": "<mujocoinclude><worldbody/></mujocoinclude>"}
    assert names(tmp_path, sim.loads(text, given), read=True) == ["arm/bone.stl"]
    assert sim.loads("<mujoco/>").files == {}
    with pytest.raises(sim.MjcfError) as error:
        sim.loads(text.replace("bone", "none"), given)
    assert names(tmp_path, error.value, read=False) == ["arm/none.stl"]


def test_a_missing_mesh_is_looked_for_everywhere(tmp_path: Path) -> None:
    main = write(tmp_path, FILES)
    (tmp_path / "assets/n.stl").unlink()
    error = failed(main)
    missed = ["inner.xml", "assets/n.stl", "assets/meshes/n.stl", "n.stl"]
    assert names(tmp_path, error, read=False) == missed
    assert names(tmp_path, error, read=True) == READ[: READ.index("assets/n.stl")]


@pytest.mark.parametrize("file", ["parts/outer.xml", "parts/inner.xml", "arm/arm.xml"])
@pytest.mark.parametrize("text", ["<mujoco", "<mujoco><nonsense/></mujoco>", "\0", "<!ENTITY"])
def test_an_error_in_another_file(file: str, text: str, tmp_path: Path) -> None:
    error = failed(write(tmp_path, {**FILES, file: text}))
    read = names(tmp_path, error, read=True)
    assert read == [name for name in READ if name in read]
    assert {"main.xml", file} <= {*read}


@pytest.mark.parametrize("content", [None, "", "<mujoco>", b"\xff\xfe\0"])
def test_a_main_file_that_is_no_model(content: str | bytes | None, tmp_path: Path) -> None:
    main = tmp_path / "main.xml"
    if content is not None:
        write(tmp_path, {"main.xml": content})
    assert failed(main).files == {main: stamp(main)}


def test_a_folder_for_a_file(tmp_path: Path) -> None:
    main = write(tmp_path, {"main.xml": '<mujoco><asset><mesh file="m.stl"/></asset></mujoco>'})
    (tmp_path / "m.stl").mkdir()
    assert failed(tmp_path).files == {tmp_path: stamp(tmp_path)}
    assert failed(main).files == {path: stamp(path) for path in (main, tmp_path / "m.stl")}


AFTERWARDS = """<worldbody><body><joint name="j" type="slide"/><geom size="1"/></body></worldbody>
    <actuator><muscle joint="j"/></actuator>"""


def test_an_error_after_all_files_were_read(tmp_path: Path) -> None:
    """The length range of the muscle does not converge."""
    text = f'<mujoco><asset><mesh file="m.stl"/></asset>{AFTERWARDS}</mujoco>'
    error = failed(write(tmp_path, {"main.xml": text, "m.stl": stl(CORNERS, FACES)}))
    assert names(tmp_path, error, read=True) == ["main.xml", "m.stl"]
    assert list(pickle.loads(pickle.dumps(error)).files) == list(error.files)


def test_a_file_read_twice_has_its_first_stamp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is saved between the two has changed since."""
    main, file = write(tmp_path, FILES), tmp_path / "assets/meshes/m.stl"
    first, read = stamp(file), mesh.read_asset

    def saved_afterwards(*given: Any) -> bytes:
        data = read(*given)
        if given[1] == "m.stl":
            os.utime(file, ns=(0, 0))
        return data

    monkeypatch.setattr(mesh, "read_asset", saved_afterwards)
    assert sim.load(main).files[file] == first != stamp(file)
