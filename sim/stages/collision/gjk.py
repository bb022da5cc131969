"""GJK (Gilbert, Johnson, Keerthi): distance and closest points of two convex geoms.

(solid) -> (simplex, witness). The Minkowski difference of two geoms is the set of all p - q, p in the first, q in the
second; they overlap if it contains the origin. A simplex of support points moves towards the origin: each iteration
adds the support point in direction -x, x being the point of the simplex nearest to the origin, and drops vertices that
x does not need. The barycentric coordinates of x come from signed volumes (Montanari, Petrinic, Barbieri 2017).
Tolerances and the order of cases are MuJoCo's, so that ties are broken the same way.
"""

from math import sqrt

from sim.enums import MAXVAL, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.vec import add3, cross, dot3, get3, put3, scale3, sub3
from sim.stages.collision.support import both_polyhedral, put_support

FAR = 1e100  # distance of geoms that are separated
SPARE = 4  # first row of the tetrahedron in contains_origin


# ---------------------------------------------------------------- point of a simplex nearest to the origin


@inline
def same_sign(a, b):
    return (a > 0.0 and b > 0.0) or (a < 0.0 and b < 0.0)


@inline
def triple_product(a, b, c):
    """a · (b × c)"""
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])


@inline
def combine2(w, a, b):
    return w[0] * a[0] + w[1] * b[0], w[0] * a[1] + w[1] * b[1], w[0] * a[2] + w[1] * b[2]


@inline
def combine3(w, a, b, c):
    return (
        w[0] * a[0] + w[1] * b[0] + w[2] * c[0],
        w[0] * a[1] + w[1] * b[1] + w[2] * c[1],
        w[0] * a[2] + w[1] * b[2] + w[2] * c[2],
    )


@helper
def project_origin_on_plane(a, b, c):
    """(success, projection of the origin) for the plane through three points."""
    ab, ac, bc = sub3(b, a), sub3(c, a), sub3(c, b)
    # three equivalent normals, which round differently
    n = cross(bc, ab)
    nv, nn = dot3(n, b), dot3(n, n)
    if nn == 0.0:
        return False, n
    if nv != 0.0 and nn > MINVAL:
        return True, scale3(n, nv / nn)
    n = cross(ab, ac)
    nv, nn = dot3(n, a), dot3(n, n)
    if nn == 0.0:
        return False, n
    if nv != 0.0 and nn > MINVAL:
        return True, scale3(n, nv / nn)
    n = cross(ac, bc)
    nv, nn = dot3(n, c), dot3(n, n)
    return True, scale3(n, nv / nn)


@inline
def minors(a, b, c):
    """Signed areas of a triangle's projections along x, y and z, doubled."""
    return (
        b[1] * c[2] - b[2] * c[1] - a[1] * c[2] + a[2] * c[1] + a[1] * b[2] - a[2] * b[1],
        b[0] * c[2] - b[2] * c[0] - a[0] * c[2] + a[2] * c[0] + a[0] * b[2] - a[2] * b[0],
        b[0] * c[1] - b[1] * c[0] - a[0] * c[1] + a[1] * c[0] + a[0] * b[1] - a[1] * b[0],
    )


@inline
def area(p, b, c):
    """Twice the signed area of a triangle in the plane."""
    return p[0] * b[1] + p[1] * c[0] + b[0] * c[1] - p[0] * c[1] - p[1] * b[0] - c[0] * b[1]


@inline
def drop_axis(v, axis):
    """The coordinates other than `axis`."""
    x = v[1] if axis == 0 else v[0]
    y = v[1] if axis == 2 else v[2]
    return x, y


@helper
def areas(a, b, c, p):
    """Signed areas of a triangle and of its three parts around p, in the coordinate plane of largest projection."""
    t = minors(a, b, c)
    u, v, w = abs(t[0]), abs(t[1]), abs(t[2])
    axis = 0 if u >= v and u >= w else (1 if v >= w else 2)
    whole = t[0] if axis == 0 else (t[1] if axis == 1 else t[2])
    a2, b2, c2, p2 = drop_axis(a, axis), drop_axis(b, axis), drop_axis(c, axis), drop_axis(p, axis)
    return whole, area(p2, b2, c2), area(p2, c2, a2), area(p2, a2, b2)


@helper
def segment_weights(a, b):
    """Barycentric coordinates of the point of a segment nearest to the origin."""
    ab = sub3(b, a)
    p = add3(b, scale3(ab, -(dot3(b, ab) / dot3(ab, ab))))
    # in the coordinate of largest extent
    longest, u, v = a[0] - b[0], p[0] - b[0], a[0] - p[0]
    if abs(a[1] - b[1]) >= abs(longest):
        longest, u, v = a[1] - b[1], p[1] - b[1], a[1] - p[1]
    if abs(a[2] - b[2]) >= abs(longest):
        longest, u, v = a[2] - b[2], p[2] - b[2], a[2] - p[2]
    if same_sign(longest, u) and same_sign(longest, v):
        return u / longest, v / longest
    return 0.0, 1.0


@helper
def triangle_weights(a, b, c):
    """Barycentric coordinates of the point of a triangle nearest to the origin."""
    plane, p = project_origin_on_plane(a, b, c)
    if not plane:
        w = segment_weights(a, b)
        return w[0], w[1], 0.0
    whole, u, v, w = areas(a, b, c, p)
    in_a, in_b, in_c = same_sign(whole, u), same_sign(whole, v), same_sign(whole, w)
    if in_a and in_b and in_c:
        return u / whole, v / whole, w / whole
    # the nearest of the edges that the origin is outside of
    least = FAR
    best = (0.0, 0.0, 0.0)
    if not in_a:
        s = segment_weights(b, c)
        x = combine2(s, b, c)
        least, best = dot3(x, x), (0.0, s[0], s[1])
    if not in_b:
        s = segment_weights(a, c)
        x = combine2(s, a, c)
        if dot3(x, x) < least:
            least, best = dot3(x, x), (s[0], 0.0, s[1])
    if not in_c:
        s = segment_weights(a, b)
        x = combine2(s, a, b)
        if dot3(x, x) < least:
            best = (s[0], s[1], 0.0)
    return best


@helper
def tetrahedron_weights(a, b, c, e):
    """Barycentric coordinates of the point of a tetrahedron nearest to the origin."""
    va, vb, vc, ve = (
        -triple_product(b, c, e),
        triple_product(a, c, e),
        -triple_product(a, b, e),
        triple_product(a, b, c),
    )
    whole = va + vb + vc + ve
    in_a, in_b, in_c, in_e = same_sign(whole, va), same_sign(whole, vb), same_sign(whole, vc), same_sign(whole, ve)
    if in_a and in_b and in_c and in_e:
        return va / whole, vb / whole, vc / whole, ve / whole
    # the nearest of the faces that the origin is outside of
    least = FAR
    best = (0.0, 0.0, 0.0, 0.0)
    if not in_a:
        s = triangle_weights(b, c, e)
        x = combine3(s, b, c, e)
        least, best = dot3(x, x), (0.0, s[0], s[1], s[2])
    if not in_b:
        s = triangle_weights(a, c, e)
        x = combine3(s, a, c, e)
        if dot3(x, x) < least:
            least, best = dot3(x, x), (s[0], 0.0, s[1], s[2])
    if not in_c:
        s = triangle_weights(a, b, e)
        x = combine3(s, a, b, e)
        if dot3(x, x) < least:
            least, best = dot3(x, x), (s[0], s[1], 0.0, s[2])
    if not in_e:
        s = triangle_weights(a, b, c)
        x = combine3(s, a, b, c)
        if dot3(x, x) < least:
            best = (s[0], s[1], s[2], 0.0)
    return best


@helper
def barycentric_weights(d, n):
    """Barycentric coordinates of the point of the simplex, n vertices, nearest to the origin."""
    a, b = get3(d.simplex.v, 0), get3(d.simplex.v, 1)
    if n == 4:
        return tetrahedron_weights(a, b, get3(d.simplex.v, 2), get3(d.simplex.v, 3))
    if n == 3:
        w = triangle_weights(a, b, get3(d.simplex.v, 2))
        return w[0], w[1], w[2], 0.0
    if n == 2:
        s = segment_weights(a, b)
        return s[0], s[1], 0.0, 0.0
    return 1.0, 0.0, 0.0, 0.0


# ---------------------------------------------------------------- the simplex in memory


@inline
def copy_vertex(d, to, k):
    for i in range(9):
        d.simplex.v[to, i] = d.simplex.v[k, i]
    d.simplex.index[to, 0] = d.simplex.index[k, 0]
    d.simplex.index[to, 1] = d.simplex.index[k, 1]


@inline
def keep_vertex(d, n, k, w):
    """Keep vertex k as vertex n if its weight is not zero; returns the number of vertices."""
    if w == 0.0:
        return n
    if n != k:
        copy_vertex(d, n, k)
    d.simplex.weight[n] = w
    return n + 1


@inline
def weighted_sum(d, n, first):
    """Convex combination of n vertices, columns from `first` on."""
    w = d.simplex.weight[0]
    x, y, z = w * d.simplex.v[0, first], w * d.simplex.v[0, first + 1], w * d.simplex.v[0, first + 2]
    for i in range(1, n):
        w = d.simplex.weight[i]
        x += w * d.simplex.v[i, first]
        y += w * d.simplex.v[i, first + 1]
        z += w * d.simplex.v[i, first + 2]
    return x, y, z


# ---------------------------------------------------------------- whether the origin is inside


@inline
def face_plane(d, i, j, k):
    """(signed distance of the origin, normal) of the plane through three vertices; far if they are collinear."""
    a = get3(d.simplex.v, SPARE + d.simplex.order[i])
    b = get3(d.simplex.v, SPARE + d.simplex.order[j])
    c = get3(d.simplex.v, SPARE + d.simplex.order[k])
    n = cross(sub3(c, a), sub3(b, a))
    nn = dot3(n, n)
    if MINVAL * MINVAL < nn < MAXVAL * MAXVAL:
        n = scale3(n, 1.0 / sqrt(nn))
        return dot3(n, a), n
    return FAR, n


@helper
def contains_origin(m, d, k, most):
    """(1 if the Minkowski difference contains the origin, 0 if not, -1: undecided; iterations), from a tetrahedron."""
    for i in range(4):
        copy_vertex(d, SPARE + i, i)
        d.simplex.order[i] = i
    while k < most:
        d0, n0 = face_plane(d, 2, 1, 3)
        d1, n1 = face_plane(d, 0, 2, 3)
        d2, n2 = face_plane(d, 1, 0, 3)
        d3, n3 = face_plane(d, 0, 1, 2)
        if d0 == 0.0 or d1 == 0.0 or d2 == 0.0 or d3 == 0.0:
            return -1, k
        # the face with the origin farthest outside
        worst, least, normal = (0, d0, n0) if d0 < d1 else (1, d1, n1)
        if d2 < d3:
            if not least < d2:
                worst, least, normal = 2, d2, n2
        elif not least < d3:
            worst, least, normal = 3, d3, n3
        if least > 0.0:
            for i in range(4):
                copy_vertex(d, i, SPARE + d.simplex.order[i])
            return 1, k
        # replace the opposite vertex by the support point beyond the face
        vertex = d.simplex.order[worst]
        x = put_support(m, d, d.simplex.v, d.simplex.index, SPARE + vertex, normal)
        if dot3(normal, x) < 0.0:
            return 0, k
        # swap two vertices, so that the faces still point outward
        i, j = (worst + 1) & 3, (worst + 2) & 3
        vertex = d.simplex.order[i]
        d.simplex.order[i] = d.simplex.order[j]
        d.simplex.order[j] = vertex
        k += 1
    return -1, k


# ---------------------------------------------------------------- the search


@kernel(exact=True)
def gjk(m, d, cutoff: float) -> float:
    """(solid) -> (simplex, witness: row 0): distance of two geoms; 0 if they overlap, FAR if beyond the cutoff.

    With a cutoff of 0, only overlap is tested.
    """
    most = m.opt.ccd_iterations
    polyhedral = both_polyhedral(d)
    tolerance = 0.0 if polyhedral else 0.5 * m.opt.ccd_tolerance * m.opt.ccd_tolerance
    short = MINVAL if polyhedral else m.opt.ccd_tolerance
    overlap_only = cutoff == 0.0
    d.simplex.n = 0
    n, k = 0, 0
    x = sub3(get3(d.solid.pos, 0), get3(d.solid.pos, 1))
    length, previous = sqrt(dot3(x, x)), 0.0
    while length > 0.0:
        # also in the last iteration: which of several extreme vertices is found depends on the last support point
        s = put_support(m, d, d.simplex.v, d.simplex.index, n, scale3(scale3(x, 1.0 / length), -1.0))
        if n == 4 or k >= most or length < short or abs(previous - length) < MINVAL:
            # close, but separated
            if cutoff == 0.0 and dot3(x, s) > 0.0:
                return FAR
            break
        # lower bound of the distance: x is nearest up to the tolerance
        if dot3(x, sub3(x, s)) < tolerance:
            if k == 0:
                d.simplex.weight[0] = 1.0
                n = 1
            break
        # separating plane through the support point
        reach = dot3(x, s)
        if reach > 0.0 and (cutoff == 0.0 or reach >= cutoff * length):
            return FAR
        if n == 3 and overlap_only:
            inside, k = contains_origin(m, d, k, most)
            if inside >= 0:
                d.simplex.n = 4 if inside == 1 else 0
                return 0.0 if inside == 1 else FAR
            overlap_only = False
        w = barycentric_weights(d, n + 1)
        n = keep_vertex(d, 0, 0, w[0])
        n = keep_vertex(d, n, 1, w[1])
        n = keep_vertex(d, n, 2, w[2])
        n = keep_vertex(d, n, 3, w[3])
        if n == 0:
            return FAR
        x = weighted_sum(d, n, 0)
        previous, length = length, sqrt(dot3(x, x))
        k += 1
    if n > 0:
        put3(d.witness.first, 0, weighted_sum(d, n, 3))
        put3(d.witness.second, 0, weighted_sum(d, n, 6))
    d.simplex.n = n
    return length
