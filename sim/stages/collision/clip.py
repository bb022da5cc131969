"""Clipping of the touching face or edge of one geom by a face of the other, and which points remain.

(facet.vertex) -> (facet.polygon, witness). Sutherland-Hodgman clipping by the planes through the sides of a face. More
than four vertices within the margin of the face are reduced to a quadrilateral of large area.
"""

from math import sqrt

from sim.enums import MINVAL
from sim.jit import helper, inline
from sim.math.vec import add3, cross, dot3, get3, normalize3, put3, scale3, sub3
from sim.stages.collision.epa import after
from sim.state.capacity import require_facets

MAX_CONTACTS = 4  # limit on the contacts of a pair


# ---------------------------------------------------------------- rows of the tables


@inline
def half(d):
    """Rows of facet.* for each geom, and for each polygon buffer: the second half starts here."""
    return len(d.facet.id) // 2


@inline
def fits(d, n):
    """Whether n rows fit for each geom; if not, requests the capacity."""
    if n > half(d):
        require_facets(d, 2 * n)
    return n <= half(d)


# ---------------------------------------------------------------- clipping


@helper
def clip(d, s, n, normal, sides):
    """Sutherland-Hodgman clipping: (start, count) of facet.polygon, the other geom's feature inside the face of s."""
    start, base = 0, half(d) * s
    for k in range(n):
        put3(d.facet.polygon, k, get3(d.facet.vertex, half(d) * (1 - s) + k))
    for e in range(sides):
        a = get3(d.facet.vertex, base + e)
        b = get3(d.facet.vertex, base + after(e, sides))
        # clipping a convex polygon adds one vertex; with rounding, at most one for each
        if not fits(d, 2 * n):
            return start, 0
        # (a + normal) - a: rounds like MuJoCo's
        plane = normalize3(cross(sub3(b, a), sub3(add3(a, normal), a)))
        to, count = half(d) - start, 0
        p = get3(d.facet.polygon, start)
        p_depth = dot3(sub3(p, a), plane)
        for k in range(n):
            q = get3(d.facet.polygon, start + after(k, n))
            q_depth = dot3(sub3(q, a), plane)
            if (p_depth > -MINVAL) != (q_depth > -MINVAL):
                # intersection of the edge with the plane
                t = p_depth / (p_depth - q_depth)
                put3(d.facet.polygon, to + count, add3(p, scale3(sub3(q, p), t)))
                count += 1
            if q_depth > -MINVAL:
                put3(d.facet.polygon, to + count, q)
                count += 1
            p, p_depth = q, q_depth
        start, n = to, count
    return start, n


@helper
def below(d, start, n, origin, normal, margin):
    """Keep the vertices of a polygon that are within the margin of a plane; returns how many."""
    kept = 0
    for k in range(start, start + n):
        p = get3(d.facet.polygon, k)
        if dot3(sub3(p, origin), normal) <= margin:
            put3(d.facet.polygon, start + kept, p)
            kept += 1
    return kept


@helper
def quad_area(d, start, i, j, k, o):
    """Area of the quadrilateral i, j, k, o: half the cross product of its diagonals."""
    a, b = get3(d.facet.polygon, start + i), get3(d.facet.polygon, start + j)
    c, e = get3(d.facet.polygon, start + k), get3(d.facet.polygon, start + o)
    n = cross(sub3(c, a), sub3(e, b))
    return 0.5 * sqrt(dot3(n, n))


@helper
def largest_quad(d, start, n, turns):
    """Four vertices of a convex polygon that span a large area: each advances while the area grows.

    The first is one of the first `turns` vertices.
    """
    b, c, e = 1, 2, 3
    best = (0, 1, 2, 3)
    most = quad_area(d, start, 0, 1, 2, 3)
    for a in range(turns):
        while True:
            x = quad_area(d, start, a, b, c, after(e, n))
            if x <= most:
                break
            most, e = x, after(e, n)
            best = (a, b, c, e)
            x = quad_area(d, start, a, b, after(c, n), e)
            while x > most:
                most, c = x, after(c, n)
                best = (a, b, c, e)
                x = quad_area(d, start, a, b, after(c, n), e)
            x = quad_area(d, start, a, after(b, n), c, e)
            while x > most:
                most, b = x, after(b, n)
                best = (a, b, c, e)
                x = quad_area(d, start, a, after(b, n), c, e)
        if b == a:
            b = after(b, n)
            if c == b:
                c = after(c, n)
                if e == c:
                    e = after(e, n)
    return best


@helper
def farthest_pair(d, start, n):
    """The two vertices of a polygon that are farthest apart."""
    best, most = (0, 1), 0.0
    for i in range(n):
        for j in range(i + 1, n):
            pq = sub3(get3(d.facet.polygon, start + j), get3(d.facet.polygon, start + i))
            x = dot3(pq, pq)
            if x > most:
                most, best = x, (i, j)
    return best


@inline
def put_pair(d, k, p, origin, normal, towards, swap, margin):
    """Row k of the witness points: a vertex of the polygon, projected onto the plane, and its counterpart below.

    Both are moved by half the margin, as the surfaces of the inflated geoms are.
    """
    dist = dot3(sub3(p, origin), normal)
    q = sub3(p, scale3(normal, dist))
    dist = -dist * dot3(normal, towards) - margin
    q = add3(q, scale3(towards, -0.5 * margin))
    p = add3(q, scale3(towards, -dist))
    if swap:
        p, q = q, p
    put3(d.witness.first, k, q)
    put3(d.witness.second, k, p)
    d.witness.dist[k] = dist


@helper
def put_clipped(d, s, n, normal, towards, sides, swap, margin):
    """Witness points from the other geom's feature, clipped by the face of s; returns how many."""
    start, left = clip(d, s, n, normal, sides)
    origin = get3(d.facet.vertex, half(d) * s)
    left = below(d, start, left, origin, normal, margin)
    if left == 0:
        return 1  # the deepest point stays
    if left > MAX_CONTACTS:
        best = largest_quad(d, start, left, left)
        for k in range(MAX_CONTACTS):
            put_pair(d, k, get3(d.facet.polygon, start + best[k]), origin, normal, towards, swap, margin)
        return MAX_CONTACTS
    if n == 2 and left > 2:
        ends = farthest_pair(d, start, left)
        for k in range(2):
            put_pair(d, k, get3(d.facet.polygon, start + ends[k]), origin, normal, towards, swap, margin)
        return 2
    for k in range(left):
        put_pair(d, k, get3(d.facet.polygon, start + k), origin, normal, towards, swap, margin)
    return left
