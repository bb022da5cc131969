"""Where the user's functions enter collision: a filter of geom pairs, and pair routines of the user's own.

hooks: () -> 1 if there are any, which the stage asks once. Without them a pair costs no more than a look at that.
"""

from sim.jit import helper, inline, kernel
from sim.stages.collision.filter import can_touch, geoms_ask


@kernel
def hooks(m, d) -> int:
    """Whether the user has a filter or a routine: no."""
    return 0


@kernel(when=lambda m: False)
def some_hooks(m, d) -> int:
    """What stands in for `hooks` while there are some."""
    return 1


@kernel(when=lambda m: False)
def user_filter(m, d, g1: int, g2: int) -> int:
    """Whether two geoms are to be left alone: if neither asks for the other."""
    return 0 if geoms_ask(m, g1, g2) else 1


@kernel(when=lambda m: False)
def user_hits(m, d, g1: int, g2: int, margin: float) -> int:
    """Number of hits that the user's routine for two types has found; -1: there is none."""
    return -1


@inline
def may_ask(m, d, g1, g2):
    """Whether two geoms ask for each other. The user's filter takes the place of that, and is asked later."""
    return d.hooked != 0 or geoms_ask(m, g1, g2)


@helper
def filtered(m, d, g1, g2):
    """Whether the user leaves two geoms alone, or they touch nothing at all."""
    if d.hooked == 0:
        return False
    return not can_touch(m, g1) or not can_touch(m, g2) or user_filter(m, d, g1, g2) != 0
