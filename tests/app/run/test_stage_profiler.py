"""The parts of a step that the profiler shows add up to the step that the run has measured."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from app.run.stage_profiler import CALLS, StageProfiler

STAGES = {"falling": 2e-6, "rest": 1e-6}


def sampled(step_seconds: float) -> dict[str, float]:
    """What is shown of steps that take so long."""
    engine: Any = SimpleNamespace(stage_times=lambda model, data: STAGES)
    profiler = StageProfiler(lambda: 0.0)
    profiler.enable(True)
    parts: Any = profiler.sample(engine, None, None, step_seconds)
    return dict(parts)


@pytest.mark.parametrize("step_seconds", [1e-5, 3.1e-6])
def test_parts_are_the_step_of_the_run(step_seconds: float) -> None:
    parts = sampled(step_seconds)
    assert sum(parts.values()) == pytest.approx(step_seconds)
    assert parts == {**STAGES, CALLS: pytest.approx(step_seconds - 3e-6)}


@pytest.mark.parametrize("step_seconds", [0.0, 2.9e-6])
def test_a_run_that_stands_still_or_was_faster_adds_nothing(step_seconds: float) -> None:
    assert sampled(step_seconds) == {**STAGES, CALLS: 0.0}
