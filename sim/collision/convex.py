"""Convex geoms against each other, and meshes against planes."""

from sim.collision.hit import both, put_below, z_axis
from sim.collision.support import climb, put_solid, search, vertex_of
from sim.enums import GEOM_MESH, GEOM_PLANE
from sim.jit import helper, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, dot3, get3, norm3, scale3, sub3

MOST_ON_PLANE = 3  # hits of a mesh on a plane
APART_ON_PLANE = 0.3  # and how far others must be from the first, relative to the bounding sphere


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


@kernel(when=lambda m: False)
def convex_convex(m, d, g1: int, g2: int, margin: float) -> int:
    """Not there yet."""
    return 0
