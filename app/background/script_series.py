"""Values that a script plots: they grow within a budget of bytes, and old ones are thinned out beyond it.

When time goes back a new line begins; of very many lines the oldest are forgotten. Of old values every two of four
stay: the smallest and the largest, so that peaks are seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.background.curve import Array, Curve, GrowingArray, blocks

# of all values of a script: 500 a second for two hours and more
BUDGET = 64 << 20
BYTES = 16
# of one name: a script that starts over again and again has short ones
MOST_LINES = 1000


@dataclass(frozen=True)
class ScriptCurve:
    """What a script has plotted under one name: the newest line comes last; values before `thinned` are thinned out."""

    lines: tuple[Curve, ...]
    thinned: float | None = None


class _Line:
    """Values over times that do not go back."""

    def __init__(self, times: Array | None = None, values: Array | None = None) -> None:
        self.times, self.values, self._lows, self._highs = (GrowingArray() for _ in range(4))
        if times is not None and values is not None:
            self.times.extend(times)
            self.values.extend(values)

    def curve(self) -> Curve:
        """As it is now."""
        values = self.values.view()
        for array, new in zip((self._lows, self._highs), blocks(values, len(self._lows)), strict=True):
            array.extend(new)
        return Curve(self.times.view(), values, self._lows.view(), self._highs.view())


class _Series:
    """The lines of one name."""

    def __init__(self) -> None:
        self._line = _Line()
        # lines that have ended
        self._ended: tuple[Curve, ...] = ()
        self._thinned: float | None = None
        self._last = -np.inf

    def __len__(self) -> int:
        return len(self._line.times) + sum(len(line) for line in self._ended)

    def append(self, time: float, value: float) -> None:
        if time < self._last:
            self._ended = (*self._ended, self._line.curve())[1 - MOST_LINES :]
            self._line = _Line()
        self._last = time
        self._line.times.append(time)
        self._line.values.append(value)

    def thin(self) -> None:
        """Thin out the older half of the values."""
        left = len(self) // 2
        ended = []
        for line in self._ended:
            ended.append(_thinned(line) if left > 0 else line)
            left -= len(line)
        self._ended = tuple(ended)
        if left > 0:
            line = self._line.curve()
            old, new = Curve(line.times[:left], line.values[:left]), slice(left, None)
            self._thinned = float(line.times[left])
            old = _thinned(old)
            self._line = _Line(
                np.concatenate([old.times, line.times[new]]), np.concatenate([old.values, line.values[new]])
            )
        elif self._thinned is None:
            self._thinned = -np.inf

    def curve(self) -> ScriptCurve:
        return ScriptCurve((*self._ended, self._line.curve()), self._thinned)


class ScriptSeries:
    """All values that a script has plotted, by name. Whoever uses it from several threads holds a lock."""

    def __init__(self, budget: int = BUDGET) -> None:
        self._most = budget // BYTES
        self._series: dict[str, _Series] = {}
        self._count = 0

    def sample(self, name: str, time: float, value: float) -> None:
        """Add a value."""
        self._series.setdefault(name, _Series()).append(time, value)
        self._count += 1
        if self._count > self._most:
            # lines may have been forgotten
            self._count = self._counted()
            if self._count > self._most:
                max(self._series.values(), key=len).thin()
                self._count = self._counted()

    def _counted(self) -> int:
        return sum(len(series) for series in self._series.values())

    def curves(self) -> dict[str, ScriptCurve]:
        """As they are now."""
        return {name: series.curve() for name, series in self._series.items()}


def _thinned(line: Curve) -> Curve:
    """Of every four values the smallest and the largest, in their order."""
    whole = len(line) // 4 * 4
    groups = line.values[:whole].reshape(-1, 4)
    low = np.argmin(np.where(np.isnan(groups), np.inf, groups), axis=1)
    high = np.argmax(np.where(np.isnan(groups), -np.inf, groups), axis=1)
    # where all are equal these are the same one
    high = np.where(high == low, (low + 1) % 4, high)
    kept = np.arange(0, whole, 4)[:, None] + np.sort(np.stack([low, high], axis=1), axis=1)
    kept = np.append(kept.ravel(), np.arange(whole, len(line)))
    times, values = line.times[kept], line.values[kept]
    return Curve(times, values, *blocks(values))
