"""The step clock, on times that the tests make up."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.run.step_clock import (
    MAX_CHUNK,
    MAX_LAG,
    MAX_SPEED,
    MIN_CHUNK,
    MIN_SPEED,
    SPEEDS,
    TICK,
    Pacer,
    StepClock,
    clamp_speed,
    next_speed,
)


def simulate(clock: StepClock, cost: float, seconds: float, overhead: float = 0.0) -> tuple[float, list[float]]:
    """Run the clock against a machine on which a step costs `cost`; simulated time and wall time of each call."""
    now, advanced, calls = 0.0, 0.0, []
    clock.resume(now)
    while now < seconds:
        plan = clock.plan(now)
        if not plan.steps:
            assert plan.wait > 0
            now += plan.wait
            continue
        began, now = now, now + plan.steps * cost + overhead
        clock.record(plan.steps, began, now, now - began)
        advanced += plan.steps * clock.timestep
        calls.append(now - began)
    return advanced, calls


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("timestep", [0.0005, 0.002, 0.01])
def test_time_keeps_pace(speed: float, timestep: float) -> None:
    advanced, _ = simulate(StepClock(timestep, speed), cost=20e-6 * timestep / 0.002, seconds=4.0)
    assert advanced == pytest.approx(4.0 * speed, abs=timestep + 2 * TICK * speed)


def test_measured_rate_is_the_speed() -> None:
    clock = StepClock(0.002, 0.5)
    simulate(clock, 30e-6, 3.0)
    assert clock.rate == pytest.approx(0.5, rel=0.05)


def test_slow_model_slows_down_and_forgets_the_debt() -> None:
    # a step costs five times what it simulates
    clock = StepClock(0.002)
    advanced, calls = simulate(clock, 0.01, 10.0)
    assert advanced == pytest.approx(2.0, rel=0.02)
    assert max(calls) <= 0.0101
    # as soon as steps are cheap again, no more than the forgivable lag is caught up
    before = clock.plan(10.0)
    assert before.steps * clock.timestep <= MAX_LAG + clock.timestep


def test_step_longer_than_any_limit_still_runs() -> None:
    advanced, calls = simulate(StepClock(0.001), cost=0.5, seconds=5.0)
    assert len(calls) == 10
    assert advanced == pytest.approx(0.010)


def test_calls_are_long_enough_and_not_too_long_when_there_is_work() -> None:
    # work for 60 percent of the time: every call is worth its price, none delays a command
    _, calls = simulate(StepClock(0.0005, 8.0), cost=37.5e-6, seconds=3.0)
    settled = calls[5:]
    assert min(settled) >= MIN_CHUNK * 0.9
    assert max(settled) <= MAX_CHUNK * 1.05


def test_little_work_is_gathered_into_ticks() -> None:
    _, calls = simulate(StepClock(0.0005), cost=1e-6, seconds=1.0)
    assert len(calls) <= 1.0 / TICK + 2


def test_pause_owes_nothing() -> None:
    clock = StepClock(0.002)
    simulate(clock, 10e-6, 1.0)
    clock.resume(100.0)
    assert clock.plan(100.0).steps == 0
    assert clock.rate == 0.0


@given(
    timestep=st.floats(1e-5, 0.1),
    speed=st.floats(MIN_SPEED, MAX_SPEED),
    cost=st.floats(1e-7, 0.1),
)
def test_never_ahead_and_never_stuck(timestep: float, speed: float, cost: float) -> None:
    clock = StepClock(timestep, speed)
    now, advanced = 0.0, 0.0
    clock.resume(now)
    for _ in range(200):
        plan = clock.plan(now)
        assert plan.steps > 0 or 0 < plan.wait <= MAX_LAG + TICK
        began = now
        now += plan.steps * cost + plan.wait
        if plan.steps:
            clock.record(plan.steps, began, now, now - began)
        advanced += plan.steps * timestep
        assert advanced <= now * speed + timestep * 1e-3 + 1e-9
        assert math.isfinite(clock.rate)


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("timestep", [0.0005, 0.002, 0.05])
def test_steps_of_a_script_are_held_back(speed: float, timestep: float) -> None:
    pacer, now, time = Pacer(), 100.0, 5.0
    assert pacer.wait(time, speed, now) == 0.0
    for _ in range(1000):
        # a step costs a tenth of what it simulates
        now, time = now + 0.1 * timestep / speed, time + timestep
        now += pacer.wait(time, speed, now)
    assert (time - 5.0) / (now - 100.0) == pytest.approx(speed, rel=0.01 + MIN_CHUNK / (now - 100.0))


def test_a_script_that_cannot_keep_up_is_never_held_back() -> None:
    pacer, now, time = Pacer(), 0.0, 0.0
    for _ in range(1000):
        now, time = now + 0.004, time + 0.002
        assert pacer.wait(time, 1.0, now) == 0.0
    # nor does it race to make up for that
    for _ in range(100):
        now, time = now + 0.0001, time + 0.002
        now += pacer.wait(time, 1.0, now)
    assert now - 4.0 >= 0.2 - MAX_LAG - MIN_CHUNK


def test_a_time_that_was_set_is_nothing_to_wait_for() -> None:
    pacer = Pacer()
    assert pacer.wait(0.0, 1.0, 0.0) == 0.0
    assert pacer.wait(1000.0, 1.0, 0.1) == 0.0
    assert pacer.wait(1000.2, 1.0, 0.1) == pytest.approx(0.2)
    assert pacer.wait(0.0, 1.0, 0.1) == 0.0
    # a new speed, a pause
    assert pacer.wait(0.2, 1.0, 0.1) == pytest.approx(0.2)
    assert pacer.wait(0.2, 2.0, 0.1) == 0.0
    assert pacer.wait(0.4, 2.0, 0.1) == pytest.approx(0.1)
    pacer.restart()
    assert pacer.wait(0.4, 2.0, 0.1) == 0.0


def test_notches_of_speed() -> None:
    assert next_speed(1.0, +1) == 2.0
    assert next_speed(1.0, -1) == 0.5
    assert next_speed(0.7, +1) == 1.0
    assert next_speed(0.7, -1) == 0.5
    assert next_speed(MAX_SPEED, +1) == MAX_SPEED
    assert next_speed(MIN_SPEED, -1) == MIN_SPEED
    assert clamp_speed(100.0) == MAX_SPEED
    assert clamp_speed(0.0) == MIN_SPEED
