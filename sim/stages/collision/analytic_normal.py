"""Analytic contact normals of curved geoms, in place of MPR's, which are those of its last portal.

(manifold, geom_xpos, geom_xmat) -> (manifold.normal). Spheres, capsules, ellipsoids and the sides of cylinders have
analytic normals; for two such geoms the mean is taken.
"""

from math import sqrt

from sim.enums import GEOM_CAPSULE, GEOM_CYLINDER, GEOM_ELLIPSOID, GEOM_SPHERE, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, dot3, get3, norm3, normalize3, put3, scale3, sub3
from sim.stages.collision.support import uses_mpr

MAX_ITERATIONS = 30
TOLERANCE = 1e-6
RIM = 0.95  # share of a cylinder's half length, beyond which the caps count
ROUNDER = 0.25  # the side counts unless the cap is nearer than this share of the distance to the side


@inline
def mul3(a, b):
    return a[0] * b[0], a[1] * b[1], a[2] * b[2]


@helper
def normal_from_inside(p, u, size):
    """(success, normal) of an ellipsoid where a ray from p leaves it along the normal; u: initial guess."""
    w = 1.0 / (size[0] * size[0]), 1.0 / (size[1] * size[1]), 1.0 / (size[2] * size[2])
    c = dot3(mul3(p, p), w) - 1.0
    u = normalize3(u)
    for k in range(MAX_ITERATIONS):
        # intersect: Σ ((p + x u) / size)² = 1
        a, b = dot3(mul3(u, u), w), dot3(mul3(p, u), w)
        root = b * b - a * c
        if root < MINVAL or a < MINVAL:
            return k > 0, u
        x = (sqrt(root) - b) / a
        if x < 0.0:
            return k > 0, u
        before = u
        u = normalize3(mul3(add3(p, scale3(u, x)), w))
        if norm3(sub3(u, before)) < TOLERANCE:
            break
    return True, u


@helper
def normal_from_outside(p, size):
    """Normal of an ellipsoid at the point closest to p, by Newton's method."""
    s = mul3(size, size)
    q = mul3(mul3(p, p), s)
    shift = 0.0
    for _ in range(MAX_ITERATIONS):
        r = 1.0 / (s[0] + shift), 1.0 / (s[1] + shift), 1.0 / (s[2] + shift)
        rr = mul3(r, r)
        value = dot3(q, rr) - 1.0
        slope = -2.0 * dot3(q, mul3(rr, r))
        if value < TOLERANCE or slope > -MINVAL or -value / slope < TOLERANCE:
            break
        shift -= value / slope
    return normalize3((p[0] / (s[0] + shift), p[1] / (s[1] + shift), p[2] / (s[2] + shift)))


@helper
def ellipsoid_normal(p, u, size):
    if size[0] < MINVAL or size[1] < MINVAL or size[2] < MINVAL:
        return False, u
    t = p[0] / size[0], p[1] / size[1], p[2] / size[2]
    if dot3(t, t) <= 1.0:
        return normal_from_inside(p, u, size)
    return True, normal_from_outside(p, size)


@helper
def geom_normal(m, d, k, g, u):
    """(known, normal) of geom g near point k of the manifold; u: MPR's normal, out of the geom."""
    geom_type, size, r = m.geom_type[g], get3(m.geom_size, g), get9(d.geom_xmat, g)
    p = mat_vec_t(r, sub3(get3(d.manifold.pos, k), get3(d.geom_xpos, g)))
    known, n = False, mat_vec_t(r, u)
    if geom_type == GEOM_SPHERE:
        known, n = True, p
    elif geom_type == GEOM_CAPSULE:
        beyond = p[2] + size[1] if p[2] < -size[1] else (p[2] - size[1] if p[2] > size[1] else 0.0)
        known, n = True, (p[0], p[1], beyond)
    elif geom_type == GEOM_ELLIPSOID:
        known, n = ellipsoid_normal(p, n, size)
    elif geom_type == GEOM_CYLINDER and abs(p[2]) <= RIM * size[1]:
        end, side = abs(size[1] - abs(p[2])), abs(size[0] - sqrt(p[0] * p[0] + p[1] * p[1]))
        if end >= ROUNDER * side:
            known, n = True, (p[0], p[1], 0.0)
    return known, mat_vec(r, normalize3(n))


@kernel(when=uses_mpr, exact=True)
def analytic_normal(m, d, k: int, g1: int, g2: int):
    """(manifold, geom_x*) -> (manifold.normal: row k)"""
    u = get3(d.manifold.normal, k)
    known1, n1 = geom_normal(m, d, k, g1, u)
    known2, n2 = geom_normal(m, d, k, g2, scale3(u, -1.0))
    if known1 and known2:
        put3(d.manifold.normal, k, normalize3(sub3(n1, n2)))
    elif known1:
        put3(d.manifold.normal, k, n1)
    elif known2:
        put3(d.manifold.normal, k, scale3(n2, -1.0))
