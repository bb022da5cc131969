"""How the first model opens (app/view/input/opening.py): keyframe and camera of the command line."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from app.render.capture.free_camera import FreeCamera
from app.run.commands import Reset
from app.scene.camera import FREE_CAMERA
from app.view.input.opening import Opening, apply_opening
from app.view.view_state import ViewState
from sim.user_error import UserError
from tests.app.conftest import Views

MODEL = """<worldbody><camera name='front'/><camera name='side'/><body name='ball'><freejoint/><geom size='.1'/></body>
</worldbody><keyframe><key name='low'/><key/></keyframe>"""


@pytest.fixture
def model(views: Views) -> Any:
    return views(MODEL)[0]


def opened(model: Any, opening: Opening) -> SimpleNamespace:
    """A desk that shows the model so; only the first one."""
    sent, reported = list[Any](), list[Any]()
    view = ViewState()
    desk: Any = SimpleNamespace(view=view, send=sent.append, report=lambda *text: reported.append(text))
    desk.snapshot = SimpleNamespace(model=None)
    opening.begin(desk)
    assert view.opening is not None
    desk.snapshot.model = model
    opening.begin(desk)
    view.camera_id = view.camera_id if view.camera_id >= 0 else FREE_CAMERA
    apply_opening(desk, model)
    return SimpleNamespace(view=view, sent=sent, reported=reported)


def test_free_camera(model: Any) -> None:
    view = opened(model, Opening(free=FreeCamera(azimuth=12.0, lookat=(1.0, 2.0, 3.0)))).view
    assert (view.camera_id, view.camera.azimuth, view.tracked) == (FREE_CAMERA, 12, -1)
    assert view.camera.lookat.tolist() == [1, 2, 3]


def test_tracked(model: Any) -> None:
    assert opened(model, Opening(free=FreeCamera(track="ball"))).view.tracked == 1


def test_camera_of_the_model(model: Any) -> None:
    assert opened(model, Opening(camera="side")).view.camera_id == 1


def test_a_key_without_a_name_is_gone_to(model: Any) -> None:
    """One with a name is that in which the file opens."""
    assert opened(model, Opening(key="1")).sent == [Reset(1)]
    assert opened(model, Opening(key="low")).sent == []


def test_what_is_not_there_is_reported_or_raised(model: Any) -> None:
    with pytest.raises(UserError, match="did you mean 'low'"):
        Opening(key="lov").check(model)
    found = opened(model, Opening(key="lov"))
    assert "did you mean 'low'" in found.reported[0][1] and found.sent == []
