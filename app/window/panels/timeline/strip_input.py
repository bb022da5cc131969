"""The mouse on the strip: scrub, go to a mark, zoom, pan, select what repeats."""

from __future__ import annotations

from dataclasses import dataclass

from imgui_bundle import imgui

from app.run.commands import GoTo, Send, SetLoop, SetPaused
from app.run.history.markers import Marker
from app.run.history.timeline import Timeline
from app.run.snapshot import Snapshot
from app.ui.widgets import em, show_tooltip, tooltip
from app.view.time_axis import TimeAxis
from app.view.timeline_view import StripDrag, TimelineView
from app.view.view_state import ViewState
from app.window.panels.timeline.marks import marks_text

# the pointer is on a mark or an end of the loop if it is at most this far away
NEAR_EM = 0.35
# zoom and pan of one notch of the wheel, the latter as a share of the width
ZOOM, PAN = 1.25, 0.1
LEFT, RIGHT, MIDDLE = 0, 1, 2
HELP = (
    "drag: go there; Shift+drag: select what repeats\n"
    "wheel: zoom; Shift+wheel, right or middle drag: move; double-click: see all\n"
    "first, last: Home, End; marks: Ctrl+Left arrow, Ctrl+Right arrow"
)


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
