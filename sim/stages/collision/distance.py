"""The distance of two geoms, and the segment that is that long.

(geom_xpos, geom_xmat) -> (segment). Convex geoms are asked about their nearest points, overlapping ones about the
deepest; pairs that collision knows a formula for, about their hits with the distance asked for as margin.
"""

from __future__ import annotations

from sim.enums import (
    DSBL_NATIVECCD,
    GEOM_BOX,
    GEOM_CAPSULE,
    GEOM_CYLINDER,
    GEOM_HFIELD,
    GEOM_MESH,
    GEOM_SPHERE,
    SENS_GEOMDIST,
    SENS_GEOMFROMTO,
    SENS_GEOMNORMAL,
)
from sim.jit import helper, inline, kernel
from sim.math.vec import add3, get3, put3, scale3
from sim.stages.collision.convex import is_round, shallow
from sim.stages.collision.driver import narrowphase
from sim.stages.collision.epa import deepest
from sim.stages.collision.gjk import FAR, nearest
from sim.stages.collision.support import put_solid
from sim.stages.sensor.reading import measures


@inline
def has_formula(kind1, kind2):
    """Whether collision has a formula for two types, the first not above the second, that is one for distances too."""
    if kind1 <= GEOM_HFIELD:
        return True
    if kind1 == GEOM_SPHERE:
        return kind2 == GEOM_SPHERE or kind2 == GEOM_CAPSULE or kind2 == GEOM_CYLINDER or kind2 == GEOM_BOX
    return kind1 == GEOM_CAPSULE and (kind2 == GEOM_CAPSULE or kind2 == GEOM_BOX)


@helper
def put_segment(d, start, end):
    put3(d.segment.end, 0, start)
    put3(d.segment.end, 1, end)


@helper
def by_formula(m, d, g1, g2, distmax):
    """The nearest hit of a pair."""
    swapped = m.geom_type[g1] > m.geom_type[g2]
    hits = narrowphase(m, d, g2 if swapped else g1, g1 if swapped else g2, distmax)
    best, dist = -1, distmax
    for k in range(hits):
        if d.hit.dist[k] < dist:
            best, dist = k, d.hit.dist[k]
    if best >= 0:
        half = scale3(get3(d.hit.normal, best), -0.5 * dist if swapped else 0.5 * dist)
        pos = get3(d.hit.pos, best)
        put_segment(d, add3(pos, scale3(half, -1.0)), add3(pos, half))
    return dist


@helper
def by_search(m, d, g1, g2, distmax):
    """Nearest or deepest points of two convex geoms."""
    put_solid(m, d, 0, g1, 0.0)
    put_solid(m, d, 1, g2, 0.0)
    # round geoms are points and lines with a radius, as long as these are apart
    if is_round(d.solid.kind[0]) or is_round(d.solid.kind[1]):
        dist = shallow(m, d, distmax)
        if dist > m.opt.ccd_tolerance:
            if dist == FAR:
                return distmax
            put_segment(d, get3(d.witness.first, 0), get3(d.witness.second, 0))
            return min(d.witness.dist[0], distmax)
    dist = nearest(m, d, distmax)
    if dist <= m.opt.ccd_tolerance and d.simplex.n > 1:
        if deepest(m, d) < 0:
            return 0.0
        dist = d.witness.dist[0]
    if dist != FAR:
        put_segment(d, get3(d.witness.first, 0), get3(d.witness.second, 0))
    return min(dist, distmax)


@kernel(when=measures(SENS_GEOMDIST, SENS_GEOMNORMAL, SENS_GEOMFROMTO), exact=True)
def separation(m, d, g1: int, g2: int, distmax: float) -> float:
    """(geom_xpos, geom_xmat) -> (segment): signed distance of two geoms, or distmax if it is not below that"""
    put_segment(d, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    kind1, kind2 = m.geom_type[g1], m.geom_type[g2]
    low, high = min(kind1, kind2), max(kind1, kind2)
    if high > GEOM_MESH or high <= GEOM_HFIELD:
        return distmax
    if m.opt.disableflags & DSBL_NATIVECCD or has_formula(low, high):
        return by_formula(m, d, g1, g2, distmax)
    return by_search(m, d, g1, g2, distmax)
