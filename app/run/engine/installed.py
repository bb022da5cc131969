"""The installed MuJoCo: imported when it is needed, told apart by what is there."""

from __future__ import annotations

import subprocess
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
# what a binary model has to survive, in a process of its own, and for how long
TRY = """
import sys
sys.path.insert(0, sys.argv[2])
import mujoco
m = mujoco.MjModel.from_binary_path(sys.argv[1])
d = mujoco.MjData(m)
mujoco.mj_step(m, d)
"""
TRY_SECONDS = 20


class NoMujoco(UserError):
    """MuJoCo is not installed, or cannot load a model."""


def mujoco() -> Any:
    """The module; NoMujoco says how to install it."""
    try:
        import mujoco as module
    except ImportError as error:
        raise NoMujoco(f"MuJoCo is not installed; to install it: {sys.executable} -m pip install mujoco") from error
    if module.__name__ == NAMES:
        raise NoMujoco("`import mujoco` returns Kinetoscope's engine in this process; to use both: --engine mujoco")
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


def _check_binary(module: Any, path: str) -> None:
    """Load a binary model in another process, and step it: MuJoCo does not check what is in it; ValueError."""
    command = [sys.executable, "-P", "-c", TRY, path, str(Path(module.__file__).parents[1])]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=TRY_SECONDS)
    except subprocess.TimeoutExpired:
        raise ValueError(f"its first step takes more than {TRY_SECONDS} s") from None
    if done.returncode:
        said = done.stderr.strip().rpartition("\n")[2].removeprefix("ValueError: ")
        raise ValueError(
            said if done.returncode > 0 and said else "the installation is broken: MuJoCo crashes in its first step"
        )


def load_mujoco(path: str | Path) -> Any:
    """An MjModel from MJCF, URDF or a binary model; NoMujoco says why it cannot be loaded."""
    module, name = mujoco(), str(path)
    try:
        if name.endswith(".mjb"):
            _check_binary(module, name)
            return module.MjModel.from_binary_path(name)
        return module.MjModel.from_xml_path(name)
    except ValueError as error:
        raise NoMujoco(f"MuJoCo {module.__version__} cannot load {path}: {' '.join(str(error).split())}") from error
