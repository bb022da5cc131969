"""Feedback to the user: messages in the status line, frame times, parts of the window that have failed."""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from app.files.error_text import printable
from app.run.log.log import Level, Log
from app.run.log.log_view import LogView

# how long the status line shows a message
MESSAGE_SECONDS = 8.0


@dataclass
class Fault:
    """Why a part of the window has failed, and whether the user has dismissed the card about it."""

    text: str
    dismissed: bool = False


# by the part: its name, or the function that draws it
Faults = dict[Hashable, Fault]


@dataclass
class Feedback:
    """What the status line, the notices and the profiler show about the program."""

    # the latest message, and when it expires by time.monotonic: never if it is lasting
    message: str = ""
    message_end: float = np.inf
    # the selection has changed: the status line should name it
    announce_selection: bool = False
    # a source file that has changed since the start; empty if there is none, or the user has dismissed it
    changed_source: str = ""
    # a session that was cut short and can be restored; empty if there is none
    offered: str = ""
    # how long a computation has taken that may have no end, s
    endless_seconds: float = 0.0
    # parts of the window that have failed and are left out
    faults: Faults = field(default_factory=dict)
    fps: float = 0.0
    # seconds by part of a frame
    frame_seconds: dict[str, float] = field(default_factory=dict)
    # how the quality is reduced now, or empty
    quality_note: str = ""
    # why frames are rare, or empty
    pace_note: str = ""
    # files that were made for the user
    saved: list[Path] = field(default_factory=list)
    log: Log = field(default_factory=Log)
    log_view: LogView = field(default_factory=LogView)

    def show_message(self, text: str, lasting: bool = False, level: Level = Level.MESSAGE) -> None:
        """Show a message in the status line, for a while, or until the next one if it is lasting; the log keeps it."""
        text = printable(text)
        if text:
            self.log.add(level, "viewer", text)
        self.message, self.message_end = text, np.inf if lasting else time.monotonic() + MESSAGE_SECONDS

    def show_saved(self, path: Path, more: str = "") -> None:
        """Show that a file was made, and keep it for whoever is not at this machine."""
        self.saved.append(path)
        self.show_message(f"saved {path}{more}")

    def take_saved(self) -> list[Path]:
        """The files that were made since the last call."""
        saved, self.saved = self.saved, []
        return saved

    def show_error(self, text: str) -> None:
        """Show what has failed, until the next message."""
        self.show_message(text, lasting=True, level=Level.ERROR)

    def expire_message(self, now: float) -> bool:
        """Remove a message whose time is over; returns whether there was one."""
        over = bool(self.message) and now > self.message_end
        if over:
            self.message = ""
        return over
