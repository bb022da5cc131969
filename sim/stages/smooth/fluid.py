"""Fluid forces: drag, lift and added mass.

(cvel, xipos, ximat, geom_xpos, geom_xmat) -> (qfrc_fluid).
Inertia box model: a body is the box with its mass and inertia, with viscous and quadratic drag. Ellipsoid model, for
bodies with at least one geom that enables it: each such geom is an ellipsoid with viscous and quadratic drag, Kutta
lift -(n × v) × v, Magnus lift ω × v, and added mass. Velocities are relative to the wind, in the local frame.
"""

from math import pi, sqrt

from sim.enums import GEOM_CAPSULE, GEOM_CYLINDER, GEOM_SPHERE, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, cross, dot3, get3, norm3, normalize3, scale3, sub3
from sim.stages.smooth.jacobian import add_wrench, point_velocity


@inline
def relative_velocity(m, d, b, point, r):
    """(angular, linear) velocity of a point of body b relative to the fluid, in a frame with axes r."""
    w, v = point_velocity(m, d, b, point)
    return mat_vec_t(r, w), mat_vec_t(r, sub3(v, (m.opt.wind[0], m.opt.wind[1], m.opt.wind[2])))


@inline
def box_edge(own, one, two, mass):
    """Edge length of a box along the axis with moment of inertia `own`."""
    return sqrt(max(MINVAL, one + two - own) / mass * 6.0)


@inline
def box_edges(m, b):
    """Edge lengths of the box with the mass and inertia of body b."""
    i = get3(m.body_inertia, b)
    mass = m.body_mass[b]
    return box_edge(i[0], i[1], i[2], mass), box_edge(i[1], i[0], i[2], mass), box_edge(i[2], i[0], i[1], mass)


@helper
def box_forces(m, b, w, v):
    """(torque, force) on a body in the inertia box model."""
    x, y, z = box_edges(m, b)
    # viscous drag of a sphere of the same mean size
    size = (x + y + z) / 3.0
    torque = scale3(w, -pi * size * size * size * m.opt.viscosity)
    force = scale3(v, -3.0 * pi * size * m.opt.viscosity)
    # quadratic drag: pressure on the faces
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
    """Semi-axes of the ellipsoid that approximates a geom."""
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
    """(torque, force) of the added mass: momentum of the fluid that moves with the geom."""
    rho = m.opt.density
    c = m.geom_fluid
    linear = (rho * c[g, 6] * v[0], rho * c[g, 7] * v[1], rho * c[g, 8] * v[2])
    angular = (rho * c[g, 9] * w[0], rho * c[g, 10] * w[1], rho * c[g, 11] * w[2])
    return add3(cross(linear, v), cross(angular, w)), cross(linear, w)


@inline
def max_moment(own, one, two):
    """Moment of the volume swept by a rotation about the semi-axis `own`."""
    r = max(one, two)
    return 8.0 / 15.0 * pi * own * (r * r) * (r * r)


@helper
def angular_drag_coefficients(m, g, s):
    """Quadratic angular drag coefficients about each axis of an ellipsoid: angular and slender part."""
    longest, shortest = max(s[0], max(s[1], s[2])), min(s[0], min(s[1], s[2]))
    middle = s[0] + s[1] + s[2] - longest - shortest
    largest = 8.0 / 15.0 * pi * middle * (longest * longest) * (longest * longest)
    slender, angular = m.geom_fluid[g, 2], m.geom_fluid[g, 3]
    i0, i1, i2 = max_moment(s[0], s[1], s[2]), max_moment(s[1], s[2], s[0]), max_moment(s[2], s[0], s[1])
    return (
        angular * i0 + slender * (largest - i0),
        angular * i1 + slender * (largest - i1),
        angular * i2 + slender * (largest - i2),
    )


@helper
def angular_drag(m, g, s, w):
    """Drag torque per unit angular velocity: viscous and quadratic part."""
    c = angular_drag_coefficients(m, g, s)
    diameter = 2.0 / 3.0 * (s[0] + s[1] + s[2])
    quadratic = m.opt.density * norm3((w[0] * c[0], w[1] * c[1], w[2] * c[2]))
    return m.opt.viscosity * pi * diameter * diameter * diameter + quadratic


@inline
def facing(s):
    """((sⱼ sₖ)² of each axis, longest): the weights by which an ellipsoid faces a direction, and its longest semi-axis,
    which is their unit."""
    longest = max(s[0], max(s[1], s[2]))
    unit = 1.0 / (longest * longest)
    a, b, c = s[1] * s[2] * unit, s[2] * s[0] * unit, s[0] * s[1] * unit
    return (a * a, b * b, c * c), longest


@inline
def weigh(weights, a):
    """a, each component by its weight."""
    return weights[0] * a[0], weights[1] * a[1], weights[2] * a[2]


@inline
def at_least_tiny(x):
    """x, or a number that may be divided by; forces on ellipsoids of any size and speed are in proportion."""
    return max(x, MINVAL * MINVAL)


@helper
def drag_and_lift(m, g, s, w, v):
    """Force on an ellipsoid: drag along v, Magnus and Kutta lift perpendicular to it."""
    rho = m.opt.density
    speed, e = norm3(v), normalize3(v)
    weights, longest = facing(s)
    normal = weigh(weights, e)
    middle = s[0] + s[1] + s[2] - longest - min(s[0], min(s[1], s[2]))
    # area projected along v
    squared, along = dot3(normal, normal), dot3(normal, e)
    area = pi * longest * longest * sqrt(squared / at_least_tiny(along))
    # lift: circulation about the normal, and about the axis of rotation
    circulation = scale3(cross(normal, e), m.geom_fluid[g, 4] * rho * along / at_least_tiny(squared) * area * speed)
    volume = 4.0 / 3.0 * pi * s[0] * s[1] * s[2]
    lift = add3(cross(circulation, v), scale3(cross(w, v), m.geom_fluid[g, 5] * rho * volume))
    # Stokes drag of a sphere of the mean size; quadratic drag, blunt and slender
    diameter = 2.0 / 3.0 * (s[0] + s[1] + s[2])
    quadratic = area * m.geom_fluid[g, 1] + m.geom_fluid[g, 2] * (pi * longest * middle - area)
    drag = m.opt.viscosity * 3.0 * pi * diameter + rho * speed * quadratic
    return sub3(lift, scale3(v, drag))


@helper
def ellipsoid_fluid(m, d, b, g):
    """Add the fluid force on one geom in the ellipsoid model."""
    coefficient = m.geom_fluid[g, 0]
    if coefficient == 0.0:
        return
    r = get9(d.geom_xmat, g)
    point = get3(d.geom_xpos, g)
    w, v = relative_velocity(m, d, b, point, r)
    s = semi_axes(m, g)
    torque, force = added_mass(m, g, w, v)
    torque = sub3(torque, scale3(w, angular_drag(m, g, s, w)))
    force = add3(force, drag_and_lift(m, g, s, w, v))
    force, torque = mat_vec(r, scale3(force, coefficient)), mat_vec(r, scale3(torque, coefficient))
    add_wrench(m, d, d.qfrc_fluid, b, point, force, torque)


@helper
def box_fluid(m, d, b):
    """Add the fluid force on one body in the inertia box model."""
    r = get9(d.ximat, b)
    point = get3(d.xipos, b)
    w, v = relative_velocity(m, d, b, point, r)
    torque, force = box_forces(m, b, w, v)
    add_wrench(m, d, d.qfrc_fluid, b, point, mat_vec(r, force), mat_vec(r, torque))


@helper
def clear_fluid(m, d):
    """Set qfrc_fluid to zero."""
    for s in range(d.span.ndof):
        for v in range(d.span.dof[s, 0], d.span.dof[s, 1]):
            d.qfrc_fluid[v] = 0.0


@kernel(when=lambda m: m.opt.density > 0 or m.opt.viscosity > 0)
def fluid(m, d):
    """(cvel, xipos, ximat, geom_xpos, geom_xmat) -> (qfrc_fluid)"""
    clear_fluid(m, d)
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
