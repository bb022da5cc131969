"""Charts of the contact microscope: the force over the solver's iterations, and over recorded time."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui, implot
from numpy.typing import NDArray

from app.insight.curve import polyline
from app.panels.plots.chart import nearest_step, request_for
from app.run.commands import GoTo, Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import em
from app.view.plots import curves_of, shown_lines
from app.view.view_state import ViewState
from sim.analysis.solver_path import SolverPath

HEIGHT = 8.5
FLAGS = (
    implot.Flags_.no_menus | implot.Flags_.no_title | implot.Flags_.no_mouse_text | implot.Flags_.no_box_select
)  # fmt: skip
MARKED = 24


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
    imgui.text_colored(theme.DIM if path.converged else theme.WARNING, words)
    if not implot.begin_plot("##path", (-1, em(HEIGHT)), FLAGS):
        return
    implot.setup_axes("", "", implot.AxisFlags_.auto_fit, implot.AxisFlags_.auto_fit)
    implot.setup_axis_format(implot.ImAxis_.y1, "%g N")
    implot.setup_legend(implot.Location_.south_east, implot.LegendFlags_.horizontal)
    for name, values, tint in _parts(forces):
        spec = implot.Spec()
        spec.line_color, spec.line_weight = imgui.ImVec4(*tint), 1.6
        if len(counts) <= MARKED:
            spec.marker, spec.marker_size = implot.Marker_.circle, 2.5
        implot.plot_line(name, counts, values, spec)
    if noslip:
        spec = implot.Spec()
        spec.line_color = imgui.ImVec4(*theme.DIM)
        implot.plot_inf_lines("##noslip", np.array([float(path.solver)]), spec)
    implot.end_plot()


def _parts(forces: NDArray[np.float64]) -> list[tuple[str, NDArray[np.float64], theme.Rgba]]:
    """What is drawn of a path."""
    friction = np.ascontiguousarray(np.linalg.norm(forces[:, 1:3], axis=1))
    return [("normal", np.ascontiguousarray(forces[:, 0]), theme.ACCENT), ("friction", friction, theme.WARNING)]


def history_chart(snapshot: Snapshot, view: ViewState, send: Send, curves: tuple[tuple[str, str], ...]) -> None:
    """Expressions (label, text) over the time that Plots shows; a click goes there."""
    plots, timeline = view.plots, snapshot.run.history
    lines = shown_lines(snapshot, view.timeline.compared)
    plots.aside = (*plots.aside, *(text for _, text in curves))
    start, end = plots.times(timeline, lines)
    if not implot.begin_plot("##history", (-1, em(HEIGHT)), FLAGS):
        return
    implot.setup_axes("", "", implot.AxisFlags_.none, implot.AxisFlags_.auto_fit)
    implot.setup_axis_format(implot.ImAxis_.x1, "%g s")
    implot.setup_axis_format(implot.ImAxis_.y1, "%g N")
    implot.setup_axis_limits(implot.ImAxis_.x1, start, end, implot.Cond_.always)
    implot.setup_legend(implot.Location_.north_west, implot.LegendFlags_.horizontal)
    implot.setup_finish()
    pixels = max(int(implot.get_plot_size().x), 1)
    plots.request = request_for(snapshot, view, max(pixels, plots.request.pixels if plots.request else 0))
    for (label, text), tint in zip(curves, (theme.ACCENT, theme.WARNING), strict=False):
        times, values = polyline(curves_of(plots, timeline, lines[0], text), start, end, pixels, plots.aside_cuts)
        if len(times):
            spec = implot.Spec()
            spec.line_color, spec.line_weight = imgui.ImVec4(*tint), 1.6
            implot.plot_line(label, times, values, spec)
    spec = implot.Spec()
    spec.line_color = imgui.ImVec4(*theme.TEXT)
    implot.plot_inf_lines("##now", np.array([snapshot.run.time]), spec)
    if implot.is_plot_hovered() and imgui.is_mouse_clicked(0):
        send(GoTo(nearest_step(timeline, implot.get_plot_mouse_pos().x)))
    implot.end_plot()
