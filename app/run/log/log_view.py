"""What the log panel shows: which levels, which words, which entries of these; and texts to copy or save."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from app.run.log.log import Entry, Level, Log, Moment

LEVEL_NAMES = {Level.PRINT: "print", Level.MESSAGE: "message", Level.WARNING: "warning", Level.ERROR: "error"}


@dataclass
class LogView:
    """Filter of the panel, and the entries that pass it."""

    words: str = ""
    levels: set[Level] = field(default_factory=lambda: set(Level))
    # the panel scrolls along with new entries
    follows: bool = True
    shown: list[Entry] = field(default_factory=list)
    _made_for: tuple[object, ...] = ()
    # by number of an entry: its text, and whether that has the words
    _known: dict[int, tuple[str, bool]] = field(default_factory=dict)

    def update(self, log: Log) -> list[Entry]:
        """The entries that pass the filter, made again if anything has changed."""
        made_for = (log.version, self.words, frozenset(self.levels))
        if made_for != self._made_for:
            if made_for[1:2] != self._made_for[1:2]:
                self._known = {}
            words = self.words.lower().split()
            entries = log.entries()
            self.shown = [entry for entry in entries if entry.level in self.levels and self._passes(entry, words)]
            if len(self._known) > 2 * len(entries):
                self._known = {number: self._known[number] for number, *_ in entries if number in self._known}
            self._made_for = made_for
        return self.shown

    def _passes(self, entry: Entry, words: list[str]) -> bool:
        """Whether an entry has all words; looked up if it was asked before."""
        if not words:
            return True
        text, passes = self._known.get(entry.number, ("", False))
        if text is not entry.text:
            passes = _has(entry, words)
            self._known[entry.number] = entry.text, passes
        return passes


def _has(entry: Entry, words: list[str]) -> bool:
    """Whether every word is in an entry: its text, its source or its level."""
    text = f"{entry.text} {entry.source} {LEVEL_NAMES[entry.level]}".lower()
    return all(word in text for word in words)


def wall_text(moment: Moment) -> str:
    """The time of day."""
    return time.strftime("%H:%M:%S", time.localtime(moment.wall))


def simulated_text(moment: Moment) -> str:
    """The simulated time."""
    return "" if moment.simulated is None else f"{moment.simulated:.3f} s"


def explained(entry: Entry) -> str:
    """The whole entry, with when and how often."""
    when = [f"{wall_text(entry.first)}, {simulated_text(entry.first)}".rstrip(", ")]
    if entry.times > 1:
        when = [
            f"{entry.times} times",
            f"first {when[0]}",
            f"last {wall_text(entry.last)}, {simulated_text(entry.last)}".rstrip(", "),
        ]
    return f"{entry.text}\n\n{LEVEL_NAMES[entry.level]} of {entry.source}; {'; '.join(when)}"


def as_text(entries: Iterable[Entry]) -> str:
    """Entries as lines of text."""
    return "".join(
        f"{wall_text(entry.last)}  {simulated_text(entry.last):>12}  {LEVEL_NAMES[entry.level]:<8}"
        f"{entry.source:<8}{entry.text}{f'  (x {entry.times})' if entry.times > 1 else ''}\n"
        for entry in entries
    )
