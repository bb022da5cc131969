"""Turns of windows: each has a thread of its own, and one at a time uses what the process has only once.

ImGui and ImPlot have one current context, the theme one look. A window holds the turn while it handles events and makes
a frame, and gives it up while it waits: for the screen, for input, for another window. Turns are given in the order in
which they were asked for, so a window with slow frames does not keep the others from theirs.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class FairLock:
    """A lock that its waiters get in the order in which they came."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._held = False

    def acquire(self) -> None:
        """Wait for it."""
        with self._guard:
            if not self._held:
                self._held = True
                return
            mine = threading.Lock()
            mine.acquire()
            self._waiting.append(mine)
        mine.acquire()

    def release(self) -> None:
        """Hand it to the one that has waited longest."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._held = False


class _Held(threading.local):
    """What the present thread calls when its turn begins; None if it has no turn."""

    begin: Callable[[], None] | None = None


_lock = FairLock()
_held = _Held()


@contextmanager
def turn(begin: Callable[[], None]) -> Iterator[None]:
    """Have the turn; `begin` makes the window's contexts current."""
    if _held.begin is not None:
        raise RuntimeError("this thread already has its turn")
    _lock.acquire()
    _held.begin = begin
    try:
        begin()
        yield
    finally:
        _held.begin = None
        _lock.release()


@contextmanager
def pause() -> Iterator[None]:
    """Let other windows have their turns meanwhile; without a turn this does nothing."""
    begin = _held.begin
    if begin is None:
        yield
        return
    _held.begin = None
    _lock.release()
    try:
        yield
    finally:
        _lock.acquire()
        _held.begin = begin
        begin()
