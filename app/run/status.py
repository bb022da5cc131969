"""The status of a run: its `RunState` as the next snapshot has it, and whether there is anything new to publish."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.model.problem import Problem
from app.run.run_state import TEXTS, RunState, printable_texts

PAUSED = "; paused, Space continues"


class Status:
    """Written by every part of a simulation, read by its publisher."""

    def __init__(self, paused: bool = False) -> None:
        self.run = RunState(paused=paused)
        # since the last snapshot
        self.run_changed = self.state_changed = False

    def update(self, **changes: Any) -> None:
        """Change the run's state, for the next snapshot."""
        texts = {name: printable_texts(changes[name]) for name in TEXTS & changes.keys()}
        self.run = replace(self.run, **changes | texts)
        self.run_changed = True

    def say(self, what: str, **changes: Any) -> None:
        """Notify the user of something that has happened to the run, and that time stands still, if it does."""
        paused = changes.get("paused", self.run.paused)
        self.update(notification=f"{what}{PAUSED}" if paused else what, **changes)

    def measure(self, **values: Any) -> None:
        """Change what alone is no reason for another snapshot."""
        self.run = replace(self.run, **values)

    def fail(self, problem: Problem) -> None:
        """Pause and show what went wrong."""
        self.update(paused=True, problem=problem)

    def warn(self, *warnings: str) -> None:
        """Add warnings, each once."""
        self.update(warnings=tuple(dict.fromkeys((*self.run.warnings, *warnings))))
