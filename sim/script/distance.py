"""The signed distance of two geoms, for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.arguments import checked
from sim.stages.collision.distance import separation

if TYPE_CHECKING:
    from sim.model import Data, Model


@checked
def geom_distance(m: Model, d: Data, geom1: int, geom2: int, distmax: float) -> tuple[float, np.ndarray]:
    """(signed distance, segment from the first to the second geom); if farther, (distmax, a meaningless segment)."""
    if not np.isfinite(distmax):
        raise ValueError(f"distmax is {distmax}: it must be finite")
    found: list[float] = []
    d.retry_on_overflow(lambda: found.append(separation(m, d, geom1, geom2, float(distmax))))
    return found[-1], d.segment.end.reshape(6).copy()
