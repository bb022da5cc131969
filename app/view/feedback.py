"""What the program tells the user about itself: messages, timings, parts that have failed."""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np

# for which the status line says what was done
MESSAGE_SECONDS = 8.0


@dataclass
class Fault:
    """Why a part of the window has failed, and whether the user has put the card about it away."""

    text: str
    dismissed: bool = False


# by the part: a name, or what draws it
Faults = dict[Hashable, Fault]


@dataclass
class Feedback:
    """What the status line, the notices and the profiler show of the program itself."""

    # what was said last, and when it goes: on the clock of time.monotonic, never if it lasts
    message: str = ""
    message_end: float = np.inf
    # another selection than before was made: the status line is to name it
    announce_selection: bool = False
    # a file of the program that is newer than what runs; empty if there is none, or the user knows
    changed_source: str = ""
    # parts of the window that have failed and are left out
    faults: Faults = field(default_factory=dict)
    fps: float = 0.0
    # what the parts of a frame cost, s
    frame_seconds: dict[str, float] = field(default_factory=dict)
    # what is drawn coarser now, or nothing
    quality_note: str = ""

    def show_message(self, text: str, lasting: bool = False) -> None:
        """Words for the status line, for a while or until there is something else to say."""
        self.message, self.message_end = text, np.inf if lasting else time.monotonic() + MESSAGE_SECONDS

    def expire_message(self, now: float) -> bool:
        """Let go of a message that has been read; says whether there was one."""
        over = bool(self.message) and now > self.message_end
        if over:
            self.message = ""
        return over
