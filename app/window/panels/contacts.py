"""The Contacts panel: a table of contacts with a filter, one row each or one per pair of bodies. A click selects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui
from numpy.typing import NDArray

from app.instruments.contact.filter import HINT, FilterError, chosen_contacts, parse_filter
from app.instruments.contact.pairs import ContactPairs, contact_pairs
from app.instruments.contact.table import ContactTable, contact_table, geom_names
from app.instruments.offer import offer
from app.model.selection import Selection
from app.model.views import ModelView
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.tables.column import Column
from app.ui.tables.frame import sorted_rows
from app.ui.tables.table import Look, copy_button, table
from app.ui.widgets import caption, em, same_line_if_fits, tooltip
from app.view.view_state import ViewState
from sim.analysis.contact_state import SLIP
from sim.analysis.element_names import body_name

CLICK_HINT = "select and focus it"
NAME = "pairs of bodies"
# name, tooltip, unit
COLUMNS: tuple[tuple[str, str, str | None], ...] = (
    ("bodies", "the two bodies; when expanded: the geoms of each contact", None),
    ("contacts", "how many; when expanded: index in d.contact", None),
    ("force", "magnitude of the summed force; when expanded: of each contact", "N"),
    ("normal", "sum of the normal forces", "N"),
    ("distance", "the smallest; negative: penetration", "m"),
    ("slip", "the fastest", "m/s"),
    ("state", "slip if any contact slips", None),
)
# blanks before the contacts of a pair
INSET = "       "
TABLE = "contact table"
FILTER_HELP = """All words must match; parts of names match, on either side of the contact.

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
        caption("no matching contacts")
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
    tooltip("one row for each pair of bodies that touch, with the sum of their forces; expand it to see its contacts")
    same_line_if_fits("copy")
    copy_button(view, NAME if view.ui.contact_pairs else TABLE)
    explained = "the selected contact in detail: its friction cone, slip margin, rows, solver, history"
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


class Form(NamedTuple):
    """How a column is written: tooltip, unit of its numbers, or the text of a value, whether it takes the room left."""

    hint: str
    unit: str | None = None
    text: Callable[[Any], str] = str
    wide: bool = False


FORMS: dict[str, Form] = {
    "#": Form("index in d.contact"),
    "first": Form("body / geom of contact.geom[0]", wide=True),
    "second": Form("body / geom of contact.geom[1]", wide=True),
    "distance": Form("contact.dist; negative: penetration", "m"),
    "normal": Form("normal force of the last step", "N"),
    "friction": Form("tangential force of the last step", "N"),
    "used": Form(
        "friction as a share of the cone's limit; at 100 % it slips", text=lambda share: f"{100 * share:.0f} %"
    ),
    "slip": Form("sliding speed of the surfaces", "m/s"),
    "state": Form("open: no force; stick: inside the friction cone; slip: on the cone; smooth: no friction"),
    "island": Form("efc_island", text=lambda index: str(index) if index >= 0 else "-"),
}


def column_of(name: str, values: NDArray[Any]) -> Column:
    """A column of a table of contacts."""
    form = FORMS[name]
    return Column(name, values, form.text, form.hint, form.unit, form.wide)


def tint(state: str) -> theme.Rgba:
    """Slipping contacts are highlighted."""
    return theme.WARNING if state == SLIP else theme.TEXT


@dataclass(frozen=True)
class _Rows:
    """Rows of the table: all pairs, then the contacts of those that are unfolded."""

    pairs: ContactPairs
    # of each row its pair, and its contact or -1
    pair: NDArray[np.int64]
    contact: NDArray[np.int64]
    values: tuple[NDArray[Any], ...]

    def key(self, row: int) -> tuple[int, int]:
        """The bodies of a pair."""
        first, second = self.pairs.bodies[self.pair[row]].tolist()
        return first, second

    def label(self, row: int) -> str:
        return f"contact{self.contact[row]}" if self.contact[row] >= 0 else f"pair{self.key(row)}"

    def hint(self, row: int) -> str:
        return CLICK_HINT if self.contact[row] >= 0 else "expand or collapse its contacts"

    def tint(self, row: int) -> theme.Rgba:
        told = tint(self.values[-1][row])
        return theme.DIM if self.contact[row] >= 0 and told == theme.TEXT else told

    def order(self, column: int, descending: bool) -> NDArray[np.int64]:
        """Pairs in the order of a column, each with its contacts below it, in that order too."""
        count = len(self.pairs.count)
        if column < 0:
            return np.lexsort((self.contact, self.pair))
        rank, inside = np.empty(count, np.int64), np.empty(len(self.pair), np.int64)
        rank[sorted_rows(self.values[column][:count], descending)] = np.arange(count)
        inside[:count] = -1
        inside[count:][sorted_rows(self.values[column][count:], descending)] = np.arange(len(self.pair) - count)
        return np.lexsort((inside, rank[self.pair]))


def pair_table(
    model: ModelView,
    contacts: ContactTable,
    chosen: NDArray[np.int64],
    marked: NDArray[np.bool_],
    view: ViewState,
    scroll: bool,
) -> int | None:
    """The table; returns the contact that was clicked. A click on a pair unfolds it."""
    rows = _rows(model, contacts, contact_pairs(contacts, chosen), view)
    columns = [
        Column(name, values, _count if name == "contacts" else str, hint, unit, wide=name == "bodies")
        for (name, hint, unit), values in zip(COLUMNS, rows.values, strict=True)
    ]
    pairs = [bool(marked[members].any()) for members in rows.pairs.members]
    highlighted = np.concatenate([np.array(pairs, bool), marked[rows.contact[len(pairs) :]]])
    look = Look(rows.hint, rows.tint, rows.label, rows.order)
    clicked = table(view, NAME, columns, look, model.identity, highlighted, scroll=scroll)
    if clicked is not None and rows.contact[clicked] < 0:
        view.ui.unfolded_pairs ^= {rows.key(clicked)}
    return None if clicked is None or rows.contact[clicked] < 0 else int(rows.contact[clicked])


def _rows(model: ModelView, contacts: ContactTable, pairs: ContactPairs, view: ViewState) -> _Rows:
    """What the table shows."""
    keys = [(first, second) for first, second in pairs.bodies.tolist()]
    unfolded = [k for k, key in enumerate(keys) if key in view.ui.unfolded_pairs]
    members = np.concatenate([np.zeros(0, np.int64), *(pairs.members[k] for k in unfolded)])
    pair = np.concatenate([np.arange(len(keys)), np.repeat(unfolded, pairs.count[unfolded]).astype(np.int64)])
    contact = np.concatenate([np.full(len(keys), -1), members])
    arrows = (icons.ICON_FA_CARET_RIGHT, icons.ICON_FA_CARET_DOWN)
    names = [
        f"{arrows[key in view.ui.unfolded_pairs]}  {body_name(model, key[0])}  –  {body_name(model, key[1])}"
        for key in keys
    ]
    geoms = geom_names(model).geom[contacts.geoms[members]]
    names += [f"{INSET}{first}  –  {second}" for first, second in geoms.tolist()]
    lengths = np.linalg.norm(pairs.force, axis=1), np.linalg.norm(contacts.force[members], axis=1)
    values = (
        np.array(names, object),
        # contacts are told from counts by their sign
        np.concatenate([pairs.count, -1 - members]),
        np.concatenate(lengths),
        np.concatenate([pairs.normal, contacts.normal[members]]),
        np.concatenate([pairs.distance, contacts.distance[members]]),
        np.concatenate([pairs.slip, contacts.slip[members]]),
        np.concatenate([pairs.state, contacts.state[members]]),
    )
    return _Rows(pairs, pair, contact, values)


def _count(value: int) -> str:
    """How many contacts a pair has, or the index of one."""
    return str(value) if value >= 0 else f"#{-1 - value}"
