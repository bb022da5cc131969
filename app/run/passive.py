"""The passive simulation: a script makes the steps in its own loop, the viewer follows in `sync`.

It handles the same commands as the simulation thread, but on the caller's thread, in `sync`, between two of the
caller's steps. While paused, `sync` does not return, so that the caller's loop stands still; a single step lets it
return once. The script sets the pace, unless it asks for real time: then `sync` also waits until wall time, times the
speed that the user chose, has caught up with d.time.
"""

from __future__ import annotations

import threading

from app.files.error_text import describe
from app.model.problem import Problem
from app.run import commands as cmd
from app.run.history.markers import MarkerType
from app.run.simulation import HANDLERS, Simulation
from app.run.simulation_core import DISPLAY_INTERVAL
from app.run.snapshot import refreshed_view, view_model
from app.run.step_clock import Pacer
from sim import Data, Model
from sim.engine import Engine

# how often the script's model is searched for changes, s; that takes 0.4 ms for a humanoid
MODEL_INTERVAL = 0.1
REPLACED = "the script has replaced its model"
OWN_MODEL = Problem(
    "This viewer shows the model of a script",
    "A file cannot be opened in it. Close the viewer, or open the file in another one.",
)


class PassiveSimulation(Simulation):
    """A simulation that runs in `sync`."""

    # a script may do anything between two steps
    _dense = True
    # the thread that calls `sync`, by the system's number; None before the first call
    script_thread: int | None = None
    # snapshots that nobody draws are not made: the time between two of them, s
    frame_interval = 0.0
    # the version of the model that the script has now, and its Data
    _own: tuple[int, Data]
    # the head of the branch and Data there, while the past is shown
    _left: tuple[tuple[int, int], Data] | None = None

    def __init__(self, engine: Engine, model: Model, data: Data, realtime: bool = False) -> None:
        super().__init__(engine)
        # the thread that steps: whoever opens the viewer, then whoever calls `sync`
        self._stepper = threading.current_thread()
        self._steps_allowed = 0
        self._synced = self._compared = self._looked = self._now()
        self._pacer = Pacer()
        self._update(paced=realtime)
        self.adopt(model, data)
        # the first message says that the model is loaded: the window opens with it
        self._own = 0, data
        self._handle(self._inbox.get())
        self._publish()
        self.start()

    @property
    def model(self) -> Model:
        """The script's model."""
        return self._model

    @property
    def data(self) -> Data:
        """The script's Data."""
        return self._data

    def sync(self, state_only: bool = False) -> None:
        """Record the script's steps, handle the user's commands, publish the state.

        With `state_only`, the model is not searched for changes by the script.
        """
        # mostly there is nothing to do before the next frame: that takes 1 us, all the rest 60
        idle = self._inbox.empty() and not self._run.paused and not self._watch.on
        if self._quit or (idle and self._now() < self._looked + DISPLAY_INTERVAL and not self._time_ahead()):
            return
        self.script_thread, self._stepper = threading.get_native_id(), threading.current_thread()
        try:
            self._record_steps()
            if self._watch.on:
                self._check_breakpoints()
            if not state_only:
                self._refresh_model_view()
            self._receive(0.0)
            self._wait()
            self._steps_allowed = max(self._steps_allowed - 1, 0)
            self._begin_steps()
            self._check_perturbation()
            self._looked = self._now()
            if self._looked >= self._published + self.frame_interval or self._run_changed:
                self._publish()
        except Exception as error:
            self._fail(Problem("The viewer could not do that", describe(error)))

    def release(self) -> None:
        """Finish what the viewer has under way, and leave Data to the script: on the script's thread, while it lives.

        Steps that another thread makes meanwhile would write to memory that is gone, and `sync` would read there.
        """
        if self._stepper is not threading.current_thread() and self._stepper.is_alive():
            return
        if not self._quit:
            self._end(cmd.Quit())
        super().release()

    def set_model(self, model: Model, data: Data) -> None:
        """The script has another model from now on: the timeline goes on with it, and so do the user's edits."""
        self._record_steps()
        self._end_perturbation()
        edits = self._edits
        edits.remove_new_keys()
        model.engine.prepare(model, edits=False)
        model.engine.place(model, data)
        self._take_model(model, data, None, "")
        clashes = self._keep_edits(edits)
        # moments of the past have the model that they had
        edits.adopt(edits.journal)
        self._own = len(self._history.versions), data
        self._history.show_version(self._own[0], model, data)
        self._changed(REPLACED)
        self._add_marker(MarkerType.FILE, REPLACED)
        self._update(problem=None, notification=f"{REPLACED}{clashes}")
        self._edits.compile_ahead()

    def _show_version(self, version: int) -> None:
        """The newest model is shown in the script's own Data."""
        super()._show_version(version)
        if version == self._own[0] and self._data is not self._own[1]:
            self._data = self._own[1]
            self._history.show_version(version, self._model, self._data)

    def _check_breakpoints(self) -> None:
        """After the script's steps; its own loop decides how many are made between two looks."""
        moment = (self._history.branch, self._history.now)
        if not self._watch.follows(moment):
            self._watch.begin(self._model, self._data, moment)
        elif hits := self._watch.check(self._model, self._data, moment):
            self._stop_at(hits)

    def _show_results(self) -> None:
        """Data is the script's: it stays as the script's step left it."""

    def show_model(self) -> None:
        """Show meshes, height fields and textures that the script has changed; `sync` does not compare them."""
        self._model_view = view_model(self._model)
        self._state_changed = True

    def _wait(self) -> None:
        """Block the script while it is ahead of the clock or paused."""
        while not self._run.paused and not self._quit and (ahead := self._time_ahead()):
            self._publish()
            self._receive(min(ahead, DISPLAY_INTERVAL))
        while (self._stands_still() or self._run.replaying) and not self._quit:
            self._pacer.restart()
            wait = self._replay() if self._run.replaying else DISPLAY_INTERVAL
            self._publish()
            self._receive(min(wait, DISPLAY_INTERVAL))

    def _stands_still(self) -> bool:
        return self._run.paused and not self._steps_allowed

    def _show(self, branch: int, step: int) -> bool:
        """Show a moment in the script's own Data; back at the head it is as the script left it, with all results."""
        history = self._history
        if history.at_head and self._left is None:
            self._left = (history.branch, history.now), self._data.copy()
        shown = super()._show(branch, step)
        if shown and self._left is not None and self._left[0] == (branch, step):
            self._engine.copy_data(self._data, self._model, self._left[1])
            self._left = None
        return shown

    def _begin_steps(self) -> None:
        if self._history.version != self._own[0] and self._left is not None:
            self._show(*self._left[0])
            self._update(notification="the script has another model now: it goes on at the present")
        self._left = None
        super()._begin_steps()

    def _time_ahead(self) -> float:
        """How long the script has to wait, s."""
        return self._pacer.wait(float(self._data.time), self._run.speed, self._now()) if self._run.paced else 0.0

    def _record_steps(self) -> None:
        """Count and time the steps that the script has made since the last `sync`."""
        before, began, self._synced = self._history.now, self._synced, self._now()
        self._stepped()
        steps = self._history.now - before
        if steps > 0:
            self._clock.record(steps, began, self._synced, self._synced - began)

    def _refresh_model_view(self) -> None:
        """Show what the script has changed in its model."""
        if self._synced < self._compared + MODEL_INTERVAL:
            return
        self._compared = self._synced
        self._model_view = refreshed_view(self._model_view, self._model)
        self._clock.timestep = float(self._model.opt.timestep)

    def _step_once(self, command: cmd.StepOnce) -> None:
        """Forward: let the script step; back: through the history."""
        if command.count < 0 or not self._history.at_head:
            super()._step_once(command)
        else:
            self._update(paused=True)
            self._steps_allowed += command.count

    def _refuse(self, _: cmd.Command) -> None:
        """The script steps its own model and no other."""
        self._update(problem=OWN_MODEL)


PassiveSimulation.handlers = HANDLERS | {
    cmd.StepOnce: PassiveSimulation._step_once,
    cmd.LoadModel: PassiveSimulation._refuse,
    cmd.SetEngine: PassiveSimulation._refuse,
    cmd.Reload: PassiveSimulation._refuse,
}
