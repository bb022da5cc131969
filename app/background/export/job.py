"""An export as the window sees it: a moment is taken, what is asked is computed, a file is written; on a thread.

The simulation copies its state between two steps; all else happens here, with low priority.
"""

from __future__ import annotations

import queue
from dataclasses import dataclass, field
from pathlib import Path

import sim
from app.background.export.bundle import Extras
from app.background.export.check import reproduce
from app.background.export.compose import Wish
from app.background.export.last_seconds import steps_back
from app.background.export.moment import ExportMoment, export_moment
from app.background.export.question import Answered, Question, answer
from app.background.export.suggest import Shown, suggested
from app.background.export.write import Check, ExportWriter, Written
from app.background.row_source import RowSource, Taken
from app.files.error_text import describe
from app.files.output import reason
from app.run.commands import Send, TakeMoment
from app.run.history.taken_rows import TakenMoment, TakenRows
from app.run.low_priority import low_priority_thread
from sim.script.expression import BadExpression

ANSWER_SECONDS = 60.0


@dataclass(frozen=True)
class Order:
    """A file to write."""

    path: Path
    wish: Wish
    extras: Extras = field(default_factory=Extras)
    view: str = ""


@dataclass(frozen=True, eq=False)
class _Taken:
    """A moment with a copy of its model."""

    moment: TakenMoment
    model: sim.Model


class ExportJob:
    """One moment; the GUI reads the fields, and asks. All else belongs to its thread."""

    def __init__(self, send: Send, shown: Shown, title: str, branch: str = "", check: Check = reproduce) -> None:
        self._send, self._shown, self._title, self._branch, self._check = send, shown, title, branch, check
        self._inbox: queue.SimpleQueue[_Taken | Question | Order | None] = queue.SimpleQueue()
        self._rows = RowSource(send)
        self._thread = low_priority_thread("export moment", self.turn)
        # what the GUI shows: the moment, what is asked, what is under way, what came of it
        self.moment: ExportMoment | None = None
        self.where: tuple[int, int] | None = None
        self.answers: tuple[Answered, ...] = ()
        self.under_way = "taking the moment"
        self.fault = ""
        self.written: Written | None = None
        # grows with each change
        self.version = 0

    # ---- for the GUI

    def start(self) -> None:
        """Begin."""
        self._thread.start()
        self.take()

    def take(self) -> None:
        """Take the moment that is shown."""
        self._send(TakeMoment(self._take))

    def ask(self, expression: str) -> None:
        """Ask something more."""
        self._inbox.put(Question(expression, "typed"))

    def write(self, order: Order) -> None:
        """Write a file; `written` or `fault` is what comes of it."""
        self.written, self.fault, self.under_way = None, "", "writing"
        self._inbox.put(order)

    def close(self) -> None:
        """End the thread, soon; a file that is being written is finished."""
        self._inbox.put(None)

    # ---- the thread

    def _take(self, taken: TakenMoment) -> None:
        """Called by the simulation: here, between two steps, nobody edits the model."""
        self._inbox.put(_Taken(taken, taken.model.copy()))

    def turn(self) -> bool:
        """Handle one message; False at the end."""
        message = self._inbox.get()
        if message is None:
            return False
        try:
            if isinstance(message, _Taken):
                self._begin(message)
            elif isinstance(message, Question):
                self._answer([message])
            else:
                self._write(message)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            self.fault = f"{where}{reason(error)}"
        except Exception as error:
            self.fault = describe(error)
        self.under_way = ""
        self.version += 1
        return True

    def _begin(self, taken: _Taken) -> None:
        """The moment is there: compute what is likely asked."""
        moment, model = taken.moment, taken.model
        made = export_moment(
            model, model.engine.Data(model), moment.edits, moment.state, self._title, self._branch, moment.step
        )
        self.moment, self.where = made, (moment.branch, moment.step)
        self._answer(suggested(model, made.forwarded(), self._shown))

    def _answer(self, questions: list[Question]) -> None:
        """Add questions with their values."""
        moment = self.moment
        if moment is None:
            return
        data = moment.forwarded()
        known = {one.question.expression for one in self.answers}
        found = [_answered(question, moment.model, data) for question in questions if question.expression not in known]
        self.answers = (*self.answers, *found)

    def _write(self, order: Order) -> None:
        moment = self.moment
        assert moment is not None
        taken = self._last_rows(moment) if order.path.suffix == ".zip" else []
        writer = ExportWriter(moment, order.wish, order.path, order.extras, taken, order.view, self._check)
        self.written = writer.write(self._tell)

    def _tell(self, text: str) -> None:
        self.under_way = text
        self.version += 1

    def _last_rows(self, moment: ExportMoment) -> list[TakenRows]:
        """The rows of the steps before the moment; none if the simulation does not have them any more."""
        assert self.where is not None
        branch, step = self.where
        width = moment.model.engine.state_size(moment.model, moment.model.engine.record_signature(moment.model))
        first = max(step - steps_back(float(moment.model.opt.timestep), width), 0)
        answered: queue.SimpleQueue[Taken] = queue.SimpleQueue()
        self._tell("taking the last seconds")
        self._rows.ask(branch, range(first, step + 1), answered.put, exact=True)
        try:
            return self._rows.rows(answered.get(timeout=ANSWER_SECONDS))
        except queue.Empty:
            return []


def _answered(question: Question, m: sim.Model, d: sim.Data) -> Answered:
    try:
        return Answered(question, answer(question, m, d))
    except BadExpression as error:
        return Answered(question, None, str(error))
