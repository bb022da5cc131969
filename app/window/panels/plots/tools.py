"""The buttons above the curves: which time is shown, statistics, export."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import button, caption, colour, disabled, em, icon_button, tooltip
from app.view.export_plots import begin_export, begin_sensor_export
from app.view.plots import ALL, LAST, Plots
from app.view.view_state import ViewState

WINDOWS = (0.1, 3600.0)


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
    hint = "statistics of each curve: of the loop on the timeline, or of what is shown"
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
        ("everything", "all recorded time", "else what is shown"),
        ("every_step", "every step", "computed now; else the samples that are shown"),
    ):
        _, wanted = imgui.checkbox(text, getattr(options, name))
        setattr(options, name, wanted)
        tooltip(hint)
    for suffix, hint in (("csv", "a table of text: line, step, time, one column for each curve"), ("npz", "for numpy")):
        if button(f"Save {suffix.upper() if suffix == 'csv' else suffix}", hint):
            begin_export(view, snapshot, send, suffix)
            imgui.close_current_popup()
        imgui.same_line()
    imgui.new_line()
    imgui.separator()
    with disabled(snapshot.model is None or not snapshot.model.nsensor):
        if imgui.button("Save all sensors as CSV"):
            begin_sensor_export(view, snapshot, send)
            imgui.close_current_popup()
    tooltip("every sensor at every recorded step of this branch, a column for each number")
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
        caption(icons.ICON_FA_HOURGLASS, "more samples are being computed", framed=True)
