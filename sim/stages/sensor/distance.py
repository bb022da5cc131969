"""Distance sensors: distance, normal and segment between geoms or bodies.

(geom_xpos, geom_xmat) -> (sensordata). For a body, the closest of its geoms counts. Pairs farther apart than the
cutoff are not searched: the distance is then the cutoff, and the normal and the segment are zero.
"""

from sim.enums import OBJ_BODY, SENS_GEOMDIST, SENS_GEOMFROMTO, SENS_GEOMNORMAL
from sim.jit import helper, kernel
from sim.math.vec import get3, norm3, normalize3, sub3
from sim.stages.collision.distance import separation
from sim.stages.sensor.reading import measures, put_reading, put_reading3


@helper
def geoms_of(m, kind, i):
    """(first, one past the last) geom of an object."""
    if kind == OBJ_BODY:
        return m.body_geomadr[i], m.body_geomadr[i] + m.body_geomnum[i]
    return i, i + 1


@kernel(when=measures(SENS_GEOMDIST, SENS_GEOMNORMAL, SENS_GEOMFROMTO))
def geom_distances(m, d, s: int):
    """(geom_xpos, geom_xmat) -> (sensordata)"""
    kind, cutoff = m.sensor_type[s], m.sensor_cutoff[s]
    dist = cutoff
    start = end = (0.0, 0.0, 0.0)
    first1, last1 = geoms_of(m, m.sensor_objtype[s], m.sensor_objid[s])
    first2, last2 = geoms_of(m, m.sensor_reftype[s], m.sensor_refid[s])
    for g1 in range(first1, last1):
        for g2 in range(first2, last2):
            x = separation(m, d, g1, g2, cutoff)
            if x < dist:
                dist, start, end = x, get3(d.segment.end, 0), get3(d.segment.end, 1)
    if kind == SENS_GEOMDIST:
        put_reading(m, d, s, 0, dist)
        return
    if kind == SENS_GEOMFROMTO:
        put_reading3(m, d, s, 0, start)
        put_reading3(m, d, s, 3, end)
        return
    normal = sub3(end, start)
    put_reading3(m, d, s, 0, normalize3(normal) if norm3(normal) > 0.0 else normal)
