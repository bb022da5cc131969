"""A run as it is saved and restored: model file, edits, the engine's whole state, speed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from app.run.journal.journal import same
from app.run.journal.journal_file import SavedJournal
from sim import Model
from sim.recording.model_files import digest


@dataclass(frozen=True)
class SavedRun:
    """All that a run needs to go on in another process; `state` is the content of a file of sim.save_state."""

    path: str
    start_key: str | None = None
    speed: float = 1.0
    paused: bool = True
    journal: SavedJournal = field(default_factory=SavedJournal)
    state: bytes = b""
    # settings of Data that belong to no state, by name
    settings: Mapping[str, float] = field(default_factory=dict)
    # expressions of breakpoints, and whether each is on
    breakpoints: tuple[tuple[str, bool], ...] = ()
    # the name of the engine that runs it
    engine: str = "kinetoscope"
    # of the model as its file had it, see sim.recording.model_files; empty if it is not known
    digest: str = ""

    @property
    def unsaved(self) -> int:
        """How many edits the file does not have."""
        known = self.journal.in_file
        entries = (entry for entry in self.journal.journal.entries if entry.in_force)
        return sum(
            entry.key is not None
            or bool(entry.tree)
            or any(not same(known.get(w.cell, w.before), w.after) for w in entry.writes)
            for entry in entries
        )


@dataclass(frozen=True, eq=False)
class CapturedRun:
    """A run at one moment: its state is copied, and packed later, on another thread."""

    run: SavedRun
    model: Model
    state: Mapping[str, Any]

    def saved(self, pack: Callable[[Model, Mapping[str, Any]], bytes]) -> SavedRun:
        """The run with its state packed, and what names the content of its file."""
        return replace(self.run, state=pack(self.model, self.state), digest=digest(self.model))
