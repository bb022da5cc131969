"""Hooks of the user's callbacks: a filter of geom pairs, and collision functions.

hooks: () -> 1 if there are any. The stage calls it once, so that without callbacks a pair costs only a flag test.
"""

from sim.jit import helper, inline, kernel
from sim.stages.collision.filter import geom_collides, geoms_match


@kernel
def hooks(m, d) -> int:
    """Whether the user has a contact filter or collision functions: by default, no."""
    return 0


@kernel(when=lambda m: False)
def some_hooks(m, d) -> int:
    """Stands in for `hooks` while there are some."""
    return 1


@kernel(when=lambda m: False)
def user_filter(m, d, g1: int, g2: int) -> int:
    """Whether the pair is discarded: by default, if its masks are not compatible."""
    return 0 if geoms_match(m, g1, g2) else 1


@kernel(when=lambda m: False)
def user_manifold(m, d, g1: int, g2: int, margin: float) -> int:
    """Size of the manifold that the user's collision function wrote; -1: there is none for these types."""
    return -1


@inline
def passes_masks(m, d, g1, g2):
    """Whether the masks of two geoms are compatible. With hooks, user_filter decides instead, later."""
    return d.hooked != 0 or geoms_match(m, g1, g2)


@helper
def filtered(m, d, g1, g2):
    """Whether the user's filter discards the pair, or one of the geoms does not collide at all."""
    if d.hooked == 0:
        return False
    return not geom_collides(m, g1) or not geom_collides(m, g2) or user_filter(m, d, g1, g2) != 0
