"""What a table remembers between frames: its filter, widths and prefixes of its columns, the row of its menu."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from app.model.selection import Selection


@dataclass
class TableState:
    """The state of one table."""

    filter: str = ""
    # the longest text that each column has shown, in pixels; its width in the last frame
    longest: dict[str, float] = field(default_factory=dict)
    widths: dict[str, float] = field(default_factory=dict)
    # columns that are to be wider
    grown: set[str] = field(default_factory=set)
    # font size and model that these are for
    measured_for: tuple[float, object] = (0.0, None)
    # how the numbers of each column were written in the last frame
    scales: dict[str, Any] = field(default_factory=dict)
    # the selection that the table has scrolled to, and the place of its row
    selection: Selection | None = None
    place: int = -1
    # texts that the menu can copy, by what it calls them; whether it is to be opened
    copies: dict[str, str] = field(default_factory=dict)
    menu: bool = False
