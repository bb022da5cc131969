"""mjv_default*: default cameras, options and perturbations."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.enums import PROJ_ORTHOGRAPHIC
from sim.mujoco.binding import bound, returning
from sim.mujoco.pictures import MjvCamera, MjvOption, MjvPerturb

returning({
    "mjv_defaultCamera cam:any": (lambda cam: cam._assign(MjvCamera()), "Set a camera to its defaults."),
    "mjv_defaultOption opt:any": (lambda opt: opt._assign(MjvOption()), "Set visual options to their defaults."),
    "mjv_defaultPerturb pert:any": (lambda pert: pert._assign(MjvPerturb()), "Set a perturbation to its defaults."),
})  # fmt: skip


@bound("m cam:any")
def mjv_defaultFreeCamera(m: Any, cam: Any) -> None:
    """Set a camera to the model's default view: at its centre, one and a half times its size away."""
    cam._assign(MjvCamera())
    view = m.vis.global_
    cam.lookat, cam.distance = m.stat.center, 1.5 * m.stat.extent
    cam.azimuth, cam.elevation = view.azimuth, view.elevation
    cam.orthographic = int(view.orthographic == PROJ_ORTHOGRAPHIC)


@bound("res:out3 vec:in3 forward:in3")
def mjv_alignToCamera(res: np.ndarray, vec: Any, forward: Any) -> None:
    """Turn a vector in the horizontal plane by the angle from y to the direction of a camera."""
    x, y = forward[:2] / max(float(np.hypot(*forward[:2])), 1e-15)
    res[:] = vec[0] * y + vec[1] * x, vec[1] * y - vec[0] * x, vec[2]
