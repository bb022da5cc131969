"""The line above a table: its filter, how many rows it leaves, and a button that copies; and the menu of a row."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.ui.tables.column import Column, Scales, as_csv, as_text
from app.ui.tables.filter import HELP
from app.ui.widgets import em, icon_button, menu_item, text_field
from app.view.table_state import TableState
from app.view.view_state import ViewState

TEXT_HINT = "as shown, in aligned columns"
CSV_HINT = "comma-separated, all digits, units without prefix"


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
    if icon_button(icons.ICON_FA_COPY, f"copy {name}", "copy the table, as text or CSV; a right-click copies a row"):
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
