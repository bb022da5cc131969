"""At the default width nothing in the panels is cut off at the right, whatever the size of the font."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from app.ui import theme
from tests.app.conftest import Views
from tests.app.gui_driver import Gui
from tests.app.live import RICH_MODEL
from tests.app.window.panels.test_panels import Desk

ITEMS = ("text", "text_colored", "button", "small_button", "checkbox", "combo", "slider_float", "drag_float")
TABS = ("Simulation", "Rendering", "Visual", "Model tree", "Joints", "Controls", "Physics", "Edits")
PANELS = (*TABS, "Inspector", "##Toolbar", "##Status line")
SELECTED = ("body", "joint", "geom", "actuator", "tendon", "sensor", "site", "equality", "light", "camera", "contact")


class Watched:
    """Items that extend beyond the right edge of their panel."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cut: set[tuple[str, str]] = set()
        for name in ITEMS:
            monkeypatch.setattr(imgui, name, self._watching(getattr(imgui, name), name))

    def _watching(self, item: Any, name: str) -> Any:
        def call(*arguments: Any) -> Any:
            answer = item(*arguments)
            window = imgui.internal.get_current_window()
            # numbers end where the heading does
            edge = window.work_rect.max.x if name == "text" else window.inner_rect.max.x
            beyond = imgui.get_item_rect_max().x - edge
            panel = window.name.split("/")[0]
            if panel in PANELS and beyond > 0.5 and imgui.is_item_visible() and not window.scrollbar_x:
                self.cut.add((panel, str(arguments[name == "text_colored"])))
            return answer

        return call


@pytest.mark.parametrize("scale", [0.7, 1.0, 1.5, 2.5])
@pytest.mark.parametrize("size", [(1280, 720), (1400, 900)])
def test_nothing_is_cut_off(
    gui: Gui, views: Views, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], scale: float
) -> None:
    inside = RICH_MODEL[RICH_MODEL.index(">") + 1 : RICH_MODEL.rindex("<")]
    desk = Desk(gui, *views(inside))
    gui.io.display_size = imgui.ImVec2(*size)
    theme.apply(scale)
    gui.frame(desk.draw, 4)
    watched = Watched(monkeypatch)
    for tab in TABS:
        desk.view.ui.reveal = tab
        gui.frame(desk.draw, 3)
    for kind in SELECTED:
        desk.view.select(kind, 0)
        desk.view.ui.reveal = "Inspector"
        gui.frame(desk.draw, 3)
    assert not watched.cut
