"""Signed distance of a point to a convex shape, negative inside, and the outward normal at the nearest point.

In the frame of the shape; that of a mesh is the compiled one, and its shape is its convex hull. The signed distance is
max over unit vectors u of u · p - h(u), with h the support function of the shape; the normal is the best u.
"""

from math import sqrt

from sim.enums import GEOM_BOX, GEOM_CAPSULE, GEOM_CYLINDER, GEOM_ELLIPSOID, GEOM_MESH, MINVAL
from sim.jit import helper, inline
from sim.math.vec import add3, cross, dot3, norm3, scale3, sub3
from sim.stages.sensor.zone import height_above

FAR = 1e300
NEWTON_STEPS = 60


@inline
def away(v, length, other):
    """Unit vector along v, or another one if v has no length."""
    return scale3(v, 1.0 / length) if length > MINVAL else other


@helper
def sphere_distance(p, radius):
    length = norm3(p)
    return length - radius, away(p, length, (0.0, 0.0, 1.0))


@helper
def box_distance(p, size):
    out = (
        p[0] - min(max(p[0], -size[0]), size[0]),
        p[1] - min(max(p[1], -size[1]), size[1]),
        p[2] - min(max(p[2], -size[2]), size[2]),
    )
    length = norm3(out)
    if length > MINVAL:
        return length, scale3(out, 1.0 / length)
    x, y, z = abs(p[0]) - size[0], abs(p[1]) - size[1], abs(p[2]) - size[2]
    if x >= y and x >= z:
        return x, (1.0 if p[0] > 0.0 else -1.0, 0.0, 0.0)
    if y >= z:
        return y, (0.0, 1.0 if p[1] > 0.0 else -1.0, 0.0)
    return z, (0.0, 0.0, 1.0 if p[2] > 0.0 else -1.0)


@helper
def cylinder_distance(p, size):
    across = sqrt(p[0] * p[0] + p[1] * p[1])
    radial = away((p[0], p[1], 0.0), across, (1.0, 0.0, 0.0))
    axial = (0.0, 0.0, 1.0 if p[2] > 0.0 else -1.0)
    x, z = across - size[0], abs(p[2]) - size[1]
    if x > 0.0 and z > 0.0:
        length = sqrt(x * x + z * z)
        return length, away(add3(scale3(radial, x), scale3(axial, z)), length, radial)
    return (x, radial) if x > z else (z, axial)


# ---------------------------------------------------------------- ellipsoid


@inline
def share(r, z, s):
    """r z / (s + r), a coordinate of the nearest point in half-axes; 0 in the middle, also if s + r is."""
    return r * z / (s + r) if z > 0.0 else 0.0


@helper
def excess(r, z, s):
    """(g, dg/ds) for g = Σ (r z / (s + r))² - 1, whose root belongs to the nearest point."""
    g, slope = -1.0, 0.0
    for k in range(3):
        if z[k] > 0.0:
            x = r[k] * z[k] / (s + r[k])
            g += x * x
            slope -= 2.0 * x * x / (s + r[k])
    return g, slope


@helper
def ellipsoid_distance(p, size):
    """The nearest point x has p - x along the normal: x = p r / (s + r) with r = size² / min(size)², and s a root."""
    least = min(size[0], min(size[1], size[2]))
    z = (abs(p[0]) / size[0], abs(p[1]) / size[1], abs(p[2]) / size[2])
    r = (size[0] * size[0] / (least * least), size[1] * size[1] / (least * least), size[2] * size[2] / (least * least))
    # along the shortest axes
    short = 0.0
    for k in range(3):
        if size[k] == least:
            short += z[k] * z[k]
    # g is convex and falls: Newton's steps from the left do not pass the root
    s = sqrt(short) - 1.0
    inner = False
    if short == 0.0:
        g, _ = excess(r, z, -1.0)
        inner = g <= 0.0
    if not inner:
        for _ in range(NEWTON_STEPS):
            g, slope = excess(r, z, s)
            step = -g / slope if slope < 0.0 else 0.0
            s += step
            if step <= 1e-16 * (1.0 + abs(s)):
                break
    x = (share(r[0], z[0], s), share(r[1], z[1], s), share(r[2], z[2], s))
    if inner:
        # near the middle plane the nearest point is off it, on the shortest axis
        rest = sqrt(max(0.0, 1.0 - dot3(x, x)))
        if size[0] == least:
            x = (rest, x[1], x[2])
        elif size[1] == least:
            x = (x[0], rest, x[2])
        else:
            x = (x[0], x[1], rest)
    x = (x[0] if p[0] >= 0.0 else -x[0], x[1] if p[1] >= 0.0 else -x[1], x[2] if p[2] >= 0.0 else -x[2])
    normal = (x[0] / size[0], x[1] / size[1], x[2] / size[2])
    normal = away(normal, norm3(normal), (0.0, 0.0, 1.0))
    return dot3(normal, sub3(p, (x[0] * size[0], x[1] * size[1], x[2] * size[2]))), normal


# ---------------------------------------------------------------- mesh


@inline
def hull_corner(m, mesh, k, j):
    """Corner j of hull polygon k."""
    i = m.mesh_vertadr[mesh] + m.mesh_polyvert[m.mesh_polyvertadr[k] + j]
    return m.mesh_vert[i, 0], m.mesh_vert[i, 1], m.mesh_vert[i, 2]


@helper
def to_polygon(m, mesh, k, p, height, normal):
    """From the nearest point of a hull polygon to p, which is above its plane."""
    best, way = FAR, scale3(normal, height)
    outside = False
    n = m.mesh_polyvertnum[k]
    for j in range(n):
        a, b = hull_corner(m, mesh, k, j), hull_corner(m, mesh, k, j + 1 if j + 1 < n else 0)
        edge, arm = sub3(b, a), sub3(p, a)
        if dot3(cross(edge, arm), normal) < 0.0:
            outside = True
        t = min(max(dot3(edge, arm) / max(dot3(edge, edge), MINVAL), 0.0), 1.0)
        found = sub3(arm, scale3(edge, t))
        if dot3(found, found) < best:
            best, nearest = dot3(found, found), found
    return nearest if outside else way


@helper
def hull_distance(m, mesh, p):
    first = m.mesh_polyadr[mesh]
    highest, up = -FAR, (0.0, 0.0, 1.0)
    for k in range(first, first + m.mesh_polynum[mesh]):
        height, normal = height_above(m, mesh, k, p)
        if height > highest:
            highest, up = height, normal
    if highest <= 0.0:
        return highest, up
    best, way = FAR, up
    for k in range(first, first + m.mesh_polynum[mesh]):
        height, normal = height_above(m, mesh, k, p)
        # the nearest point is on a polygon that faces p, at least as far as its plane
        if 0.0 < height < best:
            found = to_polygon(m, mesh, k, p, height, normal)
            length = norm3(found)
            if length < best:
                best, way = length, found
    return best, away(way, best, up)


@helper
def convex_distance(m, kind, size, mesh, p):
    """(signed distance, normal) of a point to a shape."""
    if kind == GEOM_MESH:
        return hull_distance(m, mesh, p)
    if kind == GEOM_BOX:
        return box_distance(p, size)
    if kind == GEOM_CYLINDER:
        return cylinder_distance(p, size)
    if kind == GEOM_ELLIPSOID:
        return ellipsoid_distance(p, size)
    if kind == GEOM_CAPSULE:
        return sphere_distance((p[0], p[1], p[2] - min(max(p[2], -size[1]), size[1])), size[0])
    return sphere_distance(p, size[0])
