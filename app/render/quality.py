"""Quality presets of the renderer, and the choice among them by frame time.

A renderer has presets, the best first. While the view moves, `AdaptiveQuality` chooses one from the work of the last
frames. Each preset costs about half as much as the one before: a frame that was slow there is not fast enough here to
go back up at once.
"""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import numpy as np

# frame times, s: above the first a frame is too slow; below the second there is time for twice the work
SLOW, FAST = 0.05, 0.02
# the median over this many frames, and at least this many seconds, decides to go down; over this many, to go up
SLOW_FRAMES, SLOW_SECONDS, FAST_FRAMES = 3, 0.4, 30


@dataclass(frozen=True)
class Quality:
    """Settings that cost a GPU little and a software renderer much."""

    samples: int
    shadow_size: int
    taps: tuple[str, ...]
    mirror_scale: float
    # limit shadow lookups and edge smoothing to scissor rectangles where they can matter
    scissored: bool
    # render resolution per screen resolution, along each axis
    scale: float = 1.0

    def __str__(self) -> str:
        return f"{self.scale:.0%} resolution, samples per pixel: {self.samples}, shadow maps: {self.shadow_size}"


FINE = Quality(4, 4096, ("BLOCKER_TAPS 8", "FILTER_TAPS 16"), 1.0, False)
# on llvmpipe 4x MSAA doubles the cost of a frame
QUICK = Quality(1, 1024, ("BLOCKER_TAPS 5", "FILTER_TAPS 8"), 0.5, True)
# lower resolution helps most where the CPU renders
PRESETS = (FINE, QUICK, replace(QUICK, shadow_size=768, scale=0.7), replace(QUICK, shadow_size=512, scale=0.5))


class AdaptiveQuality:
    """Chooses a quality preset from the times of recent frames."""

    def __init__(self, presets: int) -> None:
        self.preset = 0
        self._last = presets - 1
        self._seconds: deque[float] = deque(maxlen=FAST_FRAMES)

    def add_frame(self, seconds: float) -> None:
        """Add the work of one more frame, without the wait for vsync."""
        self._seconds.append(seconds)
        recent = list(self._recent())
        if len(recent) >= SLOW_FRAMES and sum(recent) >= SLOW_SECONDS and statistics.median(recent) > SLOW:
            self._switch(self.preset + 1)
        elif len(self._seconds) == FAST_FRAMES and statistics.median(self._seconds) < FAST:
            self._switch(self.preset - 1)

    def _recent(self) -> Iterator[float]:
        """The last frames, as many as decide to go down."""
        total = 0.0
        for count, seconds in enumerate(reversed(self._seconds)):
            if count >= SLOW_FRAMES and total >= SLOW_SECONDS:
                return
            total += seconds
            yield seconds

    def _switch(self, preset: int) -> None:
        self.preset = min(max(preset, 0), self._last)
        self._seconds.clear()


def deep_equal(one: Any, other: Any) -> bool:
    """Whether two values are equal, recursing into dataclasses, tuples, dicts and arrays."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=True)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(deep_equal, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(deep_equal(value, other[key]) for key, value in one.items())
    if is_dataclass(one):
        return all(deep_equal(getattr(one, f.name), getattr(other, f.name)) for f in fields(one))
    return bool(one == other)
