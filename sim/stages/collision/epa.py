"""EPA, the expanding polytope algorithm: penetration depth of two convex geoms.

(solid, simplex) -> (polytope, witness). A polytope inside the Minkowski difference, around the origin, expands: each
iteration adds the support point beyond the face nearest to the origin, until that face is on the boundary of the
Minkowski difference. Its distance is the penetration depth. Rows of deleted faces are not reused; the map lists the
candidates for the nearest face.
"""

from math import sqrt

from sim.enums import MINVAL
from sim.jit import helper, inline, kernel
from sim.math.quat import mat_vec
from sim.math.vec import add3, cross, dot3, get3, norm3, put3, scale3, sub3
from sim.stages.collision.gjk import (
    FAR,
    areas,
    combine3,
    nearest_on_triangle,
    project_origin_on_line,
    project_origin_on_plane,
    same_sign,
    square_of_sum,
    triple_product,
)
from sim.stages.collision.support import both_polyhedral, put_support
from sim.state.capacity import require_polytope
from sim.state.endless import MANY, pause

TINY = MINVAL * MINVAL  # squared distance below which the origin is on a face
FACES = 6  # limit on faces per iteration, on average; MuJoCo's buffer has this size
OFTEN = 256  # iterations between two pauses of a search that may be endless
SHORTER = 11  # edges that a horizon has at most, fewer than the iterations
SPARE = 4  # rows of the horizon and the stack beyond the number of deleted faces
SIN, COS = 0.86602540378, -0.5  # sine and cosine of 120 degrees, as MuJoCo rounds them
REMOVED = -2  # map index of a deleted face
TILT = 1e-3  # of the direction in which a triangle around a segment is widened, along the segment
LEAST_ITERATIONS, MOST_ITERATIONS = 35, 1000
# instead of a face: the expansion failed; the origin is outside of the first polytope, or there is none
FAILED, OUTSIDE, NO_POLYTOPE = -1, -2, -3


# ---------------------------------------------------------------- vertices and faces


@helper
def copy_simplex_vertex(d, k):
    """Copy a vertex of the simplex to the polytope; returns its index."""
    n = d.polytope.nvert
    for i in range(9):
        d.polytope.v[n, i] = d.simplex.v[k, i]
    d.polytope.index[n, 0] = d.simplex.index[k, 0]
    d.polytope.index[n, 1] = d.simplex.index[k, 1]
    d.polytope.nvert = n + 1
    return n


@helper
def add_support(m, d, direction, length):
    """Add the support point in a direction, given with its length; returns its index."""
    n = d.polytope.nvert
    u = (1.0, 0.0, 0.0)
    if length > MINVAL:
        u = (direction[0] / length, direction[1] / length, direction[2] / length)
    put_support(m, d, d.polytope.v, d.polytope.index, n, u)
    d.polytope.nvert = n + 1
    return n


@helper
def add_face(d, a, b, c, beyond_ab, beyond_bc, beyond_ca):
    """Add a face; returns its squared distance from the origin, 0 if it is degenerate."""
    f = d.npolytope
    d.npolytope = f + 1
    put3(d.polytope.face, f, (a, b, c))
    put3(d.polytope.adjacent, f, (beyond_ab, beyond_bc, beyond_ca))
    plane, projection = project_origin_on_plane(get3(d.polytope.v, c), get3(d.polytope.v, b), get3(d.polytope.v, a))
    d.polytope.map_index[f] = -1
    if not plane:
        d.polytope.dist2[f] = 0.0
        return 0.0
    # keep it pointing outward, even if the origin is just outside
    if dot3(projection, sub3(get3(d.polytope.v, a), get3(d.polytope.centre, 0))) < 0.0:
        projection = scale3(projection, -1.0)
    put3(d.polytope.projection, f, projection)
    dist2 = dot3(projection, projection)
    d.polytope.dist2[f] = dist2
    return dist2


@inline
def put_in_map(d, f):
    """Face f is a candidate for the nearest one."""
    k = d.polytope.nmap
    d.polytope.map[k] = f
    d.polytope.map_index[f] = k
    d.polytope.nmap = k + 1


@inline
def remove_face(d, f):
    """Delete face f; the last candidate takes its slot in the map."""
    k = d.polytope.map_index[f]
    if k >= 0:
        d.polytope.nmap -= 1
        last = d.polytope.map[d.polytope.nmap]
        d.polytope.map[k] = last
        d.polytope.map_index[last] = k
    d.polytope.map_index[f] = REMOVED


@inline
def put_all_in_map(d):
    d.polytope.nmap = 0
    for f in range(d.npolytope):
        put_in_map(d, f)


@inline
def clear(d):
    d.polytope.nvert = 0
    d.npolytope = 0
    d.polytope.nmap = 0


# ---------------------------------------------------------------- initial polytope


@inline
def same_side(a, b, c, e):
    """Whether the origin and e are on the same side of the plane through a, b, c."""
    n = cross(sub3(b, a), sub3(c, a))
    return same_sign(dot3(n, sub3(e, a)), dot3(n, scale3(a, -1.0)))


@helper
def origin_in_tetrahedron(a, b, c, e):
    """Whether the origin is in a tetrahedron."""
    return same_side(a, b, c, e) and same_side(b, c, e, a) and same_side(c, e, a, b) and same_side(e, a, b, c)


@helper
def in_triangle(a, b, c, p):
    """Whether p, in the plane of a triangle, is inside it."""
    _, u, v, w = areas(a, b, c, p)
    t = (u / (u + v + w), v / (u + v + w), w / (u + v + w))
    if t[0] < 0.0 or t[1] < 0.0 or t[2] < 0.0:
        return False
    return norm3(sub3(combine3(t, a, b, c), p)) < MINVAL


@helper
def put_centre(d, rows):
    """The mean of vertices."""
    x = (0.0, 0.0, 0.0)
    for k in rows:
        x = add3(x, get3(d.polytope.v, k))
    put3(d.polytope.centre, 0, scale3(x, 1.0 / len(rows)))


@helper
def volumes(d, a, b, i, j, k):
    """Signed volumes of the three tetrahedra around the segment from vertex a to vertex b, of vertices i, j, k."""
    start = get3(d.polytope.v, a)
    along = sub3(get3(d.polytope.v, b), start)
    p, q, r = (
        sub3(get3(d.polytope.v, i), start),
        sub3(get3(d.polytope.v, j), start),
        sub3(get3(d.polytope.v, k), start),
    )
    return triple_product(p, q, along), triple_product(q, r, along), triple_product(r, p, along)


@inline
def all_beyond(v, least):
    """Whether three volumes have one sign, and at least some size."""
    if v[0] >= least and v[1] >= least and v[2] >= least:
        return True
    return v[0] <= -least and v[1] <= -least and v[2] <= -least


@helper
def put_in_simplex(d, row, k):
    """Copy a vertex of the polytope to the simplex."""
    for i in range(9):
        d.simplex.v[row, i] = d.polytope.v[k, i]
    d.simplex.index[row, 0] = d.polytope.index[k, 0]
    d.simplex.index[row, 1] = d.polytope.index[k, 1]


@inline
def two_tetrahedra(d, v):
    """Faces of vertices 3 and 4 on both sides of the triangle 0, 1, 2; returns the least squared distance."""
    least = add_face(d, v[3], v[0], v[1], 1, 3, 2)
    least = min(least, add_face(d, v[3], v[2], v[0], 2, 4, 0))
    least = min(least, add_face(d, v[3], v[1], v[2], 0, 5, 1))
    least = min(least, add_face(d, v[4], v[1], v[0], 5, 0, 4))
    least = min(least, add_face(d, v[4], v[0], v[2], 3, 1, 5))
    return min(least, add_face(d, v[4], v[2], v[1], 4, 2, 3))


@inline
def one_tetrahedron(d, a, b, c, e):
    """Faces of a tetrahedron; returns the least squared distance."""
    least = add_face(d, a, b, c, 1, 3, 2)
    least = min(least, add_face(d, a, e, b, 2, 3, 0))
    least = min(least, add_face(d, a, c, e, 0, 3, 1))
    return min(least, add_face(d, e, c, b, 2, 0, 1))


@inline
def is_hull(v):
    """Whether a vertex of a triangle is inside: two volumes of the three are clearly negative, one is positive."""
    return v[0] > 0.0 and v[1] < -MINVAL and v[2] < -MINVAL


@helper
def convex_order(v):
    """(number of vertices, their order) of a triangle 0, 1, 2 and points 3 and 4 on both of its sides.

    v are the volumes around the segment from 3 to 4. If it does not pass through the triangle, another segment passes
    through another triangle, or four vertices make a tetrahedron: 0, 1, 3 and 4 of the order.
    """
    if all_beyond(v, 0.0):
        return 5, (0, 1, 2, 3, 4)
    if is_hull((v[0], v[1], v[2])):
        return 5, (2, 4, 3, 0, 1)
    if is_hull((v[1], v[0], v[2])):
        return 5, (0, 4, 3, 1, 2)
    if is_hull((v[2], v[0], v[1])):
        return 5, (1, 4, 3, 2, 0)
    if v[1] >= v[0] and v[2] >= v[0]:
        return 4, (0, 1, 2, 3, 4)
    if v[0] >= v[1] and v[2] >= v[1]:
        return 4, (1, 2, 2, 3, 4)
    return 4, (2, 0, 2, 3, 4)


@inline
def origin_beyond(d, f, i, j, k, inner, near2):
    """Whether face f separates the origin from the vertex inner, and is not near it."""
    if d.polytope.dist2[f] < near2:
        return False
    v = d.polytope.v
    return not same_side(get3(v, i), get3(v, j), get3(v, k), get3(v, inner))


@helper
def origin_outside(m, d, n, v):
    """Whether the origin is outside of the first polytope, of n vertices, farther than the tolerance."""
    near2 = m.opt.ccd_tolerance * m.opt.ccd_tolerance
    if n == 4:
        return (
            origin_beyond(d, 0, v[0], v[1], v[3], v[4], near2)
            or origin_beyond(d, 1, v[0], v[4], v[1], v[3], near2)
            or origin_beyond(d, 2, v[0], v[3], v[4], v[1], near2)
            or origin_beyond(d, 3, v[4], v[3], v[1], v[0], near2)
        )
    return (
        origin_beyond(d, 0, v[3], v[0], v[1], v[2], near2)
        or origin_beyond(d, 1, v[3], v[2], v[0], v[1], near2)
        or origin_beyond(d, 2, v[3], v[1], v[2], v[0], near2)
        or origin_beyond(d, 3, v[4], v[1], v[0], v[2], near2)
        or origin_beyond(d, 4, v[4], v[0], v[2], v[1], near2)
        or origin_beyond(d, 5, v[4], v[2], v[1], v[0], near2)
    )


@helper
def origin_on_edge(d, i, j):
    """Whether the origin is between two vertices."""
    a, b = get3(d.polytope.v, i), get3(d.polytope.v, j)
    if dot3(a, b) >= 0.0:
        return False
    square, p = project_origin_on_line(a, b)
    return square >= TINY and dot3(p, p) < TINY


@helper
def edge_with_origin(d):
    """Make the edge of the triangle on which the origin is the simplex; returns whether there is one."""
    for i in range(3):
        j = after(i, 3)
        if origin_on_edge(d, i, j):
            put_in_simplex(d, 0, i)
            put_in_simplex(d, 1, j)
            return True
    return False


@helper
def from_triangle(m, d):
    """Initial polytope from a triangle and support points on both sides; (success, whether the origin is on a face)."""
    clear(d)
    a, b, c = get3(d.simplex.v, 0), get3(d.simplex.v, 1), get3(d.simplex.v, 2)
    n = cross(sub3(b, a), sub3(c, a))
    length = norm3(n)
    for k in range(3):
        copy_simplex_vertex(d, k)
    if length < MINVAL:
        return False, False
    below = get3(d.polytope.v, add_support(m, d, scale3(n, -1.0), length))
    above = get3(d.polytope.v, add_support(m, d, n, length))
    if in_triangle(a, b, c, above) or in_triangle(a, b, c, below):
        return False, False
    if dot3(n, sub3(above, a)) < length * MINVAL or -dot3(n, sub3(below, a)) < length * MINVAL:
        return False, False
    # rows 3 and 4 are below and above
    count, order = convex_order(volumes(d, 4, 3, 0, 1, 2))
    v = (row_of(order[0]), row_of(order[1]), row_of(order[2]), row_of(order[3]), row_of(order[4]))
    if count == 5:
        put_centre(d, v)
        least = two_tetrahedra(d, v)
    else:
        put_centre(d, (v[0], v[1], v[3], v[4]))
        least = one_tetrahedron(d, v[0], v[1], v[3], v[4])
    if least < TINY:
        return False, True
    if origin_outside(m, d, count, v):
        return False, False
    put_all_in_map(d)
    return True, False


@inline
def row_of(k):
    """Row of vertex k: above, the fourth, was added last."""
    return 4 if k == 3 else (3 if k == 4 else k)


@helper
def from_triangle_or_edge(m, d):
    """The same; if the origin is on an edge, from this segment."""
    good, on_face = from_triangle(m, d)
    if good or not on_face or not edge_with_origin(d):
        return good
    return from_segment(m, d)


@helper
def restart_from_triangle(m, d, i, j, k):
    """Restart from three vertices: the origin lies on their face."""
    put_in_simplex(d, 0, i)
    put_in_simplex(d, 1, j)
    put_in_simplex(d, 2, k)
    return from_triangle_or_edge(m, d)


@helper
def from_tetrahedron(m, d):
    """Initial polytope from a tetrahedron; returns success."""
    clear(d)
    for k in range(4):
        copy_simplex_vertex(d, k)
    put_centre(d, (0, 1, 2, 3))
    if add_face(d, 0, 1, 2, 1, 3, 2) < TINY:
        return restart_from_triangle(m, d, 0, 1, 2)
    if add_face(d, 0, 3, 1, 2, 3, 0) < TINY:
        return restart_from_triangle(m, d, 0, 3, 1)
    if add_face(d, 0, 2, 3, 0, 3, 1) < TINY:
        return restart_from_triangle(m, d, 0, 2, 3)
    if add_face(d, 3, 2, 1, 2, 0, 1) < TINY:
        return restart_from_triangle(m, d, 3, 2, 1)
    if not origin_in_tetrahedron(
        get3(d.polytope.v, 0), get3(d.polytope.v, 1), get3(d.polytope.v, 2), get3(d.polytope.v, 3)
    ):
        return False
    put_all_in_map(d)
    return True


@inline
def rotation_120(axis):
    """Matrix of a rotation by 120 degrees."""
    n = norm3(axis)
    x, y, z = axis[0] / n, axis[1] / n, axis[2] / n
    t = 1.0 - COS
    return (
        COS + x * x * t,
        x * y * t - z * SIN,
        x * z * t + y * SIN,
        y * x * t + z * SIN,
        COS + y * y * t,
        y * z * t - x * SIN,
        x * z * t - y * SIN,
        y * z * t + x * SIN,
        COS + z * z * t,
    )


@helper
def widen(m, d, least):
    """Replace a vertex of the triangle 2, 3, 4 around the segment 0, 1, so that the segment passes through it.

    The support point is in the direction across the edge on whose other side the segment is, if that mends it.
    """
    v = volumes(d, 0, 1, 2, 3, 4)
    if all_beyond(v, least):
        return
    # the edge from i to j, and the vertex k
    i, j, k = 4, 2, 3
    if v[1] >= v[0] and v[2] >= v[0]:
        i, j, k = 2, 3, 4
    elif v[1] <= v[0] and v[1] <= v[2]:
        i, j, k = 3, 4, 2
    a = get3(d.polytope.v, 0)
    along = sub3(get3(d.polytope.v, 1), a)
    edge = sub3(get3(d.polytope.v, j), get3(d.polytope.v, i))
    tilt = TILT if 0.5 * dot3(along, along) <= dot3(along, sub3(get3(d.polytope.v, k), a)) else -TILT
    u = add3(cross(edge, along), scale3(along, norm3(edge) * tilt))
    w = add_support(m, d, u, norm3(u))
    d.polytope.nvert = w
    row = -1
    if all_beyond(volumes(d, 0, 1, w, j, k), least):
        row = i
    elif all_beyond(volumes(d, 0, 1, i, w, k), least):
        row = j
    elif all_beyond(volumes(d, 0, 1, i, j, w), least):
        row = k
    if row >= 0:
        for c in range(9):
            d.polytope.v[row, c] = d.polytope.v[w, c]
        d.polytope.index[row, 0] = d.polytope.index[w, 0]
        d.polytope.index[row, 1] = d.polytope.index[w, 1]


@helper
def restart_from_nearer(m, d, i, j):
    """Restart from the triangle 0, i, j or 1, j, i, whichever is nearer to the origin; returns success."""
    a, b, p, q = get3(d.polytope.v, 0), get3(d.polytope.v, 1), get3(d.polytope.v, i), get3(d.polytope.v, j)
    n1, n2 = cross(sub3(p, a), sub3(q, a)), cross(sub3(q, b), sub3(p, b))
    flat1, flat2 = dot3(n1, n1) < MINVAL, dot3(n2, n2) < MINVAL
    second = flat1 and not flat2
    if flat1 == flat2:
        second = square_of_sum(nearest_on_triangle(a, p, q), a, p, q) > square_of_sum(
            nearest_on_triangle(b, q, p), b, q, p
        )
    put_in_simplex(d, 0, 1 if second else 0)
    put_in_simplex(d, 1, j if second else i)
    put_in_simplex(d, 2, i if second else j)
    good, _ = from_triangle(m, d)
    return good


@helper
def from_segment(m, d):
    """Initial polytope from a segment: two tetrahedra that share a triangle around it; returns success."""
    clear(d)
    a = get3(d.simplex.v, 0)
    along = sub3(get3(d.simplex.v, 1), a)
    # three support directions around the segment
    x, y, z = abs(along[0]), abs(along[1]), abs(along[2])
    e = (0.0, 0.0, 1.0)
    if x <= y and x <= z:
        e = (1.0, 0.0, 0.0)
    elif y <= z:
        e = (0.0, 1.0, 0.0)
    u = cross(e, along)
    rotation = rotation_120(along)
    v = mat_vec(rotation, u)
    w = mat_vec(rotation, v)
    copy_simplex_vertex(d, 0)
    copy_simplex_vertex(d, 1)
    add_support(m, d, u, norm3(u))
    add_support(m, d, v, norm3(v))
    add_support(m, d, w, norm3(w))
    square = dot3(along, along)
    widen(m, d, square * MINVAL * norm3(along))
    put_centre(d, (0, 1, 2, 3, 4))
    if add_face(d, 0, 2, 3, 1, 3, 2) < TINY:
        return restart_from_nearer(m, d, 2, 3)
    if add_face(d, 0, 4, 2, 2, 4, 0) < TINY:
        return restart_from_nearer(m, d, 4, 2)
    if add_face(d, 0, 3, 4, 0, 5, 1) < TINY:
        return restart_from_nearer(m, d, 3, 4)
    if add_face(d, 1, 3, 2, 5, 0, 4) < TINY:
        return restart_from_nearer(m, d, 2, 3)
    if add_face(d, 1, 2, 4, 3, 1, 5) < TINY:
        return restart_from_nearer(m, d, 4, 2)
    if add_face(d, 1, 4, 3, 4, 2, 3) < TINY:
        return restart_from_nearer(m, d, 3, 4)
    # convex only if the segment passes through the triangle
    if not all_beyond(volumes(d, 0, 1, 2, 3, 4), 0.0):
        return False
    put_all_in_map(d)
    return True


# ---------------------------------------------------------------- horizon of a new vertex


@inline
def edge_from(d, f, vertex):
    """Index of the edge of face f that starts at a vertex."""
    if d.polytope.face[f, 0] == vertex:
        return 0
    return 1 if d.polytope.face[f, 1] == vertex else 2


@inline
def after(k, n):
    """(k + 1) mod n, cheaper than a remainder."""
    return k + 1 if k + 1 < n else 0


@inline
def push_neighbour(d, top, f, e):
    """Push the face adjacent to edge e of face f, with its own index of that edge."""
    other = d.polytope.adjacent[f, e]
    d.polytope.stack[top, 0] = other
    d.polytope.stack[top, 1] = edge_from(d, other, d.polytope.face[f, after(e, 3)])
    return top + 1


@helper
def remove_visible(d, f, w):
    """Delete face f and all connected faces visible from w; returns the number of horizon edges."""
    remove_face(d, f)
    top = push_neighbour(d, 0, f, 2)
    top = push_neighbour(d, top, f, 1)
    top = push_neighbour(d, top, f, 0)
    n = 0
    while top > 0:
        top -= 1
        g, e = d.polytope.stack[top, 0], d.polytope.stack[top, 1]
        if d.polytope.map_index[g] == REMOVED:
            continue
        if dot3(get3(d.polytope.projection, g), w) - d.polytope.dist2[g] > MINVAL:
            remove_face(d, g)
            following = after(e, 3)
            top = push_neighbour(d, top, g, after(following, 3))
            top = push_neighbour(d, top, g, following)
        else:
            d.polytope.horizon[n, 0] = g
            d.polytope.horizon[n, 1] = e
            n += 1
    return n


@helper
def connect_horizon(d, vertex, n, lower2, upper2):
    """New faces from a vertex to the n horizon edges; False if one is degenerate."""
    first = d.npolytope
    for i in range(n):
        g, e = d.polytope.horizon[i, 0], d.polytope.horizon[i, 1]
        d.polytope.adjacent[g, e] = first + i
        before = first + (i - 1 if i > 0 else n - 1)
        following = first + after(i, n)
        a, b = d.polytope.face[g, e], d.polytope.face[g, after(e, 3)]
        dist2 = add_face(d, vertex, b, a, before, g, following)
        if dist2 == 0.0:
            return False
        if lower2 <= dist2 <= upper2:
            put_in_map(d, first + i)
    return True


@helper
def is_repeated(d, k):
    """Whether vertex k of the polytope occurred before."""
    for i in range(k):
        if d.polytope.index[i, 0] == d.polytope.index[k, 0] and d.polytope.index[i, 1] == d.polytope.index[k, 1]:
            return True
    return False


# ---------------------------------------------------------------- expansion


@inline
def fits(d, n):
    """Whether n faces fit, and the horizon of the next vertex."""
    capacity = len(d.polytope.dist2)
    if n + SPARE > capacity:
        require_polytope(d, n + SPARE)
    return n + SPARE <= capacity


@helper
def expand(m, d):
    """The face of the polytope on the boundary of the Minkowski difference, or FAILED or OUTSIDE."""
    polyhedral = both_polyhedral(d)
    tolerance = MINVAL if polyhedral else m.opt.ccd_tolerance
    upper, upper2 = FAR, FAR
    face = FAILED
    most = FACES * m.opt.ccd_iterations
    longest = max(LEAST_ITERATIONS, m.opt.ccd_iterations) - SHORTER
    for iteration in range(1, min(m.opt.ccd_iterations, MOST_ITERATIONS) + 1):
        # the more faces, the longer an iteration takes
        if iteration % OFTEN == 0 and m.opt.ccd_iterations > MANY:
            pause()
        before, lower2 = face, FAR
        for k in range(d.polytope.nmap):
            f = d.polytope.map[k]
            if d.polytope.dist2[f] < lower2:
                face, lower2 = f, d.polytope.dist2[f]
        if lower2 > upper2 or face < 0:
            return before
        if lower2 <= 0.0:
            break
        # lower and upper bound of the depth: the face and the support point beyond it
        lower = sqrt(lower2)
        projection = get3(d.polytope.projection, face)
        k = add_support(m, d, projection, lower)
        w = get3(d.polytope.v, k)
        bound = dot3(projection, w) / lower
        if bound < upper:
            upper, upper2 = bound, bound * bound
        if bound - lower < tolerance:
            # the first face has to be inside
            return OUTSIDE if iteration == 1 and upper < lower - tolerance else face
        if polyhedral and is_repeated(d, k):
            break
        n = remove_visible(d, face, w)
        if n < 3 or n > longest:
            return FAILED
        if d.npolytope + n > most:
            break
        if not fits(d, d.npolytope + n) or not connect_horizon(d, k, n, lower2, upper2):
            return FAILED
        if d.polytope.nmap == 0:
            break
    return face


@kernel(exact=True)
def epa(m, d) -> int:
    """(solid, simplex) -> (polytope, witness: row 0): the face of the polytope nearest to the origin.

    Or FAILED, OUTSIDE or NO_POLYTOPE, which are negative.
    """
    if d.simplex.n == 2:
        good = from_segment(m, d)
    elif d.simplex.n == 3:
        good = from_triangle_or_edge(m, d)
    else:
        good = from_tetrahedron(m, d)
    if not good:
        return NO_POLYTOPE
    f = expand(m, d)
    if f < 0:
        return f
    # barycentric coordinates of the projected origin give the witness points
    i, j, k = d.polytope.face[f, 0], d.polytope.face[f, 1], d.polytope.face[f, 2]
    projection = get3(d.polytope.projection, f)
    _, u, v, w = areas(get3(d.polytope.v, i), get3(d.polytope.v, j), get3(d.polytope.v, k), projection)
    whole = u + v + w
    u, v, w = u / whole, v / whole, w / whole
    for c in range(3):
        d.witness.first[0, c] = d.polytope.v[i, 3 + c] * u + d.polytope.v[j, 3 + c] * v + d.polytope.v[k, 3 + c] * w
        d.witness.second[0, c] = d.polytope.v[i, 6 + c] * u + d.polytope.v[j, 6 + c] * v + d.polytope.v[k, 6 + c] * w
    d.witness.dist[0] = -sqrt(d.polytope.dist2[f])
    return f
