"""One iteration of the solver: a slider over all, its numbers with their meaning, and the cost along its step."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui, implot

from app.instruments.solver.state import SolverState
from app.ui import theme
from app.ui.plots.small import HEIGHT_EM, line_spec, no_plot, small_plot, vertical
from app.ui.widgets import disabled, em, icon_button, note, number_row, show_tooltip, tooltip
from app.view.view_state import ViewState
from sim.analysis.solver.walk import Walk
from sim.enums import SOL_CG, SOL_NEWTON, SOL_PGS

METHODS = ("PGS", "CG", "Newton")
SCALED = "scaled by 1 / trace M, like opt.tolerance"
# lowest and highest cost of the chart, in improvements
LOWEST, HIGHEST = -1.35, 0.9


class Number(NamedTuple):
    """A number of an iteration: its label, the field of the walk, its tooltip, and the methods that have it."""

    label: str
    field: str
    hint: str
    methods: tuple[int, ...] = (SOL_PGS, SOL_CG, SOL_NEWTON)
    counts: bool = False


LINE_SEARCH = (SOL_CG, SOL_NEWTON)
NUMBERS = (
    Number(
        "dual cost",
        "dual",
        f"½ fᵀ(A + R)f + bᵀf, a function of forces: minimized by PGS, and by noslip without R; {SCALED}",
        (SOL_PGS,),
    ),
    Number("cost", "cost", f"of the acceleration: minimized by Newton and CG; {SCALED}"),
    Number(
        "   of inertia",
        "inertial",
        f"½ (a - a₀)ᵀ M (a - a₀): how far the acceleration is from the unconstrained one; {SCALED}",
    ),
    Number("   of constraints", "rows_cost", f"Σ s(J a - aref) over all rows; {SCALED}"),
    Number(
        "gradient", "gradient", f"norm of M a - qfrc_smooth - Jᵀf at this acceleration, 0 at the solution; {SCALED}"
    ),
    Number("improvement", "improvement", f"decrease of the cost since the previous iteration; {SCALED}"),
    Number(
        "momentum",
        "momentum",
        "fraction of the last force change that is added before the sweep; reset when a sweep opposes it",
        (SOL_PGS,),
    ),
    Number(
        "step size α",
        "alpha",
        "fraction of the Newton step -H⁻¹ gradient that was taken: 1 is all of it",
        (SOL_NEWTON,),
    ),
    Number("step length", "length", "norm of the change in qacc; m/s² and rad/s²", (SOL_CG,)),
    Number("slope at its end", "slope", f"of the cost along the step: d.solver.lineslope; {SCALED}", LINE_SEARCH),
    Number("evaluations", "neval", "points tried by the line search: d.solver.neval", LINE_SEARCH, counts=True),
    Number(
        "updates of H",
        "nupdate",
        "rank-one updates of the factor of H, or rows of a new factor: d.solver.nupdate",
        (SOL_NEWTON,),
        counts=True,
    ),
)
NO_LINE = "PGS has no line search: a sweep sets one force after another to its best value."


def iteration_part(view: ViewState, walk: Walk) -> None:
    """All of it."""
    _summary(walk)
    _slider(view, walk)
    at = view.of(SolverState).at(walk)
    _numbers(walk, at)
    if walk.method == SOL_PGS:
        note(NO_LINE)
    else:
        _line_chart(walk, at)


def title(walk: Walk, place: int) -> str:
    """What a place of the walk is called."""
    made = walk.iterations[place]
    if made == 0:
        return "warm start"
    return f"noslip {made - walk.solver}" if made > walk.solver else f"iteration {made}"


def _summary(walk: Walk) -> None:
    """How many iterations, and why no more."""
    sweeps = walk.iterations[-1] - walk.solver
    count = f"{walk.solver} iteration{'s' * (walk.solver != 1)}"
    more = f", then {sweeps} of noslip" if sweeps else ""
    note(
        f"{METHODS[walk.method]}, {count}{more}: {walk.ending}",
        theme.DIM if walk.converged else theme.WARNING,
        hint=f"the tolerance is {walk.tolerance:.3g}, opt.iterations is {walk.bound}",
    )


def _slider(view: ViewState, walk: Walk) -> None:
    """One iteration back or on, and a slider over all."""
    shown, last = view.of(SolverState), len(walk.iterations) - 1
    at = shown.at(walk)
    if icon_button(icons.ICON_FA_CHEVRON_LEFT, "solver back", "the previous iteration", enabled=at != 0):
        shown.go(walk, at - 1)
    imgui.same_line(0, em(0.2))
    imgui.set_next_item_width(imgui.get_content_region_avail().x - em(2.2))
    with disabled(last == 0):
        changed, wanted = imgui.slider_int(
            "##iteration", at, 0, max(last, 1), f"{title(walk, at)} of {walk.iterations[-1]}"
        )
    tooltip("the current iteration; 0 is the warm start. If there are many, some are skipped")
    if changed:
        shown.go(walk, wanted)
    imgui.same_line(0, em(0.2))
    if icon_button(icons.ICON_FA_CHEVRON_RIGHT, "solver on", "the next iteration", enabled=at != last):
        shown.go(walk, at + 1)


def _numbers(walk: Walk, at: int) -> None:
    """What is known about an iteration; the same lines for each, so that nothing moves."""
    noslip = walk.iterations[-1] > walk.solver
    for row in NUMBERS:
        if walk.method in row.methods or (noslip and row.field == "dual"):
            value = float(getattr(walk, row.field)[at])
            known = value >= 0 if row.counts else math.isfinite(value)
            number_row(row.label, (f"{value:.0f}" if row.counts else f"{value:.4g}") if known else "-", "", row.hint)
    rows = f"{walk.nactive[at]} of {len(walk.problem.rows)}"
    number_row("active rows", rows, "", "unsatisfied rows: d.solver.nactive")
    changed = f"{walk.nchange[at]}" if at else "-"
    number_row(
        "changed rows", changed, "", "rows whose state has changed since the previous iteration: d.solver.nchange"
    )


def _line_chart(walk: Walk, at: int) -> None:
    """The cost along the step, with where it began and where it ended."""
    line = walk.lines.get(at)
    factor = float(walk.alpha[at]) if math.isfinite(walk.alpha[at]) else 1.0
    unit = "α" if math.isfinite(walk.alpha[at]) else "steps"
    if line is None or not np.isfinite(line.cost).all():
        text = "warm start: no step yet" if at == 0 else "no line search here"
        no_plot(text, imgui.get_content_region_avail().x, em(HEIGHT_EM))
        return
    gain = max(float(walk.improvement[at]), float(-line.cost.min()), 1e-300)
    with small_plot("##line") as visible:
        if not visible:
            return
        implot.setup_axes("", "", implot.AxisFlags_.none, implot.AxisFlags_.no_tick_labels)
        implot.setup_axis_limits(
            implot.ImAxis_.x1, factor * float(line.at[0]), factor * float(line.at[-1]), implot.Cond_.always
        )
        ticks = [0.0, 0.5 * factor, factor, 1.5 * factor, 2.0 * factor]
        implot.setup_axis_ticks(implot.ImAxis_.x1, ticks, [f"{tick:.3g}" for tick in ticks])
        implot.setup_axis_limits(implot.ImAxis_.y1, LOWEST * gain, HIGHEST * gain, implot.Cond_.always)
        implot.plot_line("##cost", factor * line.at, line.cost, line_spec(theme.ACCENT))
        vertical("##taken", factor, theme.WARNING)
        ends = line_spec(theme.WARNING)
        ends.marker, ends.marker_size = implot.Marker_.circle, em(0.25)
        implot.plot_scatter("##ends", np.array([0.0, factor]), np.array([0.0, -float(walk.improvement[at])]), ends)
        if implot.is_plot_hovered():
            x = float(implot.get_plot_mouse_pos().x)
            cost = float(np.interp(x, factor * line.at, line.cost))
            show_tooltip(
                f"cost along the search direction, relative to its start; {SCALED}\n{unit} = {x:.3g}: {cost:.4g}\n"
                f"The step ends at {unit} = {factor:.4g}, where the cost is lowest."
            )
