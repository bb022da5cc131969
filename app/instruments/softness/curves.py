"""The curves of the instrument Softness: force and impedance over depth, and how far they are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sim.analysis.softness import Law, Softness
from sim.analysis.solref_tuning import limit_law

Array = NDArray[np.float64]
POINTS = 160
# how far beyond the farthest mark a curve goes
BEYOND = 1.6
# m or rad, where there is no load and no width
LEAST_SPAN = 1e-6


@dataclass(frozen=True)
class Curves:
    """Depths, and over them the force, the largest that a step can bear, and the impedance; in SI units."""

    depth: Array
    force: Array
    limit: Array
    wide_depth: Array
    impedance: Array
    top: float
    # below the impedance
    floor: float


@lru_cache(maxsize=4)
def curves(now: Softness) -> Curves:
    """What is drawn of a softness; the same in each frame until that changes."""
    span = BEYOND * max(now.rest, now.depth, LEAST_SPAN if now.rest or now.depth > 0 else now.solimp[2] / BEYOND)
    wide = BEYOND * max(now.solimp[2], now.rest, now.depth, LEAST_SPAN)
    depth, wide_depth = np.linspace(0.0, span, POINTS), np.linspace(0.0, wide, POINTS)
    force, limit = forces(now.law, depth), forces(limit_law(now), depth)
    impedance = np.array([now.law.impedance(x)[0] for x in wide_depth])
    # the limit may be far above
    top = BEYOND * max(now.load, now.force, float(np.interp(now.rest, depth, force)), 0.5 * float(force[-1]), 1e-12)
    # what matters about an impedance is what is missing to 1
    floor = max(1.0 - BEYOND * (1.0 - float(impedance.min())), 0.0)
    return Curves(depth, force, limit, wide_depth, impedance, top, floor)


def forces(law: Law, depth: Array) -> Array:
    """The force at rest over depths."""
    return np.array([law.force(float(x)) for x in depth])
