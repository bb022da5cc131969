"""How the solver converges with all settings of a comparison, in one chart: gradient, improvement or cost."""

from __future__ import annotations

import math

import numpy as np
from imgui_bundle import imgui, implot

from app.instruments.solver.panel.asking import asked_study
from app.instruments.solver.panel.iteration import title
from app.instruments.solver.state import MEASURES, SolverState
from app.ui import theme
from app.ui.plots.small import iteration_axis, line_spec, small_plot, vertical
from app.ui.widgets import choice_row, em, show_tooltip
from app.view.view_state import ViewState
from sim.analysis.solver.study import Study

# smaller values are drawn as this, on the logarithmic axis
LEAST = 1e-18
LETTERS = "ABC"


def column_tint(column: int) -> theme.Rgba:
    """The colour of a column in the chart."""
    tints = (theme.ACCENT, theme.WARNING, theme.ADDED)
    return tints[column]


def convergence_part(view: ViewState) -> None:
    """How all columns converge, over iterations; a click walks there."""
    shown = view.of(SolverState)
    shown.measure = choice_row(MEASURES, shown.measure)
    curves = [(column, *_curve(view, column)) for column in range(len(shown.columns) + 1)]
    curves = [curve for curve in curves if len(curve[1])]
    walked = asked_study(view, shown.walked)[0]
    if not curves or walked is None or walked.walk is None:
        return
    last = max(float(x[-1]) for _, x, _ in curves)
    with small_plot("##convergence") as visible:
        if not visible:
            return
        implot.setup_axes("", "", implot.AxisFlags_.none, implot.AxisFlags_.none)
        implot.setup_axis_scale(implot.ImAxis_.y1, implot.Scale_.log10)
        values = np.concatenate([y for _, _, y in curves])
        implot.setup_axis_limits(implot.ImAxis_.y1, values.min() / 8, values.max() * 8, implot.Cond_.always)
        implot.setup_axis_limits(implot.ImAxis_.x1, -0.02 * last - 0.1, 1.02 * last + 0.1, implot.Cond_.always)
        iteration_axis(int(last))
        for column, x, y in curves:
            spec = line_spec(column_tint(column))
            spec.marker, spec.marker_size = implot.Marker_.circle, em(0.15)
            implot.plot_line(LETTERS[column], x, y, spec)
        if walked.walk.tolerance > LEAST and shown.measure != "cost":
            low = line_spec(theme.DIM, 1.0)
            low.flags = implot.InfLinesFlags_.horizontal
            implot.plot_inf_lines("##tolerance", np.array([walked.walk.tolerance]), low)
        here = walked.walk.iterations[shown.at(walked.walk)]
        vertical("##here", here, theme.TEXT)
        if implot.is_plot_hovered():
            _values(view, walked, curves)


def _curve(view: ViewState, column: int) -> tuple[np.ndarray, np.ndarray]:
    """Iterations and values of a column."""
    study, _ = asked_study(view, column)
    if study is None or study.walk is None:
        return np.zeros(0), np.zeros(0)
    walk, measure = study.walk, view.of(SolverState).measure
    values = getattr(walk, measure)
    if measure == "cost":
        values = values - _lowest(view, study)
    kept = np.isfinite(values)
    return np.array(walk.iterations, float)[kept], np.maximum(values[kept], LEAST)


def _lowest(view: ViewState, study: Study) -> float:
    """The lowest cost of all columns with the same constraint rows."""
    found = [asked_study(view, column)[0] for column in range(len(view.of(SolverState).columns) + 1)]
    assert study.walk is not None
    R = study.walk.problem.R
    same = [other.walk for other in found if other is not None and other.walk is not None]
    same = [walk for walk in same if np.array_equal(walk.problem.R, R)]
    return min((float(np.nanmin(walk.cost)) for walk in same), default=math.nan)


def _values(view: ViewState, walked: Study, curves: list[tuple[int, np.ndarray, np.ndarray]]) -> None:
    """The values at the pointer; a click walks there."""
    shown = view.of(SolverState)
    assert walked.walk is not None
    x, walk = float(implot.get_plot_mouse_pos().x), walked.walk
    place = int(np.argmin(np.abs(np.array(walk.iterations) - x)))
    lines = [f"{shown.measure}, click: walk to {title(walk, place)}"]
    for column, made, values in curves:
        at = int(np.argmin(np.abs(made - x)))
        lines.append(f"{LETTERS[column]}  {int(made[at])}: {values[at]:.4g}")
    show_tooltip("\n".join(lines))
    if imgui.is_mouse_clicked(0):
        shown.go(walk, place)
