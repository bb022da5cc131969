"""Outcomes of values: known cases, the same bits as a plain loop, divergences, recorded inputs, frames."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sim
from app.background.field_choice import FieldChoice, choices_of, options_of
from app.instruments.sweep.outcome import Cancelled, Outcome, Task, distance, frame_places, outcome_of
from app.instruments.sweep.quantities import END, MAX, MIN, Quantity
from app.instruments.sweep.start import Start, start_of
from app.run.snapshot import view_model
from sim.edits import NO_EDITS

FALL = "<mujoco><worldbody><body name='ball' pos='0 0 10'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
SWING = """<mujoco><option gravity='0 0 0'/><worldbody><body name='arm'>
  <joint name='hinge' axis='0 1 0' stiffness='40' damping='.1'/><geom type='capsule' fromto='0 0 0 .5 0 0' size='.04'/>
</body></worldbody><actuator><motor name='push' joint='hinge'/></actuator></mujoco>"""
HEIGHT = "d.qpos[2]"


def choice(m: sim.Model, name: str, kind: str = "", index: int = 0) -> FieldChoice:
    view = view_model(m)
    known = choices_of(view, kind, index) if kind else options_of(view)
    return next(found for found in known if found.name == name)


def start(m: sim.Model, **state: object) -> Start:
    d = sim.Data(m)
    for name, value in state.items():
        d.write(name, value)
    return start_of(m, NO_EDITS, [sim.get_state(m, d, sim.record_signature(m))])


def run(task: Task, begin: Start) -> list[Outcome]:
    return [outcome_of(task, begin, value, lambda share: True) for value in task.values]


def test_fall_is_that_of_the_scheme_for_each_gravity() -> None:
    m = sim.loads(FALL)
    task = Task(choice(m, "gravity z"), (-1.0, -9.81, -20.0), 0.5, (Quantity(HEIGHT, END), Quantity(HEIGHT, MIN)))
    h, n = 0.002, 250
    for outcome in run(task, start(m)):
        # semi-implicit Euler: h² g (1 + 2 + ... + n), half a step more than half g t²
        fallen = outcome.value * h * h * n * (n + 1) / 2
        assert outcome.number(task.quantities[0]) == pytest.approx(10 + fallen, abs=1e-12)
        assert outcome.number(task.quantities[1]) == outcome.number(task.quantities[0])
        assert (outcome.steps, outcome.has_diverged) == (n, False)
        assert outcome.seconds == pytest.approx(0.5)
        assert outcome.step_seconds > 0 and outcome.real_time_factor == pytest.approx(h / outcome.step_seconds)


def test_damping_orders_the_amplitudes() -> None:
    m = sim.loads(SWING)
    late = Quantity("abs(d.qpos[0])", END)
    task = Task(choice(m, "damping", "joint"), (0.05, 0.2, 0.8), 3.0, (Quantity("abs(d.qvel[0])", MAX), late))
    found = run(task, start(m, qpos=[1.0]))
    energies = [outcome.curves["abs(d.qvel[0])"] for outcome in found]
    last = [curve.values[curve.times > 2.0].max() for curve in energies]
    assert last[0] > 1.5 * last[1] > 2 * last[2]


def test_bits_are_those_of_a_plain_loop() -> None:
    m = sim.loads(SWING)
    field = choice(m, "stiffness", "joint")
    task = Task(field, (10.0, 40.0, 90.0), 0.3, (Quantity("d.qpos[0]"), Quantity("d.qvel[0]")))
    for outcome in run(task, start(m, qpos=[0.7], ctrl=[0.3])):
        alone = sim.loads(SWING.replace("stiffness='40'", f"stiffness='{outcome.value}'"))
        d = sim.Data(alone)
        d.qpos[0], d.ctrl[0] = 0.7, 0.3
        expected = [d.qpos[0]]
        for _ in range(150):
            sim.step(alone, d)
            expected.append(d.qpos[0])
        assert outcome.curves["d.qpos[0]"].values.tolist() == expected
        assert outcome.number(task.quantities[1]) == d.qvel[0]


def test_a_value_that_diverges_is_marked_with_its_time() -> None:
    m = sim.loads(SWING)
    task = Task(choice(m, "timestep"), (0.002, 0.5), 20.0, (Quantity("d.qpos[0]"),))
    fine, bad = run(task, start(m, qpos=[1.0]))
    assert not fine.has_diverged and math.isnan(fine.diverged)
    assert math.isfinite(fine.number(task.quantities[0]))
    # found again by hand: the first step after which the engine warns
    alone = sim.loads(SWING.replace("<option", "<option timestep='.5' integrator='Euler'"))
    alone.opt.disableflags |= sim.enums.DSBL_AUTORESET
    d = sim.Data(alone)
    d.qpos[0] = 1.0
    steps = 0
    while not d.warning.number.any():
        sim.step(alone, d)
        steps += 1
    assert bad.has_diverged and "hinge" in bad.divergence
    assert bad.diverged == pytest.approx(0.5 * (steps - 1), abs=0.5)
    assert math.isnan(bad.number(task.quantities[0]))
    assert bad.frames and bad.frames[-1].time <= bad.diverged
    assert all(np.isfinite(frame.state.qpos).all() for frame in bad.frames)


def test_recorded_inputs_are_used_again() -> None:
    m = sim.loads(SWING)
    d = sim.Data(m)
    sig, rows = sim.record_signature(m), []
    for step in range(101):
        d.ctrl[0] = 2.0 if 30 <= step < 60 else 0.0
        rows.append(sim.get_state(m, d, sig))
        sim.step(m, d)
    begin = start_of(m, NO_EDITS, rows)
    assert [round(when / 0.002) for when, _ in begin.inputs] == [30, 60]
    assert begin.recorded == pytest.approx(0.2)
    task = Task(choice(m, "damping", "joint"), (0.1, 5.0), 0.2, (Quantity("d.qpos[0]"),))
    same, damped = run(task, begin)
    assert same.curves["d.qpos[0]"].values.tolist() == [row[1] for row in rows]
    assert abs(damped.number(task.quantities[0])) < abs(same.number(task.quantities[0]))


def test_an_illegal_value_says_why() -> None:
    m = sim.loads(FALL)
    field = choice(m, "gravity z")
    outcome = outcome_of(Task(field, (math.nan,), 0.1), start(m), math.nan, lambda share: True)
    assert "finite" in outcome.error and not outcome.frames


def test_an_expression_without_value_says_why() -> None:
    m = sim.loads(FALL)
    task = Task(choice(m, "gravity z"), (-1.0,), 0.01, (Quantity("d.nothing"), Quantity(HEIGHT)))
    (outcome,) = run(task, start(m))
    assert "nothing" in outcome.curves["d.nothing"].reason
    assert math.isnan(outcome.number(task.quantities[0])) and math.isfinite(outcome.number(task.quantities[1]))


def test_cancel() -> None:
    m = sim.loads(FALL)
    shares: list[float] = []

    def report(share: float) -> bool:
        shares.append(share)
        return len(shares) < 2

    with pytest.raises(Cancelled):
        outcome_of(Task(choice(m, "gravity z"), (-1.0,), 600.0), start(m), -1.0, report)
    assert len(shares) == 2 and shares[-1] < 0.1


def test_long_runs_keep_few_states_and_the_last() -> None:
    m = sim.loads(FALL)
    task = Task(choice(m, "gravity z"), (-1.0,), 7.002, (Quantity("d.time"),))
    (outcome,) = run(task, start(m))
    times = outcome.curves["d.time"].values
    assert outcome.steps == 3501 and len(times) <= 1002
    assert (times[0], times[-1]) == (0.0, pytest.approx(7.002))
    assert outcome.frames[-1].time == pytest.approx(7.002) and len(outcome.frames) == 48


def test_frames_are_at_the_same_times_for_all() -> None:
    times = np.linspace(0, 1, 501)
    places = frame_places(times, 1.0, 5)
    assert places == [0, 125, 250, 375, 500]
    # one that ended before
    assert frame_places(times[:301], 1.0, 5) == [0, 125, 250, 300]
    assert frame_places(times[:1], 1.0, 5) == [0]


def test_distance_is_that_of_the_body_farthest_away() -> None:
    m = sim.loads(FALL)
    task = Task(choice(m, "gravity z"), (-10.0, -4.0), 0.5)
    reference, other = run(task, start(m))
    curve = distance(reference, other)
    assert curve.values[0] == 0.0
    assert curve.values[-1] == pytest.approx(6.0 * 0.002**2 * 250 * 251 / 2)
    assert distance(reference, reference).values.max() == 0.0
    assert not len(distance(reference, Outcome(1.0)).values)
