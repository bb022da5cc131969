"""`kinetoscope debug`: a kernel of a model or a recording under pdb, driven through its standard input."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import app
import sim
from app.__main__ import main
from sim.jit import cache
from sim.recording.moment import save_moment


def talk(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], commands: str, *arguments: str
) -> tuple[int, str]:
    """The exit code and what was printed."""
    monkeypatch.setattr("sys.stdin", io.StringIO(commands))
    code = main(["debug", *arguments])
    said = capsys.readouterr()
    return code, said.out + said.err


def test_a_model_some_time_after_its_start(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = talk(monkeypatch, capsys, "p float(d.time)\nc\n", "touch", "--kernel", "kinematics", "--time", "0.1")
    assert code == 0
    assert "sim.stages.smooth.kinematics.kinematics, at 0.099 s" in text and "(Pdb) 0.099" in text
    assert "Native code " in text


def test_a_helper_says_who_calls_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _, text = talk(monkeypatch, capsys, "c\n", "touch", "--kernel", "spring")
    assert "spring, called by passive" in text


def test_a_moment(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    m = sim.loads("<mujoco><worldbody><body pos='0 0 2'><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    d = sim.Data(m)
    m.engine.step(m, d, 10)
    save_moment(m, d, tmp_path / "moment.ktr")
    code, text = talk(monkeypatch, capsys, "d.qpos[2]\nc\n", str(tmp_path / "moment.ktr"), "--kernel", "rne")
    assert code == 0 and repr(d.qpos[2]) in text and "at 0.02 s" in text
    code, text = talk(monkeypatch, capsys, "", str(tmp_path / "moment.ktr"), "--kernel", "rne", "--key", "0")
    assert code == 1 and "--key is for models" in text


def test_breakpoint_in_the_sources(tmp_path: Path) -> None:
    """A copy of the program with breakpoint() in two kernels, one of which runs as Python when a model is loaded."""
    root = Path(app.__file__).parent.parent
    for package in ("app", "sim", "scenes"):
        shutil.copytree(root / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    for file, line in (("passive.py", "    springs(m, d)\n"), ("kinematics.py", "def kinematics(m, d):\n")):
        source = tmp_path / "sim/stages/smooth" / file
        text = source.read_text(encoding="utf-8")
        assert text.count(line) == 1
        source.write_text(text.replace(line, f"{line}    breakpoint()\n"), encoding="utf-8")
    m = sim.loads("<mujoco><worldbody><body pos='0 0 2'><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    save_moment(m, sim.Data(m), tmp_path / "moment.ktr")
    command = [sys.executable, "-m", "app", "debug", str(tmp_path / "moment.ktr"), "--kernel", "passive"]
    # what is compiled here need not be compiled there
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "KINETOSCOPE_CACHE": str(cache.folder())}
    done = subprocess.run(
        command, input="c\nd.qpos[2]\nc\n", capture_output=True, text=True, cwd=tmp_path, env=environment
    )
    assert done.returncode == 0, done.stderr
    # at its first line, then behind breakpoint(); not in kinematics, which comes before
    assert done.stdout.count("(Pdb)") == 3 and "kinematics" not in done.stdout
    assert str(tmp_path / "sim/stages/smooth/passive.py") in done.stdout
    assert "-> dampers(m, d)\n(Pdb) np.float64(2.0)\n" in done.stdout
    assert "Not compared with native code: breakpoint() is in passive." in done.stdout


def test_a_terminal_waits_with_what_went_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = talk(monkeypatch, capsys, "", "touch", "--kernel", "kinematic", "--wait")
    assert code == 1 and "did you mean kinematics?" in text and "Press Enter to close this window" in text


def test_the_list_and_mistakes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = talk(monkeypatch, capsys, "", "touch")
    assert code == 0 and "passive forces           passive\n" in text and "(not used by this model)" in text
    code, text = talk(monkeypatch, capsys, "", "touch", "--kernel", "kinematic")
    assert code == 1 and "did you mean kinematics?" in text
    code, text = talk(monkeypatch, capsys, "", "no_such_scene", "--kernel", "rne")
    assert code == 1 and "does not exist" in text
