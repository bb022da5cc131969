"""Recordings of models of another engine: its functions are called, and its name is in the file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sim
from sim.recording import file_format as ff
from sim.recording.frames import FrameFile, RecordingError
from sim.recording.record import Recorder
from sim.recording.replay import Replayer
from tests.sim.other_engine import LOADERS, UpsideDown, UpsideDownModel, turned
from tests.sim.recording.made_runs import MODEL
from tests.sim.recording.test_frames import read_as_documented


def record(m: sim.Model, path: Path) -> sim.Data:
    """100 steps, with a push after 50."""
    d = m.engine.Data(m)
    with Recorder(m, d, path) as recorder:
        recorder.step(50)
        d.qvel[0] = 1.0
        recorder.step(50)
    assert not recorder.problem
    return d


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("other") / "run.ktr"
    record(turned(sim.loads(MODEL)), path)
    return path


def test_the_ball_falls_up(path: Path) -> None:
    run = sim.load_recording(path, LOADERS)
    assert isinstance(run.model, UpsideDownModel)
    assert run.warnings == ()
    assert run.verify() is None
    # in closed form: 0.4 + g t² / 2, to the error of Euler's method
    height = run.evaluate("d.qpos[2]")
    assert height[-1] == pytest.approx(0.4 + 9.81 * 0.5**2 / 2, rel=0.05)
    assert run.data(step=70).qpos[2] == height[70]
    assert run.restore(70).qpos[2] == height[70]
    # not of the state alone: by a forward of the same engine
    assert run.evaluate("d.qacc[2]", first=3, last=3)[0] == pytest.approx(9.81)


def test_a_replay_between_checkpoints(path: Path) -> None:
    run = sim.load_recording(path, LOADERS)
    replayer = Replayer(run.run, run.model_of)
    rows = replayer.rows(0, 0, 100)
    m, d = replayer.moment(0, 63)
    assert sim.get_state(m, d, sim.record_signature(m)).tobytes() == rows[63].tobytes()
    assert (np.diff(rows[:, 3]) > 0).all()


def test_without_a_loader_it_says_so(path: Path) -> None:
    run = sim.load_recording(path)
    assert run.versions[0].engine == "UpsideDown 1.0"
    with pytest.raises(RecordingError, match=r"the model was simulated by UpsideDown 1\.0"):
        run.verify()


def test_another_version_of_the_engine_is_a_warning(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(UpsideDown, "ENGINE", "UpsideDown 2.0")
    run = sim.load_recording(path, LOADERS)
    run.data(step=3)
    assert [text for text in run.warnings if "values from UpsideDown 2.0 may differ" in text]


def test_the_name_is_in_the_file_where_documented(path: Path, tmp_path: Path) -> None:
    """And only there: recordings of our own engine have no such entry."""
    record(sim.loads(MODEL), tmp_path / "own.ktr")
    tables = [
        ff.unpack_json(next(payload for type_, payload in read_as_documented(file.read_bytes()) if type_ == b"MODL"))
        for file in (path, tmp_path / "own.ktr")
    ]
    assert tables[0].pop("engine") == "UpsideDown 1.0"
    assert tables[0].keys() == tables[1].keys()
    assert "engine" not in tables[1]


def test_a_name_that_is_no_text_is_damage(path: Path, tmp_path: Path) -> None:
    from tests.sim.recording.test_read import forged, read_forged

    file = FrameFile(str(path))
    frames = [(found.type, file.payload(found)) for found in file.frames()]
    forged(frames, "MODL", lambda data: ff.pack_json({**ff.unpack_json(data), "engine": 3}))
    with pytest.raises(RecordingError, match="engine is not of type str"):
        read_forged(tmp_path / "bad.ktr", frames)
