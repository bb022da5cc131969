"""`kinetoscope record` and `info` with recordings: a run into a file, films of it, and a summary."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import av
import numpy as np
import pytest

import sim
from app.__main__ import main
from app.cli import info, recording_info
from app.render.capture import recording_film
from sim.recording.frames import RecordingError
from sim.recording.run import CellValue, ModelEdits
from sim.recording.write import RecordingWriter
from tests.sim.recording.made_runs import made_run, record

MODEL = """<mujoco>
  <visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>
  <worldbody>
    <camera name="front" pos="0 -2 0" xyaxes="1 0 0 0 0 1"/>
    <body name="ball"><joint type="slide" axis="1 0 0"/><geom name="ball" size=".4" rgba="1 0 0 1"/></body>
  </worldbody>
</mujoco>
"""
SIZE = "--size=64x64"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "ball.xml"
    path.write_text(MODEL)
    return path


def frames(path: Path) -> list[np.ndarray]:
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def test_a_run_is_recorded_and_filmed(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, film = tmp_path / "runs" / "run.ktr", tmp_path / "film.mp4"
    assert main(["record", str(model), "--out", str(run), "--seconds", "0.5"]) == 0
    assert "(250 steps)" in capsys.readouterr().out
    recording = sim.load_recording(run)
    assert recording.branches[0].last == 250
    assert recording.verify() is None
    limits = ["--from", "0.1", "--to", "0.3", "--fps", "10"]
    assert main(["record", str(run), "-o", str(film), "--camera", "front", "--carry", SIZE, *limits]) == 0
    assert "(3 frames)" in capsys.readouterr().out
    assert len(frames(film)) == 3
    assert main(["info", str(film), "--verify"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    for word in ("ball.xml, 1 file", "0 s to 0.5 s, 250 steps", "orderly", "the same bits"):
        assert word in text


def test_a_film_shows_the_edits_of_each_moment(model: Path, tmp_path: Path) -> None:
    """Red before, blue after, red again."""
    run, film = tmp_path / "run.ktr", tmp_path / "film.mp4"
    m = sim.load(model)
    blue = ModelEdits({"geom_rgba": (CellValue(0, 0, 0.0), CellValue(2, 0, 1.0))})
    with sim.Recorder(m, sim.Data(m), run) as recorder:
        for edits in (ModelEdits(), blue, ModelEdits()):
            sim.apply_edits(m, edits)
            recorder.step(100)
    assert (
        main(["record", str(run), "-o", str(film), "--camera", "front", "--fps", "10", SIZE, "--seconds", ".55"]) == 0
    )
    middle = [frame[32, 32].tolist() for frame in frames(film)]
    seen = ["red" if red > blue else "blue" for red, _, blue in middle]
    assert seen == ["red"] * 2 + ["blue"] * 2 + ["red"] * 2


def test_a_summary_of_branches_and_versions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from tests.sim.recording.made_runs import MODEL as BALLS

    made, path = made_run(sim.loads(BALLS)), tmp_path / "run.ktr"
    record(made, path)
    rows = dict(recording_info.recording_rows(path, verify=True))
    assert rows["branch 0"] == "first, 0 s to 0.34 s, 68 steps, 2 changes of state or model, 1 set of edits"
    assert rows["branch 1"] == "other, 0.085 s to 0.285 s, 40 steps, from first, step 17"
    assert rows["replay"] == "the same bits"
    path.write_bytes(path.read_bytes()[:-30])
    rows = dict(recording_info.recording_rows(path, verify=False))
    assert rows["ended"].startswith("cut short")
    assert "cut off" in rows["damage"]
    assert info.run(type("Options", (), {"model": str(path), "verify": False})) == 0  # type: ignore[arg-type]
    assert "cut short" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["record", "RUN", "-o", "other.ktr"], "is already a recording"),
        (["record", "MODEL", "-o", "a.mp4", "--from", "1"], "--from is for recordings"),
        (["record", "MODEL", "-o", "a.mp4", "--carry"], "--carry is for recordings"),
        (["record", "RUN", "-o", "a.mp4", "--from", "7"], "no state at 7 s"),
        (["record", "RUN", "-o", "a.mp4", "--branch", "third"], "no branch 'third'"),
        (["record", "RUN", "-o", "a.mp4", "--camera", "back"], "no camera 'back'"),
        (["record", "RUN", "-o", "a.txt"], "should end in one of .mp4, .gif or .ktr"),
        (["record", "MODEL", "-o", "a.avi"], "should end in one of .mp4, .gif or .ktr"),
        (["record", "RUN", "-o", "a.mp4", "--from", "0.05", "--to", "0.01"], "specify the earlier time first"),
        (["info", "TEXT"], "this is not a recording"),
    ],
)
def test_what_is_refused(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], why: str
) -> None:
    run, text = tmp_path / "run.ktr", tmp_path / "text.ktr"
    main(["record", str(model), "--out", str(run), "--seconds", "0.1"])
    text.write_text("text")
    names = {"RUN": str(run), "MODEL": str(model), "TEXT": str(text), "a.mp4": str(tmp_path / "a.mp4")}
    assert main([names.get(word, word) for word in arguments] + ([SIZE] if arguments[0] == "record" else [])) == 1
    assert why in capsys.readouterr().err


def test_a_folder_that_is_made_is_said(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for made in (True, False):
        assert main(["record", str(model), "--out", str(tmp_path / "new" / "run.ktr"), "--seconds", "0.01"]) == 0
        assert (f"created the folder '{tmp_path / 'new'}'" in capsys.readouterr().err) == made


def test_a_full_disk_is_said(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: RecordingWriter, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(RecordingWriter, "_append", full)
    with pytest.raises(RecordingError, match="No space left on device"):
        recording_film.record_run(sim, model, tmp_path / "run.ktr", 1.0, lambda *_: None)  # type: ignore[arg-type]


def last_step(path: Path) -> int:
    try:
        return sim.load_recording(path).branches[0].last
    except RecordingError:
        return 0


def test_what_a_killed_process_leaves(model: Path, tmp_path: Path) -> None:
    """Everything that could be read before the kill, and a replay is the run."""
    path = tmp_path / "run.ktr"
    command = [sys.executable, "-m", "app", "record", str(model), "--out", str(path), "--seconds", "1000000"]
    process = subprocess.Popen(command, cwd=Path(__file__).resolve().parents[3], stdout=subprocess.DEVNULL)
    try:
        seen = 0
        while not seen and process.poll() is None:
            seen = last_step(path)
        while (now := last_step(path)) < 4 * seen and process.poll() is None:
            pass
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert process.returncode == -signal.SIGKILL
    recording = sim.load_recording(path)
    assert not recording.ended
    assert recording.branches[0].last >= now
    assert recording.verify() is None
