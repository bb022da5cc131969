"""Nearest points of two convex geoms: the algorithm of Gilbert, Johnson and Keerthi.

(solid) -> (simplex, witness). The difference of two geoms is the set of all p - q, p in the first, q in the second;
they touch if it contains the origin. A simplex of support points of the difference moves towards the origin: in each
round the support point opposite to its nearest point x is added, and corners that x does not need are dropped. The
barycentric coordinates of x come from signed volumes (Montanari, Petrinic, Barbieri 2017). Tolerances and the order of
cases are MuJoCo's, so that ties fall the same way.
"""

from math import sqrt

from sim.enums import MAXVAL, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.vec import add3, cross, dot3, get3, put3, scale3, sub3
from sim.stages.collision.support import has_vertices, put_support

FAR = 1e100  # distance of geoms that are known to be apart
SPARE = 4  # first row of the simplex that is being tried


# ---------------------------------------------------------------- nearest point of a simplex


@inline
def same_sign(a, b):
    return (a > 0.0 and b > 0.0) or (a < 0.0 and b < 0.0)


@inline
def volume(a, b, c):
    """a · (b × c)"""
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])


@inline
def sum2(w, a, b):
    return w[0] * a[0] + w[1] * b[0], w[0] * a[1] + w[1] * b[1], w[0] * a[2] + w[1] * b[2]


@inline
def sum3(w, a, b, c):
    return (
        w[0] * a[0] + w[1] * b[0] + w[2] * c[0],
        w[0] * a[1] + w[1] * b[1] + w[2] * c[1],
        w[0] * a[2] + w[1] * b[2] + w[2] * c[2],
    )


@helper
def foot_on_plane(a, b, c):
    """(whether there is a plane, the origin projected on it) for the plane through three points."""
    ab, ac, bc = sub3(b, a), sub3(c, a), sub3(c, b)
    # three ways to write the normal, which round differently
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
    """Areas of a triangle's projections along x, y and z, twice, with signs."""
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
def without(v, axis):
    """The other two coordinates."""
    x = v[1] if axis == 0 else v[0]
    y = v[1] if axis == 2 else v[2]
    return x, y


@helper
def areas(a, b, c, p):
    """(area of a triangle, areas that p in its plane makes with two of its corners) in the largest projection."""
    t = minors(a, b, c)
    u, v, w = abs(t[0]), abs(t[1]), abs(t[2])
    axis = 0 if u >= v and u >= w else (1 if v >= w else 2)
    whole = t[0] if axis == 0 else (t[1] if axis == 1 else t[2])
    a2, b2, c2, p2 = without(a, axis), without(b, axis), without(c, axis), without(p, axis)
    return whole, area(p2, b2, c2), area(p2, c2, a2), area(p2, a2, b2)


@helper
def nearest_of_line(a, b):
    """Weights of two points."""
    ab = sub3(b, a)
    p = add3(b, scale3(ab, -(dot3(b, ab) / dot3(ab, ab))))
    # along the coordinate in which they differ most
    longest, u, v = a[0] - b[0], p[0] - b[0], a[0] - p[0]
    if abs(a[1] - b[1]) >= abs(longest):
        longest, u, v = a[1] - b[1], p[1] - b[1], a[1] - p[1]
    if abs(a[2] - b[2]) >= abs(longest):
        longest, u, v = a[2] - b[2], p[2] - b[2], a[2] - p[2]
    if same_sign(longest, u) and same_sign(longest, v):
        return u / longest, v / longest
    return 0.0, 1.0


@helper
def nearest_of_triangle(a, b, c):
    """Weights of three points."""
    plane, p = foot_on_plane(a, b, c)
    if not plane:
        w = nearest_of_line(a, b)
        return w[0], w[1], 0.0
    whole, u, v, w = areas(a, b, c, p)
    in_a, in_b, in_c = same_sign(whole, u), same_sign(whole, v), same_sign(whole, w)
    if in_a and in_b and in_c:
        return u / whole, v / whole, w / whole
    # the nearest of the sides that the origin is beyond
    least = FAR
    best = (0.0, 0.0, 0.0)
    if not in_a:
        s = nearest_of_line(b, c)
        x = sum2(s, b, c)
        least, best = dot3(x, x), (0.0, s[0], s[1])
    if not in_b:
        s = nearest_of_line(a, c)
        x = sum2(s, a, c)
        if dot3(x, x) < least:
            least, best = dot3(x, x), (s[0], 0.0, s[1])
    if not in_c:
        s = nearest_of_line(a, b)
        x = sum2(s, a, b)
        if dot3(x, x) < least:
            best = (s[0], s[1], 0.0)
    return best


@helper
def nearest_of_tetrahedron(a, b, c, e):
    """Weights of four points."""
    va, vb, vc, ve = -volume(b, c, e), volume(a, c, e), -volume(a, b, e), volume(a, b, c)
    whole = va + vb + vc + ve
    in_a, in_b, in_c, in_e = same_sign(whole, va), same_sign(whole, vb), same_sign(whole, vc), same_sign(whole, ve)
    if in_a and in_b and in_c and in_e:
        return va / whole, vb / whole, vc / whole, ve / whole
    # the nearest of the faces that the origin is beyond
    least = FAR
    best = (0.0, 0.0, 0.0, 0.0)
    if not in_a:
        s = nearest_of_triangle(b, c, e)
        x = sum3(s, b, c, e)
        least, best = dot3(x, x), (0.0, s[0], s[1], s[2])
    if not in_b:
        s = nearest_of_triangle(a, c, e)
        x = sum3(s, a, c, e)
        if dot3(x, x) < least:
            least, best = dot3(x, x), (s[0], 0.0, s[1], s[2])
    if not in_c:
        s = nearest_of_triangle(a, b, e)
        x = sum3(s, a, b, e)
        if dot3(x, x) < least:
            least, best = dot3(x, x), (s[0], s[1], 0.0, s[2])
    if not in_e:
        s = nearest_of_triangle(a, b, c)
        x = sum3(s, a, b, c)
        if dot3(x, x) < least:
            best = (s[0], s[1], s[2], 0.0)
    return best


@helper
def weights(d, n):
    """Weights of the first n corners of the simplex."""
    a, b = get3(d.simplex.v, 0), get3(d.simplex.v, 1)
    if n == 4:
        return nearest_of_tetrahedron(a, b, get3(d.simplex.v, 2), get3(d.simplex.v, 3))
    if n == 3:
        w = nearest_of_triangle(a, b, get3(d.simplex.v, 2))
        return w[0], w[1], w[2], 0.0
    if n == 2:
        s = nearest_of_line(a, b)
        return s[0], s[1], 0.0, 0.0
    return 1.0, 0.0, 0.0, 0.0


# ---------------------------------------------------------------- the simplex in memory


@inline
def copy_corner(d, to, k):
    for i in range(9):
        d.simplex.v[to, i] = d.simplex.v[k, i]
    d.simplex.index[to, 0] = d.simplex.index[k, 0]
    d.simplex.index[to, 1] = d.simplex.index[k, 1]


@inline
def keep_corner(d, n, k, w):
    """Corner k becomes corner n if it has a weight; how many there are then."""
    if w == 0.0:
        return n
    if n != k:
        copy_corner(d, n, k)
    d.simplex.weight[n] = w
    return n + 1


@inline
def weighted(d, n, first):
    """Sum of n corners, the columns from `first` on."""
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
def face_of(d, i, j, k):
    """(distance of the origin from the plane of three corners, its normal); far if there is no plane."""
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
def encloses(m, d, k, most):
    """(1 if the difference contains the origin, 0 if not, -1 if that is open; rounds) from a tetrahedron on."""
    for i in range(4):
        copy_corner(d, SPARE + i, i)
        d.simplex.order[i] = i
    while k < most:
        d0, n0 = face_of(d, 2, 1, 3)
        d1, n1 = face_of(d, 0, 2, 3)
        d2, n2 = face_of(d, 1, 0, 3)
        d3, n3 = face_of(d, 0, 1, 2)
        if d0 == 0.0 or d1 == 0.0 or d2 == 0.0 or d3 == 0.0:
            return -1, k
        # the face that the origin is farthest beyond
        worst, least, normal = (0, d0, n0) if d0 < d1 else (1, d1, n1)
        if d2 < d3:
            if not least < d2:
                worst, least, normal = 2, d2, n2
        elif not least < d3:
            worst, least, normal = 3, d3, n3
        if least > 0.0:
            for i in range(4):
                copy_corner(d, i, SPARE + d.simplex.order[i])
            return 1, k
        # the corner opposite to it is replaced by one beyond it
        corner = d.simplex.order[worst]
        x = put_support(m, d, d.simplex.v, d.simplex.index, SPARE + corner, normal)
        if dot3(normal, x) < 0.0:
            return 0, k
        # two corners swapped keep the faces turned outwards
        i, j = (worst + 1) & 3, (worst + 2) & 3
        corner = d.simplex.order[i]
        d.simplex.order[i] = d.simplex.order[j]
        d.simplex.order[j] = corner
        k += 1
    return -1, k


# ---------------------------------------------------------------- the search


@kernel(exact=True)
def nearest(m, d, cutoff: float) -> float:
    """(solid) -> (simplex, witness: row 0): distance of two geoms; 0 if they overlap, far if beyond the cutoff.

    A cutoff of 0 asks only whether they overlap.
    """
    most = m.opt.ccd_iterations
    angular = has_vertices(d)
    tolerance = 0.0 if angular else 0.5 * m.opt.ccd_tolerance * m.opt.ccd_tolerance
    short = MINVAL if angular else m.opt.ccd_tolerance
    ask = cutoff == 0.0
    d.simplex.n = 0
    n, k = 0, 0
    x = sub3(get3(d.solid.pos, 0), get3(d.solid.pos, 1))
    length, before = sqrt(dot3(x, x)), 0.0
    while length > 0.0:
        # one more than needed at the end: ties between vertices depend on the last one that was found
        s = put_support(m, d, d.simplex.v, d.simplex.index, n, scale3(scale3(x, 1.0 / length), -1.0))
        if n == 4 or k >= most or length < short or abs(before - length) < MINVAL:
            # near, but apart
            if cutoff == 0.0 and dot3(x, s) > 0.0:
                return FAR
            break
        # no point of the difference is nearer by more than this
        if dot3(x, sub3(x, s)) < tolerance:
            if k == 0:
                d.simplex.weight[0] = 1.0
                n = 1
            break
        # a plane through the support point separates
        reach = dot3(x, s)
        if reach > 0.0 and (cutoff == 0.0 or reach >= cutoff * length):
            return FAR
        if n == 3 and ask:
            inside, k = encloses(m, d, k, most)
            if inside >= 0:
                d.simplex.n = 4 if inside == 1 else 0
                return 0.0 if inside == 1 else FAR
            ask = False
        w = weights(d, n + 1)
        n = keep_corner(d, 0, 0, w[0])
        n = keep_corner(d, n, 1, w[1])
        n = keep_corner(d, n, 2, w[2])
        n = keep_corner(d, n, 3, w[3])
        if n == 0:
            return FAR
        x = weighted(d, n, 0)
        before, length = length, sqrt(dot3(x, x))
        k += 1
    if n > 0:
        put3(d.witness.first, 0, weighted(d, n, 3))
        put3(d.witness.second, 0, weighted(d, n, 6))
    d.simplex.n = n
    return length
