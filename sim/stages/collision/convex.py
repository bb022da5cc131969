"""Convex geoms against each other, and meshes against planes.

(geom_xpos, geom_xmat, geom_size, mesh) -> (hit). Whether two geoms overlap is asked of gjk.py, how deep of epa.py.
Spheres and capsules are points and lines with a radius: as long as these cores are apart, their distance is enough.
Where flat faces or straight edges lie against each other one hit is not enough: polyhedra get more from
multicontact.py, others by turning both geoms a little, four times. With `nativeccd` disabled portal.py is asked
instead, and all pairs are turned.
"""

from typing import Any

from sim.enums import (
    DSBL_MULTICCD,
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
from sim.stages.collision.contact import frame_of
from sim.stages.collision.epa import deepest
from sim.stages.collision.gjk import FAR, nearest
from sim.stages.collision.hit import both, put_below, put_hit, touchable_types, z_axis
from sim.stages.collision.multicontact import multicontact
from sim.stages.collision.portal import portal_depth
from sim.stages.collision.smooth import smooth_normal
from sim.stages.collision.support import LINE, POINT, by_portal, climb, put_solid, search, vertex_of

TURN = 1e-3  # angle that geoms are turned by to find more hits
DISTINCT = 1e-3  # how far these must be apart, relative to the bounding sphere
MOST_ON_PLANE = 3  # hits of a mesh on a plane
APART_ON_PLANE = 0.3  # and how far others must be from the first, relative to the bounding sphere


def convex_pairs(m: Any) -> bool:
    """Whether a model is likely to need the general routine: a mesh, ellipsoid or cylinder and something else."""
    types = touchable_types(m)
    special = sum(types.count(kind) for kind in (GEOM_MESH, GEOM_ELLIPSOID, GEOM_CYLINDER))
    others = sum(types.count(kind) for kind in (GEOM_SPHERE, GEOM_CAPSULE, GEOM_BOX))
    return special > 1 or (special > 0 and others > 0)


@helper
def add_vertex(m, d, k, g1, g2, vertex, down, margin):
    """Row k: a vertex of a mesh that is within the margin of a plane and not close to the first hit; 1 if it is."""
    local = vertex_of(m, vertex)
    origin, normal = get3(d.geom_xpos, g1), z_axis(d.geom_xmat, g1)
    if dot3(down, local) <= dot3(normal, sub3(get3(d.geom_xpos, g2), origin)) - margin:
        return 0
    point = add3(mat_vec(get9(d.geom_xmat, g2), local), get3(d.geom_xpos, g2))
    if norm3(sub3(point, get3(d.hit.pos, 0))) < APART_ON_PLANE * m.geom_rbound[g2]:
        return 0
    put_below(d, k, dot3(normal, sub3(point, origin)), point, normal)
    return 1


@kernel(when=both(GEOM_PLANE, GEOM_MESH), exact=True)
def plane_convex(m, d, g1: int, g2: int, margin: float) -> int:
    """The lowest vertex, and up to two of its neighbours in the hull."""
    normal = z_axis(d.geom_xmat, g1)
    put_solid(m, d, 0, g2, 0.0)
    r = get9(d.geom_xmat, g2)
    down = mat_vec_t(r, scale3(normal, -1.0))
    if d.solid.climbs[0]:
        point = climb(m, d, 0, down, 0)
    else:
        point = search(m, d, 0, down)
    point = add3(mat_vec(r, point), get3(d.geom_xpos, g2))
    dist = dot3(normal, sub3(point, get3(d.geom_xpos, g1)))
    if dist > margin:
        return 0
    put_below(d, 0, dist, point, normal)
    mesh = m.geom_dataid[g2]
    start, graph = m.mesh_vertadr[mesh], m.mesh_graphadr[mesh]
    n = 1
    if graph < 0:
        for i in range(m.mesh_vertnum[mesh]):
            if n < MOST_ON_PLANE and i != d.solid.vertex[0]:
                n += add_vertex(m, d, n, g1, g2, start + i, down, margin)
        return n
    # MuJoCo takes the number of a small mesh's vertex for its number in the hull, so the neighbours are others
    lowest = d.solid.hint[0] if d.solid.climbs[0] else d.solid.vertex[0]
    count = m.mesh_graph[graph]
    if lowest >= count:
        return n
    e = graph + 2 + 2 * count + m.mesh_graph[graph + 2 + lowest]
    while n < MOST_ON_PLANE and m.mesh_graph[e] >= 0:
        vertex = start + m.mesh_graph[graph + 2 + count + m.mesh_graph[e]]
        n += add_vertex(m, d, n, g1, g2, vertex, down, margin)
        e += 1
    return n


# ---------------------------------------------------------------- two convex geoms


@helper
def put_witness(d, k, row, margin):
    """Row k of the hits: the points in a row of the witnesses."""
    p, q = get3(d.witness.first, row), get3(d.witness.second, row)
    pos = scale3(add3(p, q), 0.5)
    put_hit(d, k, margin + d.witness.dist[row], pos, normalize3(sub3(p, q)), (0.0, 0.0, 0.0))


@inline
def is_ball(kind):
    """Whether a geom touches others in one point only."""
    return kind == GEOM_SPHERE or kind == GEOM_ELLIPSOID


@inline
def is_round(kind):
    """Whether a geom is a point or a line with a radius."""
    return kind == GEOM_SPHERE or kind == GEOM_CAPSULE


@helper
def bare(d, s):
    """Take the radius and the skin of a sphere or capsule away; (kind, skin, what was taken away)."""
    kind, skin = d.solid.kind[s], d.solid.skin[s]
    if not is_round(kind):
        return kind, skin, 0.0
    d.solid.kind[s] = POINT if kind == GEOM_SPHERE else LINE
    d.solid.skin[s] = 0.0
    return kind, skin, d.solid.size[s, 0] + skin


@helper
def shallow(m, d, reach):
    """Distance of two geoms, one of them round, if their cores are apart, into the witnesses; else 0.

    Far if there is more than `reach` between the geoms.
    """
    kind1, skin1, radius1 = bare(d, 0)
    kind2, skin2, radius2 = bare(d, 1)
    dist = nearest(m, d, reach + radius1 + radius2)
    d.solid.kind[0] = kind1
    d.solid.kind[1] = kind2
    d.solid.skin[0] = skin1
    d.solid.skin[1] = skin2
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
    """(whether two geoms overlap, which is then in row 0 of the witnesses; face of the polytope, or -1)"""
    if by_portal(m):
        return portal_depth(m, d) != FAR, -1
    if is_round(d.solid.kind[0]) or is_round(d.solid.kind[1]):
        dist = shallow(m, d, 0.0)
        if dist > m.opt.ccd_tolerance:
            return dist != FAR and d.witness.dist[0] < 0.0, -1
    dist = nearest(m, d, 0.0)
    if dist > m.opt.ccd_tolerance or d.simplex.n < 2:
        return False, -1
    face = deepest(m, d)
    return face >= 0 and d.witness.dist[0] < 0.0, face


@inline
def is_polyhedron(kind):
    return kind == GEOM_BOX or kind == GEOM_MESH


@helper
def turned(d, s, g, turn, origin):
    """Row s of the solids: geom g, turned about a point."""
    pos, r = get3(d.geom_xpos, g), get9(d.geom_xmat, g)
    arm = sub3(origin, pos)
    put3(d.solid.pos, s, sub3(pos, sub3(mat_vec(turn, arm), arm)))
    for k in range(3):
        column = mat_vec(turn, (r[k], r[3 + k], r[6 + k]))
        for i in range(3):
            d.solid.mat[s, 3 * i + k] = column[i]


@inline
def transposed(r):
    return r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]


@helper
def is_distinct(d, n, tolerance):
    """Whether hit n is away from all hits before it."""
    for k in range(n):
        if norm3(sub3(get3(d.hit.pos, k), get3(d.hit.pos, n))) <= tolerance:
            return False
    return True


@helper
def more_by_turning(m, d, g1, g2, margin):
    """Up to four more hits, found by turning both geoms a little about the first one; how many there are then."""
    origin = get3(d.hit.pos, 0)
    frame = frame_of(get3(d.hit.normal, 0), (0.0, 0.0, 0.0))
    tolerance = DISTINCT * min(m.geom_rbound[g1], m.geom_rbound[g2])
    n = 1
    for k in range(4):
        axis = (frame[3], frame[4], frame[5])
        if k >= 2:
            axis = (frame[6], frame[7], frame[8])
        angle = TURN if k & 1 else -TURN
        turn = quat_to_mat(axis_angle_to_quat(axis, angle))
        turned(d, 0, g1, turn, origin)
        turned(d, 1, g2, transposed(turn), origin)
        touch, _ = penetration(m, d)
        if touch:
            put_witness(d, n, 0, margin)
            if by_portal(m):
                smooth_normal(m, d, n, g1, g2)
            if is_distinct(d, n, tolerance):
                d.hit.dist[n] = d.hit.dist[0]
                n += 1
    return n


@kernel(when=convex_pairs, exact=True)
def convex_convex(m, d, g1: int, g2: int, margin: float) -> int:
    """The deepest point; more if flat faces or straight edges lie against each other."""
    put_solid(m, d, 0, g1, margin)
    put_solid(m, d, 1, g2, margin)
    touch, face = penetration(m, d)
    if not touch:
        return 0
    several = not (m.opt.disableflags & DSBL_MULTICCD)
    kind1, kind2 = m.geom_type[g1], m.geom_type[g2]
    n = 1
    by_faces = several and margin <= 0.0 and is_polyhedron(kind1) and is_polyhedron(kind2) and not by_portal(m)
    if by_faces:
        n = multicontact(m, d, face)
    for k in range(n):
        put_witness(d, k, k, margin)
    if by_portal(m):
        smooth_normal(m, d, 0, g1, g2)
    if not several or by_faces or is_ball(kind1) or is_ball(kind2):
        return n
    return more_by_turning(m, d, g1, g2, margin)
