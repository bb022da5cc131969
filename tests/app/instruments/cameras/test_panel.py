"""The panel Cameras: choices, tooltips, pictures that fit; app/instruments/cameras/panel.py."""

from __future__ import annotations

import numpy as np
import pytest
from imgui_bundle import imgui

from app.instruments.cameras.panel import NO_CAMERAS, cameras_panel
from app.instruments.cameras.state import MOST, CamerasState
from app.render.capture.camera_pictures import CameraImage
from app.render.capture.offscreen import COLOUR, DEPTH, SEGMENTATION
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.scene.camera import FREE_CAMERA
from app.scene.instances import ID_STEP, Kind
from app.view.view_state import ViewState
from tests.app.conftest import Views
from tests.app.gui_driver import Gui

XML = """<worldbody><camera name='left' resolution='640 320'/><camera name='right'/>
<body name='b'><freejoint/><geom name='ball' size='.2'/></body></worldbody>"""


class Panel:
    """The panel in a window of a given size."""

    def __init__(self, gui: Gui, views: Views, xml: str = XML) -> None:
        self.gui, (model, state) = gui, views(xml)
        self.view, self.size = ViewState(), (400.0, 800.0)
        self.snapshot = Snapshot(1, RunState(), model, state)

    def draw(self) -> None:
        """One frame."""
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size(self.size)
        imgui.begin("Cameras")
        cameras_panel(self.snapshot, self.view, lambda _: None)
        imgui.end()

    def show(self, shows: str, values: np.ndarray | None = None, scale: tuple[float, float] = (1.0, 2.0)) -> None:
        """Give the first picture an image, as the renderer would."""
        assert self.view.of(CamerasState).open
        picture = self.view.of(CamerasState).open[0]
        picture.shows = shows
        picture.image = CameraImage(shows, np.zeros((20, 40, 4), np.uint8), values, scale)

    def tooltip(self) -> str:
        """What is said in the middle of the first picture."""
        left, top, right, bottom = self.gui.find(self.draw, "##picture")
        said: list[str] = []

        def draw() -> None:
            self.draw()

        self.gui.point_at(draw, (left, top, right, bottom))
        said += self.gui.texts
        return "\n".join(said)


@pytest.fixture
def panel(gui: Gui, views: Views) -> Panel:
    """A model with two cameras."""
    return Panel(gui, views)


def test_a_picture_has_the_shape_of_its_camera(panel: Panel) -> None:
    left, top, right, bottom = panel.gui.find(panel.draw, "##picture")
    assert (right - left) / (bottom - top) == pytest.approx(2.0, rel=0.01)
    assert right <= 400
    (picture,) = panel.view.of(CamerasState).wanted
    assert picture.wanted is not None
    assert picture.wanted[0] / picture.wanted[1] == pytest.approx(2.0, rel=0.05)


@pytest.mark.parametrize("size", [(300.0, 1000.0), (1200.0, 300.0), (60.0, 40.0), (500.0, 90.0)])
def test_pictures_fill_the_panel(panel: Panel, size: tuple[float, float]) -> None:
    panel.size = size
    panel.gui.frame(panel.draw)
    for _ in range(3):
        panel.view.of(CamerasState).add(2)
    panel.gui.frame(panel.draw, 3)
    assert not panel.view.feedback.faults
    wide = size[0] > size[1] and size[1] > 200
    if min(size) > 200:
        # all are in sight
        assert len(panel.view.of(CamerasState).wanted) == 4
    left, _, right, _ = panel.gui.rects["##picture"]
    if wide:
        assert right - left < size[0] / 3


def test_add_and_close(panel: Panel) -> None:
    panel.gui.click(panel.draw, "Add a picture")
    assert [picture.camera for picture in panel.view.of(CamerasState).open or ()] == [0, 1]
    panel.gui.click(panel.draw, "##close")
    assert len(panel.view.of(CamerasState).open or ()) == 1
    for _ in range(2 * MOST):
        panel.gui.click(panel.draw, "Add a picture")
    assert len(panel.view.of(CamerasState).open or ()) == MOST


def test_choices(panel: Panel) -> None:
    panel.gui.click(panel.draw, "##camera")
    panel.gui.click(panel.draw, "right##2")
    panel.gui.click(panel.draw, "##shows")
    panel.gui.click(panel.draw, "depth##1")
    assert panel.view.of(CamerasState).open
    picture = panel.view.of(CamerasState).open[0]
    assert (picture.camera, picture.shows) == (1, DEPTH)


def test_depth_has_a_scale_and_says_how_far(panel: Panel) -> None:
    panel.gui.frame(panel.draw)
    panel.show(DEPTH, np.full((20, 40), 1.25), (0.5, 20.0))
    text = panel.tooltip()
    assert "0.5 m" in text
    assert "20 m" in text
    assert "1.25 m" in text
    panel.show(DEPTH, np.full((20, 40), np.inf), (0.5, 20.0))
    assert "nothing" in panel.tooltip()


def test_a_segment_has_a_name_and_can_be_selected(panel: Panel) -> None:
    panel.gui.frame(panel.draw)
    panel.show(SEGMENTATION, np.full((20, 40), Kind.GEOM * ID_STEP))
    assert "ball" in panel.tooltip()
    panel.gui.click(panel.draw, "##picture")
    assert panel.view.selection is not None
    assert (panel.view.selection.kind, panel.view.selection.index) == ("geom", 0)


def test_colours_say_their_size(panel: Panel) -> None:
    panel.gui.frame(panel.draw)
    panel.show(COLOUR)
    assert "left: 40 x 20 pixels" in panel.tooltip()


def test_without_cameras_the_free_one_is_offered(gui: Gui, views: Views) -> None:
    panel = Panel(gui, views, "<worldbody><geom size='.1'/></worldbody>")
    gui.frame(panel.draw, 2)
    assert NO_CAMERAS in gui.texts
    gui.click(panel.draw, "Show the free camera")
    assert [picture.camera for picture in panel.view.of(CamerasState).open or ()] == [FREE_CAMERA]
    gui.frame(panel.draw, 2)
    assert NO_CAMERAS not in gui.texts
    assert len(panel.view.of(CamerasState).wanted) == 1


def test_every_item_explains_itself(panel: Panel) -> None:
    panel.gui.frame(panel.draw)
    panel.show(COLOUR)
    assert panel.gui.unexplained(panel.draw) == []


def test_no_model(panel: Panel) -> None:
    panel.snapshot = Snapshot(1, RunState())
    panel.gui.frame(panel.draw)
    assert panel.gui.texts == ["no model"]
