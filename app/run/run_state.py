"""How the run goes: written by the simulation thread, immutable, part of every snapshot."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.run.marks import Mark


@dataclass(frozen=True)
class Progress:
    """How far a long piece of work has come."""

    label: str
    done: int = 0
    total: int = 0

    @property
    def fraction(self) -> float:
        """Between 0 and 1; 0 as long as the total is unknown."""
        return self.done / self.total if self.total else 0.0


@dataclass(frozen=True)
class Problem:
    """Something that went wrong, in words for the user."""

    title: str
    text: str
    # of the history, where it can be looked at
    moment: int | None = None


@dataclass(frozen=True)
class Span:
    """The moments of a run that can be gone back to, and the one that is shown; times in s."""

    first: int = 0
    last: int = 0
    now: int = 0
    first_time: float = 0.0
    last_time: float = 0.0
    # what happened besides steps
    marks: tuple[Mark, ...] = ()


# why the speed cannot be chosen, beside a script's own loop
NOT_PACED = "the script sets the pace; with launch_passive(..., realtime=True) the speed is chosen here"


@dataclass(frozen=True)
class RunState:
    """The run as the simulation thread sees it."""

    path: str = ""
    paused: bool = False
    ready: bool = False
    # whether the viewer keeps time; beside a script's own loop the script does
    paced: bool = True
    speed: float = 1.0
    rate: float = 0.0
    step_seconds: float = 0.0
    # what each stage of a step costs, by name; nothing unless it is measured
    stage_seconds: tuple[tuple[str, float], ...] = ()
    time: float = 0.0
    history: Span = field(default_factory=Span)
    # how many times it exploded since the start
    explosions: int = 0
    progress: Progress | None = None
    problem: Problem | None = None
    # what the engine and the reader have warned of since the model was opened, each once
    warnings: tuple[str, ...] = ()
    # what was done last of what the user asked for, where that is worth a word
    news: str = ""

    @property
    def steps(self) -> int:
        """Steps since the last reset, up to the moment that is shown."""
        return self.history.now
