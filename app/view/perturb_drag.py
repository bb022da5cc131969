"""A mouse perturbation: the selected body, a point of it, and the target to which a drag pulls it.

Belongs to the GUI thread. A drag moves the target in a plane that depends on the binding; the engine computes the
force from point and target.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView, StateView
from app.run.commands import Perturbation
from app.run.perturb import mouse_wrench
from app.scene.camera import View
from app.scene.instances import Batch, arrows
from sim.script.rotation import axis_angle_to_quat, mul_quat

Array = NDArray[np.float64]

UP = np.array([0.0, 0.0, 1.0])


@dataclass
class PerturbDrag:
    """A body and a point in its frame; target position and orientation during a drag."""

    body: int
    point: Array
    target: Array | None = None
    quat: Array | None = None

    def world_point(self, state: StateView) -> Array:
        """The point in the world, now."""
        place: Array = state.xpos[self.body] + state.xmat[self.body].reshape(3, 3) @ self.point
        return place

    def translate(self, state: StateView, view: View, dx: float, dy: float, horizontal: bool) -> None:
        """Move the target with the pointer; dx and dy are fractions of the view's height."""
        point = self.world_point(state)
        if self.target is None:
            self.target = point
        right, forward = view.axes[:, 0], -view.axes[:, 2]
        ahead = UP
        if horizontal:
            flat = forward * (1, 1, 0)
            # from straight above, the top of the view is ahead
            flat = flat if np.linalg.norm(flat) > 1e-3 else view.axes[:, 1] * (1, 1, 0)
            ahead = flat / max(float(np.linalg.norm(flat)), 1e-9)
        depth = max(float((point - view.eye) @ forward), view.near)
        self.target = self.target + view.height_at(depth) * (dx * right - dy * ahead)

    def rotate(self, state: StateView, view: View, dx: float, dy: float) -> None:
        """Rotate the target orientation with the pointer: by 180 degrees for the height of the view."""
        if self.quat is None:
            self.quat = np.array(state.xquat[self.body], float)
        change = mul_quat(axis_angle_to_quat(UP, math.pi * dx), axis_angle_to_quat(view.axes[:, 0], math.pi * dy))
        self.quat = mul_quat(change, self.quat)

    def perturbation(self) -> Perturbation | None:
        """The perturbation to apply: None unless a drag is going on."""
        if not self.active:
            return None
        target = None if self.target is None else tuple(self.target.tolist())
        quat = None if self.quat is None else tuple(self.quat.tolist())
        return Perturbation(self.body, tuple(self.point.tolist()), target, quat)

    def release(self) -> None:
        """End the drag; the selection stays."""
        self.target = self.quat = None

    @property
    def active(self) -> bool:
        """Whether a drag is going on."""
        return self.target is not None or self.quat is not None

    def forces(self, state: StateView) -> list[tuple[float, str]]:
        """The force and the torque that act, with their units."""
        wrench, found = mouse_wrench(state, self.body), []
        if self.target is not None:
            found.append((float(np.linalg.norm(wrench[:3])), "N"))
        if self.quat is not None:
            found.append((float(np.linalg.norm(wrench[3:])), "N·m"))
        return found


def perturb_object(model: ModelView, state: StateView, perturb: PerturbDrag) -> tuple[Batch, ...]:
    """An arrow from the selected point to the target, while it is pulled."""
    if perturb.target is None:
        return ()
    point, width = perturb.world_point(state), float(model.stat.meansize) * float(model.vis.scale.forcewidth)
    return tuple(arrows(point[None], (perturb.target - point)[None], width, model.vis.rgba.force))
