"""Threads of low priority: lower than the one that starts them, and they end when a turn says so."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import NamedTuple

import pytest

from app.run.low_priority import NICE, FollowingThread, Reply, Rest, low_priority_thread


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


class Question(NamedTuple):
    number: int
    running: bool = False


class Echo(FollowingThread[Question]):
    """Asks for each number once, and remembers what was answered."""

    def __init__(self, sleep: Callable[[float], None]) -> None:
        super().__init__("echo", sleep, Rest(0.0, 0.5, 1.0))
        self.asked: list[int] = []
        self.answered: list[int] = []

    def _ask(self, request: Question) -> None:
        if request.number not in self.asked:
            self.asked.append(request.number)
            self._waiting = True

    def _answer(self, reply: Reply[Question]) -> bool:
        self.answered.append(reply.taken)
        return True


def test_a_following_thread_asks_once_and_rests_while_the_simulation_runs() -> None:
    rests: list[float] = []
    echo = Echo(rests.append)
    assert echo.turn(0.0) and echo.asked == []
    for question in (Question(1), Question(1), Question(2, running=True)):
        echo.want(question)
        assert echo.turn(0.0) and echo.turn(0.0)
    # the second has to wait for the answer to the first
    assert echo.asked == [1]
    echo._inbox.put(Reply(Question(1), 10))
    assert echo.turn(0.0) and echo.turn(0.0) and echo.asked == [1, 2]
    assert rests == []
    echo._inbox.put(Reply(Question(2, running=True), 20))
    assert echo.turn(0.0) and echo.answered == [10, 20]
    assert rests == [0.5]
    echo.want(None)
    echo.close()
    assert not echo.turn(0.0)


def test_a_following_thread_asks_again_where_a_question_was_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("app.run.low_priority.time.monotonic", lambda: now[0])
    echo = Echo(lambda _: None)
    echo.want(Question(1))
    assert echo.turn() and echo.turn(0.0) and echo.asked == [1]
    # frames go on, so that there is always a message
    for number in (2, 3):
        now[0] += 3.0
        echo.want(Question(number))
        assert echo.turn()
    echo.want(Question(4))
    assert echo.turn(0.0) and echo.asked == [1, 3]
