"""All values of a sweep at once: the same on any number of threads, with distances, and reports."""

from __future__ import annotations

import pytest

import sim
from app.background.field_choice import options_of
from app.instruments.sweep.batch import run_values, with_distances
from app.instruments.sweep.outcome import Outcome, Task
from app.instruments.sweep.quantities import DISTANCE, Quantity
from app.instruments.sweep.start import start_of
from app.run.snapshot import view_model
from sim.edits import NO_EDITS

XML = "<mujoco><worldbody><body pos='0 0 9'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
FAR = Quantity(DISTANCE)


def test_in_order_and_the_same_on_any_number_of_threads() -> None:
    m = sim.loads(XML)
    choice = next(choice for choice in options_of(view_model(m)) if choice.name == "gravity z")
    task = Task(choice, (-12.0, -9.81, -6.0, -1.0), 0.1, (Quantity("d.qpos[2]"),))
    start = start_of(m, NO_EDITS, [sim.get_state(m, sim.Data(m), sim.record_signature(m))])
    done: list[int] = []
    one, four = run_values(task, start, -9.81, 1, done.append), run_values(task, start, -9.81, 4)
    assert done == [1, 2, 3, 4]
    assert [outcome.value for outcome in one] == [*task.values]
    heights = [[outcome.number(task.quantities[0]) for outcome in found] for found in (one, four)]
    assert heights[0] == heights[1] == sorted(heights[0])
    far = [outcome.number(FAR) for outcome in one]
    assert far[1] == 0.0
    assert far == pytest.approx([abs(height - heights[0][1]) for height in heights[0]], abs=1e-12)


def test_without_the_present_value_there_is_no_distance() -> None:
    (outcome,) = with_distances((Outcome(1.0),), 2.0)
    assert DISTANCE not in outcome.curves
