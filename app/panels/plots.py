"""The Plots panel: watch expressions such as `d.qpos[2]`, and plot them over time."""

from __future__ import annotations

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui, implot

from app.run.commands import Send, SetWatches
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import em, font, icon_button, tooltip
from app.view.view_state import ViewState
from app.view.watches import Plots, Watch

WIDTH_EM = 24.0
WINDOWS = (0.1, 600.0)
SHORTEST = 0.1
HINT = 'd.qpos[2], norm(d.qvel), d.body("torso").xpos[2]'


def plots_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Watches on the left, their plot on the right."""
    width = min(em(WIDTH_EM), 0.5 * imgui.get_content_region_avail().x)
    imgui.begin_child("watches", (width, 0), window_flags=imgui.WindowFlags_.no_nav_inputs)
    _new(view, send)
    for index, watch in enumerate(view.plots.watches):
        imgui.push_id(index)
        if _watch(watch):
            del view.plots.watches[index]
            send(SetWatches(view.plots.expressions()))
            imgui.pop_id()
            break
        imgui.pop_id()
    imgui.end_child()
    imgui.same_line()
    imgui.begin_child("curves", window_flags=imgui.WindowFlags_.no_nav_inputs)
    if view.plots.watches:
        _curves(snapshot, view)
    else:
        imgui.push_text_wrap_pos()
        imgui.text_colored(theme.DIM, "Type an expression to plot it: d is the state, m the model.")
        imgui.pop_text_wrap_pos()
    imgui.end_child()


def add_watch(view: ViewState, expression: str, send: Send) -> None:
    """Watch an expression unless it is watched already."""
    if expression and expression not in view.plots.expressions():
        view.plots.watches.append(Watch(expression))
        send(SetWatches(view.plots.expressions()))


def _new(view: ViewState, send: Send) -> None:
    """The field for a new expression, and the time window."""
    plots = view.plots
    imgui.set_next_item_width(-em(4))
    entered, plots.typed = imgui.input_text_with_hint(
        "##expression", HINT, plots.typed, imgui.InputTextFlags_.enter_returns_true
    )
    if entered:
        # keep the focus for the next expression
        imgui.set_keyboard_focus_here(-1)
    elif imgui.is_item_active() and not plots.typed and not imgui.get_io().want_capture_mouse:
        # the mouse is back over the view: its keys should work again
        imgui.internal.clear_active_id()
    tooltip("arithmetic, comparisons, functions such as norm, sum, abs, and fields of d and m with indices")
    imgui.same_line()
    added = imgui.button("Add", (-1, 0))
    tooltip("watch this expression   Enter")
    if (added or entered) and plots.typed.strip():
        add_watch(view, plots.typed.strip(), send)
        plots.typed = ""
    imgui.set_next_item_width(-em(4))
    flags = imgui.SliderFlags_.logarithmic
    _, plots.window = imgui.slider_float("##window", plots.window, *WINDOWS, "last %.3g s", flags)
    tooltip("time window of the plot, s\ndefault 10; right-click: the default; ctrl+click: type a number")
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        plots.window = Plots().window


def _watch(watch: Watch) -> bool:
    """One watch; returns whether to remove it."""
    removed = icon_button(icons.ICON_FA_XMARK, "remove", "stop watching", width=1.6)
    imgui.same_line(0, em(0.2))
    _, watch.plotted = imgui.checkbox("##plotted", watch.plotted)
    tooltip("show in the plot")
    imgui.same_line(0, em(0.4))
    with font("mono"):
        imgui.text(watch.expression)
        tooltip(watch.problem or watch.expression)
        if watch.problem:
            imgui.same_line()
            imgui.text_colored(theme.ERROR, watch.problem)
        elif watch.values:
            text = f"{watch.values[-1]:.6g}"
            imgui.same_line()
            room = imgui.get_content_region_avail().x - imgui.calc_text_size(text).x - em(0.5)
            imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(room, 0.0))
            imgui.text(text)
    return removed


def _curves(snapshot: Snapshot, view: ViewState) -> None:
    """The plot of all watches over the time window."""
    if not implot.begin_plot("##curves", (-1, -1), implot.Flags_.no_menus | implot.Flags_.no_title):
        return
    implot.setup_axes("time, s", "", implot.AxisFlags_.none, implot.AxisFlags_.auto_fit)
    now = snapshot.run.time
    # after a reset the axis grows until it has the full window
    first = now - min(view.plots.window, max(now, SHORTEST))
    implot.setup_axis_limits(implot.ImAxis_.x1, first, now, implot.Cond_.always)
    for watch in view.plots.watches:
        if watch.plotted and watch.times:
            implot.plot_line(watch.expression, np.array(watch.times), np.array(watch.values))
    implot.end_plot()
