"""Speculative contacts: of geoms so fast that they could pass through each other within one step.

(geom_xpos, geom_xmat, cdof, qvel) -> (contact, ncon: more of them). Two geoms are fast if a point of one may travel
further in a step, |Δx| + |Δω| r with r the radius of its bounding sphere, than the smallest half-extent of either.
Conservative advancement finds when two geoms meet, t in (0, 1) of the step: from a distance D along the normal n no
point can close faster than b = n·(Δx₁ - Δx₂) + |Δω₁| r₁ + |Δω₂| r₂, so t += (D - target) / b is safe; the target is
2 % of the first distance D₀, above the margin, and 3 % are near enough. What is hidden behind another geom is left out.
The contact is at the points that will meet, as they are now. Its distance is such that the reference acceleration takes
(1 - t) of the closing displacement c away, and the geoms meet at the end of the step. c is that of the points where
they meet, but at least (D₀ - D) / t. The distance is margin - δ with δ = c (1 - t - β) / κ, β = d h B and κ = d² h² K,
d the impedance, K and B those of solref; in the discrete integrator δ = c (1 - t - t (β + κ)) / κ. Velocities are those
at the start of the step.
"""

from sim.enums import (
    DSBL_NATIVECCD,
    ENBL_SPECULATIVE,
    GEOM_CAPSULE,
    GEOM_CYLINDER,
    GEOM_HFIELD,
    GEOM_MESH,
    GEOM_PLANE,
    GEOM_SPHERE,
    MINVAL,
)
from sim.jit import helper, inline, kernel
from sim.math.mat import mul_mat
from sim.math.quat import axis_angle_to_quat, get9, mat_vec_t, quat_to_mat
from sim.math.spatial import add_scaled6, get6
from sim.math.vec import add3, cross, dot3, get3, norm3, put3, scale3, sub3
from sim.stages.collision.contact import add_contacts, swap_contacts
from sim.stages.collision.convex import convex_convex
from sim.stages.collision.distance import by_formula, by_search, has_formula
from sim.stages.collision.driver import narrowphase
from sim.stages.collision.filter import (
    effective_margin,
    geom_collides,
    geoms_match,
    is_fixed,
    related,
    signature,
    unsigned,
)
from sim.stages.collision.midphase import is_explicit
from sim.stages.constraint.impedance import DEFAULT_REF, damping, get_solimp, get_solref, resolved, safe_ref, stiffness
from sim.stages.constraint.row import is_discrete
from sim.stages.ray.shape import is_inside, ray_shape
from sim.stages.ray.surface import ray_mesh
from sim.stages.smooth.jacobian import last_dof
from sim.stages.smooth.kinematics import put_geom
from sim.state.capacity import require_contacts

TARGET, NEAR = 0.02, 0.03  # clearance above the margin: aimed at, and near enough, relative to the first distance
NEAR_END = 0.1  # the far end of a long geom touches a plane below this clearance, relative to the first distance
MOST_STEPS = 50
FAR_AWAY = 1e6


# ---------------------------------------------------------------- motion


@inline
def motion(d, g):
    """(displacement, rotation) of a geom over the step."""
    return get3(d.swept.move, g), get3(d.swept.turn, g)


@helper
def set_motion(m, d, g):
    """(cdof, qvel, geom_xpos) -> (swept.*): displacement and rotation of a geom over the step, at the velocities now"""
    b = m.geom_bodyid[g]
    a = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    v = last_dof(m, b)
    while v >= 0:
        a = add_scaled6(a, get6(d.cdof, v), d.qvel[v])
        v = m.dof_parentid[v]
    w = (a[0], a[1], a[2])
    lever = sub3(get3(d.geom_xpos, g), get3(d.subtree_com, m.body_rootid[b]))
    h = m.opt.timestep
    # a sphere that rotates stays the same
    turn = 0.0 if m.geom_type[g] == GEOM_SPHERE else h
    put3(d.swept.move, g, scale3(add3((a[3], a[4], a[5]), cross(w, lever)), h))
    put3(d.swept.turn, g, scale3(w, turn))


@inline
def travel(m, g, move):
    """How far a point of a geom may go."""
    return norm3(move[0]) + norm3(move[1]) * m.geom_rbound[g]


@inline
def thickness(m, g):
    """Smallest half-extent of a geom; a plane is thick."""
    if m.geom_type[g] == GEOM_PLANE:
        return FAR_AWAY
    return min(m.geom_aabb[g, 3], min(m.geom_aabb[g, 4], m.geom_aabb[g, 5]))


@inline
def are_fast(m, d, g1, g2):
    """Whether two geoms may pass through each other within the step."""
    furthest = max(travel(m, g1, motion(d, g1)), travel(m, g2, motion(d, g2)))
    return furthest > min(thickness(m, g1), thickness(m, g2))


@inline
def turned(move, t):
    """Rotation matrix of the part t of a step."""
    angle = norm3(move[1])
    if angle < MINVAL:
        return 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
    return quat_to_mat(axis_angle_to_quat(scale3(move[1], 1.0 / angle), t * angle))


@inline
def advance_geom(d, g, pos, mat, move, t):
    """Move a geom by the part t of a step."""
    put_geom(d, g, add3(pos, scale3(move[0], t)), mul_mat(turned(move, t), mat))


@inline
def point_motion(d, g, x, move):
    """Displacement over a step of the point of a geom that is at x."""
    return add3(move[0], cross(move[1], sub3(x, get3(d.geom_xpos, g))))


@inline
def point_before(x, pos, move, t):
    """Where a point of a geom that is at x at the part t of a step is at its start."""
    return add3(pos, mat_vec_t(turned(move, t), sub3(sub3(x, pos), scale3(move[0], t))))


# ---------------------------------------------------------------- filters


@helper
def spheres_meet(m, d, g1, g2, move1, move2, reach):
    """Whether the bounding spheres of two geoms come within reach during the step; the first may be a plane."""
    p, v = sub3(get3(d.geom_xpos, g2), get3(d.geom_xpos, g1)), sub3(move2[0], move1[0])
    if m.geom_type[g1] == GEOM_PLANE:
        n = (d.geom_xmat[g1, 2], d.geom_xmat[g1, 5], d.geom_xmat[g1, 8])
        height = dot3(n, p)
        return min(height, height + dot3(n, v)) <= m.geom_rbound[g2] + reach
    square = dot3(v, v)
    t = min(1.0, max(0.0, -dot3(p, v) / square)) if square > MINVAL else 0.0
    apart = add3(p, scale3(v, t))
    return norm3(apart) <= m.geom_rbound[g1] + m.geom_rbound[g2] + reach


@helper
def may_collide(m, g1, g2):
    """Whether two geoms that no explicit pair names may touch."""
    b1, b2 = m.geom_bodyid[g1], m.geom_bodyid[g2]
    if b1 == b2 or not geoms_match(m, g1, g2) or related(m, b1, b2) or is_explicit(m, g1, g2, 0, m.npair):
        return False
    sig = signature(min(b1, b2), max(b1, b2))
    excluded = False
    for i in range(m.nexclude):
        excluded = excluded or unsigned(m.exclude_signature[i]) == sig
    return not excluded


@helper
def touches_already(d, g1, g2, ncon):
    """Whether two geoms have an active contact."""
    for c in range(ncon):
        if d.contact.exclude[c] == 0 and d.contact.geom[c, 0] == g1 and d.contact.geom[c, 1] == g2:
            return True
    return False


@inline
def moves_with(m, g, other):
    """Whether two geoms belong to one body that moves."""
    return m.geom_bodyid[g] == m.geom_bodyid[other] and not is_fixed(m, m.geom_bodyid[g])


@helper
def is_hidden(m, d, g1, g2, start, end):
    """Whether another geom that may touch both is between two points."""
    direction = sub3(end, start)
    for g in range(m.ngeom):
        if g == g1 or g == g2 or not geom_collides(m, g) or m.geom_type[g] == GEOM_HFIELD or m.geom_type[g] > GEOM_MESH:
            continue
        if moves_with(m, g, g1) or moves_with(m, g, g2) or not geoms_match(m, g, g1) or not geoms_match(m, g, g2):
            continue
        r = get9(d.geom_xmat, g)
        p, v = mat_vec_t(r, sub3(start, get3(d.geom_xpos, g))), mat_vec_t(r, direction)
        if m.geom_type[g] == GEOM_MESH:
            x = ray_mesh(m, d, g, -1.0, p[0], p[1], p[2], v[0], v[1], v[2])
        else:
            x = ray_shape(m.geom_type[g], p, v, get3(m.geom_size, g))[0]
            # one that touches already hides nothing
            if is_inside(m.geom_type[g], get3(m.geom_size, g), p):
                x = -1.0
        if 0.0 <= x < 1.0:
            return True
    return False


# ---------------------------------------------------------------- one pair


@helper
def closest(m, d, g1, g2):
    """(distance, normal from the first to the second) of two geoms that do not overlap, where they are put."""
    if m.opt.disableflags & DSBL_NATIVECCD or has_formula(m.geom_type[g1], m.geom_type[g2]):
        dist = by_formula(m, d, g1, g2, FAR_AWAY)
    else:
        dist = by_search(m, d, g1, g2, FAR_AWAY)
    n = sub3(get3(d.segment.end, 1), get3(d.segment.end, 0))
    return dist, scale3(n, 1.0 / max(MINVAL, norm3(n)))


@helper
def time_of_impact(m, d, g1, g2, move1, move2, margin):
    """(t, first distance, closing displacement) with both geoms put where they meet; t is -1 if they do not."""
    pos1, mat1, pos2, mat2 = get3(d.geom_xpos, g1), get9(d.geom_xmat, g1), get3(d.geom_xpos, g2), get9(d.geom_xmat, g2)
    first, normal = closest(m, d, g1, g2)
    dist, t = first, 0.0
    target = margin + TARGET * (first - margin)
    spin = norm3(move1[1]) * m.geom_rbound[g1] + norm3(move2[1]) * m.geom_rbound[g2]
    closing = sub3(move1[0], move2[0])
    near = margin + NEAR * (first - margin)
    for _ in range(MOST_STEPS):
        bound = dot3(normal, closing) + spin
        if first <= margin or bound <= 0.0 or t >= 1.0:
            return -1.0, first, 0.0
        if dist <= near:
            x1, x2 = get3(d.segment.end, 0), get3(d.segment.end, 1)
            moved = sub3(point_motion(d, g1, x1, move1), point_motion(d, g2, x2, move2))
            c = max((first - dist) / t, dot3(normal, moved))
            # they must touch before the step ends
            return t if t + (dist - margin) / c <= 1.0 else -1.0, first, c
        t += (dist - target) / bound
        advance_geom(d, g1, pos1, mat1, move1, t)
        advance_geom(d, g2, pos2, mat2, move2, t)
        dist, normal = closest(m, d, g1, g2)
    return -1.0, first, 0.0


@helper
def effective_distance(m, d, c, t, closing):
    """Distance that makes the solver take 1 - t of the closing displacement of contact c away."""
    h, margin = m.opt.timestep, d.contact.includemargin[c]
    imp = get_solimp(d.contact.solimp, c)[1]
    ref = safe_ref(m, get_solref(d.contact.solref, c), DEFAULT_REF)
    k, b = resolved(m, ref, imp, stiffness(ref, imp), damping(ref, imp))
    beta, kappa = imp * h * b, imp * imp * h * h * k
    if kappa < MINVAL:
        return margin
    rest = 1.0 - t - (t * (beta + kappa) if is_discrete(m) else beta)
    return margin - closing * rest / kappa


@helper
def points_now(m, d, g1, g2, pos1, pos2, move1, move2, t, npoint, margin):
    """Points of the manifold where they are at the start of the step; returns how many of them are not hidden."""
    s1, s2 = travel(m, g1, move1), travel(m, g2, move2)
    kept = 0
    for k in range(npoint):
        half = scale3(get3(d.manifold.normal, k), 0.5 * d.manifold.dist[k])
        pos = get3(d.manifold.pos, k)
        x1 = point_before(sub3(pos, half), pos1, move1, t)
        x2 = point_before(add3(pos, half), pos2, move2, t)
        if is_hidden(m, d, g1, g2, x1, x2):
            continue
        # any distance below the margin: that of the contact comes later
        d.manifold.dist[kept] = margin - 1.0
        put3(d.manifold.pos, kept, add3(scale3(x1, s1 / (s1 + s2)), scale3(x2, s2 / (s1 + s2))))
        put3(d.manifold.normal, kept, get3(d.manifold.normal, k))
        put3(d.manifold.tangent, kept, get3(d.manifold.tangent, k))
        kept += 1
    return kept


@helper
def manifold_at_impact(m, d, g1, g2, margin, first):
    """Contact manifold where two geoms meet, of all that is nearer than they were at first; returns its size."""
    type1, type2 = m.geom_type[g1], m.geom_type[g2]
    long = type1 == GEOM_PLANE and (type2 == GEOM_CAPSULE or type2 == GEOM_CYLINDER)
    reach = margin + (NEAR_END if long else 1.0) * (first - margin)
    # boxes too as any convex geoms
    if type1 > GEOM_SPHERE and type2 > GEOM_CAPSULE and not m.opt.disableflags & DSBL_NATIVECCD:
        return convex_convex(m, d, g1, g2, reach)
    return narrowphase(m, d, g1, g2, reach)


@helper
def speculate(m, d, g1, g2, p, margin, reach, ncon):
    """Contacts of two geoms that will meet, from row ncon on; returns how many there would be in all."""
    if m.geom_type[g1] > m.geom_type[g2]:
        g1, g2 = g2, g1
    if m.geom_type[g1] == GEOM_HFIELD or m.geom_type[g2] > GEOM_MESH or m.geom_type[g2] <= GEOM_HFIELD:
        return ncon
    move1, move2 = motion(d, g1), motion(d, g2)
    if not are_fast(m, d, g1, g2):
        return ncon
    if not spheres_meet(m, d, g1, g2, move1, move2, reach) or touches_already(d, g1, g2, d.ncon):
        return ncon
    pos1, mat1, pos2, mat2 = get3(d.geom_xpos, g1), get9(d.geom_xmat, g1), get3(d.geom_xpos, g2), get9(d.geom_xmat, g2)
    t, first, closing = time_of_impact(m, d, g1, g2, move1, move2, margin)
    npoint = manifold_at_impact(m, d, g1, g2, margin, first) if t > 0.0 else 0
    put_geom(d, g1, pos1, mat1)
    put_geom(d, g2, pos2, mat2)
    npoint = points_now(m, d, g1, g2, pos1, pos2, move1, move2, t, npoint, margin)
    total = add_contacts(m, d, g1, g2, p, margin, npoint, ncon)
    for c in range(ncon, min(total, len(d.contact.dist))):
        d.contact.dist[c] = effective_distance(m, d, c, t, closing)
    return total


# ---------------------------------------------------------------- order


@helper
def explicit_index(m, g1, g2):
    """Index of the explicit pair of two geoms, or npair."""
    for p in range(m.npair):
        if is_explicit(m, g1, g2, p, p + 1):
            return p
    return m.npair


@helper
def has_fast_pair(m, d, b1, b2):
    """Whether a geom of one body may pass through one of the other."""
    found = False
    for g1 in range(m.body_geomadr[b1], m.body_geomadr[b1] + m.body_geomnum[b1]):
        for g2 in range(m.body_geomadr[b2], m.body_geomadr[b2] + m.body_geomnum[b2]):
            found = found or are_fast(m, d, g1, g2)
    return found


@helper
def comes_before(m, d, i, j):
    """Whether contact i comes before contact j: by bodies, explicit pairs first; of fast bodies by geoms."""
    i1, i2, j1, j2 = d.contact.geom[i, 0], d.contact.geom[i, 1], d.contact.geom[j, 0], d.contact.geom[j, 1]
    if m.geom_bodyid[i1] > m.geom_bodyid[i2]:
        i1, i2 = i2, i1
    if m.geom_bodyid[j1] > m.geom_bodyid[j2]:
        j1, j2 = j2, j1
    sig = signature(m.geom_bodyid[i1], m.geom_bodyid[i2])
    other = signature(m.geom_bodyid[j1], m.geom_bodyid[j2])
    if sig != other:
        return sig < other
    p, q = explicit_index(m, i1, i2), explicit_index(m, j1, j2)
    if p != q or p < m.npair or not has_fast_pair(m, d, m.geom_bodyid[i1], m.geom_bodyid[i2]):
        return p < q
    return i1 < j1 or (i1 == j1 and i2 < j2)


@helper
def sort_contacts(m, d, ncon):
    """Insertion sort: nearly all contacts are in their places."""
    for i in range(1, ncon):
        k = i
        while k > 0 and comes_before(m, d, k, k - 1):
            swap_contacts(d, k, k - 1)
            k -= 1


@kernel(when=lambda m: bool(m.opt.enableflags & ENBL_SPECULATIVE), exact=True)
def speculative_contacts(m, d):
    """(geom_xpos, geom_xmat, cdof, qvel) -> (contact, ncon): adds the contacts of the step to come"""
    ncon = d.ncon
    for g in range(m.ngeom):
        set_motion(m, d, g)
    for g1 in range(m.ngeom):
        if not geom_collides(m, g1):
            continue
        for g2 in range(g1 + 1, m.ngeom):
            if are_fast(m, d, g1, g2) and may_collide(m, g1, g2):
                margin = effective_margin(m, m.geom_margin[g1] + m.geom_margin[g2])
                ncon = speculate(m, d, g1, g2, -1, margin, margin + m.geom_gap[g1] + m.geom_gap[g2], ncon)
    for p in range(m.npair):
        margin = effective_margin(m, m.pair_margin[p])
        ncon = speculate(m, d, m.pair_geom1[p], m.pair_geom2[p], p, margin, margin + m.pair_gap[p], ncon)
    if ncon > len(d.contact.dist):
        require_contacts(d, ncon)
        return
    sort_contacts(m, d, ncon)
    d.ncon = ncon
