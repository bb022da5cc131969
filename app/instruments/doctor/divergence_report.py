"""The report on a divergence: the last sane step, the culprits, the likeliest first, and fixes to try."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.instruments.doctor import remedies
from app.instruments.doctor.culprits import Scene, culprits, thrown_bodies
from app.instruments.doctor.finding import Finding, Fix
from app.instruments.doctor.growth import find_growth, state_at
from sim import Model

Array = NDArray[np.float64]

# culprits whose fixes are tried
MOST_CULPRITS = 6
# an explosion within this many steps of the first row began at the start
AT_START = 3


@dataclass(frozen=True, eq=False)
class DivergenceReport:
    """Why a run diverged: its last sane row and the time of that, and the findings, the likeliest culprit first."""

    sane: int
    time: float
    findings: tuple[Finding, ...]
    # fixes that help many models, whatever the cause
    generic: tuple[Fix, ...]
    # bodies whose speeds changed most in the first explosive step
    thrown: frozenset[int] = frozenset()

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """All fixes that can be tried, those of the likeliest culprit first, each once."""
        found: dict[tuple[object, ...], Fix] = {}
        for fix in (*(fix for finding in self.findings for fix in finding.fixes), *self.generic):
            if fix.edits:
                found.setdefault(fix.edits, fix)
        return tuple(found.values())


def report_on(model: Model, rows: Array) -> DivergenceReport:
    """The report on the states before a divergence, one for each step; the first bad number comes after the last.

    The model has the edits of that time, and is for this call alone.
    """
    growth = find_growth(model, rows)
    data = state_at(model, rows[growth.step])
    change = growth.change
    if not np.abs(change).max(initial=0.0) > 0:
        change = np.nan_to_num(data.qacc) * float(model.opt.timestep)
    scene = Scene(model, data, change, at_start=growth.sane <= AT_START)
    found = tuple(culprits(scene)[:MOST_CULPRITS])
    generic = remedies.generic(model)
    return DivergenceReport(growth.sane, float(rows[growth.sane, 0]), found, generic, thrown_bodies(scene))
