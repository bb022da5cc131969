"""Whether a damaged model explodes where the healthy one does not, and whether a fix of the report survives."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

import sim
from app.instruments.doctor.trial import examine_explosion, try_fixes
from tests.soak.faults.fault import Case

SECONDS = 3.0


@dataclass(frozen=True)
class Explosion:
    """When it happened, the culprits, how many fixes were tried, and the first that survived, or ""."""

    time: float
    culprits: tuple[str, ...]
    tried: int
    survived: str


def driven(m: sim.Model, rng: random.Random) -> sim.Data:
    """At qpos0, with controls in the middle half of their ranges."""
    data = sim.Data(m)
    for actuator in np.flatnonzero(m.actuator_ctrllimited):
        low, high = m.actuator_ctrlrange[actuator]
        data.ctrl[actuator] = low + (high - low) * rng.uniform(0.25, 0.75)
    return data


def explosion(case: Case, seed: str) -> Explosion | None:
    """What became of a damaged model, or None if it does not explode or the healthy one does too."""
    start = driven(case.after, random.Random(seed))
    found = examine_explosion(case.after, start, SECONDS)
    if found is None:
        return None
    healthy = sim.Data(case.before)
    healthy.ctrl[:] = start.ctrl
    if examine_explosion(case.before, healthy, SECONDS) is not None:
        return None
    fixes = found.report.fixes
    verdicts = try_fixes(found.course, fixes, lambda verdict: not verdict.survived)
    survived = [" and ".join(fix.text for fix in verdict.fixes) for verdict in verdicts if verdict.survived]
    culprits = tuple(f"{one.check}: {one.title}" for one in found.report.findings)
    return Explosion(found.time, culprits, len(verdicts), survived[0] if survived else "")
