"""The Timeline panel: transport buttons, the strip of recorded time, a lane for each branch, and what memory holds."""

from __future__ import annotations

from imgui_bundle import imgui

from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import caption, elide, em, font
from app.view.view_state import ViewState
from app.window.panels.timeline.lanes import branch_lanes
from app.window.panels.timeline.marks import mark_switches
from app.window.panels.timeline.strip import strip
from app.window.panels.timeline.transport import transport
from app.window.panels.timeline.words import memory_text, where_text

# the column of names and switches, and the width of the panel below which it is left out
GUTTER_EM, NARROW_EM = 12.5, 34.0
FOOTER = 0.9


def timeline_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """All of it, from top to bottom."""
    view.timeline.update(snapshot.run.history, imgui.get_time())
    transport(snapshot, view, send)
    # a list of many branches has a scroll bar, also beside the strip
    room = imgui.get_content_region_avail().x - imgui.get_style().scrollbar_size
    gutter = em(GUTTER_EM) if room > em(NARROW_EM) else 0.0
    if not gutter:
        mark_switches(view, send, snapshot, room, 1)
    left, top = imgui.get_cursor_screen_pos()
    if gutter:
        mark_switches(view, send, snapshot, gutter - em(0.5), 2)
    imgui.set_cursor_screen_pos((left + gutter, top))
    axis = strip(snapshot, view, send, left + gutter, room - gutter)
    if len(snapshot.run.history.branches) > 1:
        imgui.set_cursor_pos_y(imgui.get_cursor_pos_y() - em(0.2))
        below = em(FOOTER) + imgui.get_style().item_spacing.y + em(0.2)
        branch_lanes(snapshot, view, send, axis, gutter, imgui.get_content_region_avail().y - below)
    _footer(snapshot)


def _footer(snapshot: Snapshot) -> None:
    """Where we are, and what is kept."""
    where, explained = where_text(snapshot.run)
    kept = memory_text(snapshot.run.history)
    tint = theme.DIM if snapshot.run.history.at_head else theme.WARNING
    with font("sans", FOOTER):
        room = imgui.get_content_region_avail().x
        caption(elide(where, room), explained, tint)
        left = room - imgui.get_item_rect_size().x - em(1.5)
        if left > em(6):
            shown = elide(kept, left)
            imgui.same_line(imgui.get_cursor_pos_x() + room - imgui.calc_text_size(shown).x)
            caption(shown, f"{kept}\nevery moment can be gone to: older ones are computed again, to the same bits")
