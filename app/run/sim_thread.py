"""The simulation thread: steps at the pace of the clock, and handles commands between steps.

The loop: ask the clock how many steps are due, make them in one native call without the GIL, sleep until the next
step or command, handle commands, publish. An error while stepping pauses the run and becomes part of the snapshot.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from app.files.error_text import describe
from app.model.problem import Problem
from app.run import commands as cmd
from app.run.simulation import Message, Simulation
from sim.state import endless

IDLE_WAIT = 0.5
# a computation that takes longer, s, is one that the user may want to end
LONG = 1.0


class SimThread(Simulation):
    """A simulation on its own thread."""

    # when the current computation began; never while there is none
    _began = math.inf

    @cached_property
    def _thread(self) -> threading.Thread:
        return threading.Thread(target=self._loop, name="simulation", daemon=True)

    def start(self) -> None:
        """Begin."""
        super().start()
        self._thread.start()

    def send(self, command: cmd.Command) -> None:
        """Queue a command; Cancel ends a search without an end too."""
        if isinstance(command, cmd.Cancel) and self.endless_seconds:
            endless.end(self._thread.ident)
        super().send(command)

    @property
    def endless_seconds(self) -> float:
        """How long a computation has taken that may have no end; 0 if there is none. For other threads."""
        seconds = self.live.now() - self._began
        return seconds if seconds > LONG and self.live.has_model and endless.is_endless(self.live.model) else 0.0

    @contextmanager
    def _computing(self) -> Iterator[None]:
        endless.forget_end()
        self._began = self.live.now()
        try:
            yield
        finally:
            self._began = math.inf

    def handle(self, message: Message) -> None:
        """Handle one message, which may compute."""
        with self._computing():
            super().handle(message)

    def close(self, timeout: float = 2.0) -> None:
        """End the thread; one that is still in native code after `timeout` is left behind as a daemon."""
        super().close()
        if self.endless_seconds:
            endless.end(self._thread.ident)
        if self._thread.is_alive():
            self._thread.join(timeout)

    def _loop(self) -> None:
        while not self._over:
            try:
                self.receive(self._advance())
                self.publish()
            except endless.Ended:
                self.status.say("Escape stopped the computation; no step was made", paused=True, replaying=False)
            except Exception as error:
                self.status.fail(Problem("The simulation was paused by an error", describe(error)))
        self.release()

    def _advance(self) -> float:
        """Make the steps that are due; returns how long the thread may sleep."""
        run = self.status.run
        if not self.live.has_model or run.paused or not run.ready:
            return IDLE_WAIT
        if run.replaying:
            return self.replay()
        clock = self.live.clock
        plan = clock.plan(self.live.now())
        left = self.travel.steps_left(clock.timestep)
        if plan.steps and left:
            with self._computing():
                self.travel.step(min(plan.steps, left))
        return plan.wait if left else IDLE_WAIT
