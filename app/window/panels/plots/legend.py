"""The legend of the Plots panel: a row for each curve with its value and unit; a click hides the curve or shows it."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.background.curve import nearest
from app.background.units import unit_of
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.plots.drawn import PATTERNS, tint_of
from app.ui.widgets import caption, elide, em, font, icon_button, note, show_tooltip, tooltip
from app.view.plots import Plots, Watch, line_name, shown_lines
from app.view.view_state import ViewState

# the name of a curve has at least this, and so its value is cut rather
NAME_EM = 5.0


def legend(snapshot: Snapshot, view: ViewState, errors: bool) -> None:
    """A row for each watch and for what a script plots, with the texts of `errors` or without."""
    plots = view.plots
    imgui.push_style_var(imgui.StyleVar_.frame_padding, (imgui.get_style().frame_padding.x, em(0.12)))
    for index, watch in enumerate(plots.watches):
        imgui.push_id(index)
        removed = _watch(plots, watch, unit_of(watch.expression, snapshot.model))
        imgui.pop_id()
        reason = plots.sampled.shown.values.get(watch.expression)
        if errors and isinstance(reason, str):
            note(reason, theme.ERROR)
        if removed:
            del plots.watches[index]
            break
    _script(snapshot, plots)
    imgui.pop_style_var()
    _lines(snapshot, view)


def errors_of(plots: Plots) -> list[tuple[str, str]]:
    """Expressions that have no value, and why."""
    shown = plots.sampled.shown.values
    return [(text, str(shown[text])) for text in plots.expressions() if isinstance(shown.get(text), str)]


def _watch(plots: Plots, watch: Watch, unit: str) -> bool:
    """One watch: its colour, its value at the shown moment; returns whether to remove it."""
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
    """What a script plots, with the value nearest to the shown moment."""
    for index, (name, curve) in enumerate(plots.script.items()):
        imgui.push_id(name)
        imgui.dummy((em(1.6), 1))
        imgui.same_line(0, em(0.2))
        found = nearest(curve.lines[-1:], snapshot.run.time)
        hint = "plotted by the script"
        if curve.thinned is not None:
            when = f"before {curve.thinned:.4g} s " if curve.thinned > 0 else "of earlier lines "
            hint += f"\nvalues {when}are thinned out: of every four the smallest and the largest"
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
        tooltip("the line that is shown" if index == 0 else "compared: chosen in the timeline")
