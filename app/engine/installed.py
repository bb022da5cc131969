"""The installed MuJoCo: imported when it is needed, told apart by what is there."""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sim.user_error import UserError

# the version that our engine follows
FOLLOWED = "4.0.0"
# our engine under MuJoCo's names, which may stand in for it
NAMES = "sim.mujoco"


class NoMujoco(UserError):
    """MuJoCo is not installed, or cannot load a model."""


def mujoco() -> Any:
    """The module; NoMujoco says how to install it."""
    try:
        import mujoco as module
    except ImportError as error:
        raise NoMujoco(f"MuJoCo is not installed; to install it: {sys.executable} -m pip install mujoco") from error
    if module.__name__ == NAMES:
        raise NoMujoco("`import mujoco` gives Kinetoscope's engine in this process; to use both: --engine mujoco")
    return module


@cache
def is_installed() -> bool:
    """Whether there is a MuJoCo; it is not imported to find out."""
    return find_spec("mujoco") is not None


def imported() -> Any | None:
    """The module, if a script has imported it: asking costs nothing."""
    module = sys.modules.get("mujoco")
    return None if module is None or module.__name__ == NAMES else module


def structs_for(value: Any) -> Any:
    """The module whose structs go with a model or a struct: mujoco, or ours under its names; None: neither."""
    # a script may have made classes of its own from theirs
    homes = [base.__module__ for base in type(value).__mro__]
    if any(home == NAMES or home.startswith(f"{NAMES}.") for home in homes):
        return sys.modules[NAMES]
    return imported() if any(home.partition(".")[0] == "mujoco" for home in homes) else None


def is_mujoco_model(value: Any) -> bool:
    """Whether a value is a model of MuJoCo."""
    module = imported()
    return module is not None and isinstance(value, module.MjModel)


def is_mujoco_data(value: Any) -> bool:
    """Whether a value is Data of MuJoCo."""
    module = imported()
    return module is not None and isinstance(value, module.MjData)


def load_mujoco(path: str | Path) -> Any:
    """An MjModel from MJCF, URDF or a binary model; NoMujoco says why it cannot be loaded."""
    module, name = mujoco(), str(path)
    try:
        if name.endswith(".mjb"):
            return module.MjModel.from_binary_path(name)
        return module.MjModel.from_xml_path(name)
    except ValueError as error:
        raise NoMujoco(f"MuJoCo {module.__version__} cannot load {path}: {' '.join(str(error).split())}") from error
