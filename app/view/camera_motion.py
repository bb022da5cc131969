"""Moves the camera by itself: on its flight to a goal, or with the body that it tracks."""

from __future__ import annotations

import math

import numpy as np

from app.run.snapshot import Snapshot
from app.scene.camera import in_reach
from app.view.view_state import ViewState

FLIGHT_SECONDS = 0.09


def move_camera(view: ViewState, snapshot: Snapshot, seconds: float) -> None:
    """Let the camera fly to its goal, or follow the body that it tracks."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None:
        return
    if view.flight is not None and not in_reach(model, view.flight.lookat):
        view.flight = None
    if 0 < view.tracked < len(state.xipos):
        # a body that has diverged is not followed
        if in_reach(model, state.xipos[view.tracked]):
            view.camera.lookat = np.array(state.xipos[view.tracked])
    elif view.flight is not None:
        share = 1.0 - math.exp(-seconds / FLIGHT_SECONDS)
        view.flight = None if view.camera.fly(view.flight, share) else view.flight
