"""Markers on the timeline: edits, perturbations, divergence and other events of a run, and their moments.

A marker belongs to one moment of the history, or to several in a row: a drag of the mouse or of a slider lasts. It is
dropped with its moments, and only the latest markers are kept.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from enum import Enum

MAX_MARKERS = 200
# edits of the same thing within this time, s, are one
ONE_GESTURE = 0.5


class MarkerType(Enum):
    """What a marker is about."""

    START = "the run begins"
    EDIT = "the user changed the model or the state"
    FILE = "the file was changed"
    PERTURB = "the mouse pulled a body"
    JUMP = "a script set the time back"
    DIVERGENCE = "the simulation diverged"
    CONTACT = "a contact begins"
    WAKE = "a tree wakes"
    BRANCH = "a branch begins"


@dataclass(frozen=True)
class Marker:
    """An event, from its first to its last moment."""

    type: MarkerType
    text: str
    moment: int
    last: int
    # of the journal; 0 for none
    entry: int = 0

    @property
    def shown_moment(self) -> int:
        """The moment to go to: the last good one before a divergence, otherwise the first."""
        return max(self.moment - 1, 0) if self.type is MarkerType.DIVERGENCE else self.moment


class Markers:
    """The markers of one run, in order of time."""

    def __init__(self) -> None:
        self._markers: deque[Marker] = deque(maxlen=MAX_MARKERS)
        self._touched = 0.0

    @property
    def newest(self) -> Marker | None:
        """The latest marker."""
        return self._markers[-1] if self._markers else None

    def add(self, marker: Marker, now: float) -> None:
        """Add a marker at a wall time, or extend the newest if it is the same event going on."""
        before = self.newest
        if before is not None and self._same(before, marker, now):
            self._markers[-1] = replace(before, text=marker.text, last=max(before.last, marker.last))
        else:
            self._markers.append(marker)
        self._touched = now

    def _same(self, before: Marker, marker: Marker, now: float) -> bool:
        """Whether a marker is that of the same event going on: of one entry of the journal, or of one gesture."""
        if before.entry or marker.entry:
            return before.entry == marker.entry
        same = (before.type, before.text) == (marker.type, marker.text)
        return same and (marker.moment <= before.last or now - self._touched < ONE_GESTURE)

    def extend(self, type_: MarkerType, moment: int) -> None:
        """Extend the latest marker of a type to a moment."""
        for k in reversed(range(len(self._markers))):
            if self._markers[k].type is type_:
                self._markers[k] = replace(self._markers[k], last=max(self._markers[k].last, moment))
                return

    def drop_after(self, moment: int) -> None:
        """Drop or shorten what lies after a moment."""
        while self._markers and self._markers[-1].moment > moment:
            self._markers.pop()
        for k, marker in enumerate(self._markers):
            if marker.last > moment:
                self._markers[k] = replace(marker, last=moment)

    def since(self, moment: int) -> tuple[Marker, ...]:
        """All markers; those that end before a moment are dropped."""
        while self._markers and self._markers[0].last < moment:
            self._markers.popleft()
        return tuple(self._markers)

    def clear(self) -> None:
        """Drop all."""
        self._markers.clear()
