"""State of the Doctor panel: findings, which of them are unfolded, and which fixes were tried."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from app.instruments.doctor.examination import AskExamination, Examination
from app.instruments.doctor.finding import Finding, Fix
from app.instruments.doctor.usable import Usable
from app.run.journal.journal import Journal

if TYPE_CHECKING:
    from app.view.asking import Instruments


class Version(NamedTuple):
    """The examined model, and the edits that are in force."""

    identity: object
    edits: tuple[tuple[int, bool], ...]


@dataclass
class Tried:
    """A fix that was tried, and its entry of the journal: the first one after `after`, -1 until it is there."""

    fix: Fix
    after: int
    entry: int = -1


@dataclass
class DoctorState:
    """The newest findings, and the user's actions on them."""

    # None before the first examination of a model has ended
    findings: tuple[Finding, ...] | None = None
    usable: Usable = field(default_factory=Usable)
    error: str = ""
    # by check and element
    unfolded: dict[tuple[Any, ...], bool] = field(default_factory=dict)
    tried: list[Tried] = field(default_factory=list)
    _version: Version | None = None
    _question: AskExamination | None = None
    _pending: Examination | None = None
    _count: int = 0

    @property
    def examining(self) -> bool:
        """Whether an examination is running."""
        return self._question is not None or self._pending is not None

    def follow(self, instruments: Instruments, identity: object, journal: Journal, busy: bool) -> None:
        """Examine the model if it is another one, or was edited; while an edit is being made (`busy`) that waits."""
        edits = tuple((entry.number, entry.in_force) for entry in journal.entries if entry.state is None)
        version = Version(identity, edits)
        if self._version is None or self._version.identity is not identity:
            self.tried, self.unfolded, self.findings, self._pending = [], {}, None, None
            self.examine(version)
        elif self._version != version and not busy and not self.examining:
            self.examine(version)
        self._receive(instruments)
        self._find_entries(journal)

    def examine(self, version: Version | None = None) -> None:
        """Examine this version, or the last one again."""
        self._version = version or self._version
        self._count += 1
        self._question = AskExamination(self._count)

    def note_tried(self, fix: Fix, journal: Journal) -> None:
        """A fix is tried now."""
        newest = max((entry.number for entry in journal.entries), default=-1)
        self.tried = [tried for tried in self.tried if tried.fix != fix] + [Tried(fix, newest)]

    def _receive(self, instruments: Instruments) -> None:
        """Take what was answered, and what was found."""
        if self._question is not None:
            answer = instruments.ask(self._question)
            if answer is not None:
                self._question, self.error = None, answer.error
                self._pending = answer.value.start() if answer.value is not None else None
        if self._pending is not None and self._pending.done:
            self.findings, self.usable = self._pending.findings, self._pending.usable
            self.error, self._pending = self._pending.error, None

    def _find_entries(self, journal: Journal) -> None:
        for tried in self.tried:
            if tried.entry < 0:
                later = (entry.number for entry in journal.entries if entry.number > tried.after)
                tried.entry = min(later, default=-1)
