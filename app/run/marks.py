"""Marks on the timeline: what happened to a run besides its steps, and at which moments.

A mark belongs to a moment of the history, or to several in a row if it lasted: a pull of the mouse, a slider that is
dragged. It is forgotten together with them. Only the latest marks are kept.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from enum import Enum

MOST_MARKS = 200
# edits of the same thing that follow one another this fast, s, are one
ONE_GESTURE = 0.5


class Event(Enum):
    """What a mark is about."""

    START = "the run begins"
    EDIT = "the user changed the model or the state"
    PULL = "the mouse pulled a body"
    JUMP = "a script set the time back"
    EXPLOSION = "numbers were not finite or too large"


@dataclass(frozen=True)
class Mark:
    """Something that happened, and the moments that are marked with it."""

    event: Event
    text: str
    moment: int
    last: int

    @property
    def look(self) -> int:
        """The moment that shows it: after an explosion it is too late."""
        return max(self.moment - 1, 0) if self.event is Event.EXPLOSION else self.moment


class Marks:
    """The marks of one run, in the order of time."""

    def __init__(self) -> None:
        self._marks: deque[Mark] = deque(maxlen=MOST_MARKS)
        self._touched = 0.0

    @property
    def newest(self) -> Mark | None:
        """What happened last."""
        return self._marks[-1] if self._marks else None

    def add(self, mark: Mark, now: float) -> None:
        """Mark what happened, at a wall time; it may be the same thing going on."""
        before = self.newest
        same = before is not None and (before.event, before.text) == (mark.event, mark.text)
        if before is not None and same and (mark.moment <= before.last or now - self._touched < ONE_GESTURE):
            self._marks[-1] = replace(before, last=max(before.last, mark.last))
        else:
            self._marks.append(mark)
        self._touched = now

    def last_until(self, event: Event, moment: int) -> None:
        """What is the latest of its kind lasted until now, whatever else has happened since."""
        for k in reversed(range(len(self._marks))):
            if self._marks[k].event is event:
                self._marks[k] = replace(self._marks[k], last=max(self._marks[k].last, moment))
                return

    def forget_after(self, moment: int) -> None:
        """The moments after this one are gone."""
        while self._marks and self._marks[-1].moment > moment:
            self._marks.pop()
        for k, mark in enumerate(self._marks):
            if mark.last > moment:
                self._marks[k] = replace(mark, last=moment)

    def since(self, moment: int) -> tuple[Mark, ...]:
        """All marks; those of moments before this one are forgotten."""
        while self._marks and self._marks[0].last < moment:
            self._marks.popleft()
        return tuple(self._marks)

    def clear(self) -> None:
        """Forget everything."""
        self._marks.clear()
