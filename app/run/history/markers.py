"""Markers on the timeline: edits, perturbations, divergence and other events of a branch, and their moments.

A marker belongs to one moment of the history, or to several in a row: a drag of the mouse or of a slider lasts. Those
of the user are all kept; of what happened by itself, the latest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

MOST_FOUND = 5000
# edits of the same thing within this time, s, are one
ONE_GESTURE = 0.5


class MarkerType(Enum):
    """What a marker is about."""

    START = "the run starts"
    EDIT = "the user changed the model or the state"
    FILE = "the file was changed"
    PERTURB = "the mouse pulled a body"
    JUMP = "a script went back in time"
    DIVERGENCE = "the simulation diverged"
    CONTACT = "a contact begins"
    WAKE = "a tree wakes up"
    BRANCH = "a branch starts"
    BREAKPOINT = "a breakpoint fired"


# what happens by itself
FOUND = {MarkerType.CONTACT, MarkerType.WAKE}


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
    """The markers of one branch, in order of time."""

    def __init__(self, markers: Iterable[Marker] = ()) -> None:
        self._markers = list(markers)
        self._all: tuple[Marker, ...] | None = None
        self._found = sum(marker.type in FOUND for marker in self._markers)
        self._touched = 0.0

    @property
    def newest(self) -> Marker | None:
        """The latest marker of what the user did, or of a divergence."""
        return next((marker for marker in reversed(self._markers) if marker.type not in FOUND), None)

    @property
    def all(self) -> tuple[Marker, ...]:
        """All of them; the same tuple as long as nothing changes."""
        if self._all is None:
            self._all = tuple(self._markers)
        return self._all

    def add(self, marker: Marker, now: float) -> None:
        """Add a marker at a wall time, or extend the newest if it is the same event going on."""
        self._all = None
        if marker.type in FOUND:
            self._markers.append(marker)
            self._found += 1
            if self._found > MOST_FOUND:
                self._forget_found()
            return
        before = self.newest
        if before is not None and self._same(before, marker, now):
            self._replace(before, replace(before, text=marker.text, last=max(before.last, marker.last)))
        else:
            self._markers.append(marker)
        self._touched = now

    def extend(self, type_: MarkerType, moment: int) -> None:
        """Extend the latest marker of a type to a moment."""
        marker = next((known for known in reversed(self._markers) if known.type is type_), None)
        if marker is not None:
            self._replace(marker, replace(marker, last=max(marker.last, moment)))

    def _same(self, before: Marker, marker: Marker, now: float) -> bool:
        """Whether a marker is that of the same event going on: of one entry of the journal, or of one gesture."""
        if before.entry or marker.entry:
            return before.entry == marker.entry
        if marker.type is MarkerType.BREAKPOINT:
            return (before.type, before.text, before.moment) == (marker.type, marker.text, marker.moment)
        same = (before.type, before.text) == (marker.type, marker.text)
        return same and (marker.moment <= before.last or now - self._touched < ONE_GESTURE)

    def _replace(self, before: Marker, marker: Marker) -> None:
        self._all = None
        for k in reversed(range(len(self._markers))):
            if self._markers[k] is before:
                self._markers[k] = marker
                return

    def _forget_found(self) -> None:
        """Forget the oldest half of what happened by itself."""
        left = self._found // 2
        kept: list[Marker] = []
        for marker in self._markers:
            if marker.type in FOUND and left > 0:
                left -= 1
                self._found -= 1
            else:
                kept.append(marker)
        self._markers = kept
