"""Sweeps beside a simulation: from the moment that is shown, on some threads, cancelled, and nothing while closed."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

import sim
from app.background.field_choice import FieldChoice, choices_of, options_of
from app.instruments.sweep.outcome import Outcome, Task
from app.instruments.sweep.quantities import DISTANCE, END, MAX, Quantity
from app.instruments.sweep.worker import Request, Sweep, SweepWorker
from app.run import commands as cmd
from app.run.snapshot import Snapshot
from tests.app.live import MODEL, Hand

BALL_Z = Quantity("d.qpos[2]", END)
QUANTITIES = (BALL_Z, Quantity("energy()"), Quantity(DISTANCE, MAX))


def gravity(snapshot: Snapshot) -> FieldChoice:
    assert snapshot.model is not None
    return next(choice for choice in options_of(snapshot.model) if choice.name == "gravity z")


def request_of(hand: Hand, values: tuple[float, ...], seconds: float = 0.1) -> Request:
    snapshot = hand.settle()
    field = gravity(snapshot)
    return Request(Task(field, values, seconds, QUANTITIES), snapshot.run.history, field.value(hand.model))


def swept(hand: Hand, request: Request, threads: int = 2) -> Sweep:
    """Run a sweep to its end."""
    worker = SweepWorker(hand.thread.send, threads)
    worker.want(request)
    job = worker._job
    assert job is not None
    job.thread.join(60)
    assert not job.thread.is_alive()
    return worker.latest


def numbers(found: Sweep) -> list[list[float]]:
    return [[found.outcomes[k].number(quantity) for quantity in QUANTITIES] for k in sorted(found.outcomes)]


def test_each_value_from_the_moment_that_is_shown(fresh: Hand) -> None:
    fresh.send(cmd.StepOnce(20))
    found = swept(fresh, request_of(fresh, (-20.0, -10.0, 0.0)))
    assert found.done and not found.error and not found.running
    assert (found.shares, found.recorded) == ((1.0, 1.0, 1.0), 0.0)
    assert found.time == pytest.approx(0.04)
    # ours, on its own, from the same state
    m = sim.loads(MODEL)
    for k, value in enumerate((-20.0, -10.0, 0.0)):
        d = sim.Data(m)
        m.opt.gravity[2] = -10.0
        sim.step(m, d, 20)
        m.opt.gravity[2] = value
        sim.step(m, d, 50)
        assert found.outcomes[k].number(BALL_Z) == d.qpos[2]
    # the simulation has not noticed
    assert fresh.state.time == pytest.approx(0.04)
    assert fresh.model.opt.gravity[2] == -10.0


def test_distance_is_from_the_present_value(fresh: Hand) -> None:
    found = swept(fresh, request_of(fresh, (-14.0, -10.0), 0.2))
    assert not found.makes_no_difference
    far = [row[2] for row in numbers(found)]
    assert far[1] == 0.0
    assert far[0] >= 4.0 * 0.002**2 * 100 * 101 / 2 * (1 - 1e-12)


def test_a_number_that_nothing_depends_on(fresh: Hand) -> None:
    snapshot = fresh.settle()
    assert snapshot.model is not None
    wind = next(choice for choice in options_of(snapshot.model) if choice.name == "wind x")
    found = swept(fresh, Request(Task(wind, (0.0, 5.0), 0.02), snapshot.run.history, 0.0))
    assert found.makes_no_difference
    assert not replace(found, done=False).makes_no_difference
    assert not replace(found, outcomes={0: found.outcomes[0]}).makes_no_difference


def test_the_number_of_threads_changes_nothing(fresh: Hand) -> None:
    fresh.send(cmd.SetData("ctrl", 0, (0.7,)))
    values = (-20.0, -15.0, -10.0, -5.0, 0.0)
    one, four = (swept(fresh, request_of(fresh, values), threads) for threads in (1, 4))
    assert numbers(one) == numbers(four)
    for k in range(len(values)):
        first, second = one.outcomes[k], four.outcomes[k]
        assert [frame.time for frame in first.frames] == [frame.time for frame in second.frames]
        for mine, other in zip(first.frames, second.frames, strict=True):
            assert np.array_equal(mine.state.geom_xpos, other.state.geom_xpos)


def test_recorded_inputs_go_on_from_a_past_moment(fresh: Hand) -> None:
    fresh.send(cmd.StepOnce(10))
    fresh.send(cmd.SetData("ctrl", 0, (0.9,)))
    head = fresh.send(cmd.StepOnce(40))
    assert head.state is not None
    hinge, height = float(head.state.qpos[14]), float(head.state.qpos[2])
    fresh.send(cmd.GoTo(4))
    request = request_of(fresh, (-10.0, -9.0), 46 * 0.002)
    angle = Quantity("d.qpos[14]")
    found = swept(fresh, replace(request, task=replace(request.task, quantities=(angle, BALL_Z))))
    assert found.recorded == pytest.approx(46 * 0.002)
    # with the present value, what was recorded, to the bit
    assert found.outcomes[0].number(BALL_Z) == height
    assert found.outcomes[0].number(angle) == hinge
    assert found.outcomes[1].number(BALL_Z) > height


def test_edits_of_the_run_stay_below(fresh: Hand) -> None:
    ball = next(choice for choice in choices_of(fresh.settle().model, "body", 1) if choice.name == "mass")  # type: ignore[arg-type]
    fresh.send(cmd.SetField("opt.gravity", -3.0, (2,)))
    snapshot = fresh.settle()
    task = Task(ball, (1.0, 2.0), 0.1, (BALL_Z,))
    found = swept(fresh, Request(task, snapshot.run.history, 1.0))
    fallen = -3.0 * 0.002**2 * 50 * 51 / 2
    assert [outcome.number(BALL_Z) for outcome in found.outcomes.values()] == pytest.approx([1 + fallen] * 2)


def test_cancel_keeps_what_is_done(fresh: Hand) -> None:
    request = request_of(fresh, (-10.0, -9.0, -8.0), 0.02)
    worker = SweepWorker(fresh.thread.send, 1)
    publish = worker.publish_value

    def cancel(request: Request, place: int, share: float, outcome: Outcome | None = None) -> None:
        publish(request, place, share, outcome)
        if outcome is not None:
            request.cancelled.set()

    worker.publish_value = cancel  # type: ignore[method-assign]
    worker.want(request)
    assert worker._job is not None
    worker._job.thread.join(60)
    assert worker.latest.done and not worker.latest.running
    assert [*worker.latest.outcomes] == [0]


def test_another_sweep_or_none_ends_the_one_before(fresh: Hand) -> None:
    worker = SweepWorker(fresh.thread.send, 1)
    first, second = request_of(fresh, (-10.0,), 600.0), request_of(fresh, (-9.0, -10.0), 0.01)
    worker.want(first)
    running = worker._job
    worker.want(second)
    assert first.cancelled.is_set()
    assert running is not None and worker._job is not None
    for job in (running, worker._job):
        job.thread.join(60)
        assert not job.thread.is_alive()
    assert worker.latest.request is second and worker.latest.done
    worker.want(None)
    assert worker.latest.request is None and not worker.latest.outcomes


def test_nothing_runs_while_nothing_is_asked(fresh: Hand) -> None:
    before = threading.active_count()
    worker = SweepWorker(fresh.thread.send)
    version = worker.latest.version
    for _ in range(3):
        worker.want(None)
    assert (threading.active_count(), worker.latest.version) == (before, version)
    worker.close()


def test_a_simulation_without_the_moment_says_so(fresh: Hand) -> None:
    request = request_of(fresh, (-10.0,))
    worker = SweepWorker(lambda command: command.reply(()))  # type: ignore[attr-defined]
    worker.want(request)
    assert worker._job is not None
    worker._job.thread.join(60)
    assert worker.latest.done and "no longer in memory" in worker.latest.error


def test_a_value_that_fails_leaves_the_others(fresh: Hand) -> None:
    found = swept(fresh, request_of(fresh, (float("nan"), -10.0), 0.01))
    assert "finite" in found.outcomes[0].error and not found.outcomes[1].error
    assert found.done
