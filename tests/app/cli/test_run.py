"""`kinetoscope run`: until something happens, or never; its line and its exit codes."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

import sim
from app.__main__ import main

DROP = """<mujoco><option timestep='0.001' gravity='0 0 -9.81'/><worldbody>
<geom name='floor' type='plane' size='1 1 1'/>
<body name='ball' pos='0 0 1.1'><freejoint/><geom size='.1' mass='1'/></body></worldbody>
<keyframe><key name='low' qpos='0 0 .3 1 0 0 0'/><key name='inside' qpos='0 0 .05 1 0 0 0'/></keyframe></mujoco>"""
UNSTABLE = """<mujoco><option timestep='0.01'/><worldbody><body><joint name='hinge' stiffness='1e7' axis='0 1 0'/>
<geom type='capsule' fromto='0 0 0 1 0 0' size='.02'/></body></worldbody></mujoco>"""
TOUCH = 'touching("ball", "floor")'


@pytest.fixture
def drop(tmp_path: Path) -> str:
    (tmp_path / "drop.xml").write_text(DROP)
    return str(tmp_path / "drop.xml")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str], str]:
    code = main(["run", *arguments])
    said = capsys.readouterr()
    return code, said.out.splitlines(), said.err


def test_a_ball_touches_the_floor(drop: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, (line,), _ = run(capsys, drop, "--until", TOUCH)
    found = re.fullmatch(r"(\S+) s, step (\d+): touching\(\"ball\", \"floor\"\) = 1 \[floor and ball\]", line)
    assert code == 0 and found is not None
    assert float(found[1]) == pytest.approx(math.sqrt(2 / 9.81), abs=0.002)
    assert int(found[2]) == round(float(found[1]) / 0.001)


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--until", TOUCH, "--time", "0.4"], 4, f"not in 0.4 s (400 steps): {TOUCH}"),
        (["--until", TOUCH, "--until", "d.time >= 0.1"], 0, "0.1 s, step 100: d.time >= 0.1 (d.time = 0.1)"),
        (["--never", "d.time >= 0.1"], 3, "0.1 s, step 100"),
            (["--never", "depth() > 1", "--time", "0.6"], 0, "0.6 s (600 steps), and nothing happened"),
        (["--until", TOUCH, "--never", "d.time >= 0.1"], 3, "0.1 s"), (["--time", "0.1"], 0, "0.1 s (100 steps)"),
        (["--until", TOUCH, "--key", "low"], 0, "0.2"), (["--until", TOUCH, "--key", "0"], 0, "0.2"),
        # true at the start
        (["--until", TOUCH, "--key", "inside"], 0, "0 s, step 0"),
        (["--never", TOUCH, "--key", "inside"], 3, "0 s, step 0"),
        # without a value until there is a contact
        (["--until", "d.contact.dist[0] < -0.001"], 0, "0.45"),
    ],
)  # fmt: skip
def test_exit_codes(drop: str, capsys: pytest.CaptureFixture[str], options: list[str], code: int, said: str) -> None:
    found, lines, _ = run(capsys, drop, *options)
    assert found == code
    assert lines[0].startswith(said)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--until", 'touching("bell")'], "did you mean 'ball'"), (["--never", "1 +"], "not an expression"),
        (["--until", "d.contact.dist[0] < 0", "--time", "0.1"], "d.contact.dist[0]"), (["--key", "high"], "high"),
        (["--key", "7"], "Its keyframes: low, inside"), (["--watch", "d.nothing"], "not a field"),
    ],
)  # fmt: skip
def test_bad_input(drop: str, capsys: pytest.CaptureFixture[str], options: list[str], said: str) -> None:
    code, _, error = run(capsys, drop, *options)
    assert code == 1 and said in error


@pytest.mark.parametrize("options", [["--until"], ["--time", "-1"], ["--every", "0"], []])
def test_bad_options(drop: str, options: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", *([drop] if options else []), *options])
    assert ended.value.code == 2


def test_a_simulation_that_diverges(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "unstable.xml").write_text(UNSTABLE)
    code, (line,), _ = run(capsys, str(tmp_path / "unstable.xml"), "--never", "d.time > 100")
    assert code == 5 and line.startswith("diverged at") and "joint hinge" in line


def test_watched_numbers(drop: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--watch", "d.qpos[2]", "--watch", "energy()", "--every", "0.2", "--until", "d.time >= 0.5"]
    code, lines, _ = run(capsys, drop, *options)
    table = [[float(cell) for cell in line.split("\t")] for line in lines[1:-1]]
    assert code == 0 and lines[0] == "time\td.qpos[2]\tenergy()"
    assert [row[0] for row in table] == [0, 0.2, 0.4, 0.5]
    assert table[1][1] == pytest.approx(1.1 - 9.81 / 2 * 0.2**2, abs=0.002)
    assert table[0][2] == pytest.approx(1.1 * 9.81, rel=1e-5) == pytest.approx(table[2][2], rel=1e-2)


def test_the_run_is_kept_and_can_be_searched(drop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = str(tmp_path / "out" / "run.ktr")
    code, (line,), _ = run(capsys, drop, "--until", TOUCH, "--record", kept)
    recording = sim.load_recording(kept)
    assert code == 0 and recording.ended and len(recording.times()) - 1 == int(line.split("step ")[1].split(":")[0])
    recording.close()
    code, (again,), _ = run(capsys, kept, "--until", TOUCH)
    assert code == 0 and again == line
    assert run(capsys, kept, "--until", "norm(d.qvel) > 3")[:2] == run(capsys, drop, "--until", "norm(d.qvel) > 3")[:2]
    assert run(capsys, kept, "--until", TOUCH, "--time", "0.1")[0] == 4
    assert run(capsys, kept, "--record", "x.ktr")[0] == 1


def test_with_mujoco(drop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same line, and its recording is searched with the same engine."""
    kept = str(tmp_path / "run.ktr")
    said = run(capsys, drop, "--until", TOUCH)[:2]
    assert run(capsys, drop, "--until", TOUCH, "--engine", "mujoco", "--record", kept)[:2] == said
    assert run(capsys, kept, "--until", TOUCH)[:2] == said
    assert sim.load_recording(kept).versions[0].engine.startswith("MuJoCo ")
