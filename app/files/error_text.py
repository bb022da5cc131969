"""Error messages for the user: which errors explain themselves, and which need a traceback."""

from __future__ import annotations

import traceback
from pathlib import Path

from sim.user_error import UserError

# how much of a traceback fits on a card
TRACE_LINES = 3


def printable(text: object) -> str:
    """A text that can be shown and written anywhere: bytes of names that are not UTF-8 become replacement marks."""
    return str(text).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def is_user_error(error: BaseException) -> bool:
    """Whether the message alone is enough for the user; any other error is a bug and keeps its traceback."""
    return isinstance(error, UserError | OSError)


def sentence(error: BaseException) -> str:
    """An error as a command prints it; of a bug, what to do about it."""
    if is_user_error(error):
        return str(error)
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return f"a bug in Kinetoscope ({what}); please report it with the output of --traceback"


def describe(error: BaseException) -> str:
    """The message of an error; of a bug also its type and the end of its traceback."""
    text = str(error) or type(error).__name__
    if is_user_error(error):
        return text
    trace = traceback.extract_tb(error.__traceback__)
    where = "\n".join(f"  {Path(f.filename).name}:{f.lineno} in {f.name}" for f in trace[-TRACE_LINES:])
    return f"{type(error).__name__}: {text}\n{where}"
