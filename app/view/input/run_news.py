"""What is new in a run, for the status line, for a card, and for the log."""

from __future__ import annotations

from pathlib import Path

from app.run.log.run_log import log_run
from app.run.snapshot import Snapshot
from app.view.input.desk import Desk
from app.view.input.run_recording import report_fault


def show_news(desk: Desk, before: Snapshot, after: Snapshot) -> None:
    """Say what has happened between two snapshots."""
    # the same text may be a new notification: then it is another object
    if after.run.notification is not before.run.notification:
        desk.view.feedback.show_message(after.run.notification)
    if after.run.made and after.run.made is not before.run.made:
        desk.view.feedback.saved.append(Path(after.run.made))
    report_fault(desk, before.run, after.run)
    log_run(desk.view.feedback.log, before, after)
