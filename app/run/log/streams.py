"""Lets a log have what Python code prints, while it still goes where it went before.

`sys.stdout` and `sys.stderr` are replaced by objects that pass everything on and then tell the logs that listen. What
other programs write, or C code, goes past Python and is left alone. When the last log stops to listen, both are what
they were; if someone else has replaced them meanwhile, ours only passes on.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

from app.run.log.lines import Lines
from app.run.log.log import Log

NAMES = ("stdout", "stderr")

_lock = threading.Lock()
_listening: dict[int, dict[str, Lines]] = {}
_ours: dict[str, Passing] = {}
# the thread is telling a log: what that prints is not told again
_telling = threading.local()


class Passing:
    """A stream that passes on what is written, and tells the logs; everything else is that of the original."""

    def __init__(self, stream: Any, name: str) -> None:
        self.passed_to, self._name = stream, name

    def write(self, text: str) -> Any:
        """Write, as the original does."""
        written = self.passed_to.write(text)
        # one that is out of use may still be below that of someone else
        if _ours.get(self._name) is self:
            _tell(self._name, text)
        return written

    def writelines(self, lines: Any) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.passed_to, name)

    def __iter__(self) -> Any:
        return iter(self.passed_to)

    def __enter__(self) -> Any:
        self.passed_to.__enter__()
        return self

    def __exit__(self, *error: object) -> Any:
        return self.passed_to.__exit__(*error)


def listen(log: Log, clock: Callable[[], float | None]) -> None:
    """Tell a log what is printed from now on; `clock` gives the simulated time."""
    log.clock = clock
    with _lock:
        _listening[id(log)] = {name: Lines(log, name, name == "stderr") for name in NAMES}
        for name in NAMES:
            stream = getattr(sys, name)
            # without a console there is none
            if stream is not None and stream is not _ours.get(name):
                _ours[name] = Passing(stream, name)
                setattr(sys, name, _ours[name])


def stop(log: Log) -> None:
    """Tell it no more; the streams are restored when no log listens."""
    with _lock:
        for lines in _listening.pop(id(log), {}).values():
            lines.close()
        if _listening:
            return
        for name in NAMES:
            stream = getattr(sys, name)
            while isinstance(stream, Passing):
                stream = stream.passed_to
            setattr(sys, name, stream)
        _ours.clear()


def _tell(name: str, text: Any) -> None:
    """Tell every log; a log that fails must not stop a script that prints."""
    if getattr(_telling, "now", False) or not isinstance(text, str):
        return
    _telling.now = True
    try:
        for lines in tuple(_listening.values()):
            lines[name].write(text)
    except Exception:
        # the text is where it was to go
        return
    finally:
        _telling.now = False
