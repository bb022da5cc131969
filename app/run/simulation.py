"""A simulation: its parts, and the queue of commands and reports that move them.

`LiveRun` is the model, its state and its history; `TimeTravel`, `Edits`, `MousePull`, `Saving`, `Restoring`,
`Recording` and `ModelSource` do what commands ask for; `Publisher` makes snapshots. A table says which part handles
which command: a new command is a class in `commands.py`, a method of a part, and a row there.

When steps are made is up to a thread (`sim_thread.py`) or a script's own loop (`passive.py`). Nothing else touches
Data, and nothing here waits for the GUI: a snapshot is published if something changed and a display interval has
passed, and the GUI takes the latest.
"""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable
from itertools import count
from typing import Any

from app.model.problem import Problem
from app.run import commands as cmd
from app.run import warning_hook
from app.run.deferred import Deferred
from app.run.engine.choice import name_of
from app.run.history.history import HISTORY_BYTES
from app.run.journal.saved_run import SavedRun
from app.run.live_run import LiveRun
from app.run.loading import Drafted, EditPrepared, Failed, FilesRead, JobMessage, Loaded, Prepared, Working
from app.run.model_source import ModelSource
from app.run.mouse_pull import MousePull
from app.run.publisher import DISPLAY_INTERVAL, Publisher
from app.run.recording.record import Recording
from app.run.restore import Restoring
from app.run.saving import Saving
from app.run.snapshot import Snapshot
from app.run.status import Status
from app.run.thread_switching import switch_interval
from app.run.time_travel import TimeTravel
from app.run.undo import Edits
from sim import Data, Model
from sim.engine import Engine

Message = cmd.Command | JobMessage
Handlers = dict[type, Callable[[Any], object]]


class Simulation:
    """A run that obeys commands."""

    # what the model runs in
    live_run = LiveRun

    def __init__(
        self,
        engine: Engine,
        paused: bool = False,
        now: Callable[[], float] = time.perf_counter,
        history_bytes: int = HISTORY_BYTES,
    ) -> None:
        self._inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        # of these, what is being handled; after an error the rest
        self._waiting: deque[Message] = deque()
        # edits are numbered as they are sent, on any thread
        self._numbers, self.edits_sent = count(1), 0
        self._over = False
        self.status = Status(paused)
        self.live = self.live_run(engine, self.status, self._inbox.put, now, history_bytes)
        self.publisher = Publisher(self.live, self.status)
        self.mouse = MousePull(self.live, self.status)
        self.travel = TimeTravel(self.live, self.status, self.mouse)
        self.saving = Saving(self.live, self.status)
        self._restoring = Restoring(self.live, self.status, self.saving)
        self._recording = Recording(self.live, self.status, self.send)
        self._deferred = Deferred(self.status)
        self.source = ModelSource(
            engine, self.live, self.status, self.publisher, self.mouse, self.saving, self._restoring, self._recording,
            self._deferred, self._inbox.put,
        )  # fmt: skip
        self.edits = Edits(self.live, self.status, self.mouse, self.travel, self.source)
        # type of message -> what handles it
        self.handlers: Handlers = self._of_time() | self._of_changes() | self._of_program()

    def _of_time(self) -> Handlers:
        """Commands that move time."""
        travel = self.travel
        return {
            cmd.SetPaused: travel.set_paused,
            cmd.TogglePaused: travel.toggle_paused,
            cmd.StepOnce: travel.step_once,
            cmd.Reset: travel.reset,
            cmd.GoTo: travel.go_to,
            cmd.GoOn: travel.go_on,
            cmd.SetDirection: travel.set_direction,
            cmd.SetLoop: travel.set_loop,
            cmd.SwitchBranch: travel.switch_branch,
            cmd.RenameBranch: travel.rename_branch,
            cmd.RemoveBranch: travel.remove_branch,
            cmd.SetGhost: travel.set_ghost,
            cmd.TakeRows: travel.take_rows,
            cmd.TakeMoment: travel.take_moment,
            cmd.TakeExcerpt: travel.take_excerpt,
            cmd.SetBreakpoints: travel.set_breakpoints,
            cmd.RunToHit: travel.run_to_hit,
            cmd.SetSpeed: travel.set_speed,
            cmd.ChangeSpeed: travel.change_speed,
            cmd.HoldAt: travel.hold_at,
        }

    def _of_changes(self) -> Handlers:
        """Commands that change the model or the state, and that write files."""
        edits, recording = self.edits, self._recording
        return {
            cmd.SetField: edits.edit,
            cmd.SetFlag: edits.edit,
            cmd.ResetField: edits.edit,
            cmd.ResetEdits: edits.edit,
            cmd.EditTree: self.source.edit_tree,
            cmd.TryFix: edits.try_fix,
            cmd.Undo: edits.undo,
            cmd.Redo: edits.redo,
            cmd.DropGesture: edits.drop_gesture,
            cmd.SwitchEdit: edits.switch_edit,
            cmd.SaveKey: edits.save_key,
            cmd.AddKey: edits.add_key,
            cmd.SetData: edits.set_data,
            cmd.Wake: edits.wake,
            cmd.PutToSleep: edits.put_to_sleep,
            cmd.Perturb: self.mouse.perturb,
            cmd.PlanSave: self.saving.plan,
            cmd.WriteSave: self._write_save,
            cmd.StartRecording: recording.start,
            cmd.StopRecording: recording.stop,
            cmd.SaveRecording: recording.save,
        }

    def _of_program(self) -> Handlers:
        """Commands about files and the program, and reports of loaders."""
        source, status, restoring = self.source, self.status, self._restoring
        return {
            cmd.LoadModel: source.load,
            cmd.Reload: source.reload,
            cmd.SetEngine: source.set_engine,
            cmd.FileChanged: source.file_changed,
            cmd.Cancel: source.cancel,
            cmd.Capture: lambda command: restoring.capture(command, name_of(source.engine)),
            cmd.SetProfiling: lambda command: self.publisher.profile(command.on),
            cmd.Notify: lambda command: status.update(notification=command.text, made=command.made),
            cmd.Report: lambda command: status.update(problem=Problem(command.title, command.text)),
            cmd.DismissProblem: lambda _: status.update(problem=None),
            cmd.Warn: lambda command: status.warn(command.text),
            cmd.DismissWarnings: lambda _: status.update(warnings=()),
            cmd.Quit: self._quit,
            Working: lambda message: status.update(progress=message.progress),
            FilesRead: source.files_read,
            Drafted: source.drafted,
            Loaded: source.loaded,
            Prepared: self._prepared,
            EditPrepared: self.edits.edit_prepared,
            Failed: source.failed,
        }

    # ---- called from other threads

    @property
    def latest(self) -> Snapshot:
        """The snapshot published last."""
        return self.publisher.latest

    @property
    def restored(self) -> SavedRun | None:
        """The run that was restored here, if one was."""
        return self._restoring.restored

    @property
    def restored_to_other(self) -> bool:
        """Whether the file of that run has other content by now."""
        return self._restoring.restored_to_other

    def start(self) -> None:
        """Begin."""
        switch_interval.shorten(self)
        warning_hook.subscribe(self._on_warning)

    def adopt(self, model: Model, data: Data) -> None:
        """Take over a model and its state from a script, as they are."""
        self.source.adopt(model, data)

    def send(self, command: cmd.Command) -> None:
        """Queue a command; returns at once."""
        if type(command) in cmd.EDITS:
            self.edits_sent = next(self._numbers)
        self._inbox.put(command)

    def wait_for_model(self, timeout: float) -> Snapshot:
        """Wait until a first model is loaded or has failed to, at most `timeout` seconds."""
        end = self.live.now() + timeout
        while self.latest.model is None and self.latest.run.problem is None and self.live.now() < end:
            time.sleep(0.005)
        return self.latest

    def close(self) -> None:
        """Ask it to stop."""
        self._restore_process()
        self.send(cmd.Quit())

    def _on_warning(self, warning: str) -> None:
        """Called with every Python warning, on any thread."""
        if warning not in self.status.run.warnings:
            self.send(cmd.Warn(warning))

    def _restore_process(self) -> None:
        """Undo what `start` changed for the whole process."""
        switch_interval.restore(self)
        warning_hook.unsubscribe(self._on_warning)

    @property
    def endless_seconds(self) -> float:
        """How long a computation has taken that may have no end; 0 if there is none that `cmd.Cancel` could end."""
        return 0.0

    # ---- called where steps are made

    def release(self) -> None:
        """Leave Data to the caller's own steps: no perturbation, no recording, no subscription is left."""
        self._restore_process()
        if self.live.has_model:
            self.mouse.end()
            self.live.history.stop()

    def receive(self, wait: float) -> None:
        """Sleep until a message comes or `wait` seconds have passed, then handle all that are there."""
        if self.publisher.pending:
            wait = min(wait, max(self.publisher.due - self.live.now(), 0.0))
        waiting = self._waiting
        try:
            waiting.append(self._inbox.get(timeout=wait) if wait > 0 and not waiting else self._inbox.get_nowait())
            while True:
                waiting.append(self._inbox.get_nowait())
        except queue.Empty:
            pass
        while waiting:
            message = waiting.popleft()
            if type(message) in cmd.EDITS:
                self.status.update(edits_received=self.status.run.edits_received + 1)
            # a scrub or a drag passes faster than it can be shown: the newest counts, and is shown before the next
            if not (waiting and cmd.overtaken(message, waiting[0])):
                self.handle(message)

    def handle(self, message: Message) -> None:
        """Handle one message; commands that need kernels, or a model, wait for them."""
        kind, run = type(message), self.status.run
        if isinstance(message, JobMessage):
            if self.source.expects(message):
                self.handlers[kind](message)
        elif kind in cmd.NEED_KERNELS and not run.ready:
            if self.live.has_model or run.draft:
                self._deferred.add(message)
        elif run.draft and kind not in cmd.NEED_NO_MODEL:
            self._deferred.add(message)
        else:
            self.handlers[kind](message)

    def replay(self) -> float:
        """Show the recorded state that is due; returns how long to wait for the next."""
        now = self.live.now()
        return max(self.publisher.due - now, 0.001) if self.travel.replay() else DISPLAY_INTERVAL

    def publish(self) -> None:
        """Hand over to a recording what is new, and publish a snapshot, if they are due."""
        self._recording.follow()
        self.publisher.publish()

    # ---- handlers that take more than one part

    def _write_save(self, command: cmd.WriteSave) -> None:
        """Write, and read the model again: the run continues, and its edits are in the file."""
        path = self.saving.write(command)
        if path:
            self.source.read_saved(path)

    def _prepared(self, message: Prepared) -> None:
        """Kernels are compiled: start, and handle the commands that waited for them."""
        if self.source.take_reloaded(message):
            return
        self.source.prepared(message)
        for command in self._deferred.take():
            self.handle(command)

    def _quit(self, _: cmd.Quit) -> None:
        self.source.close()
        if self.live.has_model:
            self._recording.finish()
            self.live.edits.close()
        self._over = True
