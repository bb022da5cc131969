"""What the GUI may ask of the simulation.

Each command is a frozen dataclass. Panels and key bindings send them through a queue; only `simulation.py`
carries them out, by its table from command type to handler. To add one: define it here, give it a row there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.files.resources import START_KEY, is_bundled


@dataclass(frozen=True)
class Command:
    """Something the simulation thread should do."""


Send = Callable[[Command], None]


@dataclass(frozen=True)
class SetPaused(Command):
    """Stop or continue the flow of time."""

    paused: bool


@dataclass(frozen=True)
class TogglePaused(Command):
    """Stop the flow of time if it flows, else continue it."""


@dataclass(frozen=True)
class StepOnce(Command):
    """Pause, and advance by exactly `count` steps; a negative count goes back through the history."""

    count: int = 1


@dataclass(frozen=True)
class Reset(Command):
    """Return to the start, or to keyframe `key`."""

    key: int | None = None


@dataclass(frozen=True)
class GoTo(Command):
    """Pause, and show moment `moment` of the history."""

    moment: int


@dataclass(frozen=True)
class SaveKey(Command):
    """Make the present state keyframe `key` of the model."""

    key: int


@dataclass(frozen=True)
class SaveModel(Command):
    """Write the model as MJCF to a file, with the edits that MJCF has a place for."""

    path: str


@dataclass(frozen=True)
class SetSpeed(Command):
    """Simulated seconds per second of wall time that the clock aims at."""

    speed: float


@dataclass(frozen=True)
class ChangeSpeed(Command):
    """Aim at a speed so many notches faster, or slower."""

    notches: int


@dataclass(frozen=True)
class HoldAt(Command):
    """Wait once this simulated time is reached, until another is given; None lets time flow."""

    time: float | None


@dataclass(frozen=True)
class LoadModel(Command):
    """Open a model file; `start_key` names a keyframe in which it starts, if the file has it."""

    path: str
    start_key: str | None = None


@dataclass(frozen=True)
class Reload(Command):
    """Read the current file again."""


@dataclass(frozen=True)
class SetField(Command):
    """Edit a field of Model: its only value, or column `column` of the rows `rows`; None means all columns.

    Edits in `also` are carried out with it, so that no step sees one without the other.
    """

    path: str
    value: float
    rows: tuple[int, ...] = ()
    column: int | None = None
    also: tuple[SetField, ...] = ()


@dataclass(frozen=True)
class SetFlag(Command):
    """Set or clear one bit of a field of Model."""

    path: str
    bit: int
    on: bool


@dataclass(frozen=True)
class ResetField(Command):
    """Give a field of Model, or some of its rows, the value it has in the file."""

    path: str
    rows: tuple[int, ...] = ()


@dataclass(frozen=True)
class ResetEdits(Command):
    """Give every edited field of Model the value it has in the file."""


@dataclass(frozen=True)
class SetData(Command):
    """Set consecutive numbers of a field of Data, from `start` on; a single number has one."""

    path: str
    start: int
    values: tuple[float, ...]


@dataclass(frozen=True)
class SetWatches(Command):
    """Compute these expressions for every snapshot."""

    expressions: tuple[str, ...]


@dataclass(frozen=True)
class SetProfiling(Command):
    """Measure what the stages of a step cost, again and again, or stop that."""

    on: bool


@dataclass(frozen=True)
class Wake(Command):
    """Wake a sleeping tree."""

    tree: int


@dataclass(frozen=True)
class PutToSleep(Command):
    """Put a tree to sleep, and those that constraints tie to it."""

    tree: int


@dataclass(frozen=True)
class FileChanged(Command):
    """A file of the model was saved."""


@dataclass(frozen=True)
class Perturbation:
    """Pull `localpos` of a body (in its frame) to `refselpos`, or turn the body to `refquat`, or both."""

    body: int
    localpos: tuple[float, ...]
    refselpos: tuple[float, ...] | None = None
    refquat: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Perturb(Command):
    """What the mouse does to the model now, or nothing. It ends by itself unless it is sent again and again."""

    perturbation: Perturbation | None = None


@dataclass(frozen=True)
class Cancel(Command):
    """Give up the long work that is going on: a file being read, native code being compiled."""


@dataclass(frozen=True)
class Report(Command):
    """Something that the user asked of the window went wrong: a card says so; time runs on."""

    title: str
    text: str


@dataclass(frozen=True)
class DismissProblem(Command):
    """The user has read the error."""


@dataclass(frozen=True)
class Warn(Command):
    """Somebody has warned of something."""

    text: str


@dataclass(frozen=True)
class DismissWarnings(Command):
    """The user has read the warnings."""


@dataclass(frozen=True)
class Quit(Command):
    """End the simulation thread."""


def open_command(path: Path) -> LoadModel:
    """The command that opens a file; bundled scenes start in their own keyframe."""
    return LoadModel(str(path), START_KEY if is_bundled(path) else None)
