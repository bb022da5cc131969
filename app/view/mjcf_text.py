"""MJCF elements to paste into a file: the present state as a keyframe, the present view as a camera."""

from __future__ import annotations

from collections.abc import Iterable

from app.model.views import StateView
from app.scene.camera import View


def keyframe_xml(state: StateView) -> str:
    """The present state as a <key> element, with the shortest numbers that read back unchanged."""
    parts = {"qpos": state.qpos, "qvel": state.qvel, "act": state.act, "ctrl": state.ctrl}
    parts |= {"mpos": state.mocap_pos, "mquat": state.mocap_quat, "plastic": state.plastic}
    written = {name: " ".join(repr(float(v)) for v in values.ravel()) for name, values in parts.items() if values.size}
    attributes = " ".join(f'{name}="{text}"' for name, text in written.items())
    return f'<key time="{float(state.time)!r}" {attributes}/>'


def camera_xml(view: View) -> str:
    """The present view as a <camera> element of the world body."""
    lens = f'projection="orthographic" fovy="{view.fovy:.5g}"' if view.orthographic else f'fovy="{view.fovy:.5g}"'
    right, up = view.axes[:, 0], view.axes[:, 1]
    return f'<camera pos="{_numbers(view.eye)}" xyaxes="{_numbers(right)} {_numbers(up)}" {lens}/>'


def _numbers(values: Iterable[float]) -> str:
    """Rounded, with enough digits for the same view."""
    return " ".join(f"{round(float(v), 6) + 0.0:g}" for v in values)
