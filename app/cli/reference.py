"""The installed MuJoCo, for the commands that compare with it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from app.files.resources import start_key
from sim.user_error import UserError

VERSION = "3.12.0"


class NoReference(UserError):
    """MuJoCo is not installed, or cannot load the model."""


def mujoco() -> Any:
    """The module; NoReference says how to install it."""
    try:
        import mujoco as module
    except ImportError as error:
        raise NoReference(
            f"MuJoCo is not installed; to install it: {sys.executable} -m pip install mujoco=={VERSION}"
        ) from error
    return module


def load(path: Path) -> Any:
    """The model as MuJoCo loads it; NoReference says why it cannot."""
    try:
        return mujoco().MjModel.from_xml_path(str(path))
    except ValueError as error:
        raise NoReference(f"MuJoCo cannot load {path}: {' '.join(str(error).split())}") from error


def start(model: Any, path: Path) -> Any:
    """MjData in the state in which the viewer opens the file."""
    module = mujoco()
    data = module.MjData(model)
    key = start_key(path, [model.key(k).name for k in range(model.nkey)])
    if key is not None:
        module.mj_resetDataKeyframe(model, data, key)
    return data
