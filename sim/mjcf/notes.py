"""Warnings about a file: Python's, unless the caller collects them to report them in another way."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_notes: ContextVar[list[str] | None] = ContextVar("notes", default=None)


def warn(text: str, stacklevel: int = 2) -> None:
    """Warn of something that a file has and should not have."""
    notes = _notes.get()
    if notes is None:
        warnings.warn(text, stacklevel=stacklevel + 1)
    else:
        notes.append(text)


@contextmanager
def collected() -> Iterator[list[str]]:
    """The texts of the warnings of this thread, which are not shown."""
    notes: list[str] = []
    token = _notes.set(notes)
    try:
        yield notes
    finally:
        _notes.reset(token)
