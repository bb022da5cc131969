"""Other settings on the same step, side by side: what each needs, and what comes out."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.solver.panel.asking import asked_study
from app.instruments.solver.panel.column_fields import SETTINGS, setting_cell
from app.instruments.solver.panel.convergence import LETTERS, column_tint, convergence_part
from app.instruments.solver.state import MOST_COLUMNS, SolverState
from app.model.editable import BY_PATH
from app.model.views import ModelView
from app.run.commands import Send, SetField
from app.run.fix import as_one
from app.ui import theme
from app.ui.quantities import compact
from app.ui.tables.frame import cell
from app.ui.widgets import button, caption, colour, em, tooltip
from app.view.view_state import ViewState
from sim.analysis.solver.study import Study
from sim.enums import SOL_CG, SOL_NEWTON

LABEL_EM = 5.0
# names that are shorter than the attributes
NAMES = {"noslip_iterations": "noslip", "ls_iterations": "line search", "iterations": "most iter."}


@dataclass(frozen=True)
class Result:
    """What came out, as a text, with what it means."""

    name: str
    hint: str


BUTTONS = {
    "Take": "set these options in the simulation, as one edit that can be undone",
    "Remove": "remove this column",
}
RESULTS = (
    Result("iterations", "iterations of the solver on this island, and sweeps of noslip"),
    Result("cost", "at the acceleration that came out, scaled by 1 / trace M like the tolerance"),
    Result("gradient", "norm of the gradient of the cost there, scaled like the tolerance; 0 at the solution"),
    Result("Δ qacc", "norm of the difference of qacc to that of A, of all dofs; m/s² and rad/s²"),
    Result("normal", "normal force of the contact"),
    Result("friction", "friction force of the contact"),
    Result("time", "of the solver for all islands, the median of several runs; called from Python"),
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
    hint, room = "other settings, on the same step: choose them in the column", len(shown.columns) < MOST_COLUMNS
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
    caption("walk", "which column the parts above show", framed=True)
    for column in range(count):
        imgui.table_next_column()
        walked = shown.walked == column
        ground = (*theme.ACCENT[:3], 0.35) if walked else theme.RAISED
        with colour(imgui.Col_.button, ground), colour(imgui.Col_.text, column_tint(column)):
            if imgui.button(f"{LETTERS[column]}##walk", (-1, 0)):
                shown.walked, shown.iteration = column, None
        tooltip("the model as it is" if column == 0 else "walk the iterations with these settings")


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
