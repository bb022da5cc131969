"""Runs all values of a sweep at once, without a window."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from app.instruments.sweep.outcome import Outcome, Task, distance, outcome_of
from app.instruments.sweep.quantities import DISTANCE
from app.instruments.sweep.start import Start
from sim.jit.machine import cores

# called with how many values are done
Done = Callable[[int], None]


def run_values(
    task: Task, start: Start, present: float, threads: int | None = None, done: Done = lambda count: None
) -> tuple[Outcome, ...]:
    """The outcome of each value, in order, with distances from that of the present one if it is among them."""
    turn, lock, count = threading.Lock(), threading.Lock(), 0

    def run(value: float) -> Outcome:
        nonlocal count
        outcome = outcome_of(task, start, value, lambda share: True, turn)
        with lock:
            count += 1
            done(count)
        return outcome

    with ThreadPoolExecutor(threads or cores()) as pool:
        outcomes = tuple(pool.map(run, task.values))
    return with_distances(outcomes, present)


def with_distances(outcomes: tuple[Outcome, ...], present: float) -> tuple[Outcome, ...]:
    """Outcomes with their distance from that of the present value, if that is among them."""
    reference = next((outcome for outcome in outcomes if outcome.value == present), None)
    if reference is None:
        return outcomes
    return tuple(
        replace(outcome, curves={**outcome.curves, DISTANCE: distance(reference, outcome)}) for outcome in outcomes
    )
