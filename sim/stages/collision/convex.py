"""General convex collision by GJK and EPA (or MPR), with multiple contacts; meshes against planes.

(geom_xpos, geom_xmat, geom_size, mesh) -> (manifold). GJK finds the distance or tests for overlap, EPA finds the
penetration depth. Spheres and capsules are points and segments with a radius, and a margin inflates any geom: while
these cores are separated, the GJK distance of the cores is enough. Where faces or edges are parallel, one contact point
is not enough: more come from multicontact.py. With `nativeccd` disabled, MPR replaces GJK and EPA, and more points come
from rotating both geoms slightly, four times.
"""

from sim.enums import (
    DSBL_MULTICCD,
    ENBL_SPECULATIVE,
    GEOM_BOX,
    GEOM_CAPSULE,
    GEOM_CYLINDER,
    GEOM_ELLIPSOID,
    GEOM_MESH,
    GEOM_PLANE,
    GEOM_SPHERE,
)
from sim.jit import helper, inline, kernel
from sim.math.quat import axis_angle_to_quat, get9, mat_vec, mat_vec_t, quat_to_mat
from sim.math.vec import add3, dot3, get3, norm3, normalize3, put3, scale3, sub3
from sim.stages.collision.analytic_normal import analytic_normal
from sim.stages.collision.clip import MAX_CONTACTS, fits, largest_quad
from sim.stages.collision.contact import frame_of
from sim.stages.collision.epa import after, epa
from sim.stages.collision.gjk import FAR, gjk, start_at_centres
from sim.stages.collision.manifold import both, of_types, put_below, put_point, z_axis
from sim.stages.collision.mpr import mpr
from sim.stages.collision.multicontact import multicontact
from sim.stages.collision.support import (
    POINT,
    SEGMENT,
    exhaustive_search,
    hill_climb,
    hill_climb_start,
    put_solid,
    uses_mpr,
    vertex_of,
)

ANGLE = 1e-3  # rotation of both geoms in the search for more points
DISTINCT = 1e-3  # minimum distance between points, relative to the bounding sphere


@of_types
def convex_pairs(types: list[int]) -> bool:
    """Whether a model is likely to need the general algorithm: a mesh, ellipsoid or cylinder and another geom."""
    special = sum(types.count(geom_type) for geom_type in (GEOM_MESH, GEOM_ELLIPSOID, GEOM_CYLINDER))
    others = sum(types.count(geom_type) for geom_type in (GEOM_SPHERE, GEOM_CAPSULE, GEOM_BOX))
    return special > 1 or (special > 0 and others > 0)


@helper
def lowest_polygon(m, mesh, vertex, down):
    """The polygon around a vertex of a mesh whose normal is nearest to a direction, or -1."""
    v = m.mesh_vertadr[mesh] + vertex
    best, most = -1, -FAR
    for i in range(m.mesh_polymapadr[v], m.mesh_polymapadr[v] + m.mesh_polymapnum[v]):
        polygon = m.mesh_polyadr[mesh] + m.mesh_polymap[i]
        x = dot3(down, get3(m.mesh_polynormal, polygon))
        if x > most:
            best, most = polygon, x
    return best


@helper
def put_polygon(m, d, mesh, polygon, vertex):
    """facet.polygon: vertices of a polygon of a mesh in its frame, from one of them on; returns how many."""
    start, first, n = m.mesh_vertadr[mesh], m.mesh_polyvertadr[polygon], m.mesh_polyvertnum[polygon]
    if not fits(d, n):
        return 0
    k = 0
    for i in range(n):
        if m.mesh_polyvert[first + i] == vertex:
            k = i
    for i in range(n):
        put3(d.facet.polygon, i, vertex_of(m, start + m.mesh_polyvert[first + k]))
        k = after(k, n)
    return n


@kernel(when=both(GEOM_PLANE, GEOM_MESH), exact=True)
def plane_convex(m, d, g1: int, g2: int, margin: float) -> int:
    """The lowest vertex, and those of its lowest polygon that are below the centre.

    Of more than four vertices those are taken that span the largest area.
    """
    origin, normal = get3(d.geom_xpos, g1), z_axis(d.geom_xmat, g1)
    put_solid(m, d, 0, g2, 0.0)
    pos, r = get3(d.geom_xpos, g2), get9(d.geom_xmat, g2)
    down = mat_vec_t(r, scale3(normal, -1.0))
    if d.solid.hill_climbs[0]:
        point = hill_climb(m, d, 0, down, hill_climb_start(m, d, 0, down))
    else:
        point = exhaustive_search(m, d, 0, down)
    point = add3(mat_vec(r, point), pos)
    dist = dot3(normal, sub3(point, origin))
    if dist > margin:
        return 0
    put_below(d, 0, dist, point, normal)
    mesh = m.geom_dataid[g2]
    polygon = lowest_polygon(m, mesh, d.solid.vertex[0], down)
    if polygon < 0:
        return 1
    corners = put_polygon(m, d, mesh, polygon, d.solid.vertex[0])
    best = (0, 1, 2, 3)
    if corners > MAX_CONTACTS:
        best = largest_quad(d, 0, corners, 1)
    n = 1
    for k in range(1, min(corners, MAX_CONTACTS)):
        local = get3(d.facet.polygon, best[k])
        point = add3(mat_vec(r, local), pos)
        dist = dot3(normal, sub3(point, origin))
        if dist <= margin and dot3(down, local) >= 0.0:
            put_below(d, n, dist, point, normal)
            n += 1
    return n


# ---------------------------------------------------------------- two convex geoms


@helper
def put_witness(d, k, row, margin):
    """Row k of the manifold, from a row of the witness points."""
    p, q = get3(d.witness.first, row), get3(d.witness.second, row)
    pos = scale3(add3(p, q), 0.5)
    put_point(d, k, margin + d.witness.dist[row], pos, normalize3(sub3(p, q)), (0.0, 0.0, 0.0))


@inline
def is_strictly_convex(geom_type):
    """Whether the surface is strictly convex, so that there is only one contact point."""
    return geom_type == GEOM_SPHERE or geom_type == GEOM_ELLIPSOID


@inline
def is_sphere_swept(geom_type):
    """Whether a geom is sphere-swept: a point or segment with a radius."""
    return geom_type == GEOM_SPHERE or geom_type == GEOM_CAPSULE


@helper
def shrink_to_core(d, s):
    """Reduce a geom to its core, without inflation, a sphere to a point and a capsule to a segment.

    Returns (type, inflation, total radius removed).
    """
    geom_type, inflate = d.solid.type[s], d.solid.inflate[s]
    d.solid.inflate[s] = 0.0
    if not is_sphere_swept(geom_type):
        return geom_type, inflate, inflate
    d.solid.type[s] = POINT if geom_type == GEOM_SPHERE else SEGMENT
    return geom_type, inflate, d.solid.size[s, 0] + inflate


@helper
def core_distance(m, d, reach):
    """Distance between the cores of two geoms, one of them sphere-swept, with witness points; 0 if the cores overlap.

    FAR if the geoms are farther than `reach` apart.
    """
    type1, inflate1, radius1 = shrink_to_core(d, 0)
    type2, inflate2, radius2 = shrink_to_core(d, 1)
    start_at_centres(d)
    dist = gjk(m, d, reach + radius1 + radius2)
    d.solid.type[0] = type1
    d.solid.type[1] = type2
    d.solid.inflate[0] = inflate1
    d.solid.inflate[1] = inflate2
    if dist <= m.opt.ccd_tolerance or dist == FAR:
        return dist
    p, q = get3(d.witness.first, 0), get3(d.witness.second, 0)
    n = normalize3(sub3(q, p))
    put3(d.witness.first, 0, add3(p, scale3(n, radius1)))
    put3(d.witness.second, 0, sub3(q, scale3(n, radius2)))
    d.witness.dist[0] = dist - (radius1 + radius2)
    return dist


@helper
def penetration(m, d):
    """(whether two geoms overlap, with witness points in row 0; face of the polytope, or -1)"""
    if uses_mpr(m):
        return mpr(m, d) != FAR, -1
    if is_sphere_swept(d.solid.type[0]) or is_sphere_swept(d.solid.type[1]) or d.solid.inflate[1] > 0.0:
        dist = core_distance(m, d, 0.0)
        if dist > m.opt.ccd_tolerance:
            return dist != FAR and d.witness.dist[0] < 0.0, -1
    start_at_centres(d)
    dist = gjk(m, d, 0.0)
    if dist > m.opt.ccd_tolerance or d.simplex.n < 2 or d.simplex.apart:
        return False, -1
    face = epa(m, d)
    return face >= 0 and d.witness.dist[0] < 0.0, face


@inline
def has_multicontact(geom_type):
    if geom_type == GEOM_CAPSULE or geom_type == GEOM_CYLINDER:
        return True
    return geom_type == GEOM_BOX or geom_type == GEOM_MESH


@helper
def put_rotated(d, s, g, rotation, origin):
    """Row s of solid.*: geom g, rotated about a point."""
    pos, r = get3(d.geom_xpos, g), get9(d.geom_xmat, g)
    arm = sub3(origin, pos)
    put3(d.solid.pos, s, sub3(pos, sub3(mat_vec(rotation, arm), arm)))
    for k in range(3):
        column = mat_vec(rotation, (r[k], r[3 + k], r[6 + k]))
        for i in range(3):
            d.solid.mat[s, 3 * i + k] = column[i]


@inline
def transposed(r):
    return r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]


@helper
def is_distinct(d, n, tolerance):
    """Whether point n is farther than the tolerance from all points before it."""
    for k in range(n):
        if norm3(sub3(get3(d.manifold.pos, k), get3(d.manifold.pos, n))) <= tolerance:
            return False
    return True


@helper
def points_by_rotation(m, d, g1, g2, margin):
    """Up to four more points, by rotating both geoms slightly about the first point; returns the total number."""
    origin = get3(d.manifold.pos, 0)
    frame = frame_of(get3(d.manifold.normal, 0), (0.0, 0.0, 0.0))
    tolerance = DISTINCT * min(m.geom_rbound[g1], m.geom_rbound[g2])
    n = 1
    for k in range(4):
        axis = (frame[3], frame[4], frame[5])
        if k >= 2:
            axis = (frame[6], frame[7], frame[8])
        angle = ANGLE if k & 1 else -ANGLE
        rotation = quat_to_mat(axis_angle_to_quat(axis, angle))
        put_rotated(d, 0, g1, rotation, origin)
        put_rotated(d, 1, g2, transposed(rotation), origin)
        touch, _ = penetration(m, d)
        if touch:
            put_witness(d, n, 0, margin)
            if uses_mpr(m):
                analytic_normal(m, d, n, g1, g2)
            if is_distinct(d, n, tolerance):
                d.manifold.dist[n] = d.manifold.dist[0]
                n += 1
    return n


@kernel(when=lambda m: convex_pairs(m) or bool(m.opt.enableflags & ENBL_SPECULATIVE), exact=True)
def convex_convex(m, d, g1: int, g2: int, margin: float) -> int:
    """The deepest point; more if faces or edges are parallel."""
    put_solid(m, d, 0, g1, margin)
    put_solid(m, d, 1, g2, margin)
    touch, face = penetration(m, d)
    if not touch:
        return 0
    multiccd = not (m.opt.disableflags & DSBL_MULTICCD)
    type1, type2 = m.geom_type[g1], m.geom_type[g2]
    n = 1
    by_faces = multiccd and has_multicontact(type1) and has_multicontact(type2) and not uses_mpr(m)
    if by_faces:
        n = multicontact(m, d, face, margin)
    for k in range(n):
        put_witness(d, k, k, margin)
    if uses_mpr(m):
        analytic_normal(m, d, 0, g1, g2)
    if not multiccd or not uses_mpr(m) or is_strictly_convex(type1) or is_strictly_convex(type2):
        return n
    return points_by_rotation(m, d, g1, g2, margin)
