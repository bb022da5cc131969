"""One iteration of the solver: a slider over all, its numbers with their meaning, and the cost along its step."""

from __future__ import annotations

import math

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui, implot

from app.instruments.solver.state import SolverState
from app.ui import theme
from app.ui.contact_charts import HEIGHT, line_spec, small_plot
from app.ui.widgets import disabled, em, font, icon_button, number_row, show_tooltip, tooltip
from app.view.view_state import ViewState
from sim.analysis.solver.walk import Walk
from sim.enums import SOL_NEWTON, SOL_PGS

METHODS = ("PGS", "CG", "Newton")
SCALED = "scaled by 1 / trace M, like opt.tolerance"
# lowest and highest cost of the chart, in improvements
LOWEST, HIGHEST = -1.35, 0.9
NO_LINE = "PGS has no line search: a sweep sets one force after the other to its best value."


def iteration_part(view: ViewState, walk: Walk) -> None:
    """All of it."""
    _summary(walk)
    _slider(view, walk)
    at = view.of(SolverState).at(walk)
    _numbers(walk, at)
    if walk.method == SOL_PGS:
        imgui.push_text_wrap_pos(0)
        imgui.text_colored(theme.DIM, NO_LINE)
        imgui.pop_text_wrap_pos()
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
    imgui.push_text_wrap_pos(0)
    imgui.text_colored(
        theme.DIM if walk.converged else theme.WARNING, f"{METHODS[walk.method]}, {count}{more}: {walk.ending}"
    )
    imgui.pop_text_wrap_pos()
    tooltip(f"the tolerance is {walk.tolerance:.3g}, opt.iterations {walk.bound}")


def _slider(view: ViewState, walk: Walk) -> None:
    """One iteration back or on, and a slider over all."""
    shown, last = view.of(SolverState), len(walk.iterations) - 1
    at = shown.at(walk)
    with disabled(at == 0):
        if icon_button(icons.ICON_FA_CHEVRON_LEFT, "solver back", "the iteration before"):
            shown.go(walk, at - 1)
    imgui.same_line(0, em(0.2))
    imgui.set_next_item_width(imgui.get_content_region_avail().x - em(2.2))
    with disabled(last == 0):
        changed, wanted = imgui.slider_int(
            "##iteration", at, 0, max(last, 1), f"{title(walk, at)} of {walk.iterations[-1]}"
        )
    tooltip("the iteration that is shown; 0 is the warm start. Of many iterations, some are left out")
    if changed:
        shown.go(walk, wanted)
    imgui.same_line(0, em(0.2))
    with disabled(at == last):
        if icon_button(icons.ICON_FA_CHEVRON_RIGHT, "solver on", "the next iteration"):
            shown.go(walk, at + 1)


def _number(value: float) -> str:
    return f"{value:.4g}" if math.isfinite(value) else "-"


def _count(value: int) -> str:
    return str(value) if value >= 0 else "-"


def _numbers(walk: Walk, at: int) -> None:
    """What is known about an iteration; the same lines for each, so that nothing moves."""
    if walk.method == SOL_PGS or walk.iterations[-1] > walk.solver:
        hint = "½ fᵀ(A + R)f + bᵀf, a function of forces: what PGS lowers, and noslip without R"
        number_row("dual cost", _number(walk.dual[at]), "", f"{hint}; {SCALED}")
    hint = "of the acceleration: what Newton and CG lower"
    number_row("cost", _number(walk.cost[at]), "", f"{hint}; {SCALED}")
    hint = "½ (a - a₀)ᵀ M (a - a₀): how far the acceleration is from the one without constraints"
    number_row("   of inertia", _number(walk.inertial[at]), "", f"{hint}; {SCALED}")
    number_row("   of constraints", _number(walk.rows_cost[at]), "", f"Σ s(J a - aref) over all rows; {SCALED}")
    hint = "norm of M a - qfrc_smooth - Jᵀf at this acceleration, 0 at the solution"
    number_row("gradient", _number(walk.gradient[at]), "", f"{hint}; {SCALED}")
    since = f"since {title(walk, at - 1)}" if at else "in an iteration"
    number_row("improvement", _number(walk.improvement[at]), "", f"decrease of the cost {since}; {SCALED}")
    if walk.method == SOL_PGS:
        hint = "part of the last change of the forces that is added before the sweep; reset when a sweep opposes it"
        number_row("momentum", _number(walk.momentum[at]), "", hint)
    else:
        _step_rows(walk, at)
    changed = f"{walk.nchange[at]}" if at else "-"
    rows = len(walk.problem.rows)
    number_row("active rows", f"{walk.nactive[at]} of {rows}", "", "rows that are not satisfied: d.solver.nactive")
    number_row("changed rows", changed, "", "rows whose state is another than before: d.solver.nchange")


def _step_rows(walk: Walk, at: int) -> None:
    """The step and the search along it."""
    if walk.method == SOL_NEWTON:
        hint = "how much of the Newton step -H⁻¹ gradient was taken: 1 is all of it"
        number_row("step size α", _number(walk.alpha[at]), "", hint)
    else:
        number_row("step length", _number(walk.length[at]), "", "norm of the change of qacc; m/s² and rad/s²")
    number_row(
        "slope at its end", _number(walk.slope[at]), "", f"of the cost along the step: d.solver.lineslope; {SCALED}"
    )
    number_row("evaluations", _count(int(walk.neval[at])), "", "points that the line search tried: d.solver.neval")
    if walk.method == SOL_NEWTON:
        hint = "rank-one updates of the factor of H, or rows of a new one: d.solver.nupdate"
        number_row("updates of H", _count(int(walk.nupdate[at])), "", hint)


def _line_chart(walk: Walk, at: int) -> None:
    """The cost along the step, with where it began and where it ended."""
    line = walk.lines.get(at)
    factor = float(walk.alpha[at]) if math.isfinite(walk.alpha[at]) else 1.0
    unit = "α" if math.isfinite(walk.alpha[at]) else "steps"
    if line is None or not np.isfinite(line.cost).all():
        _empty("warm start: no step yet" if at == 0 else "no line search here")
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
        implot.plot_inf_lines("##taken", np.array([factor]), line_spec(theme.WARNING, 1.0))
        ends = line_spec(theme.WARNING)
        ends.marker, ends.marker_size = implot.Marker_.circle, em(0.25)
        implot.plot_scatter("##ends", np.array([0.0, factor]), np.array([0.0, -float(walk.improvement[at])]), ends)
        if implot.is_plot_hovered():
            x = float(implot.get_plot_mouse_pos().x)
            cost = float(np.interp(x, factor * line.at, line.cost))
            show_tooltip(
                f"cost along the search direction, less that at its start; {SCALED}\n{unit} = {x:.3g}: {cost:.4g}\n"
                f"The step ends at {unit} = {factor:.4g}, where the cost is lowest."
            )


def _empty(text: str) -> None:
    """In place of a chart, as high as it."""
    (x, y), width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    draw, height = imgui.get_window_draw_list(), em(HEIGHT)
    draw.add_rect_filled((x, y), (x + width, y + height), imgui.get_color_u32(theme.BACKGROUND), em(0.2))
    with font("sans"):
        size = imgui.calc_text_size(text)
        place = x + (width - size.x) / 2, y + (height - size.y) / 2
        draw.add_text(place, imgui.get_color_u32(theme.DIM), text)
    imgui.dummy((width, height))
