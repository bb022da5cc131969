"""The Timeline panel: scrub through the recorded steps, with markers for edits, pulls, jumps and divergence."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.history.markers import Marker, MarkerType
from app.history.timeline import Timeline
from app.run.commands import GoTo, Send, SetPaused, StepOnce
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import em, font, grab_center, icon_button, show_tooltip, shown_value, tooltip, track_edit
from app.view.view_state import ViewState

# the mouse is on a marker if it is at most this far away
NEAR_EM = 0.35
MOST_LISTED = 8
# marker colours
COLOURS = {
    MarkerType.START: "DIM",
    MarkerType.EDIT: "ACCENT",
    MarkerType.FILE: "ACCENT",
    MarkerType.PERTURB: "TEXT",
    MarkerType.JUMP: "WARNING",
    MarkerType.DIVERGENCE: "ERROR",
    MarkerType.CONTACT: "DIM",
    MarkerType.WAKE: "WARNING",
    MarkerType.BRANCH: "DIM",
}


def timeline_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Transport buttons, markers, and a slider over the recorded steps."""
    span = snapshot.run.history
    _buttons(snapshot, send)
    _markers(span, send)
    imgui.set_next_item_width(-1)
    key = "##moment"
    now = round(shown_value(view, key, span.now))
    changed, moment = imgui.slider_int(key, now, span.first, _last(span), "", imgui.SliderFlags_.no_input)
    tooltip("the step shown, of all recorded steps   Left arrow, Right arrow")
    track_edit(view, key, float(moment))
    if changed:
        send(GoTo(min(moment, span.last)))
    with font("mono", 0.95):
        imgui.text_colored(theme.DIM, f"{span.first_time:.3f} s")
        end = f"{span.last_time:.3f} s"
        imgui.same_line(imgui.get_window_width() - imgui.calc_text_size(end).x - em(1))
        imgui.text_colored(theme.DIM, end)


def _buttons(snapshot: Snapshot, send: Send) -> None:
    """First, back, play, forward, last; then the current time and step."""
    run, span = snapshot.run, snapshot.run.history
    if icon_button(icons.ICON_FA_BACKWARD_FAST, "oldest", "first recorded step"):
        send(GoTo(span.first))
    imgui.same_line(0, em(0.2))
    if icon_button(icons.ICON_FA_BACKWARD_STEP, "back", "one step back   Left arrow"):
        send(StepOnce(-1))
    imgui.same_line(0, em(0.2))
    play = icons.ICON_FA_PLAY if run.paused else icons.ICON_FA_PAUSE
    explained = "run from here, discarding later steps" if run.paused else "pause"
    if icon_button(play, "run", f"{explained}   Space", active=not run.paused):
        send(SetPaused(not run.paused))
    imgui.same_line(0, em(0.2))
    if icon_button(icons.ICON_FA_FORWARD_STEP, "forward", "one step forward   Right arrow"):
        send(StepOnce(1))
    imgui.same_line(0, em(0.2))
    if icon_button(icons.ICON_FA_FORWARD_FAST, "newest", "last step"):
        send(GoTo(span.last))
    imgui.same_line()
    with font("mono"):
        where = f"step {span.now} of {span.last}"
        imgui.text(f"{run.time:.3f} s")
        tooltip(where)
        imgui.same_line()
        if imgui.calc_text_size(where).x <= imgui.get_content_region_avail().x:
            imgui.text_colored(theme.DIM, where)
        else:
            imgui.new_line()


def _markers(span: Timeline, send: Send) -> None:
    """A lane above the slider: a tick for each marker, a bar for one that spans steps. A click goes there."""
    width, height = imgui.get_content_region_avail().x, em(0.7)
    left, top = imgui.get_cursor_screen_pos()
    pressed = imgui.invisible_button("##markers", (max(width, 1.0), height))
    draw, near = imgui.get_window_draw_list(), []
    pointer = imgui.get_io().mouse_pos.x
    for marker in span.markers:
        begin, end = (left + _place(moment, span, width) for moment in (marker.moment, marker.last))
        distance = max(begin - pointer, pointer - end, 0.0)
        if imgui.is_item_hovered() and distance < em(NEAR_EM):
            near.append((distance, marker))
        tint = imgui.get_color_u32(getattr(theme, COLOURS[marker.type]))
        draw.add_rect_filled((begin - 1.0, top), (begin + 1.0, top + height), tint)
        draw.add_rect_filled((begin - 1.0, top + 0.35 * height), (end + 1.0, top + 0.65 * height), tint)
    if near:
        # the nearest one; of several in the same place, the latest
        chosen = min(reversed(near), key=lambda found: found[0])[1]
        imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
        show_tooltip("\n".join(_line(marker) for _, marker in near[-MOST_LISTED:]))
        if pressed:
            send(GoTo(min(max(chosen.shown_moment, span.first), span.last)))
    else:
        tooltip("markers of edits, pulls, jumps and divergence; click one to go there")


def _line(marker: Marker) -> str:
    """The text of a marker: steps and event."""
    steps = f"step {marker.moment}" if marker.last == marker.moment else f"steps {marker.moment} to {marker.last}"
    return f"{steps}   {marker.text}"


def _last(span: Timeline) -> int:
    """The right end of the slider, which must differ from the left."""
    return max(span.last, span.first + 1)


def _place(moment: int, span: Timeline, width: float) -> float:
    """Centre of the slider's grab at a moment, in pixels from the left."""
    count = _last(span) - span.first
    return grab_center(min(max((moment - span.first) / count, 0.0), 1.0), width, count + 1)
