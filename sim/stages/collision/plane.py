"""Plane against sphere, capsule, cylinder, ellipsoid and box: their lowest points.

(geom_xpos, geom_xmat, geom_size) -> (manifold). The normal is the plane's z axis; a contact point is halfway between
the plane and the point of the geom, which is `dist` above it. Meshes are in convex.py.
"""

from math import sqrt

from sim.enums import GEOM_BOX, GEOM_CAPSULE, GEOM_CYLINDER, GEOM_ELLIPSOID, GEOM_PLANE, GEOM_SPHERE, MINVAL
from sim.jit import inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, cross, dot3, get3, norm3, normalize3, scale3, sub3
from sim.stages.collision.manifold import both, put_below, put_point, z_axis


@inline
def plane_ball(d, k, origin, normal, centre, radius, margin, tangent):
    """Row k: plane and sphere; 1 if they are within the margin, else 0."""
    height = dot3(sub3(centre, origin), normal)
    if height > margin + radius:
        return 0
    dist = height - radius
    put_point(d, k, dist, add3(centre, scale3(normal, -0.5 * dist - radius)), normal, tangent)
    return 1


@kernel(when=both(GEOM_PLANE, GEOM_SPHERE), exact=True)
def plane_sphere(m, d, g1: int, g2: int, margin: float) -> int:
    """The lowest point."""
    origin, normal = get3(d.geom_xpos, g1), z_axis(d.geom_xmat, g1)
    return plane_ball(d, 0, origin, normal, get3(d.geom_xpos, g2), m.geom_size[g2, 0], margin, (0.0, 0.0, 0.0))


@kernel(when=both(GEOM_PLANE, GEOM_CAPSULE), exact=True)
def plane_capsule(m, d, g1: int, g2: int, margin: float) -> int:
    """The lowest point of each end; the preferred tangent is the capsule's axis."""
    origin, normal = get3(d.geom_xpos, g1), z_axis(d.geom_xmat, g1)
    centre, axis = get3(d.geom_xpos, g2), z_axis(d.geom_xmat, g2)
    radius = m.geom_size[g2, 0]
    half = scale3(axis, m.geom_size[g2, 1])
    n = plane_ball(d, 0, origin, normal, add3(centre, half), radius, margin, axis)
    return n + plane_ball(d, n, origin, normal, sub3(centre, half), radius, margin, axis)


@kernel(when=both(GEOM_PLANE, GEOM_CYLINDER), exact=True)
def plane_cylinder(m, d, g1: int, g2: int, margin: float) -> int:
    """The lowest point of both rims, and two more on the lower rim that make an equilateral triangle with it."""
    normal = z_axis(d.geom_xmat, g1)
    centre = get3(d.geom_xpos, g2)
    radius = m.geom_size[g2, 0]
    # the axis, pointing down
    axis = z_axis(d.geom_xmat, g2)
    down = dot3(normal, axis)
    if down > 0.0:
        axis, down = scale3(axis, -1.0), -down
    height = dot3(sub3(centre, get3(d.geom_xpos, g1)), normal)
    # from the axis to the lowest point of a rim; any direction if the rim is horizontal
    side = sub3(scale3(axis, down), normal)
    squared = dot3(side, side)
    if squared >= MINVAL * MINVAL:
        side = scale3(side, radius / sqrt(squared))
    else:
        side = scale3((d.geom_xmat[g2, 0], d.geom_xmat[g2, 3], d.geom_xmat[g2, 6]), radius)
    dip = dot3(side, normal)
    axis, down = scale3(axis, m.geom_size[g2, 1]), down * m.geom_size[g2, 1]
    # lowest point of the lower rim, then of the upper one
    if height + down + dip > margin:
        return 0
    put_below(d, 0, height + down + dip, add3(add3(centre, side), axis), normal)
    n = 1
    if height - down + dip <= margin:
        put_below(d, 1, height - down + dip, sub3(add3(centre, side), axis), normal)
        n = 2
    # the other two vertices of the triangle
    dist = height + down - 0.5 * dip
    if dist <= margin:
        across = scale3(normalize3(cross(side, axis)), radius * sqrt(3.0) / 2.0)
        middle = add3(add3(centre, axis), scale3(side, -0.5))
        put_below(d, n, dist, add3(middle, across), normal)
        put_below(d, n + 1, dist, sub3(middle, across), normal)
        n += 2
    return n


@kernel(when=both(GEOM_PLANE, GEOM_ELLIPSOID), exact=True)
def plane_ellipsoid(m, d, g1: int, g2: int, margin: float) -> int:
    """The lowest point: where the outward normal is opposite to the plane's."""
    origin, normal = get3(d.geom_xpos, g1), z_axis(d.geom_xmat, g1)
    size = get3(m.geom_size, g2)
    r = get9(d.geom_xmat, g2)
    # scaled to the unit sphere
    n = mat_vec_t(r, normal)
    u = (-n[0] * size[0], -n[1] * size[1], -n[2] * size[2])
    u = scale3(u, 1.0 / norm3(u))
    point = add3(mat_vec(r, (u[0] * size[0], u[1] * size[1], u[2] * size[2])), get3(d.geom_xpos, g2))
    dist = dot3(normal, sub3(point, origin))
    if dist > margin:
        return 0
    put_below(d, 0, dist, point, normal)
    return 1


@kernel(when=both(GEOM_PLANE, GEOM_BOX), exact=True)
def plane_box(m, d, g1: int, g2: int, margin: float) -> int:
    """The first four corners that are below the box's centre and within the margin."""
    normal = z_axis(d.geom_xmat, g1)
    centre, r, size = get3(d.geom_xpos, g2), get9(d.geom_xmat, g2), get3(m.geom_size, g2)
    height = dot3(sub3(centre, get3(d.geom_xpos, g1)), normal)
    # rise of each half edge along the normal
    up = mat_vec_t(r, normal)
    up = (up[0] * size[0], up[1] * size[1], up[2] * size[2])
    n = 0
    for corner in range(8):
        x = 1.0 if corner & 1 else -1.0
        y = 1.0 if corner & 2 else -1.0
        z = 1.0 if corner & 4 else -1.0
        rise = x * up[0] + y * up[1] + z * up[2]
        if height + rise > margin or rise > 0.0:
            continue
        offset = mat_vec(r, (x * size[0], y * size[1], z * size[2]))
        put_below(d, n, height + rise, add3(offset, centre), normal)
        n += 1
        if n == 4:
            return 4
    return n
