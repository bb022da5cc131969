"""Articulated bodies: products with the inverse of the inertia matrix in linear time, for trees that are deep.

An articulated body is a body with its subtree, whose joints are free to move. Its inertia I, about the body's centre
of mass, is that of the body and of its children, shifted; eliminating a dof with motion axis s, from the last one to
the first, leaves I - u uᵀ / D, with u = I s and D = s · u + armature. D is the same as in M = LᵀDL. A product with M⁻¹
takes a pass from leaves to root, which sums wrenches, and one from root to leaves, which sums accelerations.

make_articulated: (xipos, ximat, xanchor, xaxis, xmat) -> (articulated.lever, axis, rotational, armature).
Any positive diagonal, and any inertia of single bodies, can be added before `eliminate_dofs`: damping of a step that is
implicit in it, stiffness of constraints.
"""

from sim.enums import (
    DSBL_DAMPER,
    DSBL_SPRING,
    INT_DISCRETE,
    INT_IMPLICIT,
    INT_IMPLICITFAST,
    INT_SPRINGDAMPER,
    JNT_BALL,
    JNT_FREE,
    JNT_HINGE,
    JNT_SLIDE,
    MINVAL,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    WARN_INERTIA,
)
from sim.jit import helper, inline, kernel
from sim.math.quat import get9
from sim.math.spatial import add_scaled6, dot6, get6, put6
from sim.math.vec import cross, get3, put3, sub3
from sim.stages.sleep.awake import sleeps
from sim.stages.smooth.inertia import damping_derivative, is_free_body
from sim.stages.smooth.passive import spring_derivative
from sim.stages.smooth.reflected_inertia import total_armature
from sim.stages.smooth.tendon import tendons_have_inertia
from sim.state.warning import warn

# entries of M for each dof, from which on articulated bodies are faster than the factor of M
DEEP = 24
ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@helper
def has_diagonal_derivative(m):
    """Whether the step of implicitfast adds to the diagonal of M only, and no single free body is solved apart."""
    if m.ntendon > 0 or m.opt.density > 0.0 or m.opt.viscosity > 0.0:
        return False
    apart = False
    for i in range(m.nactuator):
        j = m.actuator_trnid[i, 0]
        on_joint = m.actuator_trntype[i] == TRN_JOINT or m.actuator_trntype[i] == TRN_JOINTINPARENT
        apart |= not on_joint or m.jnt_type[j] == JNT_FREE or m.jnt_type[j] == JNT_BALL
    for b in range(1, m.nbody):
        apart |= is_free_body(m, b)
    return not apart


@helper
def is_articulated(m):
    """Whether M is so large that it is made only for those who read it."""
    # first what no edit changes: most models never need these kernels
    if m.nC <= DEEP * m.nv:
        return False
    kind = m.opt.integrator
    if kind == INT_IMPLICIT or kind == INT_DISCRETE or sleeps(m) or tendons_have_inertia(m):
        return False
    return kind != INT_IMPLICITFAST or has_diagonal_derivative(m)


# ---------------------------------------------------------------- 6x6 inertias: upper triangle by rows


@inline
def get21(a, b):
    return (
        (a[b, 0], a[b, 1], a[b, 2], a[b, 3], a[b, 4], a[b, 5]),
        (a[b, 6], a[b, 7], a[b, 8], a[b, 9], a[b, 10]),
        (a[b, 11], a[b, 12], a[b, 13], a[b, 14]),
        (a[b, 15], a[b, 16], a[b, 17]),
        (a[b, 18], a[b, 19]),
        a[b, 20],
    )


@inline
def mul21(i, s):
    """I s"""
    r0, r1, r2, r3, r4, r5 = i
    return (
        r0[0] * s[0] + r0[1] * s[1] + r0[2] * s[2] + r0[3] * s[3] + r0[4] * s[4] + r0[5] * s[5],
        r0[1] * s[0] + r1[0] * s[1] + r1[1] * s[2] + r1[2] * s[3] + r1[3] * s[4] + r1[4] * s[5],
        r0[2] * s[0] + r1[1] * s[1] + r2[0] * s[2] + r2[1] * s[3] + r2[2] * s[4] + r2[3] * s[5],
        r0[3] * s[0] + r1[2] * s[1] + r2[1] * s[2] + r3[0] * s[3] + r3[1] * s[4] + r3[2] * s[5],
        r0[4] * s[0] + r1[3] * s[1] + r2[2] * s[2] + r3[1] * s[3] + r4[0] * s[4] + r4[1] * s[5],
        r0[5] * s[0] + r1[4] * s[1] + r2[3] * s[2] + r3[2] * s[3] + r4[1] * s[4] + r5 * s[5],
    )


@inline
def add_product(i, u, w):
    """I + u wᵀ, which is symmetric, or one of several terms whose sum is"""
    r0, r1, r2, r3, r4, r5 = i
    return (
        (
            r0[0] + u[0] * w[0],
            r0[1] + u[0] * w[1],
            r0[2] + u[0] * w[2],
            r0[3] + u[0] * w[3],
            r0[4] + u[0] * w[4],
            r0[5] + u[0] * w[5],
        ),
        (r1[0] + u[1] * w[1], r1[1] + u[1] * w[2], r1[2] + u[1] * w[3], r1[3] + u[1] * w[4], r1[4] + u[1] * w[5]),
        (r2[0] + u[2] * w[2], r2[1] + u[2] * w[3], r2[2] + u[2] * w[4], r2[3] + u[2] * w[5]),
        (r3[0] + u[3] * w[3], r3[1] + u[3] * w[4], r3[2] + u[3] * w[5]),
        (r4[0] + u[4] * w[4], r4[1] + u[4] * w[5]),
        r5 + u[5] * w[5],
    )


@inline
def put21(a, b, i):
    for k in range(6):
        a[b, k] = i[0][k]
    for k in range(5):
        a[b, 6 + k] = i[1][k]
    for k in range(4):
        a[b, 11 + k] = i[2][k]
    for k in range(3):
        a[b, 15 + k] = i[3][k]
    a[b, 18] = i[4][0]
    a[b, 19] = i[4][1]
    a[b, 20] = i[5]


@inline
def add_shifted(a, p, i, r):
    """Row p of a += an inertia I about a point at r from the one of row p.

    With I = (A B; Bᵀ C): C' = C, B' = B + [r] C, A' = A - B' [r] - (B [r])ᵀ.
    """
    r0, r1, r2, r3, r4, c22 = i
    b0, b1, b2 = (r0[3], r0[4], r0[5]), (r1[2], r1[3], r1[4]), (r2[1], r2[2], r2[3])
    # columns of [r] C
    c0 = cross(r, (r3[0], r3[1], r3[2]))
    c1 = cross(r, (r3[1], r4[0], r4[1]))
    c2 = cross(r, (r3[2], r4[1], c22))
    n0 = (b0[0] + c0[0], b0[1] + c1[0], b0[2] + c2[0])
    n1 = (b1[0] + c0[1], b1[1] + c1[1], b1[2] + c2[1])
    n2 = (b2[0] + c0[2], b2[1] + c1[2], b2[2] + c2[2])
    x0, x1, x2 = cross(b0, r), cross(b1, r), cross(b2, r)
    y0, y1, y2 = cross(n0, r), cross(n1, r), cross(n2, r)
    a[p, 0] += r0[0] - y0[0] - x0[0]
    a[p, 1] += r0[1] - y0[1] - x1[0]
    a[p, 2] += r0[2] - y0[2] - x2[0]
    a[p, 3] += n0[0]
    a[p, 4] += n0[1]
    a[p, 5] += n0[2]
    a[p, 6] += r1[0] - y1[1] - x1[1]
    a[p, 7] += r1[1] - y1[2] - x2[1]
    a[p, 8] += n1[0]
    a[p, 9] += n1[1]
    a[p, 10] += n1[2]
    a[p, 11] += r2[0] - y2[2] - x2[2]
    a[p, 12] += n2[0]
    a[p, 13] += n2[1]
    a[p, 14] += n2[2]
    a[p, 15] += r3[0]
    a[p, 16] += r3[1]
    a[p, 17] += r3[2]
    a[p, 18] += r4[0]
    a[p, 19] += r4[1]
    a[p, 20] += c22


# ---------------------------------------------------------------- what a pose gives


@inline
def put_axis(d, v, axis, lever):
    """Motion axis of a rotational dof; `lever` is the vector from its anchor to the body's centre of mass."""
    c = cross(axis, lever)
    put6(d.articulated.axis, v, (axis[0], axis[1], axis[2], c[0], c[1], c[2]))


@helper
def put_axes(m, d, b, j):
    """Motion axes of the dofs of one joint about the centre of mass of its body."""
    v = m.jnt_dofadr[j]
    kind = m.jnt_type[j]
    lever = sub3(get3(d.xipos, b), get3(d.xanchor, j))
    axis = get3(d.xaxis, j)
    if kind == JNT_SLIDE:
        put6(d.articulated.axis, v, (0.0, 0.0, 0.0, axis[0], axis[1], axis[2]))
        return
    if kind == JNT_HINGE:
        put_axis(d, v, axis, lever)
        return
    if kind == JNT_FREE:
        put6(d.articulated.axis, v, (0.0, 0.0, 0.0, 1.0, 0.0, 0.0))
        put6(d.articulated.axis, v + 1, (0.0, 0.0, 0.0, 0.0, 1.0, 0.0))
        put6(d.articulated.axis, v + 2, (0.0, 0.0, 0.0, 0.0, 0.0, 1.0))
        v += 3
    r = get9(d.xmat, b)
    put_axis(d, v, (r[0], r[3], r[6]), lever)
    put_axis(d, v + 1, (r[1], r[4], r[7]), lever)
    put_axis(d, v + 2, (r[2], r[5], r[8]), lever)


@inline
def moves(m, b):
    """Whether a body has dofs, its own or of bodies above."""
    return m.body_treeid[b] >= 0


@kernel(when=is_articulated)
def make_articulated(m, d):
    """(xipos, ximat, xanchor, xaxis, xmat) -> (articulated.lever, axis, rotational, armature)"""
    for b in range(1, m.nbody):
        if not moves(m, b):
            continue
        put3(d.articulated.lever, b, sub3(get3(d.xipos, b), get3(d.xipos, m.body_parentid[b])))
        r = get9(d.ximat, b)
        x, y, z = get3(m.body_inertia, b)
        rotational = (
            r[0] * r[0] * x + r[1] * r[1] * y + r[2] * r[2] * z,
            r[0] * r[3] * x + r[1] * r[4] * y + r[2] * r[5] * z,
            r[0] * r[6] * x + r[1] * r[7] * y + r[2] * r[8] * z,
            r[3] * r[3] * x + r[4] * r[4] * y + r[5] * r[5] * z,
            r[3] * r[6] * x + r[4] * r[7] * y + r[5] * r[8] * z,
            r[6] * r[6] * x + r[7] * r[7] * y + r[8] * r[8] * z,
        )
        put6(d.articulated.rotational, b, rotational)
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            put_axes(m, d, b, j)
    for v in range(m.nv):
        d.articulated.armature[v] = total_armature(m, v)


# ---------------------------------------------------------------- factor


@helper
def put_own_inertia(m, d, first, end):
    """articulated.inertia of some bodies <- each body alone."""
    for b in range(first, end):
        i = get6(d.articulated.rotational, b)
        mass = m.body_mass[b]
        own = (
            (i[0], i[1], i[2], 0.0, 0.0, 0.0),
            (i[3], i[4], 0.0, 0.0, 0.0),
            (i[5], 0.0, 0.0, 0.0),
            (mass, 0.0, 0.0),
            (mass, 0.0),
            mass,
        )
        put21(d.articulated.inertia, b, own)


@helper
def eliminate_dofs(m, d, force, inverse, first, end):
    """(articulated.inertia of each body alone, inverse: what is added to each D) -> (force: u, inverse: 1 / D)"""
    for b in range(end - 1, first - 1, -1):
        if not moves(m, b):
            continue
        i = get21(d.articulated.inertia, b)
        for v in range(m.body_dofadr[b] + m.body_dofnum[b] - 1, m.body_dofadr[b] - 1, -1):
            s = get6(d.articulated.axis, v)
            u = mul21(i, s)
            pivot = inverse[v] + dot6(s, u)
            if pivot < MINVAL:
                pivot = MINVAL
                warn(d, WARN_INERTIA, v)
            inverse[v] = 1.0 / pivot
            put6(force, v, u)
            i = add_product(i, u, add_scaled6(ZERO6, u, -inverse[v]))
        if moves(m, m.body_parentid[b]):
            add_shifted(d.articulated.inertia, m.body_parentid[b], i, get3(d.articulated.lever, b))


@kernel(when=is_articulated)
def factor_articulated(m, d):
    """(articulated.*) -> (articulated.force, inverse): of M"""
    put_own_inertia(m, d, 1, m.nbody)
    for v in range(m.nv):
        d.articulated.inverse[v] = d.articulated.armature[v]
    eliminate_dofs(m, d, d.articulated.force, d.articulated.inverse, 1, m.nbody)


@kernel(when=is_articulated)
def factor_articulated_step(m, d):
    """(articulated.*) -> (articulated.step_force, step_inverse): of M + h · damping (+ h² · stiffness), M - h qDeriv"""
    put_own_inertia(m, d, 1, m.nbody)
    h = m.opt.timestep
    for v in range(m.nv):
        diagonal = d.articulated.armature[v]
        if m.opt.integrator == INT_IMPLICITFAST:
            diagonal -= h * d.qDeriv[m.D_rowadr[v] + m.D_diag[v]]
        elif not m.opt.disableflags & DSBL_DAMPER:
            diagonal += h * damping_derivative(m, d, v)
        if m.opt.integrator == INT_SPRINGDAMPER and not m.opt.disableflags & DSBL_SPRING:
            diagonal += h * h * spring_derivative(m, d, v)
        d.articulated.step_inverse[v] = diagonal
    eliminate_dofs(m, d, d.articulated.step_force, d.articulated.step_inverse, 1, m.nbody)


# ---------------------------------------------------------------- products


@inline
def moved_force(f, r):
    """A wrench (torque, force) about a point from which it acts at r."""
    t = cross(r, (f[3], f[4], f[5]))
    return f[0] + t[0], f[1] + t[1], f[2] + t[2], f[3], f[4], f[5]


@inline
def moved_motion(a, r):
    """A motion (angular, linear) of the point at r."""
    c = cross((a[0], a[1], a[2]), r)
    return a[0], a[1], a[2], a[3] + c[0], a[4] + c[1], a[5] + c[2]


@inline
def add_to_parent(m, d, b, f):
    """Add a wrench on a body to that on its parent."""
    p = m.body_parentid[b]
    if moves(m, p):
        f = moved_force(f, get3(d.articulated.lever, b))
        for k in range(6):
            d.articulated.wrench[p, k] += f[k]


@inline
def parent_motion(m, d, b):
    """The motion of a body that is fixed to its parent."""
    p = m.body_parentid[b]
    if not moves(m, p):
        return ZERO6
    return moved_motion(get6(d.articulated.motion, p), get3(d.articulated.lever, b))


@helper
def clear_wrenches(d, first, end):
    """No wrench on some bodies."""
    for b in range(first, end):
        put6(d.articulated.wrench, b, ZERO6)


@inline
def add_force_to(d, b, g, s):
    """Add a wrench, s g, to that on a body."""
    put6(d.articulated.wrench, b, add_scaled6(get6(d.articulated.wrench, b), g, s))


@inline
def add_stiffness_to(d, b, g, h):
    """Add g hᵀ to the inertia of a body."""
    put21(d.articulated.inertia, b, add_product(get21(d.articulated.inertia, b), g, h))


@helper
def put_motions(m, d, x, first, end):
    """articulated.motion of some bodies <- what the dofs' x gives, root to leaves."""
    for b in range(first, end):
        if not moves(m, b):
            continue
        a = parent_motion(m, d, b)
        for v in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            a = add_scaled6(a, get6(d.articulated.axis, v), x[v])
        put6(d.articulated.motion, b, a)


@helper
def project_wrenches(m, d, out, first, end):
    """out <- the wrenches on some bodies, summed over subtrees and projected onto their dofs."""
    for b in range(end - 1, first - 1, -1):
        if not moves(m, b):
            continue
        f = get6(d.articulated.wrench, b)
        for v in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            out[v] = dot6(get6(d.articulated.axis, v), f)
        add_to_parent(m, d, b, f)


@helper
def solve_articulated(m, d, force, inverse, x, first, end):
    """x <- the inverse of what `eliminate_dofs` has factored, times x: of the dofs of some bodies"""
    clear_wrenches(d, first, end)
    for b in range(end - 1, first - 1, -1):
        if not moves(m, b):
            continue
        f = get6(d.articulated.wrench, b)
        for v in range(m.body_dofadr[b] + m.body_dofnum[b] - 1, m.body_dofadr[b] - 1, -1):
            x[v] -= dot6(get6(d.articulated.axis, v), f)
            f = add_scaled6(f, get6(force, v), x[v] * inverse[v])
        add_to_parent(m, d, b, f)
    for b in range(first, end):
        if not moves(m, b):
            continue
        a = parent_motion(m, d, b)
        for v in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            x[v] = inverse[v] * (x[v] - dot6(get6(force, v), a))
            a = add_scaled6(a, get6(d.articulated.axis, v), x[v])
        put6(d.articulated.motion, b, a)


@helper
def mul_articulated(m, d, out, x, first, end):
    """out <- M x: of the dofs of some bodies"""
    put_motions(m, d, x, first, end)
    for b in range(first, end):
        if not moves(m, b):
            continue
        a = get6(d.articulated.motion, b)
        i = get6(d.articulated.rotational, b)
        mass = m.body_mass[b]
        f = (
            i[0] * a[0] + i[1] * a[1] + i[2] * a[2],
            i[1] * a[0] + i[3] * a[1] + i[4] * a[2],
            i[2] * a[0] + i[4] * a[1] + i[5] * a[2],
            mass * a[3],
            mass * a[4],
            mass * a[5],
        )
        put6(d.articulated.wrench, b, f)
    project_wrenches(m, d, out, first, end)
    for b in range(first, end):
        for v in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            out[v] += d.articulated.armature[v] * x[v]
