"""The camera's own motion: flights, and bodies that are tracked (app/view/camera_motion.py)."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.scene.camera import default_free_camera
from app.view.camera_motion import move_camera, turn_to
from app.view.view_state import ViewState


def shown() -> tuple[ViewState, Snapshot]:
    """A ball at 1 m, and a camera of its own."""
    m = sim.loads("<mujoco><worldbody><body pos='1 0 0'><geom size='.1'/></body></worldbody></mujoco>")
    d = sim.Data(m)
    model = view_model(m)
    return ViewState(camera=default_free_camera(model)), Snapshot(1, RunState(), model, view_state(d))


def test_a_tracked_body_is_looked_at() -> None:
    view, snapshot = shown()
    view.tracked = 1
    move_camera(view, snapshot, 0.01)
    assert snapshot.state is not None
    assert np.allclose(view.camera.lookat, snapshot.state.xipos[1])


def test_a_flight_ends_at_its_goal() -> None:
    view, snapshot = shown()
    assert snapshot.model is not None
    view.flight = default_free_camera(snapshot.model)
    view.flight.lookat = view.camera.lookat + 0.2
    goal = view.flight.lookat.copy()
    for _ in range(500):
        move_camera(view, snapshot, 0.05)
    assert view.flight is None
    assert np.allclose(view.camera.lookat, goal, atol=1e-3)
    # nothing is shown yet
    move_camera(view, Snapshot(0, RunState()), 0.05)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("sign", [-1, 1])
def test_a_side_is_looked_at_and_then_the_opposite_one(axis: int, sign: int) -> None:
    view, snapshot = shown()
    lookat = view.camera.lookat.copy()
    for side in (sign, -sign):
        turn_to(view, snapshot, axis, sign)
        for _ in range(100):
            move_camera(view, snapshot, 0.05)
        assert view.flight is None
        assert view.camera.eye()[axis] - lookat[axis] == pytest.approx(side * view.camera.distance, rel=1e-4)
    assert np.allclose(view.camera.lookat, lookat)


def test_a_tracking_camera_turns_and_goes_on_tracking() -> None:
    view, snapshot = shown()
    view.tracked = 1
    turn_to(view, snapshot, 0, 1)
    for _ in range(100):
        move_camera(view, snapshot, 0.05)
    assert view.tracked == 1
    assert view.flight is None
    assert abs(view.camera.azimuth) == pytest.approx(180.0, abs=0.1)
