"""The Edits panel: the journal of all changes, undo and redo, and what clashes with a file that was saved elsewhere."""

from __future__ import annotations

import time
from functools import partial

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.ab.from_journal import edited_since, start_at, without_edit
from app.instruments.ab.open import compare
from app.instruments.ab.subject import EditedCopy
from app.instruments.offer import offered
from app.model.element_keys import element_keys
from app.model.views import ModelView
from app.run.commands import Redo, ResetEdits, Send, SwitchEdit, Undo
from app.run.journal.cells import kind_of
from app.run.journal.edit_text import MOST_NUMBERS, value_text
from app.run.journal.journal import Entry, Journal
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import (
    button,
    caption,
    colour,
    disabled,
    elide,
    em,
    icon_button,
    menu_item,
    note,
    same_line_if_fits,
    tooltip,
)
from app.view.view_state import ViewState

# numbers of an edit that its tooltip lists
MOST_LISTED = 12


def edits_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Buttons, clashes, and all entries, the newest first."""
    journal = snapshot.journal
    _buttons(journal, snapshot, view, send)
    _clashes(journal, send)
    if not journal.entries:
        note("no changes yet")
        return
    clipper = imgui.ListClipper()
    clipper.begin(len(journal.entries), imgui.get_frame_height_with_spacing())
    while clipper.step():
        for place in range(clipper.display_start, clipper.display_end):
            _row(journal.entries[-1 - place], snapshot, view, send)
    clipper.end()


def _buttons(journal: Journal, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Undo, redo, reset to the file, compare with it."""
    for k, (icon, label, entry, command) in enumerate(
        (
            (icons.ICON_FA_ROTATE_LEFT, "undo   Ctrl+Z", journal.next_undo(), Undo()),
            (icons.ICON_FA_ROTATE_RIGHT, "redo   Ctrl+Y", journal.next_redo(), Redo()),
        )
    ):
        if k:
            imgui.same_line(0, em(0.2))
        hint = label if entry is None else f"{label}\n{entry.text}"
        if icon_button(icon, label, hint, enabled=entry is not None):
            send(command)
    count = len(snapshot.file_values)
    hint = f"restore the file's values in all edited fields; edited: {count}"
    if button("Reset to file", hint, count != 0, beside=True):
        send(ResetEdits())
    hint = "also run the unedited model from the first edit on, and show it as a ghost"
    if offered("A/B") and button("Compare", hint, count != 0, beside=True):
        compare(view, EditedCopy(from_file=True), start_at(edited_since(journal), snapshot.run.history))


def _clashes(journal: Journal, send: Send) -> None:
    """Edits of what the file has changed too: each is the user's, or the file's."""
    clashes = journal.clashes
    if not clashes:
        return
    imgui.text_colored(theme.WARNING, "The file has also changed here. Keep which version?")
    for entry in clashes:
        imgui.text_wrapped(entry.text)
        mine, theirs = _choice(entry, journal)
        for label, value, on, hint in (
            ("My edit", mine, True, "apply this edit again"),
            ("The file", theirs, False, "keep the value in the file"),
        ):
            if not on:
                same_line_if_fits(f"{label}: {value}")
            if button(f"{label}: {value}##clash{entry.number}{label}", hint):
                send(SwitchEdit(entry.number, on))
    imgui.separator()


def _choice(entry: Entry, journal: Journal) -> tuple[str, str]:
    """What an edit says, and what the file says now, about the numbers in which they differ."""
    differ = [write for write in entry.writes if write.after != journal.base.get(write.cell)]
    mine = " ".join(value_text(write.cell, write.after) for write in differ)
    theirs = " ".join(value_text(write.cell, journal.base[write.cell]) for write in differ)
    return (mine, theirs) if len(differ) <= MOST_NUMBERS else (f"{len(differ)} numbers", f"{len(differ)} numbers")


def _row(entry: Entry, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """A switch for an edit of the model, a clock for a change of the state, and the text."""
    left = imgui.get_cursor_pos_x() + imgui.get_frame_height() + em(0.5)
    if entry.state is None:
        with disabled(bool(entry.lost)):
            pressed, on = imgui.checkbox(f"##entry{entry.number}", entry.on and not entry.clash)
        tooltip("switch this edit off or on")
        if pressed:
            send(SwitchEdit(entry.number, on))
    else:
        imgui.align_text_to_frame_padding()
        caption(icons.ICON_FA_CLOCK_ROTATE_LEFT, "a state change: undo restores the previous state")
    imgui.same_line(left)
    imgui.align_text_to_frame_padding()
    tint = theme.WARNING if entry.clash or entry.lost else theme.TEXT if entry.in_force else theme.DIM
    with colour(imgui.Col_.text, tint):
        text = elide(entry.text, imgui.get_content_region_avail().x)
        pressed = imgui.selectable(f"{text}##text{entry.number}", False)[0]
    tooltip(partial(_explained, entry))
    if entry.in_force and entry.state is None and offered("A/B"):
        _menu(entry, snapshot, view)
    if pressed and snapshot.model is not None:
        _select(entry, snapshot.model, view)


def _menu(entry: Entry, snapshot: Snapshot, view: ViewState) -> None:
    """The context menu of an edit."""
    if not imgui.begin_popup_context_item(f"entry{entry.number}"):
        return
    assert snapshot.model is not None
    subject = without_edit(entry, snapshot.journal, snapshot.model)
    hint = (
        "run a copy without this edit next to the simulation, starting where the edit was made, and show it as a ghost"
    )
    if menu_item("Compare without it", hint, subject is not None):
        compare(view, subject, start_at(entry.time, snapshot.run.history))
    imgui.end_popup()


def _explained(entry: Entry) -> str:
    """All about an entry."""
    lines = [entry.text, f"at {entry.time:.3f} s, {time.strftime('%H:%M:%S', time.localtime(entry.when))}"]
    lines += [
        f"{write.cell.path}[{write.cell.at}]: {write.before:.6g} → {write.after:.6g}"
        for write in entry.writes[:MOST_LISTED]
        if not write.cell.bit
    ]
    if len(entry.writes) > MOST_LISTED:
        lines.append(f"and {len(entry.writes) - MOST_LISTED} more numbers")
    if entry.lost:
        lines.append(f"not applied: {entry.lost}")
    elif entry.clash:
        lines.append("not applied: the file has changed here too")
    elif not entry.in_force:
        lines.append("undone" if entry.state is not None else "switched off")
    elif entry.state is None and offered("A/B"):
        lines.append("right-click: compare without it")
    return "\n".join(lines)


def _select(entry: Entry, model: ModelView, view: ViewState) -> None:
    """Select the element that was edited."""
    cell = entry.writes[0].cell if entry.writes else None
    kind = kind_of(cell.path) if cell is not None else ""
    keys = element_keys(model).get(kind, ())
    if cell is not None and cell.element in keys:
        view.select(kind, keys.index(cell.element))
