"""What the card about a session that was cut short does."""

from __future__ import annotations

from app.view.input.desk import Desk
from app.view.input.gesture import Gesture


def restore_session(desk: Desk, _: Gesture) -> None:
    """Restore the session that is offered, unless that would lose edits."""
    if desk.view.ui.unsaved:
        desk.view.feedback.show_message("this model has unsaved edits: save them first, or quit", lasting=True)
    elif desk.sessions is not None:
        desk.view.ui.show_gallery = False
        if not desk.sessions.restore_offered():
            desk.view.feedback.show_message("another window has already restored it")


def discard_session(desk: Desk, _: Gesture) -> None:
    if desk.sessions is not None:
        desk.sessions.recovery.discard()


def offer_later(desk: Desk, _: Gesture) -> None:
    if desk.sessions is not None:
        desk.sessions.recovery.later()
