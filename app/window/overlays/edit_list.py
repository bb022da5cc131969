"""The edits of a planned save as a table: file and line, element, attribute, before and after, and how it is saved.

A tick leaves an edit out or takes it in. An edit of what several elements share has a list of ways: in the element, in
its class, in all copies.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.files.error_text import printable
from app.ui import theme
from app.ui.keys import take
from app.ui.widgets import caption, colour, elide, em, font, selectable, tooltip
from sim.save_plan import CLASS, COPIES, ELEMENT, LEAVE_OUT, SavePlan, SourceEdit

# key of an edit, and the way to save it
Choose = Callable[[tuple[str, str], str], None]

FLAGS = imgui.TableFlags_.scroll_y | imgui.TableFlags_.row_bg | imgui.TableFlags_.sizing_stretch_prop
WAYS = {ELEMENT: "this element", CLASS: "its class", COPIES: "all copies", LEAVE_OUT: "leave out", "": "choose…"}
HINTS = {
    ELEMENT: "write it in the element itself", CLASS: "write it in the default class, for all elements that take it",
    COPIES: "write it in the element that all are copies of", LEAVE_OUT: "do not save it; it stays as an unsaved edit",
}  # fmt: skip
PLURALS = {"body": "bodies", "mesh": "meshes", "equality": "equalities"}
WAY_EM, LINE_EM, TICK_EM = 15.0, 4.2, 1.9
# below this width, lines are only numbers
NARROW_EM = 36.0
# elements that a tooltip lists
MOST_NAMES = 20

# a file and how many edits it has, or an edit
Row = tuple[Path, int] | SourceEdit


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
    text = f"{count} change{'s' if count > 1 else ''}" + (", outside of the model's folder" if outside else "")
    draw.add_text((left, top), imgui.get_color_u32(theme.WARNING if outside else theme.DIM), text)
    imgui.pop_clip_rect()


def _edit(edit: SourceEdit, line: str, choose: Choose) -> None:
    """One edit."""
    theme.ensure_glyphs(edit.element, edit.before, edit.after)
    left_out = edit.way in ("", LEAVE_OUT)
    imgui.table_next_column()
    changed, on = imgui.checkbox("##saved", not left_out)
    tooltip("save this edit" if left_out else "leave this edit out; it stays unsaved")
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
