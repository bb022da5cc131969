"""Marks on the strip: their icons and colours, what is drawn, what they say, and switches for their types."""

from __future__ import annotations

from collections import Counter

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.run.commands import Send
from app.run.history.markers import Marker, MarkerType
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import caption, colour, em, icon_button, tooltip
from app.view.input import time_actions
from app.view.input.bindings import hint
from app.view.mark_table import FREQUENT, ORDER, Run
from app.view.time_axis import TimeAxis
from app.view.view_state import ViewState

# icon, colour, and what marks of a type are called
LOOKS = {
    MarkerType.EDIT: (icons.ICON_FA_PEN, "ACCENT", "edits"),
    MarkerType.PERTURB: (icons.ICON_FA_HAND, "TEXT", "pulls"),
    MarkerType.FILE: (icons.ICON_FA_FILE, "ADDED", "changes of the file"),
    MarkerType.KERNEL: (icons.ICON_FA_CODE, "ADDED", "changes of kernels"),
    MarkerType.JUMP: (icons.ICON_FA_CLOCK_ROTATE_LEFT, "WARNING", "time jumps"),
    MarkerType.DIVERGENCE: (icons.ICON_FA_BURST, "ERROR", "divergences"),
    MarkerType.BREAKPOINT: (icons.ICON_FA_CIRCLE_STOP, "BREAKPOINT", "breakpoints that fired"),
    MarkerType.CONTACT: (icons.ICON_FA_CIRCLE_DOT, "CONTACT", "contacts that begin"),
    MarkerType.WAKE: (icons.ICON_FA_BELL, "WAKE", "trees that wake"),
    MarkerType.BRANCH: (icons.ICON_FA_CODE_BRANCH, "DIM", "branches that begin"),
    MarkerType.START: (icons.ICON_FA_FLAG, "DIM", "starts"),
}
# where in the row the ticks of a type are, from top to bottom; bars are at the top
SPANS = {MarkerType.CONTACT: (0.72, 1.0), MarkerType.WAKE: (0.42, 0.68)}
BAR = 0.16
TICK_EM, TEXT_EM, MOST_LISTED = 0.18, 3.0, 8
SWITCH_EM = 1.3


def draw_marks(runs: tuple[list[Run], list[Run]], axis: TimeAxis, top: float, height: float) -> None:
    """Bars and ticks, with their text where there is room before the next one."""
    draw = imgui.get_window_draw_list()
    bars, ticks = runs
    tints = [getattr(theme, LOOKS[type_][1]) for type_ in ORDER]
    for run in bars:
        soft = imgui.get_color_u32((*tints[run.rank][:3], 0.6))
        draw.add_rect_filled((run.left, top), (run.right, top + BAR * height), soft)
    solid = [imgui.get_color_u32(tint) for tint in tints]
    spans = [(top + low * height, top + high * height) for low, high in (SPANS.get(t, (0.0, 1.0)) for t in ORDER)]
    gap, rectangle = 1.5 * em(TICK_EM), draw.add_rect_filled
    for left, right, rank, _ in ticks:
        low, high = spans[rank]
        rectangle((left, low), (right - 1.0 if right - left <= gap else right, high), solid[rank])
    ordered = sorted(ticks, key=lambda run: run.left)
    edges = [*(run.left for run in ordered[1:]), axis.left + axis.width][: len(ordered)]
    reach = 0.0
    for run, edge in zip(ordered, edges, strict=True):
        reach = max(reach, run.right)
        if run.alone is not None and edge - reach > em(TEXT_EM) and reach <= run.right + 1:
            _text(run, edge, top, height)


def _text(run: Run, edge: float, top: float, height: float) -> None:
    """The text of a single mark, clipped before the next one."""
    draw = imgui.get_window_draw_list()
    size = 0.85 * imgui.get_font_size()
    tint = imgui.get_color_u32(theme.DIM if run.type in FREQUENT else theme.TEXT)
    assert run.alone is not None
    draw.push_clip_rect((run.right, top), (edge - em(0.4), top + height), True)
    draw.add_text(imgui.get_font(), size, (run.right + em(0.2), top + (height - size) / 2 + 1), tint, run.alone.text)
    draw.pop_clip_rect()


def mark_line(marker: Marker) -> str:
    """The text of a marker: steps and event."""
    steps = f"step {marker.moment}" if marker.last == marker.moment else f"steps {marker.moment} to {marker.last}"
    return f"{steps}   {marker.text}"


def marks_text(near: list[Marker]) -> str:
    """What marks near the pointer say, in order of time; of many, the nearest ones."""
    listed = sorted(near[:MOST_LISTED], key=lambda marker: marker.moment)
    lines = [mark_line(marker) for marker in listed]
    if len(near) > MOST_LISTED:
        rest = Counter(LOOKS[marker.type][2] for marker in near[MOST_LISTED:])
        lines.append(f"and more, zoom in: {', '.join(f'{count} {what}' for what, count in rest.most_common())}")
    return "\n".join(lines)


def mark_switches(view: ViewState, send: Send, snapshot: Snapshot, width: float, rows: int) -> None:
    """A small switch for each type, and buttons for the mark before and after, in one row or two."""
    hidden = view.timeline.hidden
    left, top = imgui.get_cursor_screen_pos()
    side = min(em(SWITCH_EM), width / len(LOOKS))
    imgui.push_style_var(imgui.StyleVar_.frame_padding, (0.0, em(0.1)))
    for place, (type_, (icon, tint, called)) in enumerate(LOOKS.items()):
        on = type_ not in hidden
        imgui.set_cursor_screen_pos((left + place * side, top))
        shade = getattr(theme, tint) if on else (*theme.DIM[:3], 0.35)
        with colour(imgui.Col_.text, shade), colour(imgui.Col_.button, theme.CLEAR):
            if imgui.button(f"{icon}##{type_.name}", (side, 0)):
                (hidden.add if on else hidden.discard)(type_)
        tooltip(f"{called}: {'shown; press to hide' if on else 'hidden; press to show'}")
    imgui.set_cursor_screen_pos((left, top + em(1.7)) if rows > 1 else (left + width - em(5.5), top))
    for icon, name, action, direction in (
        (icons.ICON_FA_ANGLE_LEFT, "previous", time_actions.previous_mark, -1),
        (icons.ICON_FA_ANGLE_RIGHT, "next", time_actions.next_mark, 1),
    ):
        if icon_button(icon, f"{name} mark", hint(action), width=1.6):
            time_actions.go_to_mark(snapshot.run, view, send, direction)
        imgui.same_line(0, em(0.1))
    caption("marks", framed=True)
    imgui.pop_style_var()
