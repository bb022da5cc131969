"""Times the stages of a step now and then, while the profiler is open."""

from __future__ import annotations

from collections.abc import Callable

from sim import Data, Model
from sim.engine import Engine

# one sample costs about seven steps, 2 ms for a humanoid: the larger the model, the fewer samples
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

    def sample(self, engine: Engine, model: Model, data: Data) -> tuple[tuple[str, float], ...] | None:
        """Seconds by stage, if a sample is due."""
        began = self._now()
        if not self._on or began < self._due:
            return None
        times = engine.stage_times(model, data)
        self._due = began + min(max(INTERVAL, (self._now() - began) / SHARE), LONGEST)
        return tuple(times.items())
