"""An installed MuJoCo, for the commands that compare with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.resources import start_key

VERSION = "3.12.0"


class NoReference(Exception):
    """MuJoCo is not installed."""


def mujoco() -> Any:
    """The module; NoReference says how to get it."""
    try:
        import mujoco as module
    except ImportError as error:
        raise NoReference(
            f"this compares with MuJoCo, which is not installed: pip install mujoco=={VERSION}"
        ) from error
    return module


def start(model: Any, path: Path) -> Any:
    """MuJoCo's state in which the viewer would open the file."""
    module = mujoco()
    data = module.MjData(model)
    key = start_key(path, [model.key(k).name for k in range(model.nkey)])
    if key is not None:
        module.mj_resetDataKeyframe(model, data, key)
    return data
