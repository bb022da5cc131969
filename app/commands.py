"""What the GUI may ask of the simulation.

Each command is a frozen dataclass. Panels and key bindings send them through a queue; only `sim_thread`
carries them out, by its table from command type to handler. To add one: define it here, give it a row there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """Something the simulation thread should do."""


Send = Callable[[Command], None]


@dataclass(frozen=True)
class SetPaused(Command):
    """Stop or continue the flow of time."""

    paused: bool


@dataclass(frozen=True)
class StepOnce(Command):
    """Pause, and advance by exactly `count` steps."""

    count: int = 1


@dataclass(frozen=True)
class Reset(Command):
    """Return to the start, or to keyframe `key`."""

    key: int | None = None


@dataclass(frozen=True)
class SetSpeed(Command):
    """Simulated seconds per second of wall time that the clock aims at."""

    speed: float


@dataclass(frozen=True)
class LoadModel(Command):
    """Open a model file; `start_key` names a keyframe in which it starts, if the file has it."""

    path: str
    start_key: str | None = None


@dataclass(frozen=True)
class Reload(Command):
    """Read the current file again."""


@dataclass(frozen=True)
class Pull(Command):
    """Pull `point` of a body (in its frame) to `target`, or turn the body to `rotation` (row-major), or both."""

    body: int
    point: tuple[float, ...]
    target: tuple[float, ...] | None = None
    rotation: tuple[float, ...] | None = None


@dataclass(frozen=True)
class LetGo(Command):
    """End the pull."""


@dataclass(frozen=True)
class DismissProblem(Command):
    """The user has read the error."""


@dataclass(frozen=True)
class Quit(Command):
    """End the simulation thread."""
