"""What is copied as MJCF says, read back, what it was copied from."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from app.run.snapshot import view_model, view_state
from app.scene.camera import OrbitCamera, model_camera_view
from app.view.mjcf_text import camera_xml, keyframe_xml
from app.view.view_state import ViewState
from tests.app.conftest import Views

BODY = "<worldbody>{}<body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody>{}"


@pytest.mark.parametrize("orthographic", [False, True])
def test_a_view_becomes_a_camera(views: Views, orthographic: bool) -> None:
    model, _ = views(BODY.format("", ""))
    view = OrbitCamera(np.array([0.1, 0.2, 0.3]), 3.0, 35.0, -20.0, 50.0, orthographic).view(model)
    model, state = views(BODY.format(camera_xml(view), ""))
    same = model_camera_view(model, state, 0)
    assert same.eye == pytest.approx(view.eye, abs=1e-5)
    assert same.axes == pytest.approx(view.axes, abs=1e-5)
    assert (same.fovy, same.orthographic) == (pytest.approx(view.fovy), view.orthographic)


def test_a_state_becomes_a_keyframe() -> None:
    model = sim.loads(f"<mujoco>{BODY.format('', '')}</mujoco>")
    data = sim.Data(model)
    data.qpos[:], data.qvel[:] = np.linspace(0.1, 0.7, 7), np.linspace(-1, 1, 6)
    key = keyframe_xml(view_state(data))
    again = sim.loads(f"<mujoco>{BODY.format('', f'<keyframe>{key}</keyframe>')}</mujoco>")
    assert np.array_equal(again.key_qvel[0], data.qvel)
    assert again.key_qpos[0][:3].tolist() == data.qpos[:3].tolist()


PLASTIC = """<mujoco><worldbody><body><joint axis="0 1 0" stiffness=".1" springyield="5"/>
  <geom size=".1" pos=".3 0 0"/></body></worldbody>{}</mujoco>"""


def test_where_plastic_springs_rest_is_in_the_keyframe() -> None:
    model = sim.loads(PLASTIC.format(""))
    data = sim.Data(model)
    sim.step(model, data, 100)
    assert data.plastic[0] > 0.1
    again = sim.loads(PLASTIC.format(f"<keyframe>{keyframe_xml(view_state(data))}</keyframe>"))
    assert again.key_plastic[0].tolist() == data.plastic.tolist()


def test_an_edited_lens_is_seen_at_once(views: Views) -> None:
    before, _ = views(BODY.format("", ""))
    edited = sim.loads(f"<mujoco>{BODY.format('', '')}</mujoco>")
    edited.vis.global_.fovy, edited.vis.global_.orthographic = 20.0, 1
    camera = OrbitCamera()
    camera.update_projection(before, view_model(edited))
    assert (camera.fovy, camera.orthographic) == (20.0, True)
    # what the user zoomed to stays, if something else was edited
    camera.fovy = 3.0
    camera.update_projection(view_model(edited), view_model(edited))
    assert camera.fovy == 3.0


def test_the_view_is_that_of_the_chosen_camera(views: Views) -> None:
    model, state = views(BODY.format("<camera pos='1 2 3'/>", ""))
    view = ViewState()
    view.align(model, state)
    assert view.current_view(model, state).eye == pytest.approx(view.camera.eye())
    view.camera_id = 0
    assert view.current_view(model, state).eye.tolist() == [1, 2, 3]
