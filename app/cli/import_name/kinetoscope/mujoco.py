"""`import kinetoscope.mujoco`: the module `sim.mujoco`."""

import sys

from sim import mujoco

sys.modules[__name__] = mujoco
