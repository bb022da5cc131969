"""The curves of the Plots panel: zoom and pan over the past, a cursor with values, click or drag to go there."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from imgui_bundle import imgui, implot

from app.background.curve import Curve, Cuts, dashed, nearest, polyline
from app.background.sample_plan import Request
from app.background.units import unit_of
from app.run.commands import GoTo, Send
from app.run.history.timeline import Timeline
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.plots.small import FLAGS, line_spec, nearest_step
from app.ui.widgets import caption, em, font
from app.view.plots import FREE, Plots, curves_of, line_name, shown_lines, whole
from app.view.view_state import ViewState

Axes = Mapping[str, implot.ImAxis_]
LOOP_ALPHA = 0.12
# a press that moves less is a click, pixels
CLICK = 4.0
# the closest look, s
CLOSEST = 1e-4
Y_AXES = (implot.ImAxis_.y1, implot.ImAxis_.y2, implot.ImAxis_.y3)
# the closest look at values of size one: below it there is rounding, and ticks would all read the same
CLOSEST_VALUE = 1e-5
# a plot has an axis for each of these of its width
AXIS_EM = 9.0
# lengths of dashes and gaps in pixels: of the current line, then of compared ones
PATTERNS = ((1_000_000, 0), (9, 5), (3, 4), (14, 4))
COMPARED_ALPHA, OLD_ALPHA = 0.75, 0.35
# earlier lines of a script that are drawn
OLD_LINES = 8


def request_for(snapshot: Snapshot, view: ViewState, pixels: int) -> Request:
    """What the sampler is to evaluate for a plot of this width."""
    run, lines = snapshot.run, shown_lines(snapshot, view.timeline.compared)
    start, end = view.plots.times(run.history, lines)
    texts, moving = tuple(dict.fromkeys((*view.plots.expressions(), *view.plots.aside))), not run.paused
    return Request(texts, run.history, lines, start, end, pixels, snapshot.serial, moving, run.step_seconds)


def chart(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The plot, in what is left of the panel."""
    plots, timeline = view.plots, snapshot.run.history
    lines = shown_lines(snapshot, view.timeline.compared)
    start, end = plots.times(timeline, lines)
    implot.push_style_var(implot.StyleVar_.plot_min_size, imgui.ImVec2(em(6), em(5)))
    implot.push_style_var(implot.StyleVar_.fit_padding, imgui.ImVec2(0.0, 0.08))
    width = imgui.get_content_region_avail().x
    if implot.begin_plot("##curves", (-1, -1), FLAGS):
        _content(snapshot, view, send, lines, (start, end), width)
    implot.pop_style_var(2)


def _content(
    snapshot: Snapshot, view: ViewState, send: Send, lines: tuple[int, ...], times: tuple[float, float], width: float
) -> None:
    """What is in a plot of some width, from one time to another."""
    plots, timeline, (start, end) = view.plots, snapshot.run.history, times
    shown = [*drawn_curves(snapshot, view)]
    axes = setup_axes(shown, width)
    low, high = implot.BoxedValue(start), implot.BoxedValue(end)
    implot.setup_axis_links(implot.ImAxis_.x1, low, high)
    implot.setup_axis_zoom_constraints(implot.ImAxis_.x1, CLOSEST, _farthest(timeline, lines, plots))
    implot.setup_finish()
    pixels = max(int(implot.get_plot_size().x), 1)
    plots.request = request_for(snapshot, view, pixels)
    _loop(timeline)
    # the current line is on top
    for index, curve in [*enumerate(shown)][::-1]:
        implot.set_axes(implot.ImAxis_.x1, axes.get(curve.unit, implot.ImAxis_.y1))
        _draw(curve, index, start, end, pixels, plots.cuts)
    implot.set_axes(implot.ImAxis_.x1, implot.ImAxis_.y1)
    _moment(snapshot, plots, send)
    if implot.is_plot_hovered():
        _cursor(shown, axes)
    _click(timeline, plots, send)
    implot.end_plot()
    if (low.value, high.value) != (start, end):
        plots.mode, plots.span = FREE, (low.value, high.value)


def _farthest(timeline: Timeline, lines: tuple[int, ...], plots: Plots) -> float:
    """The longest time that is worth showing, s."""
    first, last = whole(timeline, lines, plots.script)
    return 2.0 * max(last - first, plots.window, 1.0)


def _draw(curve: Drawn, index: int, start: float, end: float, pixels: int, cuts: Cuts) -> None:
    """One line."""
    times, values = polyline(curve.curves, start, end, pixels, cuts)
    if curve.pattern[1]:
        times, values = dashed(times, values, start, end, pixels, curve.pattern)
    if len(times):
        implot.plot_line(f"##{index}", times, values, line_spec(curve.tint, curve.weight))


def _loop(timeline: Timeline) -> None:
    """The steps that replay repeats, and that statistics are of, lie in a tinted range."""
    if timeline.loop is not None:
        left, right = (implot.plot_to_pixels(timeline.time_of(step), 0.0).x for step in timeline.loop)
        top, tint = implot.get_plot_pos().y, imgui.get_color_u32((*theme.ACCENT[:3], LOOP_ALPHA))
        implot.push_plot_clip_rect()
        bottom = top + implot.get_plot_size().y
        implot.get_plot_draw_list().add_rect_filled((left, top), (right, bottom), tint)
        implot.pop_plot_clip_rect()


def _moment(snapshot: Snapshot, plots: Plots, send: Send) -> None:
    """A line at the current step, which can be dragged through the past."""
    time = snapshot.run.time if plots.dragged is None else plots.dragged
    tint = imgui.ImVec4(*theme.ACCENT)
    flags = implot.DragToolFlags_.no_fit
    moved, to, _, hovered, held = implot.drag_line_x(0, time, tint, 1.5, flags, False, False, False)
    if moved:
        plots.dragged = float(to)
        send(GoTo(nearest_step(snapshot.run.history, float(to))))
    elif not held:
        plots.dragged = None
    if hovered or held:
        # a press there is no click on the plot
        plots.pressed = None


def _cursor(shown: list[Drawn], axes: Axes) -> None:
    """A line at the pointer, and the values of all curves at the samples nearest to it."""
    time = implot.get_plot_mouse_pos().x
    draw, top, size = implot.get_plot_draw_list(), implot.get_plot_pos().y, implot.get_plot_size()
    x = implot.plot_to_pixels(time, 0.0).x
    draw.add_line((x, top), (x, top + size.y), imgui.get_color_u32(theme.DIM), 1.0)
    rows = [(curve, found) for curve in shown if curve.name and (found := nearest(curve.curves, time)) is not None]
    for curve, (at, value) in rows:
        if np.isfinite(value):
            place = implot.plot_to_pixels(at, value, implot.ImAxis_.x1, axes.get(curve.unit, implot.ImAxis_.y1))
            draw.add_circle_filled((place.x, place.y), em(0.22), imgui.get_color_u32(curve.tint))
    if imgui.begin_tooltip():
        with font("mono"):
            imgui.text(f"{time:.6g} s")
            widest = max((len(curve.unit) + 1 for curve, _ in rows if curve.unit), default=0)
            for curve, (_, value) in rows:
                imgui.text_colored((*curve.tint[:3], 1.0), f"{value:>12.6g} {curve.unit:<{widest}} {curve.name}")
                if curve.line:
                    imgui.same_line()
                    caption(curve.line)
        caption("click: go there   drag: move   wheel: zoom")
        imgui.end_tooltip()


def _click(timeline: Timeline, plots: Plots, send: Send) -> None:
    """A click goes to the moment at the pointer; a drag moves the curves."""
    mouse = imgui.get_io().mouse_pos
    if imgui.is_mouse_clicked(0):
        plots.pressed = (mouse.x, mouse.y) if implot.is_plot_hovered() and plots.dragged is None else None
    if imgui.is_mouse_released(0) and plots.pressed is not None:
        (x, y), plots.pressed = plots.pressed, None
        if abs(mouse.x - x) < CLICK and abs(mouse.y - y) < CLICK:
            send(GoTo(nearest_step(timeline, implot.get_plot_mouse_pos().x)))


def units_by_axis(units: Sequence[str], most: int = len(Y_AXES)) -> list[tuple[str, ...]]:
    """The units of each axis, in the order of curves; what so many axes do not hold is on the last one."""
    different = tuple(dict.fromkeys(units)) or ("",)
    last = most - 1
    return [*((unit,) for unit in different[:last]), *([different[last:]] if different[last:] else [])]


def _has_values(curve: Drawn) -> bool:
    """Whether a curve begins or ends with a number: that of an error is NaN everywhere."""
    ends = [float(line.values[k]) for line in curve.curves if len(line) for k in (0, -1)]
    return not all(map(math.isnan, ends))


def _size(curves: Sequence[Drawn]) -> float:
    """How large the latest values are; not 0."""
    latest = [abs(float(line.values[-1])) for curve in curves for line in curve.curves[-1:] if len(line)]
    return max((value for value in latest if math.isfinite(value)), default=0.0) or sys.float_info.min


def setup_axes(shown: Sequence[Drawn], width: float) -> dict[str, implot.ImAxis_]:
    """Set the axes of a plot of some width up; returns the axis of each unit. An axis of one curve has its colour."""
    implot.setup_axis(implot.ImAxis_.x1, "", implot.AxisFlags_.none)
    # the unit is in the labels of the ticks: a line below would cost a tenth of a low panel
    implot.setup_axis_format(implot.ImAxis_.x1, "%g s")
    axes = {}
    # an error has no curve, and no axis
    named = [curve for curve in shown if curve.name and _has_values(curve)]
    by_axis = units_by_axis([curve.unit for curve in named], min(max(int(width / em(AXIS_EM)), 1), len(Y_AXES)))
    for k, (axis, units) in enumerate(zip(Y_AXES, by_axis, strict=False)):
        flags = implot.AxisFlags_.auto_fit | implot.AxisFlags_.no_side_switch
        if k:
            flags |= implot.AxisFlags_.opposite | implot.AxisFlags_.no_grid_lines
        tints = {curve.tint[:3] for curve in named if curve.unit in units}
        own = len(by_axis) > 1 and len(tints) == 1
        if own:
            implot.push_style_color(implot.Col_.axis_text, imgui.ImVec4(*tints.pop(), 1.0))
        implot.setup_axis(axis, ", ".join(unit for unit in units if unit), int(flags))
        if own:
            implot.pop_style_color()
        implot.setup_axis_zoom_constraints(axis, CLOSEST_VALUE * _size([c for c in named if c.unit in units]), math.inf)
        axes.update(dict.fromkeys(units, axis))
    return axes


@dataclass(frozen=True)
class Drawn:
    """A curve in the plot: what it is called, its colour and kind of line, its unit if that is known."""

    name: str
    line: str
    curves: list[Curve]
    tint: theme.Rgba
    pattern: tuple[int, int]
    weight: float = 1.6
    unit: str = ""


def tint_of(number: int, alpha: float = 1.0) -> theme.Rgba:
    """The colour of a curve."""
    tint = implot.get_colormap_color(number)
    return tint.x, tint.y, tint.z, alpha


def drawn_curves(snapshot: Snapshot, view: ViewState) -> Iterator[Drawn]:
    """All curves of the plot, of each expression the current line first."""
    plots, timeline = view.plots, snapshot.run.history
    lines = shown_lines(snapshot, view.timeline.compared)
    for watch in plots.watches:
        for index, branch in enumerate(lines) if watch.plotted else ():
            curves = curves_of(plots, timeline, branch, watch.expression)
            name = line_name(timeline, branch) if len(lines) > 1 else ""
            tint = tint_of(watch.colour, COMPARED_ALPHA if index else 1.0)
            unit = unit_of(watch.expression, snapshot.model)
            yield Drawn(watch.expression, name, curves, tint, PATTERNS[index % len(PATTERNS)], unit=unit)
    for index, (name, script) in enumerate(plots.script.items()):
        if name not in plots.unplotted:
            colour = len(plots.watches) + index
            yield Drawn(name, "", [script.lines[-1]], tint_of(colour), PATTERNS[0])
            for line in script.lines[-1 - OLD_LINES : -1]:
                yield Drawn("", "", [line], tint_of(colour, OLD_ALPHA), PATTERNS[0], 1.0)
