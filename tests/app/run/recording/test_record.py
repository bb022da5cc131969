"""Recordings of a run: written while it goes on, opened again, every moment the same to the bit, with its journal."""

from __future__ import annotations

import queue
import shutil
from pathlib import Path

import numpy as np
import pytest

import sim
from app.render.capture.video import VideoWriter
from app.run import commands as cmd
from app.run.journal.saved_run import CapturedRun
from app.run.restore import RESTORED
from app.run.sim_thread import SimThread
from app.run.snapshot import Snapshot
from sim.recording.read import read_recording
from tests.app.live import RICH_MODEL, Hand
from tests.app.movie import read_frames
from tests.app.run.test_sim_thread import wait_for
from tests.patience import PATIENCE

SLEEPY = RICH_MODEL.replace("<option gravity='0 0 -10'/>", "<option gravity='0 0 -10'><flag sleep='enable'/></option>")


def opened(path: Path) -> tuple[SimThread, Snapshot]:
    """A simulation that has opened a recording."""
    thread = SimThread(sim)
    thread.start()
    thread.send(cmd.LoadModel(str(path)))
    return thread, wait_for(thread, lambda s: s.run.ready and s.run.history.now == 0 and s.run.paused)


def busy_run(hand: Hand, path: Path) -> None:
    """Record steps, edits, a pull, a branch, a second root, a reload."""
    hand.send(cmd.StepOnce(30))
    hand.thread.send(cmd.StartRecording(str(path)))
    wait_for(hand.thread, lambda s: s.run.recording is not None)
    hand.send(cmd.SetField("geom_friction", 0.5, (0,), 0))
    hand.send(cmd.StepOnce(20))
    hand.send(cmd.SetPaused(False))
    hand.thread.send(cmd.Perturb(cmd.Perturbation(1, (0.0, 0.0, 0.0), (0.0, 0.0, 3.0))))
    wait_for(hand.thread, lambda s: s.run.history.now > 80)
    hand.thread.send(cmd.Perturb(None))
    hand.send(cmd.SetPaused(True))
    hand.send(cmd.GoTo(40))
    hand.send(cmd.SetField("opt.gravity", -3.0, (2,)))
    hand.send(cmd.StepOnce(25))
    hand.send(cmd.SetData("ctrl", 0, (0.7,)))
    hand.send(cmd.StepOnce(25))
    hand.send(cmd.Reset())
    hand.send(cmd.StepOnce(10))


@pytest.mark.parametrize("model", [RICH_MODEL, SLEEPY], ids=["awake", "sleep"])
def test_a_recording_has_every_moment_to_the_bit(tmp_path: Path, model: str) -> None:
    hand = Hand(tmp_path, model)
    path = tmp_path / "run.ktr"
    busy_run(hand, path)
    hand.thread.send(cmd.StopRecording())
    done = wait_for(hand.thread, lambda s: s.run.recording is None)
    assert done.run.notification == f"saved {path}"
    history, timeline = hand.thread.live.history, done.run.history
    assert len(timeline.branches) == 3
    moments = [(branch.id, step) for branch in timeline.branches for step in range(branch.last + 1)]
    rows = {moment: history.row(*moment) for moment in moments}
    journals = {moment: history.run.find(*moment).note for moment in moments}
    hand.thread.close()

    recording = sim.load_recording(path)
    assert not recording.damage
    assert recording.verify() is None
    thread, shown = opened(path)
    again = shown.run.history
    assert [(b.id, b.parent, b.fork, b.last, b.name) for b in again.branches] == [
        (b.id, b.parent, b.fork, b.last, b.name) for b in timeline.branches
    ]
    assert [b.markers for b in again.branches] == [b.markers for b in timeline.branches]
    for moment in moments[:: 7 if model is SLEEPY else 3]:
        assert thread.live.history.row(*moment).tobytes() == rows[moment].tobytes(), moment
        journal = thread.live.history.run.find(*moment).note
        assert [(e.number, e.text, e.writes, e.on) for e in journal.entries] == [
            (e.number, e.text, e.writes, e.on) for e in journals[moment].entries
        ]
    # it goes on from anywhere
    thread.send(cmd.GoTo(60, 1))
    there = wait_for(thread, lambda s: s.run.history.now == 60 and s.run.history.branch == 1)
    assert there.model is not None and there.model.opt.gravity[2] == -3.0
    thread.send(cmd.GoOn())
    wait_for(thread, lambda s: s.run.history.branch == 3 and s.run.history.now > 65)
    thread.close()


def test_a_recording_of_the_past(tmp_path: Path) -> None:
    hand = Hand(tmp_path, RICH_MODEL)
    hand.send(cmd.StepOnce(50))
    hand.send(cmd.SetField("opt.gravity", -3.0, (2,)))
    hand.send(cmd.StepOnce(50))
    path = tmp_path / "past.ktr"
    hand.thread.send(cmd.SaveRecording(str(path)))
    wait_for(hand.thread, lambda s: s.run.notification == f"saved {path}")
    recording = sim.load_recording(path)
    row = hand.thread.live.history.row(0, 77)
    hand.thread.close()
    assert recording.data(step=77).qpos.tobytes() == row[1 : 1 + recording.model.nq].tobytes()
    assert np.array_equal(recording.evaluate("m.opt.gravity[2]", every=50), [-10.0, -3.0, -3.0])


def test_a_video_carries_its_recording(tmp_path: Path) -> None:
    """It plays as before, is opened like a recording, and shows what was seen; there is no other file."""
    hand = Hand(tmp_path, RICH_MODEL)
    hand.send(cmd.StepOnce(50))
    for suffix in ("mp4", "gif"):
        video, path = tmp_path / f"film.{suffix}", tmp_path / "film.ktr"
        with VideoWriter(video, (32, 32), 20) as writer:
            writer.write(np.full((32, 32, 3), 77, np.uint8))
        before = [frame.tolist() for frame in read_frames(video)]
        hand.thread.send(cmd.SaveRecording(str(path), "what was seen", str(video)))
        wait_for(hand.thread, lambda s: s.run.notification == f"saved {video} with its recording")  # noqa: B023
        assert not path.exists()
        assert [frame.tolist() for frame in read_frames(video)] == before
        thread, shown = opened(video)
        assert (shown.run.view, shown.run.history.last) == ("what was seen", 50)
        assert thread.live.history.row(0, 33).tobytes() == hand.thread.live.history.row(0, 33).tobytes()
        thread.close()
    # a video that is gone
    hand.thread.send(cmd.SaveRecording(str(path), "", str(tmp_path / "gone.mp4")))
    failed = wait_for(hand.thread, lambda s: s.run.problem is not None)
    assert failed.run.problem is not None and "gone.mp4" in failed.run.problem.text
    assert not path.exists()
    hand.thread.close()


def test_the_view_of_a_recording(tmp_path: Path) -> None:
    """That at the start if it is cut off, else that at the end."""
    hand = Hand(tmp_path, RICH_MODEL)
    hand.send(cmd.StepOnce(50))
    path, cut, model = tmp_path / "run.ktr", tmp_path / "cut.ktr", str(tmp_path / "model.xml")
    hand.thread.send(cmd.StartRecording(str(path), "first"))
    # what is in the file by then is what a crash leaves
    wait_for(hand.thread, lambda s: s.run.recording is not None and _last_step(path, cut) == 50)
    hand.thread.send(cmd.StopRecording("last"))
    wait_for(hand.thread, lambda s: s.run.recording is None)
    hand.thread.close()
    for file, view in ((cut, "first"), (path, "last")):
        thread, shown = opened(file)
        assert shown.run.view == view
        # another model has none
        thread.send(cmd.LoadModel(model))
        assert wait_for(thread, lambda s: s.run.path == model and s.run.ready).run.view == ""
        thread.close()


def _last_step(path: Path, copy: Path) -> int:
    """The last step in a copy of a recording that is being written, or -1."""
    shutil.copy(path, copy)
    try:
        return max((branch.last for branch in read_recording(copy).run.branches.values()), default=-1)
    except ValueError:
        return -1


def test_a_recording_that_is_watched_has_nothing_unsaved(tmp_path: Path) -> None:
    """What is edited on top of it has; and a session of it goes on with that."""
    hand, path = Hand(tmp_path), tmp_path / "run.ktr"
    hand.send(cmd.StepOnce(10))
    hand.send(cmd.SetField("opt.timestep", 0.003))
    hand.send(cmd.StepOnce(10))
    hand.thread.send(cmd.SaveRecording(str(path)))
    wait_for(hand.thread, lambda s: "saved" in s.run.notification)
    hand.thread.close()
    thread, _ = opened(path)
    for moment in (20, 3, 20):
        thread.send(cmd.GoTo(moment))
        shown = wait_for(thread, lambda s, m=moment: s.run.history.now == m)  # type: ignore[misc]
        assert (shown.unsaved, shown.unsaved_elsewhere) == ((), ())
    thread.send(cmd.SetField("opt.gravity", -5.0, (2,)))
    shown = wait_for(thread, lambda s: bool(s.unsaved))
    assert [text.partition(":")[0] for text in shown.unsaved] == ["gravity"]
    answers: queue.SimpleQueue[CapturedRun] = queue.SimpleQueue()
    thread.send(cmd.Capture(answers.put))
    saved = answers.get(timeout=PATIENCE).saved(sim.pack_state)
    assert saved.path == str(path)
    thread.close()
    again, _ = opened(path)
    again.send(cmd.restore_command(saved))
    restored = wait_for(again, lambda s: s.run.notification.startswith("restored"))
    assert restored.run.notification.startswith(RESTORED)
    assert (restored.model.opt.timestep, restored.model.opt.gravity[2]) == (0.003, -5.0)  # type: ignore[union-attr]
    assert restored.run.time == pytest.approx(shown.run.time)
    again.close()


def test_a_folder_that_is_gone_is_said(tmp_path: Path) -> None:
    hand = Hand(tmp_path, RICH_MODEL)
    hand.thread.send(cmd.StartRecording(str(tmp_path / "nowhere" / "run.ktr")))
    shown = wait_for(hand.thread, lambda s: s.run.problem is not None)
    assert shown.run.problem is not None and "nowhere" in shown.run.problem.text
    assert shown.run.recording is None
    hand.thread.close()
