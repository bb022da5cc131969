"""The Plots panel: watch expressions such as `d.qpos[2]`, and plot them over all recorded time."""

from __future__ import annotations

import time

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.background.curve import nearest, window, within
from app.background.curve_statistics import HEADINGS, Statistics, as_text, statistics
from app.background.units import unit_of
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.plots.chart import PATTERNS, Drawn, chart, drawn_curves, request_for, tint_of
from app.ui.quantities import heading
from app.ui.widgets import (
    button,
    caption,
    colour,
    elide,
    em,
    expression_field,
    font,
    icon_button,
    note,
    show_tooltip,
    tooltip,
)
from app.view.export_plots import begin_export, begin_sensor_export
from app.view.plots import ALL, LAST, Plots, Watch, line_name, separate, shown_lines
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
# the name of a curve has at least this, and so its value is cut rather
NAME_EM = 5.0
WINDOWS = (0.1, 3600.0)
# width of the legend, at most; a panel narrower than NARROW_EM has it below the curves
WIDTH_EM, NARROW_EM = 24.0, 36.0
LIST_SHARE, BELOW_SHARE = 0.4, 0.33
# a panel lower than this has either statistics or curves
LOW_EM = 15.0
HINT = 'd.qpos[2], norm(d.qvel), d.body("torso").xpos[2]'


def plots_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The legend on the left, below in a narrow panel; the curves next to it."""
    plots = view.plots
    room = imgui.get_content_region_avail()
    if plots.reject():
        # a field with the keyboard has a text of its own
        imgui.internal.clear_active_id()
    if room.x >= em(NARROW_EM):
        _watches(snapshot, view, (min(em(WIDTH_EM), LIST_SHARE * room.x), 0.0))
        imgui.same_line()
        _curves(snapshot, view, send, 0.0)
        return
    rows = 1.8 + len(plots.watches) + len(plots.script)
    below = min(rows * (imgui.get_font_size() + em(0.5)), BELOW_SHARE * room.y)
    height = max(room.y - below - imgui.get_style().item_spacing.y, em(2))
    _curves(snapshot, view, send, height)
    _watches(snapshot, view, (0.0, 0.0))


def _watches(snapshot: Snapshot, view: ViewState, size: tuple[float, float]) -> None:
    """The field for a new expression, and the legend."""
    imgui.begin_child("watches", size, window_flags=imgui.WindowFlags_.no_nav_inputs)
    _new(view.plots)
    legend(snapshot, view)
    imgui.end_child()


def _curves(snapshot: Snapshot, view: ViewState, send: Send, height: float) -> None:
    """Buttons, statistics, and the plot in what is left."""
    plots = view.plots
    imgui.begin_child("curves", (0.0, height), window_flags=imgui.WindowFlags_.no_nav_inputs)
    if plots.watches or plots.script:
        tools(snapshot, view, send)
        room = imgui.get_content_region_avail()
        low = room.y < em(LOW_EM)
        if plots.show_statistics:
            statistics_table(snapshot, view, 1.0 if low else 0.5)
        if low and plots.show_statistics:
            plots.request = request_for(snapshot, view, max(int(room.x), 1))
        else:
            chart(snapshot, view, send)
    else:
        imgui.push_text_wrap_pos()
        text = "Type an expression to plot it over all recorded time: d is the state, m the model."
        caption(text)
        imgui.pop_text_wrap_pos()
    imgui.end_child()


def _new(plots: Plots) -> None:
    """The field for a new expression."""
    imgui.set_next_item_width(-em(4))
    hint = "arithmetic, comparisons, functions such as norm, sum, abs, and fields of d and m with indices"
    entered, plots.typed = expression_field("##expression", HINT, plots.typed, hint)
    imgui.same_line()
    added = button("Add", "watch this expression, or several with commas between them   Enter", size=(-1, 0))
    if (added or entered) and plots.typed.strip():
        for expression in separate(plots.typed):
            plots.add(expression, typed=True)
        plots.typed = ""
    expression, reason = plots.rejected
    if expression and plots.typed == expression:
        note(reason, theme.ERROR)


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
    tooltip("copy the table to the clipboard\nfor the timeline's loop if there is one, otherwise for the visible range")
    for word, meaning in HEADINGS.items():
        imgui.table_next_column()
        caption(word, meaning)
    for name, curve, row in zip(names, curves, rows, strict=True):
        _statistics_row(name, curve.tint, row)
    imgui.end_table()


def _rows(plots: Plots, curves: list[Drawn], start: float, end: float) -> list[Statistics]:
    """Statistics of each curve; those of many samples are computed now and then."""
    shown = [window(part, start, end) for curve in curves for part in curve.curves]
    many = sum(part.stop - part.start for part in shown) > MANY
    if len(plots.statistics) != len(curves) or not many or time.monotonic() > plots.computed + SECONDS:
        plots.statistics = [statistics(*within(curve.curves, start, end)) for curve in curves]
        plots.computed = time.monotonic()
    return plots.statistics


def _statistics_row(name: str, tint: theme.Rgba, row: Statistics) -> None:
    imgui.table_next_row()
    imgui.table_next_column()
    with font("mono", 0.95):
        caption(name, name, (*tint[:3], 1.0))
        for number in row:
            imgui.table_next_column()
            imgui.text(str(number) if isinstance(number, int) else f"{number:.5g}")


def legend(snapshot: Snapshot, view: ViewState) -> None:
    """A row for each watch, with its error, and for what a script plots."""
    plots = view.plots
    imgui.push_style_var(imgui.StyleVar_.frame_padding, (imgui.get_style().frame_padding.x, em(0.12)))
    for index, watch in enumerate(plots.watches):
        imgui.push_id(index)
        removed = _watch(plots, watch, unit_of(watch.expression, snapshot.model))
        imgui.pop_id()
        reason = plots.sampled.shown.values.get(watch.expression)
        if isinstance(reason, str):
            note(reason, theme.ERROR)
        if removed:
            del plots.watches[index]
            break
    _script(snapshot, plots)
    imgui.pop_style_var()
    _lines(snapshot, view)


def _watch(plots: Plots, watch: Watch, unit: str) -> bool:
    """One watch: its colour, its value at the current step; returns whether to remove it."""
    removed = icon_button(icons.ICON_FA_XMARK, "remove", "stop watching", width=1.6)
    imgui.same_line(0, em(0.2))
    value = plots.sampled.shown.values.get(watch.expression)
    if isinstance(value, str):
        _row(watch.expression, watch.colour, watch.plotted, "error", value, wrong=True)
        return removed
    text = "" if value is None else f"{value:.6g} {unit}".strip()
    if _row(watch.expression, watch.colour, watch.plotted, text):
        watch.plotted = not watch.plotted
    return removed


def _row(name: str, number: int, plotted: bool, value: str, hint: str = "", wrong: bool = False) -> bool:
    """A square of the curve's colour, hollow if hidden, its name, a value on the right; whether it was clicked."""
    theme.ensure_glyphs(name)
    (left, top), width = imgui.get_cursor_screen_pos(), max(imgui.get_content_region_avail().x, em(2))
    pressed = imgui.invisible_button("##plotted", (width, imgui.get_frame_height()))
    hovered, draw = imgui.is_item_hovered(), imgui.get_window_draw_list()
    if imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        action = "" if wrong else f"\nclick: {'hide' if plotted else 'show'} the curve"
        show_tooltip("\n".join(part for part in (name, hint) if part) + action)
    if hovered:
        draw.add_rect_filled((left, top), (left + width, top + imgui.get_frame_height()), _ink(theme.RAISED), em(0.2))
    side, offset = em(0.65), (imgui.get_frame_height() - em(0.65)) / 2
    corners = (left + em(0.2), top + offset), (left + em(0.2) + side, top + offset + side)
    ink = imgui.get_color_u32(theme.ERROR if wrong else tint_of(number))
    if plotted and not wrong:
        draw.add_rect_filled(*corners, ink, 2.0)
    else:
        draw.add_rect(*corners, ink, 2.0, em(0.1))
    with font("mono"):
        words, start = imgui.calc_text_size(value).x, left + side + em(0.7)
        room = max(left + width - words - em(0.5) - start, em(NAME_EM))
        tint = theme.ERROR if wrong else theme.TEXT if plotted else theme.DIM
        imgui.set_cursor_screen_pos((start, top))
        caption(elide(name, room), tint=tint, framed=True)
        if value:
            imgui.same_line()
            imgui.set_cursor_screen_pos((max(left + width - words, start + room + em(0.3)), top))
            caption(value, tint=tint, framed=True)
    return pressed and not wrong


def _ink(tint: theme.Rgba) -> int:
    return imgui.get_color_u32(tint)


def _script(snapshot: Snapshot, plots: Plots) -> None:
    """What a script plots, with the value nearest to the current step."""
    for index, (name, curve) in enumerate(plots.script.items()):
        imgui.push_id(name)
        imgui.dummy((em(1.6), 1))
        imgui.same_line(0, em(0.2))
        found = nearest(curve.lines[-1:], snapshot.run.time)
        hint = "plotted by the script"
        if curve.thinned is not None:
            when = f"before {curve.thinned:.4g} s " if curve.thinned > 0 else "of earlier lines "
            hint += f"\nvalues {when}are thinned out: only the smallest and largest of every four remain"
        value = "" if found is None else f"{found[1]:.6g}"
        if _row(name, len(plots.watches) + index, name not in plots.unplotted, value, hint):
            plots.unplotted ^= {name}
        imgui.pop_id()


def _lines(snapshot: Snapshot, view: ViewState) -> None:
    """Which kind of line is which branch, if there are several."""
    branches = shown_lines(snapshot, view.timeline.compared)
    if len(branches) < 2 or not view.plots.watches:
        return
    draw = imgui.get_window_draw_list()
    for index, branch in enumerate(branches):
        left, top = imgui.get_cursor_screen_pos()
        middle = top + imgui.get_text_line_height() / 2
        ink = imgui.get_color_u32(theme.TEXT if index == 0 else theme.DIM)
        pattern, at = PATTERNS[index % len(PATTERNS)], 0.0
        while at < em(2.4):
            draw.add_line((left + at, middle), (left + min(at + pattern[0], em(2.4)), middle), ink, 2.0)
            at += sum(pattern) or em(2.4)
        imgui.set_cursor_screen_pos((left + em(2.8), top))
        imgui.text_colored(theme.TEXT if index == 0 else theme.DIM, line_name(snapshot.run.history, branch))
        tooltip("the current line" if index == 0 else "a branch chosen for comparison in the timeline")


def tools(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """One line of them."""
    plots = view.plots
    with colour(imgui.Col_.text, theme.TEXT if plots.mode == LAST else theme.DIM):
        imgui.set_next_item_width(em(9))
        changed, plots.window = imgui.slider_float(
            "##window", plots.window, *WINDOWS, "last %.3g s", imgui.SliderFlags_.logarithmic
        )
    tooltip(
        "show the last seconds, and follow the run; default 10\nright-click: the default; ctrl+click: type a number"
    )
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        changed, plots.window = True, Plots().window
    if changed or imgui.is_item_clicked():
        plots.mode = LAST
    imgui.same_line(0, em(0.3))
    if icon_button(icons.ICON_FA_ARROWS_LEFT_RIGHT, "all", "show all recorded time", plots.mode == ALL):
        plots.mode = ALL
    imgui.same_line(0, em(0.3))
    hint = "statistics of each curve, over the timeline's loop or the visible range"
    if icon_button(icons.ICON_FA_CALCULATOR, "statistics", hint, plots.show_statistics):
        plots.show_statistics = not plots.show_statistics
    imgui.same_line(0, em(0.3))
    if icon_button(icons.ICON_FA_FILE_EXPORT, "export", "write the curves to a file: CSV or npz"):
        imgui.open_popup("export")
    _export_menu(snapshot, view, send)
    _progress(plots, snapshot.run.paused)


def _export_menu(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """What to export, and as what."""
    if not imgui.begin_popup("export"):
        return
    options = view.plots.export_options
    for name, text, hint in (
        ("everything", "all recorded time", "otherwise the visible range"),
        ("every_step", "every step", "computed now; otherwise the samples in the plot"),
    ):
        _, wanted = imgui.checkbox(text, getattr(options, name))
        setattr(options, name, wanted)
        tooltip(hint)
    for suffix, hint in (("csv", "a text table: line, step, time, and a column for each curve"), ("npz", "for numpy")):
        if button(f"Save {suffix.upper() if suffix == 'csv' else suffix}", hint):
            begin_export(view, snapshot, send, suffix)
            imgui.close_current_popup()
        imgui.same_line()
    imgui.new_line()
    imgui.separator()
    hint = "every sensor at every recorded step of this branch, a column for each number"
    if button("Save all sensors as CSV", hint, snapshot.model is not None and snapshot.model.nsensor > 0):
        begin_sensor_export(view, snapshot, send)
        imgui.close_current_popup()
    imgui.end_popup()


def _progress(plots: Plots, paused: bool) -> None:
    """How far an export is, with a button to cancel it; or that samples of the past are on their way."""
    export = plots.export
    if export is not None:
        imgui.same_line()
        imgui.progress_bar(export.progress, (em(8), 0), f"{100 * export.progress:.0f} %")
        tooltip(f"writing {export.path}")
        imgui.same_line(0, em(0.2))
        if icon_button(icons.ICON_FA_XMARK, "cancel", "cancel the export", width=1.6):
            export.cancel()
    elif plots.sampled.refining and paused:
        imgui.same_line()
        caption(icons.ICON_FA_HOURGLASS, "computing more samples", framed=True)
