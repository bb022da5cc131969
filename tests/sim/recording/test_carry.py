"""Videos that carry their recording: they play as before, and the recording is found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sim
from app.render.capture.video import VideoWriter
from sim.recording.carry import carry, find_carried
from sim.recording.frames import RecordingError
from sim.recording.models import Models
from sim.recording.read import read_recording
from tests.sim.recording.made_runs import MODEL, made_run, record
from tests.sim.recording.test_read import assert_same_run


def film(path: Path) -> None:
    with VideoWriter(path, (64, 48), 30) as video:
        for k in range(20):
            video.write(np.full((48, 64, 3), 10 * k, np.uint8))


def frames(path: Path) -> list[bytes]:
    import av

    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24").tobytes() for frame in container.decode(video=0)]


@pytest.mark.parametrize("suffix", [".mp4", ".gif"])
def test_a_video_with_its_recording(tmp_path: Path, suffix: str) -> None:
    made, video, recording = made_run(sim.loads(MODEL)), tmp_path / f"film{suffix}", tmp_path / "run.ktr"
    record(made, recording)
    film(video)
    before, plain = frames(video), video.read_bytes()
    carry(video, recording)
    assert frames(video) == before
    assert video.read_bytes().startswith(plain)
    recording.unlink()
    found = read_recording(video)
    Models(found)
    assert found.ended
    assert_same_run(found.run, made.run)
    if suffix == ".mp4":
        # boxes follow one another up to the end
        data, at = video.read_bytes(), 0
        while at < len(data):
            size = int.from_bytes(data[at : at + 4], "big")
            at += int.from_bytes(data[at + 8 : at + 16], "big") if size == 1 else size
        assert at == len(data)


def test_a_video_without_one(tmp_path: Path) -> None:
    film(tmp_path / "film.mp4")
    with pytest.raises(RecordingError, match="does not contain a recording"):
        find_carried(tmp_path / "film.mp4")


def test_what_cannot_carry(tmp_path: Path) -> None:
    (tmp_path / "a.png").touch()
    with pytest.raises(RecordingError, match=r"only .mp4 and .gif"):
        carry(tmp_path / "a.png", tmp_path / "a.png")
    film(tmp_path / "film.gif")
    before = (tmp_path / "film.gif").read_bytes()
    with pytest.raises(RecordingError, match="No such file"):
        carry(tmp_path / "film.gif", tmp_path / "missing.ktr")
    assert (tmp_path / "film.gif").read_bytes() == before
