"""Penetration of two convex geoms: the expanding polytope algorithm.

(solid, simplex) -> (polytope, witness). A polytope inside the difference of the geoms, around the origin, grows: in
each round a support point is added beyond the face that is nearest to the origin, until that face is on the boundary
of the difference. Its distance is the penetration depth. Faces are kept in rows that are never reused; the map lists
those that may still be nearest.
"""

from math import sqrt

from sim.enums import MINVAL
from sim.jit import helper, inline, kernel
from sim.math.quat import mat_vec
from sim.math.vec import add3, cross, dot3, get3, norm3, put3, scale3, sub3
from sim.stages.collision.gjk import FAR, areas, foot_on_plane, sum3, volume
from sim.stages.collision.support import has_vertices, put_support
from sim.state.capacity import require_polytope

TINY = MINVAL * MINVAL  # squared distance below which the origin is on a face
FACES = 6  # faces a round, on average, after which MuJoCo has no room for more
SPARE = 4  # rows of the rim and the stack beyond the faces that are gone
SIN, COS = 0.86602540378, -0.5  # a third of a turn
OUT = -2  # place of a face that is gone


# ---------------------------------------------------------------- corners and faces


@helper
def copy_simplex_corner(d, k):
    """A corner of the simplex becomes one of the polytope; its number."""
    n = d.polytope.nvert
    for i in range(9):
        d.polytope.v[n, i] = d.simplex.v[k, i]
    d.polytope.index[n, 0] = d.simplex.index[k, 0]
    d.polytope.index[n, 1] = d.simplex.index[k, 1]
    d.polytope.nvert = n + 1
    return n


@helper
def add_support(m, d, direction, length):
    """The farthest point in a direction of some length becomes a corner; its number."""
    n = d.polytope.nvert
    u = (1.0, 0.0, 0.0)
    if length > MINVAL:
        u = (direction[0] / length, direction[1] / length, direction[2] / length)
    put_support(m, d, d.polytope.v, d.polytope.index, n, u)
    d.polytope.nvert = n + 1
    return n


@helper
def add_face(d, a, b, c, beyond_ab, beyond_bc, beyond_ca):
    """Squared distance of a new face from the origin; 0 if its corners are on a line."""
    f = d.npolytope
    d.npolytope = f + 1
    put3(d.polytope.face, f, (a, b, c))
    put3(d.polytope.beside, f, (beyond_ab, beyond_bc, beyond_ca))
    plane, foot = foot_on_plane(get3(d.polytope.v, c), get3(d.polytope.v, b), get3(d.polytope.v, a))
    d.polytope.place[f] = -1
    if not plane:
        d.polytope.dist2[f] = 0.0
        return 0.0
    # it points outwards, even if the origin is just outside
    if dot3(foot, sub3(get3(d.polytope.v, a), get3(d.polytope.centre, 0))) < 0.0:
        foot = scale3(foot, -1.0)
    put3(d.polytope.foot, f, foot)
    dist2 = dot3(foot, foot)
    d.polytope.dist2[f] = dist2
    return dist2


@inline
def put_in_map(d, f):
    """Face f may be the nearest."""
    k = d.polytope.nmap
    d.polytope.map[k] = f
    d.polytope.place[f] = k
    d.polytope.nmap = k + 1


@inline
def remove_face(d, f):
    """Face f is gone, its place in the map taken by the last one."""
    k = d.polytope.place[f]
    if k >= 0:
        d.polytope.nmap -= 1
        last = d.polytope.map[d.polytope.nmap]
        d.polytope.map[k] = last
        d.polytope.place[last] = k
    d.polytope.place[f] = OUT


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


# ---------------------------------------------------------------- the first polytope


@inline
def same_side(a, b, c, e):
    """Whether the origin and e are on the same side of a plane."""
    n = cross(sub3(b, a), sub3(c, a))
    u, v = dot3(n, sub3(e, a)), dot3(n, scale3(a, -1.0))
    return (u > 0.0 and v > 0.0) or (u < 0.0 and v < 0.0)


@helper
def in_tetrahedron(a, b, c, e):
    """Whether the origin is in a tetrahedron."""
    return same_side(a, b, c, e) and same_side(b, c, e, a) and same_side(c, e, a, b) and same_side(e, a, b, c)


@helper
def on_triangle(a, b, c, p):
    """Whether p is in a triangle."""
    whole, u, v, w = areas(a, b, c, p)
    t = (u / whole, v / whole, w / whole)
    if t[0] < 0.0 or t[1] < 0.0 or t[2] < 0.0:
        return False
    return norm3(sub3(sum3(t, a, b, c), p)) < MINVAL


@helper
def from_triangle(m, d):
    """Two tetrahedra on both sides of the simplex, a triangle; whether they will do."""
    clear(d)
    a, b, c = get3(d.simplex.v, 0), get3(d.simplex.v, 1), get3(d.simplex.v, 2)
    put3(d.polytope.centre, 0, scale3(add3(add3(a, b), c), 1.0 / 3.0))
    n = cross(sub3(b, a), sub3(c, a))
    length = norm3(n)
    if length < MINVAL:
        return False
    i, j, k = copy_simplex_corner(d, 0), copy_simplex_corner(d, 1), copy_simplex_corner(d, 2)
    below = add_support(m, d, scale3(n, -1.0), length)
    above = add_support(m, d, n, length)
    if on_triangle(a, b, c, get3(d.polytope.v, above)) or on_triangle(a, b, c, get3(d.polytope.v, below)):
        return False
    # the origin must not be on a face
    if add_face(d, above, i, j, 1, 3, 2) < TINY or add_face(d, above, k, i, 2, 4, 0) < TINY:
        return False
    if add_face(d, above, j, k, 0, 5, 1) < TINY or add_face(d, below, j, i, 5, 0, 4) < TINY:
        return False
    if add_face(d, below, i, k, 3, 1, 5) < TINY or add_face(d, below, k, j, 4, 2, 3) < TINY:
        return False
    put_all_in_map(d)
    return True


@helper
def reduce_to(m, d, i, j, k):
    """Start again from three corners: the origin is on their face."""
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
    """The simplex itself; whether it will do."""
    clear(d)
    centre = (0.0, 0.0, 0.0)
    for k in range(4):
        copy_simplex_corner(d, k)
        centre = add3(centre, get3(d.simplex.v, k))
    put3(d.polytope.centre, 0, scale3(centre, 0.25))
    if add_face(d, 0, 1, 2, 1, 3, 2) < TINY:
        return reduce_to(m, d, 0, 1, 2)
    if add_face(d, 0, 3, 1, 2, 3, 0) < TINY:
        return reduce_to(m, d, 0, 3, 1)
    if add_face(d, 0, 2, 3, 0, 3, 1) < TINY:
        return reduce_to(m, d, 0, 2, 3)
    if add_face(d, 3, 2, 1, 2, 0, 1) < TINY:
        return reduce_to(m, d, 3, 2, 1)
    if not in_tetrahedron(get3(d.polytope.v, 0), get3(d.polytope.v, 1), get3(d.polytope.v, 2), get3(d.polytope.v, 3)):
        return False
    put_all_in_map(d)
    return True


@inline
def third_of_turn(axis):
    """Rotation matrix."""
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
def from_line(m, d):
    """Two tetrahedra that share a triangle across the simplex, a line; whether they will do."""
    clear(d)
    a = get3(d.simplex.v, 0)
    along = sub3(get3(d.simplex.v, 1), a)
    put3(d.polytope.centre, 0, add3(a, scale3(along, 0.5)))
    # across the line, and around it
    x, y, z = abs(along[0]), abs(along[1]), abs(along[2])
    e = (0.0, 0.0, 1.0)
    if x <= y and x <= z:
        e = (1.0, 0.0, 0.0)
    elif y <= z:
        e = (0.0, 1.0, 0.0)
    u = cross(e, along)
    turn = third_of_turn(along)
    v = mat_vec(turn, u)
    w = mat_vec(turn, v)
    copy_simplex_corner(d, 0)
    copy_simplex_corner(d, 1)
    add_support(m, d, u, norm3(u))
    add_support(m, d, v, norm3(v))
    add_support(m, d, w, norm3(w))
    if add_face(d, 0, 2, 3, 1, 3, 2) < TINY:
        return reduce_to(m, d, 0, 2, 3)
    if add_face(d, 0, 4, 2, 2, 4, 0) < TINY:
        return reduce_to(m, d, 0, 4, 2)
    if add_face(d, 0, 3, 4, 0, 5, 1) < TINY:
        return reduce_to(m, d, 0, 3, 4)
    if add_face(d, 1, 3, 2, 5, 0, 4) < TINY:
        return reduce_to(m, d, 1, 3, 2)
    if add_face(d, 1, 2, 4, 3, 1, 5) < TINY:
        return reduce_to(m, d, 1, 2, 4)
    if add_face(d, 1, 4, 3, 4, 2, 3) < TINY:
        return reduce_to(m, d, 1, 4, 3)
    # convex only if the line passes through the triangle
    p, q, r = sub3(get3(d.polytope.v, 2), a), sub3(get3(d.polytope.v, 3), a), sub3(get3(d.polytope.v, 4), a)
    s, t, o = volume(p, q, along), volume(q, r, along), volume(r, p, along)
    if not ((s >= 0.0 and t >= 0.0 and o >= 0.0) or (s <= 0.0 and t <= 0.0 and o <= 0.0)):
        return False
    put_all_in_map(d)
    return True


# ---------------------------------------------------------------- what a new corner sees


@inline
def edge_from(d, f, corner):
    """Which edge of face f begins at a corner."""
    if d.polytope.face[f, 0] == corner:
        return 0
    return 1 if d.polytope.face[f, 1] == corner else 2


@inline
def after(k, n):
    """k + 1, or 0 at the end of n: cheaper than a remainder."""
    return k + 1 if k + 1 < n else 0


@inline
def push_neighbour(d, top, f, e):
    """Put the face beyond edge e of face f, with that edge as it calls it, on the stack."""
    other = d.polytope.beside[f, e]
    d.polytope.stack[top, 0] = other
    d.polytope.stack[top, 1] = edge_from(d, other, d.polytope.face[f, after(e, 3)])
    return top + 1


@helper
def open_up(d, f, w):
    """Remove face f and all connected ones that w sees; the number of edges around the hole, which are in the rim."""
    remove_face(d, f)
    top = push_neighbour(d, 0, f, 2)
    top = push_neighbour(d, top, f, 1)
    top = push_neighbour(d, top, f, 0)
    n = 0
    while top > 0:
        top -= 1
        g, e = d.polytope.stack[top, 0], d.polytope.stack[top, 1]
        if d.polytope.place[g] == OUT:
            continue
        if dot3(get3(d.polytope.foot, g), w) - d.polytope.dist2[g] > MINVAL:
            remove_face(d, g)
            following = after(e, 3)
            top = push_neighbour(d, top, g, after(following, 3))
            top = push_neighbour(d, top, g, following)
        else:
            d.polytope.rim[n, 0] = g
            d.polytope.rim[n, 1] = e
            n += 1
    return n


@helper
def close_up(d, corner, n, lower2, upper2):
    """New faces from a corner to the n edges of the rim; False if one of them is degenerate."""
    first = d.npolytope
    for i in range(n):
        g, e = d.polytope.rim[i, 0], d.polytope.rim[i, 1]
        d.polytope.beside[g, e] = first + i
        before = first + (i - 1 if i > 0 else n - 1)
        following = first + after(i, n)
        a, b = d.polytope.face[g, e], d.polytope.face[g, after(e, 3)]
        dist2 = add_face(d, corner, b, a, before, g, following)
        if dist2 == 0.0:
            return False
        if lower2 <= dist2 <= upper2:
            put_in_map(d, first + i)
    return True


@helper
def is_repeated(d, k):
    """Whether corner k of the polytope is there already."""
    for i in range(k):
        if d.polytope.index[i, 0] == d.polytope.index[k, 0] and d.polytope.index[i, 1] == d.polytope.index[k, 1]:
            return True
    return False


# ---------------------------------------------------------------- growth


@inline
def fits(d, n):
    """Whether there is room for n faces, and in the next round for all that a corner sees of them."""
    room = len(d.polytope.dist2)
    if n + SPARE > room:
        require_polytope(d, n + SPARE)
    return n + SPARE <= room


@helper
def grow(m, d):
    """The face of the polytope that is on the boundary of the difference, or -1."""
    angular = has_vertices(d)
    tolerance = MINVAL if angular else m.opt.ccd_tolerance
    upper, upper2 = FAR, FAR
    face = -1
    most = FACES * m.opt.ccd_iterations
    for _ in range(m.opt.ccd_iterations):
        before, lower2 = face, FAR
        for k in range(d.polytope.nmap):
            f = d.polytope.map[k]
            if d.polytope.dist2[f] < lower2:
                face, lower2 = f, d.polytope.dist2[f]
        if lower2 > upper2 or face < 0:
            return before
        if lower2 <= 0.0:
            break
        # the depth is between the distance of the face and that of the support point beyond it
        lower = sqrt(lower2)
        foot = get3(d.polytope.foot, face)
        k = add_support(m, d, foot, lower)
        w = get3(d.polytope.v, k)
        bound = dot3(foot, w) / lower
        if bound < upper:
            upper, upper2 = bound, bound * bound
        if upper - lower < tolerance or (angular and is_repeated(d, k)):
            break
        n = open_up(d, face, w)
        if n < 3:
            return -1
        if d.npolytope + n > most:
            break
        if not fits(d, d.npolytope + n):
            return -1
        if not close_up(d, k, n, lower2, upper2):
            return -1
        if d.polytope.nmap == 0:
            break
    return face


@kernel(exact=True)
def deepest(m, d) -> int:
    """(solid, simplex) -> (polytope, witness: row 0): face of the polytope that is the deepest point, or -1."""
    if d.simplex.n == 2:
        good = from_line(m, d)
    elif d.simplex.n == 3:
        good = from_triangle(m, d)
    else:
        good = from_tetrahedron(m, d)
    if not good:
        return -1
    f = grow(m, d)
    if f < 0:
        return -1
    # the foot of the face as a sum of its corners
    i, j, k = d.polytope.face[f, 0], d.polytope.face[f, 1], d.polytope.face[f, 2]
    foot = get3(d.polytope.foot, f)
    whole, u, v, w = areas(get3(d.polytope.v, i), get3(d.polytope.v, j), get3(d.polytope.v, k), foot)
    u, v, w = u / whole, v / whole, w / whole
    for c in range(3):
        d.witness.first[0, c] = d.polytope.v[i, 3 + c] * u + d.polytope.v[j, 3 + c] * v + d.polytope.v[k, 3 + c] * w
        d.witness.second[0, c] = d.polytope.v[i, 6 + c] * u + d.polytope.v[j, 6 + c] * v + d.polytope.v[k, 6 + c] * w
    d.witness.dist[0] = -sqrt(d.polytope.dist2[f])
    return f
