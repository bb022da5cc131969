"""Recordings in files: what was written is read again to the bit; what is damaged ends there, and says so."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import sim
from sim.recording import file_format as ff
from sim.recording.frames import HEADER_SIZE, START, FrameFile, RecordingError, frame
from sim.recording.models import Models
from sim.recording.read import Contents, read_recording
from sim.recording.run import Run
from tests.sim.recording.made_runs import MODEL, MadeRun, made_run, record


@pytest.fixture(scope="module")
def made() -> MadeRun:
    return made_run(sim.loads(MODEL))


@pytest.fixture(scope="module")
def path(made: MadeRun, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recording") / "run.ktr"
    record(made, path)
    return path


def assert_same_run(found: Run, expected: Run) -> None:
    """Branches, segments, changes and rows are the same."""
    assert found.branches.keys() == expected.branches.keys()
    for branch, known in zip(found.branches.values(), expected.branches.values(), strict=True):
        plain = ("id", "parent", "fork", "name", "colour")
        assert [getattr(branch, name) for name in plain] == [getattr(known, name) for name in plain]
        for segment, other in zip(branch.segments, known.segments, strict=True):
            plain = ("first", "last", "version", "time", "timestep", "dense", "edits")
            assert [getattr(segment, name) for name in plain] == [getattr(other, name) for name in plain]
            assert (segment.change is None) == (other.change is None)
            if segment.change is not None and other.change is not None:
                assert segment.change.indices.tolist() == other.change.indices.tolist()
                assert segment.change.values.tobytes() == other.change.values.tobytes()
            for block, written in zip(segment.blocks, other.blocks, strict=True):
                assert (block.first, block.count) == (written.first, written.count)
                assert block.rows.read().tobytes() == written.rows.read().tobytes()


def test_a_run_is_read_as_it_was_written(made: MadeRun, path: Path) -> None:
    found = read_recording(path)
    Models(found)
    assert not found.damage
    assert found.ended
    assert_same_run(found.run, made.run)
    assert found.notes == [("marks", {"branch": 0, "first": 0, "marks": [["PERTURB", "pulled", 25, 38, 0]]})]
    assert found.about["numpy"] == np.__version__
    assert [check.last for check in found.checksums] == [segment.last for segment, _ in made.made]


def test_the_model_is_in_the_file(path: Path) -> None:
    found = read_recording(path)
    models = Models(found)
    m = models.compiled(0)
    assert not models.warnings
    assert m.names == sim.loads(MODEL).names


def test_a_model_that_compiles_to_something_else_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = read_recording(path)
    models = Models(found)
    monkeypatch.setattr("sim.recording.models.digest", lambda m: "0" * 64)
    models.compiled(0)
    assert "compiles to different numbers" in models.warnings[0]


# ---- damage


def frames_of(path: Path) -> list[tuple[str, bytes]]:
    file = FrameFile(str(path))
    return [(found.type, file.payload(found)) for found in file.frames()]


def write_frames(path: Path, frames: list[tuple[str, bytes]]) -> None:
    path.write_bytes(START + b"".join(frame(*item) for item in frames))


def test_every_cut_leaves_what_came_before(made: MadeRun, path: Path, tmp_path: Path) -> None:
    """At any byte: a clear error, or a part of the run."""
    data, cut = path.read_bytes(), tmp_path / "cut.ktr"
    seen = set()
    for size in range(0, len(data), 23):
        cut.write_bytes(data[:size])
        try:
            found = read_recording(cut)
        except RecordingError as why:
            assert "cut.ktr" in str(why)
            continue
        assert bool(found.damage) == (size not in whole_ends(data))
        for branch in found.run.branches.values():
            known = made.run.branches[branch.id]
            assert branch.last <= known.last
            seen.add((branch.id, branch.last))
            assert branch.segments[0].first == branch.fork
    assert len(seen) >= 4


def whole_ends(data: bytes) -> set[int]:
    """Where frames end."""
    ends, at = set[int](), len(START)
    while at < len(data):
        at += HEADER_SIZE + int.from_bytes(data[at + 4 : at + 8], "little")
        ends.add(at)
    return ends


def test_a_flipped_bit_in_rows_is_found_when_they_are_read(path: Path, tmp_path: Path) -> None:
    file = FrameFile(str(path))
    rows = next(found for found in file.frames() if found.type == "ROWS")
    data = bytearray(path.read_bytes())
    data[rows.at + 20] ^= 4
    bad = tmp_path / "bad.ktr"
    bad.write_bytes(data)
    found = read_recording(bad)
    Models(found)
    with pytest.raises(RecordingError, match=rf"bad.ktr, byte {rows.at}: a frame ROWS is damaged"):
        found.run.branches[0].segments[0].blocks[0].rows.read()


def test_a_flipped_bit_elsewhere_ends_the_run_there(path: Path, tmp_path: Path) -> None:
    file = FrameFile(str(path))
    branch = [found for found in file.frames() if found.type == "BRAN"][1]
    data = bytearray(path.read_bytes())
    data[branch.at + 3] ^= 1
    bad = tmp_path / "bad.ktr"
    bad.write_bytes(data)
    found = read_recording(bad)
    assert found.damage == f"byte {branch.at}: a frame BRAN is damaged; copy the file again from the original"
    assert [*found.run.branches] == [0]


def forged(frames: list[tuple[str, bytes]], type_: str, change: Callable[[bytes], bytes], which: int = 0) -> None:
    at = [k for k, (name, _) in enumerate(frames) if name == type_][which]
    frames[at] = type_, change(frames[at][1])


def at_offset(offset: int, form: str, value: float) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        part = struct.pack(form, value)
        return data[:offset] + part + data[offset + len(part) :]

    return change


@pytest.mark.parametrize(
    ("type_", "change", "which", "why"),
    [
        ("SEGM", at_offset(0, "<i", 7), 0, "branch 7 does not exist"),
        ("SEGM", at_offset(8, "<q", 3), 1, "does not follow"),
        ("SEGM", at_offset(16, "<i", 1), 0, "version 1 does not exist"),
        ("SEGM", at_offset(20, "<I", 9), 0, "edits are missing"),
        ("SEGM", at_offset(32, "<d", -1.0), 0, "no timestep"),
        ("SEGM", at_offset(32, "<d", float("nan")), 0, "no timestep"),
        ("SEGM", at_offset(44, "<I", 1 << 30), 1, "wrong length"),
        ("SEGM", at_offset(52, "<i", -5), 1, "do not increase"),
        ("BLCK", at_offset(0, "<I", 77), 0, "segment 77 does not exist"),
        ("BLCK", at_offset(4, "<q", -1), 0, "no steps"),
        ("BLCK", at_offset(4, "<q", 5), 0, "without its first row"),
        ("BLCK", at_offset(12, "<I", 5), 0, "other rows"),
        ("ROWS", at_offset(0, "<I", 1 << 31), 0, "too many"),
        ("STEP", at_offset(16, "<q", 1 << 60), 0, "out of order"),
        ("STEP", at_offset(0, "<I", 50), 0, "segment 50 does not exist"),
        ("BRAN", lambda _: ff.pack_json({"id": 1, "parent": 5, "fork": 0, "name": "", "colour": 0}), 1, "5 does not"),
        ("BRAN", lambda _: ff.pack_json({"id": 1, "parent": 0, "fork": 99, "name": "", "colour": 0}), 1, "outside"),
        ("BRAN", lambda _: ff.pack_json({"id": 1, "parent": 0, "fork": True, "name": "", "colour": 0}), 1, "type int"),
        ("EDIT", lambda data: data[:4] + zlib.compress(b"[" * 100_000), 1, "nested too deeply"),
        ("EDIT", lambda data: data[:4] + zlib.compress(b"0" * (ff.MOST_JSON + 1)), 1, "more than"),
        ("NOTE", lambda _: b"\x09short", 0, "cut off"),
    ],
)
def test_forged_numbers_end_the_run(
    path: Path, tmp_path: Path, type_: str, change: Callable[[bytes], bytes], which: int, why: str
) -> None:
    """With the right checksum: reading stops there, or nothing is left."""
    frames = frames_of(path)
    forged(frames, type_, change, which)
    bad = tmp_path / "bad.ktr"
    write_frames(bad, frames)
    try:
        damage = read_recording(bad).damage
    except RecordingError as error:
        damage = str(error)
    assert why in damage


def read_forged(path: Path, frames: list[tuple[str, bytes]]) -> Contents:
    write_frames(path, frames)
    found = read_recording(path)
    Models(found)
    return found


def test_edits_that_do_not_fit_the_model_are_refused(path: Path, tmp_path: Path) -> None:
    frames = frames_of(path)
    text = ff.pack_json({"cells": {"geom_bodyid": [[0, 0, 99.0]]}, "keys": []})
    forged(frames, "EDIT", lambda data: data[:4] + zlib.compress(text), 1)
    found = read_forged(tmp_path / "bad.ktr", frames)
    with pytest.raises(RecordingError, match="geom_bodyid cannot be edited"):
        Models(found).compiled(0)


def test_rows_of_another_width_are_refused(path: Path, tmp_path: Path) -> None:
    frames = frames_of(path)
    forged(frames, "ROWS", lambda data: ff.pack_rows(ff.unpack_rows(data)[:, :-1]))
    found = read_forged(tmp_path / "bad.ktr", frames)
    with pytest.raises(RecordingError, match="as in the model"):
        found.run.branches[0].segments[0].blocks[0].rows.read()


def test_indices_of_a_change_are_those_of_a_row(path: Path, tmp_path: Path) -> None:
    frames = frames_of(path)
    at = next(k for k, (type_, data) in enumerate(frames) if type_ == "SEGM" and ff.unpack_segment(data).change)
    count = struct.unpack_from("<I", frames[at][1], 44)[0]
    frames[at] = "SEGM", at_offset(52 + 4 * (count - 1), "<i", 100_000)(frames[at][1])
    found = read_forged(tmp_path / "bad.ktr", frames)
    with pytest.raises(RecordingError, match="a change has the index 100000"):
        Models(found).compiled(0)


@pytest.mark.parametrize("name", ["../a.xml", "/etc/passwd", "C:/a.xml", "a/../b.xml", "", "./a.xml", "a\\..\\b"])
def test_names_that_lead_out_are_refused(path: Path, tmp_path: Path, name: str) -> None:
    frames = frames_of(path)

    def rename(data: bytes) -> bytes:
        table = ff.unpack_json(data)
        table["files"].append([name, table["files"][0][1]])
        return ff.pack_json(table)

    forged(frames, "MODL", rename)
    write_frames(tmp_path / "bad.ktr", frames)
    with pytest.raises(RecordingError, match="recording"):
        read_recording(tmp_path / "bad.ktr")


def test_other_files_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.ktr"
    for content in (b"", b"<mujoco/>", b"\x89KTR"):
        other.write_bytes(content)
        with pytest.raises(RecordingError, match="this is not a recording"):
            read_recording(other)
    other.write_bytes(START[:8] + b"\x07\0\0\0")
    with pytest.raises(RecordingError, match="version 7 of the format is not known"):
        read_recording(other)
    with pytest.raises(RecordingError, match="No such file"):
        read_recording(tmp_path / "missing.ktr")
