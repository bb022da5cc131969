"""Charts of the contact microscope: the force over the solver's iterations, and over recorded time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from imgui_bundle import imgui, implot
from numpy.typing import NDArray

from app.background.curve import polyline
from app.run.commands import GoTo, Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.plots.chart import nearest_step, request_for
from app.ui.widgets import em, show_tooltip
from app.view.plots import curves_of, shown_lines
from app.view.view_state import ViewState
from sim.analysis.solver_path import SolverPath

Array = NDArray[np.float64]
# names, values and colours of curves
Parts = list[tuple[str, Array, theme.Rgba]]

HEIGHT = 8.0
FLAGS = (
    implot.Flags_.no_menus
    | implot.Flags_.no_title
    | implot.Flags_.no_legend
    | implot.Flags_.no_mouse_text
    | implot.Flags_.no_box_select
)
# fewer points than this are marked; most ticks of the iterations
MARKED, MOST_TICKS = 24, 7


def path_chart(path: SolverPath, contact: int) -> None:
    """Normal and friction force after each iteration."""
    if path.iterations[-1] == 0:
        imgui.text_colored(theme.DIM, "no iterations: the warm start is the solution")
        return
    counts, forces = np.array(path.iterations, float), path.forces[:, contact]
    noslip = path.iterations[-1] - path.solver
    count = "1 iteration" if path.solver == 1 else f"{path.solver} iterations"
    words = count if path.converged else f"{count}, the most it is allowed"
    words += f", then {noslip} of noslip" if noslip else ""
    parts = _parts(forces)
    imgui.text_colored(theme.DIM if path.converged else theme.WARNING, words)
    legend(parts)
    with small_plot("##path") as visible:
        if not visible:
            return
        implot.setup_axes("", "", implot.AxisFlags_.auto_fit, implot.AxisFlags_.auto_fit)
        ticks = iteration_ticks(path.iterations[-1])
        implot.setup_axis_ticks(implot.ImAxis_.x1, [float(tick) for tick in ticks], [str(tick) for tick in ticks])
        implot.setup_axis_format(implot.ImAxis_.y1, "%g N")
        for name, values, tint in parts:
            spec = line_spec(tint)
            if len(counts) <= MARKED:
                spec.marker, spec.marker_size = implot.Marker_.circle, 2.5
            implot.plot_line(name, counts, values, spec)
        if noslip:
            implot.plot_inf_lines("##noslip", np.array([float(path.solver)]), line_spec(theme.DIM, 1.0))
        if implot.is_plot_hovered():
            _values(path, parts)


def iteration_ticks(last: int) -> list[int]:
    """Whole numbers from 0 to at most `last`, some of them."""
    return [*range(0, last + 1, max(-(-last // MOST_TICKS), 1))]


def _values(path: SolverPath, parts: Parts) -> None:
    """The forces after the iteration at the pointer."""
    at = int(np.argmin(np.abs(np.array(path.iterations) - implot.get_plot_mouse_pos().x)))
    count = path.iterations[at]
    what = "warm start" if count == 0 else f"iteration {count}"
    what = f"noslip {count - path.solver}" if count > path.solver else what
    show_tooltip("\n".join([what, *(f"{name} {values[at]:.6g} N" for name, values, _ in parts)]))


def _parts(forces: Array) -> Parts:
    """What is drawn of a path."""
    friction = np.ascontiguousarray(np.linalg.norm(forces[:, 1:3], axis=1))
    return [("normal", np.ascontiguousarray(forces[:, 0]), theme.ACCENT), ("friction", friction, theme.WARNING)]


@contextmanager
def small_plot(name: str) -> Iterator[bool]:
    """A small plot, with some room around its curves."""
    implot.push_style_var(implot.StyleVar_.plot_padding, imgui.ImVec2(em(0.2), em(0.3)))
    implot.push_style_var(implot.StyleVar_.fit_padding, imgui.ImVec2(0.02, 0.12))
    visible = implot.begin_plot(name, (-1, em(HEIGHT)), FLAGS)
    try:
        yield visible
    finally:
        if visible:
            implot.end_plot()
        implot.pop_style_var(2)


def line_spec(tint: theme.Rgba, weight: float = 1.6) -> implot.Spec:
    """A line of a colour."""
    spec = implot.Spec()
    spec.line_color, spec.line_weight = imgui.ImVec4(*tint), weight
    return spec


def legend(parts: Sequence[tuple[str, Any, theme.Rgba]]) -> None:
    """The names of curves in their colours, at the right end of the line before the plot."""
    width = sum(imgui.calc_text_size(name).x for name, _, _ in parts) + em(0.8) * (len(parts) - 1)
    imgui.same_line(imgui.get_window_width() - width - imgui.get_style().window_padding.x - em(0.8))
    for index, (name, _, tint) in enumerate(parts):
        if index:
            imgui.same_line(0, em(0.8))
        imgui.text_colored(tint, name)


def history_chart(snapshot: Snapshot, view: ViewState, send: Send, curves: tuple[tuple[str, str], ...]) -> None:
    """Expressions (label, text) over the time that Plots shows; a click goes there."""
    plots, timeline = view.plots, snapshot.run.history
    lines = shown_lines(snapshot, view.timeline.compared)
    plots.aside = (*plots.aside, *(text for _, text in curves))
    start, end = plots.times(timeline, lines)
    drawn = [(label, text, tint) for (label, text), tint in zip(curves, (theme.ACCENT, theme.WARNING), strict=True)]
    imgui.text_colored(theme.DIM, "between these geoms")
    legend(drawn)
    with small_plot("##history") as visible:
        if not visible:
            return
        implot.setup_axes("", "", implot.AxisFlags_.none, implot.AxisFlags_.auto_fit)
        implot.setup_axis_format(implot.ImAxis_.x1, "%g s")
        implot.setup_axis_format(implot.ImAxis_.y1, "%g N")
        implot.setup_axis_limits(implot.ImAxis_.x1, start, end, implot.Cond_.always)
        implot.setup_finish()
        pixels = max(int(implot.get_plot_size().x), 1)
        plots.request = request_for(snapshot, view, max(pixels, plots.request.pixels if plots.request else 0))
        for label, text, tint in drawn:
            times, values = polyline(curves_of(plots, timeline, lines[0], text), start, end, pixels, plots.aside_cuts)
            if len(times):
                implot.plot_line(label, times, values, line_spec(tint))
        implot.plot_inf_lines("##now", np.array([snapshot.run.time]), line_spec(theme.TEXT, 1.0))
        if implot.is_plot_hovered():
            show_tooltip(f"{implot.get_plot_mouse_pos().x:.4g} s: click goes there")
            if imgui.is_mouse_clicked(0):
                send(GoTo(nearest_step(timeline, implot.get_plot_mouse_pos().x)))
