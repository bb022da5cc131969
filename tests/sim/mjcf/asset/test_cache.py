"""What is remembered of assets: found again when everything agrees, made anew when anything differs, and bounded."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import numpy as np
import pytest

from sim.mjcf import MjcfError, compile_file, compile_text
from sim.mjcf.asset import asset_file, mesh, mesh_file, texture
from sim.mjcf.asset.cache import AssetCache
from tests.sim.mjcf.asset_files import CORNERS, FACES, INLINE, numbers, obj, picture, png, stl, with_asset, with_mesh


@pytest.fixture(autouse=True)
def memory(monkeypatch: pytest.MonkeyPatch) -> AssetCache:
    """A memory of the test's own, empty at first."""
    fresh = AssetCache(1 << 20)
    for module in (mesh, texture, asset_file):
        monkeypatch.setattr(module, "asset_cache", fresh)
    return fresh


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which pieces of work have been done."""
    done: list[str] = []

    def counted(name: str, original: Any) -> Any:
        def counting(*given: Any) -> Any:
            done.append(name)
            return original(*given)

        return counting

    for module, name in ((mesh, "_processed"), (texture, "_draw"), (asset_file, "_decoded")):
        monkeypatch.setattr(module, name, counted(name, getattr(module, name)))
    return done


SCENE = """<mujoco><option timestep="%s"/><asset><mesh file="m.stl" scale="%s"/>
<texture file="t.png" type="2d" name="t"/><texture name="sky"
type="skybox" builtin="gradient" mark="random" width="8" height="8" rgb1="%s"/></asset>
<worldbody><body><freejoint/><geom type="mesh" mesh="m" %s/></body></worldbody></mujoco>"""


def scene(folder: Path, timestep: str = ".002", scale: str = "1 1 1", colour: str = "1 0 0", geom: str = "") -> Path:
    (folder / "m.stl").write_bytes(stl(CORNERS, FACES))
    (folder / "t.png").write_bytes(png(picture(4, 6)))
    (folder / "scene.xml").write_text(SCENE % (timestep, scale, colour, geom))
    return folder / "scene.xml"


def test_a_reload_works_only_on_what_has_changed(tmp_path: Path, work: list[str]) -> None:
    first = compile_file(scene(tmp_path)).values
    assert sorted(work) == ["_decoded", "_draw", "_processed"]
    work.clear()
    again = compile_file(scene(tmp_path, timestep=".005")).values
    assert work == []
    for name in ("mesh_vert", "mesh_graph", "mesh_polyvert", "bvh_aabb", "tex_data", "tex_height"):
        np.testing.assert_array_equal(again[name], first[name], err_msg=name)
    compile_file(scene(tmp_path, scale="1 1 -1"))
    compile_file(scene(tmp_path, colour="0 1 0"))
    compile_file(scene(tmp_path, geom='contype="0" conaffinity="0"'))
    assert work == ["_processed", "_draw", "_processed"]


def test_a_file_of_the_same_name_and_size_is_read_again(tmp_path: Path) -> None:
    path = scene(tmp_path)
    compile_file(path)
    (tmp_path / "m.stl").write_bytes(stl(2 * CORNERS, FACES))
    m = compile_file(path).values
    assert m["geom_rbound"][0] == pytest.approx(2 * compile_file(scene(tmp_path)).values["geom_rbound"][0])


FILE = 'file="m.obj"'
SPHERE = 'builtin="sphere" params="1"'
# attribute -> a mesh without it or with another one, and what to replace by what
CHANGES = {
    "vertex": (INLINE, f'vertex="{numbers(CORNERS)}"', f'vertex="{numbers(2 * CORNERS)}"'),
    "face": (INLINE, f'face="{numbers(FACES)}"', ""),
    "normal": (INLINE, "", f' normal="{numbers(CORNERS)}"'),
    "texcoord": (INLINE, "", f' texcoord="{numbers(CORNERS[:, :2])}"'),
    "builtin": (SPHERE, "sphere", "hemisphere"),
    "params": (SPHERE, "1", "2"),
    "refpos": (FILE, "", ' refpos="1 2 3"'),
    "refquat": (FILE, "", ' refquat="1 2 3 4"'),
    "scale": (FILE, "", ' scale="1 2 -3"'),
    "smoothnormal": (FILE, "", ' smoothnormal="true"'),
    "maxhullvert": (FILE, "", ' maxhullvert="5"'),
    "inertia": (FILE, "", ' inertia="shell"'),
}


def same(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return all(np.array_equal(a[name], b[name]) for name in a if name.startswith(("mesh_", "bvh_", "body_", "geom_")))


@pytest.mark.parametrize("attribute", mesh.INPUTS)
def test_every_attribute_of_a_mesh_counts(attribute: str, memory: AssetCache) -> None:
    """A mesh that differs from one before in one attribute comes out as if there had been none before."""
    given, old, new = CHANGES[attribute]
    changed = given.replace(old, new) if old else given + new
    data = {"m.obj": obj(CORNERS, FACES)}
    before = compile_text(with_mesh(given), data).values
    after = compile_text(with_mesh(changed), data).values
    memory.clear()
    alone = compile_text(with_mesh(changed), data).values
    assert same(after, alone)
    assert not same(before, after)


def test_a_kind_of_file_counts() -> None:
    """The same bytes, declared to be something else."""
    data = {"m.stl": stl(CORNERS, FACES), "m.obj": stl(CORNERS, FACES)}
    compile_text(with_mesh('file="m.stl"'), data)
    with pytest.raises(MjcfError, match=r"m\.obj"):
        compile_text(with_mesh('file="m.obj"'), data)


def test_a_plate_is_a_shell_each_time() -> None:
    text = with_mesh('builtin="plate" params="3 3"', 'contype="0" conaffinity="0"')
    first, again = compile_text(text).values, compile_text(text).values
    np.testing.assert_array_equal(again["body_inertia"], first["body_inertia"])


def test_what_fails_is_not_remembered(memory: AssetCache) -> None:
    text = with_mesh('vertex="0 0 0 1 0 0 0 1 0 1 1 0"')
    for _ in range(2):
        with pytest.raises(MjcfError, match="plane"):
            compile_text(text)
    assert memory.size == 0


def test_nobody_writes_into_what_is_remembered(memory: AssetCache) -> None:
    kept = memory.get(("a",), lambda: (np.zeros(3), "text"))
    with pytest.raises(ValueError, match="read-only"):
        kept[0][0] = 1
    m = compile_text(with_asset('<texture name="t" builtin="flat" width="8" height="8"/>')).values
    m["tex_data"][0] = 1


def test_what_was_used_last_is_kept(memory: AssetCache) -> None:
    memory.limit = 2 * 800
    made: list[str] = []

    def ask(name: str, count: int = 100) -> None:
        def make() -> Any:
            made.append(name)
            return np.zeros(count)

        memory.get((name,), make)

    for name in "abaca":
        ask(name)
    assert made == ["a", "b", "c"]
    # what is too large is made, and nothing is forgotten for it
    ask("large", 1000)
    ask("a")
    assert made == ["a", "b", "c", "large"]
    assert memory.size == 2 * 800


def test_equal_parts_are_equal_inputs(memory: AssetCache) -> None:
    """Whether parts are one object or two does not matter; a sign of zero and a type do."""
    half, other = float("0.5"), float("0.25") + 0.25
    asked: list[tuple[Any, ...]] = [((half, half),), ((half, other),), ((0.0,),), ((-0.0,),), ((1,),), ((1.0,),)]
    assert len({id(memory.get(inputs, lambda: np.zeros(1))) for inputs in asked}) == 5


def test_threads_share_it(memory: AssetCache) -> None:
    memory.limit = 8 * 50
    start, wrong = Barrier(4), []

    def run() -> None:
        start.wait()
        for k in range(2000):
            if memory.get((k % 7,), partial(np.full, 8, k % 7))[0] != k % 7:
                wrong.append(k)

    threads = [Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert memory.size <= memory.limit


def test_rows_that_share_a_hash_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(0).integers(0, 3, (200, 3)).astype(np.float32)
    vertex, index = mesh_file.unique_rows(rows)
    monkeypatch.setattr(mesh_file, "MIX", np.zeros(3, np.uint64))
    again, same = mesh_file.unique_rows(rows)
    np.testing.assert_array_equal(vertex[index], rows)
    np.testing.assert_array_equal(again, vertex)
    np.testing.assert_array_equal(same, index)
    assert len(vertex) == len(np.unique(rows, axis=0))
