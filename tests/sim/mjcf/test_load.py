"""A model that is loaded again comes from disk, equal to the last bit; never if anything it depends on has changed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from sim.mjcf import disk
from sim.mjcf import load as load_module
from sim.mjcf.asset.cache import asset_cache
from sim.mjcf.origin import Origins
from sim.recording.model_files import listed_files
from tests.sim.mjcf.asset_files import CORNERS, FACES, picture, png, stl

ROOT = Path(__file__).parents[3]
# tendons, keyframes, plastic springs, a warning, attached files, meshes, textures
SCENES = ("humanoid", "bent_wire", "muscle_arm", "touch", "rovers", "gripper")
MAIN = """<mujoco model="main"><include file="part.xml"/>
<asset><mesh name="m" file="m.stl"/><texture name="t" type="2d" file="t.png"/><material name="t" texture="t"/></asset>
<worldbody><body name="b"><freejoint/><geom type="mesh" mesh="m" material="t"/></body></worldbody>
<keyframe><key name="up" qpos="0 0 1 1 0 0 0"/></keyframe></mujoco>"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the test's own."""
    here = tmp_path / "loaded"
    here.mkdir()
    monkeypatch.setattr(disk, "folder", lambda: here)
    monkeypatch.setattr(disk, "_code", lambda: b"this code")
    monkeypatch.setattr(disk, "_size", None)
    asset_cache.clear()
    yield here
    disk.flush()


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Files that have been compiled."""
    found: list[Path] = []
    original = load_module.compile_file

    def counting(path: Path, *rest: Any) -> Any:
        found.append(path)
        return original(path, *rest)

    monkeypatch.setattr(load_module, "compile_file", counting)
    return found


@pytest.fixture
def main(tmp_path: Path) -> Path:
    """A model of several files."""
    (tmp_path / "m.stl").write_bytes(stl(CORNERS, FACES))
    (tmp_path / "t.png").write_bytes(png(picture(4, 6)))
    (tmp_path / "part.xml").write_text('<mujoco><option gravity="0 0 -1"/></mujoco>')
    (tmp_path / "main.xml").write_text(MAIN)
    return tmp_path / "main.xml"


def load(path: Path) -> sim.Model:
    """Load, as in another process."""
    disk.flush()
    asset_cache.clear()
    return sim.load(path)


def assert_equal(a: sim.Model, b: sim.Model) -> None:
    for name in a.layout.places:
        ours, theirs = np.asarray(a.read(name)), np.asarray(b.read(name))
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape, name
        assert ours.tobytes() == theirs.tobytes(), name
    assert {name: np.asarray(value).tobytes() for name, value in a.file_values.items()} == {
        name: np.asarray(value).tobytes() for name, value in b.file_values.items()
    }
    assert (a.names, a.files, a.key_rows, a.new_key) == (b.names, b.files, b.key_rows, b.new_key)
    assert list(a.files) == list(b.files)


@pytest.mark.parametrize("scene", SCENES)
def test_equal_to_the_last_bit(scene: str, compiled: list[Path]) -> None:
    path = ROOT / "scenes" / f"{scene}.xml"
    fresh, again = load(path), load(path)
    assert compiled == [path]
    assert_equal(fresh, again)
    assert_equal(fresh.copy(), again.copy())
    for kind, names in fresh.names.items():
        lines = [[Origins(m).line(kind, k) for k in range(len(names))] for m in (fresh, again)]
        assert lines[0] == lines[1]
    assert listed_files(fresh) == listed_files(again)


def test_it_is_saved_as_it_was_read(main: Path, compiled: list[Path]) -> None:
    """The text that an edit is saved in is the one that was read, whatever is on disk later."""
    plans = []
    for _ in range(2):
        m = load(main)
        m.opt.timestep = 0.01
        m.geom_rgba[0] = 1, 0, 0, 1
        plans.append(m)
    (main.parent / "m.stl").unlink()
    (main.parent / "t.png").unlink()
    texts = [[(change.path, change.after) for change in m.plan_save().files] for m in plans]
    assert compiled == [main]
    assert texts[0] == texts[1] and texts[0]


CHANGES: dict[str, Any] = {
    "main.xml": lambda data: data.replace(b"qpos", b"qvel").replace(b"0 0 1 1 0 0 0", b"0 0 1 1 0 0"),
    "part.xml": lambda data: data.replace(b"-1", b"-2"),
    "m.stl": lambda data: stl(2 * CORNERS, FACES),
    "t.png": lambda data: png(picture(5, 6)),
}


@pytest.mark.parametrize("name", CHANGES)
def test_every_file_counts(name: str, main: Path, compiled: list[Path]) -> None:
    """The content does: neither dates nor anything else."""
    place = main.parent / name
    data, stamp = place.read_bytes(), place.stat()
    load(main)
    place.write_bytes(CHANGES[name](data))
    os.utime(place, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    changed = load(main)
    assert len(compiled) == 2
    place.write_bytes(data)
    assert not np.array_equal(changed._buffer, load(main)._buffer)


def test_a_file_that_appears_where_it_was_looked_for(tmp_path: Path, compiled: list[Path]) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "part.xml").write_text(
        '<mujoco><asset><mesh name="m" file="m.stl"/></asset>'
        '<worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
    )
    (tmp_path / "inner" / "m.stl").write_bytes(stl(CORNERS, FACES))
    (tmp_path / "main.xml").write_text('<mujoco><include file="inner/part.xml"/></mujoco>')
    first, _ = load(tmp_path / "main.xml"), load(tmp_path / "main.xml")
    assert len(compiled) == 1
    (tmp_path / "m.stl").write_bytes(stl(2 * CORNERS, FACES))
    assert load(tmp_path / "main.xml").geom_rbound[0] == pytest.approx(2 * first.geom_rbound[0])


def test_warnings_are_given_each_time(tmp_path: Path, compiled: list[Path]) -> None:
    path = tmp_path / "main.xml"
    path.write_text('<mujoco><compiler settotalmass="3"/><worldbody><geom size="1"/></worldbody></mujoco>')
    for _ in range(2):
        with pytest.warns(UserWarning, match="settotalmass"):
            load(path)
    assert compiled == [path]


def test_damaged_entries_are_made_again(main: Path, folder: Path, compiled: list[Path]) -> None:
    fresh = load(main)
    disk.flush()
    for damage in (
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: b"",
        lambda data: data[:40],
        lambda data: b"x" + data[1:],
    ):
        for path in folder.iterdir():
            path.write_bytes(damage(path.read_bytes()))
        assert_equal(load(main), fresh)
        assert_equal(load(main), fresh)
    assert len(compiled) == 6


def test_a_disk_that_is_full_or_read_only(
    main: Path, folder: Path, compiled: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "_room", lambda path: disk.FREE)
    fresh = load(main)
    assert_equal(load(main), fresh)
    monkeypatch.setattr(disk, "_room", lambda path: 2 * disk.FREE)

    def refuse(path: str, flags: int) -> int:
        raise OSError("Read-only file system")

    monkeypatch.setattr(disk, "_private", refuse)
    assert_equal(load(main), fresh)
    disk.flush()
    assert not list(folder.iterdir())


def test_what_was_used_last_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "LIMIT", 5000)
    for k in range(20):
        disk.write(f"{k}", [bytes(900)])
        disk.flush()
        # the first one is in use
        for path in folder.glob("*" + disk.SUFFIX):
            os.utime(path, (k, k if path.stem == f"{k}" or path.stem == "0" else path.stat().st_mtime))
    names = {name for name, _ in disk.entries()}
    assert sum(size for _, size in disk.entries()) <= 5000
    assert {f"0{disk.SUFFIX}", f"19{disk.SUFFIX}"} <= names
    disk.clear()
    assert disk.entries() == []


WRITER = """
import sys
from pathlib import Path
from sim.mjcf import disk
disk.folder = lambda: Path(sys.argv[1])
for k in range(20):
    disk.write("name", [bytes([int(sys.argv[2])]) * 5000, b"tail"])
    parts = disk.read("name")
    assert parts is None or (len(set(parts[0])) == 1 and bytes(parts[1]) == b"tail")
disk.flush()
"""


def test_processes_that_write_the_same(folder: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(folder)]
    runs = [subprocess.Popen([*command, str(k)], cwd=ROOT) for k in range(2)]
    assert [run.wait() for run in runs] == [0, 0]
    assert len(disk.entries()) == 1
    found = disk.read("name")
    assert found is not None and bytes(found[1]) == b"tail"


def test_what_is_not_kept(tmp_path: Path, main: Path, compiled: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Archives, files that the caller gives, and what is loaded while there is a callback."""
    archive = tmp_path / "main.mjz"
    sim.load(main).pack(archive)
    compiled.clear()
    for _ in range(2):
        load(archive)
        sim.load(main, {"m.stl": stl(CORNERS, FACES)})
    assert len(compiled) == 4
    monkeypatch.setattr(load_module, "LARGEST", 0)
    (tmp_path / "other.xml").write_text(MAIN.replace("main", "other"))
    assert not load_module.is_known(tmp_path / "other.xml")
    for _ in range(2):
        load(tmp_path / "other.xml")
    assert len(compiled) == 6
    disk.flush()
    assert load_module.is_known(tmp_path / "other.xml")
