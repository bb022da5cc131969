"""Height field against convex geoms.

(geom_xpos, geom_xmat, hfield) -> (manifold). In the frame of the height field, the cells under the geom's AABB are
visited row by row. A cell is two triangles; a triangle and the base make a convex prism. The margin inflates prisms and
geom. At most 50 points are kept, as in MuJoCo, with a warning if there are more.
"""

from math import ceil, floor

from sim.enums import GEOM_HFIELD, WARN_CONTACTFULL
from sim.jit import helper, inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, get3, put3, scale3, sub3
from sim.stages.collision.analytic_normal import analytic_normal
from sim.stages.collision.convex import penetration, put_witness
from sim.stages.collision.manifold import of_types
from sim.stages.collision.support import put_solid, raw_support, uses_mpr
from sim.state.warning import warn

MAX_POINTS = 50  # capacity of a manifold


@of_types
def has_hfield(types: list[int]) -> bool:
    """Whether a model is likely to need this."""
    return GEOM_HFIELD in types and max(types) > GEOM_HFIELD


@helper
def put_relative(m, d, g1, g2):
    """Second solid: geom g2 in the frame of geom g1, not inflated."""
    put_solid(m, d, 1, g2, 0.0)
    r1, r2 = get9(d.geom_xmat, g1), get9(d.geom_xmat, g2)
    put3(d.solid.pos, 1, mat_vec_t(r1, sub3(get3(d.geom_xpos, g2), get3(d.geom_xpos, g1))))
    for k in range(3):
        column = mat_vec_t(r1, (r2[k], r2[3 + k], r2[6 + k]))
        for i in range(3):
            d.solid.mat[1, 3 * i + k] = column[i]


@helper
def aabb(m, d):
    """(lower, upper) corners of the second solid's AABB."""
    x1 = raw_support(m, d, 1, (1.0, 0.0, 0.0), False)[0]
    x0 = raw_support(m, d, 1, (-1.0, 0.0, 0.0), False)[0]
    y1 = raw_support(m, d, 1, (0.0, 1.0, 0.0), False)[1]
    y0 = raw_support(m, d, 1, (0.0, -1.0, 0.0), False)[1]
    z1 = raw_support(m, d, 1, (0.0, 0.0, 1.0), False)[2]
    z0 = raw_support(m, d, 1, (0.0, 0.0, -1.0), False)[2]
    return (x0, y0, z0), (x1, y1, z1)


@inline
def grid_range(low, high, half, n):
    """First and last of n grid lines from -half to half that enclose an interval."""
    first = floor((low + half) / (2.0 * half) * (n - 1))
    last = ceil((high + half) / (2.0 * half) * (n - 1))
    return max(0, int(first)), min(n - 1, int(last))


@helper
def add_corner(m, d, hfield, row, column):
    """Shift the vertices of the prism, and append those of a grid point."""
    for k in (0, 1, 3, 4):
        put3(d.prism.vertex, k, get3(d.prism.vertex, k + 1))
    half_x, half_y = m.hfield_size[hfield, 0], m.hfield_size[hfield, 1]
    nrow, ncol = m.hfield_nrow[hfield], m.hfield_ncol[hfield]
    x = 2.0 * half_x / (ncol - 1) * column - half_x
    y = 2.0 * half_y / (nrow - 1) * row - half_y
    z = m.hfield_data[m.hfield_adr[hfield] + row * ncol + column] * m.hfield_size[hfield, 2]
    put3(d.prism.vertex, 2, (x, y, -m.hfield_size[hfield, 3]))
    put3(d.prism.vertex, 5, (x, y, z))


@helper
def prism_touches(m, d, floor_z):
    """Whether the prism and the second solid overlap, with witness points."""
    # early out: the top is below the geom
    if d.prism.vertex[3, 2] < floor_z and d.prism.vertex[4, 2] < floor_z and d.prism.vertex[5, 2] < floor_z:
        return False
    centre = (0.0, 0.0, 0.0)
    for k in range(6):
        centre = add3(centre, get3(d.prism.vertex, k))
    put3(d.solid.pos, 0, scale3(centre, 1.0 / 6.0))
    touch, _ = penetration(m, d)
    return touch


@helper
def put_world(d, k, g, margin):
    """Row k of the manifold: the witness points, from the frame of geom g to world coordinates."""
    put_witness(d, k, 0, margin)
    r = get9(d.geom_xmat, g)
    put3(d.manifold.pos, k, add3(mat_vec(r, get3(d.manifold.pos, k)), get3(d.geom_xpos, g)))
    put3(d.manifold.normal, k, mat_vec(r, get3(d.manifold.normal, k)))


@kernel(when=has_hfield, exact=True)
def hfield_convex(m, d, g1: int, g2: int, margin: float) -> int:
    """The deepest point of every prism under the geom."""
    hfield = m.geom_dataid[g1]
    x, y, top, base = (
        m.hfield_size[hfield, 0],
        m.hfield_size[hfield, 1],
        m.hfield_size[hfield, 2],
        m.hfield_size[hfield, 3],
    )
    put_relative(m, d, g1, g2)
    low, high = aabb(m, d)
    if low[0] - margin > x or high[0] + margin < -x or low[1] - margin > y or high[1] + margin < -y:
        return 0
    if low[2] - margin > top or high[2] + margin < -base:
        return 0
    d.solid.type[0] = GEOM_HFIELD
    d.solid.inflate[0] = 0.5 * margin
    d.solid.vertex[0] = -1
    d.solid.inflate[1] = 0.5 * margin
    first_column, last_column = grid_range(low[0] - margin, high[0] + margin, x, m.hfield_ncol[hfield])
    first_row, last_row = grid_range(low[1] - margin, high[1] + margin, y, m.hfield_nrow[hfield])
    n = 0
    for row in range(first_row, last_row):
        # triangle strip: each grid point makes a triangle with the two before it
        for column in range(first_column, last_column + 1):
            for k in range(2):
                add_corner(m, d, hfield, row + 1 - k, column)
                if column > first_column and prism_touches(m, d, low[2] - margin):
                    if n == MAX_POINTS:
                        warn(d, WARN_CONTACTFULL, MAX_POINTS)
                        return n
                    put_world(d, n, g1, margin)
                    if uses_mpr(m):
                        analytic_normal(m, d, n, g1, g2)
                    n += 1
    return n
