"""Threads of low priority: the simulation and the window go first; those that follow what an instrument shows."""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

NICE = 10
# the simulation may have dropped a question, with its model, s
ANSWER_SECONDS = 5.0
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


class Rest(NamedTuple):
    """Rest after work while the simulation runs: a multiple of the work, at least and at most so many seconds."""

    share: float = 4.0
    shortest: float = 0.03
    longest: float = 0.3

    def after(self, seconds: float) -> float:
        """How long to rest after so much work."""
        return min(max(self.share * seconds, self.shortest), self.longest)


class Asked(Protocol):
    """What an instrument asks in a frame."""

    @property
    def running(self) -> bool:
        """Whether the simulation runs meanwhile."""


R = TypeVar("R", bound=Asked)


class Reply(NamedTuple, Generic[R]):
    """What the simulation has handed out for a request."""

    request: R
    taken: Any


class _Wanted(NamedTuple):
    request: Any


class FollowingThread(Generic[R]):
    """A thread of low priority that follows what an instrument shows.

    The GUI says in each frame what is asked (`want`) and takes what was found (`latest`, of each thread's own type);
    while nothing is asked the thread sleeps. It asks the simulation for states (`_ask`), which come as replies
    (`_answer`). All but `start`, `want`, `close` and `latest` belongs to the thread.
    """

    def __init__(self, name: str, sleep: Callable[[float], None], rest: Rest = Rest()) -> None:  # noqa: B008
        self._sleep, self._rest = sleep, rest
        self._inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._said: object = None
        self._request: R | None = None
        # whether the simulation is asked for something, and since when, by time.monotonic
        self._waiting, self._asked = False, 0.0
        self._thread = low_priority_thread(name, self.turn)

    # for the GUI

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def want(self, request: R | None) -> None:
        """Say what is shown now; None: nothing."""
        said = None if request is None else self._key_of(request)
        if said != self._said:
            self._said = said
            self._inbox.put(_Wanted(request))

    def close(self) -> None:
        """End the thread, soon."""
        self._inbox.put(None)

    # the thread

    def turn(self, wait: float | None = None) -> bool:
        """Handle messages, and ask for what is missing; False at the end.

        `wait` is the longest time to wait for a message; None leaves that open.
        """
        worked = False
        if not self._waiting:
            worked = self._begin_turn()
            self._asked = time.monotonic()
        limit = 0.0 if worked else ANSWER_SECONDS if self._waiting and wait is None else wait
        for message in messages(self._inbox, limit):
            if message is None:
                return False
            self._handle(message)
        if wait is None and time.monotonic() - self._asked >= ANSWER_SECONDS:
            self._waiting = False
        return True

    def _handle(self, message: Any) -> None:
        if isinstance(message, _Wanted):
            self._want_now(message.request)
        else:
            self._waiting = False
            self._rested(message.request, lambda: self._answer(message))

    def _rested(self, request: R, work: Callable[[], bool]) -> bool:
        """Work, and rest after it while the simulation runs; returns whether there was work."""
        began = time.perf_counter()
        done = work()
        if done and request.running:
            self._sleep(self._rest.after(time.perf_counter() - began))
        return done

    # for each thread to define

    def _key_of(self, request: R) -> object:
        """What the answer to a request depends on."""
        return request

    def _want_now(self, request: R | None) -> None:
        """Something else is asked; None: nothing."""
        self._request = request

    def _begin_turn(self) -> bool:
        """Begin a turn in which the simulation is asked for nothing yet; returns whether that was work."""
        if self._request is not None:
            self._ask(self._request)
        return False

    def _ask(self, request: R) -> None:
        """Ask the simulation for what is missing, and say so in `_waiting`."""

    def _answer(self, reply: Any) -> bool:
        """Take what the simulation has handed out; returns whether that was work."""
        raise NotImplementedError
