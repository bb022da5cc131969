"""Export this moment: begins the dialog, writes the file with a picture of the view, ends it."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import Image

from app.background.export.bundle import Extras
from app.background.export.dialog_state import ExportDialog
from app.background.export.environment import versions
from app.background.export.job import ExportJob, Order
from app.background.export.suggest import Shown
from app.files.error_text import printable
from app.files.output import output_folder, reason
from app.instruments import instruments
from app.instruments.forces.state import ForcesState
from app.run.commands import SetPaused
from app.view.input import page_export
from app.view.input.desk import Desk
from app.view.input.gesture import Gesture
from app.view.session.session import capture_view
from app.view.session.view_note import view_note
from app.view.view_state import ViewState

FAILED = "The moment could not be exported"


def report_moment(desk: Desk, _: Gesture) -> None:
    """Ask how to export the current step, for a bug report."""
    begin(desk, "zip")


def export_test(desk: Desk, _: Gesture) -> None:
    """Ask how to export it, as a test to begin with."""
    begin(desk, "test")


def begin(desk: Desk, kind: str) -> None:
    """Take the current step, and show the dialog. The run waits for it."""
    view, snapshot = desk.view, desk.snapshot
    if snapshot.model is None or snapshot.state is None:
        view.feedback.show_message("open a model first: there is no state to export")
        return
    if view.export is not None:
        if view.export.busy:
            view.feedback.show_message("an export is already running")
            return
        end(view, desk)
    try:
        folder = Path.cwd()
    except OSError as error:
        desk.report(FAILED, f"{output_folder()}: {reason(error)}")
        return
    run, timeline = desk.run_state, desk.run_state.history
    selection = view.selection
    selected = selection.title(snapshot.model, snapshot.state) if selection is not None else ""
    shown = Shown(
        selection,
        tuple(watch.expression for watch in view.plots.watches),
        {
            name: entry.quantities(snapshot, view)
            for name, entry in instruments().items()
            if name in view.prefs.instruments
        },
        view.of(ForcesState).subject,
    )
    branch = timeline.find(timeline.branch).name if len(timeline.branches) > 1 else ""
    title = printable(Path(run.path).name) or "model"
    resume = not run.paused
    if resume:
        desk.send(SetPaused(True))
    job = ExportJob(desk.send, shown, title, branch)
    view.export = ExportDialog(job, title, folder, kind, selected=selected, resume=resume)
    job.start()


def write(desk: Desk, _: Gesture) -> None:
    """Write what the dialog says."""
    dialog = desk.view.export
    if dialog is None or dialog.job.moment is None or dialog.path_fault:
        return
    if dialog.kind == "page":
        page_export.export(desk, Path(dialog.path).expanduser().resolve())
        close(desk, _)
        return
    extras = Extras()
    if dialog.kind == "zip":
        image = BytesIO()
        Image.fromarray(desk.screenshot()).save(image, "png")
        found = versions(dialog.job.moment.model.engine.ENGINE, desk.view.gpu)
        extras = Extras(image.getvalue(), b"", found, dialog.selected)
    note = view_note(capture_view(desk.view))
    dialog.ordered = dialog.wish, dialog.path
    dialog.job.write(Order(Path(dialog.path).expanduser().resolve(), dialog.wish, extras, note))


def close(desk: Desk, _: Gesture) -> None:
    """Close the dialog; a file that is being written is finished, and told about."""
    dialog = desk.view.export
    if dialog is None:
        return
    dialog.shown = False
    if dialog.resume:
        desk.send(SetPaused(False))
        dialog.resume = False
    if not dialog.busy or dialog.job.moment is None:
        end(desk.view, desk)


def end(view: ViewState, desk: Desk) -> None:
    """Forget an export."""
    if view.export is not None:
        view.export.job.close()
        view.export = None


def tell(desk: Desk, _: Gesture) -> None:
    """Say what came of an export, once."""
    view, dialog = desk.view, desk.view.export
    if dialog is None:
        return
    written = dialog.job.written
    if written is not None and written is not dialog.told:
        dialog.told = written
        view.feedback.show_message(f"saved {written.path}   {written.text}")
    if not dialog.shown and not dialog.busy:
        if dialog.job.fault:
            desk.report(FAILED, dialog.job.fault)
        end(view, desk)
