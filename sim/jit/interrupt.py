"""Ctrl+C while native code calls Python.

Python handles a signal as soon as it runs anything. In a function that native code calls that is before its first line,
outside of any `try`: what the handler raises would get lost in native code. So signals wait until Python may raise.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Sequence
from typing import Any


class Interrupts:
    """Of one thread; only the main thread handles signals."""

    def __init__(self) -> None:
        self._main = threading.current_thread() is threading.main_thread()
        # whether native code is running, or calls
        self.native = False
        self._handler: Any = None
        self._waiting: tuple[Any, ...] = ()

    def call(self, entry: Callable[..., int], values: Sequence[Any]) -> int:
        """Call native code that may call Python; takes 1 us."""
        handler = signal.getsignal(signal.SIGINT) if self._main else None
        if not callable(handler):
            return entry(*values)
        outermost = handler != self._wait
        if outermost:
            self._handler = handler
            signal.signal(signal.SIGINT, self._wait)
        outer, self.native = self.native, True
        try:
            return entry(*values)
        finally:
            if outermost:
                signal.signal(signal.SIGINT, handler)
            self.native = outer
            self.deliver()

    def deliver(self) -> None:
        """Handle the signal that has come meanwhile."""
        if self._waiting and not self.native:
            signalled, self._waiting = self._waiting, ()
            self._handler(*signalled)

    def _wait(self, *signalled: Any) -> None:
        self._waiting = signalled
        self.deliver()
