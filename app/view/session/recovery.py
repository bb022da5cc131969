"""Keeps the session of a window on disk while it runs, and offers those that were cut short.

A thread asks the simulation for a copy of the run, at most every PERIOD seconds and only if something has changed, and
writes it with the view that the window has shown last. The simulation copies the state, which takes microseconds; the
rest happens here. A clean end removes the session.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import sim
from app.files.error_text import describe
from app.files.output import reason
from app.model.model_title import model_title
from app.run import commands as cmd
from app.run.background_thread import answer_of
from app.run.journal.saved_run import CapturedRun, SavedRun
from app.run.loading import NOT_COMPILED
from app.view.session.session import Session, Shape, View, capture_view
from app.view.session.session_file import write_session
from app.view.session.session_folder import CutShort, SessionFolder, cut_short, new_folder, take

if TYPE_CHECKING:
    from app.run.simulation import Simulation
    from app.view.view_state import ViewState

# with the time to write, a second passes at most until a change is on disk
PERIOD = 0.7


class Recovery:
    """The session of this process on disk, and those of others that have ended unexpectedly."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        # sessions to be offered, newest first
        self.offers: tuple[CutShort, ...] = ()
        self._folder: SessionFolder | None = None
        # the one that is restored, until that is done
        self._taken: tuple[SessionFolder, Session] | None = None
        # what another process has handed over
        self._given: Session | None = None
        self._view: View = {}
        self._window: Shape | None = None
        self._shown = 0.0
        self._kept: object = None
        self._warned = False
        # of the folders, and of writing: a restart writes too
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="recovery", daemon=True)
        self._thread.start()

    # called by the window

    def show(self, view: ViewState, window: Shape) -> None:
        """What the window shows now; called with every turn of its loop."""
        self._window = window
        now = time.monotonic()
        if now - self._shown >= PERIOD:
            self._shown, self._view = now, capture_view(view)

    def restore(self) -> Session | None:
        """The session that is offered first, to be restored, paused; None if another process has it by now."""
        offer, *rest = self.offers
        self.offers = tuple(rest)
        folder = take(offer.path)
        if folder is None:
            return None
        # the last state would be gone before anyone has seen it
        session = replace(offer.session, run=replace(offer.session.run, paused=True))
        with self._lock:
            if self._taken is not None:
                self._taken[0].release()
            self._taken = folder, session
        return session

    def discard(self) -> None:
        """Remove the session that is offered first."""
        offer, *rest = self.offers
        self.offers = tuple(rest)
        folder = take(offer.path)
        if folder is not None:
            folder.remove()

    def later(self) -> None:
        """Offer the sessions at the next start."""
        self.offers = ()

    def close(self, keep: bool = False) -> None:
        """End; `keep` leaves the session, to be offered at the next start."""
        self._closed.set()
        with self._lock:
            if self._taken is not None:
                self._taken[0].release()
                self._taken = None
            # what could not be restored yet is not lost
            keep = keep or (self._given is not None and self._simulation.restored is not self._given.run)
            if self._folder is not None and keep:
                self._folder.release()
            elif self._folder is not None:
                self._folder.remove()
            self._folder = None

    # writing

    def write(self, path: Path | None = None) -> Path | None:
        """Write the session as it is now, to its own file or another; None if the run cannot be captured."""
        run = self._run_now()
        if run is None:
            return None
        session = Session(run, self._view, self._window, time.time())
        with self._lock:
            if self._closed.is_set():
                return None
            if path is None:
                self._folder = self._folder or new_folder()
                path = self._folder.file
            write_session(path, session)
        return path

    def _run_now(self) -> SavedRun | None:
        """The run as it is now; without a state if it never began, as a kernel could not be compiled."""
        shown = self._simulation.latest.run
        if shown.problem is not None and shown.problem.title == NOT_COMPILED and not shown.ready:
            opened = cmd.open_command(Path(shown.path), shown.engine)
            return SavedRun(opened.path, opened.start_key, paused=shown.paused, engine=shown.engine)

        def ask(reply: Callable[[CapturedRun], None]) -> None:
            self._simulation.send(cmd.Capture(reply))

        try:
            captured = answer_of(ask)
        except TimeoutError:
            return None
        assert captured is not None
        return captured.saved(sim.pack_state)

    def put(self, session: Session) -> None:
        """Keep a session that another process has handed over, until it is restored."""
        self._given = session
        try:
            with self._lock:
                self._folder = self._folder or new_folder()
                write_session(self._folder.file, session)
        except OSError as error:
            self._warn(error)

    def _run(self) -> None:
        self.offers = tuple(cut_short())
        while not self._closed.wait(PERIOD):
            self._keep()

    def _keep(self) -> None:
        """Write the session, if something has changed; a disk that is full is reported once."""
        latest = self._simulation.latest
        mark = (latest.serial, self._view, self._window)
        if not latest.run.ready or not latest.run.path or mark == self._kept:
            return
        restored = self._simulation.restored
        try:
            written = self.write() is not None
        except Exception as error:
            self._warn(error)
            return
        self._kept = mark if written else None
        with self._lock:
            if not written or self._taken is None or restored is not self._taken[1].run:
                return
            folder, session = self._taken
            self._taken = None
            if self._simulation.restored_to_other:
                folder.release()
                name = model_title(session.run.path)
                why = f"{name} has changed since it was edited: the session is kept and offered at the next start"
                self._simulation.send(cmd.Warn(why))
            else:
                folder.remove()

    def _warn(self, error: Exception) -> None:
        if not self._warned:
            self._warned = True
            why = reason(error) if isinstance(error, OSError) else describe(error)
            self._simulation.send(cmd.Warn(f"the session is not being saved and would be lost in a crash: {why}"))
