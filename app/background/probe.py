"""Answers questions about the moment that is shown, on a thread of its own, for instruments that are open.

The GUI says in each frame what is asked (`want`) and takes what is answered (`latest`); without questions the thread
sleeps. The simulation only copies its state, between two of its steps; all else is computed with copies of its models.
The thread has a low priority, and rests while the simulation runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, Protocol

import sim
from app.background.row_source import RowSource
from app.files.error_text import describe
from app.run.background_thread import FollowingThread, Reply
from app.run.commands import Send
from app.run.history.taken_rows import TakenMoment


class Moment:
    """The state that is shown, in a Model and Data of the probe's own; everything that depends on it is computed."""

    def __init__(self, taken: TakenMoment, model: sim.Model, data: sim.Data) -> None:
        self.model, self.data = model, data
        self._taken = taken
        self._scratch: sim.Data | None = None
        # what questions about this moment have found for each other
        self.found: dict[object, Any] = {}
        model.engine.apply_edits(model, taken.edits)
        model.engine.restore_state(model, data, taken.state)
        model.engine.forward(model, data)

    def scratch(self) -> tuple[sim.Model, sim.Data]:
        """Model and another Data at the same state, where nothing that depends on it is computed.

        The Data may be changed until the next call; what is changed in the model has to be restored.
        """
        if self._scratch is None:
            self._scratch = self.model.engine.Data(self.model)
        self.model.engine.restore_state(self.model, self._scratch, self._taken.state)
        return self.model, self._scratch

    def freeze(self) -> tuple[sim.Model, Mapping[str, Any]]:
        """A copy of the model, edits included, and the state: they stay when the simulation goes on."""
        return self.model.copy(), self._taken.state


class Question(Protocol):
    """Something to ask about a moment; equal questions have equal answers."""

    def answer(self, moment: Moment) -> Any:
        """The answer, computed on the probe's thread. `moment` is not to be changed."""

    def __hash__(self) -> int: ...


@dataclass(frozen=True)
class Answer:
    """What was answered, about which moment; `error` says why there is no value."""

    value: Any
    error: str
    branch: int
    step: int
    time: float


@dataclass(frozen=True, eq=False)
class Answers:
    """The newest answers, and the view of the model that they are about; `version` grows with each change."""

    answers: Mapping[Question, Answer] = field(default_factory=dict)
    identity: object = None
    version: int = 0


class Request(NamedTuple):
    """What is asked; `serial` is that of the snapshot: with another one, the state may be another."""

    questions: frozenset[Question]
    serial: int
    running: bool


class Probe(FollowingThread[Request]):
    """Questions and answers."""

    def __init__(self, send: Send, sleep: Callable[[float], None] = time.sleep) -> None:
        super().__init__("probe", sleep)
        self._source = RowSource(send)
        # what was answered last, and the snapshot that it is about
        self._answered: tuple[frozenset[Question], int] = (frozenset(), -1)
        self.latest = Answers()

    def _key_of(self, request: Request) -> object:
        return request if request.questions else None

    def _ask(self, request: Request) -> None:
        """Ask for the moment if it may be another."""
        if request.questions and request[:2] != self._answered:
            self._waiting = True
            self._source.ask_moment(partial(self._reply, request))

    def _answer(self, reply: Reply[Request]) -> bool:
        """Answer all that is asked now about a moment."""
        taken: TakenMoment = reply.taken
        questions = self._request.questions if self._request is not None else frozenset()
        self._answered = questions, reply.request.serial
        copy = self._source.copies.of(taken.model)
        where = taken.branch, taken.step, taken.time
        answers: dict[Question, Answer] = {}
        try:
            moment = Moment(taken, copy.model, copy.data)
        except Exception as error:
            answers = {question: Answer(None, describe(error), *where) for question in questions}
        else:
            for question in questions:
                try:
                    answers[question] = Answer(question.answer(moment), "", *where)
                except Exception as error:
                    answers[question] = Answer(None, describe(error), *where)
        self._publish(answers=answers, identity=taken.identity)
        return True
