"""The pair of engines: both compute from the same state, with the same controls, pulls and noise, and are compared.

Where the constants differ, both go on with MuJoCo's: so a stage that differs does so by itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from app.instruments.lockstep.align import Aligner
from app.instruments.lockstep.compare import Scales, StageResult, compare_forward, compare_models, compare_step
from app.instruments.lockstep.match import Side
from app.run.engine.mujoco_data import MujocoData
from app.run.engine.mujoco_model import MujocoModel
from sim import Model
from sim.edits import ModelEdits
from sim.script.positions import integrate_pos

# marks of MuJoCo that a quantity is up to date: they outlast a change of the state, and a sensor then shows an old one
UP_TO_DATE = ("flg_energypos", "flg_energyvel", "flg_subtreevel", "flg_rnepost")
# how far the state is moved to see how steady a stage is
NUDGE = 1e-12


class Course:
    """One engine with a state of its own, which is set, nudged and moved on."""

    def __init__(self, model: Model) -> None:
        self.model, self.engine = model, model.engine
        self.data = model.engine.Data(model)

    @property
    def side(self) -> Side:
        return Side(self.model, self.data)

    @property
    def signature(self) -> int:
        return self.engine.record_signature(self.model)

    def set(self, row: Any) -> None:
        """Set a state, a row as the history has it."""
        size = self.engine.state_size(self.model, self.signature)
        self.engine.set_state(self.model, self.data, np.asarray(row)[:size], self.signature, check=False)
        if isinstance(self.data, MujocoData):
            for name in UP_TO_DATE:
                if hasattr(self.data.mj, name):
                    setattr(self.data.mj, name, False)

    def row(self) -> Any:
        """The state as a row."""
        return self.engine.get_state(self.model, self.data, self.signature)

    def nudge(self, size: float) -> None:
        """Move positions and velocities a little, always in the same direction."""
        away = np.random.default_rng(0).standard_normal((2, self.model.nv))
        moved = np.array(self.data.qpos)
        integrate_pos(self.model, moved, size * away[0], 1.0)
        self.data.write("qpos", moved)
        self.data.write("qvel", np.asarray(self.data.qvel) + size * away[1])

    def forward(self) -> None:
        self.engine.forward(self.model, self.data)

    def step(self) -> None:
        self.engine.step(self.model, self.data)


class Pair:
    """Our engine and MuJoCo with the same model, each as it has loaded it."""

    def __init__(self, ours: Model, theirs: MujocoModel) -> None:
        self.constants = compare_models(ours, theirs)
        self.model = ours
        self.ours = Course(ours if self.constants.same else theirs.to_sim())
        self.theirs = Course(theirs)
        self._twin: Course | None = None
        self._scales = Scales()

    @property
    def version(self) -> str:
        """The version of MuJoCo."""
        return self.theirs.engine.ENGINE.removeprefix("MuJoCo ")

    def apply_edits(self, edits: ModelEdits) -> None:
        """Edit both models."""
        for course in (self.ours, self.theirs):
            course.engine.apply_edits(course.model, edits)

    def compare(self, row: Any) -> list[StageResult]:
        """All stages from a state, and the state after a step from it."""
        return self._compare(self.ours, self.theirs, row, self._scales)

    def own_errors(self, row: Any) -> dict[str, float]:
        """How much MuJoCo differs from itself, stage by stage, where the state is nudged."""
        if self._twin is None:
            self._twin = Course(self.theirs.model)
        found = self._compare(self._twin, self.theirs, row, self._scales, NUDGE)
        return {result.stage.name: result.error for result in found}

    @staticmethod
    def _compare(first: Course, second: Course, row: Any, scales: Scales, nudge: float = 0.0) -> list[StageResult]:
        def start() -> Aligner:
            first.set(row)
            second.set(row)
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
