"""Normals of curved geoms at contacts from portal.py, which are as rough as its last triangle.

(hit, geom_xpos, geom_xmat) -> (hit.normal). Where the surface near a hit is that of a sphere, a capsule, an ellipsoid
or the round part of a cylinder its normal there is known; of two such surfaces the mean is taken.
"""

from math import sqrt

from sim.enums import GEOM_CAPSULE, GEOM_CYLINDER, GEOM_ELLIPSOID, GEOM_SPHERE, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, dot3, get3, norm3, normalize3, put3, scale3, sub3
from sim.stages.collision.support import by_portal

ROUNDS = 30
TOLERANCE = 1e-6
RIM = 0.95  # of a cylinder's length, beyond which its flat ends count
ROUNDER = 0.25  # as much nearer to the flat end than to the round side


@inline
def times(a, b):
    return a[0] * b[0], a[1] * b[1], a[2] * b[2]


@helper
def from_inside(p, u, size):
    """(whether it was found, normal) of an ellipsoid where a ray from p leaves it; u: a first guess, then the ray."""
    w = 1.0 / (size[0] * size[0]), 1.0 / (size[1] * size[1]), 1.0 / (size[2] * size[2])
    c = dot3(times(p, p), w) - 1.0
    u = normalize3(u)
    for k in range(ROUNDS):
        # |p + x u| = 1 in the ellipsoid's own measure
        a, b = dot3(times(u, u), w), dot3(times(p, u), w)
        root = b * b - a * c
        if root < MINVAL or a < MINVAL:
            return k > 0, u
        x = (sqrt(root) - b) / a
        if x < 0.0:
            return k > 0, u
        before = u
        u = normalize3(times(add3(p, scale3(u, x)), w))
        if norm3(sub3(u, before)) < TOLERANCE:
            break
    return True, u


@helper
def from_outside(p, size):
    """Normal of an ellipsoid at its point nearest to p, found by a Newton iteration."""
    s = times(size, size)
    q = times(times(p, p), s)
    shift = 0.0
    for _ in range(ROUNDS):
        r = 1.0 / (s[0] + shift), 1.0 / (s[1] + shift), 1.0 / (s[2] + shift)
        rr = times(r, r)
        value = dot3(q, rr) - 1.0
        slope = -2.0 * dot3(q, times(rr, r))
        if value < TOLERANCE or slope > -MINVAL or -value / slope < TOLERANCE:
            break
        shift -= value / slope
    return normalize3((p[0] / (s[0] + shift), p[1] / (s[1] + shift), p[2] / (s[2] + shift)))


@helper
def of_ellipsoid(p, u, size):
    if size[0] < MINVAL or size[1] < MINVAL or size[2] < MINVAL:
        return False, u
    t = p[0] / size[0], p[1] / size[1], p[2] / size[2]
    if dot3(t, t) <= 1.0:
        return from_inside(p, u, size)
    return True, from_outside(p, size)


@helper
def own_normal(m, d, k, g, u):
    """(whether it is known, normal) of geom g near hit k; u: the normal that was found, out of the geom."""
    kind, size, r = m.geom_type[g], get3(m.geom_size, g), get9(d.geom_xmat, g)
    p = mat_vec_t(r, sub3(get3(d.hit.pos, k), get3(d.geom_xpos, g)))
    known, n = False, mat_vec_t(r, u)
    if kind == GEOM_SPHERE:
        known, n = True, p
    elif kind == GEOM_CAPSULE:
        beyond = p[2] + size[1] if p[2] < -size[1] else (p[2] - size[1] if p[2] > size[1] else 0.0)
        known, n = True, (p[0], p[1], beyond)
    elif kind == GEOM_ELLIPSOID:
        known, n = of_ellipsoid(p, n, size)
    elif kind == GEOM_CYLINDER and abs(p[2]) <= RIM * size[1]:
        end, side = abs(size[1] - abs(p[2])), abs(size[0] - sqrt(p[0] * p[0] + p[1] * p[1]))
        if end >= ROUNDER * side:
            known, n = True, (p[0], p[1], 0.0)
    return known, mat_vec(r, normalize3(n))


@kernel(when=by_portal, exact=True)
def smooth_normal(m, d, k: int, g1: int, g2: int):
    """(hit, geom_x*) -> (hit.normal: row k)"""
    u = get3(d.hit.normal, k)
    known1, n1 = own_normal(m, d, k, g1, u)
    known2, n2 = own_normal(m, d, k, g2, scale3(u, -1.0))
    if known1 and known2:
        put3(d.hit.normal, k, normalize3(sub3(n1, n2)))
    elif known1:
        put3(d.hit.normal, k, n1)
    elif known2:
        put3(d.hit.normal, k, scale3(n2, -1.0))
