"""The dialog before a save: the edits that would be written, as a list or as a text diff, and where."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.files.error_text import printable
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.keys import take
from app.ui.widgets import button, caption, colour, elide, em, font, same_line_if_fits, selectable, tooltip
from app.view.input import actions
from app.view.input.bindings import hint
from app.view.input.desk import Action
from app.view.saving import Saving, begin_elsewhere, choose, follow, reload_instead, saved_in_place, write
from app.view.view_state import ViewState
from app.window.overlays.modal import ask, cancel_button, heading, main_button, modal, most_height
from app.window.overlays.unsaved import leave_now
from sim.file_stamp import absolute
from sim.save_plan import CLASS, COPIES, ELEMENT, LEAVE_OUT, SavePlan, SourceEdit

NAME, WIDTH_EM = "##save", 64.0
# lines of the list or the diff, at least; below them are notes and buttons
LEAST_ROWS, BELOW_EM = 3, 5.0
# key of an edit, and the way to save it
Choose = Callable[[tuple[str, str], str], None]

FLAGS = imgui.TableFlags_.scroll_y | imgui.TableFlags_.row_bg | imgui.TableFlags_.sizing_stretch_prop
WAYS = {ELEMENT: "this element", CLASS: "its class", COPIES: "all copies", LEAVE_OUT: "leave out", "": "choose…"}
HINTS = {
    ELEMENT: "write it to the element itself", CLASS: "write it to the default class, for all elements that use it",
    COPIES: "write it to the original that all copies share", LEAVE_OUT: "do not save it; it remains an unsaved edit",
}  # fmt: skip
PLURALS = {"body": "bodies", "mesh": "meshes", "equality": "equalities"}
WAY_EM, LINE_EM, TICK_EM = 15.0, 4.2, 1.9
# below this width, lines are only numbers
NARROW_EM = 36.0
# elements that a tooltip lists
MOST_NAMES = 20

# a file and how many edits it has, or an edit
Row = tuple[Path, int] | SourceEdit
# how far the colour of a line shows behind it
SHADE = 0.13


def save_dialog(snapshot: Snapshot, view: ViewState, send: Send, act: Callable[[Action], None]) -> None:
    """Go on with a save that is under way; show it if there is something to ask."""
    report = view.ui.saving.report if view.ui.saving is not None else None
    leaving = follow(snapshot, view, send)
    if leaving is not None:
        leave_now(leaving, view, send, act)
    elif view.ui.saving is not None and view.ui.saving.report is not report:
        # Overwrite may be where Save was
        ask(NAME)

    def wanted() -> bool:
        return view.ui.saving is not None and view.ui.saving.shown

    with modal(NAME, wanted, WIDTH_EM) as drawn:
        saving = view.ui.saving
        if drawn and saving is not None and saving.plan is not None:
            _head(saving, saving.plan, snapshot)
            _content(saving, saving.plan, snapshot, send)
            _notes(saving, saving.plan, send)
            imgui.dummy((0, em(0.3)))
            _buttons(saving, saving.plan, snapshot, view, send)


def _head(saving: Saving, plan: SavePlan, snapshot: Snapshot) -> None:
    """What is saved where; next to it the button that shows the other side of it."""
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
        imgui.text_colored(theme.WARNING, f"Not saved, because the file cannot express it: {what}")
    for what, key in plan.unread if plan.files else ():
        imgui.text_colored(
            theme.WARNING if key else theme.DIM, f"MuJoCo cannot load this file, because MuJoCo does not support {what}"
        )
        if key is not None:
            same_line_if_fits("Leave out")
            if imgui.small_button(f"Leave out##{what}"):
                choose(saving, send, key, LEAVE_OUT)
            tooltip("save without this edit, so that MuJoCo can load the file; the edit stays unsaved")
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
    can_save = bool(plan.files) and not plan.undecided and saving.answered
    if overtaken:
        if button("Overwrite", "replace the file on disk; the old version is kept as a backup", saving.answered):
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


def edit_list(plan: SavePlan, own_folder: Path, height: float, choose: Choose) -> None:
    """All edits, by file, in a box of this height."""
    choices = any(map(_has_choice, plan.edits))
    imgui.push_style_color(imgui.Col_.child_bg, theme.PANEL)
    shown = imgui.begin_table("edits", 5 if choices else 4, FLAGS, (0, height))
    imgui.pop_style_color()
    if not shown:
        return
    fixed = imgui.TableColumnFlags_.width_fixed
    imgui.table_setup_column("", fixed, em(TICK_EM))
    narrow = imgui.get_content_region_avail().x < em(NARROW_EM)
    imgui.table_setup_column("", fixed, em(LINE_EM / 2 if narrow else LINE_EM))
    imgui.table_setup_column("", 0, 1.0)
    imgui.table_setup_column("", 0, 1.2)
    if choices:
        imgui.table_setup_column("", fixed, min(em(WAY_EM), 0.3 * imgui.get_content_region_avail().x))
    rows = _rows(plan)
    clipper = imgui.ListClipper()
    clipper.begin(len(rows))
    while clipper.step():
        for number in range(clipper.display_start, clipper.display_end):
            imgui.table_next_row(0, row_height())
            row = rows[number]
            if isinstance(row, SourceEdit):
                imgui.push_id(number)
                _edit(row, str(row.line) if narrow else f"line {row.line}", choose)
                imgui.pop_id()
            else:
                _file(*row, own_folder)
    imgui.end_table()


def row_height() -> float:
    """Of a file or an edit."""
    return imgui.get_frame_height() + 2 * imgui.get_style().cell_padding.y


def _rows(plan: SavePlan) -> list[Row]:
    """Each file, and its edits in the order of lines."""
    rows: list[Row] = []
    for file in dict.fromkeys(edit.file for edit in plan.edits):
        edits = sorted((edit for edit in plan.edits if edit.file == file), key=lambda edit: edit.line)
        rows += [(file, len(edits)), *edits]
    return rows


def _has_choice(edit: SourceEdit) -> bool:
    """Whether there is more to choose than to leave it out."""
    return not edit.way or len(edit.ways) > 2 or len(edit.affects) > 1


def _file(file: Path, count: int, own_folder: Path) -> None:
    """The heading of a file; one outside of the model's folder is marked."""
    outside = not file.resolve().is_relative_to(own_folder.resolve())
    name = printable(file if outside else os.path.relpath(file.resolve(), own_folder.resolve()))
    theme.ensure_glyphs(name)
    imgui.table_next_column()
    caption(icons.ICON_FA_FILE_CODE, framed=True)
    imgui.table_next_column()
    # across the columns to the right of it
    left, y = imgui.get_cursor_screen_pos()
    right = imgui.internal.get_current_window().work_rect.max.x
    imgui.push_clip_rect((left, y), (max(right, left + em(60)), y + imgui.get_frame_height()), False)
    draw, top = imgui.get_window_draw_list(), y + imgui.get_style().frame_padding.y
    with font("bold"):
        draw.add_text((left, top), imgui.get_color_u32(theme.TEXT), name)
        left += imgui.calc_text_size(name).x + em(0.8)
    text = f"{count} change{'s' if count > 1 else ''}" + (", outside the model's folder" if outside else "")
    draw.add_text((left, top), imgui.get_color_u32(theme.WARNING if outside else theme.DIM), text)
    imgui.pop_clip_rect()


def _edit(edit: SourceEdit, line: str, choose: Choose) -> None:
    """One edit."""
    theme.ensure_glyphs(edit.element, edit.before, edit.after)
    left_out = edit.way in ("", LEAVE_OUT)
    imgui.table_next_column()
    changed, on = imgui.checkbox("##saved", not left_out)
    tooltip("save this edit" if left_out else "leave this edit out; it remains unsaved")
    if changed:
        choose(edit.key, edit.ways[0] if on else LEAVE_OUT)
    imgui.table_next_column()
    imgui.align_text_to_frame_padding()
    with font("mono"):
        shift = imgui.get_content_region_avail().x - imgui.calc_text_size(line).x
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(shift, 0.0))
        caption(line)
    tooltip(f"{edit.file}:{edit.line}")
    imgui.table_next_column()
    imgui.align_text_to_frame_padding()
    what = f"{edit.element}  {edit.attribute}"
    caption(elide(what, imgui.get_content_region_avail().x), what, theme.DIM if left_out else theme.TEXT)
    imgui.table_next_column()
    _change(edit, left_out)
    if _has_choice(edit):
        imgui.table_next_column()
        _ways(edit, choose)


def _change(edit: SourceEdit, left_out: bool) -> None:
    """The text before and after; each gets the room that the other leaves."""
    imgui.align_text_to_frame_padding()
    with font("mono"):
        before, after = edit.before or "none", edit.after or "none"
        arrow = imgui.calc_text_size(" → ").x
        room = max(imgui.get_content_region_avail().x - arrow, 0.0)
        widths = [imgui.calc_text_size(text).x for text in (before, after)]
        share = max(room / 2, room - widths[1])
        caption(elide(before, share))
        imgui.same_line(0, 0)
        caption(" → ")
        imgui.same_line(0, 0)
        imgui.text_colored(
            theme.DIM if left_out else theme.ACCENT, elide(after, max(room / 2, room - min(widths[0], share)))
        )
    tooltip(f"{edit.attribute}\nbefore: {before}\nafter: {after}")


def _ways(edit: SourceEdit, choose: Choose) -> None:
    """The list of ways; one must be chosen if there is none."""
    imgui.set_next_item_width(-1)
    # in amber until it is chosen
    with colour(imgui.Col_.text, theme.TEXT if edit.way else theme.WARNING):
        opened = imgui.begin_combo("##way", _way_text(edit))
    tooltip(lambda: _affected(edit))
    if not opened:
        return
    for way in edit.ways:
        if selectable(WAYS[way], way == edit.way, HINTS[way]):
            choose(edit.key, way)
    if take(imgui.Key.escape):
        imgui.close_current_popup()
    imgui.end_combo()


def _way_text(edit: SourceEdit) -> str:
    """The way, and how many elements change with it."""
    if not edit.way and len(edit.affects) > 1:
        return f"choose: {_counted(edit.affects)} share it"
    several = edit.way in (CLASS, COPIES) and len(edit.affects) > 1
    return f"{WAYS[edit.way]}: {_counted(edit.affects)}" if several else WAYS[edit.way]


def _counted(elements: tuple[str, ...]) -> str:
    """So many of a type."""
    kinds = {element.split()[0] for element in elements}
    kind = kinds.pop() if len(kinds) == 1 else "element"
    return f"{len(elements)} {PLURALS.get(kind, f'{kind}s')}"


def _affected(edit: SourceEdit) -> str:
    """Where it comes from, and all elements that change."""
    came = {
        "include": f"from the included file {edit.file.name}", "class": "its value comes from a default class",
        "replicate": "one of the copies of <replicate>", "attach": f"from the attached model {edit.file.name}",
    }.get(edit.source, "")  # fmt: skip
    if len(edit.affects) > 1:
        names = ", ".join(edit.affects[:MOST_NAMES]) + (", …" if len(edit.affects) > MOST_NAMES else "")
        verb = "changes" if edit.way not in ("", LEAVE_OUT) else "would change"
        changes = f"line {edit.line} of {edit.file.name} {verb} {_counted(edit.affects)}: {names}"
        return f"{came}\n{changes}" if came else changes
    return came or "how to save this edit"


def line_colour(line: str) -> theme.Rgba:
    """The colour of a line of a unified diff."""
    if line.startswith(("---", "+++")):
        return theme.TEXT
    return {"+": theme.ADDED, "-": theme.ERROR, "@": theme.ACCENT}.get(line[:1], theme.DIM)


def diff_view(text: str, height: float) -> None:
    """The diff in a box of this height."""
    lines = text.splitlines()
    theme.ensure_glyphs(text)
    flags = imgui.WindowFlags_.horizontal_scrollbar | imgui.WindowFlags_.no_nav_inputs
    imgui.push_style_color(imgui.Col_.child_bg, theme.PANEL)
    imgui.begin_child("diff", (0, height), imgui.ChildFlags_.borders, flags)
    imgui.pop_style_color()
    with font("mono"):
        line_height = imgui.get_text_line_height_with_spacing()
        width = max((imgui.calc_text_size(line).x for line in sorted(lines, key=len)[-3:]), default=0.0) + em(1)
        clipper = imgui.ListClipper()
        clipper.begin(len(lines), line_height)
        while clipper.step():
            for line in lines[clipper.display_start : clipper.display_end]:
                _line(line, line_height, max(width, imgui.get_content_region_avail().x))
    imgui.end_child()


def _line(line: str, height: float, width: float) -> None:
    """One line, on a shade of its colour if it changes."""
    tint = line_colour(line)
    if line[:1] in ("+", "-") and tint != theme.TEXT:
        x, y = imgui.get_cursor_screen_pos()
        y -= imgui.get_style().item_spacing.y / 2
        shade = imgui.get_color_u32((*tint[:3], SHADE))
        imgui.get_window_draw_list().add_rect_filled((x - em(0.4), y), (x + width, y + height), shade)
    imgui.text_colored(tint, line)
