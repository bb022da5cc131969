"""The simulation behind a window: owns Model and Data, carries out commands, steps, publishes snapshots.

Commands and what the loader reports come through a queue; a table says what each does. Whoever runs it, a thread of
its own (`sim_thread.py`) or a script's loop (`passive.py`), lets it receive and publish between steps. Nothing else
touches Data, and nothing here waits for the GUI: a snapshot is published if something changed and a display interval
has passed, and the GUI takes the latest.
"""

from __future__ import annotations

import math
import queue
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from app.files.output import reason
from app.model.editable import LOOKS
from app.model.selection import described
from app.run import commands as cmd
from app.run import perturb, warning_hook
from app.run.edits import Edit, Edits, title
from app.run.engine import Engine
from app.run.expression import value_or_reason
from app.run.file_watch import Watcher
from app.run.history import HISTORY_BYTES, History
from app.run.loading import EditPrepared, Failed, Given, Loaded, Loader, LoaderMessage, Prepared, Work, Working
from app.run.marks import Event
from app.run.run_state import Problem, RunState
from app.run.snapshot import ModelView, Snapshot, StateView, edited_view, view_model, view_state
from app.run.stage_profiler import StageMeter
from app.run.step_clock import StepClock, clamp_speed, next_speed
from app.run.thread_switching import turns

DISPLAY_INTERVAL = 1 / 60
# a perturbation ends so long after the window was last heard of it
PERTURBATION_SECONDS = 2.0


class Simulation:
    """A model, its state, and what the user does to them."""

    # from the first model on
    _edits: Edits
    _history: History
    _opened: str
    _model_view: ModelView
    # what each message does: the table below
    handlers: ClassVar[dict[type, Callable[[Any, Any], None]]]

    def __init__(
        self,
        engine: Engine,
        paused: bool = False,
        now: Callable[[], float] = time.perf_counter,
        history_bytes: int = HISTORY_BYTES,
    ) -> None:
        self.latest = Snapshot(0, RunState(paused=paused))
        self._engine = engine
        self._now = now
        self._history_bytes = history_bytes
        self._inbox: queue.SimpleQueue[cmd.Command | LoaderMessage] = queue.SimpleQueue()
        self._deferred: list[cmd.Command] = []
        self._run = self.latest.run
        self._model: Any = None
        self._data: Any = None
        self._state_view: StateView | None = None
        self._clock = StepClock(timestep=1.0)
        self._loader: Loader | Given | None = None
        self._watcher = Watcher(lambda _: self._inbox.put(cmd.FileChanged()))
        # what the mouse asked for last, and until when that holds
        self._perturbed: cmd.Perturbation | None = None
        self._perturbed_until = -math.inf
        self._hold: float | None = None
        self._watched: tuple[str, ...] = ()
        self._meter = StageMeter(now)
        self._start_key: int | None = None
        self._start_key_name: str | None = None
        self._state_changed = self._run_changed = False
        self._published = -DISPLAY_INTERVAL
        self._quit = False

    # called from other threads

    def start(self) -> None:
        """Begin."""
        turns.shorten(self)
        warning_hook.listen(self._hear)

    def send(self, command: cmd.Command) -> None:
        """Ask for something; returns at once."""
        self._inbox.put(command)

    def adopt(self, model: Any, data: Any) -> None:
        """Take over a model and its state from a script, as they are."""
        self._engine.place(model, data)
        self._loader = Given(self._engine, model, data, self._inbox.put)

    def _hear(self, warning: str) -> None:
        """A warning, from any thread."""
        if warning not in self._run.warnings:
            self.send(cmd.Warn(warning))

    def wait_for_model(self, timeout: float) -> Snapshot:
        """Wait until a first model is read or has failed, at most `timeout` seconds."""
        end = self._now() + timeout
        while self.latest.model is None and self.latest.run.problem is None and self._now() < end:
            time.sleep(0.005)
        return self.latest

    def close(self) -> None:
        """Ask for the end."""
        self._withdraw()
        self.send(cmd.Quit())

    def _withdraw(self) -> None:
        """What belongs to the whole process is as it was."""
        turns.give_back(self)
        warning_hook.leave(self._hear)

    # between steps and while they are made

    def release(self) -> None:
        """Leave Data to whoever steps it next: nothing pulls, records or listens any more."""
        self._withdraw()
        if self._data is not None:
            self._end_perturbation()
            self._history.end()

    def _step(self, count: int) -> None:
        """Step natively, and take the time."""
        self._check_perturbation()
        self._history.go_on()
        # processor time: wall time would count the wait for the GIL afterwards
        began, worked = self._now(), time.thread_time()
        self._engine.step(self._model, self._data, count)
        self._clock.ran(count, began, self._now(), time.thread_time() - worked)
        self._stepped()

    def _stepped(self) -> None:
        """Steps were taken, by whomever."""
        exploded = self._history.stepped(self._now())
        if exploded is not None:
            self._update(problem=exploded)
        self._state_changed = True

    def _receive(self, wait: float) -> None:
        """Sleep until a message or for `wait` seconds, then handle all that have come."""
        if self._state_changed or self._run_changed:
            wait = min(wait, max(self._published + DISPLAY_INTERVAL - self._now(), 0.0))
        try:
            message = self._inbox.get(timeout=wait) if wait > 0 else self._inbox.get_nowait()
            while True:
                self._handle(message)
                message = self._inbox.get_nowait()
        except queue.Empty:
            pass

    def _handle(self, message: cmd.Command | LoaderMessage) -> None:
        """Carry out one message by the table; what needs kernels waits for them."""
        if isinstance(message, LoaderMessage) and not self._expects(message):
            return
        if type(message) in NEEDS_KERNELS and not self._run.ready:
            if isinstance(message, cmd.Command) and self._data is not None:
                self._deferred.append(message)
            return
        self.handlers[type(message)](self, message)

    def _expects(self, message: LoaderMessage) -> bool:
        """Whether a report still matters: of the newest loader, or of what edits wait for, which is to end first."""
        work = message.loader
        if isinstance(message, EditPrepared):
            return self._edit_waits_for(work)
        return not work.cancelled and (work is self._loader or self._edit_waits_for(work))

    def _edit_waits_for(self, work: Work) -> bool:
        return self._data is not None and self._edits.waits_for(work)

    # publishing

    def _update(self, **changes: Any) -> None:
        """Change the run's state, to be seen in the next snapshot."""
        self._run = replace(self._run, **changes)
        self._run_changed = True

    def _fail(self, problem: Problem) -> None:
        """Pause and show what went wrong."""
        self._update(paused=True, problem=problem)

    def _publish(self) -> None:
        """Swap in a new snapshot, at most at display rate and only if something changed."""
        now = self._now()
        if not (self._state_changed or self._run_changed) or now < self._published + DISPLAY_INTERVAL:
            return
        state_changed, self._state_changed, self._run_changed = self._state_changed, False, False
        self._published = now
        if state_changed:
            self._state_view = view_state(self._data)
            times = self._meter.look(self._engine, self._model, self._data) if self._run.ready else None
            self._run = replace(self._run, stage_seconds=self._run.stage_seconds if times is None else times)
        moving = self._run.ready and not self._run.paused
        if self._data is None:
            self.latest = Snapshot(self.latest.serial + 1, self._run)
            return
        span = self._history.span()
        self._run = replace(
            self._run,
            time=float(self._data.time),
            history=span,
            explosions=self._history.explosions,
            rate=self._clock.rate if moving else 0.0,
            step_seconds=self._clock.step_seconds,
        )
        self.latest = Snapshot(
            self.latest.serial + 1,
            self._run,
            self._model_view,
            self._state_view,
            dict(self._edits.file_values),
            tuple((text, value_or_reason(text, self._model, self._data)) for text in self._watched),
        )

    # handlers of commands

    def _set_paused(self, command: cmd.SetPaused) -> None:
        if self._run.paused and not command.paused:
            self._clock.resume(self._now())
        if command.paused and self._data is not None:
            self._end_force()
        self._update(paused=command.paused)

    def _toggle_paused(self, _: cmd.TogglePaused) -> None:
        self._set_paused(cmd.SetPaused(not self._run.paused))

    def _step_once(self, command: cmd.StepOnce) -> None:
        """Through the history as long as there is some ahead, then by the engine."""
        self._update(paused=True)
        span = self._history.span()
        if command.count < 0 or span.now < span.last:
            self._go_to(cmd.GoTo(min(max(span.now + command.count, span.first), span.last)))
        else:
            self._step(command.count)

    def _go_to(self, command: cmd.GoTo) -> None:
        self._update(paused=True)
        self._end_perturbation()
        if self._history.go_to(command.moment):
            self._state_changed = True

    def _reset(self, command: cmd.Reset) -> None:
        self._start_over("reset", command.key)

    def _start_over(self, text: str, key: int | None = None) -> None:
        """From the start or a keyframe; what came before is forgotten."""
        self._end_perturbation()
        key = self._start_key if key is None else key
        self._engine.reset(self._model, self._data, key)
        self._engine.forward(self._model, self._data)
        self._history.restart(text if key is None else f"{text}: keyframe {self._model_view.names['key'][key] or key}")
        self._clock.resume(self._now())
        self._state_changed = True
        self._update(problem=None)

    def _mark(self, event: Event, text: str) -> None:
        """Mark the present moment on the timeline; what came after it is forgotten."""
        self._history.mark(event, text, self._now())

    def _save_key(self, command: cmd.SaveKey) -> None:
        self._engine.set_keyframe(self._model, self._data, command.key)
        self._model_view = edited_view(self._model_view, self._model, {"key_time"})
        self._run_changed = True

    def _save_model(self, command: cmd.SaveModel) -> None:
        try:
            self._model.save_xml(command.path)
            self._update(news=f"saved {command.path}")
        except (OSError, ValueError) as error:
            why = f"{command.path}: {reason(error)}" if isinstance(error, OSError) else str(error)
            self._report(cmd.Report("The model could not be saved", why))

    def _set_speed(self, command: cmd.SetSpeed) -> None:
        self._clock.speed = clamp_speed(command.speed)
        self._clock.resume(self._now())
        self._update(speed=self._clock.speed)

    def _change_speed(self, command: cmd.ChangeSpeed) -> None:
        self._set_speed(cmd.SetSpeed(next_speed(self._clock.speed, command.notches)))

    def _hold_at(self, command: cmd.HoldAt) -> None:
        self._hold = command.time

    def _load_model(self, command: cmd.LoadModel) -> None:
        if self._loader is not None:
            self._loader.cancel()
        # watched first: what is saved while it is read is read again
        self._watcher.watch_model(command.path)
        warning_hook.repeat()
        self._update(problem=None, warnings=())
        self._loader = Loader(self._engine, command.path, command.start_key, self._inbox.put)

    def _reload(self, _: cmd.Reload) -> None:
        path, key = self._run.path, self._start_key_name
        if self._loader is not None and self._run.path == "":
            path, key = self._loader.path, self._loader.start_key
        if path:
            self._load_model(cmd.LoadModel(path, key))

    def _file_changed(self, _: cmd.FileChanged) -> None:
        """What was asked for last is read again, whether it could be opened or not."""
        if self._loader is not None:
            self._load_model(cmd.LoadModel(self._loader.path, self._loader.start_key))

    def _perturb(self, command: cmd.Perturb) -> None:
        """While time runs, a force; while it stands still, and always of a mocap body, the pose itself.

        While kernels compile nothing can be pulled, and nothing waits: a drag that goes on then is told again.
        """
        if not self._run.ready:
            return
        wanted, before = command.perturbation, self._perturbed
        if wanted is None or not 0 < wanted.body < self._model.nbody:
            self._end_perturbation()
            return
        self._perturbed, self._perturbed_until = wanted, self._now() + PERTURBATION_SECONDS
        if not self._run.paused and self._model.body_mocapid[wanted.body] < 0:
            if before is None or before.body != wanted.body or not self._data.perturb.active:
                self._mark(Event.PULL, f"pull: {described(self._model_view, 'body', wanted.body)}")
            perturb.apply(self._data, wanted)
        elif wanted != before and perturb.move(self._model, self._data, wanted):
            perturb.end(self._data)
            self._changed_by_hand(f"moved: {described(self._model_view, 'body', wanted.body)}")

    def _check_perturbation(self) -> None:
        """The window has fallen silent, or the moment was gone back to: nobody pulls when time goes on."""
        if self._data.perturb.active and self._now() > self._perturbed_until:
            self._end_perturbation()

    def _end_perturbation(self) -> None:
        self._end_force()
        self._perturbed, self._perturbed_until = None, -math.inf

    def _end_force(self) -> None:
        """The body is no longer pulled, though the mouse may still hold it."""
        if self._perturbed is not None and self._data.perturb.active:
            self._history.lasted(Event.PULL)
        perturb.end(self._data)

    def _edit(self, edit: Edit) -> None:
        waited = self._edits.waiting
        self._edited(self._edits.do(edit), title(edit))
        if waited and not self._edits.waiting:
            self._update(progress=None)

    def _edited(self, paths: set[str], text: str) -> None:
        """Show an edit at once, and in the next step; what was computed without it is no longer ahead."""
        if not paths:
            return
        if not paths <= LOOKS:
            self._check_perturbation()
            self._mark(Event.EDIT, f"edit: {text}")
            self._clock.timestep = float(self._model.opt.timestep)
            # who sleeps does not notice that the world has changed
            self._engine.wake(self._model, self._data)
        self._model_view = edited_view(self._model_view, self._model, paths)
        if self._run.paused:
            self._engine.forward(self._model, self._data)
        self._state_changed = True

    def _set_data(self, command: cmd.SetData) -> None:
        field = self._data.read(command.path)
        if isinstance(field, np.ndarray):
            field.reshape(-1)[command.start : command.start + len(command.values)] = command.values
        else:
            self._data.write(command.path, command.values[0])
        whole = np.size(field) == len(command.values)
        self._changed_by_hand(f"set: {command.path}" if whole else f"set: {command.path}[{command.start}]")

    def _changed_by_hand(self, text: str) -> None:
        """The user changed the state: show what follows from it, and go on from here."""
        self._check_perturbation()
        if self._run.paused:
            self._engine.forward(self._model, self._data)
            self._history.overwrite()
        self._mark(Event.EDIT, text)
        self._state_changed = True

    def _set_watches(self, command: cmd.SetWatches) -> None:
        self._watched = command.expressions
        self._run_changed = True

    def _set_profiling(self, command: cmd.SetProfiling) -> None:
        """The first look is taken at once, also while time stands still."""
        self._meter.switch(command.on)
        self._state_changed = self._data is not None
        self._update(stage_seconds=())

    def _wake(self, command: cmd.Wake) -> None:
        self._engine.wake(self._model, self._data, command.tree)
        self._changed_by_hand(f"woken: tree {command.tree}")

    def _put_to_sleep(self, command: cmd.PutToSleep) -> None:
        try:
            self._engine.put_to_sleep(self._model, self._data, command.tree)
        except ValueError as error:
            self._report(cmd.Report("It cannot be put to sleep", str(error)))
            return
        self._changed_by_hand(f"put to sleep: tree {command.tree}")

    def _cancel(self, _: cmd.Cancel) -> None:
        """Nothing is waited for any more; what was compiled so far is kept."""
        if self._loader is not None:
            self._loader.cancel()
        if self._data is not None:
            self._edits.cancel()
        self._update(progress=None)

    def _report(self, command: cmd.Report) -> None:
        self._update(problem=Problem(command.title, command.text))

    def _dismiss_problem(self, _: cmd.DismissProblem) -> None:
        self._update(problem=None)

    def _warn(self, command: cmd.Warn) -> None:
        self._update(warnings=tuple(dict.fromkeys((*self._run.warnings, command.text))))

    def _dismiss_warnings(self, _: cmd.DismissWarnings) -> None:
        self._update(warnings=())

    def _end(self, _: cmd.Quit) -> None:
        if self._loader is not None:
            self._loader.cancel()
        self._watcher.close()
        self._quit = True

    # handlers of what the loader reports

    def _working(self, message: Working) -> None:
        self._update(progress=message.progress)

    def _loaded(self, message: Loaded) -> None:
        """The new model takes the place of the old one, at once on the screen."""
        if self._data is not None:
            self._edits.cancel()
            self._history.end()
        self._model, self._data = message.model, message.data
        self._model_view = view_model(message.model)
        keys = self._model_view.names["key"]
        self._start_key_name = message.loader.start_key
        self._start_key = keys.index(self._start_key_name) if self._start_key_name in keys else None
        self._edits = Edits(self._engine, self._model, self._inbox.put)
        self._opened = "read again" if message.loader.path == self._run.path != "" else "opened"
        self._history = History(self._engine, self._model, self._data, self._history_bytes, self._opened)
        self._clock = StepClock(float(message.model.opt.timestep), self._run.speed)
        self._deferred.clear()
        self._perturbed, self._perturbed_until = None, -math.inf
        self._state_changed = True
        self._update(path=message.loader.path, ready=False, problem=None, stage_seconds=())

    def _prepared(self, message: Prepared) -> None:
        """Kernels are there: start, and carry out what waited for them."""
        self._update(ready=True, progress=None)
        if isinstance(message.loader, Given):
            self._clock.resume(self._now())
        else:
            self._start_over(self._opened)
        waiting, self._deferred = self._deferred, []
        for command in waiting:
            self._handle(command)

    def _edit_prepared(self, _: EditPrepared) -> None:
        self._update(progress=None)
        waited = ", ".join(dict.fromkeys(map(title, self._edits.waiting)))
        self._edited(self._edits.ready(), waited)

    def _failed(self, message: Failed) -> None:
        """A file that cannot be opened leaves the running scene alone, an edit that cannot be done too."""
        if self._edit_waits_for(message.loader):
            self._edits.fail()
        self._update(progress=None, problem=message.problem)


# what each message does; a new command needs one row here
HANDLERS: dict[type, Callable[[Any, Any], None]] = {
    cmd.SetPaused: Simulation._set_paused,
    cmd.TogglePaused: Simulation._toggle_paused,
    cmd.StepOnce: Simulation._step_once,
    cmd.Reset: Simulation._reset,
    cmd.GoTo: Simulation._go_to,
    cmd.SaveKey: Simulation._save_key,
    cmd.SaveModel: Simulation._save_model,
    cmd.SetSpeed: Simulation._set_speed,
    cmd.ChangeSpeed: Simulation._change_speed,
    cmd.HoldAt: Simulation._hold_at,
    cmd.SetField: Simulation._edit,
    cmd.SetFlag: Simulation._edit,
    cmd.ResetField: Simulation._edit,
    cmd.ResetEdits: Simulation._edit,
    cmd.SetData: Simulation._set_data,
    cmd.LoadModel: Simulation._load_model,
    cmd.Reload: Simulation._reload,
    cmd.FileChanged: Simulation._file_changed,
    cmd.SetWatches: Simulation._set_watches,
    cmd.SetProfiling: Simulation._set_profiling,
    cmd.Wake: Simulation._wake,
    cmd.PutToSleep: Simulation._put_to_sleep,
    cmd.Perturb: Simulation._perturb,
    cmd.Cancel: Simulation._cancel,
    cmd.Report: Simulation._report,
    cmd.DismissProblem: Simulation._dismiss_problem,
    cmd.Warn: Simulation._warn,
    cmd.DismissWarnings: Simulation._dismiss_warnings,
    cmd.Quit: Simulation._end,
    Working: Simulation._working,
    Loaded: Simulation._loaded,
    Prepared: Simulation._prepared,
    EditPrepared: Simulation._edit_prepared,
    Failed: Simulation._failed,
}

Simulation.handlers = HANDLERS

# commands that run kernels; they wait until these are compiled
NEEDS_KERNELS = {
    cmd.StepOnce, cmd.GoTo, cmd.Reset, cmd.SaveKey, cmd.SetField, cmd.SetFlag, cmd.ResetField, cmd.ResetEdits,
    cmd.SetData, cmd.Wake, cmd.PutToSleep,
}  # fmt: skip
