"""The pair of engines: both compute from the same state, with the same controls, pulls and noise, and are compared.

Where the constants differ, both continue with MuJoCo's: so a stage that differs does so by itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from app.background.second_run import SecondRun
from app.instruments.lockstep.align import Aligner
from app.instruments.lockstep.compare import Scales, StageResult, compare_forward, compare_models, compare_step
from app.instruments.lockstep.match import Side
from app.run.engine.mujoco_model import MujocoModel
from sim import Model
from sim.edits import ModelEdits
from sim.script.positions import integrate_pos

# how far the state is moved to see how steady a stage is
NUDGE = 1e-12


class EngineRun(SecondRun):
    """One engine of a pair, from states that either has recorded; it resets itself where the model says so."""

    def __init__(self, model: Model) -> None:
        super().__init__(model, autoreset=True)

    @property
    def side(self) -> Side:
        """Its model and data."""
        return Side(self.model, self.data)

    def start(self, row: Any, awake: bool | None = None) -> None:
        """Set a recorded state."""
        super().start(self.part(row), awake)

    def take_inputs(self, row: Any) -> None:
        """Set what no step computes as it is in a recorded row."""
        super().take_inputs(self.part(row))

    def part(self, row: Any) -> Any:
        """What this engine has of a row: what only the other one has is at the end."""
        return np.asarray(row)[: self.engine.state_size(self.model, self.signature)]

    def nudge(self, size: float) -> None:
        """Move positions and velocities a little, always in the same direction."""
        away = np.random.default_rng(0).standard_normal((2, self.model.nv))
        moved = np.array(self.data.qpos)
        integrate_pos(self.model, moved, size * away[0], 1.0)
        self.data.write("qpos", moved)
        self.data.write("qvel", np.asarray(self.data.qvel) + size * away[1])


class Pair:
    """Our engine and MuJoCo with the same model, each as it has loaded it."""

    def __init__(self, ours: Model, theirs: MujocoModel) -> None:
        self.constants = compare_models(ours, theirs)
        self.model = ours
        self.ours = EngineRun(ours if self.constants.same else theirs.to_sim())
        self.theirs = EngineRun(theirs)
        self._twin: EngineRun | None = None
        self._scales = Scales()

    @property
    def version(self) -> str:
        """The version of MuJoCo."""
        return self.theirs.engine.ENGINE.removeprefix("MuJoCo ")

    def apply_edits(self, edits: ModelEdits) -> None:
        """Edit both models."""
        for run in (self.ours, self.theirs):
            run.set_edits(edits)

    def compare(self, row: Any) -> list[StageResult]:
        """All stages from a state, and the state after a step from it."""
        return self._compare(self.ours, self.theirs, row, self._scales)

    def own_errors(self, row: Any) -> dict[str, float]:
        """How much MuJoCo differs from itself, stage by stage, where the state is nudged."""
        if self._twin is None:
            self._twin = EngineRun(self.theirs.model)
        found = self._compare(self._twin, self.theirs, row, self._scales, NUDGE)
        return {result.stage.name: result.error for result in found}

    @staticmethod
    def _compare(
        first: EngineRun, second: EngineRun, row: Any, scales: Scales, nudge: float = 0.0
    ) -> list[StageResult]:
        def start() -> Aligner:
            first.start(row)
            second.start(row)
            if nudge:
                first.nudge(nudge)
            return Aligner(first.side, second.side)

        pair = start()
        first.forward()
        second.forward()
        results = compare_forward(pair, scales)
        pair = start()
        first.step()
        second.step()
        return [*results, compare_step(pair, scales)]
