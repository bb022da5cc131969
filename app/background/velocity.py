"""Velocities of points of bodies: v₀ + ω × r, from spatial velocities about the subtree centre of mass."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.model.views import ModelView, StateView


def point_velocity(model: ModelView, state: StateView, body: Any, point: Any) -> Any:
    """The velocity of the material point of a body at `point`, m/s; or of several, one per row."""
    arm = point - state.subtree_com[model.body_rootid[body]]
    return state.cvel[body, 3:] + np.cross(state.cvel[body, :3], arm)
