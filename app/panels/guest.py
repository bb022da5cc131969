"""What a script shows: its own panels, and a panel with its texts and plots."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui, implot

from app.guest import Guest
from app.panels import theme
from app.state import Rect
from app.widgets import em, font

PLOT_EM = 9.0
WIDTH_EM = 24.0


def guest_panels(guest: Guest, picture: Rect) -> None:
    """All of it, in windows that can be moved and docked; they start at the right edge of the picture."""
    shown = guest.copy()
    for name, draw in shown.panels.items():
        _place(picture)
        if imgui.begin(name)[0]:
            draw()
        imgui.end()
    if shown.texts or shown.plots:
        _place(picture)
        if imgui.begin("Script")[0]:
            _texts(shown)
            _plots(shown)
        imgui.end()


def _place(picture: Rect) -> None:
    corner = (picture.x + picture.width - em(0.8), picture.y + em(0.8))
    imgui.set_next_window_pos(corner, imgui.Cond_.first_use_ever, (1.0, 0.0))
    imgui.set_next_window_size((em(WIDTH_EM), 0), imgui.Cond_.first_use_ever)


def _texts(guest: Guest) -> None:
    """Label and text, one line each."""
    for label, text in guest.texts.items():
        imgui.text_colored(theme.DIM, label)
        imgui.same_line(em(9))
        with font("mono"):
            imgui.text(text)


def _plots(guest: Guest) -> None:
    """Each series over its time."""
    for name, series in guest.plots.items():
        if implot.begin_plot(f"##{name}", (-1, em(PLOT_EM))):
            flags = implot.AxisFlags_.auto_fit
            implot.setup_axes("s", name, flags, flags)
            implot.plot_line(name, np.array(series.times), np.array(series.values))
            implot.end_plot()
