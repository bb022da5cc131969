"""A capsule against capsules and boxes.

(geom_xpos, geom_xmat, geom_size) -> (hit). A capsule is a ball that is moved along a segment, so it is enough to find
the points of the segment that matter and to put balls there: for two capsules the nearest points, or up to two pairs
of them if the axes are parallel; for a box the nearest point and, where the capsule lies along a face or an edge,
the last one that is still over it. Positions on a segment are written as -1 to 1.
"""

from sim.enums import GEOM_BOX, GEOM_CAPSULE, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, dot3, get3, scale3, sub3
from sim.stages.collision.hit import both, clamp, pick, z_axis
from sim.stages.collision.primitive import ball_ball, ball_box


@inline
def over(a, b, rounded):
    """a / b; `rounded`: as a times the rounded 1 / b."""
    return a * (1.0 / b) if rounded else a / b


@inline
def nearest_of_lines(aa, ab, bb, u, v, det, rounded):
    """(x, y, end): positions on two segments that are nearest, and the end that x last had to be moved back to.

    They are the nearest points of the lines, moved back into the segments. x may have left the end again.
    How MuJoCo divides differs between the two callers, and the last digit decides ties.
    """
    x = over(bb * u - ab * v, det, rounded)
    y = over(aa * v - ab * u, det, rounded)
    end = 0
    if abs(x) > 1.0:
        end = 1 if x > 0.0 else -1
        x = 1.0 * end
        y = over(v - ab * end, bb, rounded)
    if abs(y) > 1.0:
        y = 1.0 if y > 0.0 else -1.0
        x = over(u - ab * y, aa, rounded)
        if abs(x) > 1.0:
            end = 1 if x > 0.0 else -1
            x = 1.0 * end
    return x, y, end


@kernel(when=both(GEOM_CAPSULE, GEOM_CAPSULE), exact=True)
def capsule_capsule(m, d, g1: int, g2: int, margin: float) -> int:
    """Between the nearest points of the axes; if they are parallel, up to two hits that start at ends."""
    centre1, centre2 = get3(d.geom_xpos, g1), get3(d.geom_xpos, g2)
    axis1, axis2 = z_axis(d.geom_xmat, g1), z_axis(d.geom_xmat, g2)
    radius1, radius2 = m.geom_size[g1, 0], m.geom_size[g2, 0]
    half1, half2 = scale3(axis1, m.geom_size[g1, 1]), scale3(axis2, m.geom_size[g2, 1])
    # the distance of two points is a quadratic of their positions: its matrix and vector
    apart = sub3(centre1, centre2)
    aa, ab, bb = dot3(half1, half1), -dot3(half1, half2), dot3(half2, half2)
    u, v = -dot3(half1, apart), dot3(half2, apart)
    det = aa * bb - ab * ab
    if abs(det) >= MINVAL:
        x, y, _ = nearest_of_lines(aa, ab, bb, u, v, det, False)
        p, q = add3(scale3(half1, x), centre1), add3(scale3(half2, y), centre2)
        return ball_ball(d, 0, p, radius1, axis1, q, radius2, axis2, margin)
    # parallel: each end against the other capsule, until there are two hits
    n = 0
    for end in range(4):
        sign = 1.0 if end % 2 == 0 else -1.0
        if end < 2:
            x, y = sign, clamp((v - sign * ab) / bb, -1.0, 1.0)
        else:
            x, y = clamp((u - sign * ab) / aa, -1.0, 1.0), sign
        p, q = add3(scale3(half1, x), centre1), add3(scale3(half2, y), centre2)
        n += ball_ball(d, n, p, radius1, axis1, q, radius2, axis2, margin)
        if n == 2:
            return n
    return n


# ---------------------------------------------------------------- against a box, in the box's frame

# where the nearest point of the box is
NOWHERE = 0
FACE = 1  # below an end of the capsule, or the end is inside
EDGE = 2
CORNER = 3

NO_SECOND = -4.0  # instead of a position: there is no second hit


@helper
def nearest_end(centre, half, size, limit):
    """(where, squared distance, end, face) of the capsule's end that is nearest to a face; face -1: it is inside."""
    where, best, at, face = NOWHERE, limit, 0.0, -1
    for i in range(2):
        end = 2.0 * i - 1.0
        p = add3(centre, scale3(half, end))
        q = (clamp(p[0], -size[0], size[0]), clamp(p[1], -size[1], size[1]), clamp(p[2], -size[2], size[2]))
        outside, last = 0, -1
        for k in range(3):
            if pick(p, k) != pick(q, k):
                outside += 1
                last = k
        gap = sub3(q, p)
        squared = dot3(gap, gap)
        if outside <= 1 and squared < best:
            where, best, at, face = FACE, squared, end, last
    return where, best, at, face


@inline
def corner_of(size, corner):
    """The corner of a box whose number has a bit for each positive coordinate."""
    return (
        size[0] if corner & 1 else -size[0],
        size[1] if corner & 2 else -size[1],
        size[2] if corner & 4 else -size[2],
    )


@helper
def nearest_edge(centre, half, length, size, where, best, at):
    """(where, position on the capsule, position on the edge, corner, edge's axis), if an edge is nearer than `best`."""
    on_edge, corner, along = 0.0, 0, 0
    for k in range(3):
        reach, rise = pick(size, k), pick(half, k)
        aa, ab, bb = reach * reach, -reach * rise, length * length
        det = aa * bb - ab * ab
        if abs(det) < MINVAL:
            continue
        for i in range(8):
            if i & (1 << k):
                continue
            # from the capsule's centre to the middle of the edge
            c = corner_of(size, i)
            c = (0.0 if k == 0 else c[0], 0.0 if k == 1 else c[1], 0.0 if k == 2 else c[2])
            apart = sub3(c, centre)
            x, y, end = nearest_of_lines(aa, ab, bb, -reach * pick(apart, k), dot3(half, apart), det, True)
            gap = sub3(apart, scale3(half, y))
            step = reach * x
            gap = (
                gap[0] + (step if k == 0 else 0.0),
                gap[1] + (step if k == 1 else 0.0),
                gap[2] + (step if k == 2 else 0.0),
            )
            squared = dot3(gap, gap)
            if squared < best - MINVAL:
                best, at, on_edge, along = squared, y, x, k
                corner = i + (1 << k) if end == 1 else i
                where = EDGE if end == 0 else CORNER
    return where, at, on_edge, corner, along


@inline
def shorter(way, room, speed):
    """A way along the capsule, cut where it has covered `room` across the box."""
    limit = room / abs(speed)
    return limit if limit < way else way


@helper
def second_from_corner(axis, half, size, at, turned):
    """Way to the second hit if a corner is nearest; `turned` has bits where the capsule runs away from the corner."""
    if turned == 0 or turned == 7:
        return NO_SECOND  # the capsule points at the corner
    # the one coordinate in which the capsule goes the other way than in the two others
    sign = 1.0
    if turned == 3 or turned == 5 or turned == 6:
        sign, turned = -1.0, 7 - turned
    k = 0 if turned == 1 else (1 if turned == 2 else 2)
    if pick(axis, k) * pick(axis, k) > 0.5:
        # along an edge
        return sign * shorter(1.0 - sign * at, 2.0 * pick(size, k), pick(half, k))
    # along a face
    i, j = (k + 1) % 3, (k + 2) % 3
    way = shorter(1.0 + sign * at, 2.0 * pick(size, i), pick(half, i))
    return -sign * shorter(way, 2.0 * pick(size, j), pick(half, j))


@helper
def second_from_edge(axis, half, size, at, on_edge, along, turned, forward):
    """Way to the second hit if the capsule crosses an edge: over the face that it is nearer to lying in."""
    turned &= 7 - (1 << along)
    if turned != 1 and turned != 2 and turned != 4:
        return NO_SECOND  # the capsule stands on the edge
    # the axis across that face's edges
    i, j = (along + 1) % 3, (along + 2) % 3
    across = i if abs(pick(axis, i)) > abs(pick(axis, j)) else j
    towards = (turned & (1 << across)) != 0
    sign = 1.0 if towards else -1.0
    way = shorter(1.0 - sign * at, 2.0 * pick(size, across), pick(half, across))
    # to the end of the edge in the direction in which the capsule goes along it
    ahead = ((forward & (1 << along)) != 0) == towards
    left = 1.0 - on_edge if ahead else 1.0 + on_edge
    return sign * shorter(way, pick(size, along) * left, pick(half, along))


@helper
def second_from_face(centre, half, size, at, face):
    """Way to the second hit if an end is over a face: until the capsule leaves it."""
    if face < 0:
        return NO_SECOND  # the end is inside the box
    sign = -at
    end = add3(centre, scale3(half, at))
    way = 2.0
    for k in range(3):
        if k != face:
            for i in range(2):
                wall = pick(size, k) if i == 0 else -pick(size, k)
                leaves = (wall - pick(end, k)) / pick(half, k) * sign
                if 0.0 < leaves < way:
                    way = leaves
    return sign * way


@kernel(when=both(GEOM_CAPSULE, GEOM_BOX), exact=True)
def capsule_box(m, d, g1: int, g2: int, margin: float) -> int:
    """A ball at the nearest point of the axis, and one more where the capsule lies along the box."""
    box, r, size = get3(d.geom_xpos, g2), get9(d.geom_xmat, g2), get3(m.geom_size, g2)
    radius, length = m.geom_size[g1, 0], m.geom_size[g1, 1]
    # the capsule in the box's frame, and a bit for each coordinate that grows along it
    centre = mat_vec_t(r, sub3(get3(d.geom_xpos, g1), box))
    axis = mat_vec_t(r, z_axis(d.geom_xmat, g1))
    half = scale3(axis, length)
    forward = (1 if half[0] > 0.0 else 0) + (2 if half[1] > 0.0 else 0) + (4 if half[2] > 0.0 else 0)
    # what is nearest
    limit = margin + 2.0 * (radius + length + size[0] + size[1] + size[2])
    where, best, at, face = nearest_end(centre, half, size, limit)
    where, at, on_edge, corner, along = nearest_edge(centre, half, length, size, where, best, at)
    if where == NOWHERE:
        return 0
    # how far along the capsule there is a second point
    way = NO_SECOND
    if where == CORNER:
        way = second_from_corner(axis, half, size, at, forward ^ corner)
    elif where == EDGE:
        way = second_from_edge(axis, half, size, at, on_edge, along, forward ^ corner, forward)
    else:
        way = second_from_face(centre, half, size, at, face)
    n = ball_box(d, 0, add3(mat_vec(r, add3(centre, scale3(half, at))), box), radius, box, r, size, margin)
    if way > -3.0:
        p = add3(mat_vec(r, add3(centre, scale3(half, at + way))), box)
        n += ball_box(d, n, p, radius, box, r, size, margin)
    return n
