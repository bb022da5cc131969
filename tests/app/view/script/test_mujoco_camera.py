"""The camera of the view as an MjvCamera."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from app.scene.camera import FREE_CAMERA, Flight
from app.view.script import mujoco_camera
from app.view.view_state import ViewState

MODES = mujoco.mjtCamera


def test_there_and_back() -> None:
    view, camera = ViewState(), mujoco.MjvCamera()
    here, there = mujoco_camera.user_side(view, 5, 2), mujoco_camera.script_side(camera)
    view.camera.lookat, view.camera.distance, view.tracked = np.array([1.0, 2, 3]), 4.0, 3
    there.write(here.read())
    assert (camera.lookat.tolist(), camera.distance) == ([1, 2, 3], 4)
    assert (camera.type, camera.trackbodyid, camera.fixedcamid) == (MODES.mjCAMERA_TRACKING, 3, -1)
    assert there.read() == here.read()


@pytest.mark.parametrize(
    ("mode", "index", "camera_id", "tracked"),
    [
        (MODES.mjCAMERA_FREE, 1, FREE_CAMERA, -1),
        (MODES.mjCAMERA_TRACKING, 4, FREE_CAMERA, 4),
        (MODES.mjCAMERA_FIXED, 1, 1, -1),
        # what the model does not have
        (MODES.mjCAMERA_TRACKING, 5, FREE_CAMERA, -1),
        (MODES.mjCAMERA_TRACKING, -1, FREE_CAMERA, -1),
        (MODES.mjCAMERA_FIXED, 2, FREE_CAMERA, -1),
        (MODES.mjCAMERA_USER, 1, FREE_CAMERA, -1),
    ],
)
def test_modes(mode: int, index: int, camera_id: int, tracked: int) -> None:
    view, camera = ViewState(camera_id=0, tracked=2), mujoco.MjvCamera()
    camera.type, camera.trackbodyid, camera.fixedcamid = mode, index, index
    mujoco_camera.user_side(view, 5, 2).write(mujoco_camera.script_side(camera).read())
    assert (view.camera_id, view.tracked) == (camera_id, tracked)


def test_a_pose_from_the_script_ends_a_flight() -> None:
    view = ViewState(flight=Flight(np.zeros(3), 1.0))
    mujoco_camera.user_side(view, 1, 0).write({"lookat": (0, 0, 1)})
    assert view.flight is None
    assert view.camera.lookat.tolist() == [0, 0, 1]
