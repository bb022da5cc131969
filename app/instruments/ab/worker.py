"""Runs the second simulation of the A/B instrument beside the first, on a thread of its own.

The GUI says in each frame what is compared (`want`) and takes what was found (`latest`); while the instrument is closed
the thread sleeps. The simulation only copies states, between two of its steps: B follows the recorded ones, as far as A
has been simulated.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from app.background.row_source import RowSource, Taken
from app.instruments.ab.comparison import Comparison
from app.instruments.ab.follower import Ended
from app.instruments.ab.found import Found
from app.instruments.ab.subject import OtherBranch, Subject
from app.run.background_thread import FollowingThread, Rest
from app.run.commands import Send
from app.run.history.timeline import Timeline

# rows that are asked for at once
ROWS = 256
# rest after work while the simulation runs, as a multiple of it, and at least and at most, s
REST = Rest(2.0, 0.01, 0.2)


@dataclass(frozen=True)
class Request:
    """What is compared: A is the line that is shown, B starts from its step `since`."""

    timeline: Timeline
    serial: int
    subject: Subject
    since: int
    identity: object
    expressions: tuple[str, ...] = ()
    running: bool = False


@dataclass(frozen=True)
class Answer:
    """Rows that the simulation has copied: of A, from a step on, and of the other branch."""

    request: Request
    first: int
    a: Taken
    b: Taken = ()
    # the steps of the other branch at the times of A's
    steps: tuple[int, ...] = ()


class AbWorker(FollowingThread[Request]):
    """The thread of the A/B instrument."""

    def __init__(self, send: Send, sleep: Callable[[float], None] = time.sleep) -> None:
        super().__init__("A/B", sleep, REST)
        self._source = RowSource(send)
        # the snapshot for which the newest row was looked at
        self._seen = -1
        self._comparison: Comparison | None = None
        self._about: tuple[object, ...] = ()
        self.latest = Found()

    def _begin_turn(self) -> bool:
        return self._request is not None and self._work(self._request)

    def _answer(self, reply: Answer) -> bool:
        """Let B follow rows of A."""
        return self._follow(reply)

    def _work(self, request: Request) -> bool:
        """Begin again if something else is asked for, evaluate a part, ask for rows; returns whether it evaluated."""
        about = _about(request)
        if about != self._about:
            self._about, self._comparison, self._seen = about, None, -1
            self._show(Found(request.identity, request.subject, request.since))
        if self._comparison is not None:
            self._comparison.follow_branch(request.timeline)
        evaluated = self._comparison is not None and self._rested(request, lambda: self._evaluate(request))
        known = self._comparison.step if self._comparison is not None else None
        ended = self.latest.error or (self._comparison is not None and self._comparison.ended)
        first = request.since if known is None else known
        if not ended and (known is None or known < request.timeline.last or self._seen != request.serial):
            self._ask_rows(request, tuple(range(first, min(first + ROWS, request.timeline.last) + 1)))
        return evaluated

    # ---- rows

    def _ask_rows(self, request: Request, steps: tuple[int, ...]) -> None:
        """Ask for rows of A, and for those of the other branch at the same times."""
        timeline, subject = request.timeline, request.subject
        self._waiting, self._seen = True, request.serial
        if not isinstance(subject, OtherBranch):

            def take(taken: Taken) -> None:
                self._inbox.put(Answer(request, steps[0], taken))

            self._source.ask(timeline.branch, steps, take, exact=True)
            return
        if all(branch.id != subject.branch for branch in timeline.branches):
            self._waiting = False
            self._publish(error="that branch was removed")
            return
        there = tuple(timeline.step_at(timeline.time_of(step), subject.branch) for step in steps)
        held: list[Taken] = []
        self._source.ask(timeline.branch, steps, held.append, exact=True)
        self._source.ask(
            subject.branch, tuple(dict.fromkeys(there)),
            lambda taken: self._inbox.put(Answer(request, steps[0], held[0], taken, there)), exact=True,
        )  # fmt: skip

    def _follow(self, answer: Answer) -> bool:
        """Let B go on along rows of A."""
        request = answer.request
        if _about(request) != self._about or not self._continues(answer):
            return False
        parts = self._source.rows(answer.a)
        if not parts:
            return False
        if self._comparison is None:
            model = parts[0].model
            copy = partial(self._copy, model)
            self._comparison = Comparison(model, copy, request.subject, request.timeline, self._compiling)
        before = self._comparison.step, self._comparison.ended
        try:
            if isinstance(request.subject, OtherBranch):
                self._comparison.follow_other(parts, self._source.rows(answer.b), answer.steps, request.timeline)
            else:
                self._comparison.follow(parts)
        except Ended as error:
            self._comparison.ended = str(error)
        if (self._comparison.step, self._comparison.ended) != before:
            self._show(self._comparison.found(self.latest))
        return True

    def _continues(self, answer: Answer) -> bool:
        """Whether rows begin where B is: a question may have been asked twice, or of another branch."""
        if self._comparison is None:
            return answer.first == answer.request.since
        here = answer.request.since if self._comparison.step is None else self._comparison.step
        return answer.first == here and answer.request.timeline.branch == self._comparison.branch

    def _compiling(self, done: int, total: int, _: str) -> None:
        self._publish(doing=f"compiling for B: {done} of {total}")

    def _copy(self, model: Any) -> Any:
        """A copy of the simulation's model as its file has it."""
        return self._source.copies.of(model).model.copy()

    # ---- what is shown

    def _evaluate(self, request: Request) -> bool:
        """The moment that is shown, and some values of the expressions."""
        assert self._comparison is not None
        found = self._comparison.evaluate(self.latest, request.timeline.now, request.expressions)
        if found is None:
            return False
        self._show(found)
        return True

    def _show(self, found: Found) -> None:
        self.latest = replace(found, version=self.latest.version + 1)


def _about(request: Request) -> tuple[object, ...]:
    """What a comparison depends on."""
    return request.timeline.run, request.subject, request.since, request.identity
