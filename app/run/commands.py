"""The commands that the GUI sends to the simulation.

Each is a frozen dataclass. Panels and key bindings send them through a queue; `simulation.py` has the table from type
of command to handler. To add one: define it here, and give it a method of a part and a row there.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from app.files.resources import START_KEY, is_bundled
from app.run.history.breakpoints import Breakpoint
from app.run.history.excerpt import Excerpt
from app.run.history.taken_rows import TakenMoment, TakenRows
from app.run.journal.saved_run import CapturedRun, SavedRun
from sim.file_stamp import absolute
from sim.save_plan import SavePlan
from sim.tree_edit import TreeEdit


@dataclass(frozen=True)
class Command:
    """Something for the simulation to do."""


Send = Callable[[Command], None]


@dataclass(frozen=True)
class SetPaused(Command):
    """Pause or continue."""

    paused: bool


@dataclass(frozen=True)
class TogglePaused(Command):
    """Pause if it runs, otherwise continue."""


@dataclass(frozen=True)
class StepOnce(Command):
    """Pause, and advance by exactly `count` steps; a negative count goes back through the history."""

    count: int = 1


@dataclass(frozen=True)
class Reset(Command):
    """Reset to the start, or to keyframe `key`."""

    key: int | None = None


@dataclass(frozen=True)
class GoTo(Command):
    """Pause, and show step `moment` of the line of a branch; None is the present one."""

    moment: int
    branch: int | None = None


@dataclass(frozen=True)
class GoOn(Command):
    """Simulate from the moment that is shown: in the past this begins a branch."""


@dataclass(frozen=True)
class SetDirection(Command):
    """Replay forwards (1) or backwards (-1)."""

    direction: int


@dataclass(frozen=True)
class SetLoop(Command):
    """Repeat some steps of the line when replaying, from the first to the last; None: none."""

    steps: tuple[int, int] | None


@dataclass(frozen=True)
class SwitchBranch(Command):
    """Show another branch, at the same time if it has that, else where it is nearest."""

    branch: int


@dataclass(frozen=True)
class RenameBranch(Command):
    """Give a branch another name."""

    branch: int
    name: str


@dataclass(frozen=True)
class RemoveBranch(Command):
    """Forget a branch and those that begin in it; not one of the line that is shown."""

    branch: int


@dataclass(frozen=True)
class SetGhost(Command):
    """Draw a branch as a ghost, at the time that is shown; None: none."""

    branch: int | None


@dataclass(frozen=True)
class TakeRows(Command):
    """Copy the rows of some steps of the line of a branch, and pass them to `reply`, on the simulation's thread.

    Where a step is not in memory, the nearest that is kept before it is taken instead; if it has to be `exact`, the
    reply has what one needs to compute it again.
    """

    branch: int
    steps: tuple[int, ...]
    reply: Callable[[tuple[TakenRows | Excerpt, ...]], None]
    exact: bool = False


@dataclass(frozen=True)
class TakeExcerpt(Command):
    """Pass what one needs to compute steps of the line of a branch again to `reply`, on the simulation's thread.

    None if there are no such steps.
    """

    branch: int
    first: int
    last: int
    reply: Callable[[Excerpt | None], None]


@dataclass(frozen=True)
class TakeMoment(Command):
    """Copy the state that is shown, and pass it to `reply`, on the simulation's thread."""

    reply: Callable[[TakenMoment], None]


@dataclass(frozen=True)
class SetBreakpoints(Command):
    """Watch these breakpoints and no others; those that are known by number and expression keep their hits."""

    points: tuple[Breakpoint, ...]


@dataclass(frozen=True)
class RunToHit(Command):
    """Move through what was recorded, as fast as it goes, until a breakpoint fires: forwards (1) or backwards (-1)."""

    direction: int


@dataclass(frozen=True)
class StartRecording(Command):
    """Write a recording (.ktr) to a file from now on, beginning with all that is known of the past.

    `view` is a note about what the window shows (app/view/session/view_note.py), here as in the next two.
    """

    path: str
    view: str = ""


@dataclass(frozen=True)
class StopRecording(Command):
    """Finish the recording."""

    view: str = ""


@dataclass(frozen=True)
class SaveRecording(Command):
    """Write a recording of the past to a file; or append it to a video, which then carries it.

    With `then` the file is only a step on the way: a thread calls it with the path, and the file is gone afterwards. It
    returns what was saved, to the file `result`; ValueError says why not.
    """

    path: str
    view: str = ""
    video: str = ""
    then: Callable[[str], str] | None = None
    result: str = ""


@dataclass(frozen=True)
class SaveKey(Command):
    """Store the present state as keyframe `key` of the model."""

    key: int


@dataclass(frozen=True)
class AddKey(Command):
    """Store the present state as a new keyframe of the model, whose name must be new."""

    name: str


@dataclass(frozen=True)
class PlanSave(Command):
    """Find out what a save to the model's own files, or to `path`, would do; `RunState.save` has the answer.

    `ways` are ways to save single edits, by key; those of edits that are not made any more do not matter.
    """

    request: int
    path: str | None = None
    ways: tuple[tuple[tuple[str, str], str], ...] = ()


@dataclass(frozen=True)
class WriteSave(Command):
    """Write a planned save; `overwrite` files that have changed on disk. The model goes on with what was written."""

    request: int
    plan: SavePlan
    path: str | None = None
    overwrite: bool = False


@dataclass(frozen=True)
class SetSpeed(Command):
    """Set the speed: simulated seconds per second of wall time."""

    speed: float


@dataclass(frozen=True)
class ChangeSpeed(Command):
    """Make the speed some notches faster, or slower if negative."""

    notches: int


@dataclass(frozen=True)
class HoldAt(Command):
    """Hold when this simulated time is reached, until another is set; None lets it run."""

    time: float | None


@dataclass(frozen=True)
class LoadModel(Command):
    """Open a model file; `start_key` names the keyframe in which it starts, if the file has it.

    `saved` is a run of it that goes on.
    """

    path: str
    start_key: str | None = None
    saved: SavedRun | None = None
    # the engine to open it with, by name; empty: as before
    engine: str = ""


@dataclass(frozen=True)
class SetEngine(Command):
    """Go on with another engine, by name: the file is read again with it, the state and all edits stay."""

    name: str


@dataclass(frozen=True)
class Capture(Command):
    """Copy the run, and pass the copy to `reply`, on the simulation's thread; not before it can step."""

    reply: Callable[[CapturedRun], None]


@dataclass(frozen=True)
class Reload(Command):
    """Read the current file again."""


@dataclass(frozen=True)
class SetField(Command):
    """Edit a field of Model: its only value, or column `column` of the rows `rows`; None means all columns.

    Edits in `also` are made with it, so that no step sees one without the other. `name` is what the user edits, if that
    is not the attribute of `path`. Commands of one gesture, such as a drag, are one entry of the journal.
    """

    path: str
    value: float
    rows: tuple[int, ...] = ()
    column: int | None = None
    also: tuple[SetField, ...] = ()
    name: str = ""
    gesture: int = 0


@dataclass(frozen=True)
class SetFlag(Command):
    """Set or clear one bit of a field of Model."""

    path: str
    bit: int
    on: bool


@dataclass(frozen=True)
class EditTree(Command):
    """Add, delete, move or change elements as one edit; the model is compiled again, and the run continues with it.

    `text` says in the journal what was done, if the changes themselves say it less well.
    """

    edits: tuple[TreeEdit, ...]
    text: str = ""


@dataclass(frozen=True)
class TryFix(Command):
    """Go to a moment, make edits there, and let the run go on: on a branch of its own, the old future stays."""

    moment: int
    branch: int
    edits: tuple[SetField | SetFlag, ...]


@dataclass(frozen=True)
class ResetField(Command):
    """Restore a field of Model, or some of its rows, to the value in the file."""

    path: str
    rows: tuple[int, ...] = ()


@dataclass(frozen=True)
class ResetEdits(Command):
    """Restore every edited field of Model to the value in the file."""


@dataclass(frozen=True)
class Undo(Command):
    """Take back the newest change of the model or the state."""


@dataclass(frozen=True)
class Redo(Command):
    """Make the change again that was undone last."""


@dataclass(frozen=True)
class SwitchEdit(Command):
    """Switch an entry of the journal on or off; this decides a clash with the file."""

    number: int
    on: bool


@dataclass(frozen=True)
class SetData(Command):
    """Set consecutive numbers of a field of Data, from `start` on, or those at `places`; a scalar has one."""

    path: str
    start: int
    values: tuple[float, ...]
    gesture: int = 0
    places: tuple[int, ...] = ()


@dataclass(frozen=True)
class SetProfiling(Command):
    """Time the stages of a step now and then, or stop."""

    on: bool


@dataclass(frozen=True)
class Wake(Command):
    """Wake a sleeping tree."""

    tree: int


@dataclass(frozen=True)
class PutToSleep(Command):
    """Put a tree to sleep, with the trees that constraints connect to it."""

    tree: int


@dataclass(frozen=True)
class FileChanged(Command):
    """A file of the model was saved."""


@dataclass(frozen=True)
class Perturbation:
    """Pull `localpos` of a body (in its frame) to `refselpos`, or rotate the body to `refquat`, or both."""

    body: int
    localpos: tuple[float, ...]
    refselpos: tuple[float, ...] | None = None
    refquat: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Perturb(Command):
    """What the mouse does to the model now, or nothing. It ends by itself unless it is renewed."""

    perturbation: Perturbation | None = None


@dataclass(frozen=True)
class Cancel(Command):
    """Cancel the loading or compiling that is going on."""


@dataclass(frozen=True)
class Report(Command):
    """Show a card: something that the user asked of the window failed; the run continues."""

    title: str
    text: str


@dataclass(frozen=True)
class DismissProblem(Command):
    """Put the problem's card away."""


@dataclass(frozen=True)
class Notify(Command):
    """Say in the status line what was done, and which file was made."""

    text: str
    made: str = ""


@dataclass(frozen=True)
class Warn(Command):
    """Show a warning."""

    text: str


@dataclass(frozen=True)
class DismissWarnings(Command):
    """Put the warnings away."""


@dataclass(frozen=True)
class Quit(Command):
    """End the simulation thread."""


def in_gesture(command: Command, gesture: int) -> Command:
    """A command as part of a gesture."""
    return replace(command, gesture=gesture) if isinstance(command, SetField | SetData) else command


def open_command(path: Path, engine: str = "") -> LoadModel:
    """The command that opens a file; bundled scenes start in their keyframe `start`."""
    with suppress(FileNotFoundError):
        # in a folder that was deleted there is no such file
        path = absolute(path)
    return LoadModel(str(path), START_KEY if is_bundled(path) else None, engine=engine)


def restore_command(saved: SavedRun) -> LoadModel:
    """The command that opens the model of a saved run, and lets that go on."""
    return LoadModel(saved.path, saved.start_key, saved, saved.engine)


# commands that do something even if there is no model yet
NEED_NO_MODEL = {
    SetPaused, TogglePaused, SetSpeed, ChangeSpeed, HoldAt, LoadModel, Reload, SetEngine, FileChanged, SetProfiling,
    Perturb, Cancel, Report, DismissProblem, Warn, DismissWarnings, Notify, Quit,
}  # fmt: skip
# commands that run kernels: they wait until these are compiled
NEED_KERNELS = {
    StepOnce, GoTo, GoOn, SwitchBranch, SetGhost, TakeRows, RunToHit, TakeMoment, TakeExcerpt, TryFix,
    StartRecording, SaveRecording, Reset, SaveKey, AddKey, SetField, EditTree, SetFlag, ResetField, ResetEdits, Undo,
    Redo, SwitchEdit, SetData, Wake, PutToSleep, Capture,
}  # fmt: skip
# commands that change the model or its state
EDITS = {
    SetField, SetFlag, ResetField, ResetEdits, EditTree, SetData, SwitchEdit, Undo, Redo, SaveKey, AddKey, TryFix, Wake,
    PutToSleep,
}  # fmt: skip
