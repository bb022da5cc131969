"""Velocity derivatives of Coriolis and centrifugal forces.

(cinert, crb, cvel, cdof, cdof_dot, qvel) -> (qDeriv -= d(qfrc_bias) / d(qvel)).
Dof j moves every descendant body by s = cdof_j, so the force on the body changes by I r + (T ω, 2 ω × p), where ω is
the angular part of s, p the body's linear momentum, r = cdof_dot_j + v × s with v the velocity after j's joint, and
T = 2 [w] J - tr(J) [w] + 2 (u·c) - 2 u cᵀ for a body with velocity (w, u), rotational inertia J, and mass times centre
c. These are summed over subtrees: crb is the sum of I already, T and p are summed here; each pair of dofs then takes
one dot product, of the force on the subtree of the lower dof with the motion axis of the other.
"""

from sim.enums import INT_IMPLICIT, JNT_BALL, JNT_FREE
from sim.jit import helper, inline, kernel
from sim.math.mat import add_mat, diagonal, mul_mat, outer, scale_mat, skew, sub_mat, transpose
from sim.math.quat import get9, mat_vec, put9
from sim.math.spatial import add6, add_scaled6, cross_motion, dot6, get6, get10, mul_inertia, put6
from sim.math.vec import add3, cross, dot3, get3, put3, scale3


@helper
def gyroscopic_matrix(i, w, u):
    """T of one body."""
    inertia = (i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2])
    w_cross = skew(w)
    c = (i[6], i[7], i[8])
    s = 2.0 * dot3(u, c)
    t = sub_mat(scale_mat(mul_mat(w_cross, inertia), 2.0), scale_mat(w_cross, i[0] + i[1] + i[2]))
    return add_mat(t, sub_mat(diagonal(s, s, s), scale_mat(outer(u, c), 2.0)))


@helper
def put_coriolis(m, d):
    """(cinert, cvel) -> (deriv.gyroscopic, deriv.momentum): T and 2 p of each subtree"""
    for run in range(d.span.nbody):
        for b in range(d.span.body[run, 0], d.span.body[run, 1]):
            i = get10(d.cinert, b)
            vel = get6(d.cvel, b)
            p = mul_inertia(i, vel)
            put9(d.deriv.gyroscopic, b, gyroscopic_matrix(i, (vel[0], vel[1], vel[2]), (vel[3], vel[4], vel[5])))
            put3(d.deriv.momentum, b, (2.0 * p[3], 2.0 * p[4], 2.0 * p[5]))
    for run in range(d.span.nbody - 1, -1, -1):
        for b in range(d.span.body[run, 1] - 1, d.span.body[run, 0] - 1, -1):
            p = m.body_parentid[b]
            if p > 0:
                put9(d.deriv.gyroscopic, p, add_mat(get9(d.deriv.gyroscopic, p), get9(d.deriv.gyroscopic, b)))
                put3(d.deriv.momentum, p, add3(get3(d.deriv.momentum, p), get3(d.deriv.momentum, b)))


@inline
def first_rotational(m, v):
    """First of the three rotational dofs of dof v's ball or free joint, or -1."""
    j = m.dof_jntid[v]
    kind = m.jnt_type[j]
    first = m.jnt_dofadr[j]
    if kind == JNT_BALL:
        return first
    if kind == JNT_FREE and v >= first + 3:
        return first + 3
    return -1


@inline
def rate(m, d, v):
    """r of a dof: twice cdof_dot, plus the coupling of the three rotational dofs of a ball or free joint."""
    s = get6(d.cdof_dot, v)
    r = add6(s, s)
    k = first_rotational(m, v)
    if k >= 0:
        own = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for n in range(3):
            own = add_scaled6(own, get6(d.cdof, k + n), d.qvel[k + n])
        r = add6(r, cross_motion(own, get6(d.cdof, v)))
    return r


@inline
def coriolis_force(d, b, s, r):
    """Derivative of the force on the subtree of body b w.r.t. an ancestor dof with motion axis s and rate r."""
    w = (s[0], s[1], s[2])
    f = mul_inertia(get10(d.crb, b), r)
    t = mat_vec(get9(d.deriv.gyroscopic, b), w)
    p = cross(w, get3(d.deriv.momentum, b))
    return f[0] + t[0], f[1] + t[1], f[2] + t[2], f[3] + p[0], f[4] + p[1], f[5] + p[2]


@kernel(when=lambda m: m.opt.integrator == INT_IMPLICIT)
def bias_vel(m, d):
    """(cinert, crb, cvel, cdof, cdof_dot, qvel) -> (qDeriv): -= d(qfrc_bias) / d(qvel)"""
    put_coriolis(m, d)
    for run in range(d.span.ndof):
        for v in range(d.span.dof[run, 0], d.span.dof[run, 1]):
            put6(d.deriv.rate, v, rate(m, d, v))
            d.deriv.cursor[v] = m.D_rowadr[v] + m.D_diag[v]
    for run in range(d.span.ndof):
        for v in range(d.span.dof[run, 0], d.span.dof[run, 1]):
            b = m.dof_bodyid[v]
            s = get6(d.cdof, v)
            column = coriolis_force(d, b, s, get6(d.deriv.rate, v))
            # the same force projected onto dof v, as a function of the other dof's rate and angular velocity
            momentum = mul_inertia(get10(d.crb, b), s)
            angular = mat_vec(transpose(get9(d.deriv.gyroscopic, b)), (s[0], s[1], s[2]))
            angular = add3(angular, cross(get3(d.deriv.momentum, b), (s[3], s[4], s[5])))
            k = m.D_rowadr[v] + m.D_diag[v]
            u = v
            while u >= 0:
                up = get6(d.cdof, u)
                # descendants are visited in the order of their columns
                d.qDeriv[d.deriv.cursor[u]] -= dot6(up, column)
                d.deriv.cursor[u] += 1
                if u != v:
                    d.qDeriv[k] -= dot6(momentum, get6(d.deriv.rate, u)) + dot3(angular, (up[0], up[1], up[2]))
                k -= 1
                u = m.dof_parentid[u]


@helper
def free_block_bias(m, d, b, v, h):
    """deriv.block += h · d(qfrc_bias) / d(qvel) for the six dofs from v on of a free body and what is welded to it"""
    i = get10(d.crb, b)
    vel = get6(d.cvel, b)
    p = mul_inertia(i, vel)
    t = gyroscopic_matrix(i, (vel[0], vel[1], vel[2]), (vel[3], vel[4], vel[5]))
    # only rotational dofs contribute
    for c in range(3, 6):
        s = get6(d.cdof, v + c)
        w = (s[0], s[1], s[2])
        f = mul_inertia(i, rate(m, d, v + c))
        torque = mat_vec(t, w)
        force = scale3(cross(w, (p[3], p[4], p[5])), 2.0)
        f = add6(f, (torque[0], torque[1], torque[2], force[0], force[1], force[2]))
        for r in range(6):
            d.deriv.block[r, c] += h * dot6(get6(d.cdof, v + r), f)
