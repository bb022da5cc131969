"""The audit of a run: a range that moves with it, the past, edits, jumps, another branch, a reload."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.instruments.energy.pieces import BLOCK, Pieces, cuts
from app.instruments.energy.state import EnergyState
from app.instruments.energy.worker import EnergyWorker, Request
from app.run import commands as cmd
from sim.analysis.audit.work_source import BY_HAND, EDIT, WorkSource
from tests.app.live import Hand, let_follow
from tests.app.run.test_sim_thread import wait_for


def request_of(hand: Hand, **choices: object) -> Request:
    view = EnergyState(range="all")
    view.ask(hand.settle())
    request = view.take_request()
    assert request is not None
    return replace(request, **choices)  # type: ignore[arg-type]


def settled(worker: EnergyWorker, request: Request) -> None:
    """Let the worker do all that there is to do."""
    let_follow(worker, request)


def closes(worker: EnergyWorker) -> None:
    """Work sums to the change of energy, over all and from piece to piece."""
    found = worker.latest
    total = found.total
    assert total is not None and not found.error
    work = sum(total.work_in.values()) + sum(total.work_out.values())
    assert work == pytest.approx(total.change, rel=1e-9, abs=1e-9)
    for before, after in zip(found.parts, found.parts[1:], strict=False):
        assert before.last == after.first
        assert before.end.total == pytest.approx(after.start.total, rel=1e-12)


def test_all_steps_are_added_up(fresh: Hand) -> None:
    fresh.send(cmd.StepOnce(130))
    worker = EnergyWorker(fresh.thread.send)
    settled(worker, request_of(fresh))
    closes(worker)
    found = worker.latest
    assert found.total is not None and (found.total.first, found.total.last) == (0, 130)
    assert found.identity is fresh.model.identity
    assert [part.last for part in found.parts] == [25, 50, 75, 100, 125, 130]
    assert [law.charge is None for law in found.laws][:2] == [True, False]
    assert found.curves.times[-1] == pytest.approx(found.total.times[1])


def test_it_keeps_up_with_a_run(fresh: Hand) -> None:
    worker = EnergyWorker(fresh.thread.send)
    for steps in (10, 20, 3, 40):
        fresh.send(cmd.StepOnce(steps))
        settled(worker, request_of(fresh))
        closes(worker)
    assert worker.latest.total is not None and worker.latest.total.last == 73
    assert [(part.first, part.last) for part in worker.latest.parts] == [(0, 25), (25, 50), (50, 73)]


def test_a_range_in_the_past_and_its_loop(fresh: Hand) -> None:
    fresh.send(cmd.StepOnce(100))
    worker = EnergyWorker(fresh.thread.send)
    settled(worker, request_of(fresh, first=30, last=60))
    closes(worker)
    assert worker.latest.total is not None
    assert (worker.latest.total.first, worker.latest.total.last) == (30, 60)
    fresh.send(cmd.GoTo(42))
    settled(worker, request_of(fresh))
    closes(worker)
    assert worker.latest.total.last == 42


def test_an_edit_is_named_whether_it_was_seen_or_not(fresh: Hand) -> None:
    seen = EnergyWorker(fresh.thread.send)
    fresh.send(cmd.StepOnce(30))
    settled(seen, request_of(fresh))
    fresh.send(cmd.SetField("opt.gravity", -5.0, (2,)))
    fresh.send(cmd.StepOnce(30))
    settled(seen, request_of(fresh))
    later = EnergyWorker(fresh.thread.send)
    settled(later, request_of(fresh))
    for worker in (seen, later):
        closes(worker)
        total = worker.latest.total
        assert total is not None and total.net(EDIT) < -1.0
        assert total.acted[EDIT] == 30
    assert seen.latest.total.net(EDIT) == pytest.approx(later.latest.total.net(EDIT))  # type: ignore[union-attr]


def test_a_state_that_is_set_is_named(fresh: Hand) -> None:
    worker = EnergyWorker(fresh.thread.send)
    fresh.send(cmd.StepOnce(10))
    settled(worker, request_of(fresh))
    fresh.send(cmd.SetData("qvel", 0, (3.0,)))
    fresh.send(cmd.StepOnce(10))
    settled(worker, request_of(fresh))
    closes(worker)
    total = worker.latest.total
    # half m v², of the ball that weighs a kilogram
    assert total is not None and total.net(BY_HAND) == pytest.approx(4.5)
    assert worker.latest.laws[0].breakers[0].source == BY_HAND


def test_momentum_of_one_tree(fresh: Hand) -> None:
    fresh.send(cmd.StepOnce(40))
    worker = EnergyWorker(fresh.thread.send)
    settled(worker, request_of(fresh, tree=0))
    closes(worker)
    ball = worker.latest.laws[1:]
    assert [law.verdict for law in ball] == ["holds", "holds", "none", "holds", "holds", "holds"]
    # all together: the arm is tied to the world
    settled(worker, request_of(fresh, tree=-1))
    assert all(law.charge is not None and law.charge.blocker >= 0 for law in worker.latest.laws[1:])


def test_another_branch_is_audited_again(fresh: Hand) -> None:
    fresh.send(cmd.StepOnce(60))
    worker = EnergyWorker(fresh.thread.send)
    settled(worker, request_of(fresh))
    fresh.send(cmd.GoTo(20))
    fresh.send(cmd.SetData("ctrl", 0, (1.0,)))
    fresh.send(cmd.GoOn())
    fresh.send(cmd.StepOnce(20))
    request = request_of(fresh)
    settled(worker, request)
    closes(worker)
    assert worker.latest.key == request.key
    motor = WorkSource("actuator", "actuator", (0,))
    assert worker.latest.total is not None and worker.latest.total.acted[motor] == 21


def test_a_reload_begins_again(fresh: Hand) -> None:
    fresh.send(cmd.StepOnce(40))
    worker = EnergyWorker(fresh.thread.send)
    settled(worker, request_of(fresh))
    known = fresh.model.identity
    fresh.thread.send(cmd.Reload())
    wait_for(fresh.thread, lambda shown: shown.model is not None and shown.model.identity is not known)
    settled(worker, request_of(fresh))
    # no step was made with it
    assert worker.latest.total is None and worker.latest.identity is fresh.model.identity
    fresh.send(cmd.StepOnce(10))
    settled(worker, request_of(fresh))
    closes(worker)
    assert worker.latest.total is not None and (worker.latest.total.first, worker.latest.total.last) == (40, 50)


def test_a_run_that_diverges_is_audited_on_both_sides(fresh: Hand) -> None:
    fresh.send(cmd.StepOnce(30))
    fresh.send(cmd.SetData("qvel", 0, (1e200,)))
    fresh.send(cmd.StepOnce(40))
    worker = EnergyWorker(fresh.thread.send)
    request = request_of(fresh)
    settled(worker, request)
    after = worker.latest.total
    # the engine has reset the state: time begins again
    assert after is not None and after.first > 30 and after.last == request.last and after.times[0] < 0.01
    settled(worker, replace(request, last=30))
    before = worker.latest.total
    assert before is not None and (before.first, before.last) == (0, 30)


def test_where_it_cannot_keep_up_it_begins_near_the_present(fresh: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.instruments.energy.worker.MOST_BEHIND", 60)
    worker = EnergyWorker(fresh.thread.send)
    fresh.send(cmd.StepOnce(20))
    settled(worker, request_of(fresh))
    fresh.send(cmd.StepOnce(200))
    request = request_of(fresh)
    worker._request = request
    wanted = worker._missing(request)
    assert wanted is not None and wanted[0] >= 220 - 2 * BLOCK
    settled(worker, request)
    assert worker.latest.total is not None and (worker.latest.total.first, worker.latest.total.last) == (0, 220)


def test_pieces_meet_at_blocks() -> None:
    assert cuts(10, 60) == [(10, 25), (25, 50), (50, 60)]
    assert cuts(0, 25) == [(0, 25)]
    assert cuts(5, 5) == []
    assert Pieces().run(0, 100) == []
