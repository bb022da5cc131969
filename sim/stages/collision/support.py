"""Support mappings: the point of a convex geom that is farthest in a direction.

(solid) -> (solid.vertex, solid.hint). The two geoms of a pair are copied into the rows of `solid`, so that they can
be moved, shrunk and inflated. Support points of boxes and meshes carry the index of their vertex. Large meshes are
searched by hill climbing along the edges of their hull, from the better of the last support vertex and the extreme
vertex of the nearest of 27 directions.
"""

from math import sqrt

from sim.enums import (
    DSBL_NATIVECCD,
    GEOM_BOX,
    GEOM_CAPSULE,
    GEOM_CYLINDER,
    GEOM_ELLIPSOID,
    GEOM_HFIELD,
    GEOM_MESH,
    GEOM_SPHERE,
    MINVAL,
)
from sim.jit import helper, inline
from sim.math.quat import get9, mat_vec, mat_vec_t, put9
from sim.math.vec import add3, dot3, get3, put3, scale3

POINT, SEGMENT = 100, 101  # cores of spheres and capsules
FEW = 10  # meshes with fewer vertices are searched exhaustively
TILTED = 0.4  # threshold for the sign of a component of a direction


@inline
def uses_mpr(m):
    """Whether penetration is found by MPR instead of GJK and EPA."""
    return m.opt.disableflags & DSBL_NATIVECCD != 0


@helper
def put_solid(m, d, s, g, margin):
    """Row s: a geom at its pose, inflated by half the margin."""
    put3(d.solid.pos, s, get3(d.geom_xpos, g))
    put9(d.solid.mat, s, get9(d.geom_xmat, g))
    put3(d.solid.size, s, get3(m.geom_size, g))
    mesh = m.geom_dataid[g]
    d.solid.type[s] = m.geom_type[g]
    d.solid.mesh[s] = mesh
    d.solid.inflate[s] = 0.5 * margin
    d.solid.vertex[s] = -1
    d.solid.hint[s] = -1
    d.solid.hill_climbs[s] = 0
    if m.geom_type[g] == GEOM_MESH and m.mesh_graphadr[mesh] >= 0 and m.mesh_vertnum[mesh] >= FEW:
        d.solid.hill_climbs[s] = 1


@inline
def vertex_of(m, i):
    """Vertex of a mesh."""
    return m.mesh_vert[i, 0], m.mesh_vert[i, 1], m.mesh_vert[i, 2]


@inline
def exhaustive_search(m, d, s, u):
    """Support vertex of a mesh among all vertices; ties go to the last support vertex."""
    mesh = d.solid.mesh[s]
    start = m.mesh_vertadr[mesh]
    best = d.solid.vertex[s] if d.solid.vertex[s] >= 0 else 0
    most = dot3(u, vertex_of(m, start + best))
    for i in range(m.mesh_vertnum[mesh]):
        x = dot3(u, vertex_of(m, start + i))
        if x > most:
            most, best = x, i
    d.solid.vertex[s] = best
    return vertex_of(m, start + best)


@inline
def direction_bin(x):
    """Sign of a component of a direction as 0, 1 or 2."""
    return 2 if x > TILTED else (0 if x < -TILTED else 1)


@inline
def hill_climb(m, d, s, u, best):
    """Support vertex of a mesh by hill climbing along the edges of the hull, from a hull vertex."""
    mesh = d.solid.mesh[s]
    start, graph = m.mesh_vertadr[mesh], m.mesh_graphadr[mesh]
    # mesh_graph: edge addresses and mesh indices of the hull's vertices, then the edge lists
    n = m.mesh_graph[graph]
    ids, edges = graph + 2 + n, graph + 2 + 2 * n
    most = dot3(u, vertex_of(m, start + m.mesh_graph[ids + best]))
    before = -1
    while best != before:
        before = best
        e = edges + m.mesh_graph[graph + 2 + before]
        while m.mesh_graph[e] >= 0:
            neighbour = m.mesh_graph[e]
            x = dot3(u, vertex_of(m, start + m.mesh_graph[ids + neighbour]))
            if x > most:
                most, best = x, neighbour
            e += 1
    d.solid.hint[s] = best
    d.solid.vertex[s] = m.mesh_graph[ids + best]
    return vertex_of(m, start + m.mesh_graph[ids + best])


@inline
def hill_climb_start(m, d, s, u):
    """Start of hill climbing: the last support vertex or the extreme vertex of the nearest of 27 directions."""
    mesh, last = d.solid.mesh[s], d.solid.hint[s]
    extreme = m.mesh_extrema[mesh, 9 * direction_bin(u[0]) + 3 * direction_bin(u[1]) + direction_bin(u[2])]
    if last < 0:
        return extreme
    start, graph = m.mesh_vertadr[mesh], m.mesh_graphadr[mesh]
    ids = graph + 2 + m.mesh_graph[graph]
    x = dot3(u, vertex_of(m, start + m.mesh_graph[ids + last]))
    return extreme if dot3(u, vertex_of(m, start + m.mesh_graph[ids + extreme])) > x else last


@helper
def prism_support(d, u):
    """Support vertex of a height field prism: on top if the direction points up."""
    first = 0 if u[2] < 0.0 else 3
    best, most = first, dot3(get3(d.prism.vertex, first), u)
    for i in range(first + 1, first + 3):
        x = dot3(get3(d.prism.vertex, i), u)
        if x > most:
            most, best = x, i
    return get3(d.prism.vertex, best)


@inline
def ellipsoid_support(u, size):
    """Support of an ellipsoid in its frame."""
    t = (u[0] * size[0], u[1] * size[1], u[2] * size[2])
    n = sqrt(dot3(t, t))
    if n < MINVAL:
        return size[0], 0.0, 0.0
    n = 1.0 / n
    return t[0] * (n * size[0]), t[1] * (n * size[1]), t[2] * (n * size[2])


@inline
def end_towards(x, size):
    """The end of [-size, size] that x points to; 0 if x is 0."""
    return size if x > 0.0 else (-size if x < 0.0 else 0.0)


@inline
def mpr_ellipsoid_support(u, size):
    """The same for MPR, whose last portal depends on how support points are rounded."""
    t = (u[0] * size[0], u[1] * size[1], u[2] * size[2])
    n = sqrt(dot3(t, t))
    if n < MINVAL:
        return size[0], 0.0, 0.0
    n = 1.0 / n
    return t[0] * n * size[0], t[1] * n * size[1], t[2] * n * size[2]


@inline
def cylinder_support(u, size):
    """Support of a cylinder in its frame."""
    n = u[0] * u[0] + u[1] * u[1]
    z = size[1] if u[2] >= 0.0 else -size[1]
    if n > MINVAL * MINVAL:
        n = size[0] / sqrt(n)
        return u[0] * n, u[1] * n, z
    return 0.0, 0.0, z


@inline
def mpr_cylinder_support(u, size):
    """The same for MPR."""
    n = sqrt(u[0] * u[0] + u[1] * u[1])
    z = end_towards(u[2], size[1])
    if n > MINVAL:
        return u[0] / n * size[0], u[1] / n * size[0], z
    return 0.0, 0.0, z


@inline
def box_support(u, size):
    """Support of a box in its frame."""
    return (
        size[0] if u[0] >= 0.0 else -size[0],
        size[1] if u[1] >= 0.0 else -size[1],
        size[2] if u[2] >= 0.0 else -size[2],
    )


@inline
def mpr_box_support(u, size):
    """The same for MPR."""
    return end_towards(u[0], size[0]), end_towards(u[1], size[1]), end_towards(u[2], size[2])


@helper
def raw_support(m, d, s, direction, inflated):
    """Support point of geom s in a unit direction, without inflation; for MPR with it, if `inflated`."""
    geom_type = d.solid.type[s]
    pos = get3(d.solid.pos, s)
    if geom_type == POINT:
        return pos
    if geom_type == GEOM_HFIELD:
        p = prism_support(d, direction)
        return add3(p, scale3(direction, d.solid.inflate[s])) if uses_mpr(m) and inflated else p
    size = get3(d.solid.size, s)
    if geom_type == GEOM_SPHERE and not uses_mpr(m):
        return add3(scale3(direction, size[0]), pos)
    r = get9(d.solid.mat, s)
    u = mat_vec_t(r, direction)
    if geom_type == GEOM_MESH:
        # faces make ties; before nativeccd these went to the last support vertex, or to the first vertex
        if d.solid.hill_climbs[s]:
            p = hill_climb(m, d, s, u, max(0, d.solid.hint[s]) if uses_mpr(m) else hill_climb_start(m, d, s, u))
        else:
            if uses_mpr(m):
                d.solid.vertex[s] = 0
            p = exhaustive_search(m, d, s, u)
    elif geom_type == GEOM_BOX:
        p = mpr_box_support(u, size) if uses_mpr(m) else box_support(u, size)
        d.solid.vertex[s] = (1 if p[0] > 0.0 else 0) + (2 if p[1] > 0.0 else 0) + (4 if p[2] > 0.0 else 0)
    elif geom_type == GEOM_CYLINDER:
        p = mpr_cylinder_support(u, size) if uses_mpr(m) else cylinder_support(u, size)
        d.solid.vertex[s] = 0 if u[2] >= 0.0 else 1
    elif geom_type == GEOM_SPHERE:
        p = scale3(u, size[0])
    elif geom_type == GEOM_ELLIPSOID:
        p = mpr_ellipsoid_support(u, size) if uses_mpr(m) else ellipsoid_support(u, size)
    else:
        # a capsule, or its segment
        radius = size[0] if geom_type == GEOM_CAPSULE else 0.0
        length = size[1] if u[2] >= 0.0 else -size[1]
        d.solid.vertex[s] = 0 if u[2] >= 0.0 else 1
        if uses_mpr(m):
            length = end_towards(u[2], size[1])
        p = (u[0] * radius, u[1] * radius, u[2] * radius + length)
    if uses_mpr(m) and inflated:
        # MPR inflates in the local frame
        p = add3(p, scale3(u, d.solid.inflate[s]))
    return add3(mat_vec(r, p), pos)


@helper
def support(m, d, s, direction):
    """Support point of geom s in a unit direction."""
    p = raw_support(m, d, s, direction, d.solid.inflate[s] > 0.0)
    if d.solid.inflate[s] > 0.0 and not uses_mpr(m):
        return add3(p, scale3(direction, d.solid.inflate[s]))
    return p


@helper
def put_support(m, d, v, index, k, direction):
    """Row k of some vertices: support point of the Minkowski difference, and the points and vertices it comes from."""
    p = support(m, d, 0, direction)
    q = support(m, d, 1, scale3(direction, -1.0))
    x = (p[0] - q[0], p[1] - q[1], p[2] - q[2])
    for i in range(3):
        v[k, i] = x[i]
        v[k, 3 + i] = p[i]
        v[k, 6 + i] = q[i]
    index[k, 0] = d.solid.vertex[0]
    index[k, 1] = d.solid.vertex[1]
    return x


@inline
def is_polyhedral(geom_type):
    return geom_type == GEOM_MESH or geom_type == GEOM_BOX or geom_type == GEOM_HFIELD


@inline
def both_polyhedral(d):
    """Whether both geoms are polyhedra: then the algorithms end after finitely many iterations, without a tolerance."""
    if d.solid.inflate[0] != 0.0 or d.solid.inflate[1] != 0.0:
        return False
    return is_polyhedral(d.solid.type[0]) and is_polyhedral(d.solid.type[1])
