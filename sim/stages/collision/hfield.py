"""A height field against convex geoms.

(geom_xpos, geom_xmat, hfield) -> (hit). In the frame of the height field, the cells that are under the geom's bounding
box are looked at row by row. Each is two triangles; together with the base a triangle makes a prism, which is convex.
A margin raises the prisms and inflates the geom. At most 50 hits are kept, as in MuJoCo, and a warning says so.
"""

from math import ceil, floor
from typing import Any

from sim.enums import GEOM_HFIELD, WARN_CONTACTFULL
from sim.jit import helper, inline, kernel
from sim.math.quat import get9, mat_vec, mat_vec_t
from sim.math.vec import add3, get3, put3, scale3, sub3
from sim.stages.collision.convex import penetration, put_witness
from sim.stages.collision.hit import touchable_types
from sim.stages.collision.smooth import smooth_normal
from sim.stages.collision.support import bare_support, by_portal, put_solid
from sim.state.warning import warn

MOST = 50  # hits of a pair


def has_hfield(m: Any) -> bool:
    """Whether a model is likely to need these routines."""
    types = touchable_types(m)
    return GEOM_HFIELD in types and max(types) > GEOM_HFIELD


@helper
def put_relative(m, d, g1, g2):
    """The second solid: geom g2 in the frame of geom g1, not inflated."""
    put_solid(m, d, 1, g2, 0.0)
    r1, r2 = get9(d.geom_xmat, g1), get9(d.geom_xmat, g2)
    put3(d.solid.pos, 1, mat_vec_t(r1, sub3(get3(d.geom_xpos, g2), get3(d.geom_xpos, g1))))
    for k in range(3):
        column = mat_vec_t(r1, (r2[k], r2[3 + k], r2[6 + k]))
        for i in range(3):
            d.solid.mat[1, 3 * i + k] = column[i]


@helper
def bounds(m, d):
    """(lower, upper) corner of the second solid's bounding box."""
    x1 = bare_support(m, d, 1, (1.0, 0.0, 0.0), False)[0]
    x0 = bare_support(m, d, 1, (-1.0, 0.0, 0.0), False)[0]
    y1 = bare_support(m, d, 1, (0.0, 1.0, 0.0), False)[1]
    y0 = bare_support(m, d, 1, (0.0, -1.0, 0.0), False)[1]
    z1 = bare_support(m, d, 1, (0.0, 0.0, 1.0), False)[2]
    z0 = bare_support(m, d, 1, (0.0, 0.0, -1.0), False)[2]
    return (x0, y0, z0), (x1, y1, z1)


@inline
def cells(low, high, half, n):
    """First and last grid line around a range, of n lines from -half to half."""
    first = floor((low + half) / (2.0 * half) * (n - 1))
    last = ceil((high + half) / (2.0 * half) * (n - 1))
    return max(0, int(first)), min(n - 1, int(last))


@helper
def add_corner(m, d, hfield, margin, row, column):
    """Shift the corners of the prism, and take a grid point as the last one."""
    for k in (0, 1, 3, 4):
        put3(d.prism.corner, k, get3(d.prism.corner, k + 1))
    half_x, half_y = m.hfield_size[hfield, 0], m.hfield_size[hfield, 1]
    nrow, ncol = m.hfield_nrow[hfield], m.hfield_ncol[hfield]
    x = 2.0 * half_x / (ncol - 1) * column - half_x
    y = 2.0 * half_y / (nrow - 1) * row - half_y
    z = m.hfield_data[m.hfield_adr[hfield] + row * ncol + column] * m.hfield_size[hfield, 2] + margin
    put3(d.prism.corner, 2, (x, y, -m.hfield_size[hfield, 3]))
    put3(d.prism.corner, 5, (x, y, z))


@helper
def prism_touches(m, d, floor_z):
    """Whether the prism and the second solid overlap, which is then in the witnesses."""
    # not if it is all below
    if d.prism.corner[3, 2] < floor_z and d.prism.corner[4, 2] < floor_z and d.prism.corner[5, 2] < floor_z:
        return False
    centre = (0.0, 0.0, 0.0)
    for k in range(6):
        centre = add3(centre, get3(d.prism.corner, k))
    put3(d.solid.pos, 0, scale3(centre, 1.0 / 6.0))
    touch, _ = penetration(m, d)
    return touch


@helper
def put_world(d, k, g):
    """Row k of the hits: the witnesses, from the frame of geom g into the world."""
    put_witness(d, k, 0, 0.0)
    r = get9(d.geom_xmat, g)
    put3(d.hit.pos, k, add3(mat_vec(r, get3(d.hit.pos, k)), get3(d.geom_xpos, g)))
    put3(d.hit.normal, k, mat_vec(r, get3(d.hit.normal, k)))


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
    low, high = bounds(m, d)
    if low[0] - margin > x or high[0] + margin < -x or low[1] - margin > y or high[1] + margin < -y:
        return 0
    if low[2] - margin > top or high[2] + margin < -base:
        return 0
    d.solid.kind[0] = GEOM_HFIELD
    d.solid.skin[0] = 0.0
    d.solid.vertex[0] = -1
    d.solid.skin[1] = 0.5 * margin
    first_column, last_column = cells(low[0], high[0], x, m.hfield_ncol[hfield])
    first_row, last_row = cells(low[1], high[1], y, m.hfield_nrow[hfield])
    n = 0
    for row in range(first_row, last_row):
        # a strip of triangles: every point makes one with the two before it
        for column in range(first_column, last_column + 1):
            for k in range(2):
                add_corner(m, d, hfield, margin, row + 1 - k, column)
                if column > first_column and prism_touches(m, d, low[2]):
                    if n == MOST:
                        warn(d, WARN_CONTACTFULL, MOST)
                        return n
                    put_world(d, n, g1)
                    if by_portal(m):
                        smooth_normal(m, d, n, g1, g2)
                    n += 1
    return n
