"""Cameras by words (app/render/capture/free_camera.py): which one, where it stands, and errors that name the cure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sim
from app.render.capture.free_camera import ChosenCamera, FreeCamera, NoSuchElement, element_id
from app.render.capture.recorder import CaptureOptions, OffscreenRun, first_key
from app.run.snapshot import element_names
from app.scene.camera import FREE_CAMERA, OrbitCamera, default_free_camera
from sim.user_error import UserError

MODEL = """<mujoco><visual><global azimuth='33' elevation='-12'/></visual><worldbody>
<camera name='front' pos='0 -3 1'/><camera name='side'/>
<body name='ball' pos='1 2 3'><freejoint/><geom size='.1' rgba='.9 .1 .1 1'/></body></worldbody>
<keyframe><key name='low' qpos='0 0 0 1 0 0 0'/><key qpos='0 0 9 1 0 0 0'/></keyframe></mujoco>"""


@pytest.fixture(scope="module")
def model() -> sim.Model:
    return sim.loads(MODEL)


def chosen(model: sim.Model, name: str | None = None, **numbers: object) -> ChosenCamera:
    return ChosenCamera(model, element_names(model), name, FreeCamera(**numbers))  # type: ignore[arg-type]


def placed(camera: ChosenCamera, data: sim.Data) -> OrbitCamera:
    found = camera.at(data)
    assert isinstance(found, OrbitCamera)
    return found


def test_what_is_not_given_is_the_models(model: sim.Model) -> None:
    data = sim.Data(model)
    assert chosen(model).at(data) == FREE_CAMERA == chosen(model, "-1").at(data)
    camera, usual = placed(chosen(model, azimuth=-90.0, distance=7.0), data), default_free_camera(model)  # type: ignore[arg-type]
    assert (camera.azimuth, camera.elevation, camera.distance) == (-90, -12, 7)
    assert camera.lookat.tolist() == usual.lookat.tolist()
    assert placed(chosen(model, lookat=(1.0, 2.0, 3.0)), data).lookat.tolist() == [1, 2, 3]


def test_cameras_of_the_model(model: sim.Model) -> None:
    data = sim.Data(model)
    assert [chosen(model, name).at(data) for name in ("front", "side", "1")] == [0, 1, 1]


def test_a_body_is_followed(model: sim.Model) -> None:
    data = sim.Data(model)
    camera = chosen(model, track="ball")
    for height in (1.0, 5.0):
        data.qpos[2] = height
        sim.forward(model, data)
        assert placed(camera, data).lookat.tolist() == [1, 2, height]


@pytest.mark.parametrize(
    ("name", "numbers", "words"),
    [
        ("frnt", {}, r"no camera 'frnt': did you mean 'front'\? Its cameras: front, side"),
        ("7", {}, "no camera '7'. Its cameras: front, side"),
        (None, {"track": "bal"}, r"no body 'bal': did you mean 'ball'\? Its bodies: world, ball"),
        ("front", {"azimuth": 3.0}, "leave out --azimuth, or leave out --camera"),
        (None, {"track": "ball", "lookat": (0.0, 0.0, 0.0)}, "leave out --lookat"),
    ],
)
def test_errors_name_the_cure(model: sim.Model, name: str | None, numbers: dict[str, object], words: str) -> None:
    with pytest.raises(UserError, match=words):
        chosen(model, name, **numbers)


def test_keyframes(model: sim.Model) -> None:
    names = element_names(model)["key"]
    assert [first_key(Path("x.xml"), names, key) for key in (None, "low", "1")] == [None, 0, 1]
    with pytest.raises(NoSuchElement, match=r"no keyframe 'lo': did you mean 'low'\? Its keyframes: low, number 1"):
        first_key(Path("x.xml"), names, "lo")
    with pytest.raises(NoSuchElement, match="Its keyframes: none"):
        element_id([], "home", "keyframe")
    with pytest.raises(NoSuchElement, match="n29 and 70 more"):
        element_id([f"n{k}" for k in range(100)], "home", "keyframe")


def test_images_show_it(tmp_path: Path) -> None:
    """A ball that the free camera misses is in the middle once it is tracked."""
    path = tmp_path / "model.xml"
    path.write_text(MODEL)

    def middle(**numbers: object) -> list[int]:
        options = CaptureOptions((64, 64), free=FreeCamera(distance=1.0, **numbers), key="1")  # type: ignore[arg-type]
        with OffscreenRun(sim, path, options) as run:
            found: list[int] = np.asarray(run.capture())[30:34, 30:34].mean(axis=(0, 1)).astype(int).tolist()
            return found

    away, there = middle(lookat=(0.0, 0.0, 0.0)), middle(track="ball")
    assert there[0] > 2 * there[1] and not away[0] > 2 * away[1]
    assert there == middle(lookat=(0.0, 0.0, 9.0))
