"""Box against box: separating axis test, then face clipping or closest points of edges.

(geom_xpos, geom_xmat, geom_size) -> (manifold). 15 axes can separate two boxes: 3 face normals of each, and 9 cross
products of their edges. If none does, the axis of largest separation (least penetration) decides. Face axis: the
incident face of the other box is clipped by the side planes of this reference face; the remaining vertices are the
contact points. Edge axis: one point between the closest points of the edges. `rows` are the second box's axes in the
first's frame: rows[i][j] = axis i of the first box · axis j of the second.
"""

from math import sqrt

from sim.enums import GEOM_BOX, MAXVAL, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, dot3, get3, normalize3, put3, scale3, sub3
from sim.stages.collision.manifold import both, clamp, pick, put_point

SLACK = 1e-13  # boxes that overlap by less than rounding still touch: tolerance relative to the sum of the half sizes
PARALLEL = 1e-16  # squared sine below which the cross product of two edges is noise
EDGE_BIAS = 1e-6  # an edge axis must beat the best face by this relative amount
EDGE_GAIN = 0.05  # an edge axis that is nearly a face normal must beat it by this relative amount
ALIGNED = 0.99  # cosine above which it is nearly one
AMBIGUOUS = 1e-9  # component of an axis below which both edges are supporting
SAME = 1e-14  # squared distance, relative to the face, below which two vertices coincide
MAX_VERTS = 12  # capacity for the vertices of a polygon


@inline
def column(rows, j):
    return pick(rows[0], j), pick(rows[1], j), pick(rows[2], j)


@inline
def extent(direction, size):
    """Projected half-width of a box along a direction in its frame."""
    return abs(direction[0]) * size[0] + abs(direction[1]) * size[1] + abs(direction[2]) * size[2]


@inline
def cross_axis(rows, i, j):
    """Axis i of the first box × axis j of the second, in the first's frame; not normalized."""
    c = column(rows, j)
    if i == 0:
        return 0.0, -c[2], c[1]
    if i == 1:
        return c[2], 0.0, -c[0]
    return -c[1], c[0], 0.0


@helper
def best_face(rows, pos21, pos12, size1, size2, limit):
    """(separation, face 0 to 5) of the face axis of largest separation; returns early if that exceeds the limit."""
    best, code = -MAXVAL, -1
    for i in range(3):
        separation = abs(pick(pos21, i)) - pick(size1, i) - extent(pick(rows, i), size2)
        if separation > best:
            best, code = separation, i
    if best > limit:
        return best, code
    for j in range(3):
        separation = abs(pick(pos12, j)) - pick(size2, j) - extent(column(rows, j), size1)
        if separation > best:
            best, code = separation, 3 + j
    return best, code


@helper
def best_edge_pair(rows, pos21, size1, size2, face, limit):
    """(separation, 3 i + j) of the edge axis of largest separation, if larger than the best face's; else -1."""
    best, code = face, -1
    for i in range(3):
        for j in range(3):
            axis = cross_axis(rows, i, j)
            squared = dot3(axis, axis)
            if squared < PARALLEL:
                continue
            axis = scale3(axis, 1.0 / sqrt(squared))
            # the same axis in the second box's frame
            there = add3(add3(scale3(rows[0], axis[0]), scale3(rows[1], axis[1])), scale3(rows[2], axis[2]))
            separation = abs(dot3(axis, pos21)) - extent(axis, size1) - extent(there, size2)
            if separation > limit:
                return separation, 3 * i + j
            if separation - EDGE_BIAS * abs(separation) > best and separation > face:
                best, code = separation, 3 * i + j
    return best, code


@inline
def nearly_face_axis(rows, edges, face, separation, face_separation):
    """Whether an edge axis is nearly that of the best face, and hardly better."""
    axis = normalize3(cross_axis(rows, edges // 3, edges % 3))
    if face < 3:
        cosine = abs(pick(axis, face))
    else:
        cosine = abs(dot3(axis, column(rows, face - 3)))
    return cosine > ALIGNED and separation < face_separation + EDGE_GAIN * abs(face_separation) + MINVAL


# ---------------------------------------------------------------- edge against edge


@inline
def supporting_edge(axis, size, along, either, flip):
    """Midpoint of the supporting edge along one coordinate; `flip`: the other edge across coordinate `either`."""
    x = size[0] if (axis[0] >= 0.0) != (flip and either == 0) else -size[0]
    y = size[1] if (axis[1] >= 0.0) != (flip and either == 1) else -size[1]
    z = size[2] if (axis[2] >= 0.0) != (flip and either == 2) else -size[2]
    return 0.0 if along == 0 else x, 0.0 if along == 1 else y, 0.0 if along == 2 else z


@inline
def ambiguous(axis, along):
    """The coordinate other than `along` in which the direction is zero, so that two edges are supporting; or -1."""
    i, j = (along + 1) % 3, (along + 2) % 3
    return i if abs(pick(axis, i)) < AMBIGUOUS else (j if abs(pick(axis, j)) < AMBIGUOUS else -1)


@inline
def shifted(p, k, s):
    """p shifted by s along coordinate k."""
    return p[0] + (s if k == 0 else 0.0), p[1] + (s if k == 1 else 0.0), p[2] + (s if k == 2 else 0.0)


@helper
def edge_edge(d, rows, pos21, size1, size2, edges, limit, pos1, r1):
    """One point between the closest points of two edges; 0 if they are beyond the limit."""
    i, j = edges // 3, edges % 3
    axis = normalize3(cross_axis(rows, i, j))
    if dot3(axis, pos21) < 0.0:
        axis = scale3(axis, -1.0)
    # the same axis in the second box's frame, in which c2 is taken with the opposite sign
    there = add3(add3(scale3(rows[0], axis[0]), scale3(rows[1], axis[1])), scale3(rows[2], axis[2]))
    either1, either2 = ambiguous(axis, i), ambiguous(there, j)
    edge = column(rows, j)
    cosine = pick(edge, i)
    sine2 = 1.0 - cosine * cosine
    reach1, reach2 = pick(size1, i), pick(size2, j)
    best = MAXVAL
    p, q = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for flip1 in (False, True):
        for flip2 in (False, True):
            if (flip1 and either1 < 0) or (flip2 and either2 < 0):
                continue
            c1 = supporting_edge(axis, size1, i, either1, flip1)
            c2 = supporting_edge(there, size2, j, either2, flip2)
            c2 = sub3(pos21, (dot3(rows[0], c2), dot3(rows[1], c2), dot3(rows[2], c2)))
            # closest points of the two edges as segments
            gap = sub3(c2, c1)
            u, v = pick(gap, i), dot3(edge, gap)
            s = 0.0 if sine2 < MINVAL else (u - cosine * v) / sine2
            s = clamp(s, -reach1, reach1)
            t = clamp(cosine * s - v, -reach2, reach2)
            s = clamp(u + cosine * t, -reach1, reach1)
            w1, w2 = shifted(c1, i, s), add3(c2, scale3(edge, t))
            gap = sub3(w2, w1)
            squared = dot3(gap, gap)
            if squared < best:
                best, p, q = squared, w1, w2
    dist = dot3(sub3(q, p), axis)
    if dist > limit:
        return 0
    put_point(d, 0, dist, add3(mat_vec(r1, scale3(add3(p, q), 0.5)), pos1), mat_vec(r1, axis), (0.0, 0.0, 0.0))
    return 1


# ---------------------------------------------------------------- face against face


@helper
def clip(d, start, n, k, sign, limit):
    """(start, count): the polygon in clip.vertex, clipped by the half-space sign · coordinate k <= limit."""
    inside = True
    for i in range(n):
        d.clip.side[i] = sign * d.clip.vertex[start + i, k] - limit
        if d.clip.side[i] > 0.0:
            inside = False
    if inside:
        return start, n
    to, count = MAX_VERTS - start, 0
    for i in range(n):
        following = i + 1 if i + 1 < n else 0
        here, there = d.clip.side[i], d.clip.side[following]
        p = get3(d.clip.vertex, start + i)
        if here <= 0.0:
            put3(d.clip.vertex, to + count, p)
            count += 1
        if (here < 0.0 and there > 0.0) or (here > 0.0 and there < 0.0):
            # intersection of the edge with the plane
            q = get3(d.clip.vertex, start + following)
            put3(d.clip.vertex, to + count, add3(p, scale3(sub3(q, p), here / (here - there))))
            count += 1
    return to, count


@helper
def put_incident_face(d, at, rows, size, a, sign):
    """Vertices of the incident face of reference face a, as (x, y, height above it), into clip.vertex."""
    facing, ahead, beyond = pick(rows, a), pick(rows, (a + 1) % 3), pick(rows, (a + 2) % 3)
    # the face most antiparallel to the normal
    b = 1 if abs(facing[1]) > abs(facing[0]) else 0
    if abs(facing[2]) > abs(pick(facing, b)):
        b = 2
    out = -pick(size, b) if sign * pick(facing, b) > 0.0 else pick(size, b)
    u, v = (b + 1) % 3, (b + 2) % 3
    su, sv = pick(size, u), pick(size, v)
    middle = (at[0] + out * pick(ahead, b), at[1] + out * pick(beyond, b), at[2] + sign * out * pick(facing, b))
    du = (su * pick(ahead, u), su * pick(beyond, u), sign * su * pick(facing, u))
    dv = (sv * pick(ahead, v), sv * pick(beyond, v), sign * sv * pick(facing, v))
    put3(d.clip.vertex, 0, add3(add3(middle, du), dv))
    put3(d.clip.vertex, 1, add3(sub3(middle, du), dv))
    put3(d.clip.vertex, 2, sub3(sub3(middle, du), dv))
    put3(d.clip.vertex, 3, sub3(add3(middle, du), dv))


@helper
def face_face(d, rows, other, a, size, other_size, pos, r, flip, margin):
    """Points of reference face a of a box at (pos, r) against the incident face of the other box, with axes `rows`."""
    sign = 1.0 if pick(other, a) >= 0.0 else -1.0
    x, y = (a + 1) % 3, (a + 2) % 3
    width, depth, height = pick(size, x), pick(size, y), pick(size, a)
    at = (pick(other, x), pick(other, y), sign * pick(other, a) - height)
    put_incident_face(d, at, rows, other_size, a, sign)
    start, n = clip(d, 0, 4, 0, 1.0, width)
    start, n = clip(d, start, n, 0, -1.0, width)
    start, n = clip(d, start, n, 1, 1.0, depth)
    start, n = clip(d, start, n, 1, -1.0, depth)
    # from the first box to the second, in world coordinates
    column_a = (r[0], r[3], r[6]) if a == 0 else ((r[1], r[4], r[7]) if a == 1 else (r[2], r[5], r[8]))
    normal = scale3(column_a, sign * flip)
    same = SAME * (width * width + depth * depth)
    count = 0
    for i in range(start, start + n):
        p = get3(d.clip.vertex, i)
        if p[2] > margin:
            continue
        # skip duplicates made by clipping; vertices that are kept move to the front
        twice = False
        for k in range(start, start + count):
            dx, dy = d.clip.vertex[k, 0] - p[0], d.clip.vertex[k, 1] - p[1]
            if dx * dx + dy * dy < same:
                twice = True
        if twice:
            continue
        put3(d.clip.vertex, start + count, p)
        z = sign * (height + 0.5 * p[2])
        local = (z, p[0], p[1]) if a == 0 else ((p[1], z, p[0]) if a == 1 else (p[0], p[1], z))
        put_point(d, count, p[2], add3(mat_vec(r, local), pos), normal, (0.0, 0.0, 0.0))
        count += 1
    return count


@kernel(when=both(GEOM_BOX, GEOM_BOX), exact=True)
def box_box(m, d, g1: int, g2: int, margin: float) -> int:
    """Up to eight vertices of the clipped incident face, or one point between two edges."""
    pos1, r1, size1 = get3(d.geom_xpos, g1), get9(d.geom_xmat, g1), get3(m.geom_size, g1)
    pos2, r2, size2 = get3(d.geom_xpos, g2), get9(d.geom_xmat, g2), get3(m.geom_size, g2)
    # each centre in the other's frame
    pos21, pos12 = mat_vec_t(r1, sub3(pos2, pos1)), mat_vec_t(r2, sub3(pos1, pos2))
    c0, c1, c2 = (r1[0], r1[3], r1[6]), (r1[1], r1[4], r1[7]), (r1[2], r1[5], r1[8])
    rows = (mat_vec_t(r2, c0), mat_vec_t(r2, c1), mat_vec_t(r2, c2))
    # the axis of largest separation
    limit = margin + SLACK * (size1[0] + size1[1] + size1[2] + size2[0] + size2[1] + size2[2])
    face_separation, face = best_face(rows, pos21, pos12, size1, size2, limit)
    if face_separation > limit:
        return 0
    separation, edges = best_edge_pair(rows, pos21, size1, size2, face_separation, limit)
    if separation > limit:
        return 0
    if edges >= 0 and not nearly_face_axis(rows, edges, face, separation, face_separation):
        return edge_edge(d, rows, pos21, size1, size2, edges, limit, pos1, r1)
    if face < 3:
        return face_face(d, rows, pos21, face, size1, size2, pos1, r1, 1.0, margin)
    transposed = (column(rows, 0), column(rows, 1), column(rows, 2))
    return face_face(d, transposed, pos12, face - 3, size2, size1, pos2, r2, -1.0, margin)
