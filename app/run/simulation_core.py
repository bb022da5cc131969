"""The core of a simulation: owns Model and Data, takes messages from a queue, steps, publishes snapshots.

A subclass says what each message does (`simulation.py`) and when steps are made: on a thread (`sim_thread.py`) or in
a script's own loop (`passive.py`). Nothing else touches Data, and nothing here waits for the GUI: a snapshot is
published if something changed and a display interval has passed, and the GUI takes the latest.
"""

from __future__ import annotations

import math
import queue
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from app.model.problem import Problem
from app.model.views import ModelView, StateView
from app.run import commands as cmd
from app.run import perturb, warning_hook
from app.run.history.breakpoints import Hit, Watch
from app.run.history.history import HISTORY_BYTES, History
from app.run.history.markers import MarkerType
from app.run.journal.journal import Journal
from app.run.live_edits import LiveEdits
from app.run.loading import AdoptedModel, EditPrepared, FilesRead, Job, JobMessage, ModelLoader
from app.run.run_state import TEXTS, RunState, printable_texts
from app.run.snapshot import Snapshot, view_state
from app.run.stage_profiler import StageProfiler
from app.run.step_clock import StepClock
from app.run.thread_switching import switch_interval
from sim import Data, Model
from sim.engine import Engine

DISPLAY_INTERVAL = 1 / 60


class SimulationCore:
    """A model and its state: steps, history, clock, and the snapshot published last."""

    # set with the first model
    _model: Model
    _data: Data
    _edits: LiveEdits
    _history: History
    _model_view: ModelView
    # message type -> what handles it
    handlers: ClassVar[dict[type, Callable[[Any, Any], None]]]
    # commands that run kernels: they wait until these are compiled
    needs_kernels: ClassVar[set[type]]

    def __init__(
        self,
        engine: Engine,
        paused: bool = False,
        now: Callable[[], float] = time.perf_counter,
        history_bytes: int = HISTORY_BYTES,
    ) -> None:
        self.latest = Snapshot(0, RunState(paused=paused))
        self._starts_paused = paused
        # what runs the model that is shown, and what opens files
        self._engine = self._opener = engine
        self._now = now
        self._history_bytes = history_bytes
        self._inbox: queue.SimpleQueue[cmd.Command | JobMessage] = queue.SimpleQueue()
        # of these, what is being handled; after an error the rest
        self._waiting: deque[cmd.Command | JobMessage] = deque()
        self._deferred: list[cmd.Command] = []
        self._run = self.latest.run
        self._has_model = False
        # what is shown until a first model is loaded
        self._draft: tuple[ModelView, StateView] | None = None
        # the journals of the recording that was opened, by identity; and the one that was shown last
        self._recorded: dict[int, Journal] = {}
        self._watched = Journal()
        self._state_view: StateView | None = None
        self._ghost_view: StateView | None = None
        self._clock = StepClock(timestep=1.0)
        self._loader: ModelLoader | AdoptedModel | None = None
        # what the mouse asked for last, and until when that is valid
        self._perturbed: cmd.Perturbation | None = None
        self._perturbed_until = -math.inf
        self._hold: float | None = None
        self._watch = Watch()
        self._profiler = StageProfiler(now)
        self._state_changed = self._run_changed = False
        self._published = -DISPLAY_INTERVAL
        self._quit = False

    # called from other threads

    def start(self) -> None:
        """Begin."""
        switch_interval.shorten(self)
        warning_hook.subscribe(self._on_warning)

    def send(self, command: cmd.Command) -> None:
        """Queue a command; returns at once."""
        self._inbox.put(command)

    def wait_for_model(self, timeout: float) -> Snapshot:
        """Wait until a first model is loaded or has failed to, at most `timeout` seconds."""
        end = self._now() + timeout
        while self.latest.model is None and self.latest.run.problem is None and self._now() < end:
            time.sleep(0.005)
        return self.latest

    def close(self) -> None:
        """Request the end."""
        self._restore_process()
        self.send(cmd.Quit())

    def _on_warning(self, warning: str) -> None:
        """Called with every Python warning, on any thread."""
        if warning not in self._run.warnings:
            self.send(cmd.Warn(warning))

    def _restore_process(self) -> None:
        """Undo what `start` changed for the whole process."""
        switch_interval.restore(self)
        warning_hook.unsubscribe(self._on_warning)

    # steps

    def release(self) -> None:
        """Leave Data to the caller's own steps: no perturbation, no recording, no subscription is left."""
        self._restore_process()
        if self._has_model:
            self._end_perturbation()
            self._history.stop()

    def _step(self, count: int) -> None:
        """Make steps in one native call, and time them; one by one while there are breakpoints, until one fires."""
        self._begin_steps()
        self._check_perturbation()
        # processor time: wall time would count the wait for the GIL afterwards
        began, worked = self._now(), time.thread_time()
        hits: list[Hit] = []
        if self._watch.on:
            count, hits = self._watched_steps(count)
        else:
            self._engine.step(self._model, self._data, count)
        self._clock.record(count, began, self._now(), time.thread_time() - worked)
        self._history.set_step_seconds(self._clock.step_seconds)
        self._stepped()
        if hits:
            self._stop_at(hits)

    def _watched_steps(self, count: int) -> tuple[int, list[Hit]]:
        """Make steps until a breakpoint fires; returns how many."""
        model, data, watch = self._model, self._data, self._watch
        branch, start = self._history.branch, self._history.now
        watch.begin(model, data, (branch, start))
        for step in range(start + 1, start + count + 1):
            self._engine.step(model, data, 1)
            hits = watch.check(model, data, (branch, step))
            if hits:
                return step - start, hits
        return count, []

    def _stop_at(self, hits: list[Hit]) -> None:
        """Breakpoints have fired at the present moment."""
        raise NotImplementedError

    def _begin_steps(self) -> None:
        """Steps are about to be made from the present moment: in the past this begins a branch."""
        if self._history.go_on(self._edits.edits, self._edits.journal):
            self._forked()

    def _changed(self, text: str = "") -> None:
        """The user changed the model or the state here: what follows is computed from it, in the past on a branch."""
        if self._history.change(self._edits.edits, self._edits.journal, text):
            self._forked()

    def _forked(self) -> None:
        """A branch has begun."""
        raise NotImplementedError

    def _ghost(self) -> StateView | None:
        """The state that is drawn as a ghost."""
        raise NotImplementedError

    def _stepped(self) -> None:
        """Steps were made, here or by a script."""
        problem = self._history.stepped(self._now())
        if problem is not None:
            self._update(problem=problem)
        limit = self._history.limit
        if limit and not any(warning.startswith(limit) for warning in self._run.warnings):
            text = f"{limit}: from now on older moments take longer to show, and those of a script are forgotten"
            self._update(warnings=tuple(dict.fromkeys((*self._run.warnings, text))))
        self._state_changed = True

    def _check_perturbation(self) -> None:
        """Before steps: end a perturbation that the window no longer renews, or that a moment of the past had."""
        if self._data.perturb.active and self._now() > self._perturbed_until:
            self._perturbed, self._perturbed_until = None, -math.inf
            self._end_pull()

    def _end_perturbation(self) -> None:
        """The mouse has let go, or what it held is not there any more."""
        self._end_force()
        self._perturbed, self._perturbed_until = None, -math.inf

    def _end_force(self) -> None:
        """Stop pulling the body, though the mouse may still hold it."""
        if self._perturbed is not None and self._data.perturb.active:
            self._end_pull()

    def _end_pull(self) -> None:
        self._history.extend_marker(MarkerType.PERTURB)
        perturb.end(self._data)
        self._changed("without the pull")

    # messages

    def _receive(self, wait: float) -> None:
        """Sleep until a message comes or `wait` seconds have passed, then handle all that are there."""
        if self._state_changed or self._run_changed:
            wait = min(wait, max(self._published + DISPLAY_INTERVAL - self._now(), 0.0))
        waiting = self._waiting
        try:
            waiting.append(self._inbox.get(timeout=wait) if wait > 0 and not waiting else self._inbox.get_nowait())
            while True:
                waiting.append(self._inbox.get_nowait())
        except queue.Empty:
            pass
        while waiting:
            message = waiting.popleft()
            # a scrub passes moments faster than they can be shown: the newest counts, and is shown before the next
            if not (isinstance(message, cmd.GoTo) and waiting and isinstance(waiting[0], cmd.GoTo)):
                self._handle(message)

    def _handle(self, message: cmd.Command | JobMessage) -> None:
        """Handle one message; what needs kernels waits for them."""
        if isinstance(message, JobMessage) and not self._expects(message):
            return
        if type(message) in self.needs_kernels and not self._run.ready:
            if isinstance(message, cmd.Command) and (self._has_model or self._draft is not None):
                self._defer(message)
            return
        if self._draft is not None and isinstance(message, cmd.Command) and type(message) not in cmd.NEED_NO_MODEL:
            self._defer(message)
            return
        self.handlers[type(message)](self, message)

    def _defer(self, command: cmd.Command) -> None:
        """Handle a command later, when all kernels are there."""
        self._deferred.append(command)
        self._update(waiting=self._edits_waiting())

    def _edits_waiting(self) -> int:
        """How many commands that change the model or its state wait."""
        return sum(type(command) in cmd.EDITS for command in self._deferred)

    def _expects(self, message: JobMessage) -> bool:
        """Whether a message still matters: it comes from the newest loader, or from the compilation for an edit.

        The end of a compilation matters even if it was cancelled: another may begin. So do the files of a model: it is
        read again when one of them is saved.
        """
        job = message.job
        if isinstance(message, FilesRead):
            return job is self._loader
        if isinstance(message, EditPrepared):
            return self._edits_wait_for(job)
        return not job.cancelled and (job is self._loader or self._edits_wait_for(job))

    def _edits_wait_for(self, job: Job) -> bool:
        return self._has_model and self._edits.wait_for(job)

    # publishing

    def _unsaved(self) -> tuple[str, ...]:
        """The edits that neither the file has nor the recording that was opened, as texts."""
        journal = self._edits.journal
        if id(journal) in self._recorded:
            self._watched = journal
            return ()
        texts, recorded = self._edits.unsaved, self._recorded and self._edits.unsaved_of(self._watched)
        return tuple(text for text in texts if text not in recorded)

    def _unsaved_elsewhere(self) -> tuple[str, ...]:
        """The edits at the heads of branches that neither the file nor the present has, as texts."""
        here, found = {*self._edits.unsaved}, list[str]()
        for branch in self._history.run.branches.values():
            head = branch.segments[-1]
            known = head.note is self._edits.journal or id(head.note) in self._recorded
            if head.version == self._history.version and not known:
                found += [f"{text}, in {branch.name}" for text in self._edits.unsaved_of(head.note) if text not in here]
        return tuple(found)

    def _update(self, **changes: Any) -> None:
        """Change the run's state, to be shown with the next snapshot."""
        texts = {name: printable_texts(changes[name]) for name in TEXTS & changes.keys()}
        self._run = replace(self._run, **changes | texts)
        self._run_changed = True

    def _fail(self, problem: Problem) -> None:
        """Pause and show what went wrong."""
        self._update(paused=True, problem=problem)

    def _add_marker(self, marker: MarkerType, text: str, entry: int = 0) -> None:
        """Mark the present moment on the timeline."""
        self._history.add_marker(marker, text, self._now(), entry)

    def _profile(self) -> None:
        """Time the stages of a step, if that is due."""
        if not self._run.ready:
            return
        running = 0.0 if self._run.paused or self._run.replaying else self._clock.median_seconds
        times = self._profiler.sample(self._engine, self._model, self._data, running)
        if times is not None:
            self._run = replace(self._run, stage_seconds=times)

    def _publish(self) -> None:
        """Swap in a new snapshot, at most at display rate and only if something changed."""
        now = self._now()
        if not (self._state_changed or self._run_changed) or now < self._published + DISPLAY_INTERVAL:
            return
        state_changed, self._state_changed, self._run_changed = self._state_changed, False, False
        self._published = now
        if state_changed:
            self._state_view = view_state(self._data)
            self._ghost_view = self._ghost()
            self._profile()
        moving = self._run.ready and not self._run.paused
        if not self._has_model:
            self.latest = Snapshot(self.latest.serial + 1, self._run, *(self._draft or ()))
            return
        self._run = replace(
            self._run,
            time=float(self._data.time),
            history=self._history.timeline(),
            divergences=self._history.divergences,
            breakpoints=self._watch.points,
            rate=self._clock.rate if moving else 0.0,
            # with the profiler open, the same number as its parts add up to
            step_seconds=sum(seconds for _, seconds in self._run.stage_seconds) or self._clock.median_seconds,
        )
        self.latest = Snapshot(
            self.latest.serial + 1,
            self._run,
            self._model_view,
            self._state_view,
            self._edits.file_values,
            self._edits.journal,
            self._unsaved(),
            self._ghost_view,
            self._unsaved_elsewhere(),
        )
