"""The mark of the selected point: thin, of fixed size on the screen; app/window/overlays/view/marks.py."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from imgui_bundle import imgui

from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.scene.camera import default_free_camera
from app.view.perturb_drag import PerturbDrag
from app.view.rect import Rect
from app.view.view_state import ViewState
from app.window.overlays.view.marks import pull_label, selection_mark, view_marks
from tests.app.conftest import Views
from tests.app.gui_driver import Gui

RECT = Rect(100, 50, 1000, 700)
XML = "<worldbody><body name='b' pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody>"


class Marked:
    """A selected body, and how many vertices its mark has."""

    def __init__(self, gui: Gui, views: Views) -> None:
        self.gui, (model, state) = gui, views(XML)
        self.view = ViewState(camera=default_free_camera(model), perturb=PerturbDrag(1, np.zeros(3)))
        self.view.camera.lookat = np.array([0.0, 0, 1])
        self.snapshot = Snapshot(1, RunState(), model, state)

    def size(self) -> tuple[float, float]:
        """Width and height of what is drawn, in pixels."""
        found: list[tuple[float, float]] = []

        def draw() -> None:
            selection_mark(self.snapshot, self.view, RECT)
            places = [vertex.pos for vertex in imgui.get_background_draw_list().vtx_buffer]
            found[:] = [(place.x, place.y) for place in places]

        self.gui.frame(draw)
        if not found:
            return 0.0, 0.0
        low, high = np.min(found, axis=0), np.max(found, axis=0)
        return float(high[0] - low[0]), float(high[1] - low[1])


@pytest.fixture
def marked(gui: Gui, views: Views) -> Marked:
    """The middle of a body, in the middle of the view."""
    return Marked(gui, views)


def test_its_size_does_not_depend_on_the_camera(marked: Marked) -> None:
    width, height = marked.size()
    assert 10 < width < 40
    assert 10 < height < 40
    marked.view.camera.distance *= 30
    assert marked.size() == pytest.approx((width, height), abs=1.0)


@pytest.mark.parametrize("case", ["switched off", "nothing selected", "behind the camera"])
def test_otherwise_there_is_none(marked: Marked, case: str) -> None:
    if case == "switched off":
        marked.view.options.perturb_object = False
    elif case == "nothing selected":
        marked.view.perturb = None
    else:
        camera = marked.view.camera
        camera.lookat = camera.lookat - 3 * camera.distance * camera.axes()[:, 2]
    assert marked.size() == (0.0, 0.0)


def test_a_large_force_has_a_prefix(marked: Marked, monkeypatch: pytest.MonkeyPatch) -> None:
    perturb, written = marked.view.perturb, list[str]()
    assert perturb is not None
    perturb.target, perturb.quat = np.array([0.0, 0, 1]), np.array([1.0, 0, 0, 0])
    wrench = np.array([3e5, 0, 4e5, 0, 0, 0.02])
    monkeypatch.setattr("app.view.perturb_drag.mouse_wrench", lambda *_: wrench)
    monkeypatch.setattr("app.window.overlays.view.marks.write_label", lambda text, *_: written.append(text))
    pull_label(replace(marked.snapshot, run=RunState(paused=False)), marked.view, RECT)
    assert written == ["500 kN  20.0 mN·m"]


def test_all_of_them_work(marked: Marked) -> None:
    marked.view.options.label = "body"
    marked.gui.frame(lambda: view_marks(marked.snapshot, marked.view, RECT), 2)
    assert not marked.view.feedback.faults
