"""The profiler (F3): cost of a step, of its stages and of a frame, sizes of the problem, convergence of the solver."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui, implot

from app.panels import theme
from app.panels.info import FLAGS
from app.snapshot import Snapshot, StateView
from app.state import Rect, ViewState
from app.widgets import em, font, si

PLOT_EM = (17.0, 7.0)
# iterations that the engine keeps for each island, and islands
ITERATIONS, ISLANDS = 200, 20
SIZES = (
    ("contacts", "ncon"), ("rows", "nefc"), ("equality", "ne"), ("friction", "nf"), ("limit", "nl"),
    ("entries of J", "nJ"), ("islands", "nisland"), ("awake dofs", "nv_awake"),
)  # fmt: skip


def profiler_overlay(snapshot: Snapshot, view: ViewState, rect: Rect) -> None:
    """A card in the lower right corner of the view; it takes no clicks."""
    place = (rect.x + rect.width - em(0.8), rect.y + rect.height - em(0.8))
    imgui.set_next_window_pos(place, imgui.Cond_.always, (1.0, 1.0))
    imgui.set_next_window_bg_alpha(0.72)
    imgui.begin("##profiler", None, FLAGS)
    with font("bold"):
        imgui.text("Profiler")
    with font("mono"):
        _line("step", *_seconds(snapshot.run.step_seconds))
        _stages(snapshot.run.stage_seconds)
        for name, seconds in view.frame_seconds.items():
            _line(f"frame: {name}", *_seconds(seconds))
        if snapshot.state is not None:
            for label, name in SIZES:
                _line(label, str(getattr(snapshot.state, name, 0)), "")
    if snapshot.state is not None:
        _convergence(snapshot.state)
    imgui.end()


def _line(label: str, value: str, unit: str) -> None:
    """A label and a number."""
    imgui.text_colored(theme.DIM, f"{label:<22}")
    imgui.same_line()
    imgui.text(f"{value:>8} {unit}")


def _seconds(seconds: float) -> tuple[str, str]:
    value, prefix = si(seconds)
    return value, f"{prefix}s"


def _stages(stages: tuple[tuple[str, float], ...]) -> None:
    """What each stage of a step takes: a bar as long as its share of them all, with time and share written on it."""
    total = sum(seconds for _, seconds in stages)
    width, height = em(PLOT_EM[0]), imgui.get_text_line_height()
    draw, tint = imgui.get_window_draw_list(), imgui.get_color_u32((*theme.ACCENT[:3], 0.32))
    for name, seconds in stages:
        share = seconds / total if total else 0.0
        x, y = imgui.get_cursor_screen_pos()
        draw.add_rect_filled((x, y), (x + share * width, y + height), tint, em(0.15))
        _line(name, f"{1e6 * seconds:.1f}", f"µs {share:4.0%}")


def _convergence(state: StateView) -> None:
    """What each iteration of the solver gained, a curve for every island."""
    counts = np.asarray(getattr(state, "solver_niter", np.zeros(0, int)))
    shown = np.flatnonzero(counts > 0)
    with font("mono"):
        _line("iterations", " ".join(str(n) for n in counts[shown][:6]) or "0", "")
    if not len(shown):
        return
    flags = implot.Flags_.canvas_only | implot.Flags_.no_inputs
    if not implot.begin_plot("##convergence", (em(PLOT_EM[0]), em(PLOT_EM[1])), flags):
        return
    implot.setup_axes("iteration", "", implot.AxisFlags_.auto_fit, implot.AxisFlags_.auto_fit)
    implot.setup_axis_scale(implot.ImAxis_.y1, implot.Scale_.log10)
    improvement = np.asarray(state.solver.improvement).reshape(ISLANDS, ITERATIONS)
    for island in shown[:ISLANDS]:
        count = min(int(counts[island]), ITERATIONS)
        curve = np.maximum(improvement[island, :count], 1e-16)
        implot.plot_line(f"island {island}", np.arange(1.0, count + 1), curve)
    implot.end_plot()
