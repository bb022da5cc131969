"""Attached models in other formats: URDF as in MuJoCo, field by field, and archives."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
import pytest

import sim
from sim.mjcf import MjcfError, compile_text
from sim.mjcf.format import archive as archives
from tests.sim.mjcf.compare import differences
from tests.sim.mjcf.format.test_archive import CUBE, MESH, SPHERE, packed, same
from tests.sim.mjcf.format.urdf_models import FILES, MODELS

PARENT = """<mujoco><asset><model name="m" file="{}"/></asset><worldbody><geom name="floor" type="plane" size="1 1 1"/>
  <frame pos="1 2 3" euler="10 20 30">{}</frame></worldbody></mujoco>"""
# its fixed joint is above a free one
UNFUSED = "floating from a fused link"
ATTACH = '<attach model="m" prefix="x_"/>'


@pytest.fixture(autouse=True)
def quiet() -> None:
    warnings.simplefilter("ignore")


def both(name: str) -> list[Callable[[], Any]]:
    """Our reading of a model with an attached URDF, and MuJoCo's."""
    assets = {"m.urdf": MODELS[name].encode()} | {file: text.encode() for file, text in FILES.items()}
    text = PARENT.format("m.urdf", ATTACH)
    return [lambda: compile_text(text, assets), lambda: mujoco.MjModel.from_xml_string(text, assets)]


@pytest.mark.parametrize("name", [name for name in MODELS if name != UNFUSED])
def test_attached_urdf_is_as_in_mujoco(name: str) -> None:
    ours, theirs = both(name)
    assert differences(ours(), theirs()) == []


def test_fusestatic_is_that_of_the_parent() -> None:
    for compiled in both(UNFUSED):
        with pytest.raises(ValueError, match="free joint"):
            compiled()


def test_saved_with_an_attached_urdf(tmp_path: Path) -> None:
    (tmp_path / "m.urdf").write_text(MODELS["tree"])
    (tmp_path / "main.xml").write_text(PARENT.format("m.urdf", ATTACH))
    m = sim.load(tmp_path / "main.xml")
    assert tmp_path / "m.urdf" in m.files
    m.save_xml(tmp_path / "saved.xml")
    assert same(sim.load(tmp_path / "saved.xml"), m)
    m.pack(tmp_path / "packed.mjz")
    assert same(sim.load(tmp_path / "packed.mjz"), m)


def test_an_error_names_the_element_of_the_urdf() -> None:
    bad = '<robot>\n<link name="a">\n<collision><geometry><sphere radius="-1"/></geometry></collision></link></robot>'
    with pytest.raises(MjcfError, match=r"m\.urdf:3: <collision>: "):
        compile_text(PARENT.format("m.urdf", ATTACH), {"m.urdf": bad})


def test_attached_archive(tmp_path: Path) -> None:
    (tmp_path / "part.mjz").write_bytes(packed({"model.xml": MESH.format("c.obj"), "c.obj": CUBE}))
    (tmp_path / "main.xml").write_text(PARENT.format("part.mjz", ATTACH + ATTACH.replace("x_", "y_")))
    m = sim.load(tmp_path / "main.xml")
    assert m.nmesh == 2 and m.ngeom == 3
    assert {*m.files} == {tmp_path / "main.xml", tmp_path / "part.mjz"}
    m.save_xml(tmp_path / "saved.xml")
    assert same(sim.load(tmp_path / "saved.xml"), m)


def test_content_of_an_attached_model_decides() -> None:
    assets = {"m.xml": packed({"robot.urdf": MODELS["shapes"]})}
    assert compile_text(PARENT.format("m.xml", ATTACH), assets).values["ngeom"] == 5


def test_refused_format_of_an_attached_model() -> None:
    with pytest.raises(MjcfError, match=r"m\.xml:1: <sdf>: this is SDF"):
        compile_text(PARENT.format("m.xml", ATTACH), {"m.xml": "<sdf/>"})


# ---- hostile archives


def test_an_archive_cannot_attach_itself(tmp_path: Path) -> None:
    (tmp_path / "a.mjz").write_bytes(packed({"model.xml": PARENT.format("./model.xml", "")}))
    with pytest.raises(MjcfError, match="attaches itself"):
        sim.load(tmp_path / "a.mjz")


def test_no_archive_in_an_archive(tmp_path: Path) -> None:
    inner = packed({"model.xml": SPHERE.format(1)})
    (tmp_path / "a.mjz").write_bytes(packed({"model.xml": PARENT.format("b.mjz", ATTACH), "b.mjz": inner}))
    with pytest.raises(MjcfError, match=r"a\.mjz/b\.mjz: this is an archive inside an archive"):
        sim.load(tmp_path / "a.mjz")


def test_attached_archives_share_one_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_BYTES", 1 << 20)
    text = f"<!--{' ' * (1 << 19)}-->" + SPHERE.format(1)
    (tmp_path / "a.mjz").write_bytes(packed({"model.xml": text}))
    once, twice = '<model name="m" file="a.mjz"/>', '<model name="m" file="a.mjz"/><model name="n" file="a.mjz"/>'
    main = tmp_path / "main.xml"
    main.write_text(f"<mujoco><asset>{once}</asset></mujoco>")
    sim.load(main)
    main.write_text(f"<mujoco><asset>{twice}</asset></mujoco>")
    with pytest.raises(MjcfError, match="unpacks to more than 1 MB"):
        sim.load(main)
