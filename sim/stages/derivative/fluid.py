"""Velocity derivatives of fluid forces.

(cvel, xipos, ximat, geom_xpos, geom_xmat) -> (qDeriv += d(qfrc_fluid) / d(qvel)), of the forces of smooth/fluid.py.
Each body or geom has a 6x6 matrix of four blocks in its own frame: derivatives of torque and force w.r.t. angular and
linear velocity. About the tree's centre of mass they are summed over subtrees, so each pair of dofs takes one dot
product.
"""

from math import pi, sqrt

from sim.enums import INT_DISCRETE, INT_IMPLICITFAST, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.mat import add_mat, diagonal, mul_mat, outer, scale_columns, scale_mat, skew, sub_mat, transpose
from sim.math.quat import get9
from sim.math.spatial import dot6, get6
from sim.math.vec import dot3, get3, norm3, normalize3, scale3, sub3
from sim.stages.smooth.fluid import (
    angular_drag_coefficients,
    at_least_tiny,
    box_edges,
    facing,
    relative_velocity,
    semi_axes,
    weigh,
)
from sim.stages.smooth.inertia import is_free_body

# ---------------------------------------------------------------- one body or geom, in its own frame


@helper
def box_derivatives(m, b, w, v):
    """(d(torque)/d(w), d(force)/d(v)), both diagonal, of a body in the inertia box model."""
    x, y, z = box_edges(m, b)
    size = (x + y + z) / 3.0
    rho = m.opt.density
    angular, linear = -pi * size * size * size * m.opt.viscosity, -3.0 * pi * size * m.opt.viscosity
    x4, y4, z4 = x * x * x * x, y * y * y * y, z * z * z * z
    torque = diagonal(
        angular - rho * x * (y4 + z4) * abs(w[0]) / 32.0,
        angular - rho * y * (x4 + z4) * abs(w[1]) / 32.0,
        angular - rho * z * (x4 + y4) * abs(w[2]) / 32.0,
    )
    force = diagonal(
        linear - rho * y * z * abs(v[0]), linear - rho * x * z * abs(v[1]), linear - rho * x * y * abs(v[2])
    )
    return torque, force


@helper
def angular_drag_derivative(m, g, s, w):
    """d(torque)/d(w) of an ellipsoid's drag."""
    c0, c1, c2 = angular_drag_coefficients(m, g, s)
    moment = (w[0] * c0, w[1] * c1, w[2] * c2)
    scale = m.opt.density / max(MINVAL, norm3(moment))
    change = (-scale * c0 * moment[0], -scale * c1 * moment[1], -scale * c2 * moment[2])
    diameter = 2.0 / 3.0 * (s[0] + s[1] + s[2])
    straight = dot3(w, change) - m.opt.viscosity * pi * diameter * diameter * diameter
    return add_mat(outer(w, change), diagonal(straight, straight, straight))


@helper
def drag_derivative(m, g, s, v):
    """d(force)/d(v) of an ellipsoid's drag."""
    speed, e = norm3(v), normalize3(v)
    weights, longest = facing(s)
    n = weigh(weights, e)
    nn = weigh(weights, n)
    middle = s[0] + s[1] + s[2] - longest - min(s[0], min(s[1], s[2]))
    squared, along = dot3(n, n), dot3(n, e)
    disc = pi * longest * longest
    area = disc * sqrt(squared / at_least_tiny(along))
    blunt, slender = m.geom_fluid[g, 1], m.geom_fluid[g, 2]
    rho = m.opt.density
    quadratic = rho * (area * blunt + slender * (pi * longest * middle - area))
    # the area changes with the direction of v
    per_area = rho * (blunt - slender) * disc / at_least_tiny(along * sqrt(along * squared))
    change = scale3(sub3(scale3(nn, along), scale3(n, squared)), per_area)
    diameter = 2.0 / 3.0 * (s[0] + s[1] + s[2])
    straight = -quadratic * speed - m.opt.viscosity * 3.0 * pi * diameter
    d = add_mat(diagonal(straight, straight, straight), scale_mat(outer(v, e), -quadratic))
    return sub_mat(d, outer(v, change))


@helper
def kutta_derivative(m, g, s, v):
    """d(force)/d(v) of an ellipsoid's lift, q |v|² (e (n·e) - n) with e the direction of v and q ~ (n·e / n·n)^½."""
    speed, e = norm3(v), normalize3(v)
    weights, longest = facing(s)
    n = weigh(weights, e)
    nn = weigh(weights, n)
    squared, along = dot3(n, n), dot3(n, e)
    scale = pi * longest * longest * speed * m.geom_fluid[g, 4] * m.opt.density
    across = sub3(scale3(e, along), n)
    # derivatives of e (n·e) and n by the components of v
    d = add_mat(diagonal(along, along, along), scale_mat(outer(e, n), 2.0))
    d = sub_mat(d, diagonal(weights[0], weights[1], weights[2]))
    d = sub_mat(d, scale_mat(outer(n, e), 2.0))
    change = sub3(sub3(n, scale3(nn, along / at_least_tiny(squared))), scale3(e, along))
    d = add_mat(scale_mat(d, along), outer(across, change))
    return scale_mat(d, scale / at_least_tiny(sqrt(squared * along)))


@helper
def ellipsoid_derivatives(m, g, w, v):
    """Blocks of a geom in the ellipsoid model: d(torque)/d(w), d(torque)/d(v), d(force)/d(w), d(force)/d(v)."""
    s = semi_axes(m, g)
    rho = m.opt.density
    c = m.geom_fluid
    mass = (rho * c[g, 6], rho * c[g, 7], rho * c[g, 8])
    inertia = (rho * c[g, 9], rho * c[g, 10], rho * c[g, 11])
    w_cross, v_cross = skew(w), skew(v)
    # added mass: torque p × v + spin × w, force p × w
    p = skew((mass[0] * v[0], mass[1] * v[1], mass[2] * v[2]))
    spin = skew((inertia[0] * w[0], inertia[1] * w[1], inertia[2] * w[2]))
    tt = sub_mat(spin, scale_columns(w_cross, inertia))
    tm = sub_mat(p, scale_columns(v_cross, mass))
    ft = p
    fm = scale_mat(scale_columns(w_cross, mass), -1.0)
    # Magnus lift: force ~ w × v
    magnus = c[g, 5] * rho * 4.0 / 3.0 * pi * s[0] * s[1] * s[2]
    ft = sub_mat(ft, scale_mat(v_cross, magnus))
    fm = add_mat(fm, scale_mat(w_cross, magnus))
    # drag, and Kutta lift
    tt = add_mat(tt, angular_drag_derivative(m, g, s, w))
    fm = add_mat(fm, drag_derivative(m, g, s, v))
    fm = add_mat(fm, kutta_derivative(m, g, s, v))
    return tt, tm, ft, fm


@helper
def ellipsoid_drag_derivatives(m, g, w, v):
    """(d(torque)/d(w), d(force)/d(v)) of the drag of a geom alone, symmetrized."""
    s = semi_axes(m, g)
    tt, fm = angular_drag_derivative(m, g, s, w), drag_derivative(m, g, s, v)
    return scale_mat(add_mat(tt, transpose(tt)), 0.5), scale_mat(add_mat(fm, transpose(fm)), 0.5)


# ---------------------------------------------------------------- about the tree's centre of mass


@inline
def add_to_block(out, b, row, column, a):
    """out[b], a 6x6 matrix by rows, += a 3x3 block at (row, column)."""
    for i in range(3):
        k = 6 * (row + i) + column
        out[b, k] += a[3 * i]
        out[b, k + 1] += a[3 * i + 1]
        out[b, k + 2] += a[3 * i + 2]


@inline
def in_world(r, a):
    """R a Rᵀ"""
    return mul_mat(mul_mat(r, a), transpose(r))


@helper
def add_derivatives(m, d, b, point, r, tt, tm, ft, fm):
    """deriv.drag[b] += the four blocks, given at a point in a frame with axes r."""
    tt, tm, ft, fm = in_world(r, tt), in_world(r, tm), in_world(r, ft), in_world(r, fm)
    lever = skew(sub3(point, get3(d.subtree_com, m.body_rootid[b])))
    # the velocity of the point is u + w × lever; a force there has the torque lever × force
    ft = sub_mat(ft, mul_mat(fm, lever))
    tt = add_mat(sub_mat(tt, mul_mat(tm, lever)), mul_mat(lever, ft))
    tm = add_mat(tm, mul_mat(lever, fm))
    add_to_block(d.deriv.drag, b, 0, 0, tt)
    add_to_block(d.deriv.drag, b, 0, 3, tm)
    add_to_block(d.deriv.drag, b, 3, 0, ft)
    add_to_block(d.deriv.drag, b, 3, 3, fm)


@helper
def ellipsoid_drag(m, d, b, g):
    """Add one geom to deriv.drag; symmetrized for implicitfast, except for a free body that is solved separately."""
    r, point = get9(d.geom_xmat, g), get3(d.geom_xpos, g)
    w, v = relative_velocity(m, d, b, point, r)
    if m.opt.integrator == INT_DISCRETE:
        tt, fm = ellipsoid_drag_derivatives(m, g, w, v)
        zero = diagonal(0.0, 0.0, 0.0)
        add_derivatives(m, d, b, point, r, tt, zero, zero, fm)
        return
    tt, tm, ft, fm = ellipsoid_derivatives(m, g, w, v)
    if m.opt.integrator == INT_IMPLICITFAST and not is_free_body(m, m.body_weldid[b]):
        tt = scale_mat(add_mat(tt, transpose(tt)), 0.5)
        fm = scale_mat(add_mat(fm, transpose(fm)), 0.5)
        tm = scale_mat(add_mat(tm, transpose(ft)), 0.5)
        ft = transpose(tm)
    add_derivatives(m, d, b, point, r, tt, tm, ft, fm)


@helper
def box_drag(m, d, b):
    """Add one body to deriv.drag."""
    r, point = get9(d.ximat, b), get3(d.xipos, b)
    w, v = relative_velocity(m, d, b, point, r)
    torque, force = box_derivatives(m, b, w, v)
    zero = diagonal(0.0, 0.0, 0.0)
    add_derivatives(m, d, b, point, r, torque, zero, zero, force)


@kernel(when=lambda m: m.opt.density > 0 or m.opt.viscosity > 0)
def drag_matrices(m, d):
    """(cvel, xipos, ximat, geom_xpos, geom_xmat) -> (deriv.drag): of each subtree"""
    for run in range(d.span.nbody):
        for b in range(d.span.body[run, 0], d.span.body[run, 1]):
            for k in range(36):
                d.deriv.drag[b, k] = 0.0
            if m.body_mass[b] < MINVAL:
                continue
            first = m.body_geomadr[b]
            ellipsoids = False
            for g in range(first, first + m.body_geomnum[b]):
                if m.geom_fluid[g, 0] > 0.0:
                    ellipsoids = True
            if not ellipsoids:
                box_drag(m, d, b)
                continue
            for g in range(first, first + m.body_geomnum[b]):
                if m.geom_fluid[g, 0] != 0.0:
                    ellipsoid_drag(m, d, b, g)
    for run in range(d.span.nbody - 1, -1, -1):
        for b in range(d.span.body[run, 1] - 1, d.span.body[run, 0] - 1, -1):
            p = m.body_parentid[b]
            if p > 0:
                for k in range(36):
                    d.deriv.drag[p, k] += d.deriv.drag[b, k]


# ---------------------------------------------------------------- onto the dofs


@inline
def mul_drag(d, b, s):
    """deriv.drag[b] · s"""
    x = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    a = d.deriv.drag
    for k in range(6):
        t = s[k]
        x = (
            x[0] + a[b, k] * t,
            x[1] + a[b, 6 + k] * t,
            x[2] + a[b, 12 + k] * t,
            x[3] + a[b, 18 + k] * t,
            x[4] + a[b, 24 + k] * t,
            x[5] + a[b, 30 + k] * t,
        )
    return x


@inline
def mul_drag_t(d, b, s):
    """deriv.drag[b]ᵀ · s"""
    x = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    a = d.deriv.drag
    for k in range(6):
        t, i = s[k], 6 * k
        x = (
            x[0] + a[b, i] * t,
            x[1] + a[b, i + 1] * t,
            x[2] + a[b, i + 2] * t,
            x[3] + a[b, i + 3] * t,
            x[4] + a[b, i + 4] * t,
            x[5] + a[b, i + 5] * t,
        )
    return x


@kernel(when=lambda m: m.opt.density > 0 or m.opt.viscosity > 0)
def fluid_vel(m, d):
    """(cvel, cdof, ...) -> (qDeriv): += d(qfrc_fluid) / d(qvel)"""
    drag_matrices(m, d)
    for run in range(d.span.ndof):
        for v in range(d.span.dof[run, 0], d.span.dof[run, 1]):
            d.deriv.cursor[v] = m.D_rowadr[v] + m.D_diag[v]
    for run in range(d.span.ndof):
        for v in range(d.span.dof[run, 0], d.span.dof[run, 1]):
            b = m.dof_bodyid[v]
            s = get6(d.cdof, v)
            column, row = mul_drag(d, b, s), mul_drag_t(d, b, s)
            k = m.D_rowadr[v] + m.D_diag[v]
            u = v
            while u >= 0:
                up = get6(d.cdof, u)
                # descendants are visited in the order of their columns
                d.qDeriv[d.deriv.cursor[u]] += dot6(up, column)
                d.deriv.cursor[u] += 1
                if u != v:
                    d.qDeriv[k] += dot6(up, row)
                k -= 1
                u = m.dof_parentid[u]
