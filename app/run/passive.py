"""The passive simulation: a script makes the steps in its own loop, the viewer follows in `sync`.

It handles the same commands as the simulation thread, but on the caller's thread, in `sync`, between two of the
caller's steps. While paused, `sync` does not return, so that the caller's loop stands still; a single step lets it
return once. The script sets the pace, unless it asks for real time: then `sync` also waits until wall time, times the
speed that the user chose, has caught up with d.time.
"""

from __future__ import annotations

import threading
import time

from app.files.error_text import describe
from app.model.problem import Problem
from app.run import commands as cmd
from app.run.publisher import DISPLAY_INTERVAL
from app.run.script_run import ScriptRun
from app.run.simulation import Simulation
from app.run.snapshot import refreshed_view, view_model
from app.run.step_clock import Pacer
from sim import Data, Model
from sim.engine import Engine

# how often the script's model is searched for changes, s; that takes 0.4 ms for a humanoid
MODEL_INTERVAL = 0.1
REPLACED = "the script replaced its model"
OWN_MODEL = Problem(
    "This viewer shows the model of a script",
    "It cannot open a file. Close this viewer, or open the file in another one.",
)


class PassiveSimulation(Simulation):
    """A simulation that runs in `sync`."""

    live_run = ScriptRun
    live: ScriptRun
    # the thread that calls `sync`, by the system's number; None before the first call
    script_thread: int | None = None
    # snapshots that nobody draws are not made: the time between two of them, s
    frame_interval = 0.0

    def __init__(self, engine: Engine, model: Model, data: Data, realtime: bool = False) -> None:
        super().__init__(engine)
        refused = dict.fromkeys((cmd.LoadModel, cmd.SetEngine, cmd.Reload), self._refuse)
        self.handlers |= {cmd.StepOnce: self._step_once, **refused}
        # the thread that steps: whoever opens the viewer, then whoever calls `sync`
        self._stepper = threading.current_thread()
        self._steps_allowed = 0
        self._synced = self._compared = self._looked = self.live.now()
        # processor time of the thread that steps when it resumed, s
        self._worked = (threading.get_ident(), time.thread_time())
        self._pacer = Pacer()
        self.status.update(paced=realtime)
        self.adopt(model, data)
        # the first message says that the model is loaded: the window opens with it
        self.live.set_own(0, data)
        self.handle(self._inbox.get())
        self.publish()
        self.start()

    @property
    def model(self) -> Model:
        """The script's model."""
        return self.live.model

    @property
    def data(self) -> Data:
        """The script's Data."""
        return self.live.data

    def sync(self, state_only: bool = False) -> None:
        """Record the script's steps, handle the user's commands, publish the state.

        With `state_only`, the model is not searched for changes by the script.
        """
        # mostly there is nothing to do before the next frame: that takes 1 us, all the rest 60
        idle = self._inbox.empty() and not self.status.run.paused and not self.live.watch.on
        if self._over or (idle and self.live.now() < self._looked + DISPLAY_INTERVAL and not self._time_ahead()):
            return
        self.script_thread, self._stepper = threading.get_native_id(), threading.current_thread()
        try:
            self._record_steps()
            if self.live.watch.on:
                self._check_breakpoints()
            if not state_only:
                self._refresh_model_view()
            self.receive(0.0)
            self._wait()
            self._steps_allowed = max(self._steps_allowed - 1, 0)
            self.travel.begin_steps()
            self._looked = self.live.now()
            if self._looked >= self.publisher.published + self.frame_interval or self.status.run_changed:
                self.publish()
        except Exception as error:
            self.status.fail(Problem("The viewer could not do that", describe(error)))
        self._worked = (threading.get_ident(), time.thread_time())

    def _work(self, most: float) -> float:
        """Processor time of the script since it resumed, s: without its sleep; `most` if another thread has stepped."""
        thread, before = self._worked
        return min(time.thread_time() - before, most) if thread == threading.get_ident() else most

    def release(self) -> None:
        """Finish what the viewer has under way, and leave Data to the script: on the script's thread, while it lives.

        Steps that another thread makes meanwhile would write to memory that is gone, and `sync` would read there.
        """
        if self._stepper is not threading.current_thread() and self._stepper.is_alive():
            return
        if not self._over:
            self._quit(cmd.Quit())
        super().release()

    def set_model(self, model: Model, data: Data) -> None:
        """The script has another model from now on: with the same timeline and edits."""
        self._record_steps()
        self.mouse.end()
        self.live.edits.remove_new_keys()
        model.engine.prepare(model, edits=False)
        model.engine.place(model, data)
        clashes = self.source.replace_model(model, data, None, "")
        version = len(self.live.history.versions)
        self.live.set_own(version, data)
        self.source.add_version(version, REPLACED)
        self.status.say(f"{REPLACED}{clashes}", problem=None)

    def _check_breakpoints(self) -> None:
        """After the script's steps; its own loop decides how many are made between two looks."""
        moment = (self.live.history.branch, self.live.history.now)
        if not self.live.watch.follows(moment):
            self.live.watch.begin(self.live.model, self.live.data, moment)
        elif hits := self.live.watch.check(self.live.model, self.live.data, moment):
            self.travel.stop_at(hits)

    def show_model(self) -> None:
        """Show meshes, height fields and textures that the script has changed; `sync` does not compare them."""
        self.live.view = view_model(self.live.model)
        self.status.state_changed = True

    def _wait(self) -> None:
        """Block the script while it is ahead of the clock or paused."""
        while not self.status.run.paused and not self._over and (ahead := self._time_ahead()):
            self.publish()
            self.receive(min(ahead, DISPLAY_INTERVAL))
        while (self._stands_still() or self.status.run.replaying) and not self._over:
            self._pacer.restart()
            wait = self.replay() if self.status.run.replaying else DISPLAY_INTERVAL
            self.publish()
            self.receive(min(wait, DISPLAY_INTERVAL))

    def _stands_still(self) -> bool:
        return self.status.run.paused and not self._steps_allowed

    def _time_ahead(self) -> float:
        """How long the script has to wait, s."""
        run = self.status.run
        return self._pacer.wait(float(self.live.data.time), run.speed, self.live.now()) if run.paced else 0.0

    def _record_steps(self) -> None:
        """Count and time the steps that the script has made since the last `sync`."""
        before, began, self._synced = self.live.history.now, self._synced, self.live.now()
        self.live.stepped()
        steps = self.live.history.now - before
        if steps > 0:
            self.live.clock.record(steps, began, self._synced, self._work(self._synced - began))

    def _refresh_model_view(self) -> None:
        """Show what the script has changed in its model."""
        if self._synced < self._compared + MODEL_INTERVAL:
            return
        self._compared = self._synced
        self.live.view = refreshed_view(self.live.view, self.live.model)
        self.live.clock.timestep = float(self.live.model.opt.timestep)

    def _step_once(self, command: cmd.StepOnce) -> None:
        """Forward: let the script step; back: through the history."""
        if command.count < 0 or not self.live.history.at_head:
            self.travel.step_once(command)
        else:
            self.status.update(paused=True)
            self._steps_allowed += command.count

    def _refuse(self, _: cmd.Command) -> None:
        """The script steps its own model and no other."""
        self.status.update(problem=OWN_MODEL)
