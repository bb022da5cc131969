"""What wrappers such as dm_control's ask of the module: fields by `dir`, bytes for texts, classes made from its own."""

from __future__ import annotations

import copy
import pickle
from importlib import import_module
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from app.run.engine.installed import structs_for
from sim.mujoco.pictures import MjvOption
from sim.mujoco.scene import MjvScene
from sim.mujoco.structs import absent
from tests.sim.mujoco.scenes import Pair, moved

ours: Any = import_module("sim.mujoco")


@pytest.fixture(scope="module")
def both() -> Pair:
    return moved()


def test_figure() -> None:
    """A figure is as MuJoCo's at first, and its texts have the same limits."""
    mine, theirs = ours.MjvFigure(), mujoco.MjvFigure()
    for name in [n for n in dir(theirs) if not n.startswith("_")]:
        wanted, found = getattr(theirs, name), getattr(mine, name)
        assert type(found) is type(wanted), name
        if isinstance(wanted, np.ndarray):
            assert found.dtype == wanted.dtype, name
            if wanted.dtype.kind == "f":
                np.testing.assert_allclose(found, wanted, atol=1e-7, err_msg=name)
                continue
        np.testing.assert_array_equal(found, wanted, err_msg=name)
    for name in ("title", "xlabel", "xformat", "yformat", "minwidth"):
        for figure in (mine, theirs):
            with pytest.raises(ValueError, match=f"len.{name}. cannot exceed"):
                setattr(figure, name, "x" * 1000)
            with pytest.raises(TypeError):
                setattr(figure, name, 3)
            setattr(figure, name, "x" * 19)
    assert copy.copy(mine).title == pickle.loads(pickle.dumps(mine)).title == "x" * 19


def test_classes_name_their_fields() -> None:
    """`dir` of the classes has the fields, from which wrappers such as dm_control's make their own."""
    for mine, theirs, missing in (
        (ours.MjModel, mujoco.MjModel, absent.MISSING_MODEL),
        (ours.MjData, mujoco.MjData, absent.MISSING_DATA),
    ):
        assert {n for n in dir(theirs) if not n.startswith("_")} <= {*dir(mine), *missing}


def test_map_of_names_and_paths(both: Pair, tmp_path: Path) -> None:
    """The hash tables of names are MuJoCo's; paths are those of the files of assets."""
    np.testing.assert_array_equal(both.m.names_map, both.their_m.names_map)
    assert both.m.nnames_map == both.their_m.nnames_map
    assert (both.m.paths, both.m.npaths) == (both.their_m.paths, both.their_m.npaths)
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    (tmp_path / "b.obj").write_text((tmp_path / "a.obj").read_text())
    names = "".join(f"<body name='b{i}'><geom name='g{i}' type='mesh' mesh='a'/></body>" for i in range(40))
    (tmp_path / "m.xml").write_text(
        "<mujoco><asset><mesh name='a' file='a.obj'/><texture name='t' builtin='flat' type='2d' width='1' height='1'/>"
        f"<mesh file='b.obj'/></asset><worldbody>{names}<geom size='1'/></worldbody></mujoco>"
    )
    mine, theirs = (module.MjModel.from_xml_path(str(tmp_path / "m.xml")) for module in (ours, mujoco))
    np.testing.assert_array_equal(mine.names_map, theirs.names_map)
    assert mine.paths == theirs.paths
    assert mine.paths[mine.mesh_pathadr[1] :].split(b"\0")[0].endswith(b"b.obj")
    with pytest.raises(AttributeError, match=r"m\.files"):
        _ = pickle.loads(pickle.dumps(mine)).paths


def test_classes_made_from_theirs(both: Pair) -> None:
    """A script may make a scene and options of its own, with `geoms` that hide the scene's, and draw with them."""

    class Scene(MjvScene):
        @property
        def geoms(self) -> Any:
            own: Any = self
            return super().geoms[: own.ngeom]

    class Option(MjvOption):
        pass

    scene: Any = Scene(both.m, 10)
    option = Option()
    assert scene.geoms == [] and scene.maxgeom == 10
    ours.mjv_updateScene(both.m, both.d, option, None, ours.MjvCamera(), 7, scene)
    assert isinstance(scene.shown.option, Option) and structs_for(scene.shown.option) is ours
    given: list[Any] = [both.m, both.d, option, None, ours.MjvCamera(), 7, scene]
    for place in (0, 1, 2, 4, 6):
        with pytest.raises(TypeError, match="mjv_updateScene"):
            ours.mjv_updateScene(*[None if k == place else value for k, value in enumerate(given)])


def test_names_as_bytes(both: Pair) -> None:
    """Texts may be bytes, as dm_control gives them."""
    for module, m in ((ours, both.m), (mujoco, both.their_m)):
        assert module.mj_name2id(m, 1, b"box") == module.mj_name2id(m, 1, "box") == 1
        assert module.mj_name2id(m, 1, b"none") == -1
        assert module.mju_str2Type(b"joint") == module.mju_str2Type("joint") == 3
