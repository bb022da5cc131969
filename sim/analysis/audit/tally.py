"""Sums of work and impulses over a range of steps, by source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sim.analysis.audit.instant import Energies, Instant
from sim.analysis.audit.step_work import StepWork
from sim.analysis.audit.work_source import WorkSource

# work and impulses below this part of the scale of their step are rounding
ROUNDING = 1e-13


@dataclass
class Tally:
    """Of the steps from `first` to `last`; energies and momenta at both ends."""

    first: int
    last: int
    times: tuple[float, float]
    start: Energies
    end: Energies
    momenta: tuple[np.ndarray, np.ndarray]
    # work that increased energy, and work that decreased it, J
    work_in: dict[WorkSource, float] = field(default_factory=dict)
    work_out: dict[WorkSource, float] = field(default_factory=dict)
    # net impulses, and the sums of their absolute values
    impulse: dict[WorkSource, np.ndarray] = field(default_factory=dict)
    gross: dict[WorkSource, np.ndarray] = field(default_factory=dict)
    # the first step in which a source did something
    acted: dict[WorkSource, int] = field(default_factory=dict)
    most_kinetic: float = 0.0
    potential: tuple[float, float] = (np.inf, -np.inf)
    # the largest momenta that kinetic energy allowed, linear and angular
    scale: np.ndarray = field(default_factory=lambda: np.zeros(2))
    # the largest error of a step that the theory does not know, as a part of its energies
    rounding: float = 0.0
    # states on the way: (time, kinetic, gravity, springs)
    samples: list[tuple[float, float, float, float]] = field(default_factory=list)

    @staticmethod
    def begin(step: int, here: Instant) -> Tally:
        """Of no steps yet."""
        found = Tally(step, step, (here.time, here.time), here.energies, here.energies, (here.momenta, here.momenta))
        found._see(here)
        return found

    def copy(self) -> Tally:
        """One that can go on while somebody reads this one."""
        return replace(self, work_in={**self.work_in}, work_out={**self.work_out}, impulse={**self.impulse},
                       gross={**self.gross}, acted={**self.acted}, samples=[*self.samples])  # fmt: skip

    @property
    def change(self) -> float:
        """Of the total energy."""
        return self.end.total - self.start.total

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.times[1] - self.times[0]

    def net(self, source: WorkSource) -> float:
        """Its work, in less out."""
        return self.work_in.get(source, 0.0) + self.work_out.get(source, 0.0)

    def add(self, step: int, work: StepWork, after: Instant) -> None:
        """Add what led to a step."""
        size = work.size
        for source in dict.fromkeys((*work.work, *work.impulse)):
            done, impulse = work.work.get(source, 0.0), work.impulse.get(source, np.zeros(0))
            if done > 0:
                self.work_in[source] = self.work_in.get(source, 0.0) + done
            elif done < 0:
                self.work_out[source] = self.work_out.get(source, 0.0) + done
            if impulse.any():
                self.impulse[source] = self.impulse.get(source, 0.0) + impulse
                self.gross[source] = self.gross.get(source, 0.0) + np.abs(impulse)
            if abs(done) > ROUNDING * size or impulse.any():
                self.acted.setdefault(source, step)
        whole = size + abs(work.after.gravity) + abs(work.after.springs)
        self.rounding = max(self.rounding, abs(work.rounding) / whole if whole else 0.0)
        self.last, self.end = step, work.after
        self.times, self.momenta = (self.times[0], after.time), (self.momenta[0], after.momenta)
        self._see(after)

    def _see(self, here: Instant) -> None:
        energies = here.energies
        self.most_kinetic = max(self.most_kinetic, energies.kinetic)
        self.potential = (min(self.potential[0], energies.potential), max(self.potential[1], energies.potential))
        self.scale = np.maximum(self.scale, here.scale)
        self.samples.append((here.time, energies.kinetic, energies.gravity, energies.springs))


def joined(parts: Sequence[Tally]) -> Tally:
    """The sum of consecutive tallies; without their samples."""
    first, last = parts[0], parts[-1]
    found = Tally(first.first, last.last, (first.times[0], last.times[1]), first.start, last.end,
                  (first.momenta[0], last.momenta[1]))  # fmt: skip
    for part in parts:
        for mine, theirs in ((found.work_in, part.work_in), (found.work_out, part.work_out)):
            for source, work in theirs.items():
                mine[source] = mine.get(source, 0.0) + work
        for total, own in ((found.impulse, part.impulse), (found.gross, part.gross)):
            for source, impulse in own.items():
                total[source] = total.get(source, 0.0) + impulse
        found.acted = {**part.acted, **found.acted}
        found.most_kinetic = max(found.most_kinetic, part.most_kinetic)
        found.potential = (min(found.potential[0], part.potential[0]), max(found.potential[1], part.potential[1]))
        found.scale, found.rounding = np.maximum(found.scale, part.scale), max(found.rounding, part.rounding)
    return found


def cumulative(parts: Iterable[Tally], source: WorkSource) -> tuple[np.ndarray, np.ndarray]:
    """The work of a source over time, at the ends of the parts."""
    times, work, total = [], [], 0.0
    for k, part in enumerate(parts):
        if k == 0:
            times.append(part.times[0])
            work.append(0.0)
        total += part.net(source)
        times.append(part.times[1])
        work.append(total)
    return np.array(times), np.array(work)
