"""GJK (Gilbert, Johnson, Keerthi): distance and closest points of two convex geoms.

(solid) -> (simplex, witness). The Minkowski difference of two geoms is the set of all p - q, p in the first, q in the
second; they overlap if it contains the origin. A simplex of support points moves towards the origin: each iteration
adds the support point in direction -x, x being the point of the simplex nearest to the origin, and drops vertices that
x does not need. The barycentric coordinates of x come from signed volumes (Montanari, Petrinic, Barbieri 2017).
Tolerances and the order of cases are MuJoCo's, so that ties are broken the same way.
"""

from sim.enums import MINVAL
from sim.jit import helper, inline, kernel
from sim.math.vec import add3, cross, dot3, get3, norm3, put3, scale3, sub3
from sim.stages.collision.support import both_polyhedral, put_support
from sim.state.endless import MANY, pause

FAR = 1e100  # distance of geoms that are separated


# ---------------------------------------------------------------- point of a simplex nearest to the origin


@inline
def same_sign(a, b):
    return (a > 0.0 and b > 0.0) or (a < 0.0 and b < 0.0)


@inline
def triple_product(a, b, c):
    """a · (b × c)"""
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])


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
    if nn == 0.0:
        return False, n
    return True, scale3(n, nv / nn)


@inline
def drop_axis(v, axis):
    """The coordinates other than `axis`."""
    x = v[1] if axis == 0 else v[0]
    y = v[1] if axis == 2 else v[2]
    return x, y


@inline
def area(u, v):
    """Twice the signed area of a triangle in the plane with a corner at the origin."""
    return u[0] * v[1] - u[1] * v[0]


@helper
def areas(a, b, c, p):
    """Signed areas of a triangle and of its three parts around p, in the coordinate plane of largest projection."""
    n = cross(sub3(b, a), sub3(c, a))
    x, y, z = abs(n[0]), abs(n[1]), abs(n[2])
    axis = 0 if x >= y and x >= z else (1 if y >= z else 2)
    a2, b2, c2 = drop_axis(sub3(a, p), axis), drop_axis(sub3(b, p), axis), drop_axis(sub3(c, p), axis)
    whole = n[0] if axis == 0 else (-n[1] if axis == 1 else n[2])
    return whole, area(b2, c2), area(c2, a2), area(a2, b2)


@inline
def project_origin_on_line(a, b):
    """(squared length, projection of the origin) for the line through two points; the second one if they are equal."""
    ab = sub3(b, a)
    square = dot3(ab, ab)
    if square < MINVAL * MINVAL:
        return square, b
    return square, add3(b, scale3(ab, -dot3(b, ab) / square))


@helper
def nearest_on_segment(a, b):
    """Barycentric coordinates of a segment where it is nearest to the origin."""
    square, p = project_origin_on_line(a, b)
    if square < MINVAL * MINVAL:
        return 0.0, 1.0
    # in the coordinate of largest extent
    longest, u, v = a[0] - b[0], p[0] - b[0], a[0] - p[0]
    if abs(a[1] - b[1]) >= abs(longest):
        longest, u, v = a[1] - b[1], p[1] - b[1], a[1] - p[1]
    if abs(a[2] - b[2]) >= abs(longest):
        longest, u, v = a[2] - b[2], p[2] - b[2], a[2] - p[2]
    if not same_sign(longest, u):
        return 0.0, 1.0
    if not same_sign(longest, v):
        return 1.0, 0.0
    return u / longest, v / longest


@inline
def square_of_sum(w, a, b, c):
    """Squared length of a linear combination of three vectors."""
    x = combine3(w, a, b, c)
    return dot3(x, x)


@helper
def nearest_on_triangle(a, b, c):
    """Barycentric coordinates of a triangle where it is nearest to the origin."""
    plane, p = project_origin_on_plane(a, b, c)
    in_a, in_b, in_c = False, False, False
    if plane:
        whole, u, v, w = areas(a, b, c, p)
        in_a, in_b, in_c = same_sign(whole, u), same_sign(whole, v), same_sign(whole, w)
        if in_a and in_b and in_c:
            whole = u + v + w
            return u / whole, v / whole, w / whole
    # the nearest of the edges that the origin is outside of
    least = FAR
    best = (0.0, 0.0, 0.0)
    if not in_a:
        s, t = nearest_on_segment(b, c)
        best = (0.0, s, t)
        least = square_of_sum(best, a, b, c)
    if not in_b:
        s, t = nearest_on_segment(a, c)
        square = square_of_sum((s, 0.0, t), a, b, c)
        if square < least:
            least, best = square, (s, 0.0, t)
    if not in_c:
        s, t = nearest_on_segment(a, b)
        if square_of_sum((s, t, 0.0), a, b, c) < least:
            best = (s, t, 0.0)
    return best


@helper
def nearest_on_tetrahedron(a, b, c, e):
    """Barycentric coordinates of a tetrahedron where it is nearest to the origin."""
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
        w = nearest_on_triangle(b, c, e)
        least, best = square_of_sum(w, b, c, e), (0.0, w[0], w[1], w[2])
    if not in_b:
        w = nearest_on_triangle(a, c, e)
        square = square_of_sum(w, a, c, e)
        if square < least:
            least, best = square, (w[0], 0.0, w[1], w[2])
    if not in_c:
        w = nearest_on_triangle(a, b, e)
        square = square_of_sum(w, a, b, e)
        if square < least:
            least, best = square, (w[0], w[1], 0.0, w[2])
    if not in_e:
        w = nearest_on_triangle(a, b, c)
        if square_of_sum(w, a, b, c) < least:
            best = (w[0], w[1], w[2], 0.0)
    return best


@helper
def nearest_on_simplex(d, n):
    """Barycentric coordinates of the simplex, n vertices, where it is nearest to the origin."""
    a, b = get3(d.simplex.v, 0), get3(d.simplex.v, 1)
    if n == 4:
        return nearest_on_tetrahedron(a, b, get3(d.simplex.v, 2), get3(d.simplex.v, 3))
    if n == 3:
        w = nearest_on_triangle(a, b, get3(d.simplex.v, 2))
        return w[0], w[1], w[2], 0.0
    if n == 2:
        u, v = nearest_on_segment(a, b)
        return u, v, 0.0, 0.0
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


@helper
def nearest_point(d, n):
    """The point of the simplex, n vertices that all have weight, nearest to the origin."""
    a, b = get3(d.simplex.v, 0), get3(d.simplex.v, 1)
    if n == 3:
        plane, p = project_origin_on_plane(a, b, get3(d.simplex.v, 2))
        if plane:
            return p
    if n == 2:
        square, p = project_origin_on_line(a, b)
        if square >= MINVAL * MINVAL:
            return p
    return weighted_sum(d, n, 0)


# ---------------------------------------------------------------- the search


@inline
def support_towards_origin(m, d, n, x, length):
    """The support point in direction -x as vertex n."""
    return put_support(m, d, d.simplex.v, d.simplex.index, n, scale3(scale3(x, 1.0 / length), -1.0))


@inline
def start_at_centres(d):
    """Witness points from which to search: the centres of the geoms."""
    put3(d.witness.first, 0, get3(d.solid.pos, 0))
    put3(d.witness.second, 0, get3(d.solid.pos, 1))


@kernel(exact=True)
def gjk(m, d, cutoff: float) -> float:
    """(solid, witness: row 0) -> (simplex, witness: row 0): distance of two geoms; 0 if they overlap.

    FAR if beyond the cutoff; with a cutoff of 0, only overlap is tested. The search starts at the witness points.
    """
    most = m.opt.ccd_iterations
    polyhedral = both_polyhedral(d)
    tolerance = 0.0 if polyhedral else 0.5 * m.opt.ccd_tolerance * m.opt.ccd_tolerance
    short = MINVAL if polyhedral or cutoff > 0.0 else m.opt.ccd_tolerance
    n = 0
    d.simplex.n, d.simplex.apart = 0, 0
    x = sub3(get3(d.witness.first, 0), get3(d.witness.second, 0))
    length = norm3(x)
    if length < MINVAL:
        # concentric: any direction
        x, length = (1.0, 0.0, 0.0), 1.0
    for k in range(most):
        s = support_towards_origin(m, d, n, x, length)
        # separating plane through the support point
        reach = dot3(x, s)
        if reach > 0.0:
            d.simplex.apart = 1
            if cutoff == 0.0 or reach >= cutoff * length:
                return FAR
        # lower bound of the distance: x is nearest up to the tolerance
        if k > 0 and dot3(x, sub3(x, s)) < tolerance:
            break
        w0, w1, w2, w3 = nearest_on_simplex(d, n + 1)
        n = keep_vertex(d, 0, 0, w0)
        n = keep_vertex(d, n, 1, w1)
        n = keep_vertex(d, n, 2, w2)
        n = keep_vertex(d, n, 3, w3)
        if n == 0:
            d.simplex.apart = 1
            return FAR
        if n == 4:
            # the origin is inside, but for rounding
            length = length if d.simplex.apart else 0.0
            break
        x = nearest_point(d, n)
        before, length = length, norm3(x)
        if length < (MINVAL if n == 1 else short) or (k > 0 and abs(length - before) < MINVAL):
            break
        if (k + 1) % MANY == 0:
            pause()
    if n > 0:
        put3(d.witness.first, 0, weighted_sum(d, n, 3))
        put3(d.witness.second, 0, weighted_sum(d, n, 6))
    # close, but separated; which of several extreme vertices is found next depends on this support point too
    if n < 4 and not d.simplex.apart and length >= MINVAL:
        if dot3(x, support_towards_origin(m, d, n, x, length)) > 0.0:
            d.simplex.apart = 1
    d.simplex.n = n
    return length
