"""docking.py: the splitter between the view and the bottom panels goes where it is dragged, in a smaller window too."""

from __future__ import annotations

import pytest
from imgui_bundle import imgui

from app import layout
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.ui.docking import MOST_DRAGGED
from app.view.rect import Rect
from app.view.view_state import ViewState
from tests.app.gui_driver import Gui


class Desk:
    """All panels in a window."""

    def __init__(self, gui: Gui) -> None:
        self.gui, self.view, self.rect = gui, ViewState(), Rect(0, 0, 1, 1)
        self.view.prefs.show_bottom = True

    def draw(self) -> None:
        self.rect = layout.draw(Snapshot(0, RunState()), self.view, lambda _: None, lambda _: None)

    def drag(self, to: float) -> None:
        """Drag the splitter below the view to another height."""
        self.gui.frame(self.draw, 4)
        x, y = self.rect.x + self.rect.width / 2, self.rect.y + self.rect.height + 1
        self.gui.io.add_mouse_pos_event(x, y)
        self.gui.frame(self.draw, 20)
        self.gui.io.add_mouse_button_event(0, True)
        self.gui.frame(self.draw, 2)
        for part in (0.3, 0.6, 1.0):
            self.gui.io.add_mouse_pos_event(x, y + part * (to - y))
            self.gui.frame(self.draw, 2)
        self.gui.io.add_mouse_button_event(0, False)
        self.gui.frame(self.draw, 4)


@pytest.fixture
def desk(gui: Gui) -> Desk:
    return Desk(gui)


@pytest.mark.parametrize("to", [300.0, 700.0])
def test_the_splitter_stays_where_it_was_dragged(desk: Desk, to: float) -> None:
    desk.drag(to)
    assert desk.rect.y + desk.rect.height == pytest.approx(to, abs=8)


def test_the_view_keeps_a_part(desk: Desk) -> None:
    desk.drag(60.0)
    bottom = desk.rect.y + desk.rect.height
    assert bottom > (1 - MOST_DRAGGED[1]) * 900 - 60


def test_a_smaller_window_keeps_the_share(desk: Desk) -> None:
    desk.drag(300.0)
    share = (900 - desk.rect.y - desk.rect.height) / 900
    desk.gui.io.display_size = imgui.ImVec2(1400, 450)
    desk.gui.frame(desk.draw, 4)
    assert (450 - desk.rect.y - desk.rect.height) / 450 == pytest.approx(share, abs=0.08)
    desk.gui.io.display_size = imgui.ImVec2(1400, 900)
    desk.gui.frame(desk.draw, 4)
    assert desk.rect.y + desk.rect.height == pytest.approx(300, abs=8)
