"""Captures a run between two steps, and restores it in another process: edits, then the state, to the bit."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from app.run import commands as cmd
from app.run import perturb
from app.run.history.breakpoints import Breakpoint
from app.run.journal.journal import Journal
from app.run.journal.journal_file import SavedJournal
from app.run.journal.saved_run import CapturedRun, SavedRun
from app.run.keep_state import SETTINGS
from app.run.live_run import LiveRun
from app.run.saving import Saving
from app.run.status import Status
from app.run.step_clock import clamp_speed
from sim.recording.model_files import digest

RESTORED = "restored as it was before the restart"


class Restoring:
    """Captures and restores a run."""

    def __init__(self, live: LiveRun, status: Status, saving: Saving) -> None:
        # the run that was restored here, if one was; read on any thread
        self.restored: SavedRun | None = None
        # whether its file has other content by now
        self.restored_to_other = False
        self._live, self._status, self._saving = live, status, saving
        # with the journal that it was made from: made again only if that is another
        self._saved_journal = SavedJournal()
        self._saved_count = 0

    def capture(self, command: cmd.Capture, engine: str) -> None:
        """Copy the newest state of the current branch: nothing that was done there is lost."""
        live, history, run = self._live, self._live.history, self._status.run
        settings = {name: np.asarray(live.data.read(name)).item() for name in SETTINGS}
        journal, state = self._journal_now(), live.engine.copy_state(live.model, live.data)
        head = history.newest.segments[-1]
        if not history.at_head and head.version == history.version:
            try:
                state = live.engine.copy_state(*history.replayer.moment(history.branch, head.last))
                journal = self._saved(head.note)
            except ValueError:
                # it cannot be computed again
                pass
        points = tuple((point.expression, point.on) for point in live.watch.points)
        saved = SavedRun(
            run.path, live.start_key_name, run.speed, run.paused, journal, b"", settings, points, engine
        )  # fmt: skip
        command.reply(CapturedRun(saved, live.model, state))

    def _journal_now(self) -> SavedJournal:
        journal, count = self._live.edits.journal, self._saving.count
        if self._saved_journal.journal is not journal or self._saved_count != count:
            self._saved_journal, self._saved_count = self._saved(journal), count
        return self._saved_journal

    def _saved(self, journal: Journal) -> SavedJournal:
        return SavedJournal(journal, self._saving.in_file(self._live.edits, journal), journal.values())

    def restore(self, saved: SavedRun, lost: Mapping[int, str]) -> None:
        """Continue a saved run of the current model, which is as its file says, but for elements that were changed."""
        live, clock = self._live, self._live.clock
        if not saved.settings:
            # it had not begun
            self.restored = saved
            self._status.update(paused=saved.paused)
            return
        # an older version may have kept no digest, and a path that meant another folder
        self.restored_to_other = saved.digest != digest(live.model)
        other = "; its file has changed" if self.restored_to_other else ""
        clashes = live.adopt_rebased(saved.journal.rebased(live.edits.read, live.edits.layout).settle(lost))
        fault = self._restore_whole_state(saved)
        for name, value in saved.settings.items():
            live.data.write(name, value)
        live.watch.set([Breakpoint(k, text, on) for k, (text, on) in enumerate(saved.breakpoints, 1)])
        live.begin("restored")
        clock.speed = clamp_speed(saved.speed)
        live.resume()
        self._status.state_changed = True
        self.restored = saved
        self._status.say(f"{RESTORED}{fault}{other}{clashes}", speed=clock.speed, paused=saved.paused)

    def _restore_whole_state(self, saved: SavedRun) -> str:
        """Restore the state to the bit; returns why that fails, or an empty string. Nothing is pulled any more."""
        live = self._live
        try:
            state = live.engine.unpack_state(live.model, saved.state)
        except ValueError as error:
            return f", but not the state: {error}"
        live.engine.restore_state(live.model, live.data, state)
        perturb.end(live.data)
        live.engine.forward(live.model, live.data)
        # a pass starts from the accelerations before it
        live.engine.restore_state(live.model, live.data, state)
        perturb.end(live.data)
        return ""
