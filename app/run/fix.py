"""Makes commands of a fix: all its edits as one, several numbers of a field at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from app.run.commands import SetField, SetFlag


def as_one(edits: Iterable[SetField | SetFlag]) -> tuple[SetField | SetFlag, ...]:
    """The edits of a fix with all its fields in one command: no step sees a part of it, and one undo takes it back."""
    fields: list[SetField] = []
    flags: list[SetField | SetFlag] = []
    for edit in edits:
        if isinstance(edit, SetField):
            fields += [replace(edit, also=()), *edit.also]
        else:
            flags.append(edit)
    if not fields:
        return tuple(flags)
    return (*flags, replace(fields[0], also=tuple(fields[1:])))


def set_numbers(path: str, rows: Sequence[int], numbers: Sequence[float]) -> SetField:
    """The command that sets the first columns of some rows at once."""
    several = tuple(int(row) for row in rows)
    first, *rest = (SetField(path, float(number), several, column) for column, number in enumerate(numbers))
    return replace(first, also=tuple(rest))
