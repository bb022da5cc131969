"""Keeps searches interruptible that may take any number of iterations: now and then they let Python hear signals.

`allow_interrupts` has `pause` call Python, for models whose numbers of iterations say that they need it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.jit import kernel

if TYPE_CHECKING:
    from sim.typed_fields import ModelFields

# iterations between two pauses; with fewer, a search never pauses
MANY = 1 << 12
COUNTS = ("iterations", "noslip_iterations", "ls_iterations", "ccd_iterations")


def is_endless(m: ModelFields) -> bool:
    """Whether a search may take so many iterations that it pauses."""
    return any(getattr(m.opt, name) > MANY for name in COUNTS)


@kernel(when=is_endless)
def pause():
    """Native code has nothing to do here."""


def hear_signals() -> None:
    """Python has handled signals before it comes here."""


def allow_interrupts() -> None:
    """Let `pause` call Python from now on."""
    if pause.stand_in is None:
        pause.redirect(hear_signals)
