"""What the dialog "Export this moment" shows between frames: the choices of the user, and the job behind it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from app.background.export.compose import RATE, STEPS, Wish
from app.background.export.job import ExportJob
from app.background.export.question import Answered
from app.background.export.write import KINDS, WORDS, Written, file_stem, kind_of
from app.files.output import unused_path
from sim.user_error import UserError

TITLES = {"test": "Test", "script": "Script", "zip": "Zip", "page": "Page"}
MEANINGS = WORDS
TOLERANCES = (1e-9, 1e-6, 1e-3)
MOST_STEPS = 1000


@dataclass
class ExportDialog:
    """An export that the user has asked for, until it is written or cancelled."""

    job: ExportJob
    title: str
    folder: Path
    kind: str = "test"
    # where to; empty until the moment is there
    path: str = ""
    # expressions that are left out, and what is typed as a new one
    left_out: set[str] = field(default_factory=set)
    typed: str = ""
    text: str = ""
    steps: int = STEPS
    tolerance: float = RATE
    selected: str = ""
    # the run was going on, and does so again afterwards
    resume: bool = False
    shown: bool = True
    # the version of the job that was shown last, and the result that was told
    seen: int = -1
    told: Written | None = None
    # what was written last, and where to
    ordered: tuple[Wish, str] | None = None
    # a file that exists, until the user has said whether to overwrite it
    asks_about: str = ""

    @property
    def news(self) -> bool:
        """Whether the job has changed since the last frame."""
        return self.seen != self.job.version

    @property
    def replaces(self) -> bool:
        """Whether the path is that of a file which was not written here."""
        own = self.ordered is not None and self.ordered[1] == self.path
        return not own and os.path.lexists(os.path.expanduser(self.path))

    @property
    def done(self) -> bool:
        """Whether what the dialog says is written."""
        return self.job.written is not None and not self.busy and self.ordered == (self.wish, self.path)

    @property
    def busy(self) -> bool:
        """Whether something is under way."""
        return bool(self.job.under_way)

    def choose(self, kind: str) -> None:
        """Write another kind of file, under a name of that kind in the same folder."""
        typed = Path(self.path).expanduser().parent
        self.folder = typed if self.path and typed.is_dir() else self.folder
        self.kind, self.path = kind, ""
        self.suggest_path()

    def suggest_path(self) -> None:
        """Name the file by its moment, unless it has a name."""
        moment = self.job.moment
        if moment is not None and not self.path:
            name = KINDS[self.kind].format(file_stem(self.title, moment.time))
            self.path = str(unused_path(self.folder / name))

    @property
    def chosen(self) -> list[Answered]:
        """What is asked."""
        return [one for one in self.job.answers if not one.fault and one.question.expression not in self.left_out]

    @property
    def wish(self) -> Wish:
        """What the user wants."""
        return Wish(tuple(one.question for one in self.chosen), self.steps, self.tolerance, self.text)

    @property
    def path_fault(self) -> str:
        """Why nothing can be written to the path; empty if it can be tried."""
        try:
            kind = kind_of(Path(self.path))
        except UserError as error:
            return str(error)
        if kind != self.kind:
            return f"pytest collects only files whose names start with test_; {TITLES[kind].lower()} is another kind"
        return "" if Path(self.path).expanduser().parent.is_dir() else "the folder does not exist"
