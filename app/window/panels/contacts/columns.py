"""Columns of the tables of contacts: units, tooltips, and the colour of a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from numpy.typing import NDArray

from app.ui import theme
from app.ui.tables.column import Column
from sim.analysis.contact_state import SLIP

CLICK_HINT = "select and look at it"


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
        "friction in use, of what the cone allows; 100 %: it slips", text=lambda share: f"{100 * share:.0f} %"
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
