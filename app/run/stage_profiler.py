"""Times the stages of a step now and then, while the profiler is open.

The engine tells what its stages take, and the rest of a step beside them. What steps of the run take longer than that,
by the step clock, is a part of its own: so all parts together are the time of a step.
"""

from __future__ import annotations

from collections.abc import Callable

from sim import Data, Model
from sim.engine import Engine

# what a run adds to a step: it records the state, checks breakpoints, and calls the engine from Python
CALLS = "calls and recording"
# one sample costs about 15 steps, 1 ms for 15 ragdolls: the larger the model, the fewer samples
INTERVAL, SHARE, LONGEST = 0.5, 0.02, 5.0


class StageProfiler:
    """Knows when the next sample is due."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._on = False
        self._due = 0.0

    def enable(self, on: bool) -> None:
        """Begin with a sample at once, or stop."""
        self._on, self._due = on, self._now()

    def sample(
        self, engine: Engine, model: Model, data: Data, step_seconds: float
    ) -> tuple[tuple[str, float], ...] | None:
        """Seconds by stage of steps that take `step_seconds` in the run, 0 if it stands still; if a sample is due."""
        began = self._now()
        if not self._on or began < self._due:
            return None
        times = engine.stage_times(model, data)
        self._due = began + min(max(INTERVAL, (self._now() - began) / SHARE), LONGEST)
        return (*times.items(), (CALLS, max(step_seconds - sum(times.values()), 0.0)))
