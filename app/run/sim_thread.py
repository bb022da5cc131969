"""The simulation thread: steps at the pace of the clock, and handles commands between steps.

The loop: ask the clock how many steps are due, make them in one native call without the GIL, sleep until the next
step or command, handle commands, publish. An error while stepping pauses the run and becomes part of the snapshot.
"""

from __future__ import annotations

import threading
from functools import cached_property

from app.files.error_text import describe
from app.model.problem import Problem
from app.run.simulation import Simulation

IDLE_WAIT = 0.5


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
        while not self._over:
            try:
                self.receive(self._advance())
                self.publish()
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
            self.travel.step(min(plan.steps, left))
        return plan.wait if left else IDLE_WAIT
