"""docking.py and app/window/layout.py: a splitter goes where it is dragged; tabs are listed and closed; layouts."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.ui.docking import MOST_DRAGGED
from app.view.preferences import LAYOUTS
from app.view.rect import Rect
from app.view.view_state import ViewState
from app.window import layout
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


def opened(desk: Desk, *names: str) -> None:
    """Open instruments, the last one in front."""
    for name in names:
        desk.view.instruments.open(name)
        desk.gui.frame(desk.draw, 4)


def front(name: str) -> bool:
    """Whether a panel is in front."""
    window: Any = imgui.internal.find_window_by_name(name)
    node = window.dock_node if window is not None and window.active else None
    return node is not None and node.visible_window is not None and node.visible_window.name == name


def test_the_list_of_tabs_reaches_and_closes_panels(desk: Desk) -> None:
    opened(desk, "Forces", "Solver", "Lens")
    # what is always needed stays in front
    assert front("Lens") and not front("Solver") and front("Physics")
    desk.gui.click(desk.draw, "##Lens###tabs")
    desk.gui.click(desk.draw, "Solver")
    desk.gui.frame(desk.draw, 4)
    assert front("Solver") and not front("Lens")
    for pressed, left in (
        ("Close other instruments", ["Solver"]), ("Close all instruments", []),
    ):  # fmt: skip
        desk.gui.click(desk.draw, "##Solver###tabs")
        desk.gui.click(desk.draw, pressed)
        desk.gui.frame(desk.draw, 4)
        assert desk.view.prefs.instruments == left


@pytest.mark.parametrize(("size", "left"), [((1280, 720), False), ((1400, 900), True)])
def test_the_picture_has_most_of_a_small_window(desk: Desk, size: tuple[int, int], left: bool) -> None:
    desk.gui.io.display_size = imgui.ImVec2(*size)
    desk.view.ui.layout = "default"
    desk.gui.frame(desk.draw, 4)
    assert (desk.view.prefs.show_left, desk.view.prefs.show_right) == (left, True)
    share = desk.rect.width * desk.rect.height / (size[0] * size[1])
    assert share > (0.5 if left else 0.6)
    desk.view.prefs.show_bottom = True
    desk.gui.frame(desk.draw, 4)
    assert desk.rect.height > 0.6 * size[1]


def test_a_layout_shows_its_sides_and_brings_panels_back(desk: Desk) -> None:
    opened(desk, "Forces")
    whole = desk.rect.width
    for name, (sides, _) in LAYOUTS.items():
        desk.view.ui.layout = name
        desk.gui.frame(desk.draw, 4)
        shown = {side for side in ("left", "right", "bottom") if getattr(desk.view.prefs, f"show_{side}")}
        assert shown == set(sides) and not desk.view.prefs.instruments
        assert [front("Simulation"), front("Physics"), front("Timeline")] == [
            side in sides for side in ("left", "right", "bottom")
        ]
        assert desk.rect.width > 0
    assert desk.rect.width > whole
    # dragged sizes are forgotten
    desk.view.ui.layout = "debug"
    desk.gui.frame(desk.draw, 4)
    as_before = desk.rect.height
    desk.drag(300.0)
    assert desk.rect.height != pytest.approx(as_before, abs=8)
    desk.view.ui.layout = "debug"
    desk.gui.frame(desk.draw, 4)
    assert desk.rect.height == pytest.approx(as_before, abs=2)
