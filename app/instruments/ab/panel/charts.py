"""Small charts of the A/B instrument: curves over the time of both runs; a click goes to that moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from imgui_bundle import implot
from numpy.typing import NDArray

from app.run.commands import Send
from app.run.history.branch_colours import BRANCH_COLOURS
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.plots.small import line_spec, time_plot, vertical
from app.ui.widgets import show_tooltip

Array = NDArray[np.float64]

A_TINT, B_TINT = ((*colour, 1.0) for colour in BRANCH_COLOURS[:2])
HEIGHT = 7.0


class Line(NamedTuple):
    """A curve: name, values at the times of the chart, colour."""

    name: str
    values: Array
    tint: theme.Rgba


class Axis(NamedTuple):
    """The time that a chart shows, s, and a moment that is marked."""

    first: float
    last: float
    mark: float | None = None


def chart(key: str, unit: str, times: Array, lines: Sequence[Line], axis: Axis, snapshot: Snapshot, send: Send) -> None:
    """Curves with a line at the current step, and one at the mark."""
    shown = axis.first, max(axis.last, axis.first + 1e-3)
    with time_plot(f"##{key}", unit, shown, snapshot, send, HEIGHT) as pixels:
        if not pixels:
            return
        for line in lines:
            implot.plot_line(line.name, times, line.values, line_spec(line.tint))
        if axis.mark is not None:
            vertical("##mark", axis.mark, theme.ERROR)
        if implot.is_plot_hovered():
            _values(times, implot.get_plot_mouse_pos().x, lines, unit)


def _values(times: Array, at: float, lines: Sequence[Line], unit: str) -> None:
    """The values nearest to a time."""
    nearest = int(np.argmin(np.abs(times - at)))
    texts = [f"{line.name}  {line.values[nearest]:.6g} {unit}".rstrip() for line in lines]
    show_tooltip("\n".join([f"{times[nearest]:.6g} s", *texts, "click: go there"]))
