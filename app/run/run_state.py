"""The state of a run: speed, history, progress, problems; immutable, part of every snapshot."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from app.files.error_text import printable
from app.model.problem import Problem
from app.run.history.breakpoints import Breakpoint, Hit
from app.run.history.timeline import Timeline
from sim.save_plan import SavePlan


@dataclass(frozen=True)
class Progress:
    """Progress of loading or compiling."""

    label: str
    done: int = 0
    total: int = 0
    # which parts are under way, and what to expect
    detail: str = ""
    note: str = ""

    @property
    def fraction(self) -> float:
        """From 0 to 1; 0 while the total is unknown."""
        return self.done / self.total if self.total else 0.0


@dataclass(frozen=True)
class SaveReport:
    """What came of a request to plan or to write a save."""

    request: int
    plan: SavePlan | None = None
    written: bool = False
    # why there is no plan, or it was not written
    fault: str = ""
    # files that were not overwritten, because they have changed on disk
    overtaken: tuple[Path, ...] = ()


@dataclass(frozen=True)
class RecordingReport:
    """The recording that is being written: its file, how much of it, and what went wrong."""

    path: str
    bytes: int = 0
    fault: str = ""


# what is shown of a run, and may name files
TEXTS = {"notification", "engine_note", "warnings", "problem", "progress", "recording", "save"}


def printable_texts(value: Any) -> Any:
    """A text or several, or a report with all texts in it, as they can be shown."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, tuple):
        return tuple(map(printable_texts, value))
    if isinstance(value, Progress | Problem | RecordingReport | SaveReport):
        found = {part.name: getattr(value, part.name) for part in fields(value)}
        texts: dict[str, Any] = {name: printable(text) for name, text in found.items() if isinstance(text, str)}
        return replace(value, **texts)
    return value


# shown where the speed cannot be chosen
NOT_PACED = "the script sets the pace; launch_passive(..., realtime=True) lets you choose the speed here"


@dataclass(frozen=True)
class RunState:
    """The run as the simulation thread sees it."""

    path: str = ""
    # where the model was before it was saved elsewhere
    path_before: str = ""
    paused: bool = False
    ready: bool = False
    # whether the viewer sets the pace; in a script's own loop the script does
    paced: bool = True
    speed: float = 1.0
    rate: float = 0.0
    step_seconds: float = 0.0
    # seconds by stage of a step; empty unless profiling
    stage_seconds: tuple[tuple[str, float], ...] = ()
    time: float = 0.0
    history: Timeline = field(default_factory=Timeline)
    # whether time moves through recorded moments, and which way: 1 or -1
    replaying: bool = False
    direction: int = 1
    # the step from which a search for a breakpoint began; -1: there is none
    sought_from: int = -1
    recording: RecordingReport | None = None
    # of the recording that was opened: the note about what its window has shown last
    view: str = ""
    # how many times it diverged since the start
    divergences: int = 0
    progress: Progress | None = None
    # whether boxes stand in for meshes that are being read
    draft: bool = False
    # commands that wait until kernels are compiled, and how many edits were received so far
    waiting: int = 0
    edits_received: int = 0
    problem: Problem | None = None
    # warnings since the model was opened, each once
    warnings: tuple[str, ...] = ()
    breakpoints: tuple[Breakpoint, ...] = ()
    # the breakpoint that stopped the run last
    hit: Hit | None = None
    # of the last request to save
    save: SaveReport | None = None
    # the name of the engine that the user chose, and why the model has another one
    engine: str = "kinetoscope"
    engine_note: str = ""
    # what was done last, for the status line
    notification: str = ""
    # the file that was made last for the user; another one is another object
    made: str = ""

    @property
    def searched(self) -> float:
        """How much of what was recorded a search for a breakpoint has passed, from 0 to 1."""
        end = self.history.last if self.direction > 0 else self.history.first
        return abs(self.history.now - self.sought_from) / max(abs(end - self.sought_from), 1)

    @property
    def steps(self) -> int:
        """Steps from the last reset to the moment that is shown."""
        return self.history.now
