"""The installed MuJoCo, for the commands that compare with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.engine.installed import FOLLOWED as VERSION
from app.engine.installed import load_mujoco as load
from app.engine.installed import mujoco
from app.files.resources import start_key

__all__ = ["VERSION", "load", "mujoco", "start"]


def start(model: Any, path: Path) -> Any:
    """MjData in the state in which the viewer opens the file."""
    module = mujoco()
    data = module.MjData(model)
    key = start_key(path, [model.key(k).name for k in range(model.nkey)])
    if key is not None:
        module.mj_resetDataKeyframe(model, data, key)
    return data
