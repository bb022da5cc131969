"""The Contacts panel: a table of contacts with a filter, one row each or one per pair of bodies. A click selects."""

from __future__ import annotations

from typing import Any

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from app.instruments.contact.filter import HINT, FilterError, chosen_contacts, parse_filter
from app.instruments.contact.table import ContactTable, contact_table, geom_names
from app.instruments.offer import offer
from app.model.selection import Selection
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.tables.table import Look, table
from app.ui.tables.tools import copy_button
from app.ui.widgets import caption, em, same_line_if_fits, tooltip
from app.view.view_state import ViewState
from app.window.panels.contacts.columns import CLICK_HINT, column_of, tint
from app.window.panels.contacts.pairs import NAME, pair_table

TABLE = "contact table"
FILTER_HELP = """Words that all have to hold; names match in part, on either side of the contact.

foot    any name
body:foot    geom:sole    -floor    "left foot"
force>10    normal    friction    in N
depth>1mm    distance    in m
slip>0.1    in m/s
used>90%    friction in use
state:slip    open, stick, slip or smooth
island:2"""


def contacts_panel(snapshot: Snapshot, view: ViewState, _: Send) -> None:
    """Contacts of the last step; a click selects one and looks at it."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None:
        caption("no contacts")
        return
    contacts = contact_table(model, state)
    reason, chosen = "", np.arange(len(contacts.state))
    try:
        chosen = chosen_contacts(parse_filter(view.ui.contact_filter.strip()), model, contacts)
    except FilterError as error:
        reason = str(error)
    _header(view, reason, len(chosen), len(contacts.state))
    # contacts come and go with every bounce: the headings stay
    if not len(chosen) and len(contacts.state):
        caption("no contact matches")
        return
    marked = marked_contacts(view.selection, contacts)
    # contacts of a run change their places all the time
    scroll = snapshot.run.paused
    if view.ui.contact_pairs:
        clicked = pair_table(model, contacts, chosen, marked, view, scroll)
    else:
        columns = [column_of(name, values) for name, values in _values(contacts, geom_names(model).full)]
        look = Look(lambda _: CLICK_HINT, lambda row: tint(contacts.state[row]))
        clicked = table(view, TABLE, columns, look, model.identity, marked, chosen, scroll)
    if clicked is not None:
        view.select("contact", clicked, fly=True)


def _header(view: ViewState, reason: str, shown: int, count: int) -> None:
    """The filter, why it is wrong, how many contacts it leaves, and the switch for pairs."""
    imgui.set_next_item_width(min(em(24), 0.45 * imgui.get_content_region_avail().x))
    _, view.ui.contact_filter = imgui.input_text_with_hint("##contact filter", HINT, view.ui.contact_filter)
    tooltip(FILTER_HELP)
    same_line_if_fits("  by pairs of bodies")
    _, view.ui.contact_pairs = imgui.checkbox("by pairs of bodies", view.ui.contact_pairs)
    tooltip("one row for each pair of bodies that touch, with the sum of their forces; unfold it for its contacts")
    same_line_if_fits("copy")
    copy_button(view, NAME if view.ui.contact_pairs else TABLE)
    explained = "the selected contact in detail: its friction cone, margin to slip, rows, solver, history"
    offer(view, "Contact", explained, "Microscope", beside=True)
    words = f"{shown} of {count}" if shown < count else f"{count or 'no'} contact{'s' * (count != 1)}"
    same_line_if_fits(reason or words)
    caption(reason or words, tint=theme.ERROR if reason else theme.DIM, framed=True)


def _values(contacts: ContactTable, names: NDArray[np.object_]) -> list[tuple[str, NDArray[Any]]]:
    """Columns of the flat table: name and values of all contacts."""
    return [
        ("#", np.arange(len(contacts.state))),
        ("first", names[contacts.geoms[:, 0]]),
        ("second", names[contacts.geoms[:, 1]]),
        ("distance", contacts.distance),
        ("normal", contacts.normal),
        ("friction", contacts.friction),
        ("used", contacts.used),
        ("slip", contacts.slip),
        ("state", contacts.state),
        ("island", contacts.island),
    ]


def marked_contacts(selection: Selection | None, contacts: ContactTable) -> NDArray[np.bool_]:
    """Contacts of the selection: the contact itself, or those of a geom, body or island."""
    count = len(contacts.state)
    if selection is None:
        return np.zeros(count, bool)
    if selection.kind == "contact":
        return np.asarray(np.arange(count) == selection.index)
    if selection.kind in ("geom", "body"):
        of_what = contacts.geoms if selection.kind == "geom" else contacts.bodies
        return np.asarray((of_what == selection.index).any(axis=1))
    return np.asarray(contacts.island == (selection.index if selection.kind == "island" else -2))
