"""Which pictures of cameras are open, and how they are saved; app/instruments/cameras/state.py."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.instruments.cameras.state import CameraPicture, CamerasState, save_picture
from app.render.capture.camera_pictures import CameraImage
from app.render.capture.offscreen import COLOUR, DEPTH, SEGMENTATION
from app.scene.camera import FREE_CAMERA
from app.scene.instances import ID_STEP, Kind
from app.view.feedback import Feedback
from sim.enums import OBJ_GEOM

PIXELS = np.zeros((3, 4, 4), np.uint8)


def test_at_first_the_first_camera_is_shown() -> None:
    pictures = CamerasState()
    assert [picture.camera for picture in pictures.begin(2)] == [0]
    pictures.add(2)
    pictures.add(2)
    assert [picture.camera for picture in pictures.begin(2)] == [0, 1, FREE_CAMERA]


def test_a_model_without_cameras() -> None:
    pictures = CamerasState()
    assert pictures.begin(0) == []
    pictures.add(0)
    assert [picture.camera for picture in pictures.begin(0)] == [FREE_CAMERA]


def test_what_was_closed_stays_closed() -> None:
    pictures = CamerasState(open=[])
    assert pictures.begin(3) == []


def test_nothing_is_wanted_out_of_sight() -> None:
    pictures = CamerasState()
    (picture,) = pictures.begin(1)
    picture.wanted = (32, 24)
    pictures.end_frame()
    assert pictures.wanted == [picture]
    # the panel is not drawn in the next frame
    pictures.end_frame()
    assert pictures.wanted == []


def test_cameras_are_followed_through_a_file_that_changes() -> None:
    pictures = CamerasState(open=[CameraPicture(0), CameraPicture(1), CameraPicture(FREE_CAMERA)])
    pictures.follow_elements(lambda _, camera: {0: 2, 1: -1}[camera])
    assert [picture.camera for picture in pictures.open or ()] == [2, FREE_CAMERA]
    # another model
    assert [picture.camera for picture in pictures.begin(1)] == [FREE_CAMERA, FREE_CAMERA]


@pytest.mark.parametrize("shows", [COLOUR, DEPTH, SEGMENTATION])
def test_saved_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shows: str) -> None:
    monkeypatch.chdir(tmp_path)
    values = {DEPTH: np.full((3, 4), 1.5), SEGMENTATION: np.full((3, 4), Kind.GEOM * ID_STEP + 7)}
    feedback = Feedback()
    save_picture(CameraImage(shows, PIXELS, values.get(shows)), "left/eye", feedback)
    (picture,) = tmp_path.glob(f"kinetoscope-left_eye-{shows}-*.png")
    with Image.open(picture) as image:
        assert image.size == (4, 3)
    assert str(picture) in feedback.message
    numbers = list(tmp_path.glob("*.npy"))
    assert len(numbers) == (shows != COLOUR)
    if shows == DEPTH:
        assert (np.load(numbers[0]) == 1.5).all()
    if shows == SEGMENTATION:
        assert np.load(numbers[0])[0, 0].tolist() == [7, OBJ_GEOM]


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("app.instruments.cameras.state.write_atomic", refuse)
    feedback = Feedback()
    save_picture(CameraImage(COLOUR, PIXELS), "eye", feedback)
    assert "no space left" in feedback.message
