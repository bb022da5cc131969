"""The frame of a table: headings, and columns as wide as the words that they have shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from app.ui import theme
from app.ui.tables.column import DOWN
from app.ui.widgets import em, tooltip
from app.view.table_state import TableState

FLAGS = (
    imgui.TableFlags_.sortable
    | imgui.TableFlags_.row_bg
    | imgui.TableFlags_.scroll_x
    | imgui.TableFlags_.scroll_y
    | imgui.TableFlags_.resizable
    | imgui.TableFlags_.reorderable
    | imgui.TableFlags_.hideable
    | imgui.TableFlags_.borders_inner_v
    | imgui.TableFlags_.sizing_fixed_fit
)
# a wide column is scrolled to rather than narrower than this, if its words need it
WIDE_EM = 14.0
# next to a heading, for the arrow of the column that sorts
ARROW_EM = 1.0


class Heading(NamedTuple):
    """A column's name, what its heading says, its tooltip, whether it is wide, and how it is sorted."""

    name: str
    text: str
    hint: str = ""
    wide: bool = False
    # sorted by it at first: UP or DOWN; whether the first click has the largest on top
    first: str = ""
    descending: bool = False


def begin_table(
    name: str, state: TableState, headings: Sequence[Heading], flags: int = FLAGS, height: float = 0.0
) -> bool:
    """Begin a table and draw its headings; whoever draws cells calls `note_width`, and `fit_columns` at the end."""
    padding = 2 * imgui.get_style().cell_padding.x + 1.0
    needed = sum(_least(state, heading) + padding for heading in headings)
    room = imgui.get_content_region_avail().x - imgui.get_style().scrollbar_size
    scrolls = flags & imgui.TableFlags_.scroll_x
    if not imgui.begin_table(name, len(headings), flags, (0, height), max(needed, room) if scrolls else 0.0):
        return False
    imgui.table_setup_scroll_freeze(1, 1)
    fixed = sum(_least(state, heading) for heading in headings if not heading.wide)
    wide = {heading.name: state.longest.get(heading.name, 1.0) for heading in headings if heading.wide}
    weights = fair_widths(wide, max(needed, room) - fixed - padding * len(headings))
    for k, heading in enumerate(headings):
        flags_of = _column_flags(heading, k == 0)
        imgui.table_setup_column(heading.name or f"##{k}", flags_of, weights.get(heading.name, 0.0))
    imgui.table_next_row(imgui.TableRowFlags_.headers)
    for k, heading in enumerate(headings):
        if not imgui.table_set_column_index(k):
            if not imgui.table_get_column_flags(k) & imgui.TableColumnFlags_.is_enabled:
                state.widths[heading.name] = 0.0
            continue
        state.widths[heading.name] = imgui.get_content_region_avail().x
        # the blank ends a heading that is "#"
        imgui.table_header(f"{heading.text} ###{heading.name or k}")
        if heading.hint:
            tooltip(heading.hint)
    return True


def fair_widths(wanted: Mapping[str, float], room: float) -> dict[str, float]:
    """Widths of columns that share some room: each what it wants; if that is too much, the longest give way."""
    widths = {}
    for left, (name, width) in enumerate(sorted(wanted.items(), key=lambda item: item[1])):
        widths[name] = max(min(width, room / (len(wanted) - left)), 1.0)
        room -= widths[name]
    return widths


def _column_flags(heading: Heading, leading: bool) -> int:
    """ImGui's flags of a column; the first one holds what is clicked, so that it cannot be hidden."""
    column = imgui.TableColumnFlags_
    flags = column.width_stretch if heading.wide else column.width_fixed
    for wanted, flag in (
        (leading, column.no_hide | column.no_reorder),
        (bool(heading.first), column.default_sort),
        (heading.descending or heading.first == DOWN, column.prefer_sort_descending),
        (not heading.name, column.no_sort | column.no_header_label),
    ):
        if wanted:
            flags |= flag
    return int(flags)


def _least(state: TableState, heading: Heading) -> float:
    """The width without which a table is scrolled; a column that is hidden needs none."""
    width = state.widths.get(heading.name)
    if width == 0.0:
        return 0.0
    longest = max(state.longest.get(heading.name, 0.0), imgui.calc_text_size(heading.text).x + em(ARROW_EM))
    return min(longest, em(WIDE_EM)) if heading.wide else max(width or 0.0, longest)


def forget_widths(state: TableState, model: object) -> None:
    """Measure again what another font or another model says."""
    key = (imgui.get_font_size(), model)
    if state.measured_for != key:
        state.measured_for = key
        state.longest.clear()


def note_width(state: TableState, name: str, width: float) -> None:
    """Remember the width of a text; a column with a longer one than ever is to grow."""
    if width > state.longest.get(name, 0.0) + 0.5:
        state.longest[name] = width
        state.grown.add(name)


def fit_columns(state: TableState) -> None:
    """Fit columns to their texts if one has a longer text than ever; what the user has dragged stays otherwise."""
    if state.grown:
        imgui.internal.table_set_column_width_auto_all(imgui.internal.get_current_table())
    state.grown.clear()


def sorting() -> tuple[int, bool]:
    """The column by which the current table is sorted, or -1; and whether the largest is on top."""
    specs = imgui.table_get_sort_specs()
    if specs is None or specs.specs_count == 0:
        return -1, False
    spec = specs.get_specs(0)
    return spec.column_index, spec.get_sort_direction() == imgui.SortDirection.descending


def sorted_rows(values: NDArray[Any], descending: bool) -> NDArray[np.int64]:
    """The order of some values; equal ones stay as they are."""
    if not descending:
        return np.argsort(values, kind="stable")
    return len(values) - 1 - np.argsort(values[::-1], kind="stable")[::-1]


def cell(text: str, tint: theme.Rgba, right: bool) -> None:
    """The text of a cell; numbers are aligned to the right."""
    if right:
        room = imgui.get_content_region_avail().x - imgui.calc_text_size(text).x
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(room, 0.0))
    imgui.text_colored(tint, text)
