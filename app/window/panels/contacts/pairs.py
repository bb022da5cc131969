"""Contacts by pairs of bodies: a row with the sum of each pair, which unfolds to its contacts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from numpy.typing import NDArray

from app.instruments.contact.pairs import ContactPairs, contact_pairs
from app.instruments.contact.table import ContactTable, geom_names
from app.model.views import ModelView
from app.ui import theme
from app.ui.tables.column import Column
from app.ui.tables.frame import sorted_rows
from app.ui.tables.table import Look, table
from app.view.view_state import ViewState
from app.window.panels.contacts.columns import CLICK_HINT, tint
from sim.analysis.element_names import body_name

NAME = "pairs of bodies"
# name, tooltip, unit
COLUMNS: tuple[tuple[str, str, str | None], ...] = (
    ("bodies", "the two bodies; unfolded: the geoms of each contact", None),
    ("contacts", "how many; unfolded: index in d.contact", None),
    ("force", "length of the summed force; unfolded: of each", "N"),
    ("normal", "sum of the normal forces", "N"),
    ("distance", "the smallest; negative: penetration", "m"),
    ("slip", "the fastest", "m/s"),
    ("state", "slip if one contact slips", None),
)
# blanks before the contacts of a pair
INSET = "       "


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
        return CLICK_HINT if self.contact[row] >= 0 else "unfold or fold its contacts"

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
