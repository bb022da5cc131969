"""Watches: expressions that are evaluated, shown and plotted over time.

The simulation evaluates them for every snapshot that it publishes; the GUI thread keeps the samples here. When time
goes back, samples from then on are dropped.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

SAMPLES = 6000


@dataclass
class Watch:
    """One expression and its samples."""

    expression: str
    times: deque[float] = field(default_factory=lambda: deque(maxlen=SAMPLES))
    values: deque[float] = field(default_factory=lambda: deque(maxlen=SAMPLES))
    problem: str = ""
    plotted: bool = True


@dataclass
class Plots:
    """All watches, and the text typed for a new one."""

    watches: list[Watch] = field(default_factory=list)
    typed: str = ""
    window: float = 10.0

    def expressions(self) -> tuple[str, ...]:
        """The expressions that the simulation evaluates."""
        return tuple(watch.expression for watch in self.watches)

    def add_samples(self, time: float, results: Sequence[tuple[str, float | str]]) -> None:
        """Add the values at a time; a string instead of a number says what is wrong."""
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
