"""Tendon wrapping: shortest paths around spheres and cylinders.

Two points, the frame and radius of a geom, and an optional side site -> length of the path on the surface and its two
tangent points, or a length of -1 if the path is straight. All cases reduce to a circle in a plane: the plane through
both points and the centre of a sphere, the cross-section of a cylinder. A side site outside the geom selects the side
on which the tendon passes; one inside keeps the tendon inside (inverse wrapping), touching the wall in one point.
"""

from math import acos, asin, atan2, cos, pi, sin, sqrt

from sim.enums import MINVAL
from sim.jit import helper, inline
from sim.math.quat import mat_vec, mat_vec_t
from sim.math.vec import add3, cross, dot3, norm3, normalize3, scale3, sub3

# Newton's method for inverse wrapping: initial value, tolerance, maximum number of steps
INSIDE_START = 1.0 - 1e-7
INSIDE_TOLERANCE = 1e-6
INSIDE_STEPS = 20


@inline
def norm2(x, y):
    return sqrt(x * x + y * y)


@inline
def unit2(x, y):
    """(x, y) normalized; (1, 0) if it is shorter than MINVAL."""
    n = norm2(x, y)
    if n < MINVAL:
        return 1.0, 0.0
    return x / n, y / n


@helper
def segments_cross(a, b, c, e):
    """The segments from a to b and from c to e intersect."""
    det = (e[1] - c[1]) * (b[0] - a[0]) - (e[0] - c[0]) * (b[1] - a[1])
    if abs(det) < MINVAL:
        return False
    s = ((e[0] - c[0]) * (a[1] - c[1]) - (e[1] - c[1]) * (a[0] - c[0])) / det
    t = ((b[0] - a[0]) * (a[1] - c[1]) - (b[1] - a[1]) * (a[0] - c[0])) / det
    return s >= 0.0 and s <= 1.0 and t >= 0.0 and t <= 1.0


@inline
def tangent_point(a, sense, radius):
    """Tangent point of a line from point a to the circle; sense = ±1 selects the side."""
    square = a[0] * a[0] + a[1] * a[1]
    far = sense * radius * sqrt(square - radius * radius)
    near = radius * radius
    return (a[0] * near + a[1] * far) / square, (a[1] * near - a[0] * far) / square


@helper
def path_score(a, b, ta, tb, sided, side):
    """Score of a path: alignment with the side site if there is one, else shortness; bad if it crosses itself."""
    if segments_cross(a, ta, b, tb):
        return -10000.0
    if sided:
        mid = unit2(ta[0] + tb[0], ta[1] + tb[1])
        return mid[0] * side[0] + mid[1] * side[1]
    x, y = ta[0] - tb[0], ta[1] - tb[1]
    return -(x * x + y * y)


@inline
def arc_length(ta, tb, sense, radius):
    """Length along the circle from ta to tb, in the sense of the tangents."""
    sine = ta[1] * tb[0] - ta[0] * tb[1]
    angle = atan2(abs(sine), ta[0] * tb[0] + ta[1] * tb[1])
    if sine * sense < 0.0:
        angle = 2.0 * pi - angle
    return radius * angle


@helper
def around_circle(a, b, sided, side, radius):
    """(length, first, last) of the path on a circle about the origin; length -1 if it is straight."""
    straight = (-1.0, a, b)
    outside = a[0] * a[0] + a[1] * a[1] >= radius * radius and b[0] * b[0] + b[1] * b[1] >= radius * radius
    if not outside or radius < MINVAL:
        return straight
    x, y = b[0] - a[0], b[1] - a[1]
    square = x * x + y * y
    if square < MINVAL:
        return straight
    # a straight path that misses the circle, on the side of the side site
    t = min(1.0, max(0.0, -(x * a[0] + y * a[1]) / square))
    x, y = a[0] + t * x, a[1] + t * y
    if x * x + y * y > radius * radius and (not sided or side[0] * x + side[1] * y >= 0.0):
        return straight
    # the better of the two paths around
    ta, tb, sense = tangent_point(a, 1.0, radius), tangent_point(b, -1.0, radius), 1.0
    ua, ub = tangent_point(a, -1.0, radius), tangent_point(b, 1.0, radius)
    if not path_score(a, b, ta, tb, sided, side) > path_score(a, b, ua, ub, sided, side):
        ta, tb, sense = ua, ub, -1.0
    if segments_cross(a, ta, b, tb):
        return straight
    return arc_length(ta, tb, sense, radius), ta, tb


@inline
def angle_residual(p, q, z, angle):
    """Angle residual for incidence at arcsin z: zero where both halves meet the wall at the same angle."""
    return asin(p * z) + asin(q * z) - 2.0 * asin(z) + angle


@helper
def incidence(p, q, angle):
    """Root z of the angle residual, or -1 if Newton's method fails."""
    z = INSIDE_START
    f = angle_residual(p, q, z, angle)
    if f > 0.0:
        return -1.0
    step = 0
    while abs(f) > INSIDE_TOLERANCE:
        derivative = p / max(MINVAL, sqrt(1.0 - z * z * p * p)) + q / max(MINVAL, sqrt(1.0 - z * z * q * q))
        derivative -= 2.0 / max(MINVAL, sqrt(1.0 - z * z))
        step += 1
        # iterates must decrease, with a negative residual
        if derivative > -MINVAL or f / derivative < 0.0 or step > INSIDE_STEPS:
            return -1.0
        z -= f / derivative
        f = angle_residual(p, q, z, angle)
        if f > INSIDE_TOLERANCE:
            return -1.0
    return z if step < INSIDE_STEPS else -1.0


@helper
def inside_circle(a, b, radius):
    """(length, first, last) of a path kept inside a circle: length 0 at one point, or -1 if it does not touch."""
    free = (-1.0, a, b)
    la, lb = norm2(a[0], a[1]), norm2(b[0], b[1])
    if la <= radius or lb <= radius or radius < MINVAL or la < MINVAL or lb < MINVAL:
        return free
    # a straight path through the circle
    x, y = b[0] - a[0], b[1] - a[1]
    square = x * x + y * y
    if square > MINVAL:
        t = -(x * a[0] + y * a[1]) / square
        if t > 0.0 and t < 1.0 and norm2(a[0] + t * x, a[1] + t * y) <= radius:
            return free
    cosine = (la * la + lb * lb - square) / (2.0 * la * lb)
    if cosine < -1.0 + MINVAL:
        return free
    # fall back to the midpoint
    u = unit2(0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]))
    p, q = radius / la, radius / lb
    if cosine <= 1.0 - MINVAL:
        z = incidence(p, q, acos(cosine))
        if z >= 0.0:
            # rotate counter-clockwise from the first of the two points
            if a[0] * b[1] - a[1] * b[0] > 0.0:
                v, angle = unit2(a[0], a[1]), asin(z) - asin(p * z)
            else:
                v, angle = unit2(b[0], b[1]), asin(z) - asin(q * z)
            u = (cos(angle) * v[0] - sin(angle) * v[1], sin(angle) * v[0] + cos(angle) * v[1])
    point = (radius * u[0], radius * u[1])
    return 0.0, point, point


@inline
def not_parallel(v):
    """A vector that is not parallel to v: 0 in v's largest component, 1 elsewhere."""
    x, y, z = abs(v[0]), abs(v[1]), abs(v[2])
    if z > x and z > y:
        return 1.0, 1.0, 0.0
    if y > x and y > z:
        return 1.0, 0.0, 1.0
    return 0.0, 1.0, 1.0


@helper
def wrapping_plane(cylinder, p0, p1):
    """Two axes of the plane in which the path bends."""
    x_axis, y_axis = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    if not cylinder:
        x_axis = normalize3(p0)
        normal = cross(p0, p1)
        if norm3(normal) < MINVAL:
            normal = cross(x_axis, not_parallel(x_axis))
        y_axis = normalize3(cross(normalize3(normal), x_axis))
    return x_axis, y_axis


@helper
def wrap(x0, x1, sided, side, pos, mat, radius, cylinder):
    """(length, first, last) on the surface of a geom of a path from x0 to x1; length -1 if it is straight."""
    straight = (-1.0, x0, x1)
    p0 = mat_vec_t(mat, sub3(x0, pos))
    p1 = mat_vec_t(mat, sub3(x1, pos))
    if norm3(p0) < MINVAL or norm3(p1) < MINVAL:
        return straight
    x_axis, y_axis = wrapping_plane(cylinder, p0, p1)
    a = (dot3(p0, x_axis), dot3(p0, y_axis))
    b = (dot3(p1, x_axis), dot3(p1, y_axis))
    # the side site, projected onto the circle
    s = mat_vec_t(mat, sub3(side, pos))
    u = unit2(dot3(s, x_axis), dot3(s, y_axis))
    if sided and norm3(s) < radius:
        length, ta, tb = inside_circle(a, b, radius)
    else:
        length, ta, tb = around_circle(a, b, sided, (radius * u[0], radius * u[1]), radius)
    if length < 0.0:
        return straight
    first = add3(scale3(x_axis, ta[0]), scale3(y_axis, ta[1]))
    last = add3(scale3(x_axis, tb[0]), scale3(y_axis, tb[1]))
    if cylinder:
        # a helix: the height changes linearly along the path
        before = norm2(p0[0] - first[0], p0[1] - first[1])
        after = norm2(p1[0] - last[0], p1[1] - last[1])
        pitch = (p1[2] - p0[2]) / (before + length + after)
        first = (first[0], first[1], p0[2] + pitch * before)
        last = (last[0], last[1], p0[2] + pitch * (before + length))
        length = norm2(length, last[2] - first[2])
    return length, add3(mat_vec(mat, first), pos), add3(mat_vec(mat, last), pos)
