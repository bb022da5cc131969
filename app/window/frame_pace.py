"""The frame rate alongside a script's loop: the script comes first, unless the user is at the mouse or the keys.

Drawing holds Python's lock, and a loop that never sleeps stands still meanwhile. So while the script's thread is busy
whenever no frame is drawn, frames are spread so far that they take a small share of the time; a loop that sleeps, waits
for the clock or is paused gets every frame.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from app.run.passive import PassiveSimulation
from app.view.feedback import Feedback

# share of the time for frames alongside a script that does not sleep
BUDGET = 0.02
# a script whose thread works for more than this share of the time does not sleep
BUSY_SHARE = 0.75
# frames are drawn at full rate so long after the last input, s
INPUT_SECONDS = 0.6
# however expensive frames are, one is drawn after this time, s
LONGEST = 1.0
# between two frames the script's share is measured, s
GAP = 0.003
NOTE = "the script never sleeps, so it holds up every frame"


def frame_interval(frame_seconds: float, script_share: float, since_input: float) -> float:
    """The least time from one frame to the next, s.

    `frame_seconds` is how long a frame holds Python's lock, `script_share` the share of the time in which the script
    works while nothing is drawn.
    """
    if script_share < BUSY_SHARE or since_input < INPUT_SECONDS:
        return 0.0
    return min(frame_seconds / BUDGET, LONGEST)


@dataclass
class FramePace:
    """Knows when the next frame may be drawn alongside a script's thread."""

    _began: float = -LONGEST
    _ended: float = -LONGEST
    _frame_seconds: float = 0.0
    _script_seconds: float = 0.0
    script_share: float = 0.0
    _events: int = -1
    _input: float = -LONGEST

    def due(self, thread: int | None, events: int, now: float) -> bool:
        """Whether a frame may begin; `events` counts what the user does."""
        if events != self._events:
            self._events, self._input = events, now
        if thread is None:
            return True
        return now >= self._ended + GAP and now >= self._began + self.interval(now)

    def due_beside(self, passive: PassiveSimulation, events: int, feedback: Feedback) -> bool:
        """The same by the clock, for a script's viewer; says why, and how often a snapshot is needed."""
        now = time.perf_counter()
        due = self.due(passive.script_thread, events, now)
        passive.frame_interval = self.interval(now)
        feedback.pace_note = self.note(now)
        return due

    def interval(self, now: float) -> float:
        """The least time between frames now, s."""
        return frame_interval(self._frame_seconds, self.script_share, now - self._input)

    def note(self, now: float) -> str:
        """Why frames are rare; empty if they are not."""
        return NOTE if self.interval(now) else ""

    def begin(self, thread: int | None, now: float) -> None:
        """A frame begins: how much has the script worked since the last?"""
        gap = now - self._ended
        if thread is not None and gap > 0.5 * GAP:
            share = min(max((busy_seconds(thread) - self._script_seconds) / gap, 0.0), 1.0)
            self.script_share += 0.3 * (share - self.script_share)
        self._began = now

    def end(self, thread: int | None, now: float, waited: float) -> None:
        """A frame has ended, of which the wait for the screen took some seconds."""
        self._frame_seconds += 0.2 * (now - self._began - waited - self._frame_seconds)
        self._script_seconds = busy_seconds(thread) if thread is not None else 0.0
        self._ended = now


def busy_seconds(thread: int) -> float:
    """How long a thread of this process has worked or waited for a processor; 0 if it has ended, or without Linux.

    The clock of its processor time would take a script for idle on a machine that has more to do.
    """
    try:
        worked, waited, _ = Path(f"/proc/self/task/{thread}/schedstat").read_text().split()
    except (OSError, ValueError):
        return 0.0
    return 1e-9 * (int(worked) + int(waited))
