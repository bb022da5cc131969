"""The Plots panel: watch expressions such as `d.qpos[2]`, and plot them over all recorded time."""

from __future__ import annotations

from imgui_bundle import imgui

from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.plots.chart import chart, request_for
from app.ui.widgets import button, caption, colour, em, expression_field
from app.view.plots import Plots, separate
from app.view.view_state import ViewState
from app.window.panels.plots.legend import errors_of, legend
from app.window.panels.plots.numbers import statistics_table
from app.window.panels.plots.tools import tools

# width of the legend, at most; a panel narrower than NARROW_EM has it below the curves
WIDTH_EM, NARROW_EM = 24.0, 36.0
LIST_SHARE, BELOW_SHARE = 0.4, 0.33
# what errors may have of the height; in panels that are not higher than this they are in the legend
ERROR_SHARE, ROOMY_EM = 0.4, 10.0
# a panel lower than this has either statistics or curves
LOW_EM = 15.0
HINT = 'd.qpos[2], norm(d.qvel), d.body("torso").xpos[2]'


def plots_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The legend on the left, below in a narrow panel; the curves beside it."""
    plots = view.plots
    room = imgui.get_content_region_avail()
    if room.x >= em(NARROW_EM):
        apart = room.y > em(ROOMY_EM)
        _watches(snapshot, view, (min(em(WIDTH_EM), LIST_SHARE * room.x), 0.0), not apart)
        imgui.same_line()
        _curves(snapshot, view, send, 0.0, apart)
        return
    rows = 1.8 + len(plots.watches) + len(plots.script)
    below = min(rows * (imgui.get_font_size() + em(0.5)), BELOW_SHARE * room.y)
    height = max(room.y - below - imgui.get_style().item_spacing.y, em(2))
    apart = height > em(ROOMY_EM)
    _curves(snapshot, view, send, height, apart)
    _watches(snapshot, view, (0.0, 0.0), not apart)


def _watches(snapshot: Snapshot, view: ViewState, size: tuple[float, float], errors: bool) -> None:
    """The field for a new expression, and the legend, which has the errors if there is no room for them elsewhere."""
    imgui.begin_child("watches", size, window_flags=imgui.WindowFlags_.no_nav_inputs)
    _new(view.plots)
    legend(snapshot, view, errors)
    imgui.end_child()


def _curves(snapshot: Snapshot, view: ViewState, send: Send, height: float, errors: bool) -> None:
    """Buttons, errors, statistics, and the plot in what is left."""
    plots = view.plots
    imgui.begin_child("curves", (0.0, height), window_flags=imgui.WindowFlags_.no_nav_inputs)
    if plots.watches or plots.script:
        tools(snapshot, view, send)
        if errors:
            _errors(errors_of(plots))
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


def _errors(errors: list[tuple[str, str]]) -> None:
    """Each expression that has no value, and why: whole, in as many lines as that takes."""
    if not errors:
        return
    texts = [f"{expression}: {reason}" for expression, reason in errors]
    room = imgui.get_content_region_avail()
    spacing = imgui.get_style().item_spacing.y
    needed = sum(imgui.calc_text_size(text, wrap_width=max(room.x, 1.0)).y + spacing for text in texts)
    size = (0.0, min(needed, max(ERROR_SHARE * room.y, imgui.get_text_line_height())))
    imgui.begin_child("errors", size, window_flags=imgui.WindowFlags_.no_nav_inputs)
    with colour(imgui.Col_.text, theme.ERROR):
        for text in texts:
            theme.ensure_glyphs(text)
            imgui.text_wrapped(text)
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
            plots.add(expression)
        plots.typed = ""
