"""Makes entries of a log from what is written to a stream: lines, tracebacks as one entry, warnings as such.

Each thread has lines of its own. A line that is not finished yet waits; one that begins with a carriage return, as
progress bars have it, replaces what was before.
"""

from __future__ import annotations

import re
import threading

from app.run.log.log import MAX_CHARACTERS, Level, Log

TRACEBACK = "Traceback (most recent call last):"
# between the parts of a traceback with a cause
CHAINS = ("During handling of the above exception", "The above exception was the direct cause")
# as Python shows a warning
WARNING = re.compile(r"^.+:\d+: \w*Warning: ")


class Lines(threading.local):
    """What is written to one stream, by thread."""

    def __init__(self, log: Log, source: str, errors: bool) -> None:
        # called once for each thread
        self._log, self._source, self._errors = log, source, errors
        self._rest = ""
        # the entry that indented lines belong to
        self._block: int | None = None
        self._traced = False
        # the last traceback, which may have more parts
        self._trace: int | None = None

    def write(self, text: str) -> None:
        """Take in some text."""
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            self._line(line.rstrip("\r").rpartition("\r")[2].rstrip())
        if len(self._rest) > MAX_CHARACTERS:
            self._rest = self._rest.rpartition("\r")[2][-MAX_CHARACTERS:]

    def close(self) -> None:
        """Take the line that was not finished."""
        if self._rest.strip():
            self.write("\n")

    def _line(self, line: str) -> None:
        """One whole line."""
        if self._block is not None and self._continues(line):
            return
        if not line.strip():
            return
        if self._trace is not None and line.startswith(CHAINS) and self._log.extend(self._trace, line):
            self._block, self._traced = self._trace, True
        elif self._errors and line == TRACEBACK:
            self._block, self._traced = self._log.add(Level.ERROR, self._source, line), True
            self._trace = self._block
        elif self._errors and WARNING.match(line):
            self._block, self._traced = self._log.add(Level.WARNING, self._source, line), False
        else:
            self._log.add(Level.PRINT, self._source, line)

    def _continues(self, line: str) -> bool:
        """Whether a line belongs to the entry before: of a traceback the first that is not indented ends it."""
        assert self._block is not None
        indented = line[:1].isspace() or (self._traced and line == TRACEBACK)
        if (indented or self._traced) and line.strip() and self._log.extend(self._block, line):
            if not indented:
                self._log.join(self._block)
                self._block = None
            return True
        if line.strip():
            self._block = None
        return False
