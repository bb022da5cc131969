"""The session of a window: kept on disk, taken over from another process, offered after a crash, restarted."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.files.recordings import is_recording
from app.model.model_title import model_title
from app.run.commands import restore_command
from app.run.journal.saved_run import SavedRun
from app.run.loading import NOT_COMPILED
from app.view.session.recovery import Recovery
from app.view.session.restart import Handover, Restart
from app.view.session.session import Session, Shape, View
from app.view.session.session_folder import CutShort

if TYPE_CHECKING:
    from app.run.simulation import Simulation
    from app.view.view_state import ViewState


class Sessions:
    """What a window does about sessions, with every turn of its loop."""

    def __init__(
        self, simulation: Simulation, restart: Restart, session: Session | None = None, handover: Handover | None = None
    ) -> None:
        self._simulation = simulation
        self.recovery = Recovery(simulation)
        self.restart = restart
        restart.write = self.recovery.write
        # of which the view is to be shown with its model
        self.session = session
        self._handover = handover
        # that of the window which another process leaves, until this one has taken it
        self.shape: Shape | None = None
        # the run of another process that continues here
        self._awaited: SavedRun | None = None

    def turn(self, view: ViewState, window: Shape) -> bool:
        """One turn of the window's loop; returns whether there is something new to show."""
        self.recovery.show(view, window)
        if self._handover is not None:
            self._take_over(self._handover)
        before, view.feedback.offered = view.feedback.offered, offer_text(self.recovery.offers)
        return before != view.feedback.offered

    def _take_over(self, handover: Handover) -> None:
        """Load the model, ask for the session, restore that, and say so; a model that fails is shown as it is."""
        run = self._simulation.latest.run
        if run.problem is not None and run.problem.title == NOT_COMPILED:
            handover.refuse(run.problem.text)
        if run.ready or run.problem is not None:
            handover.loaded()
        session = handover.take_session()
        if session is not None:
            self.shape = session.window
            self.recovery.put(session)
            self.restore(session)
            self._awaited = session.run
        restored = self._simulation.restored is self._awaited or run.problem is not None
        if self._awaited is not None and restored:
            handover.ready()
            self._handover = None

    def restore(self, session: Session) -> None:
        """Open the model of a session, and let it continue."""
        self.session = session
        self._simulation.send(restore_command(session.run))

    def restore_offered(self) -> bool:
        """Restore the session that is offered, paused; returns whether it is still there."""
        session = self.recovery.restore()
        if session is not None:
            self.restore(session)
        return session is not None

    def awaits(self, path: str) -> bool:
        """Whether the model of a path is shown with the view of a session."""
        return self.session is not None and self.session.run.path == path

    def take_view(self) -> View:
        """The view of the session, once its model is shown."""
        session, self.session = self.session, None
        return session.view if session is not None else {}

    def close(self, interrupted: bool = False) -> None:
        """The window has closed; `interrupted`: by a signal, so that nobody was asked about unsaved edits."""
        self.restart.close()
        latest = self._simulation.latest
        self.recovery.close(keep=interrupted and bool(latest.file_values or latest.unsaved))


def offer_text(offers: Sequence[CutShort]) -> str:
    """What a card says about the session that is offered first; empty if there is none."""
    if not offers:
        return ""
    session = offers[0].session
    at = time.localtime(session.when)
    today = time.strftime("%x", at) == time.strftime("%x")
    when, name, unsaved = (
        time.strftime("%H:%M" if today else "%x %H:%M", at),
        model_title(session.run.path),
        # a recording has those that it was opened with
        0 if is_recording(session.run.path) else session.run.unsaved,
    )
    edits = f"{unsaved} unsaved edit{'s' if unsaved > 1 else ''} of {name}" if unsaved else f"{name} open"
    return f"Kinetoscope exited unexpectedly at {when} with {edits}"
