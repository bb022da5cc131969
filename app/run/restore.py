"""Captures a run between two steps, and restores it in another process: edits, then the state, to the bit."""

from __future__ import annotations

import numpy as np

from app.run import commands as cmd
from app.run import perturb
from app.run.engine.choice import name_of
from app.run.history.breakpoints import Breakpoint
from app.run.journal.journal import Journal
from app.run.journal.journal_file import SavedJournal
from app.run.journal.saved_run import CapturedRun, SavedRun
from app.run.keep_state import SETTINGS
from app.run.step_clock import clamp_speed
from app.run.undo import UndoableSimulation
from sim.recording.model_files import digest


class RestorableSimulation(UndoableSimulation):
    """A run that can go on in another process."""

    # the keyframe to which a reset returns
    _start_key: int | None = None
    _start_key_name: str | None = None

    # the run that went on here, if one did; read on any thread
    restored: SavedRun | None = None
    # whether it went on with another content of its file
    restored_to_other = False
    # what goes on once its model is loaded and compiled
    _to_restore: SavedRun | None = None
    # with the journal that it was made from: made again only if that is another
    _saved_journal = SavedJournal()
    _saved_saves = 0

    def _begin(self, text: str) -> None:
        """The present state is a start."""
        raise NotImplementedError

    def _capture(self, command: cmd.Capture) -> None:
        """Copy the newest moment of the branch that is shown: what was done there must not be lost."""
        settings = {name: np.asarray(self._data.read(name)).item() for name in SETTINGS}
        journal, state = self._journal_now(), self._engine.copy_state(self._model, self._data)
        head = self._history.newest.segments[-1]
        if not self._history.at_head and head.version == self._history.version:
            try:
                state = self._engine.copy_state(*self._history.replayer.moment(self._history.branch, head.last))
                journal = self._saved(head.note)
            except ValueError:
                # it cannot be computed again
                pass
        points = tuple((point.expression, point.on) for point in self._watch.points)
        run = SavedRun(
            self._run.path,
            self._start_key_name,
            self._run.speed,
            self._run.paused,
            journal,
            b"",
            settings,
            points,
            name_of(self._opener),
        )
        command.reply(CapturedRun(run, self._model, state))

    def _journal_now(self) -> SavedJournal:
        journal, saves = self._edits.journal, self._saves
        if self._saved_journal.journal is not journal or self._saved_saves != saves:
            self._saved_journal = self._saved(journal)
            self._saved_saves = saves
        return self._saved_journal

    def _saved(self, journal: Journal) -> SavedJournal:
        return SavedJournal(journal, self._in_file(self._edits, journal), journal.values())

    def _restore(self) -> None:
        """Let the run that was saved go on, if it is of this model; the model is as its file says."""
        saved, self._to_restore = self._to_restore, None
        if saved is None or saved.path != self._run.path:
            return
        if not saved.settings:
            # it had not begun
            self.restored = saved
            self._update(paused=saved.paused)
            return
        # an older version may have kept no digest, and a path that meant another folder
        self.restored_to_other = saved.digest != digest(self._model)
        other = "; its file is another one now" if self.restored_to_other else ""
        clashes = self._adopt_journal(saved.journal.rebased(self._edits.read, self._edits.layout))
        fault = self._restore_whole_state(saved)
        for name, value in saved.settings.items():
            self._data.write(name, value)
        self._watch.set([Breakpoint(k, text, on) for k, (text, on) in enumerate(saved.breakpoints, 1)])
        self._begin("restored")
        self._clock.speed = clamp_speed(saved.speed)
        self._clock.resume(self._now())
        self._state_changed = True
        self.restored = saved
        self._update(speed=self._clock.speed, paused=saved.paused, notification=f"restored{fault}{other}{clashes}")

    def _restore_whole_state(self, saved: SavedRun) -> str:
        """Restore the state to the bit; returns why that fails, or an empty string. Nothing is pulled any more."""
        try:
            state = self._engine.unpack_state(self._model, saved.state)
        except ValueError as error:
            return f", but not the state: {error}"
        self._engine.restore_state(self._model, self._data, state)
        perturb.end(self._data)
        self._engine.forward(self._model, self._data)
        # a pass starts from the accelerations before it
        self._engine.restore_state(self._model, self._data, state)
        perturb.end(self._data)
        return ""
