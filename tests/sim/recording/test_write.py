"""Writing recordings: piece by piece what a run has, from a thread; errors end the file and are said once."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest

import sim
from sim.mjcf import read_files
from sim.recording import write
from sim.recording.frames import FrameFile, RecordingError
from sim.recording.models import Models
from sim.recording.read import read_recording
from sim.recording.record import Recorder
from sim.recording.run import Array, Block, Branch, Segment
from sim.recording.write import RecordingWriter
from tests.sim.recording.made_runs import MODEL, InMemory, MadeRun, made_run, record
from tests.sim.recording.test_read import assert_same_run


def test_a_run_that_grows_is_written_piece_by_piece(tmp_path: Path) -> None:
    """Whenever it is synced, the file has all, and nothing twice."""
    made, path = MadeRun(sim.loads(MODEL)), tmp_path / "run.ktr"
    made.begin(Branch(0))
    with RecordingWriter(path) as writer:
        writer.model(0, made.model)
        for count in (7, 1, 0, 30):
            made.steps(count)
            writer.sync(made.run)
        made.data.ctrl[:] = 0.5
        made.data.xfrc_applied[1, 2] = 5.0
        made.begin()
        writer.sync(made.run)
        made.steps(12)
        made.run.branches[0].name = "renamed"
        writer.sync(made.run)
        writer.sync(made.run)
    found = read_recording(path)
    Models(found)
    assert_same_run(found.run, made.run)
    whole = sum(block.count for segment in made.run.branches[0].segments for block in segment.blocks)
    file = FrameFile(str(path))
    rows = [int.from_bytes(file.payload(frame)[:4], "little") for frame in file.frames() if frame.type == "ROWS"]
    assert sum(rows) == whole


def test_a_dense_block_that_grows(tmp_path: Path) -> None:
    """All rows of a script's run, in one block that gets longer."""
    m = sim.loads(MODEL)
    made, path = MadeRun(m), tmp_path / "run.ktr"
    made.begin(Branch(0))
    segment, rows = made.made[0]
    segment.dense = True
    with RecordingWriter(path) as writer:
        writer.model(0, m)
        for _ in range(3):
            made.steps(5)
            segment.blocks[:] = [Block(0, len(rows), InMemory(np.array(rows)))]
            writer.sync(made.run)
    found = read_recording(path)
    Models(found)
    blocks = found.run.branches[0].segments[0].blocks
    assert found.run.branches[0].last == 15
    assert [block.first for block in blocks] == [0, 6, 11]
    assert np.concatenate([block.rows.read() for block in blocks]).tobytes() == np.array(rows).tobytes()


def test_a_dense_segment_ends_with_its_rows(tmp_path: Path) -> None:
    made, path = MadeRun(sim.loads(MODEL), every=1000), tmp_path / "run.ktr"
    made.begin(Branch(0))
    made.made[0][0].dense = True
    made.steps(5)
    record(made, path, checksums=False)
    assert read_recording(path).run.branches[0].last == 0


def test_removed_branches_are_gone(tmp_path: Path) -> None:
    made, path = made_run(sim.loads(MODEL)), tmp_path / "run.ktr"
    with RecordingWriter(path) as writer:
        writer.model(0, made.model)
        writer.sync(made.run)
        del made.run.branches[1]
        writer.sync(made.run)
    assert [*read_recording(path).run.branches] == [0]


def test_a_branch_that_takes_the_number_of_a_removed_one(tmp_path: Path) -> None:
    m, path = sim.loads(MODEL), tmp_path / "run.ktr"
    made = MadeRun(m)
    made.begin(Branch(0, name="old"))
    with RecordingWriter(path) as writer:
        writer.model(0, m)
        writer.sync(made.run)
        del made.run.branches[0]
        made.rows.clear()
        made.data.qvel[0] = 1.0
        made.begin(Branch(0, name="new"))
        made.steps(3)
        writer.sync(made.run)
    found = read_recording(path)
    Models(found)
    assert_same_run(found.run, made.run)


@pytest.mark.parametrize("steps", [0, 4])
def test_a_segment_without_steps_is_replaced(tmp_path: Path, steps: int) -> None:
    """A slider that is dragged while the run is paused: its last value counts, as a change of the row before."""
    made, path = MadeRun(sim.loads(MODEL)), tmp_path / "run.ktr"
    made.begin(Branch(0))
    made.steps(steps)
    before = made.rows[0, steps]
    with RecordingWriter(path) as writer:
        writer.model(0, made.model)
        writer.sync(made.run)
        for number in range(3):
            made.data.xfrc_applied[1, number] = 5.0
            if made.run.branches[0].segments[-1].first == made.step:
                made.run.branches[0].segments.pop()
            if made.run.branches[0].segments:
                made.rows[0, steps] = before
            else:
                del made.rows[0, steps]
            made.begin()
            writer.sync(made.run)
        made.steps(2)
        writer.sync(made.run)
    found = read_recording(path)
    Models(found)
    assert not found.damage
    assert_same_run(found.run, made.run)


def test_a_time_that_is_no_number(tmp_path: Path) -> None:
    """A run that has diverged can be read."""
    made, path = made_run(sim.loads(MODEL)), tmp_path / "run.ktr"
    made.run.branches[0].segments[1].time = float("nan")
    record(made, path)
    found = read_recording(path)
    assert not found.damage
    assert found.run.branches[0].segments[1].time == 25 * 0.005


def test_edits_and_files_are_written_once(tmp_path: Path) -> None:
    made, path = MadeRun(sim.loads(MODEL)), tmp_path / "run.ktr"
    made.begin(Branch(0))
    for _ in range(5):
        made.steps(1)
        made.data.xfrc_applied[1, 2] += 1.0
        made.begin()
    with RecordingWriter(path) as writer:
        writer.model(0, made.model)
        writer.model(1, made.model)
        writer.sync(made.run)
    types = [frame.type for frame in FrameFile(str(path)).frames()]
    assert [types.count(type_) for type_ in ("EDIT", "FILE", "MODL", "SEGM")] == [1, 1, 2, 6]


def test_notes_of_segments(tmp_path: Path) -> None:
    made, path = MadeRun(sim.loads(MODEL)), tmp_path / "run.ktr"
    made.begin(Branch(0))
    made.made[0][0].note = 17
    with RecordingWriter(path) as writer:
        writer.model(0, made.model)
        writer.sync(made.run, lambda segment: {"entry": segment.note})
    assert read_recording(path).run.branches[0].segments[0].note == {"entry": 17}


class Blocked(InMemory):
    """Rows that are read when the test says so."""

    def __init__(self, rows: Array) -> None:
        super().__init__(rows)
        self.go = threading.Event()

    def read(self) -> Array:
        assert self.go.wait(60)
        return self.rows


def test_the_caller_does_not_wait(tmp_path: Path) -> None:
    """Rows are read, compressed and written by the thread."""
    made, path = MadeRun(sim.loads(MODEL)), tmp_path / "run.ktr"
    made.begin(Branch(0))
    blocked = Blocked(made.row()[None])
    made.made[0][0].blocks[0].rows = blocked
    writer = RecordingWriter(path)
    writer.model(0, made.model)
    writer.sync(made.run)
    made.steps(20)
    writer.sync(made.run)
    blocked.go.set()
    writer.close()
    assert read_recording(path).run.branches[0].last == 20


def test_a_full_disk_ends_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was written before stays readable, nothing is raised, and `problem` says it."""
    made, path = MadeRun(sim.loads(MODEL)), tmp_path / "run.ktr"
    made.begin(Branch(0))
    made.steps(20)
    room = [20_000]
    real = os.write

    def write_some(file: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(28, "No space left on device")
        size = min(len(data), room[0])
        room[0] -= size
        return real(file, data[:size])

    monkeypatch.setattr(write.os, "write", write_some)
    monkeypatch.setattr(write, "PERIOD", 0.0)
    writer = RecordingWriter(path)
    writer.model(0, made.model)
    writer.sync(made.run)
    while not writer.problem:
        made.steps(20)
        writer.sync(made.run)
    writer.sync(made.run)
    writer.close()
    assert "No space left on device" in writer.problem
    found = read_recording(path)
    assert not found.damage
    assert not found.ended
    assert found.run.branches[0].last >= 20


@pytest.mark.parametrize("fault", ["", "writing", "model"])
def test_an_old_file_stays_until_its_successor_is_whole(tmp_path: Path, fault: str) -> None:
    path, m = tmp_path / "run.ktr", sim.loads(MODEL)
    path.write_bytes(b"good")
    path.chmod(0o600)
    if fault == "model":
        m.__dict__["source"] = None
        with pytest.raises(ValueError, match="has no source"):
            Recorder(m, sim.Data(m), path)
    else:
        recorder = Recorder(m, sim.Data(m), path)
        recorder.step(3)
        assert path.read_bytes() == b"good"
        if fault:
            recorder.writer.note("x", {})
            recorder.writer._handed.items.append(None)
        recorder.close()
    assert (path.read_bytes() == b"good") == bool(fault)
    assert path.stat().st_mode & 0o777 == 0o600
    # what was written before the fault can be read
    assert [one.name for one in tmp_path.iterdir() if one != path] == ["run.part.ktr"] * (fault == "writing")
    if fault != "model":
        assert read_recording(tmp_path / "run.part.ktr" if fault else path).versions


def test_a_folder_whose_name_is_not_utf8(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/mod\xe8le"))
    folder.mkdir()
    (folder / "m.xml").write_text(MODEL)
    m = sim.load(folder / "m.xml")
    with Recorder(m, sim.Data(m), folder / "run.ktr", name=folder.name) as recorder:
        recorder.step(3)
    assert not recorder.problem
    found = read_recording(folder / "run.ktr")
    assert found.versions[0].name == folder.name
    assert Models(found).compiled(0).nbody == m.nbody


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="cannot be written: No such file"):
        RecordingWriter(tmp_path / "missing" / "run.ktr")


def test_a_large_file_of_the_model_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not kept in memory is read when the recording begins; one that has changed since is said."""
    monkeypatch.setattr(read_files, "KEPT", 0)
    model = tmp_path / "m.xml"
    model.write_text(MODEL)
    m = sim.load(model)
    model.write_text(MODEL.replace("two", "three"))
    with RecordingWriter(tmp_path / "changed.ktr") as writer:
        writer.model(0, m)
    assert writer.warnings == [f"'{model}' has changed since it was read"]
    model.unlink()
    with RecordingWriter(tmp_path / "gone.ktr") as writer:
        writer.model(0, m)
    assert f"'{model}': No such file" in writer.problem


def test_who_reads_the_old_file_keeps_it(tmp_path: Path) -> None:
    """A recording can be written over one that is open."""
    made, path = made_run(sim.loads(MODEL)), tmp_path / "run.ktr"
    record(made, path)
    found = read_recording(path)
    Models(found)
    with RecordingWriter(path):
        pass
    assert_same_run(found.run, made.run)


def test_too_many_rows_get_no_checksum(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is too slow costs the checksum, not memory."""
    monkeypatch.setattr(write, "MOST_WAITING", 0)
    made, path = made_run(sim.loads(MODEL)), tmp_path / "run.ktr"
    record(made, path)
    found = read_recording(path)
    assert not found.checksums
    assert found.run.branches[0].last == made.run.branches[0].last


def test_a_segment_that_is_not_in_the_file(tmp_path: Path) -> None:
    """Rows of a segment that was never synced are ignored."""
    made, path = made_run(sim.loads(MODEL)), tmp_path / "run.ktr"
    with RecordingWriter(path) as writer:
        writer.model(0, made.model)
        writer.steps(Segment(0, 0, 0, made.edits, 0.0, 0.01), 0, np.zeros((1, 3)))
        writer.sync(made.run)
    assert not read_recording(path).checksums
