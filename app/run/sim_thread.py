"""The simulation thread: steps at the pace of the clock, and handles commands between steps.

The loop: ask the clock how many steps are due, make them in one native call without the GIL, sleep until the next
step or command, handle commands, publish. An error while stepping pauses the run and becomes part of the snapshot.
"""

from __future__ import annotations

import math
import threading
from functools import cached_property

from app.files.error_text import describe
from app.model.problem import Problem
from app.run.simulation import Simulation

IDLE_WAIT = 0.5
MAX_STEPS = 1 << 30


class SimThread(Simulation):
    """A simulation on its own thread."""

    @cached_property
    def _thread(self) -> threading.Thread:
        return threading.Thread(target=self._loop, name="simulation", daemon=True)

    def start(self) -> None:
        """Begin."""
        super().start()
        self._thread.start()

    def close(self, timeout: float = 2.0) -> None:
        """End the thread; one that is still in native code after `timeout` is left behind as a daemon."""
        super().close()
        if self._thread.is_alive():
            self._thread.join(timeout)

    def _loop(self) -> None:
        while not self._quit:
            try:
                self._receive(self._advance())
                self._publish()
            except Exception as error:
                self._fail(Problem("The simulation was paused by an error", describe(error)))
        self.release()

    def _advance(self) -> float:
        """Make the steps that are due; returns how long the thread may sleep."""
        if not self._has_model or self._run.paused or not self._run.ready:
            return IDLE_WAIT
        if self._run.replaying:
            return self._replay()
        plan = self._clock.plan(self._now())
        left = self._steps_left()
        if plan.steps and left:
            self._step(min(plan.steps, left))
        return plan.wait if left else IDLE_WAIT

    def _steps_left(self) -> int:
        """The number of steps until the time at which to hold."""
        if self._hold is None:
            return MAX_STEPS
        return max(math.ceil((self._hold - float(self._data.time)) / self._clock.timestep - 1e-6), 0)
