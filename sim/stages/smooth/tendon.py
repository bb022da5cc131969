"""Tendons: lengths, moment arms, velocities and paths.

Fixed: length = Σ coef · qpos. Spatial: a path of segments through sites and around geoms; length = Σ |segment| /
divisor of the last pulley. A segment from point p on one body to point q on another, in direction u, lengthens at
the rate u·(q̇ - ṗ), so the moment arm of a dof is the generalized force of u at q and -u at p; common ancestors of both
bodies have none. tendon: (qpos, site_xpos, geom_x*, cdof, subtree_com) -> (ten_length, ten_J, ten_wrap*, wrap_*);
tendon_velocity: (ten_J, qvel) -> (ten_velocity = ten_J · qvel).
"""

from sim.enums import DSBL_DAMPER, DSBL_SPRING, INT_RK4, MINVAL, WRAP_CYLINDER, WRAP_JOINT, WRAP_PULLEY, WRAP_SITE
from sim.jit import helper, inline, kernel
from sim.math.quat import get9
from sim.math.spatial import dot6, get6
from sim.math.vec import add3, cross, dot3, get3, norm3, scale3, sub3
from sim.stages.sleep.awake import tendon_sleeps
from sim.stages.smooth.jacobian import last_dof, point_velocity
from sim.stages.smooth.reflected_inertia import reflected_armature, reflected_damping
from sim.stages.smooth.wrapping import wrap
from sim.state.plastic import tendon_rest

# values of wrap_obj besides geoms
AT_SITE, AT_PULLEY = -1, -2

ZERO = (0.0, 0.0, 0.0)


@inline
def wrench_of(m, d, b, point, force):
    """Wrench of a force at a point, about the centre of mass of body b's tree."""
    t = cross(sub3(point, get3(d.subtree_com, m.body_rootid[b])), force)
    return t[0], t[1], t[2], force[0], force[1], force[2]


@helper
def add_segment(m, d, b, p, c, q, scale):
    """Length of a straight segment from p on body b to q on body c; adds its moment arms, scaled, to tendon_arm."""
    span = sub3(q, p)
    length = norm3(span)
    if b == c:
        return length
    u = scale3(span, scale / length) if length >= MINVAL else (scale, 0.0, 0.0)
    at_p, at_q = wrench_of(m, d, b, p, u), wrench_of(m, d, c, q, u)
    # up both chains until they meet; parents have smaller indices
    v, w = last_dof(m, b), last_dof(m, c)
    while v != w:
        if w > v:
            d.tendon_arm[w] += dot6(get6(d.cdof, w), at_q)
            w = m.dof_parentid[w]
        else:
            d.tendon_arm[v] -= dot6(get6(d.cdof, v), at_p)
            v = m.dof_parentid[v]
    return length


@inline
def put_path_point(d, k, obj, point):
    """Write point k of all paths."""
    i, j = k >> 1, k & 1
    d.wrap_obj[i, j] = obj
    d.wrap_xpos[i, 3 * j] = point[0]
    d.wrap_xpos[i, 3 * j + 1] = point[1]
    d.wrap_xpos[i, 3 * j + 2] = point[2]


@inline
def side_site(m, w):
    """The side site of a wrapping geom, or -1."""
    return int(m.wrap_prm[w] + 0.5) if m.wrap_prm[w] >= 0.0 else -1


@helper
def spatial_segment(m, d, w, wraps, scale, k):
    """(length, points) of the path from the site at w to the next one, around the geom in between if `wraps`."""
    s0 = m.wrap_objid[w]
    s1 = m.wrap_objid[w + 2 if wraps else w + 1]
    b0, b1 = m.site_bodyid[s0], m.site_bodyid[s1]
    x0, x1 = get3(d.site_xpos, s0), get3(d.site_xpos, s1)
    put_path_point(d, k, AT_SITE, x0)
    if wraps:
        g = m.wrap_objid[w + 1]
        b = m.geom_bodyid[g]
        s = side_site(m, w + 1)
        side = get3(d.site_xpos, s) if s >= 0 else ZERO
        cylinder = m.wrap_type[w + 1] == WRAP_CYLINDER
        pos, mat, radius = get3(d.geom_xpos, g), get9(d.geom_xmat, g), m.geom_size[g, 0]
        arc, first, last = wrap(x0, x1, s >= 0, side, pos, mat, radius, cylinder)
        if arc >= 0.0:
            put_path_point(d, k + 1, g, first)
            put_path_point(d, k + 2, g, last)
            length = add_segment(m, d, b0, x0, b, first, scale) + arc + add_segment(m, d, b, last, b1, x1, scale)
            return length, 3
    return add_segment(m, d, b0, x0, b1, x1, scale), 1


@kernel(when=lambda m: bool((m.wrap_type >= WRAP_SITE).any()))
def spatial_tendon(m, d, t: int, start: int) -> int:
    """(site_xpos, geom_x*, ...) -> (ten_length[t], tendon_arm, its path from point `start` on); number of points"""
    length, scale = 0.0, 1.0
    k = start
    w = m.tendon_adr[t]
    end = w + m.tendon_num[t] - 1
    while w < end:
        if m.wrap_type[w] == WRAP_PULLEY:
            scale = 1.0 / m.wrap_prm[w]
            put_path_point(d, k, AT_PULLEY, ZERO)
            k += 1
            w += 1
        elif m.wrap_type[w + 1] == WRAP_PULLEY:
            w += 1
        else:
            wraps = m.wrap_type[w + 1] != WRAP_SITE
            segment, points = spatial_segment(m, d, w, wraps, scale, k)
            length += segment * scale
            k += points
            w += 2 if wraps else 1
            # the last site before a pulley or the end
            if w == end or m.wrap_type[w + 1] == WRAP_PULLEY:
                put_path_point(d, k, AT_SITE, get3(d.site_xpos, m.wrap_objid[w]))
                k += 1
    d.ten_length[t] = length
    return k - start


@helper
def fixed_tendon(m, d, t):
    """ten_length[t] and tendon_arm of a linear combination of joint positions."""
    length = 0.0
    for w in range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t]):
        j = m.wrap_objid[w]
        length += m.wrap_prm[w] * d.qpos[m.jnt_qposadr[j]]
        d.tendon_arm[m.jnt_dofadr[j]] += m.wrap_prm[w]
    d.ten_length[t] = length


@kernel(when=lambda m: m.ntendon > 0)
def tendon(m, d):
    """(qpos, site_xpos, geom_x*, cdof, subtree_com) -> (ten_length, ten_J, ten_wrap*, wrap_*)"""
    k = 0
    for t in range(m.ntendon):
        row, n = m.ten_J_rowadr[t], m.ten_J_rownnz[t]
        if tendon_sleeps(m, d, t) and d.ten_wrapadr[t] == k:
            k += d.ten_wrapnum[t]
            continue
        for i in range(row, row + n):
            d.tendon_arm[m.ten_J_colind[i]] = 0.0
        points = 0
        if m.wrap_type[m.tendon_adr[t]] == WRAP_JOINT:
            fixed_tendon(m, d, t)
        else:
            points = spatial_tendon(m, d, t, k)
        for i in range(row, row + n):
            d.ten_J[i] = d.tendon_arm[m.ten_J_colind[i]]
        d.ten_wrapadr[t] = k
        d.ten_wrapnum[t] = points
        k += points


@kernel(when=lambda m: m.ntendon > 0)
def tendon_velocity(m, d):
    """(ten_J, qvel) -> (ten_velocity)"""
    for t in range(m.ntendon):
        row = m.ten_J_rowadr[t]
        speed = 0.0
        for i in range(row, row + m.ten_J_rownnz[t]):
            speed += d.ten_J[i] * d.qvel[m.ten_J_colind[i]]
        d.ten_velocity[t] = speed


@kernel(when=lambda m: m.nplastic > 0 and m.opt.integrator == INT_RK4)
def save_tendons(m, d):
    """(ten_length, ten_J) -> (start_ten_*)"""
    for t in range(m.ntendon):
        d.start_ten_length[t] = d.ten_length[t]
    for i in range(m.nJten):
        d.start_ten_J[i] = d.ten_J[i]


@kernel(when=lambda m: m.nplastic > 0 and m.opt.integrator == INT_RK4)
def restore_tendons(m, d):
    """(start_ten_*) -> (ten_length, ten_J)"""
    for t in range(m.ntendon):
        d.ten_length[t] = d.start_ten_length[t]
    for i in range(m.nJten):
        d.ten_J[i] = d.start_ten_J[i]


@inline
def add_tendon_force(m, d, out, t, force):
    """out += ten_Jᵀ force, for awake dofs"""
    row = m.ten_J_rowadr[t]
    for i in range(row, row + m.ten_J_rownnz[t]):
        v = m.ten_J_colind[i]
        if d.tree_awake[m.dof_treeid[v]]:
            out[v] += d.ten_J[i] * force


# ---------------------------------------------------------------- springs and inertia


@inline
def tendon_displacement(m, d, t):
    """Displacement of the tendon's spring: length beyond its resting range; negative if it is too short."""
    length = d.ten_length[t]
    low, high = tendon_rest(m, d, t)
    return length - high if length > high else min(0.0, length - low)


@inline
def tendon_spring_force(m, d, t):
    """Force of a tendon's spring along the tendon; positive forces lengthen it."""
    if m.opt.disableflags & DSBL_SPRING:
        return 0.0
    x = tendon_displacement(m, d, t)
    return -(m.tendon_stiffness[t] + x * (m.tendon_stiffnesspoly[t, 0] + x * m.tendon_stiffnesspoly[t, 1])) * x


@inline
def tendon_damper_force(m, d, t):
    """Force of a tendon's damper along the tendon, with what its actuators add."""
    if m.opt.disableflags & DSBL_DAMPER:
        return 0.0
    v = abs(d.ten_velocity[t])
    reflected, p0, p1 = reflected_damping(m, True, t)
    b = m.tendon_damping[t] + reflected
    b += v * (m.tendon_dampingpoly[t, 0] + p0 + v * (m.tendon_dampingpoly[t, 1] + p1))
    return -b * d.ten_velocity[t]


@inline
def tendon_inertia(m, t):
    """Armature of a tendon, including what its actuators add."""
    return m.tendon_armature[t] + reflected_armature(m, True, t)


@inline
def tendons_have_inertia(m):
    """At least one tendon may have inertia."""
    found = False
    for t in range(m.ntendon):
        found = found or m.tendon_armature[t] != 0.0 or m.tendon_actuatorid[t] != -1
    return found


# ---------------------------------------------------------------- accelerations


@inline
def point_acceleration(m, d, acc, b, point):
    """Linear acceleration of a point of body b; acc[b] is that of the body about its tree's centre of mass."""
    a = get6(acc, b)
    w, v = point_velocity(m, d, b, point)
    lever = sub3(point, get3(d.subtree_com, m.body_rootid[b]))
    return add3(add3((a[3], a[4], a[5]), cross((a[0], a[1], a[2]), lever)), cross(w, v))


@helper
def segment_acceleration(m, d, acc, s0, s1):
    """Second derivative of the distance between two sites: u·(q̈ - p̈) + u̇·(q̇ - ṗ)."""
    b, c = m.site_bodyid[s0], m.site_bodyid[s1]
    if b == c:
        return 0.0
    p, q = get3(d.site_xpos, s0), get3(d.site_xpos, s1)
    span = sub3(q, p)
    length = norm3(span)
    u = scale3(span, 1.0 / length) if length >= MINVAL else (1.0, 0.0, 0.0)
    velocity = sub3(point_velocity(m, d, c, q)[1], point_velocity(m, d, b, p)[1])
    along = dot3(u, velocity)
    centripetal = (dot3(velocity, velocity) - along * along) / length if length > MINVAL else 0.0
    return dot3(u, sub3(point_acceleration(m, d, acc, c, q), point_acceleration(m, d, acc, b, p))) + centripetal


@helper
def tendon_acceleration(m, d, t, acc):
    """Second derivative of a tendon's length at body accelerations acc. Tendons with inertia cannot wrap geoms."""
    total, scale = 0.0, 1.0
    first = m.tendon_adr[t]
    for w in range(first, first + m.tendon_num[t] - 1):
        if m.wrap_type[w] == WRAP_PULLEY:
            scale = 1.0 / m.wrap_prm[w]
        elif m.wrap_type[w] == WRAP_SITE and m.wrap_type[w + 1] == WRAP_SITE:
            total += scale * segment_acceleration(m, d, acc, m.wrap_objid[w], m.wrap_objid[w + 1])
    return total
