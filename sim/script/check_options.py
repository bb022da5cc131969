"""Checks the options of a model before a step: m.opt accepts any number, and native code does not check them.

For instance, native code would run an unknown solver as the last one. Options are checked only when they have changed;
finding that out costs a step 0.2 us.
"""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING

from sim.enums import (
    CONE_ELLIPTIC,
    CONE_PYRAMIDAL,
    DSBL_ISLAND,
    ENBL_SLEEP,
    INT_DISCRETE,
    INT_EULER,
    INT_IMPLICIT,
    INT_IMPLICITFAST,
    INT_RK4,
    INT_SPRINGDAMPER,
    JAC_AUTO,
    JAC_DENSE,
    JAC_SPARSE,
    SOL_CG,
    SOL_NEWTON,
    SOL_PGS,
)
from sim.fields import MODEL_LAYOUT
from sim.jit import Struct
from sim.state.endless import allow_interrupts, is_endless

if TYPE_CHECKING:
    from sim.model import Model

CHOICES = {
    "integrator": (INT_EULER, INT_RK4, INT_IMPLICIT, INT_IMPLICITFAST, INT_DISCRETE, INT_SPRINGDAMPER),
    "cone": (CONE_PYRAMIDAL, CONE_ELLIPTIC),
    "jacobian": (JAC_DENSE, JAC_SPARSE, JAC_AUTO),
    "solver": (SOL_PGS, SOL_CG, SOL_NEWTON),
}
COUNTS = ("iterations", "ls_iterations", "noslip_iterations", "ccd_iterations", "sdf_initpoints", "sdf_iterations")
NUMBERS = tuple(
    p.leaf for p in MODEL_LAYOUT.places.values() if p.group == "opt" and p.field.dtype == "f8" and not p.field.shape
)
# the words of all options in the block of a model are contiguous
_WORDS = sorted(p.word for p in MODEL_LAYOUT.places.values() if p.group == "opt")
OPTIONS = slice(_WORDS[0], _WORDS[-1] + 1)


def check_options(m: Model, moving: bool = False, level: int = 3) -> None:
    """Raise ValueError for an invalid option; `moving`: warn if sleep is enabled but RK4 does not support it.

    The warning is about the line that is `level` calls up.
    """
    known = getattr(m, "__dict__", {})
    words = known.get("option_words")
    if words is None:
        if not isinstance(m, Struct) or m.layout is not MODEL_LAYOUT:
            raise TypeError(f"m should be a Model, not {type(m).__name__}")
        words = known["option_words"] = m._block[OPTIONS]
    now = words.tobytes()
    if known.get("checked_options") == now:
        return
    for name, choices in CHOICES.items():
        if m.read(f"opt.{name}") not in choices:
            raise ValueError(f"opt.{name} is {m.read(f'opt.{name}')}: it must be one of {', '.join(map(str, choices))}")
    for name in COUNTS:
        if m.read(f"opt.{name}") < 0:
            raise ValueError(f"opt.{name} is {m.read(f'opt.{name}')}: it cannot be negative")
    if is_endless(m):
        allow_interrupts()
    for name in NUMBERS:
        if math.isnan(m.read(f"opt.{name}")):
            raise ValueError(f"opt.{name} is not a number")
    if not 0.0 < m.opt.timestep < math.inf:
        raise ValueError(f"opt.timestep is {m.opt.timestep}: it must be positive and finite")
    if m.opt.integrator == INT_DISCRETE and m.opt.enableflags & ENBL_SLEEP and m.opt.disableflags & DSBL_ISLAND:
        raise ValueError(
            "the discrete integrator does not support sleep without islands: enable island, or disable sleep"
        )
    if m.opt.integrator == INT_RK4 and m.opt.enableflags & ENBL_SLEEP:
        # warn every time: do not cache
        if moving:
            warnings.warn("nothing sleeps with RK4", stacklevel=level)
        return
    known["checked_options"] = now
