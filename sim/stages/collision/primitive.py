"""Sphere against sphere, capsule, cylinder and box.

(geom_xpos, geom_xmat, geom_size) -> (manifold). Each finds the point of the other geom closest to the sphere's centre;
the contact point is halfway between the surfaces, on the line through the two.
"""

from math import sqrt

from sim.enums import GEOM_BOX, GEOM_CAPSULE, GEOM_CYLINDER, GEOM_SPHERE, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, cross, dot3, get3, norm3, normalize3, scale3, sub3
from sim.stages.collision.manifold import both, clamp, pick, put_point, z_axis


@helper
def ball_ball(d, k, centre1, radius1, axis1, centre2, radius2, axis2, margin):
    """Row k: two spheres; 1 if they are within the margin, else 0. The axes give a normal if the centres coincide."""
    apart = sub3(centre2, centre1)
    squared = dot3(apart, apart)
    reach = margin + radius1 + radius2
    if squared > reach * reach:
        return 0
    length = sqrt(squared)
    dist = length - radius1 - radius2
    normal = normalize3(apart)
    if length < MINVAL:
        normal = normalize3(cross(axis1, axis2))
    put_point(d, k, dist, add3(scale3(normal, radius1 + 0.5 * dist), centre1), normal, (0.0, 0.0, 0.0))
    return 1


@kernel(when=both(GEOM_SPHERE, GEOM_SPHERE), exact=True)
def sphere_sphere(m, d, g1: int, g2: int, margin: float) -> int:
    """Along the line between the centres."""
    axis1, axis2 = z_axis(d.geom_xmat, g1), z_axis(d.geom_xmat, g2)
    radius1, radius2 = m.geom_size[g1, 0], m.geom_size[g2, 0]
    return ball_ball(d, 0, get3(d.geom_xpos, g1), radius1, axis1, get3(d.geom_xpos, g2), radius2, axis2, margin)


@kernel(when=both(GEOM_SPHERE, GEOM_CAPSULE), exact=True)
def sphere_capsule(m, d, g1: int, g2: int, margin: float) -> int:
    """From the closest point of the capsule's axis."""
    centre, middle = get3(d.geom_xpos, g1), get3(d.geom_xpos, g2)
    axis1, axis2 = z_axis(d.geom_xmat, g1), z_axis(d.geom_xmat, g2)
    half = m.geom_size[g2, 1]
    nearest = add3(scale3(axis2, clamp(dot3(axis2, sub3(centre, middle)), -half, half)), middle)
    return ball_ball(d, 0, centre, m.geom_size[g1, 0], axis1, nearest, m.geom_size[g2, 0], axis2, margin)


@inline
def ball_cap(d, centre, radius, cap, outward, margin):
    """A sphere above a cylinder's cap, which acts as a plane."""
    height = dot3(sub3(centre, cap), outward)
    if height > margin + radius:
        return 0
    dist = height - radius
    pos = add3(centre, scale3(outward, -0.5 * dist - radius))
    put_point(d, 0, dist, pos, scale3(outward, -1.0), (0.0, 0.0, 0.0))
    return 1


@kernel(when=both(GEOM_SPHERE, GEOM_CYLINDER), exact=True)
def sphere_cylinder(m, d, g1: int, g2: int, margin: float) -> int:
    """From the cylinder's side, a cap or a rim, whichever is closest to the sphere's centre."""
    centre, middle = get3(d.geom_xpos, g1), get3(d.geom_xpos, g2)
    axis1, axis2 = z_axis(d.geom_xmat, g1), z_axis(d.geom_xmat, g2)
    size = m.geom_size[g1, 0]
    radius, half = m.geom_size[g2, 0], m.geom_size[g2, 1]
    # the centre in cylindrical coordinates: along the axis and radially
    apart = sub3(centre, middle)
    x = dot3(axis2, apart)
    along = scale3(axis2, x)
    away = sub3(apart, along)
    squared = dot3(away, away)
    side = abs(x) < half
    cap = squared < radius * radius
    # inside the cylinder: exit through the nearer surface
    if side and cap:
        side = half - abs(x) >= radius - sqrt(squared)
        cap = not side
    if side:
        return ball_ball(d, 0, centre, size, axis1, add3(along, middle), radius, axis2, margin)
    end = half if x > 0.0 else -half
    if cap:
        outward = axis2 if x > 0.0 else scale3(axis2, -1.0)
        return ball_cap(d, centre, size, add3(middle, scale3(axis2, end)), outward, margin)
    rim = add3(add3(scale3(axis2, end), scale3(away, radius / sqrt(squared))), middle)
    return ball_ball(d, 0, centre, size, axis1, rim, 0.0, axis2, margin)


@helper
def ball_box(d, k, centre, radius, box, r, size, margin):
    """Row k: a sphere and a box with orientation r; 1 if they are within the margin, else 0."""
    # the centre, and the closest point of the box, in the box's frame
    c = mat_vec_t(r, sub3(centre, box))
    near = (clamp(c[0], -size[0], size[0]), clamp(c[1], -size[1], size[1]), clamp(c[2], -size[2], size[2]))
    dist = norm3(sub3(near, c))
    if dist - radius > margin:
        return 0
    if dist > MINVAL:
        normal = normalize3(sub3(near, c))
        deepest = add3(c, scale3(normal, radius))
        pos = add3(scale3(near, 0.5), scale3(deepest, 0.5))
    else:
        # the centre is inside: exit through the nearest face
        closest = 2.0 * (size[0] + size[1] + size[2])
        face = 0
        for i in range(6):
            wall = pick(size, i // 2) if i & 1 else -pick(size, i // 2)
            gap = abs(wall - pick(c, i // 2))
            if gap < closest:
                closest, face = gap, i
        inward = -1.0 if face & 1 else 1.0
        normal = (
            inward if face // 2 == 0 else 0.0,
            inward if face // 2 == 1 else 0.0,
            inward if face // 2 == 2 else 0.0,
        )
        pos = add3(c, scale3(normal, 0.5 * (radius - closest)))
        dist = -closest
    put_point(d, k, dist - radius, add3(mat_vec(r, pos), box), mat_vec(r, normal), (0.0, 0.0, 0.0))
    return 1


@kernel(when=both(GEOM_SPHERE, GEOM_BOX), exact=True)
def sphere_box(m, d, g1: int, g2: int, margin: float) -> int:
    """From the closest point of the box, or through the nearest face if the centre is inside."""
    r, size = get9(d.geom_xmat, g2), get3(m.geom_size, g2)
    return ball_box(d, 0, get3(d.geom_xpos, g1), m.geom_size[g1, 0], get3(d.geom_xpos, g2), r, size, margin)
