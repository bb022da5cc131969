"""MPR, Minkowski portal refinement: penetration depth of two convex geoms, with `nativeccd` disabled.

(solid) -> (simplex, witness). MuJoCo's algorithm before it had its own GJK and EPA: Snethen's (2008), as in libccd. A
ray goes from an interior point of the Minkowski difference, its centre, through the origin. The portal, a triangle of
support points that the ray passes through, advances until it cannot advance by more than the tolerance. Its point
nearest to the origin gives the depth. Vertex 0 of the simplex is the centre, vertices 1 to 3 are the portal.
"""

from math import sqrt

from sim.jit import helper, inline, kernel
from sim.math.vec import add3, cross, dot3, get3, put3, scale3, sub3
from sim.stages.collision.gjk import FAR, copy_vertex
from sim.stages.collision.support import put_support, uses_mpr
from sim.state.endless import MANY, pause

EPS = 2.220446049250313e-16
NEXT = 4  # row of the simplex for the new support point
MAX_ITERATIONS = 1000  # limit for searches that are endless in MuJoCo
APART, PORTAL, POINT, SEGMENT = -1, 0, 1, 2  # results of the search for a portal


@inline
def same(a, b):
    """Equal up to rounding."""
    gap = abs(a - b)
    return gap < EPS or gap < EPS * max(abs(a), abs(b))


@inline
def is_null(v):
    return abs(v[0]) < EPS and abs(v[1]) < EPS and abs(v[2]) < EPS


@inline
def unit(v):
    """Normalized vector, not null."""
    return scale3(v, 1.0 / sqrt(dot3(v, v)))


@inline
def portal_normal(d):
    """Normal of the portal, pointing away from the centre."""
    v = get3(d.simplex.v, 1)
    return unit(cross(sub3(get3(d.simplex.v, 2), v), sub3(get3(d.simplex.v, 3), v)))


@inline
def centre_plane_normal(d, v):
    """Normal of the plane through the centre and the first two vertices of the portal."""
    return unit(cross(sub3(get3(d.simplex.v, 1), v), sub3(get3(d.simplex.v, 2), v)))


# ---------------------------------------------------------------- the portal


@helper
def put_centre(d):
    """Vertex 0: the difference of the geoms' centres, moved slightly if it is the origin."""
    p, q = get3(d.solid.pos, 0), get3(d.solid.pos, 1)
    v = sub3(p, q)
    if is_null(v):
        v = (v[0] + 10.0 * EPS, v[1], v[2])
    for i in range(3):
        d.simplex.v[0, i] = v[i]
        d.simplex.v[0, 3 + i] = p[i]
        d.simplex.v[0, 6 + i] = q[i]
    return v


@helper
def complete_portal(m, d, v, u):
    """Try third vertices until the ray passes through the triangle; v: the centre, u: the first direction to search."""
    for _ in range(MAX_ITERATIONS):
        third = put_support(m, d, d.simplex.v, d.simplex.index, 3, u)
        if dot3(third, u) < EPS:
            return APART
        if dot3(cross(get3(d.simplex.v, 1), third), v) <= -EPS:
            copy_vertex(d, 2, 3)
        elif dot3(cross(third, get3(d.simplex.v, 2)), v) <= -EPS:
            copy_vertex(d, 1, 3)
        else:
            return PORTAL
        u = centre_plane_normal(d, v)
    return APART


@helper
def find_portal(m, d):
    """(solid) -> (simplex): PORTAL; POINT or SEGMENT if the origin is at the end of or on a segment; or APART."""
    v = put_centre(d)
    u = unit(scale3(v, -1.0))
    first = put_support(m, d, d.simplex.v, d.simplex.index, 1, u)
    if dot3(first, u) < EPS:
        return APART
    u = cross(v, first)
    if dot3(u, u) < EPS:
        return POINT if is_null(first) else SEGMENT
    u = unit(u)
    second = put_support(m, d, d.simplex.v, d.simplex.index, 2, u)
    if dot3(second, u) < EPS:
        return APART
    u = centre_plane_normal(d, v)
    if dot3(u, v) > 0.0:
        copy_vertex(d, NEXT, 1)
        copy_vertex(d, 1, 2)
        copy_vertex(d, 2, NEXT)
        u = scale3(u, -1.0)
    return complete_portal(m, d, v, u)


@helper
def expand_portal(d, x):
    """Replace one vertex of the portal by the new support point x, so that the ray still passes through."""
    side = cross(x, get3(d.simplex.v, 0))
    if dot3(get3(d.simplex.v, 1), side) > 0.0:
        copy_vertex(d, 1 if dot3(get3(d.simplex.v, 2), side) > 0.0 else 3, NEXT)
    else:
        copy_vertex(d, 2 if dot3(get3(d.simplex.v, 3), side) > 0.0 else 1, NEXT)


@helper
def within_tolerance(m, d, x, u):
    """Whether the portal cannot advance by more than the tolerance; x: support point in direction u."""
    y = dot3(x, u)
    a = y - dot3(get3(d.simplex.v, 1), u)
    b = y - dot3(get3(d.simplex.v, 2), u)
    c = y - dot3(get3(d.simplex.v, 3), u)
    least = min(a, min(b, c))
    return least < m.opt.ccd_tolerance or same(least, m.opt.ccd_tolerance)


@helper
def refine_portal(m, d):
    """Advance the portal until the origin is behind it; false if the geoms are separated."""
    for _ in range(MAX_ITERATIONS):
        u = portal_normal(d)
        if dot3(u, get3(d.simplex.v, 1)) > -EPS:
            return True
        x = put_support(m, d, d.simplex.v, d.simplex.index, NEXT, u)
        if dot3(x, u) <= -EPS or within_tolerance(m, d, x, u):
            return False
        expand_portal(d, x)
    return False


# ---------------------------------------------------------------- depth and position


@helper
def nearest_of_segment(a, b):
    """Point of a segment nearest to the origin."""
    edge = sub3(b, a)
    t = -dot3(a, edge) / dot3(edge, edge)
    if t < EPS:
        return a
    if t > 1.0 or same(t, 1.0):
        return b
    return add3(scale3(edge, t), a)


@helper
def nearest_of_portal(d):
    """Point of the portal nearest to the origin."""
    a, b, c = get3(d.simplex.v, 1), get3(d.simplex.v, 2), get3(d.simplex.v, 3)
    e, f = sub3(b, a), sub3(c, a)
    ee, ff, ef = dot3(e, e), dot3(f, f), dot3(e, f)
    ae, af = dot3(a, e), dot3(a, f)
    whole = ff * ee - ef * ef
    if abs(whole) >= EPS:
        s = (af * ef - ff * ae) / whole
        t = (-s * ef - af) / ff
        if s > -EPS and t > -EPS and (s + t < 1.0 or same(s + t, 1.0)):
            return add3(add3(a, scale3(e, s)), scale3(f, t))
    best = nearest_of_segment(a, b)
    x = nearest_of_segment(a, c)
    if dot3(x, x) < dot3(best, best):
        best = x
    x = nearest_of_segment(b, c)
    return x if dot3(x, x) < dot3(best, best) else best


@helper
def contact_position(d):
    """Midpoint of the witness points, from the barycentric coordinates of the origin in the tetrahedron."""
    v, a, b, c = get3(d.simplex.v, 0), get3(d.simplex.v, 1), get3(d.simplex.v, 2), get3(d.simplex.v, 3)
    w = dot3(cross(a, b), c), dot3(cross(c, b), v), dot3(cross(v, a), c), dot3(cross(b, a), v)
    total = w[0] + w[1] + w[2] + w[3]
    if total < EPS:
        u = portal_normal(d)
        w = 0.0, dot3(cross(b, c), u), dot3(cross(c, a), u), dot3(cross(a, b), u)
        total = w[1] + w[2] + w[3]
    p, q = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for k in range(4):
        p = add3(p, scale3((d.simplex.v[k, 3], d.simplex.v[k, 4], d.simplex.v[k, 5]), w[k]))
        q = add3(q, scale3((d.simplex.v[k, 6], d.simplex.v[k, 7], d.simplex.v[k, 8]), w[k]))
    return scale3(add3(scale3(p, 1.0 / total), scale3(q, 1.0 / total)), 0.5)


@helper
def put_penetration(d, x, pos):
    """Row 0 of the witness points: the depth, and points around pos in the direction of x, at distance 1.

    Points at the depth itself would leave too few digits for the direction.
    """
    depth = sqrt(dot3(x, x))
    if depth < EPS:
        return FAR
    half = scale3(x, 0.5 / depth)
    put3(d.witness.first, 0, add3(pos, half))
    put3(d.witness.second, 0, sub3(pos, half))
    d.witness.dist[0] = -depth
    return depth


@kernel(when=uses_mpr, exact=True)
def mpr(m, d) -> float:
    """(solid) -> (witness: row 0): penetration depth; FAR if the geoms are separated, or barely touch"""
    found = find_portal(m, d)
    if found == POINT or found == APART:
        return FAR
    if found == SEGMENT:
        p = d.simplex.v[1, 3], d.simplex.v[1, 4], d.simplex.v[1, 5]
        q = d.simplex.v[1, 6], d.simplex.v[1, 7], d.simplex.v[1, 8]
        return put_penetration(d, get3(d.simplex.v, 1), scale3(add3(p, q), 0.5))
    if not refine_portal(m, d):
        return FAR
    for k in range(m.opt.ccd_iterations + 2):
        u = portal_normal(d)
        x = put_support(m, d, d.simplex.v, d.simplex.index, NEXT, u)
        if k > m.opt.ccd_iterations or within_tolerance(m, d, x, u):
            break
        if k % MANY == MANY - 1:
            pause()
        expand_portal(d, x)
    return put_penetration(d, nearest_of_portal(d), contact_position(d))
