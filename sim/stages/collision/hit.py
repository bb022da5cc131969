"""What pair routines share: how they write their hits, and which models need them."""

from collections.abc import Callable
from typing import Any

from sim.jit import inline
from sim.math.vec import add3, put3, scale3


@inline
def put_hit(d, k, dist, pos, normal, tangent):
    """Row k of the hits of a pair."""
    d.hit.dist[k] = dist
    put3(d.hit.pos, k, pos)
    put3(d.hit.normal, k, normal)
    put3(d.hit.tangent, k, tangent)


@inline
def put_below(d, k, dist, point, normal):
    """A hit between a plane and the point of the other geom that is `dist` above it."""
    put_hit(d, k, dist, add3(point, scale3(normal, -0.5 * dist)), normal, (0.0, 0.0, 0.0))


@inline
def z_axis(a, g):
    """Third column of the rotation matrix in row g."""
    return a[g, 2], a[g, 5], a[g, 8]


@inline
def pick(v, k):
    """Component k of a vector, k not known beforehand."""
    return v[0] if k == 0 else (v[1] if k == 1 else v[2])


@inline
def clamp(x, low, high):
    return low if x < low else (high if x > high else x)


def touchable_types(m: Any) -> list[int]:
    """Types of the geoms that may touch something; those that are only looked at are left out."""
    touchable = (m.geom_contype | m.geom_conaffinity) != 0
    touchable[m.pair_geom1] = touchable[m.pair_geom2] = True
    types: list[int] = m.geom_type[touchable].tolist()
    return types


def both(type1: int, type2: int) -> Callable[[Any], bool]:
    """Whether a model has geoms of two types, or two of one type: who is likely to need a pair routine."""

    def needed(m: Any) -> bool:
        types = touchable_types(m)
        return type1 in types and type2 in types and (type1 != type2 or types.count(type1) > 1)

    return needed
