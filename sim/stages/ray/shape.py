"""Ray intersection with primitive shapes, in the frame of the shape.

(point, direction, size) -> (x, normal). A curved surface leads to a quadratic equation, a flat one to a linear one; the
result is the smallest non-negative root that lies on the shape. A ray from inside hits the far side.
"""

from math import sqrt

from sim.enums import GEOM_BOX, GEOM_CAPSULE, GEOM_CYLINDER, GEOM_ELLIPSOID, GEOM_PLANE, GEOM_SPHERE, MINVAL
from sim.jit import helper, inline
from sim.math.vec import add3, dot3, normalize3, scale3


@inline
def roots(a, b, c):
    """Both roots of a x² + 2 b x + c = 0, the smaller first; -1 if there are none."""
    det = b * b - a * c
    if det < 0.0 or a < MINVAL:
        return -1.0, -1.0
    det = sqrt(det)
    return (-b - det) / a, (-b + det) / a


@inline
def first_root(x):
    """The first of two roots that is not negative, or -1."""
    return x[0] if x[0] >= 0.0 else (x[1] if x[1] >= 0.0 else -1.0)


@inline
def along(p, v, x):
    """p + x v"""
    return add3(p, scale3(v, x))


@inline
def is_first(x, best):
    """Whether x is a hit, and before the best one so far."""
    return x >= 0.0 and (best < 0.0 or x < best)


@inline
def sphere_roots(p, v, radius2):
    """(x of entry, x of exit) of a ray and a sphere about the origin; both are -1 if it misses."""
    return roots(dot3(v, v), dot3(v, p), dot3(p, p) - radius2)


# ---------------------------------------------------------------- one function per shape


@helper
def ray_plane(p, v, size):
    """Hit from above only, and within its half-sizes; 0 is infinite."""
    up = (0.0, 0.0, 1.0)
    if v[2] > -MINVAL:
        return -1.0, up
    x = -p[2] / v[2]
    wide = size[0] > 0.0 and abs(p[0] + x * v[0]) > size[0]
    deep = size[1] > 0.0 and abs(p[1] + x * v[1]) > size[1]
    if x < 0.0 or wide or deep:
        return -1.0, up
    return x, up


@helper
def ray_sphere(p, v, size):
    x = first_root(sphere_roots(p, v, size[0] * size[0]))
    return x, normalize3(along(p, v, x))


@inline
def infinite_cylinder(p, v, radius):
    """x on an infinite cylinder about the z axis, or -1."""
    a, b = v[0] * v[0] + v[1] * v[1], v[0] * p[0] + v[1] * p[1]
    return first_root(roots(a, b, p[0] * p[0] + p[1] * p[1] - radius * radius))


@helper
def ray_capsule(p, v, size):
    best, end = -1.0, 0.0
    x = infinite_cylinder(p, v, size[0])
    if x >= 0.0 and abs(p[2] + x * v[2]) <= size[1]:
        best = x
    # hemispheres at the ends: only beyond the cylinder
    for side in range(2):
        sign = 1.0 - 2.0 * side
        q = (p[0], p[1], p[2] - sign * size[1])
        both = sphere_roots(q, v, size[0] * size[0])
        for k in range(2):
            if is_first(both[k], best) and sign * (p[2] + both[k] * v[2]) >= size[1]:
                best, end = both[k], sign
    s = along(p, v, best)
    return best, normalize3((s[0], s[1], 0.0 if end == 0.0 else s[2] - end * size[1]))


@helper
def ray_ellipsoid(p, v, size):
    k = (1.0 / (size[0] * size[0]), 1.0 / (size[1] * size[1]), 1.0 / (size[2] * size[2]))
    kp, kv = (k[0] * p[0], k[1] * p[1], k[2] * p[2]), (k[0] * v[0], k[1] * v[1], k[2] * v[2])
    x = first_root(roots(dot3(kv, v), dot3(kv, p), dot3(kp, p) - 1.0))
    # the gradient
    s = along(p, v, x)
    return x, normalize3((k[0] * s[0], k[1] * s[1], k[2] * s[2]))


@helper
def ray_cylinder(p, v, size):
    best, end = -1.0, 0.0
    if abs(v[2]) > MINVAL:
        for side in range(2):
            sign = 2.0 * side - 1.0
            x = (sign * size[1] - p[2]) / v[2]
            s0, s1 = p[0] + x * v[0], p[1] + x * v[1]
            if is_first(x, best) and s0 * s0 + s1 * s1 <= size[0] * size[0]:
                best, end = x, sign
    x = infinite_cylinder(p, v, size[0])
    if is_first(x, best) and abs(p[2] + x * v[2]) <= size[1]:
        best, end = x, 0.0
    if end != 0.0:
        return best, (0.0, 0.0, end)
    s = along(p, v, best)
    return best, normalize3((s[0], s[1], 0.0))


@inline
def face(p, v, size, i, sign):
    """x on one face of a box, whose normal is `sign` along axis i, or -1."""
    j, k = (1 if i == 0 else 0), (1 if i == 2 else 2)
    if not abs(v[i]) > MINVAL:
        return -1.0
    x = (sign * size[i] - p[i]) / v[i]
    if x >= 0.0 and abs(p[j] + x * v[j]) <= size[j] and abs(p[k] + x * v[k]) <= size[k]:
        return x
    return -1.0


@helper
def ray_faces(p, v, size):
    """x on all six faces of a box: the lower and the upper along each axis; -1 where it misses."""
    return (
        face(p, v, size, 0, -1.0),
        face(p, v, size, 0, 1.0),
        face(p, v, size, 1, -1.0),
        face(p, v, size, 1, 1.0),
        face(p, v, size, 2, -1.0),
        face(p, v, size, 2, 1.0),
    )


@inline
def face_normal(k):
    """Normal of face k of a box; zero for none."""
    sign = 1.0 if k & 1 else -1.0
    return (
        sign if 0 <= k <= 1 else 0.0,
        sign if 2 <= k <= 3 else 0.0,
        sign if 4 <= k <= 5 else 0.0,
    )


@helper
def ray_box(p, v, size):
    faces = ray_faces(p, v, size)
    best, first = -1.0, -1
    for k in range(6):
        if is_first(faces[k], best):
            best, first = faces[k], k
    return best, face_normal(first)


# ---------------------------------------------------------------- any shape


@helper
def ray_shape(kind, p, v, size):
    """(x, normal) for a shape of the given type."""
    if kind == GEOM_PLANE:
        return ray_plane(p, v, size)
    if kind == GEOM_SPHERE:
        return ray_sphere(p, v, size)
    if kind == GEOM_CAPSULE:
        return ray_capsule(p, v, size)
    if kind == GEOM_ELLIPSOID:
        return ray_ellipsoid(p, v, size)
    if kind == GEOM_CYLINDER:
        return ray_cylinder(p, v, size)
    return ray_box(p, v, size)


@helper
def is_inside(kind, size, p):
    """Whether a point is inside a shape."""
    if kind == GEOM_PLANE:
        return p[2] < 0.0
    if kind == GEOM_BOX:
        return abs(p[0]) < size[0] and abs(p[1]) < size[1] and abs(p[2]) < size[2]
    if kind == GEOM_CYLINDER:
        return abs(p[2]) < size[1] and p[0] * p[0] + p[1] * p[1] < size[0] * size[0]
    if kind == GEOM_ELLIPSOID:
        x, y, z = p[0] / size[0], p[1] / size[1], p[2] / size[2]
        return x * x + y * y + z * z < 1.0
    z = p[2]
    if kind == GEOM_CAPSULE:
        z -= min(max(z, -size[1]), size[1])
    return p[0] * p[0] + p[1] * p[1] + z * z < size[0] * size[0]
