"""Models with flexes: what the GUI thread would see of them, and MuJoCo's own scene."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from app.model.views import ModelView, StateView
from app.run.engine.mujoco_data import MujocoData
from app.run.engine.mujoco_model import MujocoModel
from app.run.snapshot import view_model, view_state

MODELS = Path(__file__).resolve().parent.parent / "run" / "engine" / "models"
CLOTH, CABLE, BOX, BALL = range(4)


class FlexViews:
    """The model with one flex of each type, bent at random or after some steps."""

    def __init__(self, steps: int = 0) -> None:
        self.mj: Any = mujoco.MjModel.from_xml_path(str(MODELS / "flexes.xml"))
        self.mj_data: Any = mujoco.MjData(self.mj)
        for _ in range(steps):
            mujoco.mj_step(self.mj, self.mj_data)
        if not steps:
            self.mj_data.qpos += 0.01 * np.random.default_rng(4).normal(size=self.mj.nq)
        mujoco.mj_forward(self.mj, self.mj_data)
        self.engine_model = MujocoModel(self.mj)
        self.data = MujocoData(self.engine_model, self.mj_data)
        self.model: ModelView = view_model(self.engine_model)
        self.state: StateView = view_state(self.data)

    def theirs(self, **flags: bool) -> Any:
        """MuJoCo's scene, with some mjVIS flags changed."""
        options, scene = mujoco.MjvOption(), mujoco.MjvScene(self.mj, 1000)
        for name, on in flags.items():
            options.flags[getattr(mujoco.mjtVisFlag, f"mjVIS_{name}")] = on
        look = (options, mujoco.MjvPerturb(), mujoco.MjvCamera(), mujoco.mjtCatBit.mjCAT_ALL)
        mujoco.mjv_updateScene(self.mj, self.mj_data, *look, scene)
        return scene
