"""The dialog before a save: the edits that would be written, as a list or as a text diff, and where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.files.error_text import printable
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import button, caption, em, same_line_if_fits, tooltip
from app.view.input import actions
from app.view.input.bindings import hint
from app.view.input.desk import Action
from app.view.saving import (
    Saving,
    begin_elsewhere,
    choose,
    follow,
    reload_instead,
    saved_in_place,
    write,
)
from app.view.view_state import ViewState
from app.window.overlays.diff_view import diff_view
from app.window.overlays.edit_list import edit_list, row_height
from app.window.overlays.modal import cancel_button, heading, main_button, modal, most_height
from app.window.overlays.unsaved import leave_now
from sim.file_stamp import absolute
from sim.save_plan import LEAVE_OUT, SavePlan

WIDTH_EM = 64.0
# lines of the list or the diff, at least; below them are notes and buttons
LEAST_ROWS, BELOW_EM = 3, 5.0


def save_dialog(snapshot: Snapshot, view: ViewState, send: Send, act: Callable[[Action], None]) -> None:
    """Go on with a save that is under way; show it if there is something to ask."""
    leaving = follow(snapshot, view, send)
    if leaving is not None:
        leave_now(leaving, view, send, act)

    def wanted() -> bool:
        return view.ui.saving is not None and view.ui.saving.shown

    with modal("##save", wanted, WIDTH_EM) as drawn:
        saving = view.ui.saving
        if drawn and saving is not None and saving.plan is not None:
            _head(saving, saving.plan, snapshot)
            _content(saving, saving.plan, snapshot, send)
            _notes(saving, saving.plan, send)
            imgui.dummy((0, em(0.3)))
            _buttons(saving, saving.plan, snapshot, view, send)


def _head(saving: Saving, plan: SavePlan, snapshot: Snapshot) -> None:
    """What is saved where; beside it the button that shows the other side of it."""
    path = _written_file(saving, plan, snapshot)
    # as the status line counts them, which may be others than the attributes
    unsaved = len(snapshot.unsaved) if saving.path is None else 0
    count = unsaved or len(plan.edits)
    edits = f"{count} {'unsaved ' if unsaved else ''}edit{'s' if count != 1 else ''}"
    files = f" in {len(plan.files)} files" if len(plan.files) > 1 else ""
    as_list = saving.diff is not None
    label = f"{icons.ICON_FA_LIST}  Edits" if as_list else f"{icons.ICON_FA_CODE_COMPARE}  Text diff"
    width = imgui.calc_text_size(label).x + 2 * imgui.get_style().frame_padding.x
    top, right = imgui.get_cursor_pos(), imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x
    heading(printable(f"Save {path.name}"), printable(f"{edits}{files}   {path.parent}"), right - top.x - width - em(1))
    if not plan.files:
        return
    below = imgui.get_cursor_pos()
    imgui.set_cursor_pos((right - width, top.y))
    if button(f"{label}##diff", "the edits as a list" if as_list else "the lines that change"):
        saving.diff = None if as_list else plan.diff()
    imgui.set_cursor_pos(below)


def _written_file(saving: Saving, plan: SavePlan, snapshot: Snapshot) -> Path:
    """The file of the model, or the one that all goes to."""
    path = absolute(Path(saving.path or snapshot.run.path or "model"))
    written = [change.path for change in plan.files]
    return written[0] if written and path not in written else path


def _content(saving: Saving, plan: SavePlan, snapshot: Snapshot, send: Send) -> None:
    """The list or the diff, as high as it needs to be, and no higher than the window allows."""
    row = row_height()
    fault = saving.report is not None and bool(saving.report.fault)
    notes = sum(map(bool, (plan.undecided, plan.expanded, fault))) + len(plan.unsaved) + len(plan.unread)
    room = most_height() - imgui.get_cursor_pos_y() - em(BELOW_EM) - notes * imgui.get_text_line_height_with_spacing()
    most = max(room, LEAST_ROWS * row)
    if saving.diff is not None and plan.files:
        lines = saving.diff.count("\n") + 1
        diff_view(saving.diff, min(most, (lines + 1) * imgui.get_text_line_height_with_spacing() + em(1)))
    elif plan.edits:
        rows = len(plan.edits) + len({edit.file for edit in plan.edits})
        folder = Path(snapshot.run.path).parent
        edit_list(plan, folder, min(most, rows * row + em(0.2)), lambda key, way: choose(saving, send, key, way))


def _notes(saving: Saving, plan: SavePlan, send: Send) -> None:
    """What cannot be saved, what MuJoCo does not read, and what went wrong."""
    imgui.push_text_wrap_pos(0.0)
    for what in plan.unsaved:
        theme.ensure_glyphs(what)
        imgui.text_colored(theme.WARNING, f"Not saved, as the file cannot say it: {what}")
    for what, key in plan.unread if plan.files else ():
        imgui.text_colored(
            theme.WARNING if key else theme.DIM, f"MuJoCo will not read this file: it does not have {what}"
        )
        if key is not None:
            same_line_if_fits("Leave out")
            if imgui.small_button(f"Leave out##{what}"):
                choose(saving, send, key, LEAVE_OUT)
            tooltip("save without this edit, so that MuJoCo reads the file; it stays unsaved")
    if plan.undecided:
        some = "an edit" if len(plan.undecided) == 1 else f"{len(plan.undecided)} edits"
        imgui.text_colored(theme.WARNING, f"Choose how to save {some}.")
    if plan.expanded:
        caption(f"The source text is not kept: {plan.expanded}.")
    if saving.report is not None and saving.report.fault:
        theme.ensure_glyphs(saving.report.fault)
        imgui.text_colored(theme.ERROR, f"{icons.ICON_FA_TRIANGLE_EXCLAMATION}  {saving.report.fault}")
    imgui.pop_text_wrap_pos()


def _buttons(saving: Saving, plan: SavePlan, snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Save, or overwrite what has changed on disk; elsewhere; not at all."""
    overtaken = saving.report is not None and bool(saving.report.overtaken)
    in_place = saving.path is not None or saved_in_place(snapshot.run)
    can_save = bool(plan.files) and not plan.undecided
    if overtaken:
        if button("Overwrite", "replace the file on disk; what it was is kept as a backup"):
            write(saving, send, overwrite=True)
        if button("Reload", "read the file again and keep the edits; nothing is saved", beside=True):
            reload_instead(view, send)
        imgui.same_line()
    elif in_place:
        why = "choose how to save each edit first" if plan.undecided else _written_text(plan)
        if main_button("Save", f"{why}   Enter", can_save):
            write(saving, send)
        imgui.same_line()
    if button("Save as…", hint(actions.save_elsewhere)):
        begin_elsewhere(view, snapshot.run, saving.then)
    same_line_if_fits("Cancel")
    if cancel_button():
        view.ui.saving = None


def _written_text(plan: SavePlan) -> str:
    """What is written, and the backups."""
    names = ", ".join(change.path.name for change in plan.files)
    backups = ", ".join(backup.name for backup in plan.backups)
    return f"write {names or 'nothing'}" + (f"; backup: {backups}" if backups else "")
