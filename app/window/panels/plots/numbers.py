"""Statistics of the plotted curves over the loop of the timeline, or over what is shown."""

from __future__ import annotations

import time

from imgui_bundle import imgui

from app.background.curve import window, within
from app.background.curve_statistics import HEADINGS, Statistics, as_text, statistics
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.plots.drawn import Drawn, drawn_curves
from app.ui.quantities import heading
from app.ui.widgets import caption, em, font, tooltip
from app.view.plots import Plots, shown_lines
from app.view.view_state import ViewState

# statistics of more samples than this are computed again after so many seconds
MANY, SECONDS = 20_000, 0.5
FLAGS = (
    imgui.TableFlags_.row_bg
    | imgui.TableFlags_.scroll_x
    | imgui.TableFlags_.scroll_y
    | imgui.TableFlags_.sizing_fixed_fit
)
NUMBER_EM = 5.0


def statistics_table(snapshot: Snapshot, view: ViewState, share: float) -> None:
    """A row for each curve, in at most this share of the height."""
    timeline = snapshot.run.history
    start, end = view.plots.times(timeline, shown_lines(snapshot, view.timeline.compared))
    what = "shown"
    if timeline.loop is not None:
        start, end = (timeline.time_of(step) for step in timeline.loop)
        what = "loop"
    curves = [curve for curve in drawn_curves(snapshot, view) if curve.name]
    found = [*zip(curves, _rows(view.plots, curves, start, end), strict=True)]
    curves, rows = [c for c, row in found if row.samples], [row for _, row in found if row.samples]
    names = [f"{heading(curve.name, curve.unit)}  {curve.line}".strip() for curve in curves]
    style = imgui.get_style()
    line = imgui.get_text_line_height() + 2 * style.cell_padding.y
    head = imgui.get_frame_height() + 2 * style.cell_padding.y + style.scrollbar_size
    height = min(head + (len(rows) + 0.5) * line, share * imgui.get_content_region_avail().y)
    if not imgui.begin_table("statistics", len(HEADINGS) + 1, FLAGS, (0, height)):
        return
    imgui.table_setup_scroll_freeze(1, 1)
    imgui.table_setup_column("##curve")
    for word in HEADINGS:
        imgui.table_setup_column(word, imgui.TableColumnFlags_.width_fixed, em(NUMBER_EM))
    imgui.table_next_row(imgui.TableRowFlags_.headers)
    imgui.table_next_column()
    if imgui.button(f"{what} {start:.4g} to {end:.4g} s"):
        imgui.set_clipboard_text(as_text(names, rows, f"{start!r} to {end!r} s"))
        view.feedback.show_message("copied the statistics")
    tooltip("copy the table to the clipboard\nof the loop on the timeline if there is one, else of what is shown")
    for word, meaning in HEADINGS.items():
        imgui.table_next_column()
        caption(word, meaning)
    for name, curve, row in zip(names, curves, rows, strict=True):
        _row(name, curve.tint, row)
    imgui.end_table()


def _rows(plots: Plots, curves: list[Drawn], start: float, end: float) -> list[Statistics]:
    """Statistics of each curve; those of many samples are computed now and then."""
    shown = [window(part, start, end) for curve in curves for part in curve.curves]
    many = sum(part.stop - part.start for part in shown) > MANY
    if len(plots.statistics) != len(curves) or not many or time.monotonic() > plots.computed + SECONDS:
        plots.statistics = [statistics(*within(curve.curves, start, end)) for curve in curves]
        plots.computed = time.monotonic()
    return plots.statistics


def _row(name: str, tint: theme.Rgba, row: Statistics) -> None:
    imgui.table_next_row()
    imgui.table_next_column()
    with font("mono", 0.95):
        caption(name, name, (*tint[:3], 1.0))
        for number in row:
            imgui.table_next_column()
            imgui.text(str(number) if isinstance(number, int) else f"{number:.5g}")
