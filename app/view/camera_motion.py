"""Moves the camera by itself: on its flight to a goal, to a side of the model, or with the body that it tracks."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from app.run.snapshot import Snapshot
from app.scene.camera import ELEVATION_LIMIT, FREE_CAMERA, Flight, OrbitCamera, in_reach
from app.view.view_state import ViewState

FLIGHT_SECONDS = 0.09
# angles that are the same view, degrees
SAME_DEGREES = 0.5


def move_camera(view: ViewState, snapshot: Snapshot, seconds: float) -> None:
    """Let the camera fly to its goal, or follow the body that it tracks."""
    model, state, flight = snapshot.model, snapshot.state, view.flight
    if model is None or state is None:
        return
    if 0 < view.tracked < len(state.xipos):
        # a body that has diverged is not followed
        if in_reach(model, state.xipos[view.tracked]):
            view.camera.lookat = np.array(state.xipos[view.tracked])
        # it may still turn
        flight = flight and replace(flight, lookat=None, distance=None)
    if flight is not None and flight.lookat is not None and not in_reach(model, flight.lookat):
        view.flight = flight = None
    if flight is not None:
        share = 1.0 - math.exp(-seconds / FLIGHT_SECONDS)
        view.flight = None if view.camera.fly(flight, share) else flight


def free_camera(view: ViewState, snapshot: Snapshot) -> None:
    """Leave a camera of the model for the free one, in the same pose."""
    model, state = snapshot.model, snapshot.state
    if view.camera_id != FREE_CAMERA and model is not None and state is not None:
        view.camera.take(view.current_view(model, state))
        view.tracked = -1
    view.camera_id = FREE_CAMERA


def turn_to(view: ViewState, snapshot: Snapshot, axis: int, sign: int) -> None:
    """Let the free camera turn to look from one side, an axis of the world, at what it looks at; from the opposite
    side if it is there."""
    free_camera(view, snapshot)
    goal = side_view(axis, sign)
    if _is_at(view.camera, goal):
        goal = side_view(axis, -sign)
    view.flight = goal


def side_view(axis: int, sign: int) -> Flight:
    """The angles of the view from a side; from above and below, x points to the right."""
    if axis == 2:
        return Flight(azimuth=90.0, elevation=-sign * ELEVATION_LIMIT)
    return Flight(azimuth=(90.0 * axis + (180.0 if sign > 0 else 0.0) + 180.0) % 360.0 - 180.0, elevation=0.0)


def _is_at(camera: OrbitCamera, goal: Flight) -> bool:
    """Whether the camera looks as a flight would have it."""
    assert goal.azimuth is not None and goal.elevation is not None
    turn = (camera.azimuth - goal.azimuth + 180.0) % 360.0 - 180.0
    return max(abs(turn), abs(camera.elevation - goal.elevation)) < SAME_DEGREES
