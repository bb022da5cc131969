"""MjLogConfig: where messages go. The engine reports the time of compiling a model, and warnings of the simulation."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import Any

# bits of `topics`
TOPIC_TIME_COMPILE = 1 << 1


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
    if _current.logto_file:
        with Path(_current.logfile).open("a", encoding="utf-8") as file:
            file.write(f"WARNING {datetime.now():%a %b %d %H:%M:%S %Y}: {message}\n\n")
    if _current.logto_console:
        print(f"WARNING: {message}\n", file=sys.stderr)


def write(message: str) -> None:
    """Write a message to where messages go."""
    if _current.logto_file:
        with Path(_current.logfile).open("a", encoding="utf-8") as file:
            file.write(f"{datetime.now():%a %b %d %H:%M:%S %Y}\nINFO: {message}\n\n")
    if _current.logto_console:
        print(f"INFO: {message}")
