"""Statistics of a curve over a range of time, weighted by time: samples need not be at equal distances."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Statistics(NamedTuple):
    """What a curve does in a range: NaN if it has no value there."""

    min: float
    max: float
    mean: float
    rms: float
    std: float
    # last value minus first
    change: float
    samples: int


# heading of each number, and what it is
HEADINGS = {
    "min": "smallest value",
    "max": "largest value",
    "mean": "mean over time",
    "rms": "root mean square over time",
    "std": "standard deviation over time",
    "change": "last value minus first",
    "samples": "number of samples used",
}


def statistics(times: Array, values: Array) -> Statistics:
    """Statistics of some samples; those without a finite value do not count."""
    finite = np.isfinite(values)
    t, v = times[finite], values[finite]
    if not len(v):
        return Statistics(np.nan, np.nan, np.nan, np.nan, np.nan, np.nan, 0)
    # each sample stands for half of the way to its neighbours; time may go back, to a new start
    steps = np.maximum(np.diff(t), 0.0)
    weights = (np.append(steps, 0.0) + np.insert(steps, 0, 0.0)) / 2
    if weights.sum() <= 0:
        weights = np.ones_like(t)
    mean = float(np.average(v, weights=weights))
    rms = float(np.sqrt(np.average(v * v, weights=weights)))
    # from the deviations: the difference of large squares would be noise
    std = float(np.sqrt(np.average((v - mean) ** 2, weights=weights)))
    return Statistics(float(v.min()), float(v.max()), mean, rms, std, float(v[-1] - v[0]), len(v))


def as_text(names: list[str], rows: list[Statistics], what: str) -> str:
    """A table with tabs, for the clipboard: `what` says of which range."""
    lines = ["\t".join([what, *HEADINGS])]
    lines += ["\t".join([name, *(repr(number) for number in row)]) for name, row in zip(names, rows, strict=True)]
    return "\n".join(lines) + "\n"
