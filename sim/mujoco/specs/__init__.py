"""MjSpec and its elements: building and changing models by program, under MuJoCo's names, on `sim.spec`."""

from __future__ import annotations

from typing import Union

from sim.mujoco.specs.actuators import MjsActuator
from sim.mujoco.specs.assets import MjsHField, MjsMaterial, MjsMesh, MjsSkin, MjsTexture
from sim.mujoco.specs.base import Mjs as MjsElement
from sim.mujoco.specs.base import MjsOrientation
from sim.mujoco.specs.bodies import MjsBody, MjsFrame
from sim.mujoco.specs.constraints import MjsEquality, MjsExclude, MjsPair, MjsTendon, MjsTendonPath, MjsWrap
from sim.mujoco.specs.custom import MjsKey, MjsNumeric, MjsText, MjsTuple
from sim.mujoco.specs.defaults import MjsDefault
from sim.mujoco.specs.flex import MjsFlex
from sim.mujoco.specs.members import MjsCamera, MjsGeom, MjsJoint, MjsLight, MjsSite
from sim.mujoco.specs.plugin import MjsPlugin
from sim.mujoco.specs.saving import archive as to_zip
from sim.mujoco.specs.sensors import MjsSensor
from sim.mujoco.specs.settings import MjsAuthored, MjsCompiler
from sim.mujoco.specs.spec import MjSpec
from sim.mujoco.specs.vfs import MjVfs

from_zip = MjSpec.from_zip
# every element that can be bound to a model
MjStruct = Union[  # noqa: UP007
    MjsActuator, MjsBody, MjsCamera, MjsEquality, MjsExclude, MjsFlex, MjsFrame, MjsGeom, MjsHField, MjsJoint, MjsKey,
    MjsLight, MjsMaterial, MjsMesh, MjsNumeric, MjsPair, MjsPlugin, MjsSensor, MjsSite, MjsSkin, MjsTendon, MjsText,
    MjsTexture, MjsTuple,
]  # fmt: skip

__all__ = [
    "MjSpec", "MjStruct", "MjVfs",
    "MjsActuator", "MjsAuthored", "MjsBody", "MjsCamera", "MjsCompiler", "MjsDefault", "MjsElement",
    "MjsEquality", "MjsExclude", "MjsFlex", "MjsFrame", "MjsGeom", "MjsHField", "MjsJoint", "MjsKey", "MjsLight",
    "MjsMaterial", "MjsMesh", "MjsNumeric", "MjsOrientation", "MjsPair", "MjsPlugin", "MjsSensor", "MjsSite", "MjsSkin",
    "MjsTendon", "MjsTendonPath", "MjsText", "MjsTexture", "MjsTuple", "MjsWrap", "from_zip", "to_zip",
]  # fmt: skip
