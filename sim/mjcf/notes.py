"""Warnings about a file: Python's, unless the caller collects them to report them in another way."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_notes: ContextVar[list[str] | None] = ContextVar("notes", default=None)


_record: ContextVar[list[str] | None] = ContextVar("record", default=None)


def warn(text: str, stacklevel: int = 2) -> None:
    """Warn of something that a file has and should not have."""
    record = _record.get()
    if record is not None:
        record.append(text)
    notes = _notes.get()
    if notes is None:
        warnings.warn(text, stacklevel=stacklevel + 1)
    else:
        notes.append(text)


@contextmanager
def recorded() -> Iterator[list[str]]:
    """The texts of the warnings of this thread, which are given all the same."""
    outer, texts = _record.get(), list[str]()
    token = _record.set(texts)
    try:
        yield texts
    finally:
        _record.reset(token)
        if outer is not None:
            outer += texts


@contextmanager
def collected() -> Iterator[list[str]]:
    """The texts of the warnings of this thread, which are not shown."""
    notes: list[str] = []
    token = _notes.set(notes)
    try:
        yield notes
    finally:
        _notes.reset(token)
