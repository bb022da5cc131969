"""Error messages for the user: which errors explain themselves, and which need a traceback."""

from __future__ import annotations

import traceback
from pathlib import Path

from sim.user_error import UserError

# how much of a traceback fits on a card
TRACE_LINES = 3


def is_user_error(error: BaseException) -> bool:
    """Whether the message alone is enough for the user; any other error is a bug and keeps its traceback."""
    return isinstance(error, UserError | OSError)


def describe(error: BaseException) -> str:
    """The message of an error; of a bug also its type and the end of its traceback."""
    text = str(error) or type(error).__name__
    if is_user_error(error):
        return text
    trace = traceback.extract_tb(error.__traceback__)
    where = "\n".join(f"  {Path(f.filename).name}:{f.lineno} in {f.name}" for f in trace[-TRACE_LINES:])
    return f"{type(error).__name__}: {text}\n{where}"
