"""Keeps searches interruptible that may take any number of iterations: now and then they let Python hear signals.

Another thread ends them with `end`. `allow_interrupts` has `pause` call Python, for models whose numbers of iterations
say that they need it.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from sim.jit import kernel

if TYPE_CHECKING:
    from sim.typed_fields import ModelFields

# iterations between two pauses; with fewer, a search never pauses
MANY = 1 << 12
COUNTS = ("iterations", "noslip_iterations", "ls_iterations", "ccd_iterations")

# threads whose computation is to end
_ending: set[int] = set()


class Ended(Exception):
    """Another thread has ended a computation."""


def is_endless(m: ModelFields) -> bool:
    """Whether a search may take so many iterations that it pauses."""
    return any(getattr(m.opt, name) > MANY for name in COUNTS)


@kernel(when=is_endless)
def pause():
    """Native code has nothing to do here."""


def hear_signals() -> None:
    """Python has handled signals before it comes here; another thread may have asked for the end."""
    thread = threading.get_ident()
    if thread in _ending:
        _ending.discard(thread)
        raise Ended


def end(thread: int | None) -> None:
    """Have what a thread computes raise Ended, at its next pause."""
    if thread is not None:
        _ending.add(thread)


def forget_end() -> None:
    """What this thread computes from now on was not meant."""
    _ending.discard(threading.get_ident())


def allow_interrupts() -> None:
    """Let `pause` call Python from now on."""
    if pause.stand_in is None:
        pause.redirect(hear_signals)
