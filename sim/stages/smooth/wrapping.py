"""Tendon wrapping: shortest paths around spheres and cylinders.

Two points, the frame and radius of a geom, and an optional side site -> length of the path on the surface and its two
tangent points, or a length of -1 if the path is straight. All cases reduce to a circle in a plane: the plane through
both points and the centre of a sphere, the cross-section of a cylinder, with the circle's centre at the origin.

Without a side site the path is the shortest one. With a side site s outside the geom, projected onto the circle, it is
the shortest one that goes around the circle as the polyline a -> s -> b does: it turns by the same angle
θ = ∠(a, s) + ∠(s, b), each in (-π, π]. A segment that misses the circle turns by at most π, so it is that path if
|θ| <= π. Else the path leaves a along one tangent and meets b along another, and the arc in between is
|θ| - arccos(r/|a|) - arccos(r/|b|).

A side site inside the geom keeps the path inside (inverse wrapping): it touches the wall in one point, with the same
angle x of incidence on both sides, arcsin(p sin x) + arcsin(q sin x) - 2x + ∠(a, b) = 0, where p = r/|a|, q = r/|b|.
"""

from math import acos, asin, atan2, cos, pi, sin, sqrt

from sim.enums import MINVAL
from sim.jit import helper, inline
from sim.math.quat import mat_vec, mat_vec_t
from sim.math.vec import add3, cross, dot3, norm3, normalize3, scale3, sub3

# an arc this much too short, in radians, is one of length 0, not a whole turn
ONSET_ANGLE = 1e-6

# Newton's method for inverse wrapping: tolerance, maximum number of steps
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


@inline
def tangent_point(a, sense, radius):
    """Tangent point of a line from point a to the circle; sense = ±1 selects the side."""
    square = a[0] * a[0] + a[1] * a[1]
    far = sense * radius * sqrt(square - radius * radius)
    near = radius * radius
    return (a[0] * near + a[1] * far) / square, (a[1] * near - a[0] * far) / square


@inline
def turn(a, b):
    """Angle from a to b, in [-π, π]."""
    return atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])


@helper
def touches(a, b, radius):
    """The segment from a to b meets the circle, and has a direction."""
    x, y = b[0] - a[0], b[1] - a[1]
    square = x * x + y * y
    t = min(1.0, max(0.0, -(x * a[0] + y * a[1]) / max(square, MINVAL)))
    x, y = a[0] + t * x, a[1] + t * y
    return square >= MINVAL and x * x + y * y <= radius * radius


@inline
def tangent_angle(a, radius):
    """Angle at the centre between point a and its tangent points."""
    return atan2(sqrt(max(0.0, a[0] * a[0] + a[1] * a[1] - radius * radius)), radius)


@helper
def sided_path(a, b, side, radius):
    """(length, first, last) of the path on the circle that turns as the way over the side site does."""
    angle = turn(a, side) + turn(side, b)
    x, y = b[0] - a[0], b[1] - a[1]
    if x * x + y * y < MINVAL or (abs(angle) <= pi and not touches(a, b, radius)):
        return -1.0, a, b
    sense = -1.0 if angle > 0.0 else 1.0
    arc = abs(angle) - tangent_angle(a, radius) - tangent_angle(b, radius)
    return radius * abs(arc), tangent_point(a, sense, radius), tangent_point(b, -sense, radius)


@inline
def chord2(p, q):
    """Square of the distance between two points."""
    return (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1])


@inline
def arc_length(ta, tb, sense, radius):
    """Length along the circle from ta to tb, in the sense of the tangents."""
    sine = ta[1] * tb[0] - ta[0] * tb[1]
    angle = atan2(abs(sine), ta[0] * tb[0] + ta[1] * tb[1])
    if sine * sense < 0.0 and angle > ONSET_ANGLE:
        angle = 2.0 * pi - angle
    return radius * angle


@helper
def shortest_path(a, b, radius):
    """(length, first, last) of the shortest path around the circle."""
    if not touches(a, b, radius):
        return -1.0, a, b
    ta, tb, sense = tangent_point(a, 1.0, radius), tangent_point(b, -1.0, radius), 1.0
    ua, ub = tangent_point(a, -1.0, radius), tangent_point(b, 1.0, radius)
    if chord2(ta, tb) >= chord2(ua, ub):
        ta, tb, sense = ua, ub, -1.0
    return arc_length(ta, tb, sense, radius), ta, tb


@helper
def around_circle(a, b, sided, side, radius):
    """(length, first, last) of the path on a circle about the origin; length -1 if it is straight."""
    outside = a[0] * a[0] + a[1] * a[1] >= radius * radius and b[0] * b[0] + b[1] * b[1] >= radius * radius
    if not outside or radius < MINVAL:
        return -1.0, a, b
    return sided_path(a, b, side, radius) if sided else shortest_path(a, b, radius)


@inline
def angle_residual(p, q, x, angle):
    """Angle residual for incidence at x: zero where both halves meet the wall at the same angle."""
    return asin(p * sin(x)) + asin(q * sin(x)) - 2.0 * x + angle


@helper
def incidence(p, q, angle):
    """Root x of the angle residual, or -1 if Newton's method fails."""
    x = 0.5 * pi
    f = angle_residual(p, q, x, angle)
    if f > 0.0:
        return -1.0
    step = 0
    while abs(f) > INSIDE_TOLERANCE:
        s, c = sin(x), cos(x)
        derivative = p * c / max(MINVAL, sqrt(1.0 - p * p * s * s)) + q * c / max(MINVAL, sqrt(1.0 - q * q * s * s))
        derivative -= 2.0
        step += 1
        # iterates must decrease, with a negative residual
        if derivative > -MINVAL or f / derivative < 0.0 or step > INSIDE_STEPS:
            return -1.0
        x -= f / derivative
        f = angle_residual(p, q, x, angle)
        if f > INSIDE_TOLERANCE:
            return -1.0
    return x if step < INSIDE_STEPS else -1.0


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
        x = incidence(p, q, acos(cosine))
        if x >= 0.0:
            # rotate counter-clockwise from the first of the two points
            if a[0] * b[1] - a[1] * b[0] > 0.0:
                v, angle = unit2(a[0], a[1]), x - asin(p * sin(x))
            else:
                v, angle = unit2(b[0], b[1]), x - asin(q * sin(x))
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
