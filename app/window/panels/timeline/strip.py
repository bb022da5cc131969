"""The strip: a time axis with the line of the current branch, marks, the loop and the playhead; drag to scrub."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.run.commands import GoTo, Send, SetLoop, SetPaused
from app.run.history.branch_colours import branch_colour
from app.run.history.markers import Marker, MarkerType
from app.run.history.timeline import Timeline
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import caption, colour, em, icon_button, show_tooltip, tooltip
from app.view.input import time_actions
from app.view.input.bindings import hint
from app.view.mark_table import FREQUENT, ORDER, Run
from app.view.time_axis import TimeAxis, clock_text
from app.view.timeline_view import StripDrag, TimelineView
from app.view.view_state import ViewState

RULER_EM, MARKS_EM, TRACK_EM, BAR_EM = 1.25, 1.4, 0.7, 0.3
# room at both ends for what stands at the first and the last moment
PAD_EM = 0.45
# between labelled ticks
LABEL_EM = 5.5
BUTTONS = (
    imgui.ButtonFlags_.mouse_button_left
    | imgui.ButtonFlags_.mouse_button_right
    | imgui.ButtonFlags_.mouse_button_middle
)
# the pointer is on a mark or an end of the loop if it is at most this far away
NEAR_EM = 0.35
# zoom and pan of one notch of the wheel, the latter as a share of the width
ZOOM, PAN = 1.25, 0.1
LEFT, RIGHT, MIDDLE = 0, 1, 2
HELP = (
    "drag: go there; Shift+drag: select a loop\n"
    "wheel: zoom; Shift+wheel, right or middle drag: move; double-click: see all\n"
    "first, last: Home, End; marks: Ctrl+Left arrow, Ctrl+Right arrow"
)
# icon, colour, and what marks of a type are called
LOOKS = {
    MarkerType.EDIT: (icons.ICON_FA_PEN, "ACCENT", "edits"),
    MarkerType.PERTURB: (icons.ICON_FA_HAND, "TEXT", "pulls"),
    MarkerType.FILE: (icons.ICON_FA_FILE, "ADDED", "file changes"),
    MarkerType.JUMP: (icons.ICON_FA_CLOCK_ROTATE_LEFT, "WARNING", "time jumps"),
    MarkerType.DIVERGENCE: (icons.ICON_FA_BURST, "ERROR", "divergences"),
    MarkerType.BREAKPOINT: (icons.ICON_FA_CIRCLE_STOP, "BREAKPOINT", "breakpoints that fired"),
    MarkerType.CONTACT: (icons.ICON_FA_CIRCLE_DOT, "CONTACT", "new contacts"),
    MarkerType.WAKE: (icons.ICON_FA_BELL, "WAKE", "trees waking up"),
    MarkerType.BRANCH: (icons.ICON_FA_CODE_BRANCH, "DIM", "branch points"),
    MarkerType.START: (icons.ICON_FA_FLAG, "DIM", "starts"),
}
# where in the row the ticks of a type are, from top to bottom; bars are at the top
SPANS = {MarkerType.CONTACT: (0.72, 1.0), MarkerType.WAKE: (0.42, 0.68)}
BAR = 0.16
TICK_EM, TEXT_EM, MOST_LISTED = 0.18, 3.0, 8
SWITCH_EM = 1.3


def strip(snapshot: Snapshot, view: ViewState, send: Send, left: float, width: float) -> TimeAxis:
    """Draw the strip and handle the mouse on it; returns its axis."""
    timeline, shown = snapshot.run.history, view.timeline
    top = imgui.get_cursor_screen_pos().y
    rows = Rows(top, top + em(RULER_EM), top + em(RULER_EM + MARKS_EM), top + em(RULER_EM + MARKS_EM + TRACK_EM))
    axis = shown.axis(left + em(PAD_EM), width - 2 * em(PAD_EM))
    imgui.invisible_button("##strip", (max(width, 1.0), rows.bottom - rows.top), BUTTONS)
    near = handle(snapshot, view, send, axis, rows)
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled((left, top), (left + width, rows.bottom), imgui.get_color_u32(theme.BACKGROUND), em(0.25))
    draw.push_clip_rect((left, top), (left + width, rows.bottom), True)
    _loop(timeline, shown, axis, rows)
    _ruler(axis, rows)
    _track(timeline, shown, axis, rows)
    draw_marks(shown.marks.runs(axis, em(TICK_EM)), axis, rows.marks, rows.track - rows.marks - em(0.15))
    if shown.hovered and shown.drag is None and not near:
        _pointer(axis, rows)
    playhead(shown, axis, rows.top, rows.bottom, handle=True)
    draw.pop_clip_rect()
    _scroll_bar(shown, axis.left, axis.width)
    return axis


def _ruler(axis: TimeAxis, rows: Rows) -> None:
    """Ticks and their labels."""
    draw = imgui.get_window_draw_list()
    line, text = imgui.get_color_u32(theme.LINE), imgui.get_color_u32(theme.DIM)
    size = 0.85 * imgui.get_font_size()
    for tick in axis.ticks(em(LABEL_EM))[1]:
        x = round(axis.place(tick.time)) + 0.5
        draw.add_line((x, rows.marks - em(0.45 if tick.label else 0.25)), (x, rows.marks), line)
        if tick.label:
            draw.add_line((x, rows.marks), (x, rows.bottom), imgui.get_color_u32((*theme.LINE[:3], 0.5)))
            draw.add_text(imgui.get_font(), size, (x + em(0.25), rows.top + em(0.12)), text, tick.label)


def _track(timeline: Timeline, shown: TimelineView, axis: TimeAxis, rows: Rows) -> None:
    """The current line: each part in the colour of its branch, thick where every step is in memory."""
    draw, clock = imgui.get_window_draw_list(), shown.clocks.present
    memory = timeline.memory
    dense = clock.time_of(max(timeline.last - memory.dense_steps, timeline.first) if memory.tape else timeline.first)
    middle = (rows.track + rows.bottom) / 2
    for part in timeline.line():
        begin, end = clock.time_of(max(part.first, timeline.first)), clock.time_of(part.last)
        for first, last, thick in ((begin, min(end, dense), 0.10), (max(begin, dense), end, 0.24)):
            for low, high, alpha in ((first, min(last, shown.playhead), 1.0), (max(first, shown.playhead), last, 0.5)):
                x0, x1 = axis.place(max(low, axis.first)), axis.place(min(high, axis.last))
                if x1 >= x0 and high > low:
                    tint = imgui.get_color_u32((*branch_colour(part.branch.colour), alpha))
                    draw.add_rect_filled((x0, middle - em(thick)), (max(x1, x0 + 1), middle + em(thick)), tint)


def _loop(timeline: Timeline, shown: TimelineView, axis: TimeAxis, rows: Rows) -> None:
    """The range that repeats: a brace in the ruler, with ends to drag, and a shade below."""
    loop = shown.drag.range if shown.drag is not None and shown.drag.range is not None else timeline.loop
    if loop is None:
        return
    draw, clock = imgui.get_window_draw_list(), shown.clocks.present
    x0, x1 = (axis.place(clock.time_of(step)) for step in loop)
    draw.add_rect_filled((x0, rows.top), (x1, rows.bottom), imgui.get_color_u32((*theme.ACCENT[:3], 0.13)))
    solid = imgui.get_color_u32(theme.ACCENT)
    draw.add_rect_filled((x0, rows.top), (x1, rows.top + em(0.18)), solid)
    for x, side in ((x0, 1), (x1, -1)):
        draw.add_rect_filled((min(x, x + side * em(0.25)), rows.top), (max(x, x + side * em(0.25)), rows.marks), solid)
        draw.add_line((x, rows.top), (x, rows.bottom), imgui.get_color_u32((*theme.ACCENT[:3], 0.6)))


def _pointer(axis: TimeAxis, rows: Rows) -> None:
    """A thin line at the pointer, with its time."""
    draw, x = imgui.get_window_draw_list(), imgui.get_io().mouse_pos.x
    draw.add_line((x, rows.top), (x, rows.bottom), imgui.get_color_u32((*theme.TEXT[:3], 0.35)))
    text, size = clock_text(axis.time(x), max(1.0 / axis.scale, 1e-4)), 0.85 * imgui.get_font_size()
    wide = imgui.calc_text_size(text).x * 0.85 + em(0.5)
    x = min(x, axis.left + axis.width - wide)
    draw.add_rect_filled((x, rows.top), (x + wide, rows.marks), imgui.get_color_u32(theme.RAISED), em(0.2))
    draw.add_text(imgui.get_font(), size, (x + em(0.25), rows.top + em(0.12)), imgui.get_color_u32(theme.TEXT), text)


def playhead(shown: TimelineView, axis: TimeAxis, top: float, bottom: float, handle: bool = False) -> None:
    """The current step: a line, on the strip with a handle."""
    draw, x = imgui.get_window_draw_list(), axis.place(shown.playhead)
    if not axis.left - 1 <= x <= axis.left + axis.width + 1:
        return
    tint = imgui.get_color_u32(theme.TEXT if handle else (*theme.TEXT[:3], 0.5))
    draw.add_line((x, top), (x, bottom), tint, 2.0 if handle else 1.0)
    if handle:
        half, neck = em(0.42), top + em(0.5)
        draw.add_rect_filled((x - half, top), (x + half, neck), tint, em(0.12))
        draw.add_triangle_filled((x - half, neck - 1), (x + half, neck - 1), (x, neck + em(0.42)), tint)


def _scroll_bar(shown: TimelineView, left: float, width: float) -> None:
    """A bar for the whole: the part that is shown can be dragged along it."""
    first, last = whole = shown.clocks.whole
    imgui.set_cursor_screen_pos((left, imgui.get_cursor_screen_pos().y - imgui.get_style().item_spacing.y + em(0.1)))
    top = imgui.get_cursor_screen_pos().y
    imgui.invisible_button("##whole", (max(width, 1.0), em(BAR_EM)))
    seen = shown.span or whole
    scale = width / (last - first)
    if imgui.is_item_active():
        # where it was pressed is the middle of what is shown
        time, length = first + (imgui.get_io().mouse_pos.x - left) / scale, seen[1] - seen[0]
        begin = min(max(time - length / 2, first), last - length)
        shown.span = None if shown.span is None else (begin, begin + length)
    tooltip("the visible range; drag to move it, double-click the strip to see all")
    draw = imgui.get_window_draw_list()
    tint = imgui.get_color_u32(theme.RAISED_HOVER if shown.span is not None else theme.RAISED)
    x0, x1 = left + (seen[0] - first) * scale, left + (seen[1] - first) * scale
    draw.add_rect_filled((x0, top), (max(x1, x0 + em(0.5)), top + em(BAR_EM)), tint, em(BAR_EM / 2))


@dataclass(frozen=True)
class Rows:
    """Where the ruler, the marks and the track begin, and where the strip ends."""

    top: float
    marks: float
    track: float
    bottom: float


def handle(snapshot: Snapshot, view: ViewState, send: Send, axis: TimeAxis, rows: Rows) -> list[Marker]:
    """Handle the mouse on the last item; returns the marks under the pointer."""
    timeline, shown, mouse = snapshot.run.history, view.timeline, imgui.get_io().mouse_pos
    shown.hovered = imgui.is_item_hovered()
    near: list[Marker] = []
    if shown.hovered and shown.drag is None and mouse.y >= rows.marks:
        near = shown.marks.near(axis, mouse.x, em(NEAR_EM))
    edge = _edge(timeline, shown, axis) if shown.hovered and mouse.y < rows.marks else None
    if imgui.is_item_activated():
        _press(snapshot, shown, send, axis, near, edge)
    elif imgui.is_item_active() and shown.drag is not None:
        _drag(timeline, shown, send, axis)
    elif shown.drag is not None:
        if shown.drag.moves == "loop":
            send(SetLoop(shown.drag.range))
        shown.drag = None
    if shown.hovered:
        zoom_or_pan(shown, axis)
    if edge is not None or (shown.drag is not None and shown.drag.moves == "loop"):
        imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
    elif near:
        imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
        show_tooltip(marks_text(near))
    if not near and shown.drag is None:
        tooltip(HELP)
    return near


def zoom_or_pan(shown: TimelineView, axis: TimeAxis) -> None:
    """The wheel over the last item: zoom at the pointer; with Shift, or to the side, move."""
    for key in (imgui.Key.mouse_wheel_x, imgui.Key.mouse_wheel_y):
        imgui.set_item_key_owner(key)
    io = imgui.get_io()
    turn, aside = (0.0, io.mouse_wheel) if io.key_shift else (io.mouse_wheel, io.mouse_wheel_h)
    whole = shown.clocks.whole
    if turn:
        shown.span = axis.zoomed(io.mouse_pos.x, ZOOM**turn, whole, shown.clocks.least)
    elif aside and shown.span is not None:
        shown.span = axis.panned(aside * PAN * axis.width, whole)


def pan(shown: TimelineView, axis: TimeAxis) -> None:
    """Move with the mouse."""
    moved = imgui.get_io().mouse_delta.x
    if moved and shown.span is not None:
        shown.span = axis.panned(moved, shown.clocks.whole)


def _press(
    snapshot: Snapshot, shown: TimelineView, send: Send, axis: TimeAxis, near: list[Marker], edge: int | None
) -> None:
    """A button went down."""
    run, timeline = snapshot.run, snapshot.run.history
    if not imgui.is_mouse_clicked(LEFT):
        shown.drag = StripDrag("pan")
        return
    if imgui.is_mouse_double_clicked(LEFT):
        # to see all is not to go there
        shown.span = None
        before, ran = shown.before_click
        _ask(min(before, timeline.last), timeline, shown, send)
        if ran:
            send(SetPaused(False))
        return
    shown.before_click = (timeline.now, not run.paused)
    step = _step(timeline, shown, axis)
    if imgui.get_io().key_shift:
        shown.drag = StripDrag("loop", step)
    elif edge is not None:
        shown.drag = StripDrag("loop", edge, timeline.loop)
    else:
        shown.drag = StripDrag("mark" if near else "scrub", step)
        _ask(near[0].shown_moment if near else step, timeline, shown, send)


def _drag(timeline: Timeline, shown: TimelineView, send: Send, axis: TimeAxis) -> None:
    """The mouse moved, or not, with a button down."""
    drag, step = shown.drag, _step(timeline, shown, axis)
    assert drag is not None
    if drag.moves == "pan":
        pan(shown, axis)
    elif drag.moves == "loop":
        if imgui.is_mouse_dragging(LEFT, 0.0):
            drag.range = (min(step, drag.anchor), max(step, drag.anchor)) if step != drag.anchor else None
    elif drag.moves == "mark":
        # a click with a shaking hand stays at the mark
        if imgui.is_mouse_dragging(LEFT):
            drag.moves = "scrub"
            _ask(step, timeline, shown, send)
    elif step != shown.asked:
        _ask(step, timeline, shown, send)


def _ask(step: int, timeline: Timeline, shown: TimelineView, send: Send) -> None:
    """Go to a step."""
    send(GoTo(shown.ask(step, timeline, imgui.get_time())))


def _step(timeline: Timeline, shown: TimelineView, axis: TimeAxis) -> int:
    """The step under the pointer."""
    return shown.clocks.present.step_at(axis.time(imgui.get_io().mouse_pos.x), timeline.first, timeline.last)


def _edge(timeline: Timeline, shown: TimelineView, axis: TimeAxis) -> int | None:
    """If the pointer is on an end of the loop, the other end."""
    if timeline.loop is None or shown.drag is not None:
        return None
    x, clock = imgui.get_io().mouse_pos.x, shown.clocks.present
    gaps = [abs(axis.place(clock.time_of(step)) - x) for step in timeline.loop]
    if min(gaps) > em(NEAR_EM):
        return None
    return timeline.loop[1 if gaps[0] < gaps[1] else 0]


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
        lines.append(f"and more (zoom in):  {', '.join(f'{count} {what}' for what, count in rest.most_common())}")
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
        tooltip(f"{called}: {'shown; click to hide' if on else 'hidden; click to show'}")
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
