"""The Breakpoints panel: what stops the run, what it reads now, and where it has fired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.breakpoints.open import presets_menu
from app.instruments.breakpoints.values import BreakQuestion, BreakValue
from app.run.commands import GoTo, Send, SetBreakpoints
from app.run.history.breakpoints import Breakpoint
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.tables.frame import FLAGS, Heading, begin_table, cell, fit_columns, forget_widths, note_width
from app.ui.tables.table import state_of
from app.ui.widgets import button, colour, disabled, em, expression_field, font, icon_button, note, tooltip
from app.view.input import breakpoint_actions
from app.view.input.bindings import hint
from app.view.view_state import ViewState
from sim.analysis.measures import MEASURES

TABLE = "watched expressions"
COLUMNS = (
    Heading("on", "on", "watch it, or keep it for later"),
    Heading(
        "expression", "pause when this becomes true", "of m and d; Enter or a click elsewhere applies a change", True
    ),
    Heading("now", "now", "the compared values in the current state; coloured while the condition holds"),
    Heading("hits", "hits", "how many times it has fired"),
    Heading("last", "last (s)", "the time of the last hit; click to go there"),
    Heading("", ""),
)
EXAMPLE = 'normal_force("foot", "floor") > 100 and d.time > 1'
EMPTY = (
    "Nothing is watched yet. Add an event, or type an expression: the run pauses at the step where it becomes "
    "true, and the camera turns to it."
)


def breakpoints_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """A line to add one, and a row for each."""
    points = snapshot.run.breakpoints
    _head(snapshot, view, send)
    if not points:
        note(EMPTY)
        return
    answer = view.instruments.ask(BreakQuestion(tuple(point.expression for point in points)))
    found: Sequence[BreakValue] = answer.value if answer is not None and not answer.error else ()
    state = state_of(view, TABLE)
    forget_widths(state, None)
    if begin_table(TABLE, state, COLUMNS, FLAGS & ~imgui.TableFlags_.sortable):
        for k, point in enumerate(points):
            value = found[k] if k < len(found) else BreakValue()
            imgui.push_id(point.number)
            _row(point, value, snapshot, view, send)
            imgui.pop_id()
            with font("mono"):
                for name, text in (("now", _now(value)), ("last", _when(point)), ("expression", point.expression)):
                    note_width(state, name, imgui.calc_text_size(text).x)
        fit_columns(state)
        imgui.end_table()


def _now(value: BreakValue) -> str:
    """The numbers that decide."""
    return ", ".join(f"{number:.4g}" for _, number in value.numbers)


def _when(point: Breakpoint) -> str:
    """The time of the last hit."""
    return f"{point.time:.4f}" if point.moment is not None else "–"


def _head(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """The menu of presets, the field for an expression, all on or off, and the hits before and after."""
    points = snapshot.run.breakpoints
    if button(f"{icons.ICON_FA_PLUS} Add", "common conditions for the selected element"):
        imgui.open_popup("presets")
    if imgui.begin_popup("presets"):
        presets_menu(snapshot, view, send)
        imgui.end_popup()
    imgui.same_line()
    imgui.set_next_item_width(max(imgui.get_content_region_avail().x - em(8.6), em(6)))
    entered, view.ui.break_typed = expression_field("##breakpoint", EXAMPLE, view.ui.break_typed, _vocabulary)
    if entered:
        breakpoint_actions.add_breakpoint(points, view.ui.break_typed, send)
        view.ui.break_typed = ""
    on = any(point.on for point in points)
    with disabled(not points):
        imgui.same_line()
        icon = icons.ICON_FA_TOGGLE_ON if on else icons.ICON_FA_TOGGLE_OFF
        if icon_button(icon, "all", hint(breakpoint_actions.toggle_breakpoints), active=on):
            breakpoint_actions.switch(points, [point.number for point in points], not on, send)
    with disabled(not on):
        for icon, action in (
            (icons.ICON_FA_BACKWARD_STEP, breakpoint_actions.previous_hit),
            (icons.ICON_FA_FORWARD_STEP, breakpoint_actions.next_hit),
        ):
            imgui.same_line(0, em(0.2))
            if icon_button(icon, action.__name__, hint(action)):
                view.ui.request = action


def _vocabulary() -> str:
    """All measures, for the tooltip of the field."""
    lines = "\n".join(sorted(f"{measure.usage(name)}: {measure.text}" for name, measure in MEASURES.items()))
    return (
        f"Enter watches this. It fires when it becomes true.\n{lines}\n"
        "rises(x): how much x has grown since the previous step\n"
        'd.time, d.qpos[2], d.joint("knee").qvel[0], m.opt.timestep; and, or, not, <, <=, abs, norm, max ...'
    )


def _row(point: Breakpoint, value: BreakValue, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """One breakpoint: switch, expression, value, hits, last hit, buttons."""
    points = snapshot.run.breakpoints
    imgui.table_next_row()
    imgui.table_next_column()
    pressed, on = imgui.checkbox("##on", point.on)
    tooltip("watch it, or keep it for later")
    if pressed:
        breakpoint_actions.switch(points, [point.number], on, send)
    imgui.table_next_column()
    _expression(point, points, view, send)
    error = value.error or point.error
    if error:
        note(error, theme.ERROR)
    hit = snapshot.run.hit
    tint = theme.TEXT if point.on else theme.DIM
    with font("mono"):
        imgui.table_next_column()
        imgui.align_text_to_frame_padding()
        cell(_now(value), theme.BREAKPOINT if value.true else tint, True)
        tooltip("\n".join(f"{name} = {number:.6g}" for name, number in value.numbers) or error or "computing")
        imgui.table_next_column()
        imgui.align_text_to_frame_padding()
        here = hit is not None and hit.number == point.number and hit.moment == point.moment
        cell(str(point.hits), theme.BREAKPOINT if here and point.hits else tint, True)
        imgui.table_next_column()
        _last(point, snapshot, send)
    imgui.table_next_column()
    if icon_button(icons.ICON_FA_CHART_LINE, "plot", "plot these numbers over all recorded time", width=1.8):
        for name, _ in value.numbers:
            view.plots.add(name)
        view.ui.reveal = "Plots"
    imgui.same_line(0, em(0.2))
    if icon_button(icons.ICON_FA_XMARK, "remove", "remove this breakpoint", width=1.8):
        send(SetBreakpoints(tuple(other for other in points if other.number != point.number)))


def _expression(point: Breakpoint, points: Sequence[Breakpoint], view: ViewState, send: Send) -> None:
    """The expression, which can be typed over."""
    edited = view.ui.break_edited
    mine = edited is not None and edited[0] == point.number
    text = edited[1] if mine and edited is not None else point.expression
    imgui.set_next_item_width(-1)
    tint = theme.TEXT if point.on else theme.DIM
    with font("mono"), colour(imgui.Col_.text, tint), colour(imgui.Col_.frame_bg, theme.CLEAR):
        changed, text = imgui.input_text_with_hint("##text", point.expression, text)
    ended = imgui.is_item_deactivated()
    with font("sans"):
        tooltip(f"{point.expression}\n{point.detail}".strip())
    if changed:
        view.ui.break_edited = (point.number, text)
    elif not ended:
        return
    if ended and view.ui.break_edited is not None:
        view.ui.break_edited = None
        if text.strip() and text.strip() != point.expression:
            others = tuple(replace(p, expression=text.strip()) if p.number == point.number else p for p in points)
            send(SetBreakpoints(others))


def _last(point: Breakpoint, snapshot: Snapshot, send: Send) -> None:
    """The time of the last hit, as a link to its moment."""
    if point.moment is None:
        imgui.align_text_to_frame_padding()
        cell(_when(point), theme.DIM, True)
        return
    with colour(imgui.Col_.button, theme.CLEAR), colour(imgui.Col_.text, theme.ACCENT):
        pressed = imgui.button(_when(point), (-1, 0))
    with font("sans"):
        tooltip(f"go to this time\n{point.detail}")
    branch, step = point.moment
    if pressed and any(known.id == branch for known in snapshot.run.history.branches):
        send(GoTo(step, branch))
