"""A simulation that the caller steps: the viewer beside a script's own loop.

It answers the same commands as the simulation thread, but on the caller's thread, in `sync`, between two of the
caller's steps. While it is paused, `sync` does not return, so that the caller's loop stands still; a single step
lets it return once.
"""

from __future__ import annotations

from typing import Any

from app import commands as cmd
from app import perturb
from app.loader import Engine, describe
from app.sim_thread import DISPLAY_INTERVAL, HANDLERS, SimThread
from app.state import Problem


class PassiveSimulation(SimThread):
    """Has no thread of its own."""

    def __init__(self, engine: Engine, model: Any, data: Any) -> None:
        super().__init__(engine)
        self._allowed = 0
        self._synced = self._now()
        self.adopt(model, data)

    def sync(self) -> None:
        """Take in what the script has stepped, do what the user asked for, show the state."""
        # mostly there is nothing to do before the next frame: then this costs 1 us, otherwise 60
        idle = self._inbox.empty() and self._pulled is None and not self._run.paused
        if idle and self._now() < self._published + DISPLAY_INTERVAL:
            return
        try:
            self._note_steps()
            self._receive(0.0)
            while self._run.paused and not self._allowed and not self._quit:
                self._publish()
                self._receive(DISPLAY_INTERVAL)
            self._allowed = max(self._allowed - 1, 0)
            if self._pulled is not None:
                self._data.xfrc_applied[self._pulled.body] = perturb.wrench(self._model, self._data, self._pulled)
            if self._data is not None:
                self._history.go_on()
            self._publish()
        except Exception as error:
            self._fail(Problem("The viewer could not do that", describe(error)))

    def start(self) -> None:
        """There is nothing to start."""

    def _note_steps(self) -> None:
        """How many steps the script has made since the last time, and how fast."""
        if self._data is None:
            return
        before, began, self._synced = self._history.span().now, self._synced, self._now()
        self._history.stepped()
        steps = self._history.span().now - before
        if steps > 0:
            self._clock.ran(steps, began, self._synced, self._synced - began)
        self._state_changed = True

    def _step_once(self, command: cmd.StepOnce) -> None:
        """Forward: let the script make steps; back: through the history."""
        span = self._history.span()
        if command.count < 0 or span.now < span.last:
            super()._step_once(command)
        else:
            self._update(paused=True)
            self._allowed += command.count


PassiveSimulation.handlers = HANDLERS | {cmd.StepOnce: PassiveSimulation._step_once}
