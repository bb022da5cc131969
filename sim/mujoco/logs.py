"""MjLogConfig: where messages go. The engine reports the time of compiling a model, and warnings of the simulation."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

# bits of `topics`
TOPIC_TIME_COMPILE = 1 << 1
TIME = "%a %b %d %H:%M:%S %Y"


class MjLogConfig:
    """Settings of messages; `get()` returns those in force, `set()` puts these into force."""

    def __init__(self) -> None:
        self.logto_console = True
        self.logto_file = True
        self.logfile = "MUJOCO_LOG.TXT"
        self.topics = 0

    @staticmethod
    def get() -> MjLogConfig:
        copy = MjLogConfig()
        copy.__dict__.update(_current.__dict__)
        return copy

    def set(self) -> None:
        _current.__dict__.update(self.__dict__)

    def __repr__(self) -> str:
        lines = "".join(f"  {name}: {value!r}\n" for name, value in sorted(self.__dict__.items()))
        return f"<{type(self).__name__}\n{lines}>"

    def __eq__(self, other: object) -> Any:
        return self.__dict__ == other.__dict__ if isinstance(other, MjLogConfig) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


_current = MjLogConfig()


def log_compiled(seconds: float) -> None:
    """Report how long a model took to compile, if that is asked for."""
    if _current.topics & TOPIC_TIME_COMPILE:
        write(f"compile time: {seconds * 1e3:.3f} ms")


def log_warning(message: str) -> None:
    """Report a warning."""
    _write(f"WARNING {datetime.now():{TIME}}: {message}", f"WARNING: {message}\n", sys.stderr)


def write(message: str) -> None:
    """Write a message to where messages go."""
    _write(f"{datetime.now():{TIME}}\nINFO: {message}", f"INFO: {message}", sys.stdout)


def _write(entry: str, line: str, console: TextIO) -> None:
    if _current.logto_file:
        append(_current.logfile, entry)
    if _current.logto_console:
        print(line, file=console)


def append(path: str, entry: str) -> None:
    """Add an entry to a log file."""
    with Path(path).open("a", encoding="utf-8") as file:
        file.write(f"{entry}\n\n")
