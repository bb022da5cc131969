"""The Plots panel: watch expressions such as `d.qpos[2]`, and plot them over all recorded time."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.insight.curve import nearest
from app.panels.plots.chart import chart, request_for
from app.panels.plots.drawn import PATTERNS, tint_of
from app.panels.plots.numbers import statistics_table
from app.panels.plots.tools import tools
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import elide, em, font, icon_button, tooltip
from app.view.plots import Plots, Watch, line_name, shown_lines
from app.view.view_state import ViewState

# width of the list, at most; a panel narrower than NARROW_EM has it above the curves
WIDTH_EM, NARROW_EM = 24.0, 36.0
LIST_EM, LIST_SHARE = 9.0, 0.4
# a panel lower than this has either statistics or curves
LOW_EM = 15.0
HINT = 'd.qpos[2], norm(d.qvel), d.body("torso").xpos[2]'


def plots_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Watches on the left, which are the legend; their curves on the right."""
    plots = view.plots
    room = imgui.get_content_region_avail()
    narrow = room.x < em(NARROW_EM)
    size = (0.0, min(em(LIST_EM), LIST_SHARE * room.y)) if narrow else (min(em(WIDTH_EM), LIST_SHARE * room.x), 0.0)
    imgui.begin_child("watches", size, window_flags=imgui.WindowFlags_.no_nav_inputs)
    _new(plots)
    imgui.push_style_var(imgui.StyleVar_.frame_padding, (imgui.get_style().frame_padding.x, em(0.12)))
    for index, watch in enumerate(plots.watches):
        imgui.push_id(index)
        removed = _watch(plots, watch)
        imgui.pop_id()
        if removed:
            del plots.watches[index]
            break
    _script(snapshot, plots)
    imgui.pop_style_var()
    _lines(snapshot, view)
    imgui.end_child()
    if not narrow:
        imgui.same_line()
    imgui.begin_child("curves", window_flags=imgui.WindowFlags_.no_nav_inputs)
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
        imgui.text_colored(theme.DIM, text)
        imgui.pop_text_wrap_pos()
    imgui.end_child()


def _new(plots: Plots) -> None:
    """The field for a new expression."""
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
        plots.add(plots.typed.strip())
        plots.typed = ""


def _watch(plots: Plots, watch: Watch) -> bool:
    """One watch: its colour, its value at the shown moment; returns whether to remove it."""
    removed = icon_button(icons.ICON_FA_XMARK, "remove", "stop watching", width=1.6)
    imgui.same_line(0, em(0.2))
    _, watch.plotted = imgui.checkbox("##plotted", watch.plotted)
    tooltip("show in the plot")
    imgui.same_line(0, em(0.4))
    value = plots.sampled.shown.values.get(watch.expression)
    _legend(watch.expression, watch.colour, "" if value is None or isinstance(value, str) else f"{value:.6g}")
    if isinstance(value, str):
        with font("mono", 0.95):
            imgui.push_text_wrap_pos()
            imgui.text_colored(theme.ERROR, value)
            imgui.pop_text_wrap_pos()
            tooltip(f"{watch.expression}\n{value}")
    return removed


def _legend(name: str, colour: int, value: str, hint: str = "") -> None:
    """A square of the curve's colour, its name, and a value on the right."""
    theme.ensure_glyphs(name)
    left, top = imgui.get_cursor_screen_pos()
    right = left + imgui.get_content_region_avail().x
    side, offset = em(0.6), imgui.get_style().frame_padding.y + em(0.2)
    fill = imgui.get_color_u32(tint_of(colour))
    imgui.get_window_draw_list().add_rect_filled((left, top + offset), (left + side, top + offset + side), fill, 2.0)
    imgui.set_cursor_screen_pos((left + side + em(0.4), top))
    with font("mono"):
        imgui.align_text_to_frame_padding()
        width = imgui.calc_text_size(value).x
        imgui.text(elide(name, max(right - width - em(0.5) - imgui.get_cursor_screen_pos().x, em(3))))
        tooltip(f"{name}\n{hint}" if hint else name)
        if value:
            imgui.same_line()
            imgui.set_cursor_screen_pos((max(right - width, imgui.get_cursor_screen_pos().x), top))
            imgui.align_text_to_frame_padding()
            imgui.text(value)


def _script(snapshot: Snapshot, plots: Plots) -> None:
    """What a script plots, with the value nearest to the shown moment."""
    for index, (name, curve) in enumerate(plots.script.items()):
        imgui.push_id(name)
        imgui.dummy((em(1.6), 1))
        imgui.same_line(0, em(0.2))
        _, plotted = imgui.checkbox("##plotted", name not in plots.unplotted)
        plots.unplotted = plots.unplotted - {name} if plotted else plots.unplotted | {name}
        tooltip("show in the plot")
        imgui.same_line(0, em(0.4))
        found = nearest(curve.lines[-1:], snapshot.run.time)
        hint = "plotted by the script"
        if curve.thinned is not None:
            when = f"before {curve.thinned:.4g} s " if curve.thinned > 0 else "of earlier lines "
            hint += f"\nvalues {when}are thinned out: of every four the smallest and the largest"
        _legend(name, len(plots.watches) + index, "" if found is None else f"{found[1]:.6g}", hint)
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
        tooltip("the line that is shown" if index == 0 else "compared: chosen in the timeline")
