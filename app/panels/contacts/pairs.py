"""Contacts by pairs of bodies: a row with the sum of each pair, which unfolds to its contacts."""

from __future__ import annotations

from typing import Any

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui
from numpy.typing import NDArray

from app.insight.contacts.pairs import ContactPairs, contact_pairs
from app.insight.contacts.table import ContactTable, geom_names
from app.model.views import ModelView
from app.panels.contacts.columns import CLICK_HINT, FORMS, tint
from app.panels.table import begin_table, cell, sorted_rows
from app.ui import theme
from app.ui.widgets import font, tooltip
from app.view.view_state import ViewState
from sim.analysis.element_names import body_name

# heading, tooltip, minimum width in em
COLUMNS = (
    ("bodies", "the two bodies; unfolded: the geoms of each contact", 14.0),
    ("contacts", "how many; unfolded: index in d.contact", 4.5),
    ("force", "length of the summed force; unfolded: of each", 5.0),
    ("normal", "sum of the normal forces", 5.0),
    ("distance", "the smallest; negative: penetration", 5.0),
    ("slip", "the fastest", 5.0),
    ("state", "slip if one contact slips", 4.5),
)
# how the cells of all but the first two columns are printed
NUMBERS = ("normal", "normal", "distance", "slip", "state")


def pair_table(
    model: ModelView, contacts: ContactTable, chosen: NDArray[np.int64], marked: NDArray[np.bool_], view: ViewState
) -> int | None:
    """The table; returns the contact that was clicked. A click on a pair unfolds it."""
    if not begin_table("pairs", COLUMNS):
        return None
    pairs, clicked = contact_pairs(contacts, chosen), None
    texts = [tuple(body_name(model, int(b)) for b in bodies) for bodies in pairs.bodies]
    rows = _rows(pairs, contacts, np.array([f"{a} {b}" for a, b in texts], object), view)
    clipper = imgui.ListClipper()
    clipper.begin(len(rows))
    with font("mono"):
        while clipper.step():
            for pair, contact in rows[clipper.display_start : clipper.display_end]:
                imgui.table_next_row()
                if contact < 0:
                    _pair(pairs, pair, texts[pair], bool(marked[pairs.members[pair]].any()), view)
                elif _contact(model, contacts, contact, bool(marked[contact])):
                    clicked = contact
    imgui.end_table()
    return clicked


def _rows(pairs: ContactPairs, contacts: ContactTable, names: NDArray[Any], view: ViewState) -> list[tuple[int, int]]:
    """(pair, -1) for each pair in the order of the headings, then (pair, contact) where it is unfolded."""
    length = np.linalg.norm(pairs.force, axis=1)
    columns = [names, pairs.count, length, pairs.normal, pairs.distance, pairs.slip, pairs.state]
    rows = []
    for pair in sorted_rows(columns).tolist():
        rows.append((pair, -1))
        if _key(pairs, pair) in view.ui.unfolded_pairs:
            members = pairs.members[pair]
            order = sorted_rows([_sort_values(contacts, k)[members] for k in range(len(COLUMNS))])
            rows += [(pair, int(c)) for c in members[order]]
    return rows


def _sort_values(contacts: ContactTable, column: int) -> NDArray[Any]:
    """What contacts of a pair are sorted by."""
    index = np.arange(len(contacts.state))
    length = np.linalg.norm(contacts.force, axis=1)
    return (index, index, length, contacts.normal, contacts.distance, contacts.slip, contacts.state)[column]


def _key(pairs: ContactPairs, pair: int) -> tuple[int, int]:
    return int(pairs.bodies[pair, 0]), int(pairs.bodies[pair, 1])


def _pair(pairs: ContactPairs, pair: int, names: tuple[str, ...], marked: bool, view: ViewState) -> None:
    """The row of a pair."""
    key = _key(pairs, pair)
    arrow = icons.ICON_FA_CARET_DOWN if key in view.ui.unfolded_pairs else icons.ICON_FA_CARET_RIGHT
    imgui.table_next_column()
    with font("sans"):
        label = f"{arrow}  {names[0]}  –  {names[1]}###pair{key}"
        if imgui.selectable(label, marked, imgui.SelectableFlags_.span_all_columns)[0]:
            view.ui.unfolded_pairs ^= {key}
    tooltip("unfold or fold its contacts")
    length = float(np.linalg.norm(pairs.force[pair]))
    values = (length, pairs.normal[pair], pairs.distance[pair], pairs.slip[pair], pairs.state[pair])
    _cells(str(pairs.count[pair]), values, tint(pairs.state[pair]))


def _contact(model: ModelView, contacts: ContactTable, contact: int, marked: bool) -> bool:
    """The row of a contact of an unfolded pair; returns whether it was clicked."""
    names = geom_names(model)
    first, second = (names.geom[g] for g in contacts.geoms[contact])
    imgui.table_next_column()
    with font("sans"):
        label = f"       {first}  –  {second}###contact{contact}"
        pressed = imgui.selectable(label, marked, imgui.SelectableFlags_.span_all_columns)[0]
    tooltip(CLICK_HINT)
    length = float(np.linalg.norm(contacts.force[contact]))
    state = contacts.state[contact]
    values = (length, contacts.normal[contact], contacts.distance[contact], contacts.slip[contact], state)
    _cells(f"#{contact}", values, theme.DIM if tint(state) == theme.TEXT else tint(state))
    return pressed


def _cells(first: str, values: tuple[Any, ...], colour: theme.Rgba) -> None:
    """All cells but the first."""
    imgui.table_next_column()
    cell(first, colour, right=True)
    for name, value in zip(NUMBERS, values, strict=True):
        imgui.table_next_column()
        cell(FORMS[name][0](value), colour, right=name != "state")
