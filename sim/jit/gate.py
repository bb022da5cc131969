"""A gate before native code: kernels are exchanged while no thread is inside, and others wait outside meanwhile.

A call costs 0.1 us more for it. A thread that is inside may call on, from a Python function that native code calls: it
is not asked to wait.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from weakref import WeakSet

# s for which callers are kept waiting at a time, between such times, and in all
SHUT_SECONDS, OPEN_SECONDS, PATIENCE = 0.25, 0.05, 60.0


class Inside:
    """How many calls of one thread are inside, one within the other."""

    __slots__ = ("__weakref__", "calls")

    def __init__(self) -> None:
        self.calls = 0


class Gate:
    """Each thread counts its own calls, without a lock; then it looks whether the gate is shut."""

    def __init__(self) -> None:
        self.shut = False
        self._opened = threading.Event()
        self._one = threading.Lock()
        self._threads: WeakSet[Inside] = WeakSet()
        self._adding = threading.Lock()

    def new_thread(self) -> Inside:
        """The count of a thread that will make calls."""
        inside = Inside()
        with self._adding:
            self._threads.add(inside)
        return inside

    def wait(self, inside: Inside) -> None:
        """Called by a thread that has counted itself in: wait outside until the gate is open."""
        # a thread that was inside before goes on: whoever shuts the gate waits for it
        while self.shut and inside.calls == 1:
            inside.calls = 0
            self._opened.wait()
            inside.calls = 1

    @contextlib.contextmanager
    def closed(self, own: Inside) -> Iterator[None]:
        """No thread is inside; TimeoutError if that does not come about."""
        if own.calls:
            raise RuntimeError("kernels cannot be exchanged from a function that native code calls")
        with self._one:
            try:
                self._empty(time.monotonic() + PATIENCE)
                yield
            finally:
                self._open()

    def _empty(self, end: float) -> None:
        """Shut the gate until none is inside; now and then let callers through, for one inside may wait for them."""
        while True:
            self._opened.clear()
            self.shut = True
            stop = time.monotonic() + SHUT_SECONDS
            while time.monotonic() < stop:
                if not self._any_inside():
                    return
                time.sleep(0.0002)
            if time.monotonic() > end:
                raise TimeoutError(f"native code has been running for {PATIENCE:.0f} s: kernels were not exchanged")
            self._open()
            time.sleep(OPEN_SECONDS)

    def _any_inside(self) -> bool:
        with self._adding:
            return any(inside.calls for inside in self._threads)

    def _open(self) -> None:
        self.shut = False
        self._opened.set()


gate = Gate()
