"""The strip: a time axis with the line of the present branch, marks, the loop and the playhead; drag to scrub."""

from __future__ import annotations

from imgui_bundle import imgui

from app.run.commands import Send
from app.run.history.branch_colours import branch_colour
from app.run.history.timeline import Timeline
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import em, tooltip
from app.view.time_axis import TimeAxis, clock_text
from app.view.timeline_view import TimelineView
from app.view.view_state import ViewState
from app.window.panels.timeline.marks import TICK_EM, draw_marks
from app.window.panels.timeline.strip_input import Rows, handle

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
    """The present line: each part in the colour of its branch, thick where every step is in memory."""
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
    """The moment that is shown: a line, on the strip with a handle."""
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
    tooltip("what is shown of the whole; drag to move it, double-click the strip to see all")
    draw = imgui.get_window_draw_list()
    tint = imgui.get_color_u32(theme.RAISED_HOVER if shown.span is not None else theme.RAISED)
    x0, x1 = left + (seen[0] - first) * scale, left + (seen[1] - first) * scale
    draw.add_rect_filled((x0, top), (max(x1, x0 + em(0.5)), top + em(BAR_EM)), tint, em(BAR_EM / 2))
