"""Mid phase: pairs of geoms of two bodies, all with all or by the bodies' bounding volume hierarchies.

(near, geom_xpos, geom_xmat, xipos, ximat) -> (near: rows from nnear on). A few geoms are tested all with all. For many,
the BVHs of both bodies, which are fixed in their inertial frames, are traversed together: where two boxes overlap, the
larger one is replaced by its children. The pairs are sorted by geom, lower type first, as MuJoCo sorts contacts.
"""

from sim.enums import DSBL_MIDPHASE, GEOM_PLANE, MAXVAL
from sim.jit import helper, inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, get3, sub3
from sim.stages.collision.broadphase import shell_sort_pairs
from sim.stages.collision.filter import effective_margin, geoms_reach, within_reach
from sim.stages.collision.hook import passes_masks
from sim.state.capacity import require_pairs

FEW = 32  # geom pairs up to which testing all is faster than the BVH


@inline
def relative_frame(pos1, r1, pos2, r2):
    """(translation, rows of the rotation) from the second frame to the first."""
    c0, c1, c2 = (r1[0], r1[3], r1[6]), (r1[1], r1[4], r1[7]), (r1[2], r1[5], r1[8])
    return mat_vec_t(r1, sub3(pos2, pos1)), (*mat_vec_t(r2, c0), *mat_vec_t(r2, c1), *mat_vec_t(r2, c2))


@inline
def box_of(a, i):
    """(centre, half sizes) in row i of a field of AABBs."""
    return (a[i, 0], a[i, 1], a[i, 2]), (a[i, 3], a[i, 4], a[i, 5])


@helper
def boxes_apart(c1, h1, c2, h2, shift, r, margin):
    """Whether a face axis separates two boxes; (shift, r) maps the second box's frame to the first's.

    A box that contains a plane is infinite and never separated.
    """
    if max(h1[0], max(h1[1], h1[2])) >= MAXVAL or max(h2[0], max(h2[1], h2[2])) >= MAXVAL:
        return False
    gap = sub3(add3(mat_vec(r, c2), shift), c1)
    a = (abs(r[0]), abs(r[1]), abs(r[2]), abs(r[3]), abs(r[4]), abs(r[5]), abs(r[6]), abs(r[7]), abs(r[8]))
    reach = mat_vec(a, h2)
    if (
        abs(gap[0]) > h1[0] + reach[0] + margin
        or abs(gap[1]) > h1[1] + reach[1] + margin
        or abs(gap[2]) > h1[2] + reach[2] + margin
    ):
        return True
    gap, reach = mat_vec_t(r, gap), mat_vec_t(a, h1)
    return (
        abs(gap[0]) > h2[0] + reach[0] + margin
        or abs(gap[1]) > h2[1] + reach[1] + margin
        or abs(gap[2]) > h2[2] + reach[2] + margin
    )


@inline
def is_explicit(m, g1, g2, first, last):
    """Whether a pair is among the explicit pairs in a range."""
    for p in range(first, last):
        if (m.pair_geom1[p] == g1 and m.pair_geom2[p] == g2) or (m.pair_geom1[p] == g2 and m.pair_geom2[p] == g1):
            return True
    return False


@helper
def add_candidate(m, d, g1, g2, first, last, trees, count):
    """Add a row if two geoms may touch, the lower type first; returns the number of rows, stored or not."""
    reach = geoms_reach(m, g1, g2)
    if not passes_masks(m, d, g1, g2) or not within_reach(m, d, g1, g2, reach) or is_explicit(m, g1, g2, first, last):
        return count
    if m.geom_type[g1] != GEOM_PLANE and m.geom_type[g2] != GEOM_PLANE:
        r2 = get9(d.geom_xmat, g2)
        shift, r = relative_frame(get3(d.geom_xpos, g1), get9(d.geom_xmat, g1), get3(d.geom_xpos, g2), r2)
        c1, h1 = box_of(m.geom_aabb, g1)
        c2, h2 = box_of(m.geom_aabb, g2)
        # with the BVH, MuJoCo's margin override replaces the gap as well
        if trees:
            reach = effective_margin(m, m.geom_margin[g1] + m.geom_margin[g2] + m.geom_gap[g1] + m.geom_gap[g2])
        if boxes_apart(c1, h1, c2, h2, shift, r, reach):
            return count
    if count < len(d.near.first):
        swap = m.geom_type[g1] > m.geom_type[g2]
        d.near.first[count] = g2 if swap else g1
        d.near.second[count] = g1 if swap else g2
    return count + 1


@inline
def surface_area(m, v):
    """Surface area of a bounding box, up to a factor."""
    x, y, z = m.bvh_aabb[v, 3], m.bvh_aabb[v, 4], m.bvh_aabb[v, 5]
    return x * y + y * z + z * x


@helper
def traverse_bvh(m, d, b1, b2, first, last, count):
    """Candidates with overlapping boxes, by simultaneous traversal of the BVHs of two bodies."""
    tree1, tree2 = m.body_bvhadr[b1], m.body_bvhadr[b2]
    shift, r = relative_frame(get3(d.xipos, b1), get9(d.ximat, b1), get3(d.xipos, b2), get9(d.ximat, b2))
    margin = effective_margin(m, m.body_margin[b1] + m.body_margin[b2])
    d.descent.first[0] = tree1
    d.descent.second[0] = tree2
    depth = 1
    while depth > 0:
        depth -= 1
        v1, v2 = d.descent.first[depth], d.descent.second[depth]
        leaf1, leaf2 = m.bvh_child[v1, 0] < 0, m.bvh_child[v2, 0] < 0
        if leaf1 and leaf2:
            count = add_candidate(m, d, m.bvh_nodeid[v1], m.bvh_nodeid[v2], first, last, True, count)
            continue
        c1, h1 = box_of(m.bvh_aabb, v1)
        c2, h2 = box_of(m.bvh_aabb, v2)
        if boxes_apart(c1, h1, c2, h2, shift, r, margin):
            continue
        # descend into the larger one
        halve1 = leaf2 or (not leaf1 and surface_area(m, v1) > surface_area(m, v2))
        for i in range(2):
            d.descent.first[depth] = tree1 + m.bvh_child[v1, i] if halve1 else v1
            d.descent.second[depth] = v2 if halve1 else tree2 + m.bvh_child[v2, i]
            depth += 1
    return count


@kernel(when=lambda m: m.body_geomnum.max() > 1, exact=True)
def midphase(m, d, b1: int, b2: int, first: int, last: int) -> int:
    """Geom pairs of two bodies in rows from nnear on, without explicit pairs; returns the end of the rows."""
    trees = m.body_bvhadr[b1] >= 0 and m.body_bvhadr[b2] >= 0 and not m.opt.disableflags & DSBL_MIDPHASE
    start = d.nnear
    count = start
    n1, n2 = m.body_geomnum[b1], m.body_geomnum[b2]
    if trees and n1 * n2 > FEW:
        count = traverse_bvh(m, d, b1, b2, first, last, count)
    else:
        for g1 in range(m.body_geomadr[b1], m.body_geomadr[b1] + n1):
            for g2 in range(m.body_geomadr[b2], m.body_geomadr[b2] + n2):
                count = add_candidate(m, d, g1, g2, first, last, trees, count)
    if count > len(d.near.first):
        require_pairs(d, count)
        return start
    if trees:
        shell_sort_pairs(d, start, count)
    return count
