"""What each command does to a run: time, edits, state, files, mouse.

Commands and the reports of loaders come through one queue (`simulation_core.py`); the table HANDLERS says which
method handles which. A new command is a class in `commands.py`, a method here and a row in the table.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from app.files.file_watch import Watcher
from app.model.element_keys import same_elements
from app.model.problem import Problem
from app.run import commands as cmd
from app.run import perturb, warning_hook
from app.run.engine.choice import engine_named
from app.run.engine.installed import NoMujoco
from app.run.history.history import History
from app.run.history.markers import MarkerType
from app.run.history.timeline import NO_BRANCH
from app.run.journal.journal import Journal
from app.run.keep_state import at_start, carry_state
from app.run.live_edits import LiveEdits
from app.run.loading import (
    AdoptedModel,
    Drafted,
    EditPrepared,
    Failed,
    FilesRead,
    Loaded,
    ModelLoader,
    Prepared,
    Working,
)
from app.run.recording.open_recording import OpenedRecording
from app.run.recording.record import RecordableSimulation
from app.run.restore import RestorableSimulation
from app.run.run_state import Progress
from app.run.saving import SavingSimulation
from app.run.snapshot import view_model, view_state
from app.run.step_clock import StepClock, clamp_speed, next_speed
from sim import Data, Model
from sim.analysis.element_names import described
from sim.state_map import StateMap

# a perturbation that the window does not renew ends after this time
PERTURBATION_SECONDS = 2.0


class Simulation(SavingSimulation, RestorableSimulation, RecordableSimulation):
    """A run that obeys commands."""

    # how the model came to be shown, and the file of the last run
    _opened: str
    _begun = ""

    # what a changed file gave, until its kernels are compiled
    _reloaded: Loaded | None = None
    # whether a script makes the steps, which cannot be computed again
    _dense = False
    # the recording that was opened
    _recording: OpenedRecording | None = None
    # drags of bodies so far, counted down
    _drags = 0

    # a drag that began before the file changed, and has not ended: its body may be another one now
    _stale_drag = False

    @cached_property
    def _watcher(self) -> Watcher:
        return Watcher(lambda _: self._inbox.put(cmd.FileChanged()))

    def adopt(self, model: Model, data: Data) -> None:
        """Take over a model and its state from a script, as they are."""
        self._engine = model.engine
        self._engine.place(model, data)
        self._loader = AdoptedModel(self._engine, model, data, self._inbox.put)

    # time

    def _reset(self, command: cmd.Reset) -> None:
        before = self._state_now()
        self._end_perturbation()
        text = self._start_over("reset", command.key)
        self._record_state(text, before)
        self._begin(text)

    def _start_over(self, text: str, key: int | None = None) -> str:
        """Reset to the start or a keyframe; returns a text that says which."""
        key = self._start_key if key is None else key
        self._engine.reset(self._model, self._data, key)
        self._engine.forward(self._model, self._data)
        self._clock.resume(self._now())
        self._state_changed = True
        self._update(problem=None, replaying=False)
        return text if key is None else f"{text}: {described(self._model_view, 'key', key)}"

    def _begin(self, text: str) -> None:
        """The present state is a start: what was before stays on branches of its own."""
        runs = sum(branch.parent == NO_BRANCH for branch in self._history.run.branches.values())
        self._history.loop = None
        self._history.begin(f"run {runs + 1}", text, self._edits.edits, self._edits.journal, self._dense)

    def _set_speed(self, command: cmd.SetSpeed) -> None:
        self._clock.speed = clamp_speed(command.speed)
        self._clock.resume(self._now())
        self._update(speed=self._clock.speed)

    def _change_speed(self, command: cmd.ChangeSpeed) -> None:
        self._set_speed(cmd.SetSpeed(next_speed(self._clock.speed, command.notches)))

    def _hold_at(self, command: cmd.HoldAt) -> None:
        self._hold = command.time

    # files

    def _load_model(self, command: cmd.LoadModel) -> None:
        self._to_restore = command.saved
        if command.engine and not self._choose(command.engine):
            return
        self._load(command.path, command.start_key)

    def _set_engine(self, command: cmd.SetEngine) -> None:
        """Read the file again with another engine; the run goes on with it."""
        if command.name != self._run.engine and self._choose(command.name) and self._loader is not None:
            self._load(self._loader.path, self._loader.start_key, again=True)

    def _choose(self, engine: str) -> bool:
        """Open files with an engine from now on; returns whether it is there."""
        try:
            self._opener = engine_named(engine)
        except NoMujoco as error:
            self._update(problem=Problem("MuJoCo is not there", str(error)))
            return False
        self._update(engine=engine)
        return True

    def _load(self, path: str, start_key: str | None, again: bool = False) -> None:
        if self._loader is not None:
            self._loader.cancel()
            if self._loader.path != path:
                self._watcher.close()
        self._reloaded = None
        warning_hook.rearm()
        # at once: what is sent after a command to load waits for it
        self._update(problem=None, warnings=(), progress=Progress(f"reading {Path(path).name}"))
        self._drop_draft()
        self._loader = ModelLoader(self._opener, path, start_key, self._inbox.put, again, draft=not self._has_model)

    def _go_on_with(self, path: str) -> None:
        if path != self._run.path:
            self._update(path=path, path_before=self._run.path)
        # it would report what was just written
        self._watcher.close()
        self._load(path, self._start_key_name, again=True)

    def _reload(self, _: cmd.Reload) -> None:
        path, key = self._run.path, self._start_key_name
        if self._loader is not None and self._run.path == "":
            path, key = self._loader.path, self._loader.start_key
        if path:
            self._load(path, key, again=True)

    def _file_changed(self, _: cmd.FileChanged) -> None:
        """Read the file that was requested last, even if it could not be opened."""
        if self._loader is not None:
            self._load(self._loader.path, self._loader.start_key, again=True)

    # the mouse

    def _perturb(self, command: cmd.Perturb) -> None:
        """While time runs, apply a force; while paused, and to a mocap body always, set the pose.

        Without kernels the command is dropped, not deferred: a drag that goes on sends it again.
        """
        if not self._run.ready:
            return
        wanted, before = command.perturbation, self._perturbed
        self._stale_drag = self._stale_drag and wanted is not None
        if self._stale_drag:
            return
        if wanted is None or not 0 < wanted.body < self._model.nbody:
            self._end_perturbation()
            return
        self._perturbed, self._perturbed_until = wanted, self._now() + PERTURBATION_SECONDS
        began = before is None or before.body != wanted.body
        if began:
            # a drag, whatever it does, is one gesture; those of the window count up
            self._drags -= 1
        name = described(self._model_view, "body", wanted.body)
        if not self._run.paused and self._model.body_mocapid[wanted.body] < 0:
            begins = began or not self._data.perturb.active
            if begins:
                self._record_state(f"pull: {name}", self._state_now(), self._drags)
            if begins or wanted != before:
                perturb.apply(self._data, wanted)
                self._changed(f"pull: {name}")
            if begins:
                self._add_marker(MarkerType.PERTURB, f"pull: {name}")
        elif wanted != before:
            state = self._state_now()
            if perturb.move(self._model, self._data, wanted):
                perturb.end(self._data)
                self._state_edited(f"moved: {name}", state, self._drags)

    # profiling

    def _set_profiling(self, command: cmd.SetProfiling) -> None:
        """The first sample is taken at once, even while paused."""
        self._profiler.enable(command.on)
        self._state_changed = self._has_model
        self._update(stage_seconds=())

    # sleep

    def _wake(self, command: cmd.Wake) -> None:
        before = self._state_now()
        self._engine.wake(self._model, self._data, command.tree)
        self._state_edited(f"woken: tree {command.tree}", before)

    def _put_to_sleep(self, command: cmd.PutToSleep) -> None:
        before = self._state_now()
        try:
            self._engine.put_to_sleep(self._model, self._data, command.tree)
        except ValueError as error:
            self._engine.restore_state(self._model, self._data, before.before)
            self._report(cmd.Report("It cannot be put to sleep", str(error)))
            return
        self._state_edited(f"put to sleep: tree {command.tree}", before)

    # the program

    def _cancel(self, _: cmd.Cancel) -> None:
        """Cancel loading and compilation; what was compiled so far is kept."""
        if self._loader is not None:
            self._loader.cancel()
        if self._has_model:
            self._edits.cancel()
        self._drop_draft()
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
            # its files are not watched any more
            self._loader = None
        if self._has_model:
            self._finish_recording()
            self._edits.close()
        self._watcher.close()
        self._quit = True

    # reports of loaders and compilations

    def _working(self, message: Working) -> None:
        self._update(progress=message.progress)

    def _files_read(self, message: FilesRead) -> None:
        self._watcher.watch(message.files)

    def _drafted(self, message: Drafted) -> None:
        """Show what stands in for the model until it is loaded."""
        if not self._has_model:
            self._draft = view_model(message.model), view_state(message.data)
            self._update(path=message.job.path, draft=True)

    def _drop_draft(self) -> None:
        """Show nothing instead of a model that is not coming."""
        if self._draft is not None:
            self._draft = None
            self._deferred.clear()
            self._update(path="", draft=False, waiting=0)

    def _loaded(self, message: Loaded) -> None:
        """Replace the model; it is drawn at once. If its file has changed, it goes on until the kernels are there."""
        again = message.job.again and message.job.path == self._run.path and self._to_restore is None
        if again and self._run.ready:
            self._reloaded = message
            return
        if self._has_model:
            self._finish_recording()
            self._history.stop()
        self._take_model(message.model, message.data, message.job.start_key, message.job.note)
        self._opened = "read again" if again else "opened"
        self._recording = message.recording
        self._history, self._recorded = History(self._engine, self._history_bytes), {}
        if self._recording is not None:
            self._history.open(self._recording.run, self._recording.versions, self._recording.markers)
            self._recorded = {id(journal): journal for journal in self._recording.journals}
        self._history.show_version(0, self._model, self._data)
        if self._recording is None:
            self._begin(self._opened)
        else:
            self._history.present(max(self._recording.run.branches), 0)
        self._perturbed, self._perturbed_until = None, -math.inf
        if not again and self._draft is None:
            self._deferred.clear()
        self._draft = None
        path_before = self._run.path_before if again else ""
        self._update(path=message.job.path, path_before=path_before, ready=False, problem=None, stage_seconds=())
        self._update(draft=False, waiting=self._edits_waiting())
        # with the model: the window shows it as it was shown
        self._update(view=self._recording.view if self._recording is not None else "")

    def _take_model(self, model: Model, data: Data, start_key: str | None, note: str) -> None:
        """A model that was loaded, or that a script brings, is the one of the run."""
        if self._has_model:
            self._edits.close()
        self._model, self._data, self._has_model = model, data, True
        self._engine = model.engine
        self._update(engine_note=note)
        if note:
            self._update(notification=note)
        self._start_key_name = start_key
        self._edits = LiveEdits(self._engine, self._model, self._inbox.put)
        self._shown_model()

    def _shown_model(self) -> None:
        """Another model is shown than before."""
        self._model_view = view_model(self._model)
        self._watch.forget()
        keys = self._model_view.names["key"]
        self._start_key = keys.index(self._start_key_name) if self._start_key_name in keys else None
        self._clock = StepClock(float(self._model.opt.timestep), self._run.speed)
        self._clock.resume(self._now())
        self._state_changed = True

    def _show_version(self, version: int) -> None:
        """Show the model as another reading of its file gave it."""
        if version == self._history.version:
            return
        self._edits.close()
        self._model = self._history.versions[version]
        self._engine = self._model.engine
        self._edits = LiveEdits(self._engine, self._model, self._inbox.put)
        # with the edits that it had last, trees that are to start asleep need not be able to
        self._edits.adopt(Journal())
        self._data = self._engine.Data(self._model)
        self._history.show_version(version, self._model, self._data)
        self._shown_model()
        self._edits.compile_ahead()

    def _continue_with(self, message: Loaded) -> None:
        """The file has changed: the run goes on with the new model, from the same state, on the same timeline."""
        self._stale_drag = self._perturbed is not None
        self._end_perturbation()
        before, was, key = self._model, self._data, self._start_key
        edits = self._edits
        edits.remove_new_keys()
        saved, text = self._file_text(before, message.model)
        if message.model.engine is not before.engine:
            saved, text = False, f"engine: {message.model.engine.ENGINE}"
        self._take_model(message.model, message.data, message.job.start_key, message.job.note)
        states = StateMap(before, self._model, same_elements(before, self._model))
        clashes = self._keep_edits(edits)
        # moments of the past have the model that they had
        edits.adopt(edits.journal)
        self._written = None
        self._engine.reset(self._model, self._data, self._start_key)
        starts = self._history.now == 0 and at_start(before, was, key)
        carry_state(states, (before, was), (self._model, self._data), starts)
        self._history.show_version(len(self._history.versions), self._model, self._data)
        self._changed(text)
        self._add_marker(MarkerType.FILE, text)
        # after a save it is known already
        said = self._run.notification if saved and not clashes else f"{text}{clashes}"
        self._update(progress=None, problem=None, notification=said)
        self._edits.compile_ahead()

    def _prepared(self, message: Prepared) -> None:
        """Kernels are compiled: start, and handle the commands that waited for them."""
        reloaded, self._reloaded = self._reloaded, None
        if reloaded is not None and reloaded.job is message.job:
            self._continue_with(reloaded)
            return
        self._update(ready=True, progress=None)
        self._edits.compile_ahead()
        if isinstance(message.job, AdoptedModel):
            self._clock.resume(self._now())
        elif self._recording is not None:
            self._show_recording(self._recording)
            self._restore()
        else:
            if self._begun not in ("", self._run.path):
                # that the model before was paused says nothing about this one
                self._update(paused=self._starts_paused)
            self._begun = self._run.path
            text = self._start_over(self._opened)
            self._begin(text)
            self._restore()
        waiting, self._deferred = self._deferred, []
        self._update(waiting=0)
        for command in waiting:
            self._handle(command)

    def _edit_prepared(self, _: EditPrepared) -> None:
        self._update(progress=None)
        before = self._edits.journal.entries
        changed = self._edits.retry(float(self._data.time))
        self._edited(changed, ", ".join(entry.text for entry in self._edits.journal.entries[len(before) :]) or "edit")
        if self._goes_on and not self._edits.waiting:
            self._goes_on = False
            self._go_on(cmd.GoOn())

    def _failed(self, message: Failed) -> None:
        """Show the problem; the running model stays as it is."""
        if self._edits_wait_for(message.job):
            self._edits.fail()
        problem = message.problem
        self._drop_draft()
        if not self._has_model:
            problem = replace(problem, text=f"{problem.text}\nIt will open as soon as you fix and save it.")
        self._reloaded = None
        self._update(progress=None, problem=problem)


# message type -> what handles it
HANDLERS: dict[type, Callable[[Any, Any], None]] = {
    cmd.SetPaused: Simulation._set_paused,
    cmd.TogglePaused: Simulation._toggle_paused,
    cmd.StepOnce: Simulation._step_once,
    cmd.Reset: Simulation._reset,
    cmd.GoTo: Simulation._go_to,
    cmd.GoOn: Simulation._go_on,
    cmd.SetDirection: Simulation._set_direction,
    cmd.SetLoop: Simulation._set_loop,
    cmd.SwitchBranch: Simulation._switch_branch,
    cmd.RenameBranch: Simulation._rename_branch,
    cmd.RemoveBranch: Simulation._remove_branch,
    cmd.SetGhost: Simulation._set_ghost,
    cmd.TakeRows: Simulation._take_rows,
    cmd.SetBreakpoints: Simulation._set_breakpoints,
    cmd.RunToHit: Simulation._run_to_hit,
    cmd.TakeMoment: Simulation._take_moment,
    cmd.TakeExcerpt: Simulation._take_excerpt,
    cmd.StartRecording: Simulation._start_recording,
    cmd.StopRecording: Simulation._stop_recording,
    cmd.SaveRecording: Simulation._save_recording,
    cmd.Notify: Simulation._notify,
    cmd.SaveKey: Simulation._save_key,
    cmd.AddKey: Simulation._add_key,
    cmd.PlanSave: Simulation._plan_save,
    cmd.WriteSave: Simulation._write_save,
    cmd.SetSpeed: Simulation._set_speed,
    cmd.ChangeSpeed: Simulation._change_speed,
    cmd.HoldAt: Simulation._hold_at,
    cmd.SetField: Simulation._edit,
    cmd.SetFlag: Simulation._edit,
    cmd.TryFix: Simulation._try_fix,
    cmd.ResetField: Simulation._edit,
    cmd.ResetEdits: Simulation._edit,
    cmd.Undo: Simulation._undo,
    cmd.Redo: Simulation._redo,
    cmd.SwitchEdit: Simulation._switch_edit,
    cmd.SetData: Simulation._set_data,
    cmd.LoadModel: Simulation._load_model,
    cmd.Reload: Simulation._reload,
    cmd.SetEngine: Simulation._set_engine,
    cmd.FileChanged: Simulation._file_changed,
    cmd.SetProfiling: Simulation._set_profiling,
    cmd.Wake: Simulation._wake,
    cmd.PutToSleep: Simulation._put_to_sleep,
    cmd.Perturb: Simulation._perturb,
    cmd.Cancel: Simulation._cancel,
    cmd.Report: Simulation._report,
    cmd.DismissProblem: Simulation._dismiss_problem,
    cmd.Warn: Simulation._warn,
    cmd.DismissWarnings: Simulation._dismiss_warnings,
    cmd.Capture: Simulation._capture,
    cmd.Quit: Simulation._end,
    Working: Simulation._working,
    FilesRead: Simulation._files_read,
    Drafted: Simulation._drafted,
    Loaded: Simulation._loaded,
    Prepared: Simulation._prepared,
    EditPrepared: Simulation._edit_prepared,
    Failed: Simulation._failed,
}

Simulation.handlers = HANDLERS

Simulation.needs_kernels = {
    cmd.StepOnce, cmd.GoTo, cmd.GoOn, cmd.SwitchBranch, cmd.SetGhost, cmd.TakeRows, cmd.RunToHit, cmd.TakeMoment,
    cmd.TakeExcerpt, cmd.TryFix,
    cmd.StartRecording, cmd.SaveRecording,
    cmd.Reset, cmd.SaveKey, cmd.AddKey, cmd.SetField, cmd.SetFlag, cmd.ResetField,
    cmd.ResetEdits, cmd.Undo, cmd.Redo, cmd.SwitchEdit, cmd.SetData, cmd.Wake, cmd.PutToSleep,
    cmd.Capture,
}  # fmt: skip
