"""`kinetoscope convert`: what it writes, what it says, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest

import sim
from app.__main__ import main
from app.cli.convert import ACTUATORS, mjcf_file
from app.files.resources import find_scene
from tests.sim.mjcf.format.urdf_models import MODELS


@pytest.fixture
def urdf(tmp_path: Path) -> Path:
    path = tmp_path / "robot.urdf"
    path.write_text(MODELS["limits"])
    return path


def test_urdf_to_mjcf(urdf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "robot.xml"
    assert main(["convert", str(urdf), "-o", str(out), "--floor", "--light", "--actuators", "position"]) == 0
    assert capsys.readouterr().out == f"{out}: 2 bodies, 1 joint, 1 geom, 1 actuator\n"
    reference = mujoco.MjModel.from_xml_path(str(out))
    assert (reference.nbody, reference.nu, reference.nlight, reference.ngeom) == (2, 1, 1, 1)
    assert urdf.read_text() == MODELS["limits"]


def test_mjcf_to_mjcf(tmp_path: Path) -> None:
    assert main(["convert", "double_pendulum", "-o", str(tmp_path / "out.mjcf")]) == 0
    assert sim.load(tmp_path / "out.mjcf").names == sim.load(find_scene("double_pendulum")).names


@pytest.mark.parametrize("kind", ACTUATORS)
def test_every_kind_of_actuator(kind: str, urdf: Path, tmp_path: Path) -> None:
    assert main(["convert", str(urdf), "-o", str(tmp_path / "o.xml"), "--actuators", kind]) == 0
    assert sim.load(tmp_path / "o.xml").nu == 1


def test_never_overwrites_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.xml"
    path.write_text("<mujoco/>")
    assert main(["convert", str(path), "-o", str(path)]) == 1
    assert "is the model itself" in capsys.readouterr().err
    assert path.read_text() == "<mujoco/>"


def test_only_mjcf_is_written(urdf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main(["convert", str(urdf), "-o", str(urdf)])
    assert done.value.code == 2
    assert "must end in .xml or .mjcf" in capsys.readouterr().err
    assert mjcf_file("a.XML") == Path("a.XML")


def test_bad_urdf_is_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.urdf").write_text("<robot>\n<link/></robot>")
    assert main(["convert", str(tmp_path / "bad.urdf"), "-o", str(tmp_path / "o.xml")]) == 1
    assert capsys.readouterr().err == f"kinetoscope: {tmp_path}/bad.urdf:2: <link>: missing attribute 'name'\n"
    assert not (tmp_path / "o.xml").exists()


STACK = """<robot><link name="a">{0}</link><link name="b">{0}</link><link name="c">{0}</link><link name="d">{0}</link>
  <joint name="ab" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="9"/></joint>
  <joint name="bc" type="prismatic"><parent link="b"/><child link="c"/><limit lower="0.3" upper="1" effort="9"/></joint>
  <joint name="cd" type="prismatic"><parent link="c"/><child link="d"/><origin xyz="0.3 0 0"/>
    <limit lower="-1" upper="-0.6" effort="9"/></joint></robot>"""

OVERLAPPING = {("a", "b"), ("a", "c"), ("a", "d"), ("b", "d")}


def touching(m: sim.Model) -> int:
    """The number of contacts in the initial pose."""
    data = sim.Data(m)
    sim.forward(m, data)
    return int(data.ncon)


def test_bodies_that_overlap_are_excluded(tmp_path: Path) -> None:
    """In the initial pose, and d where its limits put it; c and d are parent and child, which never collide."""
    (tmp_path / "r.urdf").write_text(STACK.format('<collision><geometry><sphere radius="0.1"/></geometry></collision>'))
    for option, pairs in ((), set()), (("--exclude",), OVERLAPPING):
        assert main(["convert", str(tmp_path / "r.urdf"), "-o", str(tmp_path / "o.xml"), *option]) == 0
        m = sim.load(tmp_path / "o.xml")
        names = m.names["body"]
        signatures = [divmod(int(signature), 1 << 16) for signature in m.exclude_signature]
        assert {(names[first], names[second]) for first, second in signatures} == pairs
    assert touching(m) == 0


def test_what_overlaps_the_base_can_touch_the_new_floor(tmp_path: Path) -> None:
    """An <exclude> of the world, which the base is fused with, would be one of the floor too."""
    (tmp_path / "r.urdf").write_text(STACK.format('<collision><geometry><sphere radius="0.1"/></geometry></collision>'))
    out = tmp_path / "o.xml"
    assert main(["convert", str(tmp_path / "r.urdf"), "-o", str(out), "--floor", "--exclude"]) == 0
    m = sim.load(out)
    m.geom("floor").pos[2] = 0.0
    data = sim.Data(m)
    sim.forward(m, data)
    bodies = m.geom_bodyid[data.contact.geom[: data.ncon]].tolist()
    assert sorted(m.names["body"][body] for pair in bodies if 0 in pair for body in pair if body) == ["b", "c", "d"]


def test_bodies_stay_fused_beside_those_that_are_excluded(tmp_path: Path) -> None:
    """Names in an <exclude> leave no other body unfused, whose geoms would touch again; as in MuJoCo."""
    tool = '<joint name="be" type="fixed"><parent link="b"/><child link="e"/></joint>'
    shape = '<collision><geometry><sphere radius="0.1"/></geometry></collision>'
    text = STACK.format(shape).replace('<joint name="bc"', f'<link name="e">{shape}</link>{tool}<joint name="bc"')
    (tmp_path / "r.urdf").write_text(text)
    assert touching(sim.load(tmp_path / "r.urdf")) > 0
    assert main(["convert", str(tmp_path / "r.urdf"), "-o", str(tmp_path / "o.xml"), "--exclude"]) == 0
    m = sim.load(tmp_path / "o.xml")
    assert m.names["body"] == ["world", "a", "b", "c", "d"] and touching(m) == 0
    theirs = mujoco.MjModel.from_xml_path(str(tmp_path / "o.xml"))
    assert [theirs.body(i).name for i in range(theirs.nbody)] == m.names["body"]
