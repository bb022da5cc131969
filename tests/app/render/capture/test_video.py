"""Video files: what was drawn comes back when they are decoded, whatever ends the recording."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sim
from app.application import Application
from app.render.capture import recorder
from app.render.capture.recorder import CaptureOptions, OffscreenRun, record_video
from app.render.capture.recording import MAX_QUEUED, RecordingOptions, VideoRecording
from app.render.capture.video import Pixels, VideoError, VideoWriter
from app.run import commands as cmd
from app.view.input import recording
from app.view.view_state import ViewState
from tests.app.live import Hand
from tests.app.movie import read_frames
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[3]

BALL = """<mujoco><worldbody><geom type='plane' size='0 0 1' rgba='.3 .4 .5 1'/>
<body pos='0 0 .6'><joint type='slide' axis='0 0 1'/><geom size='.2' rgba='.8 .3 .2 1'/></body></worldbody></mujoco>"""


def picture(number: int, width: int = 160, height: int = 90) -> Pixels:
    """A block that moves over a smooth ground."""
    y, x = np.mgrid[0:height, 0:width]
    pixels = np.stack([x, 2 * y, np.full_like(x, 60)], axis=2).astype(np.uint8)
    pixels[20:50, 3 * number : 3 * number + 30] = (220, 70, 40)
    return pixels


def distance(a: Pixels, b: Pixels) -> float:
    """Mean difference of two pictures over what both have."""
    height, width = min(a.shape[0], b.shape[0]), min(a.shape[1], b.shape[1])
    return float(np.abs(a[:height, :width].astype(int) - b[:height, :width]).mean())


@pytest.mark.parametrize(("suffix", "closeness"), [("mp4", 2.0), ("gif", 4.0)])
@pytest.mark.parametrize("size", [(160, 90), (161, 91)])
def test_frames_come_back(tmp_path: Path, suffix: str, closeness: float, size: tuple[int, int]) -> None:
    drawn = [picture(k, *size) for k in range(20)]
    with VideoWriter(tmp_path / "new" / f"x.{suffix}", size, 25) as video:
        for pixels in drawn:
            video.write(pixels)
    frames = list(read_frames(video.path))
    assert len(frames) == video.frames == 20
    for k, frame in enumerate(frames):
        assert distance(frame, drawn[k]) < closeness
        # no frame is taken for its neighbour
        assert distance(frame, drawn[k]) < distance(frame, drawn[(k + 3) % 20])


def test_another_size_is_scaled(tmp_path: Path) -> None:
    with VideoWriter(tmp_path / "x.mp4", (160, 90), 25) as video:
        video.write(picture(3))
        video.write(np.repeat(np.repeat(picture(3), 2, axis=0), 2, axis=1))
    first, second = read_frames(video.path)
    assert distance(first, second) < 3


KILLED = """
import sys, os, numpy as np
from pathlib import Path
from app.render.capture.video import VideoWriter
from tests.app.render.capture.test_video import picture
video = VideoWriter(Path(sys.argv[1]), (160, 90), 20)
for k in range(40):
    video.write(picture(k))
print("written", flush=True)
os.kill(os.getpid(), 9)
"""


def test_killed_recording_plays_up_to_the_interruption(tmp_path: Path) -> None:
    path = tmp_path / "x.mp4"
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == -9
    assert "written" in done.stdout
    frames = list(read_frames(path))
    # two seconds were written; less than a fragment of half a second is lost
    assert len(frames) >= 30
    assert all(distance(frame, picture(k)) < 2 for k, frame in enumerate(frames))


FULL = """
import resource, sys
from pathlib import Path
from app.render.capture.video import VideoError, VideoWriter
from tests.app.render.capture.test_video import picture
import numpy as np
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
video = VideoWriter(Path(sys.argv[1]), (160, 90), 20)
noise = np.random.default_rng(0)
try:
    for k in range(400):
        video.write(noise.integers(0, 255, (90, 160, 3), np.uint8) if k > 20 else picture(k))
except VideoError as error:
    print(error)
video.close()
"""


def test_full_disk_is_one_sentence_and_keeps_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "x.mp4"
    done = subprocess.run([sys.executable, "-c", FULL, str(path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1
    assert "x.mp4 ends after" in done.stdout
    assert "file too large" in done.stdout
    assert len(list(read_frames(path))) >= 20


@pytest.mark.parametrize("suffix", [".mp4", ".gif"])
@pytest.mark.parametrize("broken", [False, True])
def test_an_old_video_stays_until_its_successor_is_whole(tmp_path: Path, suffix: str, broken: bool) -> None:
    path = tmp_path / f"x{suffix}"
    path.write_bytes(b"good")
    with suppress(KeyboardInterrupt), VideoWriter(path, (16, 16), 25) as video:
        video.write(picture(0))
        assert path.read_bytes() == b"good"
        if broken:
            raise KeyboardInterrupt
    assert (path.read_bytes() == b"good") == broken
    # what there is of it plays
    other = tmp_path / f"x.part{suffix}"
    assert other.exists() == broken
    assert len(list(read_frames(other if broken else path))) == 1


def test_an_old_image_stays_until_its_successor_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, pixels = tmp_path / "x.png", np.zeros((4, 4, 3), np.uint8)
    run = SimpleNamespace(advance_to=lambda seconds: None, capture=lambda: pixels)
    monkeypatch.setattr(recorder, "OffscreenRun", lambda *_: nullcontext(run))
    options = CaptureOptions()
    recorder.render_image(sim, Path(), path, options)  # type: ignore[arg-type]
    good = path.read_bytes()
    pixels = np.zeros((4, 4, 9), np.uint8)
    with pytest.raises(TypeError):
        recorder.render_image(sim, Path(), path, options)  # type: ignore[arg-type]
    assert path.read_bytes() == good
    pixels = np.zeros((5, 5, 3), np.uint8)
    recorder.render_image(sim, Path(), path, options)  # type: ignore[arg-type]
    assert path.read_bytes() != good
    assert [*tmp_path.iterdir()] == [path]


def test_a_film_without_a_picture_is_no_file(tmp_path: Path) -> None:
    for suffix in ("mp4", "gif"):
        path = tmp_path / f"x.{suffix}"
        VideoWriter(path, (16, 16), 25).close()
        assert not path.exists()


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (3, 700), (4000, 2)])
def test_any_size(tmp_path: Path, size: tuple[int, int]) -> None:
    with VideoWriter(tmp_path / "x.mp4", size, 25) as video:
        video.write(picture(0, 160, 90))
    (frame,) = read_frames(video.path)
    assert frame.shape[1::-1] == video.size


def test_what_the_encoder_says_is_one_sentence(tmp_path: Path) -> None:
    import av

    video = VideoWriter(tmp_path / "x.mp4", (16, 16), 25)
    video.write(picture(0))

    class Stubborn:
        def encode(self, _: object) -> None:
            raise av.error.InvalidDataError(1, "no such picture")

    video._stream = Stubborn()
    with pytest.raises(VideoError, match=r"x\.mp4 ends after 0\.0 s of video: .*no such picture"):
        video.write(picture(1))
    video.close()


def test_bad_places(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(VideoError, match="is not a folder"):
        VideoWriter(file / "x.mp4", (16, 16), 25)
    with pytest.raises(VideoError, match="is a directory"):
        (tmp_path / "folder.mp4").mkdir()
        VideoWriter(tmp_path / "folder.mp4", (16, 16), 25)
    with pytest.raises(VideoError, match=r"\.mp4, \.gif"):
        VideoWriter(tmp_path / "x.avi", (16, 16), 25)


def test_recorded_frames_are_the_pictures_of_their_moments(tmp_path: Path) -> None:
    model = tmp_path / "ball.xml"
    model.write_text(BALL)
    shot, told = CaptureOptions((160, 90)), []
    frames = record_video(
        sim, model, tmp_path / "x.mp4", shot, 0.5, 20, lambda done, total, label: told.append((done, total, label))
    )
    decoded = list(read_frames(tmp_path / "x.mp4"))
    assert frames == len(decoded) == 10
    assert told[-1] == (10, 10, "frames")
    with OffscreenRun(sim, model, shot) as run:
        for k in (0, 4, 9):
            run.advance_to(k / 20)
            assert distance(decoded[k], run.capture()) < 2
    assert distance(decoded[0], decoded[9]) > 3


def begun(tmp_path: Path, **options: object) -> VideoRecording:
    """A film of 20 frames a second."""
    return VideoRecording(tmp_path / "x.mp4", (160, 90), RecordingOptions(fps=20, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("moments", "counts"),
    [
        # faster than the film: some are left out
        ([0, 0.02, 0.04, 0.06, 0.11], [1, 0, 0, 1, 1]),
        # slower: some are repeated
        ([0, 0.2, 0.25], [1, 4, 1]),
        # the clock stands, is set back, or jumps
        ([1, 1, 1, 0.5, 0.55, 900, 900.05], [1, 0, 0, 0, 1, 0, 1]),
    ],
)
def test_film_runs_as_fast_as_its_clock(tmp_path: Path, moments: list[float], counts: list[int]) -> None:
    taken = begun(tmp_path)
    assert [taken.due(moment) for moment in moments] == counts
    taken.finish()


@pytest.mark.parametrize("loop", [None, (0, 60)])
def test_a_replay_moves_on_from_frame_to_frame(tmp_path: Path, loop: tuple[int, int] | None) -> None:
    hand, taken, frames = Hand(tmp_path), begun(tmp_path), 0
    try:
        hand.send(cmd.StepOnce(60))
        hand.send(cmd.GoTo(0))
        hand.send(cmd.SetLoop(loop))
        hand.thread.send(cmd.SetPaused(False))
        end = time.monotonic() + PATIENCE
        # a frame lasts 8 1/3 steps
        taken._video._fps = 60
        while frames < 6 and time.monotonic() < end:
            frames += taken.due(hand.thread.latest.run.time)
            hand.thread.send(cmd.HoldAt(taken.next_due))
            time.sleep(0.001)
    finally:
        hand.thread.close()
        taken.finish()
    assert frames >= 6


def test_a_film_that_is_cut_off_is_reported(tmp_path: Path) -> None:
    sent: list[cmd.Command] = []
    taken = begun(tmp_path)
    taken.error = "the disk is full"
    app: Any = SimpleNamespace(view=ViewState(recording=taken), send=sent.append)
    app.report = partial(Application.report, app)
    recording.stop(app)
    assert sent == [cmd.HoldAt(None), cmd.Report("The video was cut short", "the disk is full")]
    # a script that is busy takes up no card
    assert app.view.feedback.message == "The video was cut short: the disk is full"


def test_a_video_carries_its_recording(tmp_path: Path) -> None:
    for count in (0, 3):
        sent: list[cmd.Command] = []
        taken = begun(tmp_path, with_recording=True)
        if count:
            taken.append(picture(0), count)
        app: Any = SimpleNamespace(view=ViewState(recording=taken), send=sent.append)
        recording.stop(app)
        carried = [command.video for command in sent if isinstance(command, cmd.SaveRecording)]
        assert carried == ([str(taken.path)] if count else [])


def test_film_says_when_the_next_frame_is_due(tmp_path: Path) -> None:
    taken = begun(tmp_path)
    for moment, following in ((1.0, 1.05), (1.02, 1.05), (1.06, 1.1), (0.5, 0.54)):
        taken.due(moment)
        assert taken.next_due == pytest.approx(following)
    taken.finish()


def test_film_is_written_beside_the_window(tmp_path: Path) -> None:
    taken = begun(tmp_path)
    for k in range(30):
        taken.append(picture(k), 1 + k % 2)
    taken.finish()
    assert taken.error == ""
    assert taken.seconds == 45 / 20
    assert len(list(read_frames(taken.path))) == 45


def test_a_recording_says_when_a_frame_would_have_to_wait(tmp_path: Path) -> None:
    taken, busy, goes_on = begun(tmp_path), threading.Event(), threading.Event()

    def slow(_: object) -> None:
        busy.set()
        assert goes_on.wait(60)

    taken._video.write = slow  # type: ignore[method-assign, assignment]
    taken.append(picture(0), 1)
    assert busy.wait(60) and not taken.full
    for k in range(MAX_QUEUED):
        assert not taken.full
        taken.append(picture(k), 1)
    assert taken.full
    goes_on.set()
    taken.finish()


@pytest.mark.parametrize("kind", [VideoError, MemoryError])
def test_film_that_cannot_go_on_says_so_and_holds_nobody_up(tmp_path: Path, kind: type[Exception]) -> None:
    taken = begun(tmp_path)
    os.unlink(taken.path)

    def fail(_: object) -> None:
        raise kind("no more room")

    taken._video.write = fail  # type: ignore[method-assign, assignment]
    for k in range(40):
        taken.append(picture(k), 1)
    # it ends when all that was taken has been tried
    taken.finish()
    assert taken.error == "no more room"
