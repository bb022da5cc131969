"""Support points: the point of a convex geom that is farthest in a direction.

(solid) -> (solid.vertex, solid.hint). The two geoms of a pair are copied into the rows of `solid`, so that they can
be moved, shrunk and inflated. Vertices of boxes and meshes have numbers, by which convex collision knows them again.
Large meshes are searched by climbing along the edges of their hull, from the better of the last support point and
the extreme vertex of the nearest of 27 directions.
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

POINT, LINE = 100, 101  # spheres and capsules without their radius
FEW = 10  # vertices up to which a mesh is searched exhaustively
TILTED = 0.4  # component of a direction beyond which it counts


@inline
def by_portal(m):
    """Whether the depth is found by portal.py."""
    return m.opt.disableflags & DSBL_NATIVECCD != 0


@helper
def put_solid(m, d, s, g, skin):
    """Row s: a geom where it is, inflated."""
    put3(d.solid.pos, s, get3(d.geom_xpos, g))
    put9(d.solid.mat, s, get9(d.geom_xmat, g))
    put3(d.solid.size, s, get3(m.geom_size, g))
    mesh = m.geom_dataid[g]
    d.solid.kind[s] = m.geom_type[g]
    d.solid.mesh[s] = mesh
    d.solid.skin[s] = 0.5 * skin
    d.solid.vertex[s] = -1
    d.solid.hint[s] = -1
    d.solid.climbs[s] = 0
    if m.geom_type[g] == GEOM_MESH and m.mesh_graphadr[mesh] >= 0 and m.mesh_vertnum[mesh] >= FEW:
        d.solid.climbs[s] = 1


@inline
def vertex_of(m, i):
    """Vertex of a mesh."""
    return m.mesh_vert[i, 0], m.mesh_vert[i, 1], m.mesh_vert[i, 2]


@inline
def search(m, d, s, u):
    """The farthest vertex of a mesh, all being tried, beginning with the last one."""
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
def third(x):
    """Which of three ranges a component of a direction is in."""
    return 2 if x > TILTED else (0 if x < -TILTED else 1)


@inline
def climb(m, d, s, u, best):
    """The farthest vertex of a mesh, found from neighbour to neighbour, beginning with one of the hull."""
    mesh = d.solid.mesh[s]
    start, graph = m.mesh_vertadr[mesh], m.mesh_graphadr[mesh]
    # the hull: where the edges of its vertices begin, their numbers in the mesh, the edges
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
def outset(m, d, s, u):
    """Where to begin: at the last support point, or at the extreme vertex of the nearest of 27 directions."""
    mesh, last = d.solid.mesh[s], d.solid.hint[s]
    extreme = m.mesh_extrema[mesh, 9 * third(u[0]) + 3 * third(u[1]) + third(u[2])]
    if last < 0:
        return extreme
    start, graph = m.mesh_vertadr[mesh], m.mesh_graphadr[mesh]
    ids = graph + 2 + m.mesh_graph[graph]
    x = dot3(u, vertex_of(m, start + m.mesh_graph[ids + last]))
    return extreme if dot3(u, vertex_of(m, start + m.mesh_graph[ids + extreme])) > x else last


@helper
def prism_support(d, u):
    """The farthest corner of a prism of a height field: on top if the direction goes up."""
    first = 0 if u[2] < 0.0 else 3
    best, most = first, dot3(get3(d.prism.corner, first), u)
    for i in range(first + 1, first + 3):
        x = dot3(get3(d.prism.corner, i), u)
        if x > most:
            most, best = x, i
    return get3(d.prism.corner, best)


@inline
def stretched(u, size):
    """Support of an ellipsoid in its frame."""
    t = (u[0] * size[0], u[1] * size[1], u[2] * size[2])
    n = sqrt(dot3(t, t))
    if n < MINVAL:
        return size[0], 0.0, 0.0
    n = 1.0 / n
    return t[0] * (n * size[0]), t[1] * (n * size[1]), t[2] * (n * size[2])


@inline
def ahead(x, size):
    """The end of an interval that a direction points to, or its middle."""
    return size if x > 0.0 else (-size if x < 0.0 else 0.0)


@inline
def old_stretched(u, size):
    """The same as portal.py needs it: its last triangle depends on how the support points are rounded."""
    t = (u[0] * size[0], u[1] * size[1], u[2] * size[2])
    n = sqrt(dot3(t, t))
    if n < MINVAL:
        return size[0], 0.0, 0.0
    n = 1.0 / n
    return t[0] * n * size[0], t[1] * n * size[1], t[2] * n * size[2]


@inline
def disc(u, size):
    """Support of a cylinder in its frame."""
    n = u[0] * u[0] + u[1] * u[1]
    z = size[1] if u[2] >= 0.0 else -size[1]
    if n > MINVAL * MINVAL:
        n = size[0] / sqrt(n)
        return u[0] * n, u[1] * n, z
    return 0.0, 0.0, z


@inline
def old_disc(u, size):
    """The same as portal.py needs it."""
    n = sqrt(u[0] * u[0] + u[1] * u[1])
    z = ahead(u[2], size[1])
    if n > MINVAL:
        return u[0] / n * size[0], u[1] / n * size[0], z
    return 0.0, 0.0, z


@inline
def corner(u, size):
    """Support of a box in its frame."""
    return (
        size[0] if u[0] >= 0.0 else -size[0],
        size[1] if u[1] >= 0.0 else -size[1],
        size[2] if u[2] >= 0.0 else -size[2],
    )


@inline
def old_corner(u, size):
    """The same as portal.py needs it."""
    return ahead(u[0], size[0]), ahead(u[1], size[1]), ahead(u[2], size[2])


@helper
def bare_support(m, d, s, direction, skin):
    """Support point of geom s in a direction of length 1; its skin is left out but for portal.py, if that wants it."""
    kind = d.solid.kind[s]
    pos = get3(d.solid.pos, s)
    if kind == POINT:
        return pos
    if kind == GEOM_HFIELD:
        return prism_support(d, direction)
    size = get3(d.solid.size, s)
    if kind == GEOM_SPHERE and not by_portal(m):
        return add3(scale3(direction, size[0]), pos)
    r = get9(d.solid.mat, s)
    u = mat_vec_t(r, direction)
    if kind == GEOM_MESH:
        # faces of polyhedra make ties; before nativeccd they fell to the last support point, or to the first vertex
        if d.solid.climbs[s]:
            p = climb(m, d, s, u, max(0, d.solid.hint[s]) if by_portal(m) else outset(m, d, s, u))
        else:
            if by_portal(m):
                d.solid.vertex[s] = 0
            p = search(m, d, s, u)
    elif kind == GEOM_BOX:
        p = old_corner(u, size) if by_portal(m) else corner(u, size)
        d.solid.vertex[s] = (1 if p[0] > 0.0 else 0) + (2 if p[1] > 0.0 else 0) + (4 if p[2] > 0.0 else 0)
    elif kind == GEOM_CYLINDER:
        p = old_disc(u, size) if by_portal(m) else disc(u, size)
        d.solid.vertex[s] = 0 if u[2] >= 0.0 else 1
    elif kind == GEOM_SPHERE:
        p = scale3(u, size[0])
    elif kind == GEOM_ELLIPSOID:
        p = old_stretched(u, size) if by_portal(m) else stretched(u, size)
    else:
        # a capsule, or its line
        radius = size[0] if kind == GEOM_CAPSULE else 0.0
        length = size[1] if u[2] >= 0.0 else -size[1]
        if by_portal(m):
            length = ahead(u[2], size[1])
        p = (u[0] * radius, u[1] * radius, u[2] * radius + length)
    if by_portal(m) and skin:
        # for portal.py before it is turned
        p = add3(p, scale3(u, d.solid.skin[s]))
    return add3(mat_vec(r, p), pos)


@helper
def support(m, d, s, direction):
    """Support point of geom s in a direction of length 1."""
    p = bare_support(m, d, s, direction, d.solid.skin[s] > 0.0)
    if d.solid.skin[s] > 0.0 and not by_portal(m):
        return add3(p, scale3(direction, d.solid.skin[s]))
    return p


@helper
def put_support(m, d, v, index, k, direction):
    """Row k of some corners: the farthest point of the difference of the geoms, with where it comes from."""
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
def is_angular(kind):
    return kind == GEOM_MESH or kind == GEOM_BOX or kind == GEOM_HFIELD


@inline
def has_vertices(d):
    """Whether both geoms are polyhedra: then the search ends by itself, and needs no tolerance."""
    if d.solid.skin[0] != 0.0 or d.solid.skin[1] != 0.0:
        return False
    return is_angular(d.solid.kind[0]) and is_angular(d.solid.kind[1])
