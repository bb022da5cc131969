"""Times of runs that take turns, so that all meet the same noise."""

from __future__ import annotations

import time
from collections.abc import Callable

# of runs that take microseconds, where noise counts most
ROUNDS = 60


def best(
    *runs: Callable[[], object], rounds: int = 30, calls: int = 1, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """The shortest time of a call of each run, in seconds; in a round each is called `calls` times in a row."""
    shortest = [float("inf")] * len(runs)
    for _ in range(rounds):
        for k, run in enumerate(runs):
            start = clock()
            for _ in range(calls):
                run()
            shortest[k] = min(shortest[k], (clock() - start) / calls)
    return shortest
