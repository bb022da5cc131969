"""The log of a window: a bounded list of entries that any thread may add to.

What is repeated is one entry with a count. Each entry has the time of day and the simulated time, of when it came first
and of when it came last. An entry is replaced, never changed, so that a reader needs no lock for one that it holds.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Hashable
from enum import IntEnum
from typing import NamedTuple

MAX_ENTRIES = 10_000
# of one entry; longer text is cut
MAX_CHARACTERS = 4_000
# how far back a line is added to an entry, while other threads write too
RECENT = 100


class Level(IntEnum):
    """How grave an entry is: what a script prints, what was done, what may be wrong, what is."""

    PRINT, MESSAGE, WARNING, ERROR = range(4)


class Moment(NamedTuple):
    """The time of day, by time.time, and the simulated time, s; None without a model."""

    wall: float
    simulated: float | None = None


class Entry(NamedTuple):
    """One line of the log; a traceback is one too."""

    number: int
    level: Level
    # who says so: viewer, engine, stdout, stderr
    source: str
    text: str
    first: Moment
    last: Moment
    times: int = 1

    @property
    def heading(self) -> str:
        """The line that says most: of a traceback the last, of other text the first."""
        lines = self.text.splitlines() or [""]
        return lines[-1] if lines[0].startswith("Traceback") else lines[0]


class Log:
    """All entries of a window."""

    def __init__(self, clock: Callable[[], float | None] = lambda: None) -> None:
        # gives the simulated time
        self.clock = clock
        self._lock = threading.Lock()
        self._entries: deque[Entry] = deque()
        self._next = 0
        self._keyed: dict[Hashable, int] = {}
        self._dropped = 0
        # grows with every change
        self.version = 0
        self.unseen = 0

    def add(self, level: Level, source: str, text: str) -> int:
        """Add an entry, or count the last one once more if it says the same; returns its number."""
        text, now = _cut(text), self._now()
        with self._lock:
            last = self._entries[-1] if self._entries else None
            if last is not None and (last.level, last.source, last.text) == (level, source, text):
                self._entries[-1] = last._replace(times=last.times + 1, last=now)
                self._changed(level)
                return last.number
            return self._append(level, source, text, now)

    def extend(self, number: int, line: str) -> bool:
        """Add a line to an entry; returns False if it is gone, or long ago."""
        with self._lock:
            for place in range(1, min(len(self._entries), RECENT) + 1):
                entry = self._entries[-place]
                if entry.number == number and entry.times == 1:
                    self._entries[-place] = entry._replace(text=_cut(f"{entry.text}\n{line}"))
                    self.version += 1
                    return True
        return False

    def join(self, number: int) -> None:
        """The newest entry is complete: if the one before it says the same, they become one."""
        with self._lock:
            if len(self._entries) < 2 or self._entries[-1].number != number:
                return
            last, before = self._entries[-1], self._entries[-2]
            if (last.level, last.source, last.text) == (before.level, before.source, before.text):
                self._entries.pop()
                self._entries[-1] = before._replace(times=before.times + 1, last=last.last)
                self.version += 1

    def count(self, key: Hashable, level: Level, source: str, text: str, times: int = 1) -> None:
        """Add an entry, or count that of the same key up, wherever it is; its text is the new one."""
        text, now = _cut(text), self._now()
        with self._lock:
            number = self._keyed.get(key, -1)
            place = number - self._entries[0].number if self._entries else -1
            found = next((k for k in self._near(place) if self._entries[k].number == number), -1)
            if found < 0:
                self._keyed[key] = self._append(level, source, text, now)
                self._entries[-1] = self._entries[-1]._replace(times=times)
                return
            entry = self._entries[found]
            self._entries[found] = entry._replace(text=text, times=entry.times + times, last=now)
            self._changed(level)

    def forget(self, key: Hashable) -> None:
        """Begin a new entry when this key is counted next."""
        with self._lock:
            self._keyed.pop(key, None)

    def entries(self) -> tuple[Entry, ...]:
        """All of them, the oldest first."""
        with self._lock:
            return tuple(self._entries)

    @property
    def dropped(self) -> int:
        """How many were dropped because there were too many."""
        return self._dropped

    def clear(self) -> None:
        """Drop all entries."""
        with self._lock:
            self._entries.clear()
            self._keyed.clear()
            self._dropped = self.unseen = 0
            self.version += 1

    def see(self) -> None:
        """The user sees the log: nothing in it is new any more."""
        self.unseen = 0

    def _append(self, level: Level, source: str, text: str, now: Moment) -> int:
        """Add an entry, and drop the oldest if there are too many."""
        self._entries.append(Entry(self._next, level, source, text, now, now))
        self._next += 1
        if len(self._entries) > MAX_ENTRIES:
            self._entries.popleft()
            self._dropped += 1
        self._changed(level)
        return self._next - 1

    def _near(self, place: int) -> range:
        """Where an entry is that was at a place: entries that were joined have moved it forward."""
        return range(min(place, len(self._entries) - 1), -1, -1) if place >= 0 else range(0)

    def _changed(self, level: Level) -> None:
        self.version += 1
        self.unseen += level >= Level.WARNING

    def _now(self) -> Moment:
        return Moment(time.time(), self.clock())


def _cut(text: str) -> str:
    return text if len(text) <= MAX_CHARACTERS else f"{text[:MAX_CHARACTERS]} … and {len(text) - MAX_CHARACTERS} more"
