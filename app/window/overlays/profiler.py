"""The profiler (F3): time per step, stage and frame, constraint counts, solver convergence.

The stages and the rest of a step add up to the step. If the card is low, it shows the slowest stages.
"""

from __future__ import annotations

import math

import numpy as np
from imgui_bundle import imgui, implot

from app.instruments.code.open import show_code
from app.instruments.code.state import Subject
from app.model.views import StateView
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.plots.small import no_plot
from app.ui.quantities import quantity
from app.ui.widgets import caption, em, font
from app.view.view_state import ViewState
from app.window.overlays.cards import stage_hints
from app.window.overlays.cards.card import Card, hint, is_clicked
from sim.script.profile import STEP

# right edges of labels, bars, numbers and percentages
LABEL_EM, BAR_EM, NUMBER_EM, WIDTH_EM = 8.4, 11.6, 16.4, 19.0
PLOT_EM = 7.5
# left and right edge of the two columns of counts
COLUMNS_EM = (0.0, 8.4), (10.0, WIDTH_EM)
# iterations recorded per island, and islands recorded
ITERATIONS, ISLANDS = 200, 20
FEW_ITERATIONS = 10
# stages that have kernels of ours
OF_STEP = frozenset(call.stage for call in STEP)
# a card of fewer lines has none for frames
FEW_LINES = 9
# improvements are clipped to this range for the logarithmic axis
GAINS = 1e-16, 1e16
SIZES = (
    ("contacts", "ncon"), ("rows", "nefc"), ("equality", "ne"), ("friction", "nf"), ("limit", "nl"),
    ("entries of J", "nJ"), ("islands", "nisland"), ("awake dofs", "nv_awake"),
)  # fmt: skip


def profiler_card(snapshot: Snapshot, view: ViewState) -> Card:
    """Times, then counts and the convergence plot if they fit."""
    # title, step, iterations
    lines = 3 + _lines(_lacking(snapshot)) + len(snapshot.run.stage_seconds) + len(view.feedback.frame_seconds)
    lines += (len(SIZES) + 1) // 2 + _plot_lines()
    return Card("Profiler", WIDTH_EM, lines, lambda room: _draw(snapshot, view, room))


def _draw(snapshot: Snapshot, view: ViewState, lines: int) -> None:
    with font("bold"):
        imgui.text("Profiler")
    left = _times(snapshot, view, lines - 1)
    if snapshot.state is not None:
        _solver(snapshot.state, left)


def _lacking(snapshot: Snapshot) -> str:
    """Why the engine does not tell the times of its stages, if it does not."""
    return snapshot.model.lacks.get("stage_times", "") if snapshot.model is not None else ""


def _times(snapshot: Snapshot, view: ViewState, lines: int) -> int:
    """Time per step, stage and frame, in at most `lines` lines; returns how many are left."""
    stages, lacking = snapshot.run.stage_seconds, _lacking(snapshot)
    # in a low card stages come first
    frame = view.feedback.frame_seconds if lines > FEW_LINES else {}
    _line("step", quantity(snapshot.run.step_seconds, "s"), hint_text=stage_hints.STEP)
    lines -= _lines(lacking)
    # if not all fit, the slowest stages
    most = max(lines - 1 - len(frame), 0)
    kept = {name for name, _ in sorted(stages, key=lambda stage: -stage[1])[:most]}
    _stages(stages, kept, view)
    _wrapped(lacking)
    for name, seconds in frame.items():
        meaning = stage_hints.FRAME.get(name, "")
        _line(f"frame: {name}", quantity(seconds, "s"), hint_text=f"{meaning}\n{stage_hints.FRAME_HINT}".lstrip())
    return lines - 1 - len(kept) - len(frame)


def _lines(text: str) -> int:
    """How many lines a text takes in the card."""
    size = imgui.calc_text_size(text, wrap_width=em(WIDTH_EM))
    return math.ceil(size.y / imgui.get_text_line_height()) if text else 0


def _wrapped(text: str) -> None:
    """A text in as many lines as it takes."""
    if text:
        imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + em(WIDTH_EM))
        caption(text)
        imgui.pop_text_wrap_pos()


def _line(label: str, value: str, share: str = "", hint_text: str = "") -> bool:
    """A label, a right-aligned number, and its percentage; returns whether it was clicked."""
    left = imgui.get_cursor_pos_x()
    caption(label)
    clicked = is_clicked(em(WIDTH_EM))
    if hint_text:
        hint(hint_text, em(WIDTH_EM))
    with font("mono"):
        for text, end, ink in ((value, NUMBER_EM, theme.TEXT), (share, WIDTH_EM, theme.DIM)):
            if text:
                imgui.same_line(left + em(end) - imgui.calc_text_size(text).x)
                imgui.text_colored(ink, text)
    return clicked


def _stages(stages: tuple[tuple[str, float], ...], kept: set[str], view: ViewState) -> None:
    """Time of each stage: its name, a bar as long as its share of the step, time and percentage; a click: its code."""
    total = sum(seconds for _, seconds in stages)
    low, high = em(LABEL_EM), em(BAR_EM)
    height = imgui.get_text_line_height()
    draw = imgui.get_window_draw_list()
    groove, tint = imgui.get_color_u32(theme.RAISED), imgui.get_color_u32(theme.ACCENT)
    for name, seconds in stages:
        if name not in kept:
            continue
        share = seconds / total if total else 0.0
        x, y = imgui.get_cursor_screen_pos()
        top, bottom = y + 0.2 * height, y + 0.8 * height
        draw.add_rect_filled((x + low, top), (x + high, bottom), groove, em(0.15))
        if share > 0:
            draw.add_rect_filled((x + low, top), (x + low + share * (high - low), bottom), tint, em(0.15))
        meaning = stage_hints.STAGES.get(name, name)
        if name in OF_STEP:
            meaning = f"{meaning}\nclick: its code"
        if _line(name, f"{1e6 * seconds:.1f} µs", f"{share:.0%}", meaning) and name in OF_STEP:
            show_code(view, Subject(stage=name))


def _solver(state: StateView, lines: int) -> None:
    """Iterations, counts and the plot in at most `lines` lines; the plot is last, but has priority over the counts."""
    counts = np.asarray(getattr(state, "solver_niter", np.zeros(0, int)))
    shown = np.flatnonzero(counts > 0)
    if lines > 0:
        made = " ".join(str(n) for n in counts[shown][:6]) or "0"
        _line("iterations", made, hint_text=stage_hints.ITERATIONS)
    plot_lines = _plot_lines()
    has_plot = lines > plot_lines
    _sizes(state, lines - 1 - plot_lines * has_plot)
    if has_plot and len(shown):
        _plot(state, counts, shown)
    elif has_plot:
        # the card keeps its height
        no_plot("nothing to solve in this step", em(WIDTH_EM), em(PLOT_EM))


def _plot_lines() -> int:
    """How many lines the plot takes."""
    height = em(PLOT_EM) + imgui.get_style().item_spacing.y
    return math.ceil(height / imgui.get_text_line_height_with_spacing())


def _sizes(state: StateView, lines: int) -> None:
    """Constraint counts, two per line."""
    left = imgui.get_style().window_padding.x
    for number, (label, name) in enumerate(SIZES[: 2 * max(lines, 0)]):
        begins, ends = COLUMNS_EM[number % 2]
        value = str(getattr(state, name, 0))
        if number % 2:
            imgui.same_line(left + em(begins))
        caption(label)
        hint(stage_hints.COUNTS[name], em(ends - begins))
        with font("mono"):
            imgui.same_line(left + em(ends) - imgui.calc_text_size(value).x)
            imgui.text(value)


def _plot(state: StateView, counts: np.ndarray, shown: np.ndarray) -> None:
    """Improvement of each solver iteration, a curve for each island."""
    flags = implot.Flags_.canvas_only | implot.Flags_.no_inputs
    if not implot.begin_plot("##convergence", (em(WIDTH_EM), em(PLOT_EM)), flags):
        return
    gained = np.clip(np.nan_to_num(state.solver.improvement), *GAINS).reshape(ISLANDS, ITERATIONS)
    curves = {island: gained[island, : counts[island]] for island in shown[:ISLANDS]}
    implot.setup_axes("", "", implot.AxisFlags_.no_grid_lines)
    most = max(map(len, curves.values()))
    implot.setup_axis_limits(implot.ImAxis_.x1, 0.5, most + 0.5, implot.Cond_.always)
    if most <= FEW_ITERATIONS:
        # no ticks between iterations
        implot.setup_axis_ticks(implot.ImAxis_.x1, 1, max(most, 2), max(most, 2))
    implot.setup_axis_scale(implot.ImAxis_.y1, implot.Scale_.log10)
    # margins above and below, even if all improvements are equal
    drawn = np.concatenate(list(curves.values()))
    implot.setup_axis_limits(implot.ImAxis_.y1, drawn.min() / 10, drawn.max() * 10, implot.Cond_.always)
    # a single iteration is a point, not a line
    spec = implot.Spec(marker=implot.Marker_.circle, marker_size=em(0.15))
    for island, curve in curves.items():
        implot.plot_line(f"island {island}", np.arange(1.0, len(curve) + 1), curve, spec)
    implot.end_plot()
