"""A sortable, scrolling table of numbers and text that reports which row was clicked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from app.ui import theme
from app.ui.widgets import em, font, tooltip

FLAGS = (
    imgui.TableFlags_.sortable
    | imgui.TableFlags_.row_bg
    | imgui.TableFlags_.scroll_x
    | imgui.TableFlags_.scroll_y
    | imgui.TableFlags_.resizable
    | imgui.TableFlags_.hideable
    | imgui.TableFlags_.borders_inner_v
    | imgui.TableFlags_.sizing_stretch_prop
)


@dataclass(frozen=True)
class Column:
    """One column: heading, values of all rows, how to format one, tooltip, minimum width in em."""

    heading: str
    values: NDArray[Any]
    format: Callable[[Any], str]
    hint: str = ""
    width: float = 5.0


def begin_table(name: str, columns: Sequence[tuple[str, str, float]], flags: int = FLAGS) -> bool:
    """Begin a table of columns (heading, tooltip, minimum width in em) and draw its headings."""
    least = em(sum(width for _, _, width in columns))
    room = imgui.get_content_region_avail().x - imgui.get_style().scrollbar_size
    if not imgui.begin_table(name, len(columns), flags, (0, 0), max(least, room)):
        return False
    imgui.table_setup_scroll_freeze(1, 1)
    for heading, _, width in columns:
        imgui.table_setup_column(heading, 0, width)
    imgui.table_next_row(imgui.TableRowFlags_.headers)
    for k, (heading, hint, _) in enumerate(columns):
        imgui.table_set_column_index(k)
        imgui.table_header(heading or f"##{k}")
        if hint:
            tooltip(hint)
    return True


def table(
    name: str,
    columns: Sequence[Column],
    marked: NDArray[Any],
    tint: Callable[[int], theme.Rgba],
    hint: str,
    scroll: bool = False,
) -> int | None:
    """A sortable table; returns the row that was clicked, or None. `hint` is the tooltip of rows.

    `marked` rows are highlighted, `tint` gives the text colour of a row; `scroll` brings the first marked one in sight.
    """
    clicked = None
    if not begin_table(name, [(column.heading, column.hint, column.width) for column in columns]):
        return None
    order = sorted_rows([column.values for column in columns])
    if scroll and marked.any():
        _scroll_to(int(np.flatnonzero(marked[order])[0]))
    clipper = imgui.ListClipper()
    clipper.begin(len(order))
    with font("mono"):
        while clipper.step():
            for row in order[clipper.display_start : clipper.display_end].tolist():
                imgui.table_next_row()
                if _row(row, columns, bool(marked[row]), tint(row), hint):
                    clicked = row
    imgui.end_table()
    return clicked


def _scroll_to(place: int) -> None:
    """Scroll a row to the middle unless it is visible."""
    line = imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y
    top, height = place * line, imgui.get_window_height()
    # the headings cover the first line
    if not imgui.get_scroll_y() <= top <= imgui.get_scroll_y() + height - 3 * line:
        imgui.set_scroll_y(max(top - height / 2, 0.0))


def sorted_rows(columns: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """Row indices in the order chosen in the headings of the current table."""
    count = len(columns[0])
    specs = imgui.table_get_sort_specs()
    if specs is None or specs.specs_count == 0:
        return np.arange(count)
    spec = specs.get_specs(0)
    order = np.argsort(columns[spec.column_index], kind="stable")
    descending = spec.get_sort_direction() == imgui.SortDirection.descending
    return order[::-1] if descending else order


def _row(row: int, columns: Sequence[Column], marked: bool, tint: theme.Rgba, hint: str) -> bool:
    """The cells of one row; returns whether it was clicked."""
    pressed = False
    for k, column in enumerate(columns):
        imgui.table_next_column()
        text = column.format(column.values[row])
        if k == 0:
            pressed, _ = imgui.selectable(f"{text}##{row}", marked, imgui.SelectableFlags_.span_all_columns)
            tooltip(hint)
            continue
        cell(text, tint, right=np.issubdtype(column.values.dtype, np.floating))
    return pressed


def cell(text: str, tint: theme.Rgba, right: bool) -> None:
    """The text of a cell; numbers are aligned to the right."""
    if right:
        room = imgui.get_content_region_avail().x - imgui.calc_text_size(text).x
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(room, 0.0))
    imgui.text_colored(tint, text)
