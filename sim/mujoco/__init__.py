"""MuJoCo's names in front of the engine: `from sim import mujoco` in place of `import mujoco`.

    m = mujoco.MjModel.from_xml_path("scene.xml")
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d)

Names, arguments and results are those of MuJoCo's Python bindings; the tables here map them to `sim`, which does the
work, and an MjModel or MjData can be given to every function of `sim`. What is missing raises an AttributeError that
says what to use instead. `stand_in()` makes `import mujoco` give this module.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sim.mujoco import (
    binary,  # noqa: F401
    binding,
    constants,
    enums,
    scene,
)
from sim.mujoco import callbacks as _mujoco_callbacks  # noqa: F401
from sim.mujoco.constants import MJTNUM_BYTES, MJTNUM_DTYPE
from sim.mujoco.data import MjData
from sim.mujoco.errors import FatalError, UnexpectedError
from sim.mujoco.functions import (  # noqa: F401
    dynamics,
    history,
    matrices,
    models,
    rays,
    rotations,
    scalars,
    stages,
    state,
    steps,
    vectors,
    visual,
)
from sim.mujoco.logs import MjLogConfig
from sim.mujoco.missing import why
from sim.mujoco.model import MjModel
from sim.mujoco.pictures import MjrRect, MjvCamera, MjvFigure, MjvGeom, MjvGLCamera, MjvLight, MjvOption, MjvPerturb
from sim.mujoco.stand_in import PRIVATE, stand_in
from sim.mujoco.structs.bind import _MjBindData, _MjBindModel
from sim.mujoco.structs.options import MjLROpt, MjOption, MjStatistic, MjVisual
from sim.mujoco.structs.stats import MjContact, MjSolverStat, MjTimerStat, MjWarningStat

__version__ = constants.VERSION

STRUCTS = (
    MjContact, MjData, MjLROpt, MjLogConfig, MjModel, MjOption, MjSolverStat, MjStatistic, MjTimerStat, MjVisual,
    MjWarningStat, MjrRect, MjvCamera, MjvFigure, MjvGLCamera, MjvGeom, MjvLight, MjvOption, MjvPerturb,
)  # fmt: skip
globals().update({struct.__name__: struct for struct in STRUCTS})
globals().update(MjVisualHeadlight=vars(MjVisual)["Headlight"], MjVisualRgba=vars(MjVisual)["Rgba"])
globals().update(_MjBindData=_MjBindData, _MjBindModel=_MjBindModel)
# MuJoCo's private modules, by which annotations name its classes
globals().update(dict.fromkeys(PRIVATE, sys.modules[__name__]))
globals().update(enums.CLASSES)
globals().update(constants.CONSTANTS)
globals().update(binding.FUNCTIONS)
globals().update({
    name: value
    for name, value in vars(scene).items()
    if name.startswith(("Mj", "mj")) and value.__module__ == scene.__name__
})  # fmt: skip

# names that are imported when they are first used -> the module that has them
LATER = {
    "MjSpec": "specs",
    "MjStruct": "specs",
    "MjVfs": "specs",
    "Renderer": "renderer",
    "GLContext": "gl_context",
    "from_zip": "specs",
    "to_zip": "specs",
}
# prefix of names that are imported when they are first used -> the module
LATER_PREFIXES = {"Mjs": "specs"}
SUBMODULES = ("viewer", "rollout", "minimize", "renderer", "specs")


def __getattr__(name: str) -> Any:
    home = LATER.get(name)
    if home is None and name[:3] in LATER_PREFIXES:
        home = LATER_PREFIXES[name[:3]]
    if name in SUBMODULES:
        return import_module(f"{__name__}.{name}")
    if home is not None:
        try:
            return getattr(import_module(f"{__name__}.{home}"), name)
        except ModuleNotFoundError:
            pass
    raise AttributeError(why(name))


def __dir__() -> list[str]:
    return sorted({*globals(), *LATER, *SUBMODULES})


if not TYPE_CHECKING:
    __all__ = [name for name in globals() if name.startswith(("mj", "Mj", "get_", "set_"))]
    __all__ += ["MJTNUM_BYTES", "MJTNUM_DTYPE", "FatalError", "UnexpectedError", "stand_in"]
