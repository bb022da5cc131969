"""The user's view after the model's file has changed."""

from __future__ import annotations

import pytest

import sim
from app.model.selection import Selection
from app.model.views import ModelView
from app.run.snapshot import view_model
from app.scene.camera import FREE_CAMERA
from app.view.view_state import ViewState

PARTS = {
    "leg": '<body name="leg"><joint/><geom name="shin" size=".1"/><geom size=".1"/><camera name="low"/></body>',
    "arm": '<body name="arm"><joint/><geom size=".1"/><camera name="high"/></body>',
}


def model(*names: str, fovy: int = 45) -> ModelView:
    bodies = "".join(PARTS[name] for name in names)
    return view_model(
        sim.loads(f'<mujoco><visual><global fovy="{fovy}"/></visual><worldbody>{bodies}</worldbody></mujoco>')
    )


def view() -> ViewState:
    """A view of the arm, which is the second."""
    found = ViewState(tracked=2, camera_id=1, selection=Selection("geom", 2))
    found.ui.unfolded = {("body", 1), ("body", 2), ("joint", -1)}
    return found


def test_elements_are_found_again_by_name_and_place() -> None:
    shown = view()
    shown.follow_file(model("leg", "arm"), model("arm", "leg"))
    assert (shown.tracked, shown.camera_id, shown.selection) == (1, 0, Selection("geom", 0))
    assert shown.ui.unfolded == {("body", 1), ("body", 2), ("joint", -1)}
    shown.follow_file(model("arm", "leg"), model("arm"))
    assert shown.ui.unfolded == {("body", 1), ("joint", -1)}


def test_what_is_gone_is_not_looked_for_elsewhere() -> None:
    shown = view()
    shown.follow_file(model("leg", "arm"), model("leg"))
    assert (shown.tracked, shown.camera_id, shown.selection) == (-1, FREE_CAMERA, None)
    assert shown.ui.unfolded == {("body", 1), ("joint", -1)}


@pytest.mark.parametrize("selection", [None, Selection("contact", 0), Selection("island", 0)])
def test_what_has_no_key_is_not_selected_any_more(selection: Selection | None) -> None:
    shown = ViewState(selection=selection)
    shown.follow_file(model("leg"), model("leg"))
    assert (shown.selection, shown.tracked, shown.camera_id) == (None, -1, FREE_CAMERA)


def test_the_free_camera_stays_but_for_the_lens_of_the_file() -> None:
    shown = ViewState()
    shown.camera.azimuth, shown.camera.fovy = 12.0, 30.0
    shown.follow_file(model("leg"), model("leg", "arm"))
    assert (shown.camera.azimuth, shown.camera.fovy) == (12.0, 30.0)
    shown.follow_file(model("leg"), model("leg", fovy=60))
    assert (shown.camera.azimuth, shown.camera.fovy) == (12.0, 60.0)
