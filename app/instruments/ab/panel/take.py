"""What one does with B: make A like it, change places, let it be a branch."""

from __future__ import annotations

from app.instruments.ab.state import AbState
from app.instruments.ab.subject import Change, EditedCopy, OtherBranch, OtherFile
from app.run.commands import GoTo, ResetEdits, Send, SwitchBranch, TryFix
from app.run.fix import as_one
from app.run.snapshot import Snapshot
from app.ui.widgets import button, disabled
from app.view.saving import Leaving, leave
from app.view.view_state import ViewState


def take_buttons(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Buttons for the kind of B that there is."""
    subject = view.of(AbState).subject
    if isinstance(subject, EditedCopy):
        _edited(subject, snapshot, view, send)
    elif isinstance(subject, OtherBranch):
        if button("Switch to it", "show that branch, at the same time"):
            send(SwitchBranch(subject.branch))
    elif isinstance(subject, OtherFile) and button("Open it", f"open {subject.path}"):
        leave(view, send, Leaving(subject.path))


def _edited(subject: EditedCopy, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    shown = view.of(AbState)
    edits = tuple(change.edit for change in subject.changes)
    model, timeline = snapshot.model, snapshot.run.history
    assert model is not None
    with disabled(not edits and not subject.from_file):
        if button("Take B", "give the simulation B's values, from now on; undo takes them back"):
            if subject.from_file:
                send(ResetEdits())
            for edit in as_one(edits):
                send(edit)
            shown.compare(None)
        if button(
            "Swap", "A takes B's values, and B those that A has now", not (subject.from_file or not edits), beside=True
        ):
            changes = tuple(Change(change.choice, change.choice.value(model)) for change in subject.changes)
            for edit in as_one(edits):
                send(edit)
            shown.compare(EditedCopy(changes))
        if button(
            "As a branch",
            "go to where B starts and make its edits there: on a branch of its own, which is compared with this one",
            not (subject.from_file or not edits),
            beside=True,
        ):
            since, old = shown.since or 0, timeline.branch
            if snapshot.run.paused:
                send(GoTo(since, old))
                for edit in as_one(edits):
                    send(edit)
            else:
                send(TryFix(since, old, as_one(edits)))
            # what was B is shown from now on: compared with what was A
            shown.compare(OtherBranch(old), since)
