"""Conservation laws of a scene over a range of steps: which hold, and what breaks the others.

A law is broken by a source whose net work, or whose impulses by their absolute values, are more than TOLERANCE of the
scale of what moves. Integrator and solver have an error, which is no leak as long as its net effect is below NUMERICAL
of it. Energy is conserved where nothing does work but gravity and springs; momentum where joints leave the motion free
(momentum.py) and gravity does not act along it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sim.analysis.audit.momentum import Charge
from sim.analysis.audit.tally import Tally, joined
from sim.analysis.audit.work_source import IMPLICIT, INTEGRATOR, RESIDUAL, WorkSource

if TYPE_CHECKING:
    from sim.model import Model

TOLERANCE, NUMERICAL = 1e-6, 0.02
# energies below this part of the weight of all times the size of the model are nothing
NOTHING = 1e-9
ERRORS = (INTEGRATOR, IMPLICIT, RESIDUAL)
HOLDS, BROKEN, NONE = "holds", "broken", "none"


@dataclass(frozen=True, eq=False)
class Breaker:
    """A source that breaks a law: how much it changed, per second, and the step when it began to."""

    source: WorkSource
    change: float
    rate: float
    step: int


@dataclass(frozen=True, eq=False)
class Law:
    """The energy (charge None) or a momentum: its verdict, its values at both ends, and the scale for its change.

    `error` is the net effect of integrator and solver. `breakers` come with the largest first; where the verdict is
    NONE, gravity is the only one, or there is a joint (Charge.blocker).
    """

    charge: Charge | None
    verdict: str
    start: float
    end: float
    scale: float
    error: float
    breakers: tuple[Breaker, ...] = ()

    @property
    def drift(self) -> float:
        """The change, as a part of the scale."""
        return (self.end - self.start) / self.scale if self.scale else 0.0


def least_energy(m: Model, trees: Sequence[int]) -> float:
    """The energy below which nothing happens, J."""
    mass = float(m.body_mass[np.isin(m.body_treeid, trees)].sum())
    return NOTHING * mass * max(float(np.linalg.norm(m.opt.gravity)), 1.0) * float(m.stat.extent)


def laws(parts: Sequence[Tally], charges: Sequence[Charge], least: float, mass: float, inertia: float) -> list[Law]:
    """All laws over consecutive tallies; `least` is the smallest energy that counts."""
    total = joined(parts)
    floor = np.sqrt(2 * least * np.array([mass, inertia]))
    changes = {source: total.net(source) for source in dict.fromkeys((*total.work_in, *total.work_out))}
    ends, scale = (total.start.total, total.end.total), energy_scale(total, least)
    found = [_judge(None, ends, scale, changes, _Sizes(parts, total, -1))]
    for column, charge in enumerate(charges):
        kind = int(charge.kind == "angular")
        scale = max(float(total.scale[kind]), float(floor[kind]))
        ends = float(total.momenta[0][column]), float(total.momenta[1][column])
        if charge.blocker >= 0:
            found.append(Law(charge, NONE, *ends, scale, 0.0))
            continue
        changes = {source: float(impulse[column]) for source, impulse in total.impulse.items()}
        found.append(_judge(charge, ends, scale, changes, _Sizes(parts, total, column)))
    return found


def energy_scale(total: Tally, least: float) -> float:
    """What changes of energy are compared with."""
    swing = total.potential[1] - total.potential[0]
    return max(total.most_kinetic, swing if np.isfinite(swing) else 0.0, least)


@dataclass(frozen=True, eq=False)
class _Sizes:
    """How much sources did by absolute values, in the energy (column -1) or in a momentum."""

    parts: Sequence[Tally]
    total: Tally
    column: int

    def of(self, source: WorkSource, tally: Tally | None = None) -> float:
        """In all, or in one part."""
        tally = tally or self.total
        if self.column < 0:
            return max(tally.work_in.get(source, 0.0), -tally.work_out.get(source, 0.0))
        return float(tally.gross[source][self.column]) if source in tally.gross else 0.0

    def breaker(self, source: WorkSource, change: float, limit: float) -> Breaker:
        """A source that went beyond a limit, and the step in which it did."""
        so_far, step = 0.0, self.total.acted.get(source, self.total.first)
        for part in self.parts:
            so_far += self.of(source, part)
            if so_far > limit:
                step = part.acted.get(source, part.first)
                break
        seconds = self.total.seconds
        return Breaker(source, change, change / seconds if seconds else 0.0, step)


def _judge(
    charge: Charge | None, ends: tuple[float, float], scale: float, changes: dict[WorkSource, float], sizes: _Sizes
) -> Law:
    """Find what breaks a law."""
    error = sum(changes.get(source, 0.0) for source in ERRORS)
    found: list[tuple[float, WorkSource, float]] = []
    for source, change in changes.items():
        # energy that is given back is not lost
        size = abs(change) if source in ERRORS or charge is None else sizes.of(source)
        limit = (NUMERICAL if source in ERRORS else TOLERANCE) * scale
        if size > limit:
            found.append((size, source, limit))
    found.sort(key=lambda one: -one[0])
    breakers = tuple(sizes.breaker(source, changes[source], limit) for _, source, limit in found)
    falls = charge is not None and any(breaker.source.kind == "gravity" for breaker in breakers)
    verdict = NONE if falls else BROKEN if breakers else HOLDS
    breakers = tuple(breaker for breaker in breakers if not falls or breaker.source.kind == "gravity")
    return Law(charge, verdict, *ends, scale, error, breakers)
