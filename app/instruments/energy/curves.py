"""Curves of an audit: energies over time, and the work of each source since the beginning of the range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sim.analysis.audit.tally import Tally, cumulative
from sim.analysis.audit.work_source import WorkSource

# points of a curve at most
MOST = 400


@dataclass(frozen=True, eq=False)
class Curves:
    """Energies (kinetic, gravity, springs), one row each, at some times; and work by source at others."""

    times: np.ndarray = field(default_factory=lambda: np.zeros(0))
    energies: np.ndarray = field(default_factory=lambda: np.zeros((3, 0)))
    work_times: np.ndarray = field(default_factory=lambda: np.zeros(0))
    work: dict[WorkSource, np.ndarray] = field(default_factory=dict)


def curves_of(parts: Sequence[Tally]) -> Curves:
    """Of consecutive tallies."""
    samples = [sample for part in parts for sample in part.samples]
    stride = max(-(-len(samples) // MOST), 1)
    # the last one is that of the present
    chosen = np.array([*samples[:-1:stride], *samples[-1:]])
    joint = max(-(-len(parts) // MOST), 1)
    sources = dict.fromkeys(source for part in parts for source in (*part.work_in, *part.work_out))
    work: dict[WorkSource, np.ndarray] = {}
    times = np.zeros(0)
    for source in sources:
        times, values = cumulative(parts, source)
        work[source] = np.r_[values[:-1:joint], values[-1:]]
    return Curves(chosen[:, 0], chosen[:, 1:].T.copy(), np.r_[times[:-1:joint], times[-1:]], work)
