"""Saving as the user sees it: asked for, planned, shown, written; and what is left behind unsaved, quitting or opening.

The simulation answers a request with a report (`RunState.save`). A file is shown before it is written for the first
time, and whenever there is something to choose.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from app.files import browse
from app.files.new_model import is_new
from app.files.recordings import is_recording
from app.files.resources import is_bundled
from app.run.commands import PlanSave, Reload, Report, Send, WriteSave, open_command
from app.run.run_state import RunState, SaveReport
from app.run.snapshot import Snapshot
from sim.save_plan import LEAVE_OUT, SavePlan

if TYPE_CHECKING:
    from app.view.view_state import ViewState

FAILED = "The model could not be saved"
_requests = count(1)


@dataclass(frozen=True)
class Leaving:
    """What the user is about to do to a model with unsaved edits: open another one, or quit if there is no path."""

    path: str = ""


@dataclass
class Saving:
    """A save that the user has asked for, until it is written or cancelled."""

    request: int
    # None for the model's own files
    path: str | None = None
    # show what would be written, in any case
    ask: bool = False
    then: Leaving | None = None
    # how many edits were sent before its plan was asked for
    edits: int = 0
    # the ways chosen so far, and those of the plan that is shown
    ways: dict[tuple[str, str], str] = field(default_factory=dict)
    agreed: dict[tuple[str, str], str] = field(default_factory=dict)
    plan: SavePlan | None = None
    report: SaveReport | None = None
    shown: bool = False
    # the text diff of the plan, while that is shown
    diff: str | None = None

    @property
    def answered(self) -> bool:
        """Whether the simulation has answered the last request."""
        return self.report is not None and self.report.request == self.request


def saved_in_place(run: RunState) -> bool:
    """Whether the model may be saved to its own file: bundled scenes, new, recorded and scripts' models may not."""
    path = Path(run.path)
    return bool(run.path) and not is_bundled(path) and not is_new(path) and not is_recording(run.path)


def begin(view: ViewState, send: Send, run: RunState, ask: bool = False, then: Leaving | None = None) -> None:
    """Ask what a save to the model's own files would do; `follow` goes on from there.

    What was left out when the file was saved last is left out again, unasked.
    """
    left_out = view.ui.saved_files.get(_file(run.path), set())
    ways, edits = dict.fromkeys(left_out, LEAVE_OUT), view.ui.edits_sent()
    saving = Saving(next(_requests), ask=ask, then=then, edits=edits, ways=ways)
    view.ui.saving, view.ui.leaving = saving, None
    send(PlanSave(saving.request, None, tuple(saving.ways.items())))


def begin_at(view: ViewState, send: Send, path: Path) -> None:
    """The same for another file, after `begin_elsewhere`."""
    then = view.ui.saving.then if view.ui.saving is not None else None
    view.ui.saving = saving = Saving(next(_requests), str(path), then=then, edits=view.ui.edits_sent())
    send(PlanSave(saving.request, saving.path))


def begin_elsewhere(view: ViewState, run: RunState, then: Leaving | None = None) -> None:
    """Ask for a file to save to."""
    view.ui.leaving, view.ui.saving = None, Saving(0, then=then)
    view.ui.browse = browse.begin_save(run.path)


def choose(saving: Saving, send: Send, key: tuple[str, str], way: str) -> None:
    """Save an edit in another way: the plan is made again."""
    saving.ways = saving.agreed | {key: way}
    saving.request = next(_requests)
    send(PlanSave(saving.request, saving.path, tuple(saving.ways.items())))


def write(saving: Saving, send: Send, overwrite: bool = False) -> None:
    """Write what is shown."""
    assert saving.plan is not None
    saving.request = next(_requests)
    send(WriteSave(saving.request, saving.plan, saving.path, overwrite))


def reload_instead(view: ViewState, send: Send) -> None:
    """Read files that have changed on disk, with the edits on top, instead of overwriting them."""
    view.ui.saving = None
    send(Reload())


def follow(snapshot: Snapshot, view: ViewState, send: Send) -> Leaving | None:
    """Go on with what the simulation has answered; returns what the user wants to do now that the model is saved."""
    saving, report = view.ui.saving, snapshot.run.save
    if saving is None or report is None or report.request != saving.request or report is saving.report:
        return None
    saving.report = report
    if report.written:
        view.ui.saving = None
        left_out = {key for key, way in saving.agreed.items() if way == LEAVE_OUT}
        view.ui.saved_files[_file(saving.path or snapshot.run.path)] = left_out
        return _then(saving, view)
    if report.fault:
        _refused(report, saving, snapshot.run, view, send)
    elif report.plan is None:
        # it says why in the status line
        view.ui.saving = None
    else:
        saving.plan, saving.agreed, saving.diff = report.plan, saving.ways, None
        if not (report.plan.files or report.plan.edits or report.plan.unsaved):
            view.ui.saving = None
            view.feedback.show_message("nothing to save: the file is up to date")
            return _then(saving, view)
        _planned(report.plan, saving, snapshot.run, view, send)
    return None


def _then(saving: Saving, view: ViewState) -> Leaving | None:
    """What the user wants to do now; if edits were made since the save was planned, it is asked again."""
    if saving.then is not None and view.ui.edits_sent() > saving.edits:
        view.ui.leaving = saving.then
        return None
    return saving.then


def _file(path: str) -> str:
    return os.path.realpath(path)


def _planned(plan: SavePlan, saving: Saving, run: RunState, view: ViewState, send: Send) -> None:
    """Show a plan, or write it if there is nothing to ask."""
    known = saving.path is not None or saving.then is not None or _file(run.path) in view.ui.saved_files
    # what is left out as it was before is lost on the way out
    lost = saving.then is not None and any(edit.way == LEAVE_OUT for edit in plan.edits)
    doubtful = lost or plan.undecided or plan.unsaved or any(key is not None for _, key in plan.unread)
    if saving.shown or saving.ask or doubtful or not plan.files or not known:
        saving.shown = True
    else:
        write(saving, send)


def _refused(report: SaveReport, saving: Saving, run: RunState, view: ViewState, send: Send) -> None:
    """There is no such plan, or it could not be written."""
    if report.overtaken:
        # the dialog offers to overwrite them
        saving.shown = True
    elif report.plan is None and saving.plan is None and saving.path is None:
        view.feedback.show_message(report.fault)
        begin_elsewhere(view, run, saving.then)
    elif report.plan is not None or saving.plan is None:
        view.ui.saving = None
        send(Report(FAILED, report.fault))


def any_unsaved(view: ViewState) -> bool:
    """Whether leaving now would lose an edit, even one that the window does not show yet."""
    return bool(view.ui.unsaved or view.ui.unsaved_elsewhere or view.ui.edits_under_way)


def leave(view: ViewState, send: Send, leaving: Leaving) -> bool:
    """Open another model, unless there are unsaved edits: then it is asked; returns whether to quit."""
    view.ui.browse, view.ui.show_gallery = None, False
    if any_unsaved(view):
        view.ui.saving, view.ui.leaving = None, leaving
        return False
    return go(view, send, leaving)


def go(view: ViewState, send: Send, leaving: Leaving) -> bool:
    """Open another model, whatever is not saved; returns whether to quit instead."""
    view.ui.leaving = view.ui.saving = None
    if leaving.path:
        send(open_command(Path(leaving.path)))
    return not leaving.path
