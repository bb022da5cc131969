"""Answers questions about the moment that is shown, on a thread of its own, for instruments that are open.

The GUI says in each frame what is asked (`want`) and takes what is answered (`latest`); without questions the thread
sleeps. The simulation only copies its state, between two of its steps; all else is computed with copies of its models.
The thread has a low priority, and rests while the simulation runs.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import sim
from app.background.model_copies import ModelCopies
from app.files.error_text import describe
from app.run.commands import Send, TakeMoment
from app.run.history.taken_rows import TakenMoment
from app.run.low_priority import low_priority_thread, messages

# rest after work while the simulation runs, as a multiple of it, and at least and at most, s
REST, SHORTEST_REST, LONGEST_REST = 4.0, 0.03, 0.3
# the simulation may have dropped a question, with its model
ANSWER_SECONDS = 5.0


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


class Wanted(NamedTuple):
    """What is asked; `serial` is that of the snapshot: with another one, the state may be another."""

    questions: frozenset[Question]
    serial: int
    running: bool


class Probe:
    """Questions and answers; all but `want`, `latest`, `start` and `close` belongs to its thread."""

    def __init__(self, send: Send, sleep: Callable[[float], None] = time.sleep) -> None:
        self._send, self._sleep = send, sleep
        # what is asked, moments; None ends it
        self._inbox: queue.SimpleQueue[Wanted | TakenMoment | None] = queue.SimpleQueue()
        self._said: Wanted | None = None
        self._wanted = Wanted(frozenset(), -1, False)
        # what was answered last, and the snapshot that it is about
        self._answered = Wanted(frozenset(), -1, False)
        self._asked: Wanted | None = None
        self._copies = ModelCopies()
        self._thread = low_priority_thread("probe", self.turn)
        self.latest = Answers()

    # for the GUI

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def want(self, questions: frozenset[Question], serial: int, running: bool) -> None:
        """Say what is asked about the snapshot that is shown."""
        wanted = Wanted(questions, serial, running)
        if (questions or (self._said is not None and self._said.questions)) and wanted != self._said:
            self._said = wanted
            self._inbox.put(wanted)

    def close(self) -> None:
        """End the thread, soon."""
        self._inbox.put(None)

    # the thread

    def turn(self, wait: float | None = None) -> bool:
        """Handle messages, and ask for the moment if it may be another; False at the end.

        `wait` is the longest time to wait for a message; None leaves that open.
        """
        if self._asked is None and self._wanted.questions and self._wanted[:2] != self._answered[:2]:
            self._asked = self._wanted
            self._send(TakeMoment(self._take))
        for message in messages(self._inbox, ANSWER_SECONDS if self._asked and wait is None else wait):
            if message is None:
                return False
            self._handle(message)
        self._asked = self._asked if wait is not None else None
        return True

    def _take(self, taken: TakenMoment) -> None:
        """Called by the simulation: here, between two steps, nobody edits the model."""
        self._copies.of(taken.model)
        self._inbox.put(taken)

    def _handle(self, message: Wanted | TakenMoment) -> None:
        if isinstance(message, Wanted):
            self._wanted = message
        elif self._asked is not None:
            asked, self._asked = self._asked, None
            began = time.perf_counter()
            self._answer(message)
            self._answered = asked._replace(questions=self._wanted.questions)
            if self._wanted.running:
                self._sleep(min(max(REST * (time.perf_counter() - began), SHORTEST_REST), LONGEST_REST))

    def _answer(self, taken: TakenMoment) -> None:
        """Answer all that is asked now about a moment."""
        copy = self._copies.of(taken.model)
        where = taken.branch, taken.step, taken.time
        answers: dict[Question, Answer] = {}
        try:
            moment = Moment(taken, copy.model, copy.data)
        except Exception as error:
            answers = {question: Answer(None, describe(error), *where) for question in self._wanted.questions}
        else:
            for question in self._wanted.questions:
                try:
                    answers[question] = Answer(question.answer(moment), "", *where)
                except Exception as error:
                    answers[question] = Answer(None, describe(error), *where)
        self.latest = Answers(answers, taken.identity, self.latest.version + 1)
