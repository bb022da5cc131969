"""Which rows the panels Controls and Joints show: a search, only what differs, only what moves."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.model.drive_table import DriveTable, Floats, Indices, Mask, matching

# seconds for which a row that has come to rest stays: rows would flicker otherwise
LINGER = 1.5


@dataclass
class DriveFilter:
    """The filter of one panel, with what it has to remember between frames."""

    text: str = ""
    changed: bool = False
    moving: bool = False
    # what counts as unchanged: a keyframe, or -1 for the model's defaults
    keyframe: int = -1
    # rows to scroll to, and whose number is to take the keyboard; -1 for none
    scroll_to: int = -1
    focus: int = -1
    _table: DriveTable | None = None
    _before: Floats = field(default_factory=lambda: np.zeros(0))
    _moved_at: Floats = field(default_factory=lambda: np.zeros(0))

    def shown(
        self, table: DriveTable, values: Floats, base: Floats, moving: Mask | None, now: float, edited: int = -1
    ) -> Indices:
        """The rows to show at a time in seconds. What moves is given, or it is what differs from the last call.

        A row that is being edited stays.
        """
        if table is not self._table:
            self._table, self._before = table, values
            self._moved_at = np.full(len(table), -np.inf)
            self.keyframe = self.scroll_to = self.focus = -1
        if moving is None:
            moving = table.differing(values, self._before)
            self._before = values
        self._moved_at[moving] = now
        chosen = matching(table, self.text) if self.text.strip() else np.ones(len(table), bool)
        if self.changed:
            chosen = chosen & table.differing(values, base)
        if self.moving:
            chosen = chosen & (self._moved_at > now - LINGER)
        if 0 <= edited < len(table) and not chosen[edited]:
            chosen = chosen.copy()
            chosen[edited] = True
        return np.flatnonzero(chosen)

    def step(self, shown: Indices, row: int, way: int) -> int:
        """The shown row before or after one, or the first; -1 if none is shown."""
        if not len(shown):
            return -1
        at = int(np.searchsorted(shown, row)) if row >= 0 else 0
        here = at < len(shown) and shown[at] == row
        # between two rows, the next one is where it would be
        there = at + way if here or way < 0 else at
        return int(shown[min(max(there, 0), len(shown) - 1)])
