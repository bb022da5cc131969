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
    assert capsys.readouterr().out == f"{out}: 1 body, 1 joint, 1 geom, 1 actuator\n"
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
