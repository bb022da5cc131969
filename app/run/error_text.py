"""Errors in words for the user."""

from __future__ import annotations

import traceback
from pathlib import Path

# errors whose own words are enough for the user; anything else is a defect and shows where it happened
PLAIN_ERRORS = ("MjcfError", "CompileError", "OSError", "FileNotFoundError", "PermissionError", "IsADirectoryError")


def describe(error: BaseException) -> str:
    """An error in words: its own if they suffice, otherwise with the end of its trace."""
    text = str(error) or type(error).__name__
    if type(error).__name__ in PLAIN_ERRORS:
        return text
    trace = traceback.extract_tb(error.__traceback__)
    where = "\n".join(f"  {Path(f.filename).name}:{f.lineno} in {f.name}" for f in trace[-3:])
    return f"{type(error).__name__}: {text}\n{where}"
