"""A chart drawn by hand: curves over time on a dark ground, for hundreds of points in a narrow panel."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from app.ui import theme
from app.ui.widgets import em, font

Array = NDArray[np.float64]


class Sketch:
    """One chart; heights are shares, from 0 at the bottom to 1 at the top."""

    def __init__(self, name: str, times: Array, height: float, pad: float = 0.3) -> None:
        """Its ground, `height` em high with `pad` em free above and below; times that go back are at its ends."""
        (self._left, self._top), self._width = imgui.get_cursor_screen_pos(), max(imgui.get_content_region_avail().x, 1)
        self._height, self._pad, self._times = em(height), em(pad), times
        self.clicked = imgui.invisible_button(f"##{name}", (self._width, self._height))
        self._hovered = imgui.is_item_hovered()
        self._draw, end = imgui.get_window_draw_list(), (self._left + self._width, self._top + self._height)
        self._draw.add_rect_filled((self._left, self._top), end, imgui.get_color_u32(theme.BACKGROUND), em(0.2))
        self._x = self._across(times)

    def _across(self, times: Array | float) -> Array:
        first, last = self._times[0], self._times[-1]
        places: Array = self._left + np.clip((np.asarray(times) - first) / (last - first), 0.0, 1.0) * self._width
        return places

    def _down(self, shares: Array | float) -> Array:
        places: Array = self._top + self._pad + (1.0 - np.asarray(shares)) * (self._height - 2 * self._pad)
        return places

    def curve(self, shares: Array, tint: theme.Rgba) -> None:
        """A curve through all times."""
        places = zip(self._x.tolist(), self._down(shares).tolist(), strict=True)
        self._draw.add_polyline([imgui.ImVec2(x, y) for x, y in places], imgui.get_color_u32(tint), em(0.1), 0)

    def level(self, share: float, tint: theme.Rgba) -> None:
        """A horizontal line."""
        y = float(self._down(share))
        self._draw.add_line((self._left, y), (self._left + self._width, y), imgui.get_color_u32(tint))

    def mark(self, time: float, tint: theme.Rgba, text: str = "") -> None:
        """A vertical line, with a word at its top."""
        x, ink = float(self._across(time)), imgui.get_color_u32(tint)
        self._draw.add_line((x, self._top), (x, self._top + self._height), ink)
        with font("mono", 0.8):
            self._draw.add_text((x + em(0.2), self._top), ink, text)

    def corners(self, high: str, low: str) -> None:
        """Words in the upper and the lower left corner."""
        with font("mono", 0.8):
            ink = imgui.get_color_u32(theme.DIM)
            self._draw.add_text((self._left + em(0.3), self._top), ink, high)
            self._draw.add_text((self._left + em(0.3), self._top + self._height - em(1)), ink, low)

    def legend(self, parts: list[tuple[str, theme.Rgba]]) -> None:
        """Names in their colours in a line below, as many as fit."""
        x, bottom = self._left + em(0.3), self._top + self._height
        for name, tint in parts:
            room = imgui.calc_text_size(name).x
            if x + room > self._left + self._width:
                break
            self._draw.add_text((x, bottom), imgui.get_color_u32(tint), name)
            x += room + em(0.8)
        imgui.dummy((1.0, imgui.get_text_line_height()))

    @property
    def pointed(self) -> int | None:
        """Which time the pointer is nearest to, if it is over the chart."""
        return int(np.argmin(np.abs(self._x - imgui.get_mouse_pos().x))) if self._hovered else None


def value_shares(values: Array) -> tuple[Array, float, float]:
    """Values as heights between the lowest and the highest, 0 among them; and these two."""
    low, high = min(float(values.min(initial=0.0)), 0.0), max(float(values.max(initial=0.0)), 0.0)
    high = high if high > low else low + 1.0
    return (values - low) / (high - low), low, high
