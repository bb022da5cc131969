"""An examination in the background: a copy of the current model, on a thread of its own.

The probe only copies the model: an examination takes up to some seconds, and other instruments continue meanwhile.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from app.background.probe import Moment
from app.files.error_text import describe
from app.instruments.doctor.examine import examine
from app.instruments.doctor.finding import Finding
from app.instruments.doctor.subject import Subject
from app.instruments.doctor.usable import Usable, lacking
from app.run.background_thread import low_priority_thread
from sim import Model


class Examination:
    """Findings about a model, and what it lacks, once they are there; `error` says why there are none."""

    def __init__(self, model: Model) -> None:
        self.findings: tuple[Finding, ...] = ()
        self.usable = Usable()
        self.error = ""
        self._model = model
        self._done = threading.Event()

    def start(self) -> Examination:
        """Begin, on a thread of its own."""
        low_priority_thread("doctor", self.run).start()
        return self

    def run(self) -> None:
        """Examine the model."""
        try:
            self.findings = tuple(examine(self._model))
            self.usable = lacking(Subject(self._model))
        except Exception as error:
            self.error = describe(error)
        self._done.set()

    @property
    def done(self) -> bool:
        """Whether it has ended."""
        return self._done.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait for its end; False if that takes longer."""
        return self._done.wait(seconds)


@dataclass(frozen=True)
class AskExamination:
    """A copy of the current model, to be examined; each question has another number.

    A question may be answered twice, in two frames: who asks begins one of the examinations.
    """

    number: int

    def answer(self, moment: Moment) -> Examination:
        """The examination, which has not begun."""
        return Examination(moment.model.copy())
