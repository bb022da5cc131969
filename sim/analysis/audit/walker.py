"""Walks along recorded states and adds up the work of every step.

Rows are states as a history has them (sim.record_signature). Where the next row is not what the engine makes of the one
before, because somebody set the state or a script made several steps, the steps are made here, and what then is left
is a jump.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.analysis.audit.instant import Instant, instant
from sim.analysis.audit.momentum import Charge, charges
from sim.analysis.audit.rk4_stages import rk4_stages
from sim.analysis.audit.step_work import StepWork, jump, step_work
from sim.analysis.audit.tally import Tally
from sim.analysis.audit.work_source import BY_HAND, IMPLICIT, WorkSource
from sim.enums import INT_EULER, INT_RK4
from sim.script.positions import position_parts

if TYPE_CHECKING:
    from sim.model import Data, Model

# steps that a script may make between two rows
MOST_STEPS = 100
# positions and velocities from here on have diverged (MuJoCo: mjMAXVAL)
LARGEST = 1e10
# a step whose time, or whose positions or impulses, are off by more than this is not the engine's
FOREIGN = 1e-7


class Diverged(Exception):
    """A state is not finite, or beyond all bounds: there is no energy to speak of."""


class WentBack(Exception):
    """Time went back: the engine reset a state that diverged, or a script did. An audit begins again there."""


class Walker:
    """At a step of a run of a model, with the momenta of some of its trees."""

    def __init__(self, m: Model, trees: Sequence[int] | None = None) -> None:
        self._m = m
        self.trees = [*range(m.ntree)] if trees is None else [*trees]
        self.charges: list[Charge] = []
        self._here, self._later, self._scratch = (m.engine.Data(m) for _ in range(3))
        self._at: Instant | None = None
        self.step = -1

    @property
    def instant(self) -> Instant:
        """Where it is."""
        assert self._at is not None
        return self._at

    @property
    def data(self) -> Data:
        """The state there, forwarded."""
        return self._here

    def begin(self, step: int, row: Any) -> Tally:
        """Start at a row; returns an empty tally."""
        self._set(self._here, row)
        self.charges = charges(self._m, self._here, self.trees)
        self._at, self.step = self._seen(self._here), step
        return Tally.begin(step, self._at)

    def advance(self, step: int, row: Any, tally: Tally) -> None:
        """Go on to the next row, and add the work that led there."""
        m = self._m
        self._set(self._later, row)
        if float(self._later.time) < self.instant.time:
            raise WentBack
        if self._odd_time():
            self._bridge(step, row, tally)
            return
        self._with_noise()
        after = self._seen(self._later)
        work = step_work(m, self.instant, after, self._later, self._stages())
        if self._foreign(work):
            self._bridge(step, row, tally)
            return
        self._arrive(step, work, after, tally)

    def make_step(self, step: int, tally: Tally) -> None:
        """Go on by a step of the engine."""
        m = self._m
        stages = self._stages()
        m.engine.copy_data(self._later, m, self._here)
        m.engine.step(m, self._later)
        self._forward(self._later)
        after = self._seen(self._later)
        self._arrive(step, step_work(m, self.instant, after, self._later, stages), after, tally)

    def change(self, row: Any, source: WorkSource, tally: Tally | None) -> None:
        """At the same step, the user changed the model, which has its edits already, or the state."""
        before = self.instant
        self._set(self._here, row)
        self._at = after = self._seen(self._here)
        if tally is not None:
            moved = after.momenta - before.momenta
            work = jump(before.energies, after.energies, moved, source)
            if any(work.work.values()) or moved.any():
                tally.add(self.step, work, after)

    def _arrive(self, step: int, work: StepWork, after: Instant, tally: Tally) -> None:
        self._here, self._later = self._later, self._here
        self._at, self.step = after, step
        tally.add(step, work, after)

    def _set(self, data: Data, row: Any) -> None:
        m = self._m
        signature = m.engine.record_signature(m)
        numbers = np.asarray(row)[: m.engine.state_size(m, signature)]
        m.engine.set_state(m, data, numbers, signature, check=False)
        self._forward(data)

    def _forward(self, data: Data) -> None:
        # NaN is not below it either
        if not (np.abs(data.qpos) < LARGEST).all() or not (np.abs(data.qvel) < LARGEST).all():
            raise Diverged("the state is not finite from here on")
        self._m.engine.forward(self._m, data)

    def _seen(self, data: Data) -> Instant:
        return instant(self._m, data, self.trees, self.charges)

    def _stages(self) -> list[Instant]:
        if self._m.opt.integrator != INT_RK4:
            return []
        return rk4_stages(self._m, self._here, self._scratch, self.trees, self.charges)

    def _odd_time(self) -> bool:
        h = self.instant.timestep
        return abs(float(self._later.time) - self.instant.time - h) > FOREIGN * h + 1e-12 * abs(self.instant.time)

    def _with_noise(self) -> None:
        """Noise was added to controls at the beginning of the step: the row after it has them."""
        if self._m.nu and self._later.noise.scale > 0 and not np.array_equal(self._here.ctrl, self._later.ctrl):
            self._here.ctrl = self._later.ctrl.copy()
            self._forward(self._here)
            self._at = self._seen(self._here)

    def _foreign(self, work: StepWork) -> bool:
        """Whether the engine would have come elsewhere; known of Euler, and of all that moves along a line."""
        m, here, later = self._m, self._here, self._later
        if m.opt.integrator == INT_RK4:
            return False
        # coordinates that are integrated by adding
        _, q, v = position_parts(m)
        moved = here.qpos[q] + m.opt.timestep * later.qvel[v]
        if len(moved) and np.abs(moved - later.qpos[q]).max() > FOREIGN * (1 + np.abs(moved).max()):
            return True
        return m.opt.integrator == INT_EULER and abs(work.work.get(IMPLICIT, 0.0)) > FOREIGN * work.size

    def _bridge(self, step: int, row: Any, tally: Tally) -> None:
        """Make the steps up to the time of a row, then jump there."""
        h = self.instant.timestep
        count = round((float(self._later.time) - self.instant.time) / h)
        for _ in range(count if 0 < count <= MOST_STEPS else 0):
            self.make_step(step, tally)
        self.step = step
        self.change(row, BY_HAND, tally)
        tally.last = step
