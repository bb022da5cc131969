"""Examines divergences on a thread of its own: the report, and trials of fixes when the user asks for them.

The GUI says which divergence is shown (`want`) and takes what is known (`latest`). The simulation only hands out what
one needs to compute its steps again; all else is computed with copies of its models, at a low priority.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from app.background.model_copies import ModelCopies
from app.instruments.doctor.divergence_report import DivergenceReport
from app.instruments.doctor.finding import Fix
from app.instruments.doctor.retrace import Retraced, retrace
from app.instruments.doctor.trial import Verdict, try_fixes
from app.run.background_thread import BackgroundThread
from app.run.commands import Send, TakeExcerpt
from app.run.history.excerpt import Excerpt

# steps that are looked at first, and at most; four times as many where that is too few
FIRST_STEPS, MOST_STEPS, MORE = 1500, 24000, 4


@dataclass(frozen=True)
class Case:
    """A divergence: the history it belongs to, its branch, the last step before the first bad number, and the first
    step of that line."""

    run: int
    branch: int
    moment: int
    first: int = 0


class Request(NamedTuple):
    """A case to examine, and whether the trials of its fixes are to begin, or to end."""

    case: Case
    begin_trials: bool = False
    end_trials: bool = False


@dataclass(frozen=True, eq=False)
class Examined:
    """What is known of a case; `version` grows with each change."""

    case: Case | None = None
    found: DivergenceReport | None = None
    # steps of the last sane state, and of the one from which fixes are tried
    sane: int = 0
    start: int = 0
    # of the time that is repeated, s; whether with the controls and pulls of then
    seconds: float = 0.0
    same_inputs: bool = True
    error: str = ""
    verdicts: tuple[Verdict, ...] = ()
    # trials are going on, of so many fixes
    trying: bool = False
    total: int = 0
    version: int = 0

    def verdict(self, fix: Fix) -> Verdict | None:
        """What became of a fix alone."""
        return next((verdict for verdict in self.verdicts if verdict.fixes == (fix,)), None)


class DivergenceExaminer(BackgroundThread):
    """Cases and what is known of them."""

    def __init__(self, send: Send) -> None:
        super().__init__("examiner")
        self._send = send
        self._wanted: Case | None = None
        self._trying = False
        # for an answer of the simulation
        self._asked = False
        self._steps = FIRST_STEPS
        self._retraced: Retraced | None = None
        self._copies = ModelCopies()
        self.latest = Examined()

    # for the GUI

    def want(self, request: Request | None) -> None:
        """Say which divergence is shown; one that is not shown any more stays known."""
        if request is None:
            return
        if request.case != self._wanted:
            self._wanted, self._trying = request.case, False
            self._inbox.put(request.case)
        if request.begin_trials:
            self._trying = True
            self._inbox.put(True)
        elif request.end_trials:
            # after the one that is going on
            self._trying = False

    def close(self) -> None:
        """End the thread, soon."""
        self._trying = False
        super().close()

    # the thread

    @property
    def busy(self) -> bool:
        """Whether there is something to do, or an answer to wait for."""
        return self._asked or not self._inbox.empty()

    def _handle(self, message: Case | tuple[Case, Excerpt | None] | bool) -> None:
        """Begin with a case, examine what the simulation replies, or try its fixes."""
        if isinstance(message, Case):
            self._begin(message, FIRST_STEPS)
        elif isinstance(message, tuple):
            self._examine(*message)
        else:
            self._try()

    def _report(self, error: Exception) -> None:
        super()._report(error)
        self._publish(trying=False)

    def _begin(self, case: Case, steps: int) -> None:
        """Ask for the last steps of a case."""
        if case != self.latest.case:
            self.latest = Examined(case, version=self.latest.version + 1)
            self._retraced = None
        self._steps = steps
        first = max(case.moment - steps, case.first)

        def take(part: Excerpt | None) -> None:
            # here, between two steps, nobody edits the models
            for model in part.models if part is not None else ():
                self._copies.of(model)
            self._inbox.put((case, part))

        self._asked = True
        self._send(TakeExcerpt(case.branch, first, case.moment, take))

    def _examine(self, case: Case, part: Excerpt | None) -> None:
        """Why a case diverged."""
        self._asked = False
        if case != self.latest.case:
            return
        if part is None:
            raise ValueError("the steps before it are no longer recorded")
        retraced = retrace(part, self._copies)
        if retraced.too_short and self._steps < MOST_STEPS:
            self._begin(case, self._steps * MORE)
            return
        self._retraced = retraced
        course = retraced.course
        self._publish(
            found=retraced.found,
            sane=retraced.sane,
            start=retraced.start,
            seconds=course.seconds,
            same_inputs=course.same_inputs,
        )

    def _try(self) -> None:
        """Try the fixes one by one."""
        if self._retraced is None or not self._trying:
            return
        retraced, fixes = self._retraced, self._retraced.found.fixes
        self._publish(verdicts=(), trying=True, total=len(fixes))
        case = self.latest.case

        def report(verdict: Verdict) -> bool:
            self._publish(verdicts=(*self.latest.verdicts, verdict))
            return self._trying and self._wanted == case

        try_fixes(retraced.course, fixes, report)
        self._trying = False
        self._publish(trying=False)
