"""Geoms of an MjvScene as user geoms."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from app.scene.decor.user_geoms import UserGeom
from app.scene.mujoco_geoms import SceneGeoms

RED = np.array([1, 0, 0, 0.5], np.float32)


@pytest.fixture
def scene() -> mujoco.MjvScene:
    """An empty scene."""
    return mujoco.MjvScene(mujoco.MjModel.from_xml_string("<mujoco/>"), 100)


def add(scene: mujoco.MjvScene, kind: mujoco.mjtGeom, size: tuple[float, ...], pos: tuple[float, ...]) -> None:
    """As scripts do it."""
    mujoco.mjv_initGeom(
        scene.geoms[scene.ngeom], type=kind, size=np.array(size), pos=np.array(pos), mat=np.eye(3).ravel(), rgba=RED
    )
    scene.ngeom += 1


def test_sizes_are_those_of_mjcf(scene: mujoco.MjvScene) -> None:
    types = mujoco.mjtGeom
    sizes = {
        types.mjGEOM_SPHERE: (0.1, 0.0, 0.0), types.mjGEOM_CAPSULE: (0.1, 0.2, 0.0),
        types.mjGEOM_CYLINDER: (0.1, 0.3, 0.0), types.mjGEOM_BOX: (0.1, 0.2, 0.3),
        types.mjGEOM_ELLIPSOID: (0.1, 0.2, 0.3), types.mjGEOM_PLANE: (1.0, 2.0, 0.1),
        types.mjGEOM_ARROW: (0.1, 0.1, 0.5),
    }  # fmt: skip
    for place, (kind, size) in enumerate(sizes.items()):
        add(scene, kind, size, (place, 0, 1))
    geoms = SceneGeoms(scene, 0).read()
    for geom, (kind, size) in zip(geoms, sizes.items(), strict=True):
        used = 2 if kind in (types.mjGEOM_CAPSULE, types.mjGEOM_CYLINDER) else 1 if kind == types.mjGEOM_SPHERE else 3
        assert geom.type == int(kind)
        assert geom.size[:used] == pytest.approx(size[:used])
        assert (geom.pos[2], geom.rgba[3], geom.mat[8]) == (1, 0.5, 1)


@pytest.mark.parametrize("kind", ["CAPSULE", "CYLINDER", "ARROW", "ARROW1", "ARROW2", "LINE"])
def test_connectors_go_from_one_point_to_the_other(scene: mujoco.MjvScene, kind: str) -> None:
    start, end, kind_there = np.array([1.0, 2, 3]), np.array([2.0, 0, 4]), getattr(mujoco.mjtGeom, f"mjGEOM_{kind}")
    add(scene, kind_there, (0, 0, 0), (0, 0, 0))
    mujoco.mjv_connector(scene.geoms[0], kind_there, 0.05, start, end)
    (read,) = SceneGeoms(scene, 0).read()
    ours = UserGeom.between(int(kind_there), 0.05, start, end)
    used = 2 if kind in ("CAPSULE", "CYLINDER") else 3
    assert read.size[:used] == pytest.approx(ours.size[:used])
    assert read.pos == pytest.approx(ours.pos)
    # about its own axis it may be rotated
    assert read.mat[2::3] == pytest.approx(ours.mat[2::3], abs=1e-6)


def test_only_what_has_changed_is_made_again(scene: mujoco.MjvScene) -> None:
    for place in range(4):
        add(scene, mujoco.mjtGeom.mjGEOM_SPHERE, (0.1, 0, 0), (place, 0, 0))
    geoms = SceneGeoms(scene, 0)
    first = geoms.read()
    scene.geoms[1].pos[2], scene.geoms[2].label = 5, "here"
    scene.geoms[3].type = mujoco.mjtGeom.mjGEOM_BOX
    second = geoms.read()
    assert [a is b for a, b in zip(first, second, strict=True)] == [True, False, False, False]
    assert (second[1].pos[2], second[2].label, second[3].type) == (5, "here", 6)
    # what was made is not written any more
    assert first[1].pos[2] == 0
    scene.ngeom = 1
    assert geoms.read() == first[:1]
    scene.ngeom = 3
    assert [geom.pos[2] for geom in geoms.read()] == [0, 5, 0]


def test_what_cannot_be_drawn_is_left_out(scene: mujoco.MjvScene) -> None:
    for kind in (mujoco.mjtGeom.mjGEOM_NONE, mujoco.mjtGeom.mjGEOM_MESH, mujoco.mjtGeom.mjGEOM_LABEL):
        add(scene, kind, (0.1, 0, 0), (0, 0, 0))
    assert [geom.type for geom in SceneGeoms(scene, 0).read()] == [int(mujoco.mjtGeom.mjGEOM_LABEL)]
    scene.geoms[1].dataid = 3
    assert [geom.dataid for geom in SceneGeoms(scene, 2).read()] == [3, -1]
