"""Other settings on the same step, side by side: what each needs, and what comes out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui, implot

from app.instruments.solver.panel.asking import asked_study
from app.instruments.solver.panel.iteration import title
from app.instruments.solver.state import MEASURES, MOST_COLUMNS, SolverState
from app.model.editable import BY_PATH
from app.model.views import ModelView
from app.run.commands import Send, SetField
from app.run.fix import as_one
from app.ui import theme
from app.ui.plots.small import iteration_axis, line_spec, small_plot, vertical
from app.ui.quantities import compact
from app.ui.tables.frame import cell
from app.ui.widgets import (
    button,
    caption,
    choice_row,
    colour,
    drag_by_rule,
    em,
    number_field,
    pick,
    show_tooltip,
    tooltip,
)
from app.view.view_state import ViewState
from sim.analysis.solver.study import Study
from sim.enums import SOL_CG, SOL_NEWTON

LABEL_EM = 5.0
# names that are shorter than the attributes
NAMES = {"noslip_iterations": "noslip", "ls_iterations": "line search", "iterations": "most iter."}
SETTINGS = (
    "opt.solver", "opt.cone", "opt.tolerance", "opt.iterations", "opt.impratio", "opt.noslip_iterations",
    "opt.ls_iterations", "opt.jacobian",
)  # fmt: skip
# smaller values are drawn as this, on the logarithmic axis
LEAST = 1e-18
LETTERS = "ABC"


@dataclass(frozen=True)
class Result:
    """What came out, as a text, with what it means."""

    name: str
    hint: str


BUTTONS = {
    "Take": "set these options in the simulation, as one edit that you can undo",
    "Remove": "remove this column",
}
RESULTS = (
    Result("iterations", "solver iterations on this island, and noslip sweeps"),
    Result("cost", "at the resulting acceleration, scaled by 1 / trace M like the tolerance"),
    Result("gradient", "norm of the cost gradient there, scaled like the tolerance; 0 at the solution"),
    Result("Δ qacc", "norm of the difference in qacc from A, over all dofs; m/s² and rad/s²"),
    Result("normal", "normal force of the contact"),
    Result("friction", "friction force of the contact"),
    Result("time", "solver time for all islands, median of several runs, called from Python"),
)


def compare_part(model: ModelView, view: ViewState, send: Send) -> None:
    """A table: settings above, results below, a column for each; and buttons."""
    shown = view.of(SolverState)
    studies = [asked_study(view, column)[0] for column in range(len(shown.columns) + 1)]
    imgui.push_style_var(imgui.StyleVar_.cell_padding, (em(0.15), em(0.08)))
    imgui.push_style_var(imgui.StyleVar_.frame_padding, (em(0.25), imgui.get_style().frame_padding.y))
    if imgui.begin_table("compare", len(studies) + 1, imgui.TableFlags_.sizing_stretch_same):
        imgui.table_setup_column("", imgui.TableColumnFlags_.width_fixed, em(LABEL_EM))
        _headings(view, len(studies))
        for path in SETTINGS:
            row = BY_PATH[path]
            _cell(NAMES.get(row.name, row.name), f"opt.{row.name}: {row.meaning}")
            for column in range(len(studies)):
                imgui.table_next_column()
                setting_cell(model, view, column, path)
        imgui.table_next_row(imgui.TableRowFlags_.none, em(0.4))
        for result in RESULTS:
            _cell(result.name, result.hint)
            for study in studies:
                imgui.table_next_column()
                cell(_text(result.name, study, studies[0]), theme.TEXT, True)
                tooltip(result.hint)
        _buttons(view, send, len(studies))
        imgui.end_table()
    imgui.pop_style_var(2)
    hint, room = "other settings on the same step: choose them in the column", len(shown.columns) < MOST_COLUMNS
    if room and button(f"{icons.ICON_FA_PLUS}  Add a column", hint):
        other = SOL_CG if int(model.opt.solver) == SOL_NEWTON else SOL_NEWTON
        shown.add_column(() if shown.columns else (("opt.solver", float(other)),))
    convergence_part(view)


def _cell(name: str, hint: str) -> None:
    """The first cell of a row."""
    imgui.table_next_row()
    imgui.table_next_column()
    caption(name, hint, framed=True)


def _headings(view: ViewState, count: int) -> None:
    """A letter for each column in its colour; a click walks it."""
    shown = view.of(SolverState)
    imgui.table_next_row()
    imgui.table_next_column()
    caption("walk", "the column shown in the parts above", framed=True)
    for column in range(count):
        imgui.table_next_column()
        walked = shown.walked == column
        ground = (*theme.ACCENT[:3], 0.35) if walked else theme.RAISED
        with colour(imgui.Col_.button, ground), colour(imgui.Col_.text, column_tint(column)):
            if imgui.button(f"{LETTERS[column]}##walk", (-1, 0)):
                shown.walked, shown.iteration = column, None
        tooltip("the model's settings" if column == 0 else "step through iterations with these settings")


def _text(name: str, study: Study | None, own: Study | None) -> str:
    """A result of a column."""
    if study is None or study.walk is None:
        return "..." if study is None else "-"
    walk = study.walk
    if name == "iterations":
        sweeps = walk.iterations[-1] - walk.solver
        return f"{walk.solver}{f' + {sweeps}' if sweeps else ''}{'' if walk.converged else '!'}"
    if name in ("cost", "gradient"):
        return short(float(getattr(walk, name)[-1]))
    if name == "time":
        return compact(study.seconds, "s")
    if name == "Δ qacc":
        same = own is not None and own.acc.shape == study.acc.shape
        return (
            short(float(np.linalg.norm(study.acc - own.acc))) if same and own is not None and own is not study else "-"
        )
    if study.contact is None:
        return "-"
    force = study.contact.contact
    return compact(force.normal if name == "normal" else force.tangential, "N")


def short(value: float) -> str:
    """A number in as few characters as a narrow column has."""
    if not math.isfinite(value):
        return f"{value:g}"
    return f"{value:.4g}" if value == 0 or 1e-3 <= abs(value) < 1e5 else f"{value:.1e}"


def _buttons(view: ViewState, send: Send, count: int) -> None:
    """Take the settings of a column into the simulation, or remove it."""
    shown = view.of(SolverState)
    if count == 1:
        return
    for what in ("Take", "Remove"):
        imgui.table_next_row()
        imgui.table_next_column()
        imgui.table_next_column()
        for column in range(1, count):
            imgui.table_next_column()
            settings = shown.settings(column)
            imgui.begin_disabled(what == "Take" and not settings)
            pressed = imgui.button(f"{what}##{column}", (-1, 0))
            imgui.end_disabled()
            tooltip(BUTTONS[what])
            if pressed and what == "Take":
                for edit in as_one(SetField(path, value) for path, value in settings):
                    send(edit)
            elif pressed:
                shown.remove_column(column)
                return


def setting_cell(model: ModelView, view: ViewState, column: int, path: str) -> None:
    """An option of a column; those of the first are the model's own."""
    shown = view.of(SolverState)
    row, own = BY_PATH[path], float(model.read(path))
    names = {value: name for name, value in row.choices}
    if column == 0:
        text = names[int(own)] if names else f"{own:.5g}"
        imgui.align_text_to_frame_padding()
        cell(text, theme.TEXT, True)
        tooltip(f"opt.{row.name} of the simulation; edit it in Physics")
        return
    value = dict(shown.settings(column)).get(path, own)
    hint = f"{row.meaning}\nright-click: as in A"
    key, tint, wanted = f"##{path}{column}", theme.TEXT if value == own else theme.ACCENT, None
    if names:
        named = [(float(other), name, name) for other, name in names.items()]
        wanted = pick(key, names[int(value)], lambda: named, value, hint, arrow=False, tint=tint)
    else:
        imgui.set_next_item_width(-1)
        with colour(imgui.Col_.text, tint):
            wanted = number_field(view, key, (value,), 0, drag_by_rule(row.rule), row.rule.whole, "%.5g")
        tooltip(hint)
    set_to = partial(shown.change, column, path)
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        set_to(own, own)
    elif wanted is not None:
        set_to(float(row.accept(wanted, model)), own)


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
    lines = [f"{shown.measure}, click: step through {title(walk, place)}"]
    for column, made, values in curves:
        at = int(np.argmin(np.abs(made - x)))
        lines.append(f"{LETTERS[column]}  {int(made[at])}: {values[at]:.4g}")
    show_tooltip("\n".join(lines))
    if imgui.is_mouse_clicked(0):
        shown.go(walk, place)
