"""Lockstep beside a run: the moment that is shown, the recorded past, free runs, ghosts, and what is said without."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.instruments.lockstep.judge import Verdict
from app.instruments.lockstep.load import NO_FILE, pair_of_model
from app.instruments.lockstep.pair import Pair
from app.instruments.lockstep.worker import LockstepWorker, Request
from app.run import commands as cmd
from app.run.engine.mujoco_engine import mujoco_engine
from sim import Model
from tests.app.live import Hand, let_follow


def request_of(hand: Hand, **choices: object) -> Request:
    snapshot = hand.settle()
    return replace(Request(snapshot.run.history, snapshot.serial), **choices)  # type: ignore[arg-type]


def settled(worker: LockstepWorker, request: Request) -> None:
    """Let the worker do all that there is to do."""
    let_follow(worker, request)


def heavier(model: Model) -> Pair:
    """MuJoCo with a gravity of its own, which no constant shows: the pair was made before."""
    pair = pair_of_model(model)
    assert model.engine is not pair.theirs.engine
    pair.theirs.model.opt.gravity[2] = -20.0
    return pair


def test_shown_moment_and_recorded_past_are_the_same_as_mujocos(fresh: Hand) -> None:
    fresh.send(cmd.StepOnce(30))
    worker = LockstepWorker(fresh.thread.send)
    settled(worker, request_of(fresh))
    found = worker.latest
    assert found.comparison is not None and not found.error
    assert {judged.verdict for judged in found.comparison.stages} == {Verdict.SAME}
    assert (found.step, found.identity) == (30, fresh.model.identity)
    assert [*found.past] == [*range(31)]
    assert max(excess for _, excess in found.past.values()) < 1.0
    assert found.past[30][0] == pytest.approx(fresh.state.time)


def test_what_differs_is_told_for_a_moment_of_the_past_too(fresh: Hand) -> None:
    fresh.send(cmd.StepOnce(20))
    fresh.send(cmd.GoTo(7))
    worker = LockstepWorker(fresh.thread.send, pair_of=heavier)
    settled(worker, request_of(fresh))
    culprit = worker.latest.comparison.culprit if worker.latest.comparison else None
    assert worker.latest.step == 7
    assert culprit is not None and (culprit.result.stage.name, culprit.verdict) == ("bias", Verdict.DIFFERS)
    assert culprit.difference is not None and culprit.difference.field == "qfrc_bias"
    assert len(worker.latest.past) == 21
    assert min(excess for _, excess in worker.latest.past.values()) > 1.0


def test_edits_are_made_in_both(fresh: Hand) -> None:
    fresh.send(cmd.SetField("opt.gravity", -3.0, (2,)))
    fresh.send(cmd.StepOnce(5))
    worker = LockstepWorker(fresh.thread.send)
    settled(worker, request_of(fresh))
    found = worker.latest.comparison
    assert found is not None and found.culprit is None


def test_free_run_stays_together_without_a_difference(fresh: Hand) -> None:
    fresh.send(cmd.StepOnce(100))
    worker = LockstepWorker(fresh.thread.send)
    settled(worker, request_of(fresh, since=10))
    found = worker.latest
    assert (found.points[0].step, found.points[-1].step) == (11, 100)
    assert found.parted is None and found.sentence.startswith("Together")


def test_free_run_parts_and_shows_a_ghost(fresh: Hand) -> None:
    fresh.send(cmd.StepOnce(50))
    worker = LockstepWorker(fresh.thread.send, pair_of=heavier)
    request = request_of(fresh, since=10, ghost=True)
    settled(worker, request)
    found = worker.latest
    assert found.parted is not None and found.parted.step == 11
    assert "diverge at" in found.sentence
    assert found.ghost is not None
    # twice the gravity for 40 steps: the ball is lower
    fallen = fresh.state.qpos[2] - found.ghost.qpos[2]
    assert fallen == pytest.approx(10.0 * 0.002**2 * sum(range(41)))
    # from the same state nothing can be seen of it
    settled(worker, request_of(fresh, ghost=True))
    assert worker.latest.ghost is None


def test_controls_of_a_free_run_are_those_of_the_recorded_one(fresh: Hand) -> None:
    fresh.send(cmd.StepOnce(5))
    fresh.send(cmd.SetData("ctrl", 0, (0.8,)))
    fresh.send(cmd.StepOnce(40))
    worker = LockstepWorker(fresh.thread.send)
    settled(worker, request_of(fresh, since=2))
    assert worker.latest.parted is None and worker.latest.points[-1].step == 45


def test_without_a_partner_it_says_why(fresh: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.instruments.lockstep.load.is_installed", lambda: False)
    worker = LockstepWorker(fresh.thread.send)
    settled(worker, request_of(fresh))
    assert worker.latest.comparison is None
    assert "pip install mujoco" in worker.latest.error


def test_a_run_of_mujoco_is_compared_with_ours(tmp_path: Path) -> None:
    """The other way round; a model of a script has no file."""
    path = tmp_path / "m.xml"
    body = "<body><joint damping='1'/><geom size='.1' pos='.2 0 0'/></body>"
    path.write_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    theirs = mujoco_engine().load(str(path))
    pair = pair_of_model(theirs)
    assert pair.theirs.model is theirs and pair.constants.same
    data = theirs.engine.Data(theirs)
    data.qvel[:] = 1.0
    row = theirs.engine.get_state(theirs, data, theirs.engine.record_signature(theirs))
    assert all(result.same for result in pair.compare(row))
    without_file = type(theirs)(theirs.mj)
    assert pair_of_model(without_file).constants.same
    with pytest.raises(Exception, match=NO_FILE):
        pair_of_model(without_file.to_sim())
