"""Archives: packed models open to the same model, and hostile ones only raise MjcfError."""

from __future__ import annotations

import io
import stat
import struct
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import sim
from app.files.resources import bundled_scenes
from sim.mjcf.format import archive as archives
from tests.patience import finished

CUBE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
MESH = '<mujoco><asset><mesh name="c" file="{}"/></asset><worldbody><geom type="mesh" mesh="c"/></worldbody></mujoco>'
SPHERE = '<mujoco><worldbody><geom size="{}"/></worldbody></mujoco>'


def packed(files: dict[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """The bytes of an archive."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def opened(folder: Path, files: dict[str, str | bytes] | bytes, name: str = "robot.mjz") -> sim.Model:
    """The model in an archive."""
    path = folder / name
    path.write_bytes(files if isinstance(files, bytes) else packed(files))
    return sim.load(path)


def same(ours: sim.Model, theirs: sim.Model) -> bool:
    names = [name for name in ours.layout.places if not name.endswith("_pathadr")]
    return all(np.array_equal(ours.read(name), theirs.read(name)) for name in names)


@pytest.mark.parametrize("scene", [scene.path for scene in bundled_scenes()], ids=lambda path: path.stem)
def test_a_packed_scene_is_the_same_model(scene: Path, tmp_path: Path) -> None:
    m = sim.load(scene)
    m.pack(tmp_path / "a.mjz")
    again = sim.load(tmp_path / "a.mjz")
    assert same(m, again) and again.names == m.names
    assert list(again.files) == [tmp_path / "a.mjz"]
    m.pack(tmp_path / "b.mjz")
    assert (tmp_path / "a.mjz").read_bytes() == (tmp_path / "b.mjz").read_bytes()


@pytest.mark.parametrize(
    "names",
    [
        ("model.xml", "robot.xml"), ("robot.xml", "other.xml"), ("robot/robot.xml", "robot/model.xml"),
        ("robot/model.xml", "robot/more/x.xml"), ("thing.xml", "parts/x.xml"), ("a/b/thing.xml", "a/b/c/x.xml"),
    ],
)  # fmt: skip
def test_main_file(names: tuple[str, str], tmp_path: Path) -> None:
    """MuJoCo's order of names, then the only model at the top."""
    assert opened(tmp_path, {names[1]: SPHERE.format(2), names[0]: SPHERE.format(1)}).geom_size[0, 0] == 1


def test_files_are_found_inside(tmp_path: Path) -> None:
    m = opened(tmp_path, {
        "model.xml": '<mujoco><compiler meshdir="m"/><include file="in/more.xml"/><asset><mesh name="c" file="c.obj"/>'
                     '</asset></mujoco>',
        "in/more.xml": '<mujoco><worldbody><geom type="mesh" mesh="c"/></worldbody></mujoco>',
        "m/c.obj": CUBE, "c.obj": "wrong",
    })  # fmt: skip
    assert m.nmeshvert == 4
    m.save_xml(tmp_path / "saved.xml")
    assert (tmp_path / "saved_assets/m/c.obj").read_text() == CUBE
    assert same(sim.load(tmp_path / "saved.xml"), m)


def test_attached_model_in_an_archive(tmp_path: Path) -> None:
    m = opened(tmp_path, {
        "model.xml": '<mujoco><asset><model name="p" file="parts/p.xml"/></asset>'
                     '<worldbody><attach model="p" prefix="p_"/></worldbody></mujoco>',
        "parts/p.xml": MESH.format("c.obj"), "parts/c.obj": CUBE,
    })  # fmt: skip
    assert m.nmesh == 1 and m.ngeom == 1


def test_an_error_names_archive_member_and_line(tmp_path: Path) -> None:
    with pytest.raises(sim.MjcfError) as error:
        opened(tmp_path, {"model.xml": "<mujoco>\n<worldbody>\n<geom siz='1'/></worldbody></mujoco>"})
    assert str(error.value).startswith(f"{tmp_path}/robot.mjz/model.xml:3: <geom>: unknown attribute 'siz'")
    assert list(error.value.files) == [tmp_path / "robot.mjz"]


@pytest.mark.parametrize(
    "name", ["../out.obj", "../../../../etc/passwd", "/etc/passwd", "a/../../x", "C:/x", "..\\x", "\\\\host\\x"]
)
def test_member_that_leads_out(name: str, tmp_path: Path) -> None:
    with pytest.raises(sim.MjcfError, match="points outside it"):
        opened(tmp_path, {"model.xml": SPHERE.format(1), name: "x"})


@pytest.mark.parametrize("name", ["../c.obj", "/etc/passwd", "{folder}/c.obj", "m/../../c.obj"])
def test_a_model_in_an_archive_cannot_read_the_disk(name: str, tmp_path: Path) -> None:
    (tmp_path / "c.obj").write_text(CUBE)
    with pytest.raises(sim.MjcfError, match="not found"):
        opened(tmp_path, {"model.xml": MESH.format(name.format(folder=tmp_path))})
    with pytest.raises(sim.MjcfError, match="not found"):
        opened(tmp_path, {"model.xml": f'<mujoco><include file="{name.format(folder=tmp_path)}"/></mujoco>'})


def test_link(tmp_path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        link = zipfile.ZipInfo("c.obj")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("model.xml", MESH.format("c.obj"))
    with pytest.raises(sim.MjcfError, match="is a link"):
        opened(tmp_path, data.getvalue())


def test_bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bytes that come out are counted, not those that the header promises."""
    monkeypatch.setattr(archives, "MOST_BYTES", 1 << 20)
    bomb = packed({"model.xml": MESH.format("c.obj"), "c.obj": b"\0" * (64 << 20)})
    assert len(bomb) < 1 << 17
    with pytest.raises(sim.MjcfError, match="unpacks to more than 1 MB"):
        opened(tmp_path, bomb)
    # a header that says that the member is small
    place = bomb.index(b"PK\x01\x02", bomb.index(b"PK\x01\x02") + 4)
    lie = bomb[: place + 24] + struct.pack("<I", 10) + bomb[place + 28 :]
    with pytest.raises(sim.MjcfError):
        opened(tmp_path, lie)


def test_many_members(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_MEMBERS", 3)
    with pytest.raises(sim.MjcfError, match="has 4 files; the maximum is 3"):
        opened(tmp_path, {f"{k}.xml": "" for k in range(4)})


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "it has no model"),
        ({"a.txt": "x"}, "it has no model"),
        ({"a.xml": "", "b.xml": ""}, "it has a.xml, b.xml; name the main file model.xml"),
        ({"model.xml": packed({"model.xml": SPHERE.format(1)})}, "archive inside an archive"),
        ({"model.xml": ""}, "model.xml"),
        ({"a/../model.xml": SPHERE.format(1), "model.xml": SPHERE.format(2)}, "appears twice in the archive"),
    ],
)
def test_bad_archive(files: dict[str, str | bytes], message: str, tmp_path: Path) -> None:
    with pytest.raises(sim.MjcfError) as error:
        opened(tmp_path, files)
    assert message in str(error.value) and "robot.mjz" in str(error.value)


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_compressions(compression: int, tmp_path: Path) -> None:
    assert opened(tmp_path, packed({"model.xml": SPHERE.format(1)}, compression), "x.zip").ngeom == 1


def test_damaged_archives(tmp_path: Path) -> None:
    """Every byte of a small archive wrong, and every cut: an MjcfError, or the model."""
    whole = packed({"model.xml": MESH.format("c.obj"), "c.obj": CUBE})
    for place in range(len(whole)):
        for data in (whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :], whole[:place]):
            try:
                opened(tmp_path, data)
            except sim.MjcfError as error:
                assert "robot.mjz" in str(error)
    assert [path.name for path in tmp_path.iterdir()] == ["robot.mjz"]


def test_messages_about_an_archive(tmp_path: Path) -> None:
    """Short, and about no folder outside of it."""
    name = "x" * 300
    with pytest.raises(sim.MjcfError, match="the archive cannot be read: ") as caught:
        # the name in the header is another than in the directory
        opened(tmp_path, packed({f"{name}.xml": "<mujoco/>"}).replace(b"xxx", b"\xff\xfe\xfd", 100))
    assert len(caught.value.message) < 120
    text = '<mujoco><include file="../../../elsewhere/a.xml"/></mujoco>'
    with pytest.raises(sim.MjcfError) as caught:
        opened(tmp_path, {"model.xml": text})
    assert caught.value.cure == f"looked in {tmp_path / 'robot.mjz' / 'elsewhere'}"


def test_encrypted(tmp_path: Path) -> None:
    data = bytearray(packed({"model.xml": SPHERE.format(1)}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(sim.MjcfError, match="is encrypted; pack it again, without a password"):
        opened(tmp_path, bytes(data))


def test_hostile_archives() -> None:
    """A slice of the soak."""
    command = [sys.executable, "-m", "tests.soak.fuzz_archive", "--count", "300"]
    done = finished(command)
    assert done.returncode == 0, done.stdout + done.stderr


URDF = """<robot name="r"><link name="a"><collision><geometry><mesh filename="{}"/></geometry></collision>
  </link></robot>"""


def test_urdf_in_an_archive(tmp_path: Path) -> None:
    m = opened(tmp_path, {"bot/urdf/bot.urdf": URDF.format("package://bot/meshes/c.obj"), "bot/meshes/c.obj": CUBE})
    assert m.nmeshvert == 4
    m.pack(tmp_path / "again.mjz")
    assert same(sim.load(tmp_path / "again.mjz"), m)


@pytest.mark.parametrize("name", ["file://{}/c.obj", "package://{}/c.obj", "package://outside/c.obj"])
def test_urdf_in_an_archive_cannot_read_the_disk(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/c.obj").write_text(CUBE)
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path))
    with pytest.raises(sim.MjcfError, match="not found"):
        opened(tmp_path, {"bot.urdf": URDF.format(name.format(tmp_path / "outside"))})


def test_usdz(tmp_path: Path) -> None:
    with pytest.raises(sim.MjcfError, match="this is OpenUSD, which is not supported; convert it"):
        opened(tmp_path, {"a.usdc": "x"}, "a.zip")
