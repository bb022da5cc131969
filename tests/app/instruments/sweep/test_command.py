"""The command `sweep`: a table of values and quantities, as text or CSV, and what is wrong with the arguments."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from app.__main__ import main
from app.instruments.sweep.command import quantity_of
from app.instruments.sweep.quantities import END, MAX, Quantity

BALL = """<mujoco><worldbody><body name='ball' pos='0 0 9'><freejoint/><geom size='.1'/></body></worldbody>
<keyframe><key name='high' qpos='0 0 20 1 0 0 0'/></keyframe></mujoco>"""
ARM = """<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='hinge' axis='0 1 0' stiffness='40' ref='0'/>
  <geom type='capsule' fromto='0 0 0 .5 0 0' size='.04'/></body></worldbody>
  <keyframe><key qpos='1'/></keyframe></mujoco>"""


@pytest.fixture
def ball(tmp_path: Path) -> str:
    path = tmp_path / "ball.xml"
    path.write_text(BALL)
    return str(path)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def test_csv_has_all_digits(ball: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--field", "gravity.z", "--values=-4:-2:3", "--seconds", "0.5", "--measure", "d.qpos[2]", "--csv"]
    assert main(["sweep", ball, *arguments]) == 0
    found = rows(capsys.readouterr().out)
    # the value in the file is one of them
    assert [float(row["gravity z"]) for row in found] == [-9.81, -4.0, -3.0, -2.0]
    for row in found:
        fallen = float(row["gravity z"]) * 0.002**2 * 250 * 251 / 2
        assert float(row["d.qpos[2] (m)"]) == pytest.approx(9 + fallen, abs=1e-12)
        assert float(row["x real time"]) > 0 and row["note"] == ""


def test_keyframe_and_default_values(ball: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--field", "timestep", "--seconds", "0.01", "--measure", "max:d.qpos[2]", "--key", "high", "--csv"]
    assert main(["sweep", ball, *arguments]) == 0
    found = rows(capsys.readouterr().out)
    assert [float(row["timestep"]) for row in found] == [0.0005, 0.001, 0.002, 0.004, 0.008]
    assert {float(row["max d.qpos[2] (m)"]) for row in found} == {20.0}


def test_table_marks_the_present_value_and_what_diverged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "arm.xml"
    path.write_text(ARM)
    arguments = ["--field", "timestep", "--values", "0.5", "--seconds", "20", "--key", "0", "--measure", "d.nothing"]
    assert main(["sweep", str(path), *arguments]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "0.002 s *" in out and "the value in the file; 20 s each" in out
    assert "diverged" in out and "not a field" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--field", "gravity"], "specify one of gravity x"),
        (["--field", "geom:foot.friction"], "foot"),
        (["--field", "timestep", "--values", "a"], "'a' is not a number"),
        (["--field", "timestep", "--key", "low"], "keyframe"),
        (["--field", "gravityy.z"], "did you mean 'gravity.z'"),
    ],
)
def test_mistakes_are_told(ball: str, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", ball, *arguments]) == 1
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("measure", ["maxx:normal_force()", "max:1 +", "3 4"])
def test_a_measure_that_is_none_is_refused_before_anything_runs(
    ball: str, measure: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["sweep", ball, "--field", "timestep", "--measure", measure])
    assert ended.value.code == 2
    assert "is not one of end, min" in (said := capsys.readouterr().err) or "this is not an expression" in said


def test_a_table_in_a_pipe_is_whole(ball: str, capsys: pytest.CaptureFixture[str]) -> None:
    columns = [f"--measure=d.qpos[{k % 3}] * 1.{k} + 1" for k in range(12)]
    assert main(["sweep", ball, "--field", "timestep", "--values", "0.01", "--seconds", "0.02", *columns]) == 0
    said = capsys.readouterr().out
    assert "d.qpos[2] * 1.11 + 1" in said
    assert "…" not in said


def test_reductions() -> None:
    assert quantity_of("max: depth()") == Quantity("depth()", MAX)
    assert quantity_of("d.qpos[0:2][1]") == Quantity("d.qpos[0:2][1]", END)
