"""Recordings of a run: written while it goes on, opened again, every moment the same to the bit, with its journal."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sim
from app.run import commands as cmd
from app.run.sim_thread import SimThread
from app.run.snapshot import Snapshot
from tests.app.live import RICH_MODEL, Hand
from tests.app.run.test_sim_thread import wait_for

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
    history, timeline = hand.thread._history, done.run.history
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
        assert thread._history.row(*moment).tobytes() == rows[moment].tobytes(), moment
        journal = thread._history.run.find(*moment).note
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
    row = hand.thread._history.row(0, 77)
    hand.thread.close()
    assert recording.data(step=77).qpos.tobytes() == row[1 : 1 + recording.model.nq].tobytes()
    assert np.array_equal(recording.evaluate("m.opt.gravity[2]", every=50), [-10.0, -3.0, -3.0])


def test_a_folder_that_is_gone_is_said(tmp_path: Path) -> None:
    hand = Hand(tmp_path, RICH_MODEL)
    hand.thread.send(cmd.StartRecording(str(tmp_path / "nowhere" / "run.ktr")))
    shown = wait_for(hand.thread, lambda s: s.run.problem is not None)
    assert shown.run.problem is not None and "nowhere" in shown.run.problem.text
    assert shown.run.recording is None
    hand.thread.close()
