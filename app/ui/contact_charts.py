"""Charts of the contact microscope: the force over the solver's iterations, and over recorded time."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui, implot
from numpy.typing import NDArray

from app.background.curve import polyline
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.plots.chart import request_for
from app.ui.plots.small import iteration_axis, legend, line_spec, small_plot, time_plot, vertical
from app.ui.widgets import caption, show_tooltip
from app.view.plots import curves_of, shown_lines
from app.view.view_state import ViewState
from sim.analysis.solver_path import SolverPath

Array = NDArray[np.float64]
# names, values and colours of curves
Parts = list[tuple[str, Array, theme.Rgba]]

# fewer points than this are marked
MARKED = 24


def path_chart(path: SolverPath, contact: int) -> None:
    """Normal and friction force after each iteration."""
    if path.iterations[-1] == 0:
        caption("no iterations: the warm start is the solution")
        return
    counts, forces = np.array(path.iterations, float), path.forces[:, contact]
    noslip = path.iterations[-1] - path.solver
    count = "1 iteration" if path.solver == 1 else f"{path.solver} iterations"
    words = count if path.converged else f"{count}, the allowed maximum"
    words += f", then {noslip} noslip" if noslip else ""
    parts = _parts(forces)
    imgui.text_colored(theme.DIM if path.converged else theme.WARNING, words)
    legend(parts)
    with small_plot("##path") as visible:
        if not visible:
            return
        implot.setup_axes("", "", implot.AxisFlags_.auto_fit, implot.AxisFlags_.auto_fit)
        iteration_axis(path.iterations[-1])
        implot.setup_axis_format(implot.ImAxis_.y1, "%g N")
        for name, values, tint in parts:
            spec = line_spec(tint)
            if len(counts) <= MARKED:
                spec.marker, spec.marker_size = implot.Marker_.circle, 2.5
            implot.plot_line(name, counts, values, spec)
        if noslip:
            vertical("##noslip", path.solver, theme.DIM)
        if implot.is_plot_hovered():
            _values(path, parts)


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


def history_chart(snapshot: Snapshot, view: ViewState, send: Send, curves: tuple[tuple[str, str], ...]) -> None:
    """Expressions (label, text) over the time that Plots shows; a click goes there."""
    plots, timeline = view.plots, snapshot.run.history
    lines = shown_lines(snapshot, view.timeline.compared)
    plots.aside = (*plots.aside, *(text for _, text in curves))
    start, end = plots.times(timeline, lines)
    drawn = [(label, text, tint) for (label, text), tint in zip(curves, (theme.ACCENT, theme.WARNING), strict=True)]
    caption("between these geoms")
    legend(drawn)
    with time_plot("##history", "N", (start, end), snapshot, send) as pixels:
        if not pixels:
            return
        plots.request = request_for(snapshot, view, max(pixels, plots.request.pixels if plots.request else 0))
        for label, text, tint in drawn:
            times, values = polyline(curves_of(plots, timeline, lines[0], text), start, end, pixels, plots.aside_cuts)
            if len(times):
                implot.plot_line(label, times, values, line_spec(tint))
        if implot.is_plot_hovered():
            show_tooltip(f"{implot.get_plot_mouse_pos().x:.4g} s: click to go there")
