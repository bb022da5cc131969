"""Contact manifolds of geom pairs: how collision functions write their points, and which models need which."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from sim.jit import inline
from sim.math.vec import add3, put3, scale3

if TYPE_CHECKING:
    from sim.typed_fields import ModelFields


@inline
def put_point(d, k, dist, pos, normal, tangent):
    """Row k of the manifold."""
    d.manifold.dist[k] = dist
    put3(d.manifold.pos, k, pos)
    put3(d.manifold.normal, k, normal)
    put3(d.manifold.tangent, k, tangent)


@inline
def put_below(d, k, dist, point, normal):
    """A point between a plane and a point of the other geom, `dist` above it."""
    put_point(d, k, dist, add3(point, scale3(normal, -0.5 * dist)), normal, (0.0, 0.0, 0.0))


@inline
def z_axis(a, g):
    """Third column of the rotation matrix in row g."""
    return a[g, 2], a[g, 5], a[g, 8]


@inline
def pick(v, k):
    """Component k of a vector, for k not known at compile time."""
    return v[0] if k == 0 else (v[1] if k == 1 else v[2])


@inline
def clamp(x, low, high):
    return low if x < low else (high if x > high else x)


def touchable_types(m: "ModelFields") -> list[int]:
    """Types of all geoms that can collide."""
    touchable = (m.geom_contype | m.geom_conaffinity) != 0
    touchable[m.pair_geom1] = touchable[m.pair_geom2] = True
    types: list[int] = m.geom_type[touchable].tolist()
    return types


def of_types(needed: "Callable[[list[int]], bool]") -> "Callable[[ModelFields], bool]":
    """Predicate: `needed` is true for the types of all geoms that can collide.

    It is asked about all geoms first: if it is false for these, no edit of contype makes it true.
    """
    return lambda m: needed(m.geom_type.tolist()) and needed(touchable_types(m))


def both(type1: int, type2: int) -> "Callable[[ModelFields], bool]":
    """Predicate: a model has geoms of both types, or two of one type, and is likely to need a collision function."""
    return of_types(lambda types: type1 in types and type2 in types and (type1 != type2 or types.count(type1) > 1))
