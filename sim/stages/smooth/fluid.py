"""Forces of the medium that bodies move in: drag, lift and added mass.

(cvel, xipos, ximat, geom_xpos, geom_xmat) -> (qfrc_fluid).
A body is a box with its inertia, for which drag is simple; or, as soon as one of its geoms asks for it, each
geom that asks is an ellipsoid: linear and quadratic drag, Kutta lift -(n × v) × v, Magnus lift ω × v, and the
momentum of the medium that it carries along. Velocities are those against the wind, in the local frame.
"""

from math import pi, sqrt

from sim.enums import GEOM_CAPSULE, GEOM_CYLINDER, GEOM_SPHERE, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, cross, get3, norm3, scale3, sub3
from sim.stages.smooth.jacobian import add_wrench, point_velocity


@inline
def against_wind(m, d, b, point, r):
    """(angular, linear) velocity of a point of body b against the medium, in a frame with axes r."""
    w, v = point_velocity(m, d, b, point)
    return mat_vec_t(r, w), mat_vec_t(r, sub3(v, (m.opt.wind[0], m.opt.wind[1], m.opt.wind[2])))


@inline
def box_edge(own, one, two, mass):
    """Edge of a box along the axis whose moment of inertia is `own`."""
    return sqrt(max(MINVAL, one + two - own) / mass * 6.0)


@inline
def box_edges(m, b):
    """Edges of the box with the mass and the inertia of body b."""
    i = get3(m.body_inertia, b)
    mass = m.body_mass[b]
    return box_edge(i[0], i[1], i[2], mass), box_edge(i[1], i[0], i[2], mass), box_edge(i[2], i[0], i[1], mass)


@helper
def box_forces(m, b, w, v):
    """(torque, force) on a body taken as a box with its mass and inertia."""
    x, y, z = box_edges(m, b)
    # viscous: as a sphere of the same mean size
    size = (x + y + z) / 3.0
    torque = scale3(w, -pi * size * size * size * m.opt.viscosity)
    force = scale3(v, -3.0 * pi * size * m.opt.viscosity)
    # inertial: pressure on the faces
    rho = m.opt.density
    x4, y4, z4 = x * x * x * x, y * y * y * y, z * z * z * z
    force = sub3(
        force,
        (
            0.5 * rho * y * z * abs(v[0]) * v[0],
            0.5 * rho * x * z * abs(v[1]) * v[1],
            0.5 * rho * x * y * abs(v[2]) * v[2],
        ),
    )
    torque = sub3(
        torque,
        (
            rho * x * (y4 + z4) * abs(w[0]) * w[0] / 64.0,
            rho * y * (x4 + z4) * abs(w[1]) * w[1] / 64.0,
            rho * z * (x4 + y4) * abs(w[2]) * w[2] / 64.0,
        ),
    )
    return torque, force


@inline
def semi_axes(m, g):
    """Half lengths of the ellipsoid that stands for a geom."""
    s = get3(m.geom_size, g)
    kind = m.geom_type[g]
    if kind == GEOM_SPHERE:
        return s[0], s[0], s[0]
    if kind == GEOM_CAPSULE:
        return s[0], s[0], s[1] + s[0]
    if kind == GEOM_CYLINDER:
        return s[0], s[0], s[1]
    return s


@helper
def added_mass(m, g, w, v):
    """(torque, force) of the medium's own momentum, which turns with the geom."""
    rho = m.opt.density
    c = m.geom_fluid
    linear = (rho * c[g, 6] * v[0], rho * c[g, 7] * v[1], rho * c[g, 8] * v[2])
    angular = (rho * c[g, 9] * w[0], rho * c[g, 10] * w[1], rho * c[g, 11] * w[2])
    return add3(cross(linear, v), cross(angular, w)), cross(linear, w)


@inline
def largest_moment(own, one, two):
    """Moment of the volume swept by turning about the axis of length `own`."""
    r = max(one, two)
    return 8.0 / 15.0 * pi * own * (r * r) * (r * r)


@helper
def turning_moments(m, g, s):
    """What quadratic drag takes from turning about each axis of an ellipsoid: blunt and slender share."""
    longest, shortest = max(s[0], max(s[1], s[2])), min(s[0], min(s[1], s[2]))
    middle = s[0] + s[1] + s[2] - longest - shortest
    most = 8.0 / 15.0 * pi * middle * (longest * longest) * (longest * longest)
    slender, angular = m.geom_fluid[g, 2], m.geom_fluid[g, 3]
    i0, i1, i2 = largest_moment(s[0], s[1], s[2]), largest_moment(s[1], s[2], s[0]), largest_moment(s[2], s[0], s[1])
    return (
        angular * i0 + slender * (most - i0),
        angular * i1 + slender * (most - i1),
        angular * i2 + slender * (most - i2),
    )


@helper
def angular_drag(m, g, s, w):
    """Torque against turning, over angular velocity: linear and quadratic part."""
    c = turning_moments(m, g, s)
    diameter = 2.0 / 3.0 * (s[0] + s[1] + s[2])
    quadratic = m.opt.density * norm3((w[0] * c[0], w[1] * c[1], w[2] * c[2]))
    return m.opt.viscosity * pi * diameter * diameter * diameter + quadratic


@helper
def drag_and_lift(m, g, s, w, v):
    """Force on an ellipsoid: drag along v, Magnus and Kutta lift across it."""
    rho = m.opt.density
    longest, shortest = max(s[0], max(s[1], s[2])), min(s[0], min(s[1], s[2]))
    middle = s[0] + s[1] + s[2] - longest - shortest
    speed = norm3(v)
    # area that the medium sees, from the normal of the section across v
    a, b, c = s[1] * s[2], s[2] * s[0], s[0] * s[1]
    normal = (a * a * v[0], b * b * v[1], c * c * v[2])
    squared = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]
    along = normal[0] * v[0] + normal[1] * v[1] + normal[2] * v[2]
    area = pi * sqrt(squared / max(MINVAL, along))
    # lift: circulation about the normal, and about the axis of rotation
    cosine = along / max(MINVAL, speed * squared)
    circulation = scale3(cross(normal, v), m.geom_fluid[g, 4] * rho * cosine * area)
    volume = 4.0 / 3.0 * pi * s[0] * s[1] * s[2]
    lift = add3(cross(circulation, v), scale3(cross(w, v), m.geom_fluid[g, 5] * rho * volume))
    # drag: Stokes for a sphere of the mean size, and pressure on blunt and slender sections
    diameter = 2.0 / 3.0 * (s[0] + s[1] + s[2])
    pressure = area * m.geom_fluid[g, 1] + m.geom_fluid[g, 2] * (pi * longest * middle - area)
    drag = m.opt.viscosity * 3.0 * pi * diameter + rho * speed * pressure
    return sub3(lift, scale3(v, drag))


@helper
def ellipsoid_fluid(m, d, b, g):
    """Force on one geom that is an ellipsoid to the medium."""
    share = m.geom_fluid[g, 0]
    if share == 0.0:
        return
    r = get9(d.geom_xmat, g)
    point = get3(d.geom_xpos, g)
    w, v = against_wind(m, d, b, point, r)
    s = semi_axes(m, g)
    torque, force = added_mass(m, g, w, v)
    torque = sub3(torque, scale3(w, angular_drag(m, g, s, w)))
    force = add3(force, drag_and_lift(m, g, s, w, v))
    add_wrench(m, d, d.qfrc_fluid, b, point, mat_vec(r, scale3(force, share)), mat_vec(r, scale3(torque, share)))


@helper
def box_fluid(m, d, b):
    """Force on one body that is a box to the medium."""
    r = get9(d.ximat, b)
    point = get3(d.xipos, b)
    w, v = against_wind(m, d, b, point, r)
    torque, force = box_forces(m, b, w, v)
    add_wrench(m, d, d.qfrc_fluid, b, point, mat_vec(r, force), mat_vec(r, torque))


@helper
def no_fluid(m, d):
    """In a vacuum there is no force."""
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qfrc_fluid[v] = 0.0


@kernel(when=lambda m: m.opt.density > 0 or m.opt.viscosity > 0)
def fluid(m, d):
    """(cvel, xipos, ximat, geom_xpos, geom_xmat) -> (qfrc_fluid)"""
    no_fluid(m, d)
    for s in range(d.span.nbody):
        for b in range(d.span.body[s, 0], d.span.body[s, 1]):
            if m.body_mass[b] < MINVAL:
                continue
            first = m.body_geomadr[b]
            ellipsoids = False
            for g in range(first, first + m.body_geomnum[b]):
                if m.geom_fluid[g, 0] > 0.0:
                    ellipsoids = True
            if ellipsoids:
                for g in range(first, first + m.body_geomnum[b]):
                    ellipsoid_fluid(m, d, b, g)
            else:
                box_fluid(m, d, b)
