"""insidesite with `enclosed`: how far an object juts out of the volume of a site; negative: its clearance inside.

(poses) -> (sensordata). The largest signed distance of a point of the object to the site: the directed Hausdorff
distance, if positive, of convex shapes. Signed distance is convex, so that the largest is at an extreme point: the
centre of a sphere and the ends of a capsule, plus the radius; corners of boxes and meshes. On ellipsoids and cylinders
it is found by ascent from several directions: the point that is farthest along the normal is at least as far outside.
MuJoCo 4.0 finds a local maximum only.
"""

from math import sqrt
from typing import Any

from sim.enums import (
    GEOM_BOX,
    GEOM_CAPSULE,
    GEOM_ELLIPSOID,
    GEOM_MESH,
    GEOM_SPHERE,
    MINVAL,
    OBJ_BODY,
    OBJ_SITE,
    OBJ_XBODY,
    SENS_INSIDESITE,
)
from sim.jit import helper, inline, kernel
from sim.math.mat import mul_mat, transpose
from sim.math.quat import get9, mat_vec, mat_vec_t, quat_to_mat
from sim.math.vec import add3, get3, get4, norm3, normalize3, sub3
from sim.stages.sensor.convex_distance import convex_distance
from sim.stages.sensor.reading import put_reading
from sim.stages.sensor.zone import height_above

ASCENT_STEPS = 200
LEAST = -1e300


def measures_enclosure(m: Any) -> bool:
    """Predicate: whether a model has such sensors."""
    return bool(((m.sensor_type == SENS_INSIDESITE) & (m.sensor_intprm[:, 0] > 0)).any())


@inline
def site_frame(m, d, site):
    """(position, orientation) of the shape of a site."""
    pos, r = get3(d.site_xpos, site), get9(d.site_xmat, site)
    if m.site_type[site] == GEOM_MESH:
        mesh = m.site_dataid[site]
        pos = add3(pos, mat_vec(r, get3(m.mesh_pos, mesh)))
        r = mul_mat(r, quat_to_mat(get4(m.mesh_quat, mesh)))
    return pos, r


@helper
def round_support(kind, size, u):
    """The point of an ellipsoid or cylinder that is farthest along a unit vector."""
    if kind == GEOM_ELLIPSOID:
        v = (size[0] * u[0], size[1] * u[1], size[2] * u[2])
        length = max(norm3(v), MINVAL)
        return size[0] * v[0] / length, size[1] * v[1] / length, size[2] * v[2] / length
    across = sqrt(u[0] * u[0] + u[1] * u[1])
    z = size[1] if u[2] > 0.0 else -size[1]
    if across < MINVAL:
        return size[0], 0.0, z
    return size[0] * u[0] / across, size[0] * u[1] / across, z


@helper
def ascend(m, kind, size, pos, r, site, u):
    """The largest signed distance found from a direction; the object is at pos, r in the frame of the site's shape."""
    outer, outer_size, mesh = m.site_type[site], get3(m.site_size, site), m.site_dataid[site]
    best = LEAST
    for _ in range(ASCENT_STEPS):
        point = add3(pos, mat_vec(r, round_support(kind, size, mat_vec_t(r, u))))
        found, u = convex_distance(m, outer, outer_size, mesh, point)
        if found <= best + 1e-15 * (1.0 + abs(best)):
            return max(found, best)
        best = found
    return best


@helper
def round_protrusion(m, kind, size, pos, r, site):
    """The largest signed distance of a point of an ellipsoid or cylinder."""
    best = LEAST
    if m.site_type[site] == GEOM_MESH:
        mesh = m.site_dataid[site]
        first = m.mesh_polyadr[mesh]
        up = (0.0, 0.0, 1.0)
        for k in range(first, first + m.mesh_polynum[mesh]):
            normal = get3(m.mesh_polynormal, k)
            point = add3(pos, mat_vec(r, round_support(kind, size, mat_vec_t(r, normal))))
            height, _ = height_above(m, mesh, k, point)
            if height > best:
                best, up = height, normal
        # inside: the clearance of the hull's planes
        if best <= 0.0:
            return best
        best = ascend(m, kind, size, pos, r, site, up)
    for k in range(27):
        u = (float(k // 9 - 1), float(k // 3 % 3 - 1), float(k % 3 - 1))
        if k != 13:
            u = normalize3(u)
            best = max(best, ascend(m, kind, size, pos, r, site, u))
            best = max(best, ascend(m, kind, size, pos, r, site, mat_vec(r, u)))
    return best


@helper
def at_point(m, pos, r, site, point):
    """Signed distance of a point of the object."""
    outer, size, mesh = m.site_type[site], get3(m.site_size, site), m.site_dataid[site]
    found, _ = convex_distance(m, outer, size, mesh, add3(pos, mat_vec(r, point)))
    return found


@helper
def protrusion(m, d, kind, size, mesh, pos, r, site):
    """The largest signed distance of a shape, at pos and r, to a site."""
    origin, frame = site_frame(m, d, site)
    pos, r = mat_vec_t(frame, sub3(pos, origin)), mul_mat(transpose(frame), r)
    best = LEAST
    if kind == GEOM_SPHERE:
        return size[0] + at_point(m, pos, r, site, (0.0, 0.0, 0.0))
    if kind == GEOM_CAPSULE:
        for end in (-1.0, 1.0):
            best = max(best, at_point(m, pos, r, site, (0.0, 0.0, end * size[1])))
        return size[0] + best
    if kind == GEOM_BOX:
        for k in range(8):
            x = size[0] if k & 1 else -size[0]
            y = size[1] if k & 2 else -size[1]
            z = size[2] if k & 4 else -size[2]
            best = max(best, at_point(m, pos, r, site, (x, y, z)))
        return best
    if kind == GEOM_MESH:
        first = m.mesh_vertadr[mesh]
        for i in range(first, first + m.mesh_vertnum[mesh]):
            vertex = (m.mesh_vert[i, 0], m.mesh_vert[i, 1], m.mesh_vert[i, 2])
            best = max(best, at_point(m, pos, r, site, vertex))
        return best
    return round_protrusion(m, kind, size, pos, r, site)


@helper
def geom_protrusion(m, d, g, site):
    size = get3(m.geom_size, g)
    pos, r = get3(d.geom_xpos, g), get9(d.geom_xmat, g)
    return protrusion(m, d, m.geom_type[g], size, m.geom_dataid[g], pos, r, site)


@inline
def is_below(m, b, top):
    """Whether a body is in the subtree of another."""
    while b > top:
        b = m.body_parentid[b]
    return b == top


@kernel(when=measures_enclosure, exact=True)
def enclosure(m, d, s: int):
    """(poses) -> (sensordata)"""
    kind, i, site = m.sensor_objtype[s], m.sensor_objid[s], m.sensor_refid[s]
    if kind == OBJ_SITE:
        pos, r = site_frame(m, d, i)
        put_reading(m, d, s, 0, protrusion(m, d, m.site_type[i], get3(m.site_size, i), m.site_dataid[i], pos, r, site))
        return
    best = LEAST
    if kind == OBJ_BODY or kind == OBJ_XBODY:
        for g in range(m.ngeom):
            b = m.geom_bodyid[g]
            if b == i or (kind == OBJ_XBODY and is_below(m, b, i)):
                best = max(best, geom_protrusion(m, d, g, site))
    else:
        best = geom_protrusion(m, d, i, site)
    put_reading(m, d, s, 0, best)
