"""The camera of the view as a mujoco.MjvCamera: pose of the free camera, the tracked body, a camera of the model."""

from __future__ import annotations

from typing import Any

from app.scene.camera import FREE_CAMERA
from app.view.script.exchange import Side, Values
from app.view.view_state import ViewState

# values of mjtCamera
FREE, TRACKING, FIXED = range(3)
# of the free camera
NUMBERS = ("distance", "azimuth", "elevation")


def script_side(camera: Any) -> Side:
    """An MjvCamera."""

    def read() -> Values:
        index = {TRACKING: camera.trackbodyid, FIXED: camera.fixedcamid}.get(int(camera.type))
        mode = (FREE, -1) if index is None or index < 0 else (int(camera.type), int(index))
        return {"mode": mode, "lookat": tuple(camera.lookat.tolist())} | {n: getattr(camera, n) for n in NUMBERS}

    def write(values: Values) -> None:
        for name, value in values.items():
            if name == "mode":
                camera.type, index = value
                camera.trackbodyid = index if camera.type == TRACKING else -1
                camera.fixedcamid = index if camera.type == FIXED else -1
            elif name == "lookat":
                camera.lookat[:] = value
            else:
                setattr(camera, name, value)

    return Side(read, write)


def user_side(view: ViewState, nbody: int, ncam: int) -> Side:
    """The camera of the view; bodies and cameras that the model does not have are the free camera."""

    def read() -> Values:
        mode = (FREE, -1)
        if 0 <= view.camera_id < ncam:
            mode = FIXED, view.camera_id
        elif view.tracked > 0:
            mode = TRACKING, view.tracked
        camera = view.camera
        return {"mode": mode, "lookat": tuple(camera.lookat.tolist())} | {n: getattr(camera, n) for n in NUMBERS}

    def write(values: Values) -> None:
        for name, value in values.items():
            if name == "mode":
                kind, index = value
                view.camera_id = index if kind == FIXED and index < ncam else FREE_CAMERA
                view.tracked = index if kind == TRACKING and index < nbody else -1
            else:
                view.flight = None
                setattr(view.camera, name, value)

    return Side(read, write)
