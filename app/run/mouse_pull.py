"""What the mouse does to a body: it pulls it with a force while time runs, and moves it while paused."""

from __future__ import annotations

import math

from app.run import commands as cmd
from app.run import perturb
from app.run.history.markers import MarkerType
from app.run.live_run import LiveRun
from app.run.status import Status
from sim.analysis.element_names import described

# a perturbation that the window does not renew ends after this time
PERTURBATION_SECONDS = 2.0


class MousePull:
    """The perturbation that the window asked for last."""

    def __init__(self, live: LiveRun, status: Status) -> None:
        self._live, self._status = live, status
        # and until when it is valid
        self._wanted: cmd.Perturbation | None = None
        self._until = -math.inf
        # drags of bodies so far, counted down
        self._drags = 0
        # a drag that began before the model changed, and has not ended: its body may be another one now
        self._stale = False

    @property
    def held(self) -> bool:
        """Whether the mouse holds a body."""
        return self._wanted is not None

    def perturb(self, command: cmd.Perturb) -> None:
        """While time runs, apply a force; while paused, and to a mocap body always, set the pose.

        Without kernels the command is dropped, not deferred: a drag sends it again.
        """
        if not self._status.run.ready:
            return
        live, wanted, before = self._live, command.perturbation, self._wanted
        self._stale = self._stale and wanted is not None
        if self._stale:
            return
        if wanted is None or not 0 < wanted.body < live.model.nbody:
            self.end()
            return
        self._wanted, self._until = wanted, self._live.now() + PERTURBATION_SECONDS
        began = before is None or before.body != wanted.body
        if began:
            # a drag, whatever it does, is one gesture; those of the window count up
            self._drags -= 1
        name = described(live.view, "body", wanted.body)
        if not self._status.run.paused and live.model.body_mocapid[wanted.body] < 0:
            begins = began or not live.data.perturb.active
            if begins:
                live.record_state(f"pull: {name}", live.state_now(), self._drags)
            if begins or wanted != before:
                perturb.apply(live.data, wanted)
                live.changed(f"pull: {name}")
            if begins:
                live.add_marker(MarkerType.PERTURB, f"pull: {name}")
        elif wanted != before:
            state = live.state_now()
            if perturb.move(live.model, live.data, wanted):
                perturb.end(live.data)
                live.state_edited(f"moved: {name}", state, self._drags)

    def check(self) -> None:
        """Before steps: end a perturbation that the window no longer renews, or that a recorded state had."""
        if self._live.data.perturb.active and self._live.now() > self._until:
            self.forget()
            self._end_force()

    def end(self) -> None:
        """The mouse has let go, or the body that it held is gone."""
        self.release()
        self.forget()

    def release(self) -> None:
        """Stop pulling the body, though the mouse may still hold it."""
        if self._wanted is not None and self._live.data.perturb.active:
            self._end_force()

    def forget(self) -> None:
        """Nothing is wanted any more."""
        self._wanted, self._until = None, -math.inf

    def model_changes(self) -> None:
        """The run continues with another model: a drag ends, whatever the window still sends of it."""
        self._stale = self._wanted is not None
        self.end()

    def _end_force(self) -> None:
        self._live.history.extend_marker(MarkerType.PERTURB)
        perturb.end(self._live.data)
        self._live.changed("without the pull")
