"""Recordings of the run (.ktr): a switch that writes one while it runs, and one of the past."""

from __future__ import annotations

from pathlib import Path

from app.files import browse
from app.files.output import dated_path, output_folder, reason, unused_path
from app.files.recordings import SUFFIX
from app.model.views import ModelView
from app.run.commands import SaveRecording, Send, StartRecording, StopRecording
from app.run.run_state import RunState
from app.view.input.desk import Desk
from app.view.input.opening import apply_opening
from app.view.session.session import capture_view, restore_view
from app.view.session.view_note import read_view_note, view_note
from app.view.view_state import ViewState

FAILED = "The run could not be recorded"


def toggle(desk: Desk) -> None:
    """Write a recording from now on, to a file with date and time; or finish it."""
    note = view_note(capture_view(desk.view))
    if is_on(desk.run_state):
        desk.send(StopRecording(note))
    elif desk.snapshot.model is not None:
        try:
            desk.send(StartRecording(str(dated_path("kinetoscope", SUFFIX[1:])), note))
        except OSError as error:
            desk.report(FAILED, f"{output_folder()}: {reason(error)}")


def is_on(run: RunState) -> bool:
    """Whether a recording is being written, and nothing has gone wrong."""
    return run.recording is not None and not run.recording.fault


def choose_file(desk: Desk) -> None:
    """Ask for a file to which a recording of the past is saved."""
    if desk.snapshot.model is not None:
        desk.view.ui.browse = browse.begin_save_recording(desk.run_state.path)


def save(view: ViewState, send: Send, path: Path) -> None:
    """Save a recording of the past, with what the window shows."""
    send(SaveRecording(str(path), view_note(capture_view(view))))


def attach(desk: Desk, video: Path) -> None:
    """Let a video that was made carry a recording of the run."""
    path = unused_path(video.with_suffix(SUFFIX))
    desk.send(SaveRecording(str(path), view_note(capture_view(desk.view)), str(video)))


def restore_shown(desk: Desk, model: ModelView) -> None:
    """Show the model of a recording that was opened as its window has shown it last; or as the command line says."""
    note = desk.snapshot.run.view
    if note:
        try:
            restore_view(read_view_note(note), desk.view, model)
        except ValueError as error:
            desk.view.feedback.show_message(f"the view of the recording cannot be restored: {error}")
    apply_opening(desk, model)


def report_fault(desk: Desk, before: RunState, after: RunState) -> None:
    """Show a card when a recording has gone wrong."""
    fault = after.recording.fault if after.recording is not None else ""
    if after.recording is not None and fault and (before.recording is None or before.recording.fault != fault):
        desk.report("The recording was cut off", f"{after.recording.path}: {fault}")
