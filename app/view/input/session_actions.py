"""What the cards about a session that was cut short, and about changed kernels, do."""

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
            desk.view.feedback.show_message("another window has restored it")


def discard_session(desk: Desk, _: Gesture) -> None:
    if desk.sessions is not None:
        desk.sessions.recovery.discard()


def offer_later(desk: Desk, _: Gesture) -> None:
    if desk.sessions is not None:
        desk.sessions.recovery.later()


def old_kernels(desk: Desk, _: Gesture) -> None:
    """Undo the last change of kernels."""
    watch = desk.sessions.restart.kernels if desk.sessions is not None else None
    if watch is not None and desk.view.feedback.kernels.taken:
        watch.go_back()
    else:
        desk.view.feedback.show_message("no kernel was changed since the start")


def new_kernels(desk: Desk, _: Gesture) -> None:
    """Take up again the change of kernels that was undone."""
    if desk.sessions is not None and desk.sessions.restart.kernels is not None:
        desk.sessions.restart.kernels.take_up_again()


def dismiss_kernels(desk: Desk, _: Gesture) -> None:
    """Close the card about changed kernels."""
    if desk.sessions is not None and desk.sessions.restart.kernels is not None:
        desk.sessions.restart.kernels.dismiss()
