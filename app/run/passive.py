"""A simulation that the caller steps: the viewer beside a script's own loop.

It answers the same commands as the simulation thread, but on the caller's thread, in `sync`, between two of the
caller's steps. While it is paused, `sync` does not return, so that the caller's loop stands still; a single step
lets it return once. The script sets the pace, unless it asks for real time: then `sync` also waits until wall time,
times the speed that the user chose, has caught up with d.time.
"""

from __future__ import annotations

from typing import Any

from app.run import commands as cmd
from app.run.engine import Engine
from app.run.error_text import describe
from app.run.run_state import Problem
from app.run.simulation import DISPLAY_INTERVAL, HANDLERS, Simulation
from app.run.snapshot import refreshed_view, view_model
from app.run.step_clock import Pacer

# how often the script's model is compared with what is shown of it, s: 0.4 ms for a humanoid
MODEL_INTERVAL = 0.1
OWN_MODEL = Problem(
    "This viewer shows the model of a script",
    "A file cannot be opened in it. Close the viewer, or open the file in another one.",
)


class PassiveSimulation(Simulation):
    """Runs whenever the script lets it."""

    def __init__(self, engine: Engine, model: Any, data: Any, realtime: bool = False) -> None:
        super().__init__(engine)
        self._allowed = 0
        self._synced = self._compared = self._now()
        self._pacer = Pacer()
        self._update(paced=realtime)
        self.adopt(model, data)
        # what the loader reports first is that the model is there: the window opens with it
        self._handle(self._inbox.get())
        self._publish()
        self.start()

    def sync(self, state_only: bool = False) -> None:
        """Take in what the script has done, do what the user asked for, show the state.

        With `state_only`, what the script has changed in its model is not looked for.
        """
        # mostly there is nothing to do before the next frame: then this costs 1 us, otherwise 60
        idle = self._inbox.empty() and not self._run.paused
        if idle and self._now() < self._published + DISPLAY_INTERVAL and not self._ahead():
            return
        try:
            self._note_steps()
            if not state_only:
                self._note_edits()
            self._receive(0.0)
            self._wait()
            self._allowed = max(self._allowed - 1, 0)
            self._check_perturbation()
            self._history.go_on()
            self._publish()
        except Exception as error:
            self._fail(Problem("The viewer could not do that", describe(error)))

    def show_model(self) -> None:
        """The script has changed meshes, height fields or textures, too large to be compared all the time."""
        self._model_view = view_model(self._model)
        self._state_changed = True

    def _wait(self) -> None:
        """Hold the script back while it is ahead of the clock, and while the user has paused it."""
        while not self._run.paused and not self._quit and (ahead := self._ahead()):
            self._publish()
            self._receive(min(ahead, DISPLAY_INTERVAL))
        while self._run.paused and not self._allowed and not self._quit:
            self._pacer.restart()
            self._publish()
            self._receive(DISPLAY_INTERVAL)

    def _ahead(self) -> float:
        """For how long the script has to be held back, s."""
        return self._pacer.wait(float(self._data.time), self._run.speed, self._now()) if self._run.paced else 0.0

    def _note_steps(self) -> None:
        """How many steps the script has made since the last time, and how fast."""
        before, began, self._synced = self._history.now, self._synced, self._now()
        self._stepped()
        steps = self._history.now - before
        if steps > 0:
            self._clock.ran(steps, began, self._synced, self._synced - began)

    def _note_edits(self) -> None:
        """Show what the script has changed in its model."""
        if self._synced < self._compared + MODEL_INTERVAL:
            return
        self._compared = self._synced
        self._model_view = refreshed_view(self._model_view, self._model)
        self._clock.timestep = float(self._model.opt.timestep)

    def _step_once(self, command: cmd.StepOnce) -> None:
        """Forward: let the script make steps; back: through the history."""
        span = self._history.span()
        if command.count < 0 or span.now < span.last:
            super()._step_once(command)
        else:
            self._update(paused=True)
            self._allowed += command.count

    def _refuse(self, _: cmd.Command) -> None:
        """The script's loop steps the script's model and no other."""
        self._update(problem=OWN_MODEL)


PassiveSimulation.handlers = HANDLERS | {
    cmd.StepOnce: PassiveSimulation._step_once,
    cmd.LoadModel: PassiveSimulation._refuse,
    cmd.Reload: PassiveSimulation._refuse,
}
