"""Makes the edits of a fix on a copy of a model, as the simulation would make them in its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from app.run.commands import SetField, SetFlag
from app.run.edited_cells import edited_cells
from sim import Model
from sim.edits import ModelEdits


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


def edits_with(model: Model, edits: ModelEdits, commands: Iterable[SetField | SetFlag]) -> ModelEdits:
    """Edits of a model, and those of some commands on top."""
    cells = {path: {(cell.at, cell.bit): cell for cell in known} for path, known in edits.cells.items()}
    for command in commands:
        for path, cell in edited_cells(model, command):
            cells.setdefault(path, {})[cell.at, cell.bit] = cell
    found = {path: tuple(known[at] for at in sorted(known)) for path, known in sorted(cells.items())}
    return ModelEdits(found, edits.keys)


def set_numbers(path: str, rows: Sequence[int], numbers: Sequence[float]) -> SetField:
    """The command that sets the first columns of some rows at once."""
    several = tuple(int(row) for row in rows)
    first, *rest = (SetField(path, float(number), several, column) for column, number in enumerate(numbers))
    return replace(first, also=tuple(rest))
