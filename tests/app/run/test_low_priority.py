"""Threads of low priority: lower than the one that starts them, and they end when a turn says so."""

from __future__ import annotations

import os
import sys
import threading

from app.run.low_priority import NICE, low_priority_thread


def test_turns_until_one_is_the_last() -> None:
    turns, priorities = list[int](), list[int]()

    def turn() -> bool:
        turns.append(len(turns))
        if sys.platform == "linux":
            priorities.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        return len(turns) < 3

    thread = low_priority_thread("turns", turn)
    thread.start()
    thread.join(20)
    assert not thread.is_alive() and len(turns) == 3
    if sys.platform == "linux":
        own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        assert set(priorities) == {max(own, NICE)}
