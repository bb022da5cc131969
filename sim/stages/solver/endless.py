"""Keeps a solver interruptible that may take any number of iterations: now and then it lets Python hear signals.

`allow_interrupts` has `pause` call Python, for models whose numbers of iterations say that they need it.
"""

from __future__ import annotations

from sim.jit import kernel

# iterations between two pauses; with fewer, a solver never pauses
MANY = 1 << 12


@kernel(when=lambda m: m.opt.iterations > MANY or m.opt.noslip_iterations > MANY)
def pause():
    """Native code has nothing to do here."""


def hear_signals() -> None:
    """Python has handled signals before it comes here."""


def allow_interrupts() -> None:
    """Let `pause` call Python from now on."""
    if pause.stand_in is None:
        pause.redirect(hear_signals)
