"""Breakpoints of a run: it stops where one fires, in the present, in the past, and in a script's own loop."""

from __future__ import annotations

import math
from typing import Any

import pytest

import sim
from app.model.selection import Selection
from app.run import commands as cmd
from app.run.history.breakpoints import Breakpoint
from app.run.history.markers import MarkerType
from app.run.history.timeline import BranchView, Timeline
from app.run.passive import PassiveSimulation
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from tests.app.live import Hand
from tests.app.run.test_sim_thread import wait_for

# the ball of tests.app.live falls by 0.9 m
TOUCH = 'touching("ball", "floor")'
FALL = math.sqrt(2 * 0.9 / 10)


@pytest.fixture
def fresh(hand: Hand) -> Hand:
    hand.thread.send(cmd.SetBreakpoints(()))
    return hand


def marks(snapshot: Snapshot) -> list[tuple[int, str]]:
    found = [mark for mark in snapshot.run.history.markers if mark.type is MarkerType.BREAKPOINT]
    return [(mark.moment, mark.text) for mark in found]


def points(*expressions: str) -> cmd.SetBreakpoints:
    return cmd.SetBreakpoints(tuple(Breakpoint(k, text) for k, text in enumerate(expressions, 1)))


def test_a_run_stops_marks_and_points(fresh: Hand) -> None:
    fresh.send(points(TOUCH.replace("ball", "body:ball")))
    fresh.send(cmd.SetPaused(False))
    stopped = wait_for(fresh.thread, lambda s: s.run.paused and s.run.hit is not None)
    hit, run = stopped.run.hit, stopped.run
    assert hit is not None and hit.time == pytest.approx(FALL, abs=0.004) == run.time
    assert hit.moment == (run.history.branch, run.history.now) and run.history.at_head
    assert marks(stopped) == [(run.history.now, 'breakpoint: touching("body:ball", "floor") = 1')]
    assert "stopped at" in run.notification and "touching" in run.notification
    # the contact is one of the state that is shown
    assert hit.selection is not None and hit.selection.kind == "contact"
    assert stopped.state is not None and stopped.model is not None
    touching = stopped.state.contact.geom[hit.selection.index]
    assert {stopped.model.names["geom"][g] for g in touching} == {"floor", "ball"}
    (point,) = run.breakpoints
    assert (point.hits, point.moment, point.time) == (1, hit.moment, hit.time)


def test_it_goes_on_after_a_hit(fresh: Hand) -> None:
    fresh.send(points("d.time >= 0.02", "d.time >= 0.06"))
    first = fresh.send(cmd.StepOnce(1000))
    assert first.run.history.now == 10 and first.run.paused
    second = fresh.send(cmd.StepOnce(1000))
    assert second.run.history.now == 30
    assert fresh.send(cmd.StepOnce(20)).run.history.now == 50
    assert [p.hits for p in second.run.breakpoints] == [1, 1]


def test_bits_are_those_of_a_run_without(fresh: Hand) -> None:
    states = []
    for command in (points(), points("norm(d.qvel) > 4", "not converged()", "rises(energy()) > 1e3")):
        fresh.send(command)
        fresh.send(cmd.Reset())
        shown = fresh.send(cmd.StepOnce(300))
        while shown.run.history.now < 300:
            shown = fresh.send(cmd.StepOnce(300 - shown.run.history.now))
        states.append(
            (shown.run.history.now, sim.get_state(fresh.thread.live.model, fresh.thread.live.data, 0x1FFF).tobytes())
        )
    assert states[0] == states[1]


def test_an_expression_that_has_no_value_stops_nothing(fresh: Hand) -> None:
    fresh.send(points("1 +", 'touching("bell")', "d.time >= 0.1"))
    shown = fresh.send(cmd.StepOnce(500))
    assert shown.run.history.now == 50 and shown.run.problem is None
    errors = [point.error for point in shown.run.breakpoints]
    assert "not an expression" in errors[0] and "did you mean" in errors[1] and errors[2] == ""


def test_breakpoints_stop_a_replay_and_survive_a_scrub(fresh: Hand) -> None:
    fresh.send(cmd.StepOnce(200))
    fresh.send(points("d.time >= 0.1"))
    back = fresh.send(cmd.GoTo(5))
    assert len(back.run.breakpoints) == 1
    fresh.send(cmd.SetPaused(False))
    stopped = wait_for(fresh.thread, lambda s: s.run.paused)
    assert stopped.run.history.now == 50 and not stopped.run.replaying
    assert [moment for moment, _ in marks(stopped)] == [50]
    # the same moment again is not another mark
    fresh.send(cmd.GoTo(5))
    fresh.send(cmd.SetPaused(False))
    again = wait_for(fresh.thread, lambda s: s.run.paused and s.run.breakpoints[0].hits == 2)
    assert [moment for moment, _ in marks(again)] == [50]
    # backwards from the head
    fresh.send(cmd.GoTo(200))
    fresh.thread.send(cmd.SetDirection(-1))
    fresh.send(cmd.SetPaused(False))
    behind = wait_for(fresh.thread, lambda s: s.run.paused and s.run.breakpoints[0].hits == 3)
    assert behind.run.history.now == 50 and behind.run.direction == 1


def test_next_and_previous_hit_in_what_was_recorded(fresh: Hand) -> None:
    """A breakpoint that was made later finds where it would have fired."""
    fresh.send(cmd.StepOnce(500))
    fresh.send(points('touching("body:ball", "floor")', "d.time >= 0.9"))
    fresh.send(cmd.RunToHit(-1))
    found = wait_for(fresh.thread, lambda s: s.run.paused and s.run.hit is not None and s.run.hit.number == 2)
    assert found.run.history.now == 450
    fresh.send(cmd.RunToHit(-1))
    touched = wait_for(fresh.thread, lambda s: s.run.paused and s.run.history.now < 450)
    assert touched.run.time == pytest.approx(FALL, abs=0.004)
    assert touched.run.hit is not None and touched.run.hit.number == 1
    fresh.send(cmd.RunToHit(-1))
    start = wait_for(fresh.thread, lambda s: s.run.paused and s.run.history.now == 0)
    assert start.run.notification == "no breakpoint fires before this time"
    fresh.send(cmd.RunToHit(1))
    again = wait_for(fresh.thread, lambda s: s.run.paused and s.run.history.now > 0)
    assert again.run.history.now == touched.run.history.now
    for expected in (450, 500):
        fresh.send(cmd.RunToHit(1))
        again = wait_for(fresh.thread, lambda s, n=expected: s.run.paused and s.run.history.now == n)  # type: ignore[misc]
    assert again.run.notification == "no breakpoint fires after this time" and again.run.history.last == 500
    fresh.send(points())
    assert fresh.send(cmd.RunToHit(-1)).run.notification == "no breakpoints are enabled"


def test_a_search_has_progress_and_a_replay_a_rate(fresh: Hand) -> None:
    timeline = Timeline((BranchView(0, last=500),), now=125)
    assert RunState(sought_from=500, direction=-1, history=timeline).searched == 0.75
    fresh.send(cmd.StepOnce(500))
    fresh.send(cmd.GoTo(0))
    fresh.thread.send(cmd.SetPaused(False))
    shown = wait_for(fresh.thread, lambda s: s.run.replaying and s.run.history.now > 0)
    assert shown.run.rate == shown.run.speed > 0


def test_after_a_reset_and_on_a_branch_they_fire_again(fresh: Hand) -> None:
    fresh.send(points("d.time >= 0.1"))
    fresh.send(cmd.StepOnce(100))
    fresh.send(cmd.Reset())
    assert fresh.send(cmd.StepOnce(100)).run.history.now == 50
    fresh.send(cmd.GoTo(10))
    fresh.send(cmd.SetData("qvel", 0, (1.0,)))
    branched = fresh.send(cmd.StepOnce(100))
    assert branched.run.history.now == 50 and branched.run.breakpoints[0].hits == 3
    assert [moment for moment, _ in marks(branched)] == [50]


BALL = """<mujoco><option timestep='0.01'/><worldbody><geom name='floor' type='plane' size='1 1 1'/>
<body name='ball' pos='0 0 .5'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"""


def test_a_script_stops_in_its_own_loop() -> None:
    model = sim.loads(BALL)
    data = sim.Data(model)
    simulation = PassiveSimulation(sim, model, data)
    try:
        while not simulation.latest.run.ready:
            simulation.sync()
        simulation.send(cmd.SetBreakpoints((Breakpoint(1, TOUCH),)))
        stopped: list[Any] = []

        def wait() -> None:
            """What `sync` does instead of waiting for the user."""
            if simulation.status.run.paused:
                stopped.append((float(data.time), simulation.status.run.hit))
                simulation.handle(cmd.SetPaused(False))

        simulation._wait = wait  # type: ignore[method-assign]
        for _ in range(100):
            sim.step(model, data)
            simulation.sync()
        assert [time for time, _ in stopped] == [pytest.approx(math.sqrt(0.8 / 9.81), abs=0.02)]
        assert stopped[0][1].selection in (Selection("contact", 0), Selection("body", 1))
    finally:
        simulation.release()
