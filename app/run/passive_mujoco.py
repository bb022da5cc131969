"""The passive simulation of a script that calls `mujoco.mj_step` itself: `sync` writes the rows that it leaves behind.

A loop as fast as it can be loses little: a row is written at most every `ROW_INTERVAL`, or every `BUSY_ROW_INTERVAL` if
the loop does not sleep; all the rest happens once a frame. The force of the mouse is in xfrc_applied while the script
steps, and not in what is recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.run.engine.mujoco_data import MujocoData
from app.run.engine.mujoco_engine import MujocoEngine
from app.run.engine.mujoco_model import MujocoModel
from app.run.passive import MODEL_INTERVAL, PassiveSimulation
from app.run.publisher import DISPLAY_INTERVAL
from app.run.script_run import ScriptRun
from sim import Data, Model

# wall time between two rows, s; and of a loop that does not sleep: with 0.25 ms a humanoid's runs at 0.84 of its rate,
# with 4 ms at 0.90
ROW_INTERVAL, BUSY_ROW_INTERVAL = 0.25e-3, 4e-3


class Pull(NamedTuple):
    """The force of the mouse on a body: what the script had applied there, and both together."""

    body: int
    own: NDArray[np.float64]
    total: NDArray[np.float64]


class MujocoScriptRun(ScriptRun):
    """The run of an MjModel and its MjData."""

    model: MujocoModel
    data: MujocoData
    engine: Any


class MujocoPassive(PassiveSimulation):
    """A passive simulation of an MjModel and its MjData."""

    live_run = MujocoScriptRun
    live: MujocoScriptRun
    # writes a row; None if another one is needed
    _record: Callable[[], None] | None = None
    # until then `sync` has nothing to do
    quiet_until = 0.0
    # time of the state that the history has, and up to which steps are counted
    _row_time = _counted = 0.0
    _pull: Pull | None = None

    def __init__(self, engine: MujocoEngine, model: MujocoModel, data: MujocoData, realtime: bool = False) -> None:
        super().__init__(engine, model, data, realtime)  # type: ignore[arg-type]
        self._row_time = self._counted = data.pull_time()

    def sync(self, state_only: bool = False) -> None:
        """Record the state, and once a frame exchange everything else; between two rows it returns at once."""
        now = self.live.now()
        if now < self.quiet_until or self._over:
            return
        # what is computed for a frame waits for it
        frame = now >= self._looked + max(DISPLAY_INTERVAL, self.frame_interval)
        all_of_it = frame or not self._inbox.empty() or self._needs_each_step()
        self._let_go()
        self._add_row()
        if all_of_it:
            super().sync(state_only)
            # what rows end with may have changed, or they are on another tape
            self._record = None
            self._row_time = self.live.data.pull_time()
            if self.live.data.perturb.active and self.status.run.ready:
                self._apply_pull()
        rest = BUSY_ROW_INTERVAL if self.frame_interval else ROW_INTERVAL
        self.quiet_until = 0.0 if self._needs_each_step() else self.live.now() + rest

    def _needs_each_step(self) -> bool:
        """Whether `sync` has something to do after each step: wait, look for breakpoints, pull."""
        return self.status.run.paused or self.status.run.paced or self.live.watch.on or self._pull is not None

    def set_model(self, model: Model, data: Data) -> None:
        """The script has another MjModel and MjData from now on."""
        self._let_go()
        self._add_row()
        super().set_model(model, data)
        self._record, self.quiet_until = None, 0.0
        self._row_time = self._counted = self.live.data.pull_time()

    def release(self) -> None:
        """Leave the MjData to the script, without the force of the mouse."""
        self._let_go()
        super().release()

    def _add_row(self) -> None:
        """Record the state, if time has passed."""
        time = self.live.data.pull_time()
        if time == self._row_time:
            return
        if self._record is None:
            self._record = self.live.engine.recorder(self.live.model, self.live.data)
        self._record()
        self._row_time = time

    def _record_steps(self) -> None:
        """Take what MuJoCo has computed; count and time the steps since the last frame."""
        self.live.data.pull()
        began, self._synced = self._synced, self.live.now()
        self.live.stepped()
        time, timestep = float(self.live.data.time), float(self.live.model.opt.timestep)
        steps, self._counted = round((time - self._counted) / timestep), time
        if steps > 0:
            self.live.clock.record(steps, began, self._synced, self._work(self._synced - began))

    def _refresh_model_view(self) -> None:
        """Settings are in the MjModel."""
        if self._synced >= self._compared + MODEL_INTERVAL:
            self.live.model.pull()
        super()._refresh_model_view()

    # ---- the mouse

    def _apply_pull(self) -> None:
        """Add the force of the mouse to what the script applies, until the next `sync`."""
        body = int(self.live.data.perturb.select)
        applied = self.live.data.xfrc_applied[body]
        own = applied.copy()
        applied += self.live.engine.mouse_force(self.live.model, self.live.data)
        self._pull = Pull(body, own, applied.copy())

    def _let_go(self) -> None:
        """Take the force away, unless the script has set another."""
        if self._pull is None:
            return
        body, own, total = self._pull
        if np.array_equal(self.live.data.xfrc_applied[body], total):
            self.live.data.xfrc_applied[body] = own
        self._pull = None
