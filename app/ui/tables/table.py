"""A table of numbers and text: sorted by its headings, copied from its menu; it reports which row was clicked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui
from numpy.typing import NDArray

from app.ui import theme
from app.ui.tables.column import HELP, Column, Scales, as_csv, as_text, column_scales
from app.ui.tables.frame import (
    FLAGS,
    Heading,
    begin_table,
    fit_columns,
    forget_widths,
    note_width,
    sorted_rows,
    sorting,
)
from app.ui.widgets import colour, elide, em, font, icon_button, menu_item, text_field, tooltip
from app.view.table_state import TableState
from app.view.view_state import ViewState

Rows = NDArray[np.int64]
TEXT_HINT = "as shown, in aligned columns"
CSV_HINT = "comma-separated, all digits, units without prefix"


def _plain(_: int) -> theme.Rgba:
    return theme.TEXT


@dataclass(frozen=True)
class Look:
    """How rows look: tooltip, colour, name of each for ImGui; how they are sorted; how high they are.

    `order` puts rows in the order of a column, the largest on top or not, where that is more than sorting its values.
    """

    hint: Callable[[int], str]
    tint: Callable[[int], theme.Rgba] = _plain
    label: Callable[[int], str] = str
    order: Callable[[int, bool], Rows] | None = None
    # of rows with widgets, in em; 0: of text
    row_height: float = 0.0
    # whether the marked row stays in sight when others change their places
    follow: bool = False
    flags: int = FLAGS
    height: float = 0.0


def table(
    view: ViewState,
    name: str,
    columns: Sequence[Column],
    look: Look,
    model: object = None,
    marked: NDArray[np.bool_] | None = None,
    rows: Rows | None = None,
    scroll: bool = True,
) -> int | None:
    """A sortable table; returns the row that was clicked, or None.

    `marked` rows are highlighted; `rows` are those that a filter leaves. A new selection scrolls to its first row
    unless `scroll` is off. Another `model` is measured again.
    """
    state = state_of(view, name)
    forget_widths(state, model)
    shown = np.arange(len(columns[0].values)) if rows is None else rows
    state.scales = column_scales(columns, shown, state.scales)
    headings = [_heading(column, state.scales) for column in columns]
    if not begin_table(name, state, headings, look.flags, look.height):
        return None
    order = _ordered(columns, shown, look)
    # widgets are as high as their row
    padding = max((em(look.row_height) - imgui.get_font_size()) / 2, 0.0)
    imgui.push_style_var(imgui.StyleVar_.frame_padding, (imgui.get_style().frame_padding.x, padding))
    height = imgui.get_font_size() + 2 * padding + 2 * imgui.get_style().cell_padding.y
    if marked is not None:
        place = int(np.argmax(marked[order])) if marked[order].any() else -1
        moved = view.selection != state.selection or (look.follow and place != state.place)
        if scroll and moved and place >= 0:
            _scroll_to(place, height)
        state.selection, state.place = view.selection, place
    clipper = imgui.ListClipper()
    clipper.begin(len(order), height)
    with font("mono"):
        drawn = _Drawn(columns, look, state, marked, imgui.calc_text_size("0").x)
        while clipper.step():
            for row in order[clipper.display_start : clipper.display_end].tolist():
                drawn.row(row)
    imgui.pop_style_var()
    fit_columns(state)
    imgui.end_table()
    if drawn.menu_row is not None or state.menu:
        fill_menu(state, columns, order.tolist(), state.scales, drawn.menu_row)
        state.menu = True
    copy_menu(view, name)
    return drawn.clicked


def _heading(column: Column, scales: Scales) -> Heading:
    text = column.heading(scales.get(column.name))
    return Heading(column.name, text, column.hint, column.wide, column.first, column.unit is not None)


def _ordered(columns: Sequence[Column], rows: Rows, look: Look) -> Rows:
    """Rows in the order of the headings."""
    column, descending = sorting()
    if look.order is not None:
        return look.order(column, descending)
    return rows if column < 0 else rows[sorted_rows(columns[column].values[rows], descending)]


def _scroll_to(place: int, line: float) -> None:
    """Scroll a row to the middle unless it is visible."""
    # the headings cover the first line
    top, height = place * line, imgui.get_window_height() - line - imgui.get_style().scrollbar_size
    if not imgui.get_scroll_y() <= top <= imgui.get_scroll_y() + height - line:
        imgui.set_scroll_y(max(top - (height - line) / 2, 0.0))


@dataclass
class _Drawn:
    """A table while its rows are drawn, and what happened to them."""

    columns: Sequence[Column]
    look: Look
    state: TableState
    marked: NDArray[np.bool_] | None
    # the width of a digit
    letter: float
    clicked: int | None = None
    menu_row: int | None = None

    def row(self, row: int) -> None:
        """One row: the first cell is what is clicked, across all columns."""
        imgui.table_next_row()
        tint = self.look.tint(row)
        imgui.push_id(self.look.label(row))
        for k, column in enumerate(self.columns):
            if imgui.table_next_column():
                text = column.written(row, self.state.scales.get(column.name))
                self._cell(row, column, text, tint, leading=k == 0)
        imgui.pop_id()

    def _cell(self, row: int, column: Column, text: str, tint: theme.Rgba, leading: bool) -> None:
        if column.right and column.draw is None and not leading:
            self._number(column, text, tint)
            if column.tip is not None:
                tooltip(partial(column.tip, row))
            return
        with font("mono" if column.right and column.draw is None else "sans"):
            if self.look.row_height and not leading:
                imgui.align_text_to_frame_padding()
            width = imgui.calc_text_size(text).x
            room = imgui.get_content_region_avail().x
            short = elide(text, room) if column.wide and width > room else text
            if leading:
                self._leading(row, short, tint)
            elif column.draw is not None:
                column.draw(row, text)
                width = imgui.get_item_rect_size().x
            else:
                imgui.text_colored(tint, short)
            note_width(self.state, column.name, width)
        if column.tip is not None and column.draw is None:
            tooltip(partial(column.tip, row))
        elif short != text:
            tooltip(text)

    def _number(self, column: Column, text: str, tint: theme.Rgba) -> None:
        """A number at the right; its letters are equally wide."""
        width = self.letter * len(text)
        note_width(self.state, column.name, width)
        shift = imgui.get_content_region_avail().x - width
        if shift > 0:
            imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + shift)
        if self.look.row_height:
            imgui.align_text_to_frame_padding()
        imgui.text_colored(tint, text)

    def _leading(self, row: int, text: str, tint: theme.Rgba) -> None:
        marked = self.marked is not None and bool(self.marked[row])
        size = (0.0, imgui.get_frame_height() if self.look.row_height else 0.0)
        flags: Any = imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_overlap
        imgui.push_style_var(imgui.StyleVar_.selectable_text_align, (0.0, 0.5))
        with colour(imgui.Col_.text, tint):
            if imgui.selectable(f"{text}###{self.look.label(row)}", marked, flags, size)[0]:
                self.clicked = row
        imgui.pop_style_var()
        if imgui.is_item_clicked(imgui.MouseButton_.right):
            self.menu_row = row
        with font("sans"):
            tooltip(self.look.hint(row))


def state_of(view: ViewState, name: str) -> TableState:
    """What a table remembers."""
    return view.ui.tables.setdefault(name, TableState())


def filter_field(view: ViewState, name: str, hint: str, explanation: str = HELP, width: float = 18.0) -> str:
    """The filter of a table, as typed."""
    state = state_of(view, name)
    state.filter = text_field(
        f"##{name} filter", hint, state.filter, explanation, min(em(width), 0.45 * imgui.get_content_region_avail().x)
    )
    return state.filter


def copy_button(view: ViewState, name: str) -> None:
    """Opens the menu with all rows."""
    if icon_button(icons.ICON_FA_COPY, f"copy {name}", "copy the table as text or CSV; right-click a row to copy it"):
        state_of(view, name).menu = True


def fill_menu(
    state: TableState, columns: Sequence[Column], rows: Sequence[int], scales: Scales, row: int | None
) -> None:
    """Note what the menu copies: one row, if there is one, and all that the filter leaves."""
    state.copies = {}
    if row is not None:
        state.copies["Copy row"] = as_text(columns, [row], scales)
        state.copies["Copy row as CSV"] = as_csv(columns, [row])
    state.copies["Copy table"] = as_text(columns, rows, scales)
    state.copies["Copy table as CSV"] = as_csv(columns, rows)


def copy_menu(view: ViewState, name: str) -> None:
    """The menu, after it was opened."""
    state, popup = state_of(view, name), f"copy {name}"
    if state.menu:
        state.menu = False
        imgui.open_popup(popup)
    if not imgui.begin_popup(popup):
        return
    for label, text in state.copies.items():
        if menu_item(label, CSV_HINT if label.endswith("CSV") else TEXT_HINT):
            imgui.set_clipboard_text(text)
            count = text.strip("\n").count("\n")
            view.feedback.show_message(f"copied {count} row{'' if count == 1 else 's'}")
    imgui.end_popup()
