"""Small charts of the A/B instrument: curves over the time of both runs; a click goes to that moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from imgui_bundle import imgui, implot
from numpy.typing import NDArray

from app.run.commands import GoTo, Send
from app.run.history.branch_colours import BRANCH_COLOURS
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.plots.chart import nearest_step
from app.ui.widgets import em, show_tooltip

Array = NDArray[np.float64]

A_TINT, B_TINT = ((*colour, 1.0) for colour in BRANCH_COLOURS[:2])
HEIGHT = 7.0
FLAGS = (
    implot.Flags_.no_menus
    | implot.Flags_.no_title
    | implot.Flags_.no_legend
    | implot.Flags_.no_mouse_text
    | implot.Flags_.no_box_select
)


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
    """Curves with a line at the shown moment, and one at the mark."""
    timeline = snapshot.run.history
    implot.push_style_var(implot.StyleVar_.plot_padding, imgui.ImVec2(em(0.2), em(0.3)))
    implot.push_style_var(implot.StyleVar_.fit_padding, imgui.ImVec2(0.02, 0.12))
    if implot.begin_plot(f"##{key}", (-1, em(HEIGHT)), FLAGS):
        implot.setup_axes("", "", implot.AxisFlags_.none, implot.AxisFlags_.auto_fit)
        implot.setup_axis_format(implot.ImAxis_.x1, "%g s")
        implot.setup_axis_format(implot.ImAxis_.y1, f"%g {unit}".rstrip())
        last = max(axis.last, axis.first + 1e-3)
        implot.setup_axis_limits(implot.ImAxis_.x1, axis.first, last, implot.Cond_.always)
        implot.setup_finish()
        for line in lines:
            implot.plot_line(line.name, times, line.values, _spec(line.tint))
        if axis.mark is not None:
            implot.plot_inf_lines("##mark", np.array([axis.mark]), _spec(theme.ERROR, 1.0))
        implot.plot_inf_lines("##now", np.array([snapshot.run.time]), _spec(theme.TEXT, 1.0))
        if implot.is_plot_hovered():
            at = implot.get_plot_mouse_pos().x
            _values(times, at, lines, unit)
            if imgui.is_mouse_clicked(0):
                send(GoTo(nearest_step(timeline, at)))
        implot.end_plot()
    implot.pop_style_var(2)


def _values(times: Array, at: float, lines: Sequence[Line], unit: str) -> None:
    """The values nearest to a time."""
    nearest = int(np.argmin(np.abs(times - at)))
    texts = [f"{line.name}  {line.values[nearest]:.6g} {unit}".rstrip() for line in lines]
    show_tooltip("\n".join([f"{times[nearest]:.6g} s", *texts, "click: go there"]))


def _spec(tint: theme.Rgba, weight: float = 1.6) -> implot.Spec:
    spec = implot.Spec()
    spec.line_color, spec.line_weight = imgui.ImVec4(*tint), weight
    return spec
