"""Contact manifold of boxes, meshes, cylinders and capsules with parallel faces or edges, also above a plane.

(solid, polytope or simplex, witness) -> (witness). The polytope's face nearest to the origin, or the simplex of geoms
whose cores are apart, determines the vertices of each geom at the deepest point: a vertex, an edge or a face. Among the
faces around them, the two with the most opposite normals, or an edge that lies on a face, are the touching features;
one is clipped by the sides of the other. The cap of a cylinder is a polygon of 16 sides; its side, and that of a
capsule, is one edge through the deepest point.
"""

from math import sqrt

from sim.enums import GEOM_BOX, GEOM_CAPSULE, GEOM_CYLINDER, GEOM_MESH, GEOM_PLANE, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, dot3, get3, normalize3, put3, scale3, sub3
from sim.stages.collision.clip import fits, half, put_clipped
from sim.stages.collision.manifold import of_types, z_axis
from sim.stages.collision.support import vertex_of

FACING = 0.996  # cosine between one face normal and the opposite of the other
LYING = 0.0888  # sine between an edge and a face that it lies on
# the polygon that stands for the cap of a cylinder: number of corners, and cosines of their angles
SIDES = 16
COSINES: tuple[float, ...] = (1.0, 0.9238795325112867, 0.7071067811865476, 0.3826834323650898, 0.0)
COSINES += (-0.3826834323650898, -0.7071067811865476, -0.9238795325112867, -1.0)
COSINES += COSINES[7:0:-1]

# vertices of the faces of a box, clockwise from outside: bits 1, 2, 4 for the positive side in x, y, z
FACES = ((7, 3, 1, 5), (2, 6, 4, 0), (2, 3, 7, 6), (4, 5, 1, 0), (6, 7, 5, 4), (3, 2, 0, 1))


@of_types
def touching_faces(types: list[int]) -> bool:
    """Whether a model is likely to need this: a mesh or cylinder, and another, a box or a capsule."""
    special = types.count(GEOM_MESH) + types.count(GEOM_CYLINDER)
    return special > 1 or (special > 0 and (GEOM_BOX in types or GEOM_CAPSULE in types))


# ---------------------------------------------------------------- vertices of the deepest point


@inline
def point_of(d, f, c, first):
    """Vertex c of face f of the polytope as a point of the first geom (columns from 3 on) or the second (from 6).

    With f = -1, a vertex of the simplex.
    """
    if f < 0:
        k = min(c, d.simplex.n - 1)
        return d.simplex.v[k, first], d.simplex.v[k, first + 1], d.simplex.v[k, first + 2]
    k = d.polytope.face[f, c]
    return d.polytope.v[k, first], d.polytope.v[k, first + 1], d.polytope.v[k, first + 2]


@inline
def vertex_at(d, f, c, s):
    """Vertex of geom s that belongs to vertex c of face f of the polytope; with f = -1, to one of the simplex."""
    if f < 0:
        return d.simplex.index[min(c, d.simplex.n - 1), s]
    return d.polytope.index[d.polytope.face[f, c], s]


@inline
def vertices_of(d, f, s):
    """Vertices of geom s at the deepest point."""
    return vertex_at(d, f, 0, s), vertex_at(d, f, 1, s), vertex_at(d, f, 2, s)


@inline
def count_distinct(i):
    """Number of distinct vertices among three."""
    if i[0] != i[1]:
        return 2 if i[2] == i[0] or i[2] == i[1] else 3
    return 2 if i[0] != i[2] else 1


@inline
def box_corner(size, bits):
    """A corner of a box in its frame."""
    x, y, z = size
    return x if bits & 1 else -x, y if bits & 2 else -y, z if bits & 4 else -z


@inline
def unit(k):
    """Outward normal of face k of a box."""
    sign = -1.0 if k & 1 else 1.0
    return sign if k < 2 else 0.0, sign if k == 2 or k == 3 else 0.0, sign if k > 3 else 0.0


@helper
def surface_point(m, d, s, vertex, p):
    """Support point of geom s without its inflation."""
    if d.solid.inflate[s] == 0.0 or d.solid.type[s] == GEOM_CAPSULE:
        return p
    pos, r, size = get3(d.solid.pos, s), get9(d.solid.mat, s), get3(d.solid.size, s)
    if d.solid.type[s] == GEOM_BOX:
        local = box_corner(size, vertex)
    elif d.solid.type[s] == GEOM_MESH:
        local = vertex_of(m, m.mesh_vertadr[d.solid.mesh[s]] + vertex)
    else:
        u = mat_vec_t(r, sub3(p, pos))
        x, y, _ = normalize3((u[0], u[1], 0.0))
        local = (x * size[0], y * size[0], size[1] if vertex == 0 else -size[1])
    return add3(mat_vec(r, local), pos)


# ---------------------------------------------------------------- faces around the vertices


@inline
def has_polygon(m, mesh, vertex, polygon):
    """Whether a polygon of a mesh contains a vertex."""
    v = m.mesh_vertadr[mesh] + vertex
    start = m.mesh_polymapadr[v]
    for i in range(start, start + m.mesh_polymapnum[v]):
        if m.mesh_polymap[i] == polygon:
            return True
    return False


@helper
def mesh_faces(m, d, s, size, i):
    """Normals of the polygons that contain all of the first `size` vertices; returns how many."""
    mesh = d.solid.mesh[s]
    r = get9(d.solid.mat, s)
    v = m.mesh_vertadr[mesh] + i[0]
    start = m.mesh_polymapadr[v]
    if not fits(d, m.mesh_polymapnum[v]):
        return 0
    # an edge has two faces, and three vertices determine one
    most = m.mesh_polymapnum[v] if size == 1 else 4 - size
    row = half(d) * s
    n = 0
    for k in range(start, start + m.mesh_polymapnum[v]):
        if n == most:
            break
        polygon = m.mesh_polymap[k]
        if size > 1 and not has_polygon(m, mesh, i[1], polygon):
            continue
        if size > 2 and not has_polygon(m, mesh, i[2], polygon):
            continue
        put3(d.facet.normal, row + n, mat_vec(r, get3(m.mesh_polynormal, m.mesh_polyadr[mesh] + polygon)))
        d.facet.id[row + n] = polygon
        n += 1
    return n


@helper
def box_faces(d, s, size, i, direction):
    """Normals of the faces that contain all of the first `size` corners; returns how many."""
    r = get9(d.solid.mat, s)
    row = half(d) * s
    # coordinates in which the corners differ
    differ = 0
    if size > 1:
        differ = i[0] ^ i[1]
    if size > 2:
        differ |= i[0] ^ i[2]
    n = 0
    for k in range(3):
        if differ & (1 << k):
            continue
        face = 2 * k + (0 if i[0] & (1 << k) else 1)
        put3(d.facet.normal, row + n, mat_vec(r, unit(face)))
        d.facet.id[row + n] = face
        n += 1
    if n == 4 - size:
        return n
    # no common face or edge: the face whose normal is the contact normal
    u = mat_vec_t(r, direction)
    u = scale3(u, 1.0 / sqrt(dot3(u, u)))
    for face in range(6):
        if dot3(u, unit(face)) > FACING:
            put3(d.facet.normal, row, mat_vec(r, unit(face)))
            d.facet.id[row] = face
            return 1
    return 0


@helper
def cylinder_faces(d, s, size, i):
    """Normal of the cap that all points are on; returns how many."""
    if size > 1:
        return 0
    sign = 1.0 if i[0] == 0 else -1.0
    put3(d.facet.normal, half(d) * s, scale3(z_axis(d.solid.mat, s), sign))
    d.facet.id[half(d) * s] = i[0]
    return 1


# ---------------------------------------------------------------- edges at the vertices


@helper
def put_edge(d, s, n, start, end):
    """Row n of the edges of geom s: end point and direction."""
    put3(d.facet.end, half(d) * s + n, end)
    put3(d.facet.edge, half(d) * s + n, normalize3(sub3(end, start)))


@helper
def capsule_side(d, s, length):
    """End of the line on the inflated surface of a capsule that goes through its deepest point."""
    pos, axis = get3(d.solid.pos, s), z_axis(d.solid.mat, s)
    p = get3(d.witness.first, 0) if s == 0 else get3(d.witness.second, 0)
    return add3(p, scale3(axis, length - dot3(axis, sub3(p, pos))))


@helper
def edges(m, d, s, count, vertex, start, end):
    """Edges of geom s: the one between two points, or all that leave a vertex; returns how many."""
    if d.solid.type[s] == GEOM_CAPSULE:
        put_edge(d, s, 0, start, capsule_side(d, s, d.solid.size[s, 1]))
        return 1
    if d.solid.type[s] == GEOM_CYLINDER:
        length = 2.0 * d.solid.size[s, 1]
        if vertex == 0:
            length = -length
        put_edge(d, s, 0, start, add3(start, scale3(z_axis(d.solid.mat, s), length)))
        return 1
    if count == 2:
        put_edge(d, s, 0, start, end)
        return 1
    pos, r = get3(d.solid.pos, s), get9(d.solid.mat, s)
    if d.solid.type[s] == GEOM_BOX:
        size = get3(d.solid.size, s)
        for k in range(3):
            put_edge(d, s, k, start, add3(mat_vec(r, box_corner(size, vertex ^ (1 << k))), pos))
        return 3
    # the preceding vertex in every polygon around the vertex
    mesh = d.solid.mesh[s]
    vertices = m.mesh_vertadr[mesh]
    v = vertices + vertex
    n = m.mesh_polymapnum[v]
    if not fits(d, n):
        return 0
    for i in range(n):
        polygon = m.mesh_polyadr[mesh] + m.mesh_polymap[m.mesh_polymapadr[v] + i]
        first, corners = m.mesh_polyvertadr[polygon], m.mesh_polyvertnum[polygon]
        for j in range(corners):
            if m.mesh_polyvert[first + j] == vertex:
                before = m.mesh_polyvert[first + (j - 1 if j > 0 else corners - 1)]
                put_edge(d, s, i, start, add3(mat_vec(r, vertex_of(m, vertices + before)), pos))
                break
    return n


# ---------------------------------------------------------------- touching features


@helper
def find_facing(d, n1, n2):
    """(i, j) of the two faces with the most opposite normals, or (-1, -1); a plane faces all that look at it."""
    best, least = (-1, -1), 0.0 if d.solid.type[0] == GEOM_PLANE else -FACING
    for i in range(n1):
        for j in range(n2):
            x = dot3(get3(d.facet.normal, i), get3(d.facet.normal, half(d) + j))
            if x < least:
                best, least = (i, j), x
    return best


@helper
def edge_on_face(d, s, n_edges, n_faces, direction):
    """(i, j) of an edge of geom s and a face of the other geom that it lies on, or (-1, -1).

    The face looks against the contact normal, which points away from geom s. The side of a cylinder touches a face
    only if they are opposite; MuJoCo 4.0.0 does not ask for that (its issues 3748 and 3752, mended in 4.0.1).
    """
    least = -FACING if d.solid.type[s] == GEOM_CYLINDER else -MINVAL
    for j in range(n_faces):
        normal = get3(d.facet.normal, half(d) * (1 - s) + j)
        if dot3(normal, direction) >= least:
            continue
        for i in range(n_edges):
            if abs(dot3(get3(d.facet.edge, half(d) * s + i), normal)) < LYING:
                return i, j
    return -1, -1


@helper
def put_face(m, d, s, face):
    """Vertices of a face of geom s, clockwise from outside; returns how many sides it has."""
    pos, r = get3(d.solid.pos, s), get9(d.solid.mat, s)
    if d.solid.type[s] == GEOM_PLANE:
        put3(d.facet.vertex, half(d) * s, pos)
        return 0
    if d.solid.type[s] == GEOM_BOX:
        size = get3(d.solid.size, s)
        for k in range(4):
            put3(d.facet.vertex, half(d) * s + k, add3(mat_vec(r, box_corner(size, FACES[face][k])), pos))
        return 4
    if d.solid.type[s] == GEOM_CYLINDER:
        radius, length = d.solid.size[s, 0], d.solid.size[s, 1]
        for k in range(SIDES):
            # sin a = cos(a - 90°)
            x, y = COSINES[k], COSINES[(k + 12) % SIDES]
            p = (radius * x, -radius * y if face == 0 else radius * y, length if face == 0 else -length)
            put3(d.facet.vertex, half(d) * s + k, add3(mat_vec(r, p), pos))
        return SIDES
    vertices = m.mesh_vertadr[d.solid.mesh[s]]
    polygon = m.mesh_polyadr[d.solid.mesh[s]] + face
    first = m.mesh_polyvertadr[polygon]
    n = m.mesh_polyvertnum[polygon]
    if not fits(d, n):
        return 0
    for k in range(n):
        vertex = vertices + m.mesh_polyvert[first + n - 1 - k]
        put3(d.facet.vertex, half(d) * s + k, add3(mat_vec(r, vertex_of(m, vertex)), pos))
    return n


@helper
def faces(m, d, s, size, i, direction):
    """Normals of the faces of geom s around its vertices; returns how many."""
    if d.solid.type[s] == GEOM_MESH:
        return mesh_faces(m, d, s, size, i)
    if d.solid.type[s] == GEOM_CYLINDER:
        return cylinder_faces(d, s, size, i)
    if d.solid.type[s] == GEOM_CAPSULE:
        return 0
    if d.solid.type[s] == GEOM_PLANE:
        put3(d.facet.normal, half(d) * s, z_axis(d.solid.mat, s))
        d.facet.id[half(d) * s] = 0
        return 1
    return box_faces(d, s, size, i, direction)


@kernel(when=touching_faces, exact=True)
def multicontact(m, d, f: int, margin: float) -> int:
    """(solid, polytope, simplex, witness: row 0) -> (witness): manifold around the deepest point; returns its size.

    f is the nearest face of the polytope, or -1 if the simplex is nearest.
    """
    i1, i2 = vertices_of(d, f, 0), vertices_of(d, f, 1)
    size1, size2 = count_distinct(i1), count_distinct(i2)
    if d.solid.type[0] == GEOM_PLANE:
        size1 = 3
    direction = normalize3(sub3(get3(d.witness.first, 0), get3(d.witness.second, 0)))
    back = scale3(direction, -1.0)
    p, p_end = point_of(d, f, 0, 3), point_of(d, f, 1, 3)
    q, q_end = point_of(d, f, 0, 6), point_of(d, f, 1, 6)
    # an edge: the first two distinct vertices
    if i1[0] == i1[1]:
        i1, p_end = (i1[0], i1[2], i1[2]), point_of(d, f, 2, 3)
    if i2[0] == i2[1]:
        i2, q_end = (i2[0], i2[2], i2[2]), point_of(d, f, 2, 6)
    p, p_end = surface_point(m, d, 0, i1[0], p), surface_point(m, d, 0, i1[1], p_end)
    q, q_end = surface_point(m, d, 1, i2[0], q), surface_point(m, d, 1, i2[1], q_end)
    if d.solid.type[0] == GEOM_CAPSULE:
        p = capsule_side(d, 0, -d.solid.size[0, 1])
    if d.solid.type[1] == GEOM_CAPSULE:
        q = capsule_side(d, 1, -d.solid.size[1, 1])
    n1 = faces(m, d, 0, size1, i1, direction)
    n2 = faces(m, d, 1, size2, i2, back)
    i, j = find_facing(d, n1, n2)
    if i >= 0:
        sides = put_face(m, d, 0, d.facet.id[i])
        n = put_face(m, d, 1, d.facet.id[half(d) + j])
        normal, towards = get3(d.facet.normal, i), get3(d.facet.normal, half(d) + j)
        if d.solid.type[0] == GEOM_PLANE:
            towards = scale3(normal, -1.0)
        return put_clipped(d, 0, n, normal, towards, sides, False, margin)
    # the geom with fewer vertices goes first
    for k in range(2):
        s = k if size1 <= size2 else 1 - k
        size, other = (size1, n2) if s == 0 else (size2, n1)
        if size == 3:
            continue
        n = edges(m, d, s, size, i1[0] if s == 0 else i2[0], p if s == 0 else q, p_end if s == 0 else q_end)
        i, j = edge_on_face(d, s, n, other, direction if s == 0 else back)
        if i >= 0:
            sides = put_face(m, d, 1 - s, d.facet.id[half(d) * (1 - s) + j])
            normal = get3(d.facet.normal, half(d) * (1 - s) + j)
            back = (0.0, 0.0, 0.0)
            if d.solid.type[s] == GEOM_CAPSULE:
                back = scale3(normal, d.solid.inflate[s])
            put3(d.facet.vertex, half(d) * s, add3(p if s == 0 else q, back))
            put3(d.facet.vertex, half(d) * s + 1, add3(get3(d.facet.end, half(d) * s + i), back))
            return put_clipped(d, 1 - s, 2, normal, scale3(normal, -1.0), sides, s == 0, margin)
    return 1
