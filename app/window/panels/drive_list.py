"""What the panels Controls and Joints share: filter, switches, count and reset, and rows of a name, slider and number.

Keyboard: Up and Down in the filter select a row, Enter puts the cursor into its number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui
from numpy.typing import NDArray

from app.model.drive_filter import DriveFilter
from app.model.drive_table import DriveTable, Floats, Indices
from app.model.selection import Selection
from app.model.views import ModelView
from app.run.commands import Send, SetData
from app.ui.widgets import (
    Hint,
    Move,
    angle_heading,
    bare_slider,
    button,
    caption,
    checkbox,
    elide,
    em,
    icon_button,
    number_field,
    same_line_if_fits,
    tooltip,
)
from app.view.view_state import ViewState
from sim.analysis.element_names import described

# widths: of a number with a unit that the heading does not name, of one without, of a name, at most this share of a row
UNIT_EM, NUMBER_EM, NAME_EM, NAME_SHARE = 5.1, 3.9, 9.0, 0.33
ANGLES = ("rad", "°")
MENU_EM = 1.8
FILTER_HINT = (
    "parts of names, including those of bodies and driven elements\nUp, Down: select; Enter: type a value; Escape: "
    "clear"
)


class Asked(NamedTuple):
    """What the head of a panel is asked for: reset what is shown, the row before or after, typing a number."""

    reset: bool
    way: int
    typing: bool


@dataclass(frozen=True)
class Number:
    """How a number is shown and edited, in the unit shown; with a slider if it has ends."""

    key: str
    value: float
    move: Move
    form: str
    unit: str = ""
    ends: tuple[float, float] | None = None


@dataclass(frozen=True)
class Drives:
    """Numbers of the state: their field, values, what counts as unchanged and its name, whether each moves.

    `prefixes` begin the keys of their items; `more` is drawn in the menu of filters, and `special` says that it has
    something other than by default.
    """

    field: str
    values: Floats
    base: Floats
    default: str
    prefixes: tuple[str, ...]
    moving: NDArray[np.bool_] | None = None
    more: Callable[[], None] = lambda: None
    special: bool = False


def head(model: ModelView, chosen: DriveFilter, what: str, drives: Drives) -> Asked:
    """Filter, a menu of more filters, and reset, in one line if it is wide enough."""
    style, reset = imgui.get_style(), "Reset"
    taken = imgui.calc_text_size(reset).x + 2 * style.frame_padding.x + em(MENU_EM) + 2 * style.item_inner_spacing.x
    imgui.set_next_item_width(max(imgui.get_content_region_avail().x - taken, em(4)))
    flags = imgui.InputTextFlags_.escape_clears_all | imgui.InputTextFlags_.enter_returns_true
    entered, chosen.text = imgui.input_text_with_hint(f"##filter {what}", f"filter {what}", chosen.text, flags)
    typing = imgui.is_item_active()
    way = int(typing and imgui.is_key_pressed(imgui.Key.down_arrow))
    way -= int(typing and imgui.is_key_pressed(imgui.Key.up_arrow))
    tooltip(FILTER_HINT)
    here = chosen.keyframe if chosen.keyframe < model.nkey else -1
    base = described(model, "key", here) if here >= 0 else drives.default
    same_line_if_fits("     ", style.item_inner_spacing.x)
    narrowed = chosen.changed or chosen.moving or here >= 0 or drives.special
    menu = f"more {what}"
    if icon_button(icons.ICON_FA_FILTER, menu, f"only {what} that differ or move; more filters", narrowed, MENU_EM):
        imgui.open_popup(menu)
    same_line_if_fits(reset, style.item_inner_spacing.x)
    pressed = button(f"{reset}##{what}", f"set the listed {what} to {base}")
    if imgui.begin_popup(menu):
        _menu(model, chosen, what, drives, base)
        imgui.end_popup()
    return Asked(pressed, way, entered)


def _menu(model: ModelView, chosen: DriveFilter, what: str, drives: Drives, base: str) -> None:
    """What is shown, and what counts as unchanged."""
    chosen.changed = checkbox(f"changed##{what}", chosen.changed, f"only {what} that differ from {base}")
    imgui.same_line()
    hint = "only joints with a velocity" if what == "joints" else "only controls that change"
    chosen.moving = checkbox(f"moving##{what}", chosen.moving, hint)
    if model.nkey:
        imgui.set_next_item_width(em(2 * NAME_EM))
        names = [drives.default, *(described(model, "key", k) for k in range(model.nkey))]
        here = chosen.keyframe if chosen.keyframe < model.nkey else -1
        chosen.keyframe = imgui.combo(f"##base {what}", here + 1, [f"relative to {name}" for name in names])[1] - 1
        tooltip("reference for finding changes and for resetting")
    drives.more()


def filtered(
    model: ModelView, view: ViewState, chosen: DriveFilter, table: DriveTable, what: str, drives: Drives, send: Send
) -> Indices:
    """The head of a panel; returns the rows to show."""
    asked, field, base = head(model, chosen, what, drives), drives.field, drives.base
    edited = max(edited_row(view, prefix, table) for prefix in drives.prefixes)
    shown = chosen.shown(table, drives.values, base, drives.moving, imgui.get_time(), edited)
    if asked.reset and len(shown):
        places = table.places(shown)
        send(SetData(field, 0, tuple(base[places].tolist()), places=tuple(places.tolist())))
    navigate(view, chosen, table, shown, asked)
    angle_heading(view, f"{len(shown)} of {len(table)}", f"angles of {what}")
    return shown


def navigate(view: ViewState, chosen: DriveFilter, table: DriveTable, shown: Indices, asked: Asked) -> None:
    """Select the row before or after, or give the keyboard to its number."""
    row = selected_row(view, table)
    if asked.way:
        row = chosen.step(shown, row, asked.way)
        if row >= 0:
            view.select(table.kind, int(table.elements[row]))
            chosen.scroll_to = row
    elif asked.typing and len(shown):
        chosen.focus = chosen.scroll_to = row if row in shown else int(shown[0])


def selected_row(view: ViewState, table: DriveTable) -> int:
    """The row of the selected element, or -1."""
    if view.selection is None or view.selection.kind != table.kind:
        return -1
    row = int(np.searchsorted(table.elements, view.selection.index))
    return row if row < len(table) and table.elements[row] == view.selection.index else -1


def list_rows(chosen: DriveFilter, shown: Indices, lines: Indices, draw: Callable[[int, int], None]) -> None:
    """Draw the lines in sight of the rows that are shown: `lines` of each row, `draw` gets a row and a line of it."""
    counts = lines[shown]
    starts = np.cumsum(counts) - counts
    rows, parts = np.repeat(shown, counts), np.arange(int(counts.sum())) - np.repeat(starts, counts)
    clipper = imgui.ListClipper()
    clipper.begin(len(rows), imgui.get_frame_height_with_spacing())
    wanted = np.flatnonzero(shown == chosen.scroll_to)
    if len(wanted):
        clipper.include_item_by_index(int(starts[wanted[0]]))
    while clipper.step():
        for line in range(clipper.display_start, clipper.display_end):
            row = int(rows[line])
            if row == chosen.scroll_to and parts[line] == 0:
                imgui.set_scroll_here_y(0.5)
                chosen.scroll_to = -1
            imgui.push_id(row)
            draw(row, int(parts[line]))
            imgui.pop_id()


def name_cell(view: ViewState, table: DriveTable, row: int, width: float, hint: Hint) -> None:
    """The name of a row; a click selects the element."""
    element, label = int(table.elements[row]), table.labels[row]
    imgui.push_style_var(imgui.StyleVar_.selectable_text_align, (0.0, 0.5))
    short, here = _short(label, width), view.selection == Selection(table.kind, element)
    if imgui.selectable(f"{short}##{table.kind}{row}", here, 0, (width, imgui.get_frame_height()))[0]:
        view.select(table.kind, element)
    imgui.pop_style_var()
    tooltip(hint)


def _short(label: str, width: float) -> str:
    """A name cut to `width` pixels: first the namespaces that all of its neighbours have too, as in robot/arm/elbow."""
    if "/" in label and imgui.calc_text_size(label).x > width:
        name, *kind = label.split(" / ")
        label = " / ".join((f"…/{name.rpartition('/')[2]}" if "/" in name else name, *kind))
    return elide(label, width)


def number_cells(
    view: ViewState, chosen: DriveFilter, row: int, number: Number, hint: Hint
) -> tuple[float | None, bool]:
    """A slider, if there is room for one, and the number next to it; returns the user's value, and if right-clicked."""
    room, gap = imgui.get_content_region_avail().x, imgui.get_style().item_inner_spacing.x
    unit = "" if number.unit in ANGLES else number.unit
    wide = em(UNIT_EM if unit else NUMBER_EM)
    answer, clicked = None, False
    if number.ends is not None and room > 1.4 * wide:
        imgui.set_next_item_width(room - wide - gap)
        answer = bare_slider(view, number.key, number.value, *number.ends)
        tooltip(hint)
        clicked = imgui.is_item_clicked(imgui.MouseButton_.right)
        imgui.same_line(0, gap)
    key = f"{number.key} number" if number.ends is not None else number.key
    imgui.set_next_item_width(-1)
    if chosen.focus == row:
        imgui.set_keyboard_focus_here()
        chosen.focus = -1
    fits = imgui.calc_text_size(f"-0.000 {unit}").x + 2 * imgui.get_style().frame_padding.x <= (
        wide if number.ends is not None else room
    )
    suffix = number.unit if number.unit == "°" else f" {unit}" if unit and fits else ""
    # while the slider is dragged its number follows
    value = view.ui.editing.value if view.ui.editing is not None and view.ui.editing.key == number.key else number.value
    typed = number_field(view, key, (value,), 0, number.move, form=number.form + suffix)
    tooltip(hint)
    clicked |= imgui.is_item_clicked(imgui.MouseButton_.right)
    return (typed if typed is not None else answer), clicked


def name_width(table: DriveTable) -> float:
    """The width of the column of names: no wider than they are."""
    longest = imgui.calc_text_size(table.longest).x + em(1)
    return min(longest, em(NAME_EM), NAME_SHARE * imgui.get_content_region_avail().x)


def edited_row(view: ViewState, prefix: str, table: DriveTable) -> int:
    """The row whose number is being dragged or typed, or -1; keys of numbers are the prefix and the address."""
    editing = view.ui.editing
    if editing is None or not editing.key.startswith(prefix):
        return -1
    address = int(editing.key.removeprefix(prefix).split(" ")[0].split(".")[0])
    row = int(np.searchsorted(table.addresses, address, "right")) - 1
    # it may be of the model before
    return row if row >= 0 and address < table.addresses[row] + table.counts[row] else -1


def nothing(what: str) -> None:
    """What is said where no row matches."""
    caption(f"no {what} match")
