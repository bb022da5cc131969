"""An export as the window sees it: a moment is taken, what is asked is computed, a file is written; on a thread.

The simulation copies its state between two steps; all else happens here, with low priority.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
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
from app.background.row_source import RowSource
from app.files.error_text import describe
from app.files.output import reason
from app.run.background_thread import BackgroundThread, answer_of
from app.run.commands import Send, TakeMoment
from app.run.history.taken_rows import TakenMoment, TakenRows
from sim.script.expression import BadExpression


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


class ExportJob(BackgroundThread):
    """One moment; the GUI reads the fields, and asks. A file that is being written at its end is finished."""

    def __init__(self, send: Send, shown: Shown, title: str, branch: str = "", check: Check = reproduce) -> None:
        super().__init__("export moment")
        self._send, self._shown, self._title, self._branch, self._check = send, shown, title, branch, check
        self._rows = RowSource(send)
        # what the GUI shows: the moment, what is asked, what is under way, what came of it
        self.moment: ExportMoment | None = None
        self.where: tuple[int, int] | None = None
        self.answers: tuple[Answered, ...] = ()
        self.under_way = "copying the current state"
        self.fault = ""
        self.written: Written | None = None
        # grows with each change
        self.version = 0

    # ---- for the GUI

    def start(self) -> None:
        """Begin, and take the moment that is shown."""
        super().start()
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

    # ---- the thread

    def _take(self, taken: TakenMoment) -> None:
        """Called by the simulation: here, between two steps, nobody edits the model."""
        self._inbox.put(_Taken(taken, taken.model.copy()))

    def _handle(self, message: _Taken | Question | Order) -> None:
        if isinstance(message, _Taken):
            self._begin(message)
        elif isinstance(message, Question):
            self._answer([message])
        else:
            self._write(message)
        self._tell("")

    def _report(self, error: Exception) -> None:
        if isinstance(error, OSError):
            where = f"{error.filename}: " if error.filename else ""
            self.fault = f"{where}{reason(error)}"
        else:
            self.fault = describe(error)
        self._tell("")

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
        self._tell("copying the last few seconds")
        try:
            taken = answer_of(partial(self._rows.ask, branch, range(first, step + 1), exact=True))
        except TimeoutError:
            return []
        return self._rows.rows(taken or ())


def _answered(question: Question, m: sim.Model, d: sim.Data) -> Answered:
    try:
        return Answered(question, answer(question, m, d))
    except BadExpression as error:
        return Answered(question, None, str(error))
