"""Which states of a run to evaluate next for a plot: coarsely over the whole range, then finer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.run.history.timeline import Pace, Part, Timeline

Steps = NDArray[np.int64]
# samples of the first look at a range at most, and how many times more with each further one
COARSE, FINER = 64, 4
# samples for each pixel at last
PER_PIXEL = 2
FARTHEST = 1 << 62


@dataclass(frozen=True)
class Request:
    """What a plot shows: expressions along the lines of some branches, from `start` to `end` of their time."""

    expressions: tuple[str, ...]
    timeline: Timeline
    # the current line comes first
    lines: tuple[int, ...]
    start: float
    end: float
    pixels: int
    # of the snapshot: with another one, the current state may be another
    serial: int
    # whether time moves: then there is less time to spare; and how long a step takes, s
    running: bool = False
    step_seconds: float = 0.0


class Batch(NamedTuple):
    """Steps of a branch to evaluate; `stride` is the distance of samples that are wanted."""

    branch: int
    steps: tuple[int, ...]
    stride: int
    first_look: bool = False


def shown_parts(request: Request, branch: int) -> list[Part]:
    """The steps of a line that are shown, by the branch that they belong to, without those that may still change."""
    timeline, line = request.timeline, request.timeline.line(branch)
    parts = []
    for part, after in zip(line, (*line[1:], None), strict=True):
        # at a fork the younger branch has a state of its own
        last = part.last if after is None else after.first - 1
        if part.branch.id == timeline.branch and timeline.at_head:
            last = min(last, timeline.now - 1)
        first = max(part.first, timeline.first if branch == timeline.branch else part.first)
        paces = part.branch.paces
        for pace, following in zip(paces, (*paces[1:], None), strict=True):
            low, high = _steps_between(pace, request.start, request.end)
            low = max(low, first, pace.step)
            high = min(high, last, last if following is None else following.step - 1)
            if low <= high:
                parts.append(Part(part.branch, low, high))
    return parts


def _steps_between(pace: Pace, start: float, end: float) -> tuple[int, int]:
    """The steps of a pace from one time to another, and one more on each side."""
    if not (pace.timestep > 0 and np.isfinite(pace.time)):
        return 0, FARTHEST
    low, high = (pace.step + (time - pace.time) / pace.timestep for time in (start, end))
    return int(max(np.ceil(low) - 1, 0)), int(min(np.floor(high) + 1, FARTHEST))


def strides(request: Request, parts: list[Part]) -> list[int]:
    """Distances of samples, from the coarsest to the finest: powers of two, so that samples serve all of them."""
    span = sum(part.last - part.first + 1 for part in parts)
    coarsest = 2 * _power_of_two(span / COARSE) if span > COARSE else 1
    finest = _power_of_two(span / (PER_PIXEL * max(request.pixels, 1)))
    found = [coarsest]
    while found[-1] > finest:
        found.append(max(found[-1] // FINER, finest))
    return found


def batches(request: Request, missing: Callable[[Batch, Steps], Steps], most: int) -> Iterator[Batch]:
    """What is left to evaluate, the most valuable first; `missing` tells which steps of a branch are not done."""
    lines = [(parts, strides(request, parts)) for parts in (shown_parts(request, line) for line in request.lines)]
    for level in range(max((len(distances) for _, distances in lines), default=0)):
        for parts, distances in lines:
            if level >= len(distances):
                continue
            for part in parts:
                stride = distances[level]
                wanted = np.arange(-(-part.first // stride) * stride, part.last + 1, stride)
                # a part has a sample at its beginning, however short it is
                if part.first == part.branch.fork and (not len(wanted) or wanted[0] != part.first):
                    wanted = np.insert(wanted, 0, part.first)
                batch = Batch(part.branch.id, (), stride, stride > 1 and level == 0)
                left = missing(batch, wanted)
                for at in range(0, len(left), most):
                    yield batch._replace(steps=tuple(left[at : at + most].tolist()))


def _power_of_two(number: float) -> int:
    return 1 << max(int(np.floor(np.log2(number))), 0) if number > 1 else 1
