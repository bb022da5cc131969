"""Capsule against capsule and box.

(geom_xpos, geom_xmat, geom_size) -> (manifold). A capsule is a sphere swept along a segment, so it suffices to find the
relevant points of the segment and to collide spheres there: for two capsules the closest points, or up to two pairs of
them if the axes are parallel; for a box the closest point and, if the capsule lies along a face or an edge, the last
one that is still above it. Segments are parameterized by -1 to 1.
"""

from sim.enums import GEOM_BOX, GEOM_CAPSULE, MINVAL
from sim.jit import helper, inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, cross, dot3, get3, scale3, sub3
from sim.stages.collision.manifold import both, clamp, pick, z_axis
from sim.stages.collision.primitive import ball_ball, ball_box

PARALLEL = 1e-8  # squared sine of the angle between axes that are parallel


@inline
def divide(a, b, rounded):
    """a / b; `rounded`: as a · (1 / b), which rounds twice."""
    return a * (1.0 / b) if rounded else a / b


@inline
def nearest_of_segments(aa, ab, bb, u, v, det, rounded):
    """(x, y, end): parameters of the closest points of two segments, and the end that x was last clamped to.

    These are the closest points of the lines, clamped to the segments; x may have left the end again. MuJoCo divides
    differently in the two callers, and the last digit decides ties.
    """
    x = divide(bb * u - ab * v, det, rounded)
    y = divide(aa * v - ab * u, det, rounded)
    end = 0
    if abs(x) > 1.0:
        end = 1 if x > 0.0 else -1
        x = 1.0 * end
        y = divide(v - ab * end, bb, rounded)
    if abs(y) > 1.0:
        y = 1.0 if y > 0.0 else -1.0
        x = divide(u - ab * y, aa, rounded)
        if abs(x) > 1.0:
            end = 1 if x > 0.0 else -1
            x = 1.0 * end
    return x, y, end


@kernel(when=both(GEOM_CAPSULE, GEOM_CAPSULE), exact=True)
def capsule_capsule(m, d, g1: int, g2: int, margin: float) -> int:
    """Between the closest points of the axes; at both ends of the part side by side if the axes are parallel."""
    centre1, centre2 = get3(d.geom_xpos, g1), get3(d.geom_xpos, g2)
    axis1, axis2 = z_axis(d.geom_xmat, g1), z_axis(d.geom_xmat, g2)
    radius1, radius2 = m.geom_size[g1, 0], m.geom_size[g2, 0]
    half1, half2 = scale3(axis1, m.geom_size[g1, 1]), scale3(axis2, m.geom_size[g2, 1])
    # the squared distance is quadratic in the two parameters: its matrix and vector
    apart = sub3(centre1, centre2)
    aa, ab, bb = dot3(half1, half1), -dot3(half1, half2), dot3(half2, half2)
    u, v = -dot3(half1, apart), dot3(half2, apart)
    across = cross(half1, half2)
    det = dot3(across, across)
    if det >= PARALLEL * aa * bb:
        x, y, _ = nearest_of_segments(aa, ab, bb, u, v, det, False)
        p, q = add3(scale3(half1, x), centre1), add3(scale3(half2, y), centre2)
        return ball_ball(d, 0, p, radius1, axis1, q, radius2, axis2, margin)
    # parallel: both ends of the part of the first axis that is beside the second
    n = 0
    for end in range(2):
        low = end == 0
        # an end of the second axis, or of the first if that is nearer
        y = -1.0 if (ab < 0.0) == low else 1.0
        x = (u - y * ab) / aa
        if abs(x) > 1.0:
            x = clamp(x, -1.0, 1.0)
            y = clamp((v - x * ab) / bb, -1.0, 1.0)
        p, q = add3(scale3(half1, x), centre1), add3(scale3(half2, y), centre2)
        n += ball_ball(d, n, p, radius1, axis1, q, radius2, axis2, margin)
    return n


# ---------------------------------------------------------------- against a box, in the box's frame

# feature of the box that is closest to the axis
NOWHERE = 0
FACE = 1  # below an end of the axis, or the end is inside the box
EDGE = 2
CORNER = 3

NO_SECOND = -4.0  # sentinel: no second point


@helper
def nearest_end(centre, half, size, limit):
    """(feature, squared distance, end, face) of the end of the axis that is closest to a face; face -1: inside."""
    feature, best, at, face = NOWHERE, limit, 0.0, -1
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
            feature, best, at, face = FACE, squared, end, last
    return feature, best, at, face


@inline
def corner_of(size, corner):
    """Corner of a box from its index, which has a bit for each positive coordinate."""
    return (
        size[0] if corner & 1 else -size[0],
        size[1] if corner & 2 else -size[1],
        size[2] if corner & 4 else -size[2],
    )


@helper
def nearest_edge(centre, half, length, size, feature, best, at):
    """(feature, parameter on the axis, on the edge, corner, edge's coordinate) if an edge is closer than `best`."""
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
            # from the capsule's centre to the midpoint of the edge
            c = corner_of(size, i)
            c = (0.0 if k == 0 else c[0], 0.0 if k == 1 else c[1], 0.0 if k == 2 else c[2])
            apart = sub3(c, centre)
            x, y, end = nearest_of_segments(aa, ab, bb, -reach * pick(apart, k), dot3(half, apart), det, True)
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
                feature = EDGE if end == 0 else CORNER
    return feature, at, on_edge, corner, along


@inline
def shorter(step, extent, rate):
    """A step along the axis, limited so that it covers at most `extent` across the box."""
    limit = extent / abs(rate)
    return limit if limit < step else step


@helper
def second_from_corner(axis, half, size, at, opposed):
    """Step to the second point if a corner is closest; `opposed` has bits where the axis runs away from the corner."""
    if opposed == 0 or opposed == 7:
        return NO_SECOND  # the axis points at the corner
    # the coordinate in which the axis runs opposite to the two others
    sign = 1.0
    if opposed == 3 or opposed == 5 or opposed == 6:
        sign, opposed = -1.0, 7 - opposed
    k = 0 if opposed == 1 else (1 if opposed == 2 else 2)
    if pick(axis, k) * pick(axis, k) > 0.5:
        # along an edge
        return sign * shorter(1.0 - sign * at, 2.0 * pick(size, k), pick(half, k))
    # along a face
    i, j = (k + 1) % 3, (k + 2) % 3
    step = shorter(1.0 + sign * at, 2.0 * pick(size, i), pick(half, i))
    return -sign * shorter(step, 2.0 * pick(size, j), pick(half, j))


@helper
def second_from_edge(axis, half, size, at, on_edge, along, opposed, forward):
    """Step to the second point if an edge is closest: across the face that the axis is closer to being parallel to."""
    opposed &= 7 - (1 << along)
    if opposed != 1 and opposed != 2 and opposed != 4:
        return NO_SECOND  # the axis is steep over the edge
    # the coordinate across the edge, in that face
    i, j = (along + 1) % 3, (along + 2) % 3
    across = i if abs(pick(axis, i)) > abs(pick(axis, j)) else j
    towards = (opposed & (1 << across)) != 0
    sign = 1.0 if towards else -1.0
    step = shorter(1.0 - sign * at, 2.0 * pick(size, across), pick(half, across))
    # remaining length of the edge in the direction in which the axis runs along it
    ahead = ((forward & (1 << along)) != 0) == towards
    left = 1.0 - on_edge if ahead else 1.0 + on_edge
    return sign * shorter(step, pick(size, along) * left, pick(half, along))


@helper
def second_from_face(centre, half, size, at, face):
    """Step to the second point if an end is over a face: to where the axis leaves the face."""
    if face < 0:
        return NO_SECOND  # the end is inside the box
    sign = -at
    end = add3(centre, scale3(half, at))
    step = 2.0
    for k in range(3):
        if k != face:
            for i in range(2):
                wall = pick(size, k) if i == 0 else -pick(size, k)
                leaves = (wall - pick(end, k)) / pick(half, k) * sign
                if 0.0 < leaves < step:
                    step = leaves
    return sign * step


@kernel(when=both(GEOM_CAPSULE, GEOM_BOX), exact=True)
def capsule_box(m, d, g1: int, g2: int, margin: float) -> int:
    """A sphere at the closest point of the axis, and one more if the capsule lies along the box."""
    box, r, size = get3(d.geom_xpos, g2), get9(d.geom_xmat, g2), get3(m.geom_size, g2)
    radius, length = m.geom_size[g1, 0], m.geom_size[g1, 1]
    # the capsule in the box's frame, and a bit for each coordinate that increases along the axis
    centre = mat_vec_t(r, sub3(get3(d.geom_xpos, g1), box))
    axis = mat_vec_t(r, z_axis(d.geom_xmat, g1))
    half = scale3(axis, length)
    forward = (1 if half[0] > 0.0 else 0) + (2 if half[1] > 0.0 else 0) + (4 if half[2] > 0.0 else 0)
    # closest feature
    limit = margin + 2.0 * (radius + length + size[0] + size[1] + size[2])
    feature, best, at, face = nearest_end(centre, half, size, limit * limit)
    feature, at, on_edge, corner, along = nearest_edge(centre, half, length, size, feature, best, at)
    if feature == NOWHERE:
        return 0
    # step along the axis to a second point
    step = NO_SECOND
    if feature == CORNER:
        step = second_from_corner(axis, half, size, at, forward ^ corner)
    elif feature == EDGE:
        step = second_from_edge(axis, half, size, at, on_edge, along, forward ^ corner, forward)
    else:
        step = second_from_face(centre, half, size, at, face)
    n = ball_box(d, 0, add3(mat_vec(r, add3(centre, scale3(half, at))), box), radius, box, r, size, margin)
    if step > -3.0:
        p = add3(mat_vec(r, add3(centre, scale3(half, at + step))), box)
        n += ball_box(d, n, p, radius, box, r, size, margin)
    return n
