"""Background threads: their priority, their end, errors, requests that were dropped, and answers that never come."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import pytest

from app.run.background_thread import NICE, BackgroundThread, FollowingThread, Reply, Rest, answer_of


@dataclass(frozen=True)
class Divided:
    """What a thread found."""

    value: float = 0.0
    error: str = ""
    version: int = 0


class Divider(BackgroundThread):
    """Divides 1 by its messages."""

    def __init__(self) -> None:
        super().__init__("divider")
        self.latest = Divided()
        self.priorities: list[int] = []

    def _handle(self, message: int) -> None:
        if sys.platform == "linux":
            self.priorities.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        self._publish(value=1 / message)


def test_messages_in_order_until_it_is_closed_and_an_error_ends_nothing() -> None:
    divider = Divider()
    for message in (0, 2):
        divider._inbox.put(message)
    divider.close()
    divider.start()
    assert divider.join(20)
    assert (divider.latest.value, divider.latest.version) == (0.5, 2)
    assert "division" in divider.latest.error
    if sys.platform == "linux":
        own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        assert set(divider.priorities) == {max(own, NICE)}


def test_an_answer_is_waited_for_until_it_is_cancelled_or_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer_of(lambda reply: reply(3)) == 3
    assert answer_of(lambda _: None, lambda: True) is None
    monkeypatch.setattr("app.run.background_thread.ANSWER_SECONDS", 0.0)
    with pytest.raises(TimeoutError, match="is not responding"):
        answer_of(lambda _: None)


class Question(NamedTuple):
    number: int
    running: bool = False


class Echo(FollowingThread[Question]):
    """Asks for each number once, and remembers what was answered."""

    def __init__(self, sleep: Callable[[float], None]) -> None:
        super().__init__("echo", sleep, Rest(0.0, 0.5, 1.0))
        self.asked: list[int] = []
        self.answered: list[int] = []
        self.errors: list[str] = []

    def _ask(self, request: Question) -> None:
        if request.number not in self.asked:
            self.asked.append(request.number)
            self._waiting = True

    def _answer(self, reply: Reply[Question]) -> bool:
        self.answered.append(reply.taken)
        return True

    def _report(self, error: Exception) -> None:
        self.errors.append(str(error))


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
    monkeypatch.setattr("app.run.background_thread.time.monotonic", lambda: now[0])
    echo = Echo(lambda _: None)
    echo.want(Question(1))
    assert echo.turn() and echo.turn(0.0) and echo.asked == [1]
    # frames go on, so that there is always a message
    for number in (2, 3):
        now[0] += 6.0
        echo.want(Question(number))
        assert echo.turn()
    echo.want(Question(4))
    assert echo.turn(0.0) and echo.asked == [1, 3]


def test_a_request_that_fails_is_reported_once_and_the_next_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    echo = Echo(lambda _: None)

    def refuse(request: Question) -> None:
        raise ValueError(f"{request.number} is unknown")

    with monkeypatch.context() as patch:
        patch.setattr(echo, "_ask", refuse)
        echo.want(Question(1))
        assert all(echo.turn(0.0) for _ in range(4)) and echo.errors == ["1 is unknown"]
    echo.want(Question(2))
    assert echo.turn(0.0) and echo.turn(0.0) and echo.asked == [2]
    # an answer that cannot be used
    monkeypatch.setattr(echo, "answered", None)
    echo._inbox.put(Reply(Question(2), 20))
    assert echo.turn(0.0) and len(echo.errors) == 2 and not echo._waiting
