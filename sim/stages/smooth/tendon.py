"""Tendons: lengths, moment arms, velocities, and the paths they take.

Fixed: length = Σ coef · qpos. Spatial: a path through sites and around geoms, in pieces; length = Σ |piece| /
divisor of the pulley before it. A piece from point p on one body to point q on another, in direction u, gets
longer with u·(q̇ - ṗ), so the moment arm of a dof is what a pull of u at q and of -u at p gives it; dofs above both
bodies move both points and have none. tendon: (qpos, site_xpos, geom_x*, cdof, subtree_com) -> (ten_length,
ten_J, ten_wrap*, wrap_*); tendon_velocity: (ten_J, qvel) -> (ten_velocity = ten_J · qvel).
"""

from sim.enums import MINVAL, WRAP_CYLINDER, WRAP_JOINT, WRAP_PULLEY, WRAP_SITE
from sim.jit import helper, inline, kernel
from sim.math.quat import get9
from sim.math.spatial import dot6, get6
from sim.math.vec import add3, cross, dot3, get3, norm3, scale3, sub3
from sim.stages.sleep.awake import tendon_sleeps
from sim.stages.smooth.jacobian import last_dof, point_velocity
from sim.stages.smooth.reflected_inertia import reflected_armature
from sim.stages.smooth.wrapping import wrap

# what wrap_obj holds besides geoms
AT_SITE, AT_PULLEY = -1, -2

NOWHERE = (0.0, 0.0, 0.0)


@inline
def pull_at(m, d, b, point, force):
    """A force at a point, as seen from the centre of mass of body b's tree."""
    t = cross(sub3(point, get3(d.subtree_com, m.body_rootid[b])), force)
    return t[0], t[1], t[2], force[0], force[1], force[2]


@helper
def add_piece(m, d, b, p, c, q, share):
    """Length of a straight piece from p on body b to q on body c; adds to tendon_arm, times share."""
    way = sub3(q, p)
    length = norm3(way)
    if b == c:
        return length
    u = scale3(way, share / length) if length >= MINVAL else (share, 0.0, 0.0)
    at_p, at_q = pull_at(m, d, b, p, u), pull_at(m, d, c, q, u)
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
def note_point(d, k, what, point):
    """Point k of all paths."""
    i, j = k >> 1, k & 1
    d.wrap_obj[i, j] = what
    d.wrap_xpos[i, 3 * j] = point[0]
    d.wrap_xpos[i, 3 * j + 1] = point[1]
    d.wrap_xpos[i, 3 * j + 2] = point[2]


@inline
def side_site(m, w):
    """The side site of a geom in a path, or -1."""
    return int(m.wrap_prm[w] + 0.5) if m.wrap_prm[w] >= 0.0 else -1


@helper
def spatial_piece(m, d, w, wraps, share, k):
    """(length, points) of the path from the site at w to the next one, around the geom between if it wraps."""
    s0 = m.wrap_objid[w]
    s1 = m.wrap_objid[w + 2 if wraps else w + 1]
    b0, b1 = m.site_bodyid[s0], m.site_bodyid[s1]
    x0, x1 = get3(d.site_xpos, s0), get3(d.site_xpos, s1)
    note_point(d, k, AT_SITE, x0)
    if wraps:
        g = m.wrap_objid[w + 1]
        b = m.geom_bodyid[g]
        s = side_site(m, w + 1)
        side = get3(d.site_xpos, s) if s >= 0 else NOWHERE
        cylinder = m.wrap_type[w + 1] == WRAP_CYLINDER
        pos, mat, radius = get3(d.geom_xpos, g), get9(d.geom_xmat, g), m.geom_size[g, 0]
        on, first, last = wrap(x0, x1, s >= 0, side, pos, mat, radius, cylinder)
        if on >= 0.0:
            note_point(d, k + 1, g, first)
            note_point(d, k + 2, g, last)
            length = add_piece(m, d, b0, x0, b, first, share) + on + add_piece(m, d, b, last, b1, x1, share)
            return length, 3
    return add_piece(m, d, b0, x0, b1, x1, share), 1


@kernel(when=lambda m: bool((m.wrap_type >= WRAP_SITE).any()))
def spatial_tendon(m, d, t: int, start: int) -> int:
    """(site_xpos, geom_x*, ...) -> (ten_length[t], tendon_arm, its path from point `start` on); returns points"""
    length, share = 0.0, 1.0
    k = start
    w = m.tendon_adr[t]
    end = w + m.tendon_num[t] - 1
    while w < end:
        if m.wrap_type[w] == WRAP_PULLEY:
            share = 1.0 / m.wrap_prm[w]
            note_point(d, k, AT_PULLEY, NOWHERE)
            k += 1
            w += 1
        elif m.wrap_type[w + 1] == WRAP_PULLEY:
            w += 1
        else:
            wraps = m.wrap_type[w + 1] != WRAP_SITE
            piece, points = spatial_piece(m, d, w, wraps, share, k)
            length += piece * share
            k += points
            w += 2 if wraps else 1
            # the last site before a pulley or the end
            if w == end or m.wrap_type[w + 1] == WRAP_PULLEY:
                note_point(d, k, AT_SITE, get3(d.site_xpos, m.wrap_objid[w]))
                k += 1
    d.ten_length[t] = length
    return k - start


@helper
def fixed_tendon(m, d, t):
    """ten_length[t] and tendon_arm of a weighted sum of coordinates."""
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


@inline
def add_tendon_force(m, d, out, t, force):
    """out += ten_Jᵀ force"""
    row = m.ten_J_rowadr[t]
    for i in range(row, row + m.ten_J_rownnz[t]):
        out[m.ten_J_colind[i]] += d.ten_J[i] * force


# ---------------------------------------------------------------- springs and inertia


@inline
def beyond_rest(m, d, t):
    """How far a tendon is longer than its longest resting length, or shorter (negative) than its shortest."""
    length = d.ten_length[t]
    if length > m.tendon_lengthspring[t, 1]:
        return length - m.tendon_lengthspring[t, 1]
    return min(0.0, length - m.tendon_lengthspring[t, 0])


@inline
def tendon_inertia(m, t):
    """Inertia along a tendon: its own, and what its actuators add."""
    return m.tendon_armature[t] + reflected_armature(m, True, t)


@inline
def tendons_have_inertia(m):
    """Some tendon may have inertia."""
    some = False
    for t in range(m.ntendon):
        some = some or m.tendon_armature[t] != 0.0 or m.tendon_actuatorid[t] != -1
    return some


# ---------------------------------------------------------------- accelerations


@inline
def point_acceleration(m, d, acc, b, point):
    """Acceleration of a point of body b, whose tree's centre of mass accelerates by acc[b]."""
    a = get6(acc, b)
    w, moving = point_velocity(m, d, b, point)
    lever = sub3(point, get3(d.subtree_com, m.body_rootid[b]))
    return add3(add3((a[3], a[4], a[5]), cross((a[0], a[1], a[2]), lever)), cross(w, moving))


@helper
def piece_acceleration(m, d, acc, s0, s1):
    """Second derivative of the distance between two sites: u·(q̈ - p̈) + u̇·(q̇ - ṗ)."""
    b, c = m.site_bodyid[s0], m.site_bodyid[s1]
    if b == c:
        return 0.0
    p, q = get3(d.site_xpos, s0), get3(d.site_xpos, s1)
    way = sub3(q, p)
    length = norm3(way)
    u = scale3(way, 1.0 / length) if length >= MINVAL else (1.0, 0.0, 0.0)
    moving = sub3(point_velocity(m, d, c, q)[1], point_velocity(m, d, b, p)[1])
    along = dot3(u, moving)
    turning = (dot3(moving, moving) - along * along) / length if length > MINVAL else 0.0
    return dot3(u, sub3(point_acceleration(m, d, acc, c, q), point_acceleration(m, d, acc, b, p))) + turning


@helper
def tendon_acceleration(m, d, t, acc):
    """Second derivative of a tendon's length, bodies accelerating by acc. Paths with inertia go through sites only."""
    total, share = 0.0, 1.0
    first = m.tendon_adr[t]
    for w in range(first, first + m.tendon_num[t] - 1):
        if m.wrap_type[w] == WRAP_PULLEY:
            share = 1.0 / m.wrap_prm[w]
        elif m.wrap_type[w] == WRAP_SITE and m.wrap_type[w + 1] == WRAP_SITE:
            total += share * piece_acceleration(m, d, acc, m.wrap_objid[w], m.wrap_objid[w + 1])
    return total
