"""The live run: a model and its Data, the edits of it, its history, and the steps that are made with it.

Only the thread that steps calls anything here. The model may be exchanged while the run continues; older states are
shown with the model that they had.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from app.model.problem import Problem
from app.model.views import ModelView
from app.run.history.breakpoints import Hit, Watch
from app.run.history.history import History
from app.run.history.markers import MarkerType
from app.run.history.timeline import NO_BRANCH
from app.run.journal.edit_text import data_text
from app.run.journal.journal import Entry, Journal, StateChange
from app.run.live_edits import LiveEdits
from app.run.loading import JobMessage
from app.run.recording.open_recording import OpenedRecording
from app.run.snapshot import edited_view, view_model
from app.run.status import Status
from app.run.step_clock import StepClock
from sim import Data, Model
from sim.analysis.element_names import described
from sim.engine import Engine
from sim.enums import STATE_SLEEP

# memory for the states before changes of the state, and how many are kept in any case
STATE_BYTES, LEAST_STATES = 64 << 20, 20


class LiveRun:
    """A model, its state, and how both came about."""

    # set with the first model
    model: Model
    data: Data
    edits: LiveEdits
    history: History
    view: ModelView
    # whether a script makes the steps, which cannot be computed again
    dense = False

    def __init__(
        self,
        engine: Engine,
        status: Status,
        report: Callable[[JobMessage], None],
        now: Callable[[], float],
        history_bytes: int,
    ) -> None:
        self.engine = engine
        self.has_model = False
        self.clock = StepClock(timestep=1.0)
        self.watch = Watch()
        # the keyframe to which a reset returns
        self.start_key: int | None = None
        self.start_key_name: str | None = None
        self._status, self._report = status, report
        # wall time, s
        self.now = now
        self._history_bytes = history_bytes

    # ---- the model

    def take_model(self, model: Model, data: Data, start_key: str | None, note: str) -> None:
        """Run a model that was loaded, or that a script brings, from now on."""
        self._set_model(model)
        self.data, self.start_key_name = data, start_key
        self._status.update(engine_note=note)
        if note:
            self._status.update(notification=note)
        self._model_changed()

    def _set_model(self, model: Model) -> None:
        if self.has_model:
            self.edits.close()
        self.model, self.engine, self.has_model = model, model.engine, True
        self.edits = LiveEdits(self.engine, model, self._report)

    def _model_changed(self) -> None:
        """Another model is current."""
        self.view = view_model(self.model)
        self.watch.forget()
        keys = self.view.names["key"]
        self.start_key = keys.index(self.start_key_name) if self.start_key_name in keys else None
        self.clock = StepClock(float(self.model.opt.timestep), self._status.run.speed)
        self.resume()
        self._status.state_changed = True

    def show_version(self, version: int) -> None:
        """Make another version of the model the current one."""
        if version == self.history.version:
            return
        self._set_model(self.history.versions[version])
        # with the edits that it had last, trees that are to start asleep need not be able to
        self.edits.adopt(Journal())
        self.data = self._data_for(version)
        self.history.show_version(version, self.model, self.data)
        self._model_changed()
        self.edits.compile_ahead()

    def _data_for(self, version: int) -> Data:
        """Data in which a version of the model is shown."""
        return self.engine.Data(self.model)

    def adopt(self, journal: Journal) -> None:
        """Make the model what a journal says."""
        if self.edits.journal is not journal:
            self.edited(self.edits.adopt(journal))

    def adopt_rebased(self, journal: Journal) -> str:
        """Make the edits of a journal in a model that is as its file says; returns what to say about clashes."""
        changed = self.edits.adopt(journal)
        if changed and not self.edits.can_step():
            # rare: the file and an edit together need what neither needed alone
            self.engine.prepare(self.model, edits=False)
        self.edited(changed)
        number = len(journal.clashes)
        return f"; it clashes with {number} edit{'s' if number > 1 else ''}, see Edits" if number else ""

    def edited(self, paths: set[str]) -> None:
        """Fields of the model have changed."""
        if paths:
            self.view = edited_view(self.view, self.model, paths)
            self.clock.timestep = float(self.model.opt.timestep)

    # ---- starts

    def open_history(self, recorded: OpenedRecording | None, text: str) -> None:
        """Begin another history with the current model, or continue a recorded one."""
        self.history = History(self.engine, self._history_bytes)
        if recorded is not None:
            self.history.open(recorded.run, recorded.versions, recorded.markers)
        self.history.show_version(0, self.model, self.data)
        if recorded is None:
            self.begin(text)
        else:
            self.history.present(max(recorded.run.branches), 0)

    def start_over(self, text: str, key: int | None = None) -> str:
        """Reset to the start or a keyframe; returns a text that says which."""
        key = self.start_key if key is None else key
        self.engine.reset(self.model, self.data, key)
        self.engine.forward(self.model, self.data)
        self.resume()
        self._status.state_changed = True
        self._status.update(problem=None, replaying=False)
        return text if key is None else f"{text}: {described(self.view, 'key', key)}"

    def begin(self, text: str) -> None:
        """The current state is a start: earlier runs stay on branches of their own."""
        runs = sum(branch.parent == NO_BRANCH for branch in self.history.run.branches.values())
        self.history.loop = None
        self.history.begin(f"run {runs + 1}", text, self.edits.edits, self.edits.journal, self.dense)

    def resume(self) -> None:
        """Count wall time from now on."""
        self.clock.resume(self.now())

    # ---- steps

    def begin_steps(self) -> None:
        """Steps are about to be made from the current state: in the past this begins a branch."""
        if self.history.go_on(self.edits.edits, self.edits.journal):
            self._forked()

    def step(self, count: int) -> list[Hit]:
        """Make steps in one native call, and time them; one by one while there are breakpoints, until one fires."""
        # processor time: wall time would count the wait for the GIL afterwards
        began, worked = self.now(), time.thread_time()
        hits: list[Hit] = []
        if self.watch.on:
            count, hits = self._watched_steps(count)
        else:
            self.engine.step(self.model, self.data, count)
        self.clock.record(count, began, self.now(), time.thread_time() - worked)
        self.history.set_step_seconds(self.clock.step_seconds)
        self.stepped()
        return hits

    def _watched_steps(self, count: int) -> tuple[int, list[Hit]]:
        """Make steps until a breakpoint fires; returns how many."""
        branch, start = self.history.branch, self.history.now
        self.watch.begin(self.model, self.data, (branch, start))
        for step in range(start + 1, start + count + 1):
            self.engine.step(self.model, self.data, 1)
            hits = self.watch.check(self.model, self.data, (branch, step))
            if hits:
                return step - start, hits
        return count, []

    def stepped(self) -> None:
        """Steps were made, here or by a script."""
        problem = self.history.stepped(self.now())
        if problem is not None:
            self._status.update(problem=problem)
        limit = self.history.limit
        if limit and not any(warning.startswith(limit) for warning in self._status.run.warnings):
            self._status.warn(
                f"{limit}: from now on, older states take longer to show, and a script's older states are dropped"
            )
        self._status.state_changed = True

    # ---- changes

    def changed(self, text: str = "") -> None:
        """The user changed the model or the state: what follows is computed from it, in the past on a branch."""
        if self.history.change(self.edits.edits, self.edits.journal, text):
            self._forked()

    def _forked(self) -> None:
        """A branch has begun: say so, and which edits it does not have."""
        timeline = self.history.timeline()
        branch = timeline.find(timeline.branch)
        self._status.update(replaying=False)
        old = self.history.run.branches[branch.parent]
        later = _edits_in_force(old.segments[-1].note) - _edits_in_force(self.edits.journal)
        without = f", without {later} edit{'s' * (later > 1)} made later" if later > 0 else ""
        at = f"{timeline.time_of(branch.fork):.4g} s"
        self._status.say(f"new branch at {at}{without}; the old future is kept")

    def state_now(self) -> StateChange:
        """The state, before the user changes it."""
        state = self.engine.copy_state(self.model, self.data)
        return StateChange(self.history.branch, self.history.now, self.edits.layout, state)

    def state_edited(self, text: str, before: StateChange, gesture: int = 0) -> None:
        """The user changed the state: show what follows from it, and continue from here."""
        entry = self.record_state(text, before, gesture)
        self.continue_from(entry.text, entry.number)

    def continue_from(self, text: str, entry: int = 0) -> None:
        """Show what follows from the state as it was set, and continue from here; marked, for an entry."""
        if self._status.run.paused:
            self.engine.forward(self.model, self.data)
        self.changed(text)
        self.add_marker(MarkerType.EDIT, text, entry)
        self._status.state_changed = True

    def record_state(self, text: str, before: StateChange, gesture: int = 0) -> Entry:
        """Enter a change of the state in the journal; returns its entry, with a text about the numbers that it sets."""
        at = float(before.before["state"][0])
        entry = Entry(0, text, time.time(), at, state=before, gesture=gesture)
        size = sum(np.asarray(part).nbytes for part in before.before.values())
        journal = self.edits.journal.record(entry).forget_states(max(STATE_BYTES // size, LEAST_STATES))
        # a gesture that continues has extended its entry
        entry = journal.entries[-1]
        if entry.state is not None and entry.state.write is not None:
            entry = replace(entry, text=data_text(entry.state.write, self.view))
            journal = journal.with_entry(entry)
        self.edits.journal = journal
        self._status.run_changed = True
        return entry

    def add_marker(self, marker: MarkerType, text: str, entry: int = 0) -> None:
        """Mark the current state on the timeline."""
        self.history.add_marker(marker, text, self.now(), entry)

    # ---- the past

    def show(self, branch: int, step: int) -> bool:
        """Make a recorded state current, with the model as it was then; returns whether there is such a state."""
        segment = self.history.find(branch, step)
        if segment is None:
            return False
        try:
            row = self.history.row(branch, step)
        except ValueError as error:
            problem = Problem("That state cannot be shown", str(error))
            self._status.update(paused=True, replaying=False, problem=problem)
            return False
        self.show_version(segment.version)
        self.adopt(segment.note)
        self.set_row(row)
        self.history.present(branch, step)
        self._status.state_changed = True
        return True

    def set_row(self, row: object) -> None:
        """Set the state, and compute what follows from it."""
        signature = self.engine.record_signature(self.model)
        self.engine.set_state(self.model, self.data, row, signature, check=False)
        if not signature & STATE_SLEEP:
            self.engine.forward(self.model, self.data)
            # a pass starts from the accelerations before it
            self.engine.set_state(self.model, self.data, row, signature, check=False)

    def show_row(self) -> None:
        """Compute what follows from the current state, which stays the same bits."""
        self.set_row(self.engine.get_state(self.model, self.data, self.engine.record_signature(self.model)))

    def show_results(self) -> None:
        """Show what follows from the current state, unless a script has it."""
        self.show_row()
        self._status.state_changed = True


def _edits_in_force(journal: object) -> int:
    entries = getattr(journal, "entries", ())
    return sum(entry.in_force and entry.state is None for entry in entries)
