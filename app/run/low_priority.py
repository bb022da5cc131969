"""Threads of low priority, and their inboxes: the simulation and the window go first."""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

NICE = 10
M = TypeVar("M")


def lower_priority() -> None:
    """Lower the priority of the calling thread; processes that it starts inherit that."""
    # elsewhere a thread has no priority of its own
    if sys.platform == "linux":
        thread = threading.get_native_id()
        # raising it is not allowed
        os.setpriority(os.PRIO_PROCESS, thread, max(os.getpriority(os.PRIO_PROCESS, thread), NICE))


def low_priority_thread(name: str, turn: Callable[[], bool]) -> threading.Thread:
    """A thread that takes one turn after the other until one returns False."""

    def run() -> None:
        lower_priority()
        while turn():
            pass

    return threading.Thread(target=run, name=name, daemon=True)


def messages(inbox: queue.SimpleQueue[M], timeout: float | None) -> Iterator[M]:
    """What is in the inbox of a thread; the first is waited for, at most `timeout` seconds, or for ever."""
    try:
        yield inbox.get(timeout=timeout)
        while True:
            yield inbox.get_nowait()
    except queue.Empty:
        return
