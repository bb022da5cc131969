"""Columns of the tables of contacts: formats, tooltips, widths, and the colour of a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from app.panels.table import Column
from app.ui import theme
from app.ui.quantities import quantity
from sim.analysis.contact_state import SLIP

CLICK_HINT = "select and look at it"


def _in(unit: str) -> Callable[[float], str]:
    """Formats numbers with a unit."""
    return lambda value: quantity(value, unit)


# column -> format, tooltip, minimum width in em
FORMS: dict[str, tuple[Callable[[Any], str], str, float]] = {
    "#": (str, "index in d.contact", 3.0),
    "first": (str, "body / geom of contact.geom[0]", 9.0),
    "second": (str, "body / geom of contact.geom[1]", 9.0),
    "distance": (_in("m"), "contact.dist; negative: penetration", 5.0),
    "normal": (_in("N"), "normal force of the last step", 5.0),
    "friction": (_in("N"), "tangential force of the last step", 5.0),
    "used": (lambda share: f"{100 * share:.0f} %", "friction in use, of what the cone allows; 100 %: it slips", 3.6),
    "slip": (_in("m/s"), "sliding speed of the surfaces", 6.0),
    "state": (str, "open: no force; stick: inside the friction cone; slip: on the cone; smooth: no friction", 4.5),
    "island": (lambda index: str(index) if index >= 0 else "-", "efc_island", 4.5),
}


def column_of(name: str, values: NDArray[Any]) -> Column:
    """A column of a table of contacts."""
    form, hint, width = FORMS[name]
    return Column(name, values, form, hint, width)


def tint(state: str) -> theme.Rgba:
    """Slipping contacts are highlighted."""
    return theme.WARNING if state == SLIP else theme.TEXT
