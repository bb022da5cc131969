"""Writes a mouse perturbation into Data: as a force while time runs, as a pose while paused.

The engine computes the force (`sim/stages/smooth/perturb_force.py`) from what is written here. While paused, the pose
of free and mocap bodies is set.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.model.views import StateView
from app.run.commands import Perturbation
from sim import Data, Model
from sim.enums import JNT_FREE, PERT_ROTATE, PERT_TRANSLATE
from sim.script.rotation import quat_to_mat


def apply(data: Data, wanted: Perturbation) -> None:
    """Perturb a body from the next step on."""
    perturb = data.perturb
    perturb.select, perturb.localpos = wanted.body, wanted.localpos
    active = 0
    if wanted.refselpos is not None:
        perturb.refselpos, active = wanted.refselpos, PERT_TRANSLATE
    if wanted.refquat is not None:
        perturb.refquat, active = wanted.refquat, active | PERT_ROTATE
    perturb.active = active


def end(data: Data) -> None:
    """End the perturbation."""
    data.perturb.active = 0


def mouse_wrench(state: StateView, body: int) -> NDArray[np.float64]:
    """Force and torque of the mouse on a body, at its centre of mass."""
    active = state.perturb.active and state.perturb.select == body
    return np.array(state.perturb.xfrc) if active else np.zeros(6)


def move(model: Model, data: Data, wanted: Perturbation) -> bool:
    """Set the pose of a free or mocap body; returns False for any other."""
    b = wanted.body
    mocap, joint = int(model.body_mocapid[b]), int(model.body_jntadr[b])
    free = joint >= 0 and int(model.jnt_type[joint]) == JNT_FREE
    if mocap < 0 and not free:
        return False
    pos = np.array(data.xpos[b])
    quat = np.array(data.xquat[b] if wanted.refquat is None else wanted.refquat)
    if wanted.refselpos is not None:
        pos = np.array(wanted.refselpos) - quat_to_mat(quat).reshape(3, 3) @ wanted.localpos
    if mocap >= 0:
        data.mocap_pos[mocap], data.mocap_quat[mocap] = pos, quat
    else:
        start = int(model.jnt_qposadr[joint])
        data.qpos[start : start + 3], data.qpos[start + 3 : start + 7] = pos, quat
    return True
