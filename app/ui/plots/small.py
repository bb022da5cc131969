"""Small charts in panels: their frame, lines and legend, and a frame for curves over the time of the run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from imgui_bundle import imgui, implot

from app.run.commands import GoTo, Send
from app.run.history.timeline import Timeline
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import em, font

HEIGHT_EM = 8.0
FLAGS = (
    implot.Flags_.no_menus
    | implot.Flags_.no_title
    | implot.Flags_.no_legend
    | implot.Flags_.no_mouse_text
    | implot.Flags_.no_box_select
)
# most ticks of iterations
MOST_TICKS = 7


@contextmanager
def small_plot(name: str, height: float = HEIGHT_EM) -> Iterator[bool]:
    """A plot of so many em, with some room around its curves; yields whether it is in sight."""
    implot.push_style_var(implot.StyleVar_.plot_padding, imgui.ImVec2(em(0.2), em(0.3)))
    implot.push_style_var(implot.StyleVar_.fit_padding, imgui.ImVec2(0.02, 0.12))
    visible = implot.begin_plot(name, (-1, em(height)), FLAGS)
    try:
        yield visible
    finally:
        if visible:
            implot.end_plot()
        implot.pop_style_var(2)


@contextmanager
def time_plot(
    name: str, unit: str, times: tuple[float, float], snapshot: Snapshot, send: Send, height: float = HEIGHT_EM
) -> Iterator[int]:
    """A plot from one time to another with a line at the current one; a click goes to the time at the pointer.

    Yields its width in pixels, 0 if it is out of sight.
    """
    with small_plot(name, height) as visible:
        if not visible:
            yield 0
            return
        implot.setup_axes("", "", implot.AxisFlags_.none, implot.AxisFlags_.auto_fit)
        implot.setup_axis_format(implot.ImAxis_.x1, "%g s")
        implot.setup_axis_format(implot.ImAxis_.y1, f"%g {unit}".rstrip())
        implot.setup_axis_limits(implot.ImAxis_.x1, *times, implot.Cond_.always)
        implot.setup_finish()
        yield max(int(implot.get_plot_size().x), 1)
        vertical("##now", snapshot.run.time, theme.TEXT)
        if implot.is_plot_hovered() and imgui.is_mouse_clicked(0):
            send(GoTo(nearest_step(snapshot.run.history, implot.get_plot_mouse_pos().x)))


def line_spec(tint: theme.Rgba, weight: float = 1.6) -> implot.Spec:
    """A line of a colour."""
    spec = implot.Spec()
    spec.line_color, spec.line_weight = imgui.ImVec4(*tint), weight
    return spec


def vertical(name: str, x: float, tint: theme.Rgba) -> None:
    """A thin line from the bottom to the top."""
    implot.plot_inf_lines(name, np.array([float(x)]), line_spec(tint, 1.0))


def iteration_ticks(last: int) -> list[int]:
    """Whole numbers from 0 to at most `last`, some of them."""
    return [*range(0, last + 1, max(-(-last // MOST_TICKS), 1))]


def iteration_axis(last: int) -> None:
    """Ticks of the horizontal axis at iterations."""
    ticks = iteration_ticks(last)
    implot.setup_axis_ticks(implot.ImAxis_.x1, [float(tick) for tick in ticks], [str(tick) for tick in ticks])


def legend(parts: Sequence[tuple[str, Any, theme.Rgba]]) -> None:
    """The names of curves in their colours, at the right end of the line before the plot."""
    width = sum(imgui.calc_text_size(name).x for name, _, _ in parts) + em(0.8) * (len(parts) - 1)
    imgui.same_line(imgui.get_window_width() - width - imgui.get_style().window_padding.x - em(0.8))
    for index, (name, _, tint) in enumerate(parts):
        if index:
            imgui.same_line(0, em(0.8))
        imgui.text_colored(tint, name)


def no_plot(text: str, width: float, height: float) -> None:
    """In place of a plot of so many pixels: why there is none."""
    (x, y), draw = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
    draw.add_rect_filled((x, y), (x + width, y + height), imgui.get_color_u32(theme.BACKGROUND), em(0.2))
    with font("sans"):
        size = imgui.calc_text_size(text)
        place = x + (width - size.x) / 2, y + (height - size.y) / 2
        draw.add_text(place, imgui.get_color_u32(theme.DIM), text)
    imgui.dummy((width, height))


def nearest_step(timeline: Timeline, time: float) -> int:
    """The step of the current line that is nearest to a time."""
    step = max(timeline.step_at(time), timeline.first)
    after = min(step + 1, timeline.last)
    return after if abs(timeline.time_of(after) - time) < abs(timeline.time_of(step) - time) else step
