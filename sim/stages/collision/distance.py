"""Signed distance of two geoms, and the segment between their closest points.

(geom_xpos, geom_xmat) -> (segment). GJK finds the closest points of convex geoms, EPA the deepest ones if they overlap.
Pairs with an analytic collision function use that, with distmax as the margin.
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
from sim.stages.collision.convex import core_distance, is_sphere_swept
from sim.stages.collision.driver import narrowphase
from sim.stages.collision.epa import FAILED, OUTSIDE, epa
from sim.stages.collision.gjk import FAR, gjk, start_at_centres
from sim.stages.collision.support import put_solid
from sim.stages.sensor.reading import measures


@inline
def has_formula(type1, type2):
    """Whether the collision function of two types, the first not greater than the second, gives distances too."""
    if type1 <= GEOM_HFIELD:
        return True
    if type1 == GEOM_SPHERE:
        return type2 == GEOM_SPHERE or type2 == GEOM_CAPSULE or type2 == GEOM_CYLINDER or type2 == GEOM_BOX
    return type1 == GEOM_CAPSULE and (type2 == GEOM_CAPSULE or type2 == GEOM_BOX)


@helper
def put_segment(d, start, end):
    put3(d.segment.end, 0, start)
    put3(d.segment.end, 1, end)


@helper
def by_formula(m, d, g1, g2, distmax):
    """Closest point of the manifold."""
    swapped = m.geom_type[g1] > m.geom_type[g2]
    npoint = narrowphase(m, d, g2 if swapped else g1, g1 if swapped else g2, distmax)
    best, dist = -1, distmax
    for k in range(npoint):
        if best < 0 or d.manifold.dist[k] < dist:
            best, dist = k, d.manifold.dist[k]
    if best >= 0:
        half = scale3(get3(d.manifold.normal, best), -0.5 * dist if swapped else 0.5 * dist)
        pos = get3(d.manifold.pos, best)
        put_segment(d, add3(pos, scale3(half, -1.0)), add3(pos, half))
    return dist


@helper
def put_witnesses(d, dist, distmax):
    """The segment of a search, unless its points are farther apart than distmax; returns the distance."""
    if dist > distmax:
        return distmax
    put_segment(d, get3(d.witness.first, 0), get3(d.witness.second, 0))
    return dist


@helper
def by_search(m, d, g1, g2, distmax):
    """Closest or deepest points of two convex geoms."""
    put_solid(m, d, 0, g1, 0.0)
    put_solid(m, d, 1, g2, 0.0)
    # sphere-swept geoms: distance of the cores, unless these overlap
    if is_sphere_swept(d.solid.type[0]) or is_sphere_swept(d.solid.type[1]):
        dist = core_distance(m, d, distmax)
        if dist > m.opt.ccd_tolerance:
            return distmax if dist == FAR else put_witnesses(d, d.witness.dist[0], distmax)
    start_at_centres(d)
    dist = gjk(m, d, distmax)
    if dist <= m.opt.ccd_tolerance and d.simplex.n > 1 and not d.simplex.apart:
        face = epa(m, d)
        if face == FAILED:
            return 0.0
        if face != OUTSIDE:
            dist = d.witness.dist[0] if face >= 0 else 0.0
    return distmax if dist == FAR else put_witnesses(d, dist, distmax)


@kernel(when=measures(SENS_GEOMDIST, SENS_GEOMNORMAL, SENS_GEOMFROMTO), exact=True)
def separation(m, d, g1: int, g2: int, distmax: float) -> float:
    """(geom_xpos, geom_xmat) -> (segment): signed distance of two geoms, at most distmax"""
    put_segment(d, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    type1, type2 = m.geom_type[g1], m.geom_type[g2]
    low, high = min(type1, type2), max(type1, type2)
    if high > GEOM_MESH or high <= GEOM_HFIELD:
        return distmax
    if m.opt.disableflags & DSBL_NATIVECCD or has_formula(low, high):
        return by_formula(m, d, g1, g2, distmax)
    return by_search(m, d, g1, g2, distmax)
