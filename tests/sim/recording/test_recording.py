"""sim.load_recording and sim.Recorder: any moment and any expression of a run that was recorded, to the bit."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import pytest

import sim
from sim.recording import file_format as ff
from sim.recording import record as record_module
from sim.recording.frames import RecordingError
from sim.recording.marks import Mark, read_marks
from sim.recording.record import Recorder
from sim.recording.run import CellValue
from sim.recording.verify import Difference
from tests.sim.recording.made_runs import MODEL, MadeRun, made_run, record
from tests.sim.recording.test_read import forged, frames_of, write_frames
from tests.sim.sleep_scenes import PILES


@pytest.fixture(scope="module")
def made() -> MadeRun:
    return made_run(sim.loads(MODEL))


@pytest.fixture(scope="module")
def run(made: MadeRun, tmp_path_factory: pytest.TempPathFactory) -> sim.Recording:
    path = tmp_path_factory.mktemp("recording") / "run.ktr"
    record(made, path)
    return sim.load_recording(path)


def row_of(d: sim.Data) -> bytes:
    return sim.get_state(d.model, d, sim.record_signature(d.model)).tobytes()


def expected(made: MadeRun, branch: int, step: int) -> bytes:
    owner = made.run.owner(branch, step)
    return made.rows[owner.id, step].tobytes()


def test_what_is_in_it(run: sim.Recording) -> None:
    assert [(b.id, b.name, b.parent, b.fork, b.last) for b in run.branches] == [
        (0, "first", -1, 0, 68),
        (1, "other", 0, 17, 57),
    ]
    assert run.damage == ""
    assert run.ended
    assert run.marks("first") == (Mark("PERTURB", "pulled", 25, 38, 0),)
    assert run.marks("other") == ()
    assert run.model.names["geom"] == ["floor", "ball", "arm"]
    assert run.warnings == ()


def test_marks_that_are_not_sound() -> None:
    good = ["EDIT", "a", 1, 2, 0]
    bad = [["EDIT", "a", 1, 2], ["EDIT", 3, 1, 2, 0], ["EDIT", "a", -1, 2, 0], ["EDIT", "a", 1.5, 2, 0], "EDIT", None]
    notes = [("marks", {"branch": 4, "first": 0, "marks": [good, *bad, good]}), ("marks", 3), ("view", {}),
             ("marks", {"branch": 4, "first": 1, "marks": [["EDIT", "b", 5, 5, 1]]}),
             ("marks", {"branch": "x", "first": 0, "marks": []})]  # fmt: skip
    assert read_marks(notes) == {4: [Mark(*good), Mark("EDIT", "b", 5, 5, 1)]}


def test_every_moment(made: MadeRun, run: sim.Recording) -> None:
    for branch, last in ((0, 68), (1, 57)):
        for step in (*range(0, last, 7), last):
            assert row_of(run.restore(step, branch)) == expected(made, branch, step), (branch, step)
    for step in (3, 17, 30, 55):
        assert row_of(run.data(step=step, branch="first")) == expected(made, 0, step)
    assert row_of(run.data()) == expected(made, 1, 57)


def test_a_moment_has_its_edits_and_goes_on(made: MadeRun, run: sim.Recording) -> None:
    """With the model of then, and the steps that the run made."""
    d = run.data(step=40, branch=0)
    assert d.model.opt.gravity[2] == -3.0
    assert run.model.opt.gravity[2] == -9.81
    assert d.xfrc_applied[1, 2] == 30
    sim.step(d.model, d, 15)
    assert row_of(d) == expected(made, 0, 55)
    assert run.edits(40, 0).cells["opt.gravity"][0].value == -3.0
    assert not run.edits(30, 0).cells


def test_times(made: MadeRun, run: sim.Recording) -> None:
    exact = [float(np.frombuffer(expected(made, 1, step))[0]) for step in range(58)]
    assert np.allclose(run.times("other"), exact, atol=1e-12)
    assert run.step_at(0.0, 1) == 0
    assert run.step_at(-1.0, 1) == 0
    assert run.step_at(0.1, 1) == 20
    assert run.step_at(0.1024, 1) == 20
    assert run.step_at(1e9, 1) == 57
    assert run.data(time=0.1, branch=1).time == pytest.approx(0.1)
    with pytest.raises(ValueError, match="a step or a time"):
        run.data(step=1, time=0.1)


def test_expressions(made: MadeRun, run: sim.Recording) -> None:
    rows = np.array([np.frombuffer(expected(made, 0, step)) for step in range(69)])
    assert run.evaluate("d.time", 0).tobytes() == rows[:, 0].tobytes()
    assert run.evaluate("d.qpos[2]", 0, 10, 61, 7).tobytes() == rows[10:62:7, 3].tobytes()
    both = run.evaluate(["d.qpos[2]", "d.xpos[1, 2]"], 1)
    assert both.shape == (58, 2)
    assert np.allclose(both[:, 0], both[:, 1])
    # of the model, with the edits of each moment
    assert run.evaluate("m.opt.gravity[2]", 0).tolist() == [-9.81] * 38 + [-3.0] * 31
    with pytest.raises(ValueError, match="nonsense"):
        run.evaluate("d.nonsense")
    with pytest.raises(ValueError, match="steps 5 to 900"):
        run.evaluate("d.time", 0, 5, 900)


def test_what_does_not_exist(run: sim.Recording) -> None:
    with pytest.raises(RecordingError, match="no branch 'third'; it has first, other"):
        run.data(branch="third")
    with pytest.raises(RecordingError, match="no step 58: branch other ends at 57"):
        run.data(step=58)


def test_a_replay_is_the_run(run: sim.Recording) -> None:
    assert run.verify() is None


@pytest.mark.parametrize(("which", "branch", "first", "last"), [(0, 0, 0, 25), (2, 0, 38, 68), (3, 1, 17, 57)])
def test_another_checksum_is_found(
    run: sim.Recording, tmp_path: Path, which: int, branch: int, first: int, last: int
) -> None:
    frames = [(type_, data) for type_, data in frames_of(Path(run.path))]
    places = [k for k, (type_, data) in enumerate(frames) if type_ == "STEP" and ff.unpack_steps(data).crc is not None]
    steps = ff.unpack_steps(frames[places[which]][1])
    frames[places[which]] = "STEP", ff.pack_steps(ff.StepsFrame(steps.segment, steps.first, steps.last, 1))
    write_frames(tmp_path / "bad.ktr", frames)
    found = sim.load_recording(tmp_path / "bad.ktr").verify()
    assert found == Difference(branch, first, last, "the checksum differs")
    assert str(found) == f"branch {branch}, steps {first} to {last}: the checksum differs"


def test_another_row_is_found(run: sim.Recording, tmp_path: Path) -> None:
    """A checkpoint with one bit changed, and the right checksums."""
    frames = frames_of(Path(run.path))

    def change(data: bytes) -> bytes:
        rows = ff.unpack_rows(data).copy()
        rows[2, 3] = np.nextafter(rows[2, 3], 9)
        return ff.pack_rows(rows)

    forged(frames, "ROWS", change)
    write_frames(tmp_path / "bad.ktr", frames)
    found = sim.load_recording(tmp_path / "bad.ktr").verify()
    assert found is not None
    assert (found.branch, found.first) == (0, 20)


def test_damaged_rows_are_an_error_of_the_file(run: sim.Recording, tmp_path: Path) -> None:
    data = bytearray(Path(run.path).read_bytes())
    at = data.index(b"ROWS") + 40
    data[at] ^= 1
    bad = tmp_path / "bad.ktr"
    bad.write_bytes(data)
    for use in (lambda run: run.data(step=3, branch=0), lambda run: run.evaluate("d.time", 0), sim.Recording.verify):
        with pytest.raises(RecordingError, match=r"bad.ktr, byte \d+: a frame ROWS is damaged"):
            use(sim.load_recording(bad))


def test_forged_edits_do_not_reach_the_model(run: sim.Recording, tmp_path: Path) -> None:
    frames = frames_of(Path(run.path))
    text = ff.pack_json({"cells": {"opt.integrator": [[0, 0, 77.0]]}, "keys": []})
    forged(frames, "EDIT", lambda data: data[:4] + zlib.compress(text), 1)
    write_frames(tmp_path / "bad.ktr", frames)
    with pytest.raises(RecordingError, match="does not fit its model"):
        _ = sim.load_recording(tmp_path / "bad.ktr").model


# ---- Recorder


def test_a_recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps, changed controls, edits; nothing but steps is added to the run."""
    monkeypatch.setattr(record_module, "CHECKPOINT_STEPS", 16)
    path = tmp_path / "run.ktr"
    m = sim.loads(MODEL)
    other, plain = sim.loads(MODEL), sim.Data(m)
    d, alone = sim.Data(m), sim.Data(other)
    rows = [row_of(plain)]
    with Recorder(m, d, path, name="balls") as recorder:
        for k in range(12):
            d.xfrc_applied[1, 2] = alone.xfrc_applied[1, 2] = 3.0 * (k // 4)
            if k == 6:
                for model in (m, other):
                    sim.apply_edits(model, sim.ModelEdits({"opt.timestep": (CellValue(0, 0, 0.002),)}))
            recorder.step(9)
            sim.step(other, alone, 9)
            rows.append(row_of(alone))
    assert row_of(d) == rows[-1]
    assert not recorder.problem
    run = sim.load_recording(path)
    assert run.branches[0].last == 108
    assert len(run.run.branches[0].segments) == 4
    assert sum(len(segment.blocks) for segment in run.run.branches[0].segments) >= 5
    for k in (1, 2, 4, 7, 12):
        # before what is changed at this step
        changed = run.data(step=9 * k)
        changed.xfrc_applied[1, 2] = 3.0 * ((k - 1) // 4)
        assert row_of(changed) == rows[k]
    assert run.verify() is None
    assert run.versions[0].name == "balls"


@pytest.mark.parametrize("small", [0, 1 << 20])
def test_rows_in_buffers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: int) -> None:
    """Handed over whole or as copies, every step has a checksum, and buffers are used again."""
    monkeypatch.setattr(record_module, "BUFFER", 5000)
    monkeypatch.setattr(record_module, "SMALL", small)
    monkeypatch.setattr(record_module, "SYNC_SECONDS", 0.0)
    m = sim.loads(MODEL)
    d = sim.Data(m)
    with Recorder(m, d, tmp_path / "run.ktr") as recorder:
        for _ in range(10):
            d.xfrc_applied[1, 2] += 1.0
            recorder.step(20)
    with sim.load_recording(tmp_path / "run.ktr") as run:
        assert run.verify() is None
        checked = [step for check in run._contents.checksums for step in range(check.first, check.last + 1)]
        # the first step of a segment is the last of the one before
        assert sorted(checked) == sorted([*range(201), *range(20, 200, 20)])


def test_a_closed_recording(run: sim.Recording) -> None:
    with sim.load_recording(run.path) as other:
        assert other.branches == run.branches
    with pytest.raises(RecordingError, match="closed"):
        other.data(step=5)


def test_a_recorder_of_callbacks(tmp_path: Path) -> None:
    """What a reader cannot compute is stored, up to an exception."""
    m = sim.loads(MODEL)
    d = sim.Data(m)
    calls = []

    def control(m: sim.Model, d: sim.Data) -> None:
        calls.append(1)
        d.qfrc_applied[6] = len(calls)
        if len(calls) > 30:
            raise RuntimeError("enough")

    sim.callbacks.control = control
    try:
        with Recorder(m, d, tmp_path / "run.ktr") as recorder, pytest.raises(RuntimeError, match="enough"):
            recorder.step(100)
    finally:
        sim.callbacks.control = None
    run = sim.load_recording(tmp_path / "run.ktr")
    assert run.branches[0].last == 30
    assert run.evaluate("d.qfrc_applied[6]").tolist() == list(range(31))
    assert run.verify() is None


def test_a_recorder_of_sleep(tmp_path: Path) -> None:
    """Trees fall asleep and are woken; each moment has that too."""
    m = sim.loads(PILES.xml)
    d = sim.Data(m)
    with Recorder(m, d, tmp_path / "run.ktr") as recorder:
        for _ in range(6):
            recorder.step(100)
            sim.wake(m, d)
    run = sim.load_recording(tmp_path / "run.ktr")
    assert run.verify() is None
    asleep = run.evaluate("d.ntree_awake")
    assert asleep.min() < asleep.max()
