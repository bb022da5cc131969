"""Draws text labels over the view, each at its projected point, nearest on top."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from imgui_bundle import imgui

from app.scene.camera import View
from app.scene.labels import Label
from app.ui import theme
from app.ui.widgets import em
from app.view.rect import Rect

# more would only overlap
MOST = 300
# bright text with a shadow is readable over any image, in both themes
INK = (0.95, 0.96, 0.97, 1.0)
SHADOW = (0.0, 0.0, 0.0, 0.75)


def draw_labels(labels: Sequence[Label], view: View, rect: Rect) -> None:
    """Draw labels over the view in `rect`, below all panels."""
    draw = imgui.get_background_draw_list()
    draw.push_clip_rect((rect.x, rect.y), (rect.x + rect.width, rect.y + rect.height))
    nearest = sorted(labels, key=lambda label: float(np.linalg.norm(label[0] - view.eye)))[:MOST]
    for place, text in reversed(nearest):
        spot = view.project(place, rect.width / max(rect.height, 1.0))
        if spot is None or max(abs(spot[0]), abs(spot[1])) > 1.2:
            continue
        x = rect.x + (1 + spot[0]) / 2 * rect.width + em(0.3)
        y = rect.y + (1 - spot[1]) / 2 * rect.height - em(0.5)
        theme.ensure_glyphs(text)
        readable_text(draw, x, y, text)
    draw.pop_clip_rect()


def readable_text(draw: imgui.ImDrawList, x: float, y: float, text: str, wrap: float = 0.0) -> None:
    """Text that is readable over any image, wrapped at `wrap` pixels if given."""
    font, size = imgui.get_font(), imgui.get_font_size()
    draw.add_text(font, size, (x + 1, y + 1), imgui.get_color_u32(SHADOW), text, wrap_width=wrap)
    draw.add_text(font, size, (x, y), imgui.get_color_u32(INK), text, wrap_width=wrap)
