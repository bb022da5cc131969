"""Speculative contacts: of geoms so fast that they could pass through each other within one step.

(geom_xpos, geom_xmat, cdof, qvel) -> (contact, ncon: more of them). Two geoms are fast if a point of one may travel
as far in a step, s = |Δx| + |Δω| r with r the radius of its bounding sphere, as the smallest half-extent of either.
Conservative advancement finds when two geoms meet, t in (0, 1) of the step: from a distance D along the normal n no
point can close faster than b = n·(Δx₁ - Δx₂) + |Δω₁| r₁ + |Δω₂| r₂, so t += (D - target) / b is safe; the target is
2 % of the first distance D₀, above the margin, and 3 % are near enough. After PARTS of a step the rest is extrapolated.
Of parallel faces and edges all points are taken that may still close. What is hidden behind another geom is left out.
The contact is at the points that will meet, as they are now. Its distance is such that the reference acceleration takes
(1 - t) of the closing displacement c away, and the geoms meet at the end of the step. c is that of the points where
they meet, but at least (D₀ - D) / t. The distance is margin - δ with δ = c (1 - t - β) / κ, β = d h B and κ = d² h² K,
d the impedance, K and B those of solref; in the discrete integrator δ = c (1 - t - t (β + κ)) / κ. Velocities are those
at the start of the step.
"""

from sim.enums import (
    DSBL_MULTICCD,
    DSBL_NATIVECCD,
    DSBL_REFSAFE,
    ENBL_SPECULATIVE,
    GEOM_HFIELD,
    GEOM_MESH,
    GEOM_PLANE,
    GEOM_SPHERE,
    MINVAL,
)
from sim.jit import helper, inline, kernel
from sim.math.mat import mul_mat
from sim.math.quat import axis_angle_to_quat, get9, mat_vec, mat_vec_t, put9, quat_to_mat
from sim.math.spatial import add_scaled6, get6
from sim.math.vec import add3, cross, dot3, get3, norm3, put3, scale3, sub3
from sim.stages.collision.contact import add_contacts, swap_contacts
from sim.stages.collision.convex import has_multicontact, shrink_to_core
from sim.stages.collision.filter import (
    effective_margin,
    geom_collides,
    geoms_match,
    related,
    signature,
    unsigned,
)
from sim.stages.collision.gjk import FAR, gjk, start_at_centres
from sim.stages.collision.manifold import put_point
from sim.stages.collision.midphase import is_explicit
from sim.stages.collision.multicontact import multicontact
from sim.stages.collision.support import put_solid, raw_support
from sim.stages.constraint.impedance import (
    DEFAULT_REF,
    MAXIMP,
    MINIMP,
    damping,
    get_solimp,
    get_solref,
    resolved,
    safe_ref,
    stiffness,
)
from sim.stages.constraint.row import is_discrete
from sim.stages.ray.shape import ray_shape
from sim.stages.ray.surface import ray_mesh
from sim.stages.smooth.jacobian import last_dof
from sim.state.capacity import require_contacts

TARGET = 0.02  # clearance above the margin that is aimed at, relative to the first distance
PARTS = 16  # of a step, each with a search
FAR_AWAY = 1e6
SHY = 1e-5  # part of a line of sight at either end that nothing hides


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
    return furthest >= min(thickness(m, g1), thickness(m, g2))


@helper
def point_motion(d, s, x, move):
    """Displacement over a step of the point of solid s that is at x."""
    return add3(move[0], cross(move[1], sub3(x, get3(d.solid.pos, s))))


@helper
def local_point(d, s, x):
    """A point in the frame of solid s."""
    return mat_vec_t(get9(d.solid.mat, s), sub3(x, get3(d.solid.pos, s)))


@helper
def advance_solid(d, s, move, part):
    """Move solid s by a part of a step."""
    put3(d.solid.pos, s, add3(get3(d.solid.pos, s), scale3(move[0], part)))
    speed = norm3(move[1])
    if part * speed >= MINVAL:
        turn = quat_to_mat(axis_angle_to_quat(scale3(move[1], 1.0 / speed), part * speed))
        put9(d.solid.mat, s, mul_mat(turn, get9(d.solid.mat, s)))


# ---------------------------------------------------------------- filters


@helper
def fast_displacement(m, d, g, least):
    """Displacement of a geom over the step, zero if its points travel less than `least`."""
    move = motion(d, g)
    return move[0] if travel(m, g, move) >= least else (0.0, 0.0, 0.0)


@helper
def spheres_meet(m, d, g1, g2, reach):
    """Whether the bounding spheres of two geoms come within reach during the step; the first may be a plane.

    As if slow geoms stood still.
    """
    least = min(thickness(m, g1), thickness(m, g2))
    p = sub3(get3(d.geom_xpos, g2), get3(d.geom_xpos, g1))
    v = sub3(fast_displacement(m, d, g2, least), fast_displacement(m, d, g1, least))
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


# ---------------------------------------------------------------- distance of two solids


@helper
def put_core(m, d, s, g):
    """Row s of the solids: a geom, spheres and capsules without their radius, which is returned."""
    put_solid(m, d, s, g, 0.0)
    _, _, radius = shrink_to_core(d, s)
    return radius


@helper
def plane_distance(m, d, s, radius):
    """(distance, normal from the first to the second) of two solids, s a plane; radius is that of the other one."""
    r, pos = get9(d.solid.mat, s), get3(d.solid.pos, s)
    n = (r[2], r[5], r[8])
    x = raw_support(m, d, 1 - s, scale3(n, -1.0), False)
    for i in range(3):
        d.simplex.v[0, 3 * (2 - s) + i] = x[i]
    d.simplex.n = 1
    d.simplex.index[0, 1 - s] = d.solid.vertex[1 - s]
    x = sub3(x, scale3(n, radius))
    dist = dot3(x, n) - dot3(pos, n)
    foot = sub3(x, scale3(n, dist))
    put3(d.witness.first, 0, foot if s == 0 else x)
    put3(d.witness.second, 0, x if s == 0 else foot)
    return dist, n if s == 0 else scale3(n, -1.0)


@helper
def distance_of_cores(m, d, radius1, radius2, cutoff):
    """(distance, normal from the first to the second) of two solids, from their witness points on; FAR above a cutoff.

    The witness points are then the closest ones, with the radii.
    """
    if d.solid.type[0] == GEOM_PLANE:
        return plane_distance(m, d, 0, radius2)
    if d.solid.type[1] == GEOM_PLANE:
        return plane_distance(m, d, 1, radius1)
    n = (0.0, 0.0, 1.0)
    dist = gjk(m, d, cutoff + radius1 + radius2)
    if dist == FAR:
        return dist, n
    p, q = get3(d.witness.first, 0), get3(d.witness.second, 0)
    length = norm3(sub3(q, p))
    if length > 0.0:
        n = scale3(sub3(q, p), 1.0 / length) if length >= MINVAL else (1.0, 0.0, 0.0)
    put3(d.witness.first, 0, add3(p, scale3(n, radius1)))
    put3(d.witness.second, 0, sub3(q, scale3(n, radius2)))
    return dist - (radius1 + radius2), n


# ---------------------------------------------------------------- line of sight


@helper
def is_between(m, d, g, start, end):
    """Whether a geom is between two points."""
    r, pos = get9(d.geom_xmat, g), get3(d.geom_xpos, g)
    way = sub3(end, start)
    if m.geom_type[g] == GEOM_PLANE:
        n = (r[2], r[5], r[8])
        first = dot3(n, sub3(start, pos))
        last = first + dot3(n, way)
        return first * last <= 0.0 and (abs(first) > SHY or abs(last) > SHY)
    p = mat_vec_t(r, sub3(add3(start, scale3(way, SHY)), pos))
    v = mat_vec_t(r, scale3(way, 1.0 - 2.0 * SHY))
    if m.geom_type[g] == GEOM_MESH:
        x = ray_mesh(m, d, g, -1.0, p[0], p[1], p[2], v[0], v[1], v[2])
    else:
        x = ray_shape(m.geom_type[g], p, v, get3(m.geom_size, g))[0]
    return 0.0 <= x <= 1.0


@helper
def is_apart(m, d, g1, g2, p):
    """Whether two geoms do not touch yet; p is their explicit pair, or npair. Uses the solids."""
    if m.geom_type[g1] == GEOM_PLANE and m.geom_type[g2] == GEOM_PLANE:
        return True
    margin = m.pair_margin[p] if p < m.npair else m.geom_margin[g1] + m.geom_margin[g2]
    most = effective_margin(m, margin) + m.opt.ccd_tolerance
    radius1, radius2 = put_core(m, d, 0, g1), put_core(m, d, 1, g2)
    start_at_centres(d)
    dist, _ = distance_of_cores(m, d, radius1, radius2, most)
    return dist > most


@helper
def is_hidden(m, d, g1, g2, start, end):
    """Whether a third geom that may touch the first is between two points; one that does already hides nothing."""
    half = 0.5 * norm3(sub3(end, start))
    if 2.0 * half < MINVAL:
        return False
    middle = scale3(add3(start, end), 0.5)
    w1, w2 = m.body_weldid[m.geom_bodyid[g1]], m.body_weldid[m.geom_bodyid[g2]]
    for g in range(m.ngeom):
        w = m.body_weldid[m.geom_bodyid[g]]
        if g == g1 or g == g2 or m.geom_type[g] == GEOM_HFIELD or m.geom_type[g] > GEOM_MESH:
            continue
        if w == w1 or (w2 != 0 and w == w2):
            continue
        if m.geom_rbound[g] > 0.0 and norm3(sub3(get3(d.geom_xpos, g), middle)) > half + m.geom_rbound[g]:
            continue
        p = explicit_index(m, g1, g)
        if p == m.npair and not may_collide(m, g1, g):
            continue
        if is_between(m, d, g, start, end) and is_apart(m, d, g1, g, p):
            return True
    return False


# ---------------------------------------------------------------- one pair


@helper
def time_of_impact(m, d, g1, g2, move1, move2, margin):
    """(t, closing displacement, distance, normal) with both solids where they meet; t is -1 if they do not.

    The witness points are theirs there; solid.inflate keeps the radii of cores.
    """
    missed = (-1.0, 0.0, 0.0, (0.0, 0.0, 0.0))
    radius1, radius2 = put_core(m, d, 0, g1), put_core(m, d, 1, g2)
    reach = travel(m, g1, move1) + travel(m, g2, move2)
    start_at_centres(d)
    first, n = distance_of_cores(m, d, radius1, radius2, margin + reach)
    if first <= margin or first - margin > reach:
        return missed
    closing = sub3(move1[0], move2[0])
    spin = reach - norm3(move1[0]) - norm3(move2[0])
    target = margin + TARGET * (first - margin)
    near = max(0.5 * (target - margin), m.opt.ccd_tolerance)
    dist, t = first, 0.0
    for _ in range(PARTS):
        if dist - target <= near:
            break
        bound = dot3(n, closing) + spin
        if bound <= MINVAL:
            return missed
        part = (dist - target) / bound
        t += part
        if t >= 1.0:
            return missed
        x1 = local_point(d, 0, sub3(get3(d.witness.first, 0), scale3(n, radius1)))
        x2 = local_point(d, 1, add3(get3(d.witness.second, 0), scale3(n, radius2)))
        advance_solid(d, 0, move1, part)
        advance_solid(d, 1, move2, part)
        put3(d.witness.first, 0, add3(mat_vec(get9(d.solid.mat, 0), x1), get3(d.solid.pos, 0)))
        put3(d.witness.second, 0, add3(mat_vec(get9(d.solid.mat, 1), x2), get3(d.solid.pos, 1)))
        dist, n = distance_of_cores(m, d, radius1, radius2, margin + reach)
        if dist - margin > (1.0 - t) * reach:
            return missed
    moved1 = point_motion(d, 0, get3(d.witness.first, 0), move1)
    moved2 = point_motion(d, 1, get3(d.witness.second, 0), move2)
    now = dot3(n, sub3(moved1, moved2))
    rest = 0.0
    if dist - target > near:
        if now <= MINVAL or dist - margin > (1.0 - t) * now:
            return missed
        rest = (dist - target) / now
    c = max((first - dist) / max(t, MINVAL), now)
    return t + rest if c > 0.0 else -1.0, c, dist, n


@helper
def effective_distance(m, d, c, t, closing):
    """Distance that makes the solver take 1 - t of the closing displacement of contact c away."""
    h, margin = m.opt.timestep, d.contact.includemargin[c]
    solimp = get_solimp(d.contact.solimp, c)
    imp = solimp[1]
    ref = safe_ref(m, get_solref(d.contact.solref, c), DEFAULT_REF)
    k, b = resolved(m, ref, imp, stiffness(ref, imp), damping(ref, imp))
    beta, kappa = imp * h * b, imp * imp * h * h * k
    if kappa <= MINVAL:
        return margin - max(MINIMP, solimp[2])
    if is_discrete(m) and k < stiffness(ref, imp) and not m.opt.disableflags & DSBL_REFSAFE:
        beta = min(beta, imp * max(0.0, (1.0 - imp) * MAXIMP / ((1.0 - MAXIMP) * imp) - 2.0))
    rest = 1.0 - t - (t * (beta + kappa) if is_discrete(m) else beta)
    return margin - closing * rest / kappa


@helper
def points_at_impact(m, d, g1, g2, t, closing, dist, n):
    """(solid, simplex, witness: row 0) -> (witness): of parallel faces and edges all that close; returns how many."""
    type1, type2 = m.geom_type[g1], m.geom_type[g2]
    d.solid.type[0], d.solid.type[1] = type1, type2
    if type1 != GEOM_PLANE and (m.opt.disableflags & DSBL_MULTICCD or not has_multicontact(type1)):
        return 1
    if not has_multicontact(type2):
        return 1
    reach = 2.0 * max(dist, 0.0) + (1.0 - t) * closing + m.opt.ccd_tolerance
    half = scale3(n, 0.5 * reach)
    d.solid.inflate[0], d.solid.inflate[1] = 0.5 * reach, 0.5 * reach
    put3(d.witness.first, 0, add3(get3(d.witness.first, 0), half))
    put3(d.witness.second, 0, sub3(get3(d.witness.second, 0), half))
    d.witness.dist[0] = dist - reach
    count = multicontact(m, d, -1, reach)
    for k in range(count):
        put3(d.witness.first, k, sub3(get3(d.witness.first, k), half))
        put3(d.witness.second, k, add3(get3(d.witness.second, k), half))
    return count


@helper
def points_now(m, d, g1, g2, move1, move2, count, n, margin):
    """(solid, witness) -> (manifold): the points at the start of the step; returns how many of them are not hidden."""
    s1, s2 = travel(m, g1, move1), travel(m, g2, move2)
    # what hides them is looked for with the solids and their witness points
    for k in range(count):
        put3(d.manifold.pos, k, get3(d.witness.first, k))
        put3(d.manifold.normal, k, get3(d.witness.second, k))
    pos1, mat1, pos2, mat2 = get3(d.solid.pos, 0), get9(d.solid.mat, 0), get3(d.solid.pos, 1), get9(d.solid.mat, 1)
    fast, slow = (g1, g2) if s1 >= s2 else (g2, g1)
    kept = 0
    for k in range(count):
        end1, end2 = get3(d.manifold.pos, k), get3(d.manifold.normal, k)
        x1 = mat_vec(get9(d.geom_xmat, g1), mat_vec_t(mat1, sub3(end1, pos1)))
        x2 = mat_vec(get9(d.geom_xmat, g2), mat_vec_t(mat2, sub3(end2, pos2)))
        x1, x2 = add3(x1, get3(d.geom_xpos, g1)), add3(x2, get3(d.geom_xpos, g2))
        if is_hidden(m, d, g1, g2, x1, end1) or is_hidden(m, d, g2, g1, x2, end2):
            continue
        if is_hidden(m, d, fast, slow, end1, end2):
            continue
        pos = add3(scale3(x1, s1 / (s1 + s2)), scale3(x2, s2 / (s1 + s2)))
        # any distance below the margin: that of the contact comes later
        put_point(d, kept, margin - 1.0, pos, n, (0.0, 0.0, 0.0))
        kept += 1
    return kept


@helper
def drop_contacts(d, g1, g2, ncon):
    """Remove contacts of two geoms that are in their gap; returns how many contacts are left."""
    for c in range(ncon - 1, -1, -1):
        if d.contact.geom[c, 0] == g1 and d.contact.geom[c, 1] == g2:
            for k in range(c, ncon - 1):
                swap_contacts(d, k, k + 1)
            ncon -= 1
    return ncon


@helper
def speculate(m, d, g1, g2, p, margin, reach, ncon):
    """Contacts of two geoms that will meet, instead of others; returns how many contacts there would be in all."""
    if m.geom_type[g1] > m.geom_type[g2]:
        g1, g2 = g2, g1
    if m.geom_type[g1] == GEOM_HFIELD or m.geom_type[g2] > GEOM_MESH or m.geom_type[g2] <= GEOM_HFIELD:
        return ncon
    move1, move2 = motion(d, g1), motion(d, g2)
    if not are_fast(m, d, g1, g2):
        return ncon
    if not spheres_meet(m, d, g1, g2, reach) or touches_already(d, g1, g2, d.ncon):
        return ncon
    t, closing, dist, n = time_of_impact(m, d, g1, g2, move1, move2, margin)
    if t < 0.0:
        return ncon
    npoint = points_at_impact(m, d, g1, g2, t, closing, dist, n)
    npoint = points_now(m, d, g1, g2, move1, move2, npoint, n, margin)
    if npoint > 0 and ncon <= len(d.contact.dist):
        ncon = drop_contacts(d, g1, g2, ncon)
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
def thinnest(m, b):
    """Smallest thickness of the geoms of a body."""
    least = FAR_AWAY
    for g in range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b]):
        least = min(least, thickness(m, g))
    return least


@helper
def farthest_travel(m, d, b):
    """How far a point of a body's geoms may go."""
    most = 0.0
    for g in range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b]):
        most = max(most, travel(m, g, motion(d, g)))
    return most


@helper
def bodies_are_fast(m, d, b1, b2):
    """Whether a point of two bodies may go as far as their thinnest geom is thick: then MuJoCo visits geom by geom."""
    return max(farthest_travel(m, d, b1), farthest_travel(m, d, b2)) >= min(thinnest(m, b1), thinnest(m, b2))


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
    if p != q or p < m.npair or not bodies_are_fast(m, d, m.geom_bodyid[i1], m.geom_bodyid[i2]):
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
    if m.opt.disableflags & DSBL_NATIVECCD:
        return
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
