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
from sim.stages.collision.gjk import FAR, areas, combine3, project_origin_on_plane, triple_product
from sim.stages.collision.support import both_polyhedral, put_support
from sim.state.capacity import require_polytope
from sim.state.endless import MANY, pause

TINY = MINVAL * MINVAL  # squared distance below which the origin is on a face
FACES = 6  # limit on faces per iteration, on average; MuJoCo's buffer has this size
OFTEN = 256  # iterations between two pauses of a search that may be endless
SPARE = 4  # rows of the horizon and the stack beyond the number of deleted faces
SIN, COS = 0.86602540378, -0.5  # sine and cosine of 120 degrees, as MuJoCo rounds them
REMOVED = -2  # map index of a deleted face


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
    u, v = dot3(n, sub3(e, a)), dot3(n, scale3(a, -1.0))
    return (u > 0.0 and v > 0.0) or (u < 0.0 and v < 0.0)


@helper
def origin_in_tetrahedron(a, b, c, e):
    """Whether the origin is in a tetrahedron."""
    return same_side(a, b, c, e) and same_side(b, c, e, a) and same_side(c, e, a, b) and same_side(e, a, b, c)


@helper
def in_triangle(a, b, c, p):
    """Whether p, in the plane of a triangle, is inside it."""
    whole, u, v, w = areas(a, b, c, p)
    t = (u / whole, v / whole, w / whole)
    if t[0] < 0.0 or t[1] < 0.0 or t[2] < 0.0:
        return False
    return norm3(sub3(combine3(t, a, b, c), p)) < MINVAL


@helper
def from_triangle(m, d):
    """Initial polytope from a triangle: two tetrahedra on both sides of it; returns success."""
    clear(d)
    a, b, c = get3(d.simplex.v, 0), get3(d.simplex.v, 1), get3(d.simplex.v, 2)
    put3(d.polytope.centre, 0, scale3(add3(add3(a, b), c), 1.0 / 3.0))
    n = cross(sub3(b, a), sub3(c, a))
    length = norm3(n)
    if length < MINVAL:
        return False
    i, j, k = copy_simplex_vertex(d, 0), copy_simplex_vertex(d, 1), copy_simplex_vertex(d, 2)
    below = add_support(m, d, scale3(n, -1.0), length)
    above = add_support(m, d, n, length)
    if in_triangle(a, b, c, get3(d.polytope.v, above)) or in_triangle(a, b, c, get3(d.polytope.v, below)):
        return False
    # the origin must not lie on a face
    if add_face(d, above, i, j, 1, 3, 2) < TINY or add_face(d, above, k, i, 2, 4, 0) < TINY:
        return False
    if add_face(d, above, j, k, 0, 5, 1) < TINY or add_face(d, below, j, i, 5, 0, 4) < TINY:
        return False
    if add_face(d, below, i, k, 3, 1, 5) < TINY or add_face(d, below, k, j, 4, 2, 3) < TINY:
        return False
    put_all_in_map(d)
    return True


@helper
def restart_from_triangle(m, d, i, j, k):
    """Restart from three vertices: the origin lies on their face."""
    for c in range(9):
        d.simplex.v[0, c] = d.polytope.v[i, c]
        d.simplex.v[1, c] = d.polytope.v[j, c]
        d.simplex.v[2, c] = d.polytope.v[k, c]
    for c in range(2):
        d.simplex.index[0, c] = d.polytope.index[i, c]
        d.simplex.index[1, c] = d.polytope.index[j, c]
        d.simplex.index[2, c] = d.polytope.index[k, c]
    return from_triangle(m, d)


@helper
def from_tetrahedron(m, d):
    """Initial polytope from a tetrahedron; returns success."""
    clear(d)
    centre = (0.0, 0.0, 0.0)
    for k in range(4):
        copy_simplex_vertex(d, k)
        centre = add3(centre, get3(d.simplex.v, k))
    put3(d.polytope.centre, 0, scale3(centre, 0.25))
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
def from_segment(m, d):
    """Initial polytope from a segment: two tetrahedra that share a triangle around it; returns success."""
    clear(d)
    a = get3(d.simplex.v, 0)
    along = sub3(get3(d.simplex.v, 1), a)
    put3(d.polytope.centre, 0, add3(a, scale3(along, 0.5)))
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
    if add_face(d, 0, 2, 3, 1, 3, 2) < TINY:
        return restart_from_triangle(m, d, 0, 2, 3)
    if add_face(d, 0, 4, 2, 2, 4, 0) < TINY:
        return restart_from_triangle(m, d, 0, 4, 2)
    if add_face(d, 0, 3, 4, 0, 5, 1) < TINY:
        return restart_from_triangle(m, d, 0, 3, 4)
    if add_face(d, 1, 3, 2, 5, 0, 4) < TINY:
        return restart_from_triangle(m, d, 1, 3, 2)
    if add_face(d, 1, 2, 4, 3, 1, 5) < TINY:
        return restart_from_triangle(m, d, 1, 2, 4)
    if add_face(d, 1, 4, 3, 4, 2, 3) < TINY:
        return restart_from_triangle(m, d, 1, 4, 3)
    # convex only if the segment passes through the triangle
    p, q, r = sub3(get3(d.polytope.v, 2), a), sub3(get3(d.polytope.v, 3), a), sub3(get3(d.polytope.v, 4), a)
    s, t, o = triple_product(p, q, along), triple_product(q, r, along), triple_product(r, p, along)
    if not ((s >= 0.0 and t >= 0.0 and o >= 0.0) or (s <= 0.0 and t <= 0.0 and o <= 0.0)):
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
    """The face of the polytope on the boundary of the Minkowski difference, or -1."""
    polyhedral = both_polyhedral(d)
    tolerance = MINVAL if polyhedral else m.opt.ccd_tolerance
    upper, upper2 = FAR, FAR
    face = -1
    most = FACES * m.opt.ccd_iterations
    for iteration in range(1, m.opt.ccd_iterations + 1):
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
        if bound - lower < tolerance or (polyhedral and is_repeated(d, k)):
            break
        n = remove_visible(d, face, w)
        if n < 3:
            return -1
        if d.npolytope + n > most:
            break
        if not fits(d, d.npolytope + n):
            return -1
        if not connect_horizon(d, k, n, lower2, upper2):
            return -1
        if d.polytope.nmap == 0:
            break
    return face


@kernel(exact=True)
def epa(m, d) -> int:
    """(solid, simplex) -> (polytope, witness: row 0): the face of the polytope nearest to the origin, or -1."""
    if d.simplex.n == 2:
        good = from_segment(m, d)
    elif d.simplex.n == 3:
        good = from_triangle(m, d)
    else:
        good = from_tetrahedron(m, d)
    if not good:
        return -1
    f = expand(m, d)
    if f < 0:
        return -1
    # barycentric coordinates of the projected origin give the witness points
    i, j, k = d.polytope.face[f, 0], d.polytope.face[f, 1], d.polytope.face[f, 2]
    projection = get3(d.polytope.projection, f)
    whole, u, v, w = areas(get3(d.polytope.v, i), get3(d.polytope.v, j), get3(d.polytope.v, k), projection)
    u, v, w = u / whole, v / whole, w / whole
    for c in range(3):
        d.witness.first[0, c] = d.polytope.v[i, 3 + c] * u + d.polytope.v[j, 3 + c] * v + d.polytope.v[k, 3 + c] * w
        d.witness.second[0, c] = d.polytope.v[i, 6 + c] * u + d.polytope.v[j, 6 + c] * v + d.polytope.v[k, 6 + c] * w
    d.witness.dist[0] = -sqrt(d.polytope.dist2[f])
    return f
