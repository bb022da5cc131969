"""The table of formats: what a file is recognised by, and what is said of those that nobody reads."""

from __future__ import annotations

from pathlib import Path

import pytest

import sim
from app.files.browse import Browse
from sim.mjcf import MjcfError
from sim.mjcf.format.table import FORMATS, SUFFIXES, is_model, root_element
from tests.sim.mjcf.format.urdf_models import MODELS

MJCF = '<mujoco model="m"><worldbody><geom size="1"/></worldbody></mujoco>'


@pytest.mark.parametrize("suffix", [".xml", ".urdf", ".mjcf", ".sdf", ".txt", ""])
def test_content_decides(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"model{suffix}"
    file.write_text(MJCF)
    assert sim.load(file).ngeom == 1
    file.write_text(MODELS["shapes"])
    assert sim.load(file).ngeom == 4


REFUSED = {
    "a.mjb": (b"1\xd4\0\0\x08\0\0\0", "this is MJB", "mj_saveLastXML"),
    "b.usdc": (b"PXR-USDC\0\0", "this is OpenUSD", "to_xml"),
    "c.usda": (b'#usda 1.0\ndef Xform "x" {}', "this is OpenUSD", "to_xml"),
    "d.usdz": (b"PK\3\4", "this is OpenUSD", "to_xml"),
    "e.xml": (b'<?xml version="1.0"?>\n<!-- <robot> -->\n<sdf version="1.6"/>', "this is SDF", "sdf2mjcf"),
    "f.sdf": (b"not XML", "this is SDF", "sdf2mjcf"),
    "g.urdf.xacro": (b"", "this is xacro", "xacro robot.urdf.xacro > robot.urdf"),
    "h.urdf": (b'<robot><xacro:include filename="x"/></robot>', "this is xacro", "xacro robot.urdf.xacro > robot.urdf"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_a_cure(name: str, tmp_path: Path) -> None:
    data, what, cure = REFUSED[name]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(MjcfError, match=what) as caught:
        sim.load(tmp_path / name)
    assert cure in caught.value.cure
    assert tmp_path / name in caught.value.files


def test_refused_root_element_has_a_line(tmp_path: Path) -> None:
    (tmp_path / "e.xml").write_bytes(REFUSED["e.xml"][0])
    with pytest.raises(MjcfError) as caught:
        sim.load(tmp_path / "e.xml")
    assert (caught.value.line, caught.value.element) == (3, "sdf")


def test_unknown_root_element(tmp_path: Path) -> None:
    (tmp_path / "page.xml").write_text("<html/>")
    with pytest.raises(MjcfError, match="the root element is <html>; it must be <mujoco> or <robot>"):
        sim.load(tmp_path / "page.xml")


@pytest.mark.parametrize(
    "data, found",
    [
        ("<robot/>", ("robot", 1)),
        ('\n<!DOCTYPE x>\n<?a b?><!-- <c> \n --><robot name="r">', ("robot", 4)),
        (b"\xef\xbb\xbf<robot>", ("robot", 1)),
        ("<robot\n name=''/>".encode("utf-16"), ("robot", 1)),
        ("<!-- no end", ("", 0)),
        ("<", ("", 1)),
        (b"", ("", 0)),
    ],
)
def test_root_element(data: bytes | str, found: tuple[str, int]) -> None:
    assert root_element(data) == found


def test_dialog_shows_what_can_be_opened(tmp_path: Path) -> None:
    for suffix in (suffix for row in FORMATS for suffix in row.suffixes):
        (tmp_path / f"model{suffix}").touch()
    assert {path.suffix for path in Browse(tmp_path).found()} == {*SUFFIXES}
    assert is_model("ROBOT.URDF")
    assert not is_model("robot.sdf")
