"""Threads of low priority next to the simulation and the window: the base of all that answer or compute meanwhile."""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from app.files.error_text import describe

NICE = 10
# the simulation may be in a long step, or may have dropped a question with its model, s
ANSWER_SECONDS = 10.0
# how often a thread that waits looks whether it is cancelled, s
LOOK_SECONDS = 0.1
A = TypeVar("A")


def lower_priority() -> None:
    """Lower the priority of the calling thread; processes that it starts inherit that."""
    # elsewhere a thread has no priority of its own
    if sys.platform == "linux":
        thread = threading.get_native_id()
        # raising it is not allowed
        os.setpriority(os.PRIO_PROCESS, thread, max(os.getpriority(os.PRIO_PROCESS, thread), NICE))


def low_priority_thread(name: str, work: Callable[[], object]) -> threading.Thread:
    """A thread of low priority for one piece of work; it has not begun."""

    def run() -> None:
        lower_priority()
        work()

    return threading.Thread(target=run, name=name, daemon=True)


def answer_of(ask: Callable[[Callable[[A], None]], None], cancelled: Callable[[], bool] = lambda: False) -> A | None:
    """The simulation's answer to a question that `ask` sends with a reply; None where it was cancelled.

    TimeoutError if it takes longer than ANSWER_SECONDS.
    """
    answers: queue.SimpleQueue[A] = queue.SimpleQueue()
    ask(answers.put)
    until = time.monotonic() + ANSWER_SECONDS
    while not cancelled():
        try:
            return answers.get(timeout=LOOK_SECONDS)
        except queue.Empty:
            if time.monotonic() >= until:
                raise TimeoutError("the simulation is not responding") from None
    return None


class BackgroundThread:
    """A thread of low priority that handles messages until it is closed, and leaves what it found in `latest`.

    An error is reported in `latest` and ends nothing. All but `start`, `close`, `join` and `latest` belongs to the
    thread.
    """

    # a dataclass with a `version` that grows with each change, of each thread's own type
    latest: Any

    def __init__(self, name: str) -> None:
        # None ends it
        self._inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._thread = low_priority_thread(name, self._run)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End the thread, soon."""
        self._inbox.put(None)

    def join(self, seconds: float) -> bool:
        """Wait for the end of the thread; False if that takes longer."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while self.turn():
            pass

    def turn(self, wait: float | None = None) -> bool:
        """Handle messages; False at the end. `wait` is the longest time to wait for one; None leaves that open."""
        for message in self._messages(wait):
            if message is None:
                return False
            try:
                self._handle(message)
            except Exception as error:
                self._report(error)
        return True

    def _messages(self, wait: float | None) -> Iterator[Any]:
        """The messages in the inbox; the first is waited for, at most `wait` seconds, or indefinitely."""
        try:
            yield self._inbox.get(timeout=wait)
            while True:
                yield self._inbox.get_nowait()
        except queue.Empty:
            return

    def _publish(self, **changes: Any) -> None:
        """Change what the GUI sees."""
        self.latest = replace(self.latest, version=self.latest.version + 1, **changes)

    # for each thread to define

    def _handle(self, message: Any) -> None:
        """Handle a message."""
        raise NotImplementedError

    def _report(self, error: Exception) -> None:
        """Say why there is no answer."""
        self._publish(error=describe(error))


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


class FollowingThread(BackgroundThread, Generic[R]):
    """A background thread that answers the newest request of an instrument.

    The GUI says in each frame what is asked (`want`) and takes what was found (`latest`); while nothing is asked the
    thread sleeps. It asks the simulation for states (`_ask`), which come as replies (`_answer`).
    """

    def __init__(self, name: str, sleep: Callable[[float], None], rest: Rest = Rest()) -> None:  # noqa: B008
        super().__init__(name)
        self._sleep, self._rest = sleep, rest
        self._said: object = None
        self._request: R | None = None
        # whether the simulation is asked for something, and since when, by time.monotonic
        self._waiting, self._asked = False, 0.0

    def want(self, request: R | None) -> None:
        """Say what is shown now; None: nothing. For the GUI."""
        said = None if request is None else self._key_of(request)
        if said != self._said:
            self._said = said
            self._inbox.put(_Wanted(request))

    def turn(self, wait: float | None = None) -> bool:
        """Ask for what is missing, and handle messages; False at the end."""
        worked = False
        if not self._waiting:
            request = self._request
            try:
                worked = self._begin_turn()
            except Exception as error:
                self._failed(request, error)
            self._asked = time.monotonic()
        if not super().turn(0.0 if worked else ANSWER_SECONDS if self._waiting and wait is None else wait):
            return False
        if wait is None and time.monotonic() - self._asked >= ANSWER_SECONDS:
            self._waiting = False
        return True

    def _handle(self, message: Any) -> None:
        if isinstance(message, _Wanted):
            self._want_now(message.request)
            return
        self._waiting = False
        try:
            self._rested(message.request, lambda: self._answer(message))
        except Exception as error:
            self._failed(message.request, error)

    def _rested(self, request: R, work: Callable[[], bool]) -> bool:
        """Work, and rest after it while the simulation runs; returns whether there was work."""
        began = time.perf_counter()
        done = work()
        if done and request.running:
            self._sleep(self._rest.after(time.perf_counter() - began))
        return done

    def _reply(self, request: R, taken: Any) -> None:
        """Hand over what the simulation has taken for a request; called by the simulation."""
        self._inbox.put(Reply(request, taken))

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

    def _failed(self, request: R | None, error: Exception) -> None:
        """A request cannot be answered: it rests until another one comes."""
        if self._request is request:
            self._request = None
        self._report(error)
