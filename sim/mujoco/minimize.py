"""`mujoco.minimize`: MuJoCo's own module, which is plain Python, on this engine's `mju_boxQP`; see `least_squares`."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.mujoco.stand_in import stand_in

_package = PathFinder.find_spec("mujoco")
if _package is None or _package.origin is None:
    raise ModuleNotFoundError(
        f"minimize is part of MuJoCo, which is not installed; to install it: {sys.executable} -m pip install mujoco",
        name="mujoco",
    )
with stand_in():
    # the one function of `mujoco` that it calls is mju_boxQP
    SourceFileLoader(__name__, str(Path(_package.origin).with_name("minimize.py"))).exec_module(sys.modules[__name__])

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
