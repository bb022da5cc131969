"""The physics panel: every option of the engine, live, generated from the table of editable fields."""

from __future__ import annotations

from imgui_bundle import imgui

from app.commands import ResetEdits, Send, SetFlag
from app.editable import FLAGS, OPTIONS
from app.panels import theme
from app.panels.field import field_row, flag_row
from app.snapshot import Snapshot
from app.state import NGROUP, ViewState
from app.widgets import colour, disabled, em, tooltip

OPEN_AT_FIRST = ("Time", "Solver", "World")


def physics_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Sections of options, then the flags."""
    if snapshot.model is None:
        imgui.text_colored(theme.DIM, "no model")
        return
    _head(snapshot, view, send)
    wanted = view.search.strip().lower()
    for title in dict.fromkeys(row.section for row in OPTIONS):
        rows = [row for row in OPTIONS if row.section == title and wanted in f"{row.name} {row.meaning}".lower()]
        if rows and _open(title, bool(wanted)):
            for row in rows:
                field_row(row, (), snapshot, view, send)
    flags = [flag for flag in FLAGS if wanted in f"{flag.name} {flag.meaning}".lower()]
    if flags and _open("Flags", bool(wanted)):
        half = imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x / 2
        for n, flag in enumerate(flags):
            if n % 2:
                imgui.same_line(half)
            flag_row(flag, snapshot, send)
        _actuator_groups(snapshot, send)


def _head(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """A search field, and the way back to the file."""
    count = len(snapshot.file_values)
    imgui.set_next_item_width(-em(8.5))
    _, view.search = imgui.input_text_with_hint("##search options", "search", view.search)
    imgui.same_line()
    with disabled(count == 0):
        if imgui.button("Reset to file", (-1, 0)):
            send(ResetEdits())
    tooltip(f"give every edited field the value it has in the file; edited so far: {count}")


def _open(title: str, searching: bool) -> bool:
    """A section that folds; while searching, all are open."""
    if searching:
        imgui.set_next_item_open(True)
    flags = imgui.TreeNodeFlags_.default_open if title in OPEN_AT_FIRST else 0
    with colour(imgui.Col_.header, theme.RAISED):
        return imgui.collapsing_header(title, flags)


def _actuator_groups(snapshot: Snapshot, send: Send) -> None:
    """Switches for groups of actuators."""
    assert snapshot.model is not None
    if not snapshot.model.nactuator:
        return
    off = int(snapshot.model.opt.disableactuator)
    imgui.align_text_to_frame_padding()
    imgui.text_colored(theme.DIM, "actuator groups")
    for group in range(NGROUP):
        imgui.same_line(em(8.5) if group == 0 else 0, 0 if group == 0 else em(0.25))
        on = not off >> group & 1
        with colour(imgui.Col_.button, (*theme.ACCENT[:3], 0.32) if on else theme.RAISED):
            if imgui.button(f"{group}##actuator group", (em(1.8), 0)):
                send(SetFlag("opt.disableactuator", 1 << group, on))
        tooltip(f"option/actuatorgroupdisable\nactuators of group {group} act")
