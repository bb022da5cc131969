"""Curves: values over time that grow, are cut down to what a screen can show, and are read at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
# samples for each pair of smallest and largest value that is kept, so that long curves are cut down in no time
BLOCK = 32
# more samples than this for a pixel are drawn as the smallest and the largest of each pixel
MOST_PER_PIXEL = 4
MOST_CUTS = 64


def _none() -> Array:
    return np.zeros(0)


@dataclass(frozen=True, eq=False)
class Curve:
    """Values over times that do not go back; NaN where there is none. What is in it does not change any more."""

    times: Array = field(default_factory=_none)
    values: Array = field(default_factory=_none)
    # the smallest and the largest value of each BLOCK; of a curve that is short, none
    lows: Array = field(default_factory=_none)
    highs: Array = field(default_factory=_none)

    def __len__(self) -> int:
        return len(self.times)


class GrowingArray:
    """An array that grows at its end; views of it stay as they are."""

    def __init__(self, dtype: type = np.float64) -> None:
        self._room: NDArray[Any] = np.zeros(64, dtype)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def extend(self, values: NDArray[Any]) -> None:
        """Append numbers."""
        end = self._count + len(values)
        if end > len(self._room):
            # what was viewed before stays in the old room
            self._room = np.concatenate([self._room[: self._count], np.zeros(end, self._room.dtype)])
        self._room[self._count : end] = values
        self._count = end

    def append(self, value: float) -> None:
        """Append one number."""
        if self._count == len(self._room):
            self._room = np.concatenate([self._room, np.zeros_like(self._room)])
        self._room[self._count] = value
        self._count += 1

    def view(self) -> NDArray[Any]:
        """What is in it now, read-only."""
        shown = self._room[: self._count]
        shown.flags.writeable = False
        return shown


def blocks(values: Array, first: int = 0) -> tuple[Array, Array]:
    """The smallest and the largest value of each whole block from block `first` on."""
    whole = values[first * BLOCK : len(values) // BLOCK * BLOCK].reshape(-1, BLOCK)
    return np.fmin.reduce(whole, axis=1), np.fmax.reduce(whole, axis=1)


def window(curve: Curve, start: float, end: float) -> slice:
    """The samples from `start` to `end`, and one more on each side, to which lines lead."""
    first, last = np.searchsorted(curve.times, start), np.searchsorted(curve.times, end, "right")
    return slice(max(int(first) - 1, 0), min(int(last) + 1, len(curve)))


def cut_down(curve: Curve, start: float, end: float, pixels: int) -> tuple[Array, Array]:
    """Times and values to draw from `start` to `end`: for each pixel at most its smallest and its largest value."""
    shown = window(curve, start, end)
    times, lows, highs = curve.times[shown], curve.values[shown], curve.values[shown]
    pixels = max(pixels, 1)
    if len(times) <= MOST_PER_PIXEL * pixels:
        return times, lows
    if len(curve.lows) and len(times) > MOST_PER_PIXEL * BLOCK * pixels:
        first, last = shown.start // BLOCK, min(shown.stop // BLOCK, len(curve.lows))
        rest = slice(last * BLOCK, shown.stop)
        times = np.concatenate([curve.times[first * BLOCK : last * BLOCK : BLOCK], curve.times[rest]])
        lows = np.concatenate([curve.lows[first:last], curve.values[rest]])
        highs = np.concatenate([curve.highs[first:last], curve.values[rest]])
    edges = np.linspace(times[0], times[-1], pixels + 1)
    columns = np.unique(np.searchsorted(times, edges[:-1]))
    least, most = np.fmin.reduceat(lows, columns), np.fmax.reduceat(highs, columns)
    # a curve that rises goes through the smallest value first
    ends = np.append(columns[1:], len(times)) - 1
    rises = lows[columns] <= highs[ends]
    values = np.where(rises, [least, most], [most, least])
    # a curve continues to its last sample
    return np.append(np.repeat(times[columns], 2), times[-1]), np.append(values.T.ravel(), curve.values[shown.stop - 1])


@dataclass(frozen=True, eq=False)
class _Cut:
    """What was drawn of the first `count` samples of a curve; the array keeps its address while it is here."""

    array: Array
    count: int
    start: float
    end: float
    pixels: int
    times: Array
    values: Array

    def serves(self, curve: Curve, start: float, end: float, pixels: int) -> bool:
        """Whether it can be drawn for another range, with what the curve has got since."""
        here, there = (end - start) / pixels, (self.end - self.start) / self.pixels
        covers = self.start <= start and (end <= self.end or self.end >= self.array[self.count - 1])
        grown = len(curve) - self.count
        return covers and 0.4 * here < there < 1.2 * here and 0 <= grown < MOST_PER_PIXEL * pixels


class Cuts:
    """Curves that were cut down before: of one that grows, and of a moving window, only the new part is computed."""

    def __init__(self) -> None:
        self._known: dict[int, _Cut] = {}

    def points(self, curve: Curve, start: float, end: float, pixels: int) -> tuple[Array, Array]:
        """As `cut_down`, perhaps with some points beyond the edges."""
        pixels = max(pixels, 1)
        shown = window(curve, start, end)
        if shown.stop - shown.start <= MOST_PER_PIXEL * pixels:
            return curve.times[shown], curve.values[shown]
        # views of an array that grows have one address
        address = curve.times.__array_interface__["data"][0]
        known = self._known.get(address)
        if known is None or not known.serves(curve, start, end, pixels):
            known = _Cut(curve.times, len(curve), start, end, pixels, *cut_down(curve, start, end, pixels))
            self._known.pop(address, None)
            self._known[address] = known
            for old in [*self._known][:-MOST_CUTS]:
                del self._known[old]
        if known.end < known.array[known.count - 1]:
            return known.times, known.values
        new = slice(known.count, None)
        return np.append(known.times, curve.times[new]), np.append(known.values, curve.values[new])


def polyline(
    curves: Sequence[Curve], start: float, end: float, pixels: int, cuts: Cuts | None = None
) -> tuple[Array, Array]:
    """Points to draw of curves that follow each other; where time goes back, a new line begins."""
    times: list[Array] = []
    values: list[Array] = []
    points = cut_down if cuts is None else cuts.points
    for curve in curves:
        x, y = points(curve, start, end, pixels)
        if not len(x):
            continue
        if times and x[0] < times[-1][-1]:
            times.append(x[:1])
            values.append(np.array([np.nan]))
        times.append(x)
        values.append(y)
    if len(times) == 1:
        return times[0], values[0]
    return (np.concatenate(times), np.concatenate(values)) if times else (_none(), _none())


def nearest(curves: Sequence[Curve], time: float) -> tuple[float, float] | None:
    """Time and value of the sample that is nearest to a time, if there is one; of several, the latest."""
    best: tuple[float, float] | None = None
    for curve in curves:
        after = int(np.searchsorted(curve.times, time))
        for k in (after - 1, after):
            if 0 <= k < len(curve):
                found = float(curve.times[k]), float(curve.values[k])
                if best is None or abs(found[0] - time) <= abs(best[0] - time):
                    best = found
    return best


def within(curves: Sequence[Curve], start: float, end: float) -> tuple[Array, Array]:
    """The samples from `start` to `end`."""
    parts = [(curve, *np.searchsorted(curve.times, (start, end), "left")) for curve in curves]
    times = [curve.times[a : b + (b < len(curve) and curve.times[b] == end)] for curve, a, b in parts]
    values = [curve.values[a : a + len(t)] for (curve, a, _), t in zip(parts, times, strict=True)]
    return (np.concatenate(times), np.concatenate(values)) if parts else (_none(), _none())


def dashed(times: Array, values: Array, start: float, end: float, pixels: int, pattern: tuple[int, ...]) -> Array:
    """Points of a dashed line, as rows of times and values: lengths of dashes and gaps in pixels, in turn.

    Dashes stay where they are in time when the window moves.
    """
    if len(times) < 2 or end <= start:
        return np.array([times, values])
    scale = (end - start) / max(pixels, 1)
    first, last = (int(np.floor(place / scale)) for place in (max(start, times[0]), min(end, times[-1])))
    grid = np.arange(first, last + 1)
    # the line is cut at each pixel, so that dashes end where they should; samples in between stay
    x = np.concatenate([times, grid * scale])
    order = np.argsort(x, kind="stable")
    y = np.concatenate([values, np.interp(grid * scale, times, values)])[order]
    x = x[order]
    phase = np.floor(x / scale) % sum(pattern)
    drawn = np.searchsorted(np.cumsum(pattern), phase, "right") % 2 == 0
    return np.array([x, np.where(drawn, y, np.nan)])
