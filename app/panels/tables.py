"""Tables of the bottom strip: contacts and constraint rows. They can be sorted; a click selects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from app.commands import Send
from app.contact_table import SLIP, contact_table
from app.panels import theme
from app.selection import Selection, element_name
from app.snapshot import ModelView, Snapshot, StateView
from app.state import ViewState
from app.widgets import font, tooltip

FLAGS = (
    imgui.TableFlags_.sortable
    | imgui.TableFlags_.row_bg
    | imgui.TableFlags_.scroll_y
    | imgui.TableFlags_.resizable
    | imgui.TableFlags_.hideable
    | imgui.TableFlags_.borders_inner_v
    | imgui.TableFlags_.sizing_stretch_prop
)
ROW_KINDS = (
    "equality", "dof friction", "tendon friction", "joint limit", "tendon limit", "contact", "contact, pyramid",
    "contact, cone",
)  # fmt: skip
ROW_STATES = ("satisfied", "quadratic", "linear -", "linear +", "cone")

# heading, numbers or words of all rows, how one is written, hint
Column = tuple[str, NDArray[Any], Callable[[Any], str], str]


def table(name: str, columns: Sequence[Column], chosen: int, tint: Callable[[int], theme.Rgba | None]) -> int | None:
    """A table that sorts itself; the row that was clicked. `chosen` is marked, `tint` colours rows."""
    clicked = None
    if not imgui.begin_table(name, len(columns), FLAGS):
        return None
    imgui.table_setup_scroll_freeze(0, 1)
    for heading, _, _, _ in columns:
        imgui.table_setup_column(heading)
    imgui.table_headers_row()
    order = _order(columns)
    clipper = imgui.ListClipper()
    clipper.begin(len(order))
    with font("mono"):
        while clipper.step():
            for row in order[clipper.display_start : clipper.display_end].tolist():
                imgui.table_next_row()
                if _row(row, columns, row == chosen, tint(row)):
                    clicked = row
    imgui.end_table()
    return clicked


def _order(columns: Sequence[Column]) -> NDArray[np.int64]:
    """Rows in the order that the headings ask for."""
    count = len(columns[0][1])
    specs = imgui.table_get_sort_specs()
    if specs is None or specs.specs_count == 0:
        return np.arange(count)
    spec = specs.get_specs(0)
    order = np.argsort(columns[spec.column_index][1], kind="stable")
    descending = spec.get_sort_direction() == imgui.SortDirection.descending
    return order[::-1] if descending else order


def _row(row: int, columns: Sequence[Column], selected: bool, tint: theme.Rgba | None) -> bool:
    """The cells of one row; whether it was clicked."""
    pressed = False
    for k, (heading, values, written, hint) in enumerate(columns):
        imgui.table_next_column()
        text = written(values[row])
        if k == 0:
            span = imgui.SelectableFlags_.span_all_columns
            pressed, _ = imgui.selectable(f"{text}##{row}", selected, span)
            continue
        if isinstance(values[row], float | np.floating):
            # numbers stand at the right
            room = imgui.get_content_region_avail().x - imgui.calc_text_size(text).x
            imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(room, 0.0))
        imgui.text_colored(tint or theme.TEXT, text)
        if hint:
            tooltip(f"{heading}: {hint}")
    return pressed


def contacts_panel(snapshot: Snapshot, view: ViewState, _: Send) -> None:
    """The contacts of the step that ran; a click flies there."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None or not len(state.contact.dim):
        imgui.text_colored(theme.DIM, "no contacts")
        return
    contacts = contact_table(model, state)

    def geom_name(geom: int) -> str:
        return element_name(model, "geom", int(geom))

    columns: list[Column] = [
        ("#", np.arange(len(contacts.state)), str, ""),
        ("geom 1", contacts.geom1, geom_name, "contact.geom"),
        ("geom 2", contacts.geom2, geom_name, "contact.geom"),
        ("distance mm", 1e3 * contacts.distance, _short, "contact.dist; negative: penetration"),
        ("normal N", contacts.normal, _short, "normal force of the last step"),
        ("friction N", contacts.friction, _short, "tangential force of the last step"),
        ("slip mm/s", 1e3 * contacts.slip, _short, "how fast the surfaces slide over each other"),
        ("state", contacts.state, str, "open: carries nothing; stick; slip: at the edge of the cone"),
        ("island", contacts.island, str, "efc_island"),
    ]
    clicked = table(
        "contacts", columns, _chosen(view, "contact"),
        lambda row: theme.LOOK if contacts.state[row] == SLIP else None,
    )  # fmt: skip
    if clicked is not None:
        view.select("contact", clicked, fly=True)


def rows_panel(snapshot: Snapshot, view: ViewState, _: Send) -> None:
    """The constraint rows of the step that ran; a click selects what a row comes from."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None or not len(state.efc_type):
        imgui.text_colored(theme.DIM, "no constraint rows")
        return
    kinds = np.asarray(state.efc_type)
    island = state.efc_island if state.nisland else np.full(len(kinds), -1)
    columns: list[Column] = [
        ("row", np.arange(len(kinds)), str, ""),
        ("kind", np.array(ROW_KINDS)[kinds], str, "efc_type"),
        ("from", np.asarray(state.efc_id), str, "efc_id: contact, joint, tendon or equality"),
        ("position", state.efc_pos, _short, "efc_pos: how far the constraint is violated"),
        ("margin", state.efc_margin, _short, "efc_margin"),
        ("velocity", state.efc_vel, _short, "efc_vel"),
        ("aref", state.efc_aref, _short, "efc_aref: acceleration that the constraint wants"),
        ("R", state.efc_R, _short, "efc_R: what keeps the row soft"),
        ("force", state.efc_force, _short, "efc_force"),
        ("state", np.array(ROW_STATES)[np.asarray(state.efc_state)], str, "efc_state"),
        ("island", np.asarray(island), str, "efc_island"),
    ]
    clicked = table("rows", columns, -1, lambda row: None)
    if clicked is not None:
        source = _source(model, state, clicked)
        if source is not None:
            view.selection = source


def _source(model: ModelView, state: StateView, row: int) -> Selection | None:
    """What a constraint row comes from."""
    kind = ("equality", "dof", "tendon", "joint", "tendon", "contact", "contact", "contact")[int(state.efc_type[row])]
    index = int(state.efc_id[row])
    if kind == "dof":
        return Selection("joint", int(np.searchsorted(model.jnt_dofadr, index, side="right") - 1))
    return Selection(kind, index)


def _short(value: float) -> str:
    return f"{value:.4g}"


def _chosen(view: ViewState, kind: str) -> int:
    """The selected row, if one of this kind is selected."""
    return view.selection.index if view.selection is not None and view.selection.kind == kind else -1
