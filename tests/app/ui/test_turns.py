"""Turns of windows: one at a time, in the order in which they were asked for (app/ui/turns.py)."""

from __future__ import annotations

import threading

import pytest

from app.ui import turns
from app.ui.turns import FairLock
from tests.patience import PATIENCE


def test_the_lock_is_handed_on_in_order() -> None:
    lock, order = FairLock(), list[int]()

    def wait(number: int) -> None:
        lock.acquire()
        order.append(number)
        lock.release()

    lock.acquire()
    threads = [threading.Thread(target=wait, args=(k,)) for k in range(5)]
    for k, thread in enumerate(threads):
        thread.start()
        while len(lock._waiting) <= k:
            pass
    # the one that lets go of it and asks again comes last
    lock.release()
    lock.acquire()
    order.append(9)
    lock.release()
    for thread in threads:
        thread.join(PATIENCE)
    assert order == [0, 1, 2, 3, 4, 9]


def test_a_turn_that_is_paused_lets_others_in_and_begins_again() -> None:
    begun = list[str]()

    def other() -> None:
        with turns.turn(lambda: begun.append("other")):
            pass

    with turns.turn(lambda: begun.append("mine")):
        thread = threading.Thread(target=other)
        thread.start()
        assert begun == ["mine"]
        with turns.pause():
            thread.join(PATIENCE)
            # nothing to pause
            with turns.pause():
                pass
        assert begun == ["mine", "other", "mine"]
        with pytest.raises(RuntimeError, match="already"), turns.turn(lambda: None):
            pass
    # after an error it is free too
    with pytest.raises(ZeroDivisionError), turns.turn(lambda: None):
        raise ZeroDivisionError
    with turns.turn(lambda: None):
        pass
