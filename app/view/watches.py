"""Watches: expressions whose values are shown and plotted over time.

The simulation thread computes them whenever it publishes a snapshot; the GUI thread keeps what it has seen here.
Going back in time, or a reset, cuts off what lies after the present.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

SAMPLES = 6000


@dataclass
class Watch:
    """One expression and what it gave."""

    expression: str
    times: deque[float] = field(default_factory=lambda: deque(maxlen=SAMPLES))
    values: deque[float] = field(default_factory=lambda: deque(maxlen=SAMPLES))
    problem: str = ""
    plotted: bool = True


@dataclass
class Plots:
    """All watches, and what is being typed for a new one."""

    watches: list[Watch] = field(default_factory=list)
    typed: str = ""
    window: float = 10.0

    def expressions(self) -> tuple[str, ...]:
        """What the simulation thread has to compute."""
        return tuple(watch.expression for watch in self.watches)

    def take(self, time: float, results: Sequence[tuple[str, float | str]]) -> None:
        """Add what was computed at a time; words instead of a number say what is wrong."""
        computed = dict(results)
        for watch in self.watches:
            result = computed.get(watch.expression)
            if result is None:
                continue
            while watch.times and watch.times[-1] >= time:
                watch.times.pop()
                watch.values.pop()
            if isinstance(result, str):
                watch.problem = result
            else:
                watch.problem = ""
                watch.times.append(time)
                watch.values.append(result)
