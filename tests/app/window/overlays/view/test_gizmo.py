"""The axes in the corner of the view: where their ends are, clicks and drags; app/window/overlays/view/gizmo.py."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from imgui_bundle import imgui

from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.scene.camera import FREE_CAMERA, OrbitCamera, View, default_free_camera
from app.ui.widgets import em
from app.view.camera_motion import move_camera
from app.view.rect import Rect
from app.view.view_state import ViewState
from app.window.overlays.view import gizmo as axes
from tests.app.conftest import Views
from tests.app.gui_driver import Gui

RECT = Rect(200, 100, 900, 700)
XML = """<worldbody><geom size='.1'/><camera pos='3 0 1' xyaxes='0 1 0 0 0 1'/>
<body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody>"""


class Corner:
    """The view of a model, with the axes over it."""

    def __init__(self, gui: Gui, views: Views) -> None:
        self.gui, (self.model, self.state) = gui, views(XML)
        self.view = ViewState(camera=default_free_camera(self.model))
        self.snapshot = Snapshot(1, RunState(), self.model, self.state)
        self.drawn: int = 0

    def draw(self) -> None:
        """As the application does it."""
        axes.gizmo(self.snapshot, self.view, RECT)
        before = imgui.get_background_draw_list().vtx_buffer.size()
        axes.draw_gizmo(self.snapshot, self.view, RECT)
        self.drawn = imgui.get_background_draw_list().vtx_buffer.size() - before

    def end(self, axis: int, sign: int) -> axes.End:
        """Where an end is."""
        spot: tuple[float, float, float] | None = None

        def measure() -> None:
            nonlocal spot
            spot = axes.place(self.view, RECT)
            self.draw()

        self.gui.frame(measure)
        assert spot is not None
        seen = self.view.current_view(self.model, self.state)
        return next(end for end in axes.ends(seen, *spot) if (end.axis, end.sign) == (axis, sign))

    def settle(self) -> None:
        """Until the camera is there."""
        for _ in range(100):
            move_camera(self.view, self.snapshot, 0.05)


@pytest.fixture
def corner(gui: Gui, views: Views) -> Corner:
    """A free camera."""
    return Corner(gui, views)


@pytest.mark.parametrize(("axis", "sign"), axes.SIDES)
def test_a_click_looks_from_that_side(corner: Corner, axis: int, sign: int) -> None:
    corner.view.camera = OrbitCamera(azimuth=110.0, elevation=-25.0)
    end = corner.end(axis, sign)
    corner.gui.click_at(corner.draw, end.x, end.y)
    corner.settle()
    way = corner.view.camera.eye() - corner.view.camera.lookat
    assert sign * way[axis] == pytest.approx(corner.view.camera.distance, rel=1e-4)


def test_the_ends_are_where_the_axes_point() -> None:
    camera = OrbitCamera(azimuth=90.0, elevation=-30.0)
    seen = View(camera.eye(), camera.axes(), 45.0, 0.1, 10.0)
    found = {(end.axis, end.sign): end for end in axes.ends(seen, 100.0, 100.0, 50.0)}
    # x to the right, z up, -y towards the eye
    assert (found[0, 1].x, found[0, 1].y) == pytest.approx((150.0, 100.0))
    assert found[2, 1].y < 60.0
    assert found[1, -1].depth > 0.8
    depths = [end.depth for end in axes.ends(seen, 0, 0, 1)]
    assert depths == sorted(depths)


def test_a_drag_orbits_and_is_no_click(corner: Corner) -> None:
    end, before = corner.end(0, 1), corner.view.camera.pose()
    io = corner.gui.io
    io.add_mouse_pos_event(end.x, end.y)
    corner.gui.frame(corner.draw, 2)
    io.add_mouse_button_event(0, True)
    corner.gui.frame(corner.draw)
    for step in (1, 2, 3):
        io.add_mouse_pos_event(end.x + 10 * step, end.y + 5 * step)
        corner.gui.frame(corner.draw)
    io.add_mouse_button_event(0, False)
    corner.gui.frame(corner.draw, 2)
    assert corner.view.flight is None
    after = corner.view.camera.pose()
    assert after[:4] == before[:4]
    assert after[4] < before[4]
    assert after[5] < before[5]


@pytest.mark.parametrize("press", [True, False])
def test_it_leaves_a_camera_of_the_model(corner: Corner, press: bool) -> None:
    """From the pose of that camera; hovering alone changes nothing."""
    corner.view.camera_id = 0
    fixed = corner.view.current_view(corner.model, corner.state)
    end = corner.end(1, 1)
    if press:
        corner.gui.click_at(corner.draw, end.x, end.y)
        assert corner.view.camera_id == FREE_CAMERA
        assert np.allclose(corner.view.camera.eye(), fixed.eye)
    else:
        corner.gui.point_at(corner.draw, (end.x, end.y, end.x, end.y))
        assert corner.view.camera_id == 0
        assert corner.view.ui.gizmo_side == (1, 1)
        assert corner.gui.tooltips


def _switched_off(corner: Corner) -> None:
    corner.view.prefs.show_gizmo = False


def _behind_the_gallery(corner: Corner) -> None:
    corner.view.ui.show_gallery = True


def _without_a_model(corner: Corner) -> None:
    corner.snapshot = Snapshot(1, RunState())


@pytest.mark.parametrize("change", [_switched_off, _behind_the_gallery, _without_a_model])
def test_nothing_is_drawn(corner: Corner, change: Callable[[Corner], None]) -> None:
    corner.gui.frame(corner.draw)
    assert corner.drawn > 0
    change(corner)
    corner.gui.frame(corner.draw)
    assert corner.drawn == 0


def test_a_tiny_view_has_no_room(gui: Gui) -> None:
    assert gui.frame(lambda: axes.place(ViewState(), Rect(0, 0, em(5), em(30)))) is None
    assert gui.frame(lambda: axes.place(ViewState(), Rect(0, 0, em(30), em(30)))) is not None
