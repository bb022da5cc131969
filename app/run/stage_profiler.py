"""Measures what the stages of a step cost, now and then, while somebody looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.run.engine import Engine

# a look at the stages of a step costs about seven steps, 2 ms for a humanoid: the larger the model, the rarer;
# but one that was disturbed is soon followed by a better one
INTERVAL, SHARE, LONGEST = 0.5, 0.02, 5.0


class StageMeter:
    """Knows when it is time for another look."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._on = False
        self._due = 0.0

    def switch(self, on: bool) -> None:
        """Begin with a look at once, or stop."""
        self._on, self._due = on, self._now()

    def look(self, engine: Engine, model: Any, data: Any) -> tuple[tuple[str, float], ...] | None:
        """Seconds by stage, if it is time again."""
        began = self._now()
        if not self._on or began < self._due:
            return None
        times = engine.stage_times(model, data)
        self._due = began + min(max(INTERVAL, (self._now() - began) / SHARE), LONGEST)
        return tuple(times.items())
