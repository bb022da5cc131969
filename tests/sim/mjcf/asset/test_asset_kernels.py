"""The loops over assets that are kernels: the same numbers as by arrays, and nobody waits for them."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import sim
from sim.jit import interpreted
from sim.jit.kernel import Kernel
from sim.jit.loader import loader
from sim.mjcf.asset import asset_kernels, texture
from sim.mjcf.asset.asset_kernels import MANY_TRIANGLES, MANY_WORDS, grow, twist
from sim.mjcf.asset.mesh_bvh import MeshBvh

ROOT = Path(__file__).parents[4]
NODES = ("boxes", "children", "faces", "depths")


def missed(*_: object) -> None:
    raise AssertionError("this should not have been called")


@pytest.fixture(autouse=True)
def compiled() -> None:
    loader.load([grow, twist])


@pytest.mark.parametrize("kind", ["cloud", "grid", "flat", "degenerate"])
def test_a_tree_is_the_same_by_arrays_and_by_the_kernel(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where many centres agree, where boxes are flat, and where triangles have no centre."""
    rng = np.random.default_rng(3)
    vertex = rng.normal(size=(500, 3))
    if kind == "grid":
        vertex = np.round(vertex)
    if kind == "flat":
        vertex[:, 1] = 0.25
    face = rng.integers(0, 500, (MANY_TRIANGLES + 1, 3)).astype(np.int32)
    if kind == "degenerate":
        face[::3, 1] = face[::3, 0]
    with interpreted():
        by_arrays = MeshBvh(vertex, face)
    monkeypatch.setattr(MeshBvh, "_build", missed)
    by_kernel = MeshBvh(vertex, face)
    for name in NODES:
        assert np.array_equal(getattr(by_arrays, name), getattr(by_kernel, name)), name


def test_random_words_are_the_same_by_arrays_and_by_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    with interpreted():
        by_arrays = texture._twister(MANY_WORDS)
    monkeypatch.setattr(texture, "_twist", missed)
    assert np.array_equal(by_arrays, texture._twister(MANY_WORDS))


def test_small_assets_fetch_no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    for unit in (grow, twist):
        monkeypatch.setattr(unit, "entry", None)
    monkeypatch.setattr(loader, "fetch", missed)
    triangles = np.random.default_rng(4).integers(0, 9, (MANY_TRIANGLES - 1, 3)).astype(np.int32)
    MeshBvh(np.random.default_rng(5).normal(size=(9, 3)), triangles)
    texture._twister(MANY_WORDS - 1)


SKY = '<mujoco><asset><texture type="skybox" builtin="flat" {} width="512" height="512"/></asset></mujoco>'


def test_what_assets_had_to_do_without_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    noted: set[Kernel] = set()
    for unit in (grow, twist):
        monkeypatch.setattr(unit, "entry", None)
    monkeypatch.setattr(loader, "fetch", lambda _: False)
    monkeypatch.setattr(asset_kernels, "MISSED_KERNELS", noted)
    # a large texture without random marks, and a mesh that is just too small
    sim.loads(SKY.format(""))
    triangles = np.random.default_rng(4).integers(0, 9, (MANY_TRIANGLES, 3)).astype(np.int32)
    MeshBvh(np.random.default_rng(5).normal(size=(9, 3)), triangles[1:])
    assert noted == set()
    MeshBvh(np.random.default_rng(5).normal(size=(9, 3)), triangles)
    assert noted == {grow}
    m = sim.loads(SKY.format('mark="random" random=".1"'))
    assert noted == {grow, twist}
    asked: list[Kernel] = []
    monkeypatch.setattr("sim.script.prepare.MISSED_KERNELS", noted)
    monkeypatch.setattr(loader, "load", lambda units, *_: asked.extend(units))
    sim.prepare(m)
    assert set(asked) > noted


def test_a_kernel_that_is_not_on_disk_is_not_waited_for(tmp_path: Path) -> None:
    script = textwrap.dedent("""
        import numpy as np
        from sim.mjcf.asset.asset_kernels import MANY_TRIANGLES, grow
        from sim.jit import build
        from sim.mjcf.asset.mesh_bvh import MeshBvh
        build.compile_units = None
        face = np.random.default_rng(1).integers(0, 9, (MANY_TRIANGLES, 3)).astype(np.int32)
        MeshBvh(np.random.default_rng(2).normal(size=(9, 3)), face)
        assert not grow.is_available()
    """)
    environment = {**os.environ, "KINETOSCOPE_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", script], check=True, env=environment)
    assert list(tmp_path.iterdir()) == []
