"""What the Code instrument shows: a function, the field or stage by which one came to it, and what was shown before."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from app.instruments.code.code_questions import CodeAnswer, IndexQuestion, SourceQuestion
from app.instruments.code.debug_command import MomentQuestion
from app.instruments.code.source_text import Line
from sim.script.kernels.index import Code, Found, KernelIndex

# entries of the history
MOST_KEPT = 100


@dataclass(frozen=True)
class Subject:
    """A function by its dotted name; or a field, `d.qacc`, or a stage, and if it is chosen one of its functions."""

    function: str = ""
    field: str = ""
    stage: str = ""

    def choices(self, index: KernelIndex, used: frozenset[str]) -> tuple[Code, ...]:
        """The functions of a field or stage: those that the model uses first, of a field kernels before helpers."""
        if self.stage:
            names = index.stages.get(self.stage, ())
            return tuple(index.codes[name] for name in names)
        found = index.computing(self.field) if self.field else ()
        return tuple(sorted(found, key=lambda code: (code.name not in used, not code.is_kernel)))

    def code(self, index: KernelIndex, used: frozenset[str]) -> Code | None:
        """The current function."""
        if self.function:
            return index.named(self.function)
        choices = self.choices(index, used)
        return next((code for code in choices if code.name in used), choices[0] if choices else None)


@dataclass
class Debugging:
    """A debugger that was asked for: of which function, the question that writes the moment, and the command."""

    function: str
    question: MomentQuestion
    command: list[str] = field(default_factory=list)
    fault: str = ""
    # the time of the moment, and whether a terminal was opened
    time: float = 0.0
    started: bool = False


@dataclass
class CodeState:
    """The subject with its history, the search, and what is known of the code."""

    search: str = ""
    history: list[Subject] = field(default_factory=list)
    at: int = -1
    known: CodeAnswer | None = None
    question: IndexQuestion = field(default_factory=lambda: IndexQuestion(0))
    # the model and the source that `known` is about, and whether that is not answered yet
    asked_for: object = None
    waiting: bool = True
    # the source is to be scrolled to the function
    scroll: bool = False
    debugging: Debugging | None = None
    # the current file, coloured
    source: tuple[SourceQuestion, tuple[Line, ...]] | None = None
    _numbers: int = 0
    _found: tuple[str, KernelIndex, list[Found]] | None = None

    @property
    def subject(self) -> Subject | None:
        """The current subject; None: nothing but the stages."""
        now = self.history[self.at] if self.history else None
        return now if now != Subject() else None

    def show(self, subject: Subject) -> None:
        """Show something; what was ahead in the history is dropped."""
        self.search = ""
        self.scroll = True
        if self.history and subject == self.history[self.at]:
            return
        self.history = [*self.history[: self.at + 1], subject][-MOST_KEPT:]
        self.at = len(self.history) - 1

    def choose(self, code: Code) -> None:
        """Show another function of the same field or stage."""
        if self.subject is not None:
            self.show(replace(self.subject, function=code.name))

    def move(self, step: int) -> None:
        """Go back in the history, or forward."""
        if 0 <= self.at + step < len(self.history):
            self.at += step
            self.search, self.scroll = "", True

    def close(self) -> None:
        """Show the stages; what was shown stays in the history."""
        if self.subject is not None:
            self.show(Subject())

    def results(self, index: KernelIndex) -> list[Found]:
        """What the search finds; searched again when it changes."""
        if self._found is None or self._found[:2] != (self.search, index):
            self._found = self.search, index, index.search(self.search)
        return self._found[2]

    def ask_again(self) -> None:
        """Read the code again."""
        self._numbers += 1
        self.question, self.waiting = IndexQuestion(self._numbers), True

    def debug(self, function: str) -> None:
        """Ask for a debugger at the current moment."""
        self._numbers += 1
        self.debugging = Debugging(function, MomentQuestion(self._numbers))
