"""The command palette (Ctrl+K): search actions, switches, options, elements, fields and scenes."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import imgui

from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.keys import ENTER, take
from app.ui.widgets import caption, elide, em, tooltip
from app.view.input.desk import Action
from app.view.view_state import ViewState
from app.window.overlays.palette.entries import Entry, found_entries
from app.window.overlays.palette.numbers import typed_edits, typed_name

WIDTH_EM, ROWS = 38.0, 14
WINDOW = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_docking
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_saved_settings
)


def command_palette(snapshot: Snapshot, view: ViewState, send: Send, act: Callable[[Action], None]) -> None:
    """A search field and its matches; the arrow keys highlight one, Enter runs it."""
    if not view.ui.show_palette:
        return
    display = imgui.get_io().display_size
    imgui.set_next_window_pos((display.x / 2, display.y * 0.15), imgui.Cond_.always, (0.5, 0.0))
    imgui.set_next_window_size((em(WIDTH_EM), 0))
    imgui.begin("##palette", None, WINDOW)
    if view.ui.palette_text is None:
        view.ui.palette_text, view.ui.palette_row = "", -1
        imgui.set_keyboard_focus_here()
    imgui.set_next_item_width(-1)
    flags = imgui.InputTextFlags_.enter_returns_true
    entered, text = imgui.input_text_with_hint("##command", "type a command, or kp 200", view.ui.palette_text, flags)
    if entered:
        # if nothing matches, typing continues
        imgui.set_keyboard_focus_here(-1)
    tooltip(
        "search actions, switches, options, elements of the model, fields of the selection, scenes and the manual,\n"
        "in any word order; everyday words and parts of words work too\n"
        "add a number to set a value: kp 200, timestep 0.001\n"
        "arrow keys move the highlight, Enter runs it"
    )
    changed, view.ui.palette_text = text != view.ui.palette_text, text
    meant, certain = found_entries(snapshot, view, send, act, text)
    edits, name = typed_edits(snapshot, view, send, text), typed_name(text)
    if not certain and name:
        # what is called so, or begins so; it says what to select
        meant = [entry for entry in found_entries(snapshot, view, send, act, name)[0] if entry.begins(name)]
        certain = bool(meant)
    found = [*edits, *meant]
    # without a match, or a text, nothing is highlighted until the user moves there
    matched = certain or bool(edits)
    least = 0 if matched and text.strip() else -1
    if not matched:
        caption(f"no match{'; the nearest:' if found else ''}")
    if changed:
        view.ui.palette_row = least
    moved = _move(view, least, len(found))
    enters = entered and take(*ENTER) and 0 <= view.ui.palette_row < len(found)
    chosen = found[view.ui.palette_row] if enters else None
    chosen = _list(found, view.ui.palette_row, moved) or chosen
    left = not imgui.is_window_focused(imgui.FocusedFlags_.root_and_child_windows) and imgui.is_mouse_clicked(0)
    imgui.end()
    if chosen is not None or left or take(imgui.Key.escape):
        view.ui.show_palette, view.ui.palette_text = False, None
    if chosen is not None:
        chosen.do()


def _list(found: list[Entry], chosen: int, moved: bool) -> Entry | None:
    """The matches in a scrolling list; returns the entry that was clicked."""
    clicked = None
    line = imgui.get_text_line_height_with_spacing()
    room = 0.8 * imgui.get_io().display_size.y - imgui.get_cursor_pos_y()
    rows = max(min(len(found), ROWS, int(room / line)), 1)
    if not found:
        return None
    # the highlight of the first line begins above its text
    above = imgui.get_style().item_spacing.y / 2
    imgui.begin_child("entries", (0, rows * line + above), window_flags=imgui.WindowFlags_.no_nav_inputs)
    imgui.set_cursor_pos_y(above)
    if moved:
        imgui.set_scroll_y(max((chosen - rows // 2) * line, 0.0))
    clipper = imgui.ListClipper()
    clipper.begin(len(found), line)
    while clipper.step():
        for row in range(clipper.display_start, clipper.display_end):
            if _line(found[row], row, row == chosen):
                clicked = found[row]
    imgui.end_child()
    return clicked


def _line(entry: Entry, row: int, chosen: bool) -> bool:
    """One entry: its text on the left, its key or attribute on the right."""
    pressed, _ = imgui.selectable(f"##entry{row}", chosen)
    if not imgui.is_item_visible():
        return pressed
    start, end = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    draw = imgui.get_window_draw_list()
    hint = imgui.calc_text_size(entry.hint).x
    text = elide(entry.line, end.x - start.x - hint - em(1.5))
    tooltip(f"{entry.line}   {entry.hint}")
    top = (start.y + end.y - imgui.get_text_line_height()) / 2
    draw.add_text((start.x + em(0.4), top), imgui.get_color_u32(theme.TEXT), text)
    draw.add_text((end.x - hint - em(0.4), top), imgui.get_color_u32(theme.DIM), entry.hint)
    return pressed


def _move(view: ViewState, least: int, count: int) -> bool:
    """Move the highlight with the arrow keys; returns whether it moved."""
    before = view.ui.palette_row
    step = imgui.is_key_pressed(imgui.Key.down_arrow) - imgui.is_key_pressed(imgui.Key.up_arrow)
    view.ui.palette_row = max(min(before + step, count - 1), least)
    return view.ui.palette_row != before
