"""Panels without a window: an ImGui context that is fed with clicks and keys.

Every labelled item that a panel draws is recorded with its rectangle, so that tests click on words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from imgui_bundle import imgui, implot

from app.ui.keys import READ_PICTURES, READ_SECONDS, Pictures, begin_turn, count_picture

ITEMS = (
    "button", "checkbox", "slider_float", "slider_int", "drag_float", "drag_int", "combo", "begin_combo", "menu_item",
    "selectable", "text_link", "input_text_with_hint", "collapsing_header", "invisible_button", "color_edit3",
    "color_edit4", "table_header", "small_button", "begin_menu", "input_text_multiline",
    "tab_item_button",
)  # fmt: skip


class Gui:
    """One ImGui context of a given size."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, size: tuple[float, float] = (1400, 900)) -> None:
        self.rects: dict[str, tuple[float, float, float, float]] = {}
        self.texts: list[str] = []
        self.text_rects: dict[str, tuple[float, float, float, float]] = {}
        # labels of items whose middle is not scrolled away, and how many tooltips the last frame had
        self.visible: set[str] = set()
        self.tooltips = 0
        self._pictures = Pictures()
        self.io = imgui.get_io()
        self.io.display_size = imgui.ImVec2(*size)
        self.io.delta_time = 1 / 60
        self.io.set_ini_filename("")
        self.io.config_flags |= imgui.ConfigFlags_.docking_enable
        self.io.backend_flags |= imgui.BackendFlags_.renderer_has_textures
        self.io.config_input_trickle_event_queue = False
        for name in ITEMS:
            monkeypatch.setattr(imgui, name, self._recording(getattr(imgui, name)))
        for name in ("text", "text_wrapped", "text_unformatted"):
            monkeypatch.setattr(imgui, name, self._noting(getattr(imgui, name), 0))
        monkeypatch.setattr(imgui, "text_colored", self._noting(imgui.text_colored, 1))
        monkeypatch.setattr(imgui, "begin_tooltip", self._explaining(imgui.begin_tooltip))

    def frame(self, draw: Callable[[], Any], count: int = 1) -> Any:
        """Run `draw` inside `count` frames; returns what it returned last."""
        result = None
        for _ in range(count):
            self.texts.clear()
            self.text_rects.clear()
            self.rects.clear()
            self.visible.clear()
            self.tooltips = 0
            begin_turn(self._pictures)
            imgui.new_frame()
            result = draw()
            imgui.render()
            count_picture()
        return result

    def click(self, draw: Callable[[], Any], label: str, button: int = 0) -> None:
        """Press and release on the item whose label contains the given words."""
        left, top, right, bottom = self.find(draw, label)
        self.click_at(draw, (left + right) / 2, (top + bottom) / 2, button)

    def read(self, draw: Callable[[], Any]) -> None:
        """Let a person read what has appeared."""
        usual, self.io.delta_time = self.io.delta_time, READ_SECONDS
        self.frame(draw, READ_PICTURES)
        self.io.delta_time = usual
        self.frame(draw)

    def find(self, draw: Callable[[], Any], label: str) -> tuple[float, float, float, float]:
        """The rectangle of the item with this label or, failing that, one whose label contains it."""
        self.read(draw)
        words = label.strip("#")
        names = sorted(self.rects, key=lambda name: (words not in name.replace("###", "##").split("##"), len(name)))
        found = [name for name in names if label in name]
        assert found, f"no item '{label}' among {sorted(self.rects)}"
        return self.rects[found[0]]

    def click_at(self, draw: Callable[[], Any], x: float, y: float, button: int = 0) -> None:
        """Press and release at a place."""
        self.io.add_mouse_pos_event(x, y)
        self.frame(draw, 2)
        for down in (True, False):
            self.io.add_mouse_button_event(button, down)
            self.frame(draw)
        self.frame(draw)

    def point_at(self, draw: Callable[[], Any], rect: tuple[float, float, float, float]) -> None:
        """Let the pointer rest in the middle of a rectangle, as long as tooltips want it."""
        style = imgui.get_style()
        style.hover_stationary_delay = style.hover_delay_short = 0.0
        self.io.add_mouse_pos_event((rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2)
        self.frame(draw, 3)

    def unexplained(self, draw: Callable[[], Any]) -> list[str]:
        """Labels of the items in sight that show no tooltip while the pointer is on them."""
        self.frame(draw, 3)
        found = []
        for label in sorted(self.visible):
            self.point_at(draw, self.rects[label])
            found += [] if self.tooltips else [label]
        self.io.add_mouse_pos_event(-1, -1)
        return found

    def drag(self, draw: Callable[[], Any], label: str, dx: float) -> None:
        """Drag from the middle of an item to the side."""
        left, top, right, bottom = self.find(draw, label)
        x, y = (left + right) / 2, (top + bottom) / 2
        self.io.add_mouse_pos_event(x, y)
        self.frame(draw, 2)
        self.io.add_mouse_button_event(0, True)
        self.frame(draw, 2)
        for part in (1, 2, 3):
            self.io.add_mouse_pos_event(x + dx * part / 3, y)
            self.frame(draw)
        self.io.add_mouse_button_event(0, False)
        self.frame(draw, 2)

    def type(self, draw: Callable[[], Any], text: str) -> None:
        """Type into the field that has the keyboard, and press Enter."""
        for character in text:
            self.io.add_input_character(ord(character))
        self.frame(draw, 2)
        for down in (True, False):
            self.io.add_key_event(imgui.Key.enter, down)
            self.frame(draw)
        self.frame(draw)

    def _recording(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(label: str, *args: Any, **kwargs: Any) -> Any:
            result = function(label, *args, **kwargs)
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            self.rects[label] = (low.x, low.y, high.x, high.y)
            x, y = (low.x + high.x) / 2, (low.y + high.y) / 2
            if imgui.is_rect_visible((x - 1, y - 1), (x + 1, y + 1)):
                self.visible.add(label)
            return result

        return call

    def _explaining(self, function: Callable[[], bool]) -> Callable[[], bool]:
        def call() -> bool:
            self.tooltips += 1
            return function()

        return call

    def _noting(self, function: Callable[..., None], position: int) -> Callable[..., None]:
        def call(*args: Any) -> None:
            self.texts.append(args[position])
            function(*args)
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            self.text_rects[args[position]] = (low.x, low.y, high.x, high.y)

        return call


@contextmanager
def gui_context() -> Iterator[None]:
    """A fresh ImGui context with the viewer's fonts and colours."""
    from app.ui import theme

    context = imgui.create_context()
    imgui.set_current_context(context)
    plots = implot.create_context()
    theme.apply()
    yield
    theme.unload()
    implot.destroy_context(plots)
    imgui.destroy_context(context)
