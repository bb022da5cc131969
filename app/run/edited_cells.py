"""The cells of a Model that an edit sets: a number in some rows of a field, or a bit of it; edits with more on top."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import isclose

import numpy as np

from app.model.editable import BY_PATH
from app.model.number_drag import Rule
from app.run.commands import SetField, SetFlag
from sim import Model
from sim.edits import CellValue, ModelEdits


def edited_cells(model: Model, edit: SetField | SetFlag) -> Iterator[tuple[str, CellValue]]:
    """Field and cell of each number that an edit sets, its legal value included."""
    if isinstance(edit, SetFlag):
        yield edit.path, CellValue(0, edit.bit, float(edit.on))
        return
    value = float(BY_PATH[edit.path].accept(edit.value, model, edit.rows, edit.column))
    field = np.asarray(model.read(edit.path))
    # the value that the field will have: a colour has fewer digits
    value = float(field.dtype.type(value))
    width = field[0].size if edit.rows else 1
    columns = range(width) if edit.column is None else (edit.column,)
    for at in [row * width + k for row in edit.rows for k in columns] or [0]:
        yield edit.path, CellValue(at, 0, value)
    for part in edit.also:
        yield from edited_cells(model, part)


def refusal(model: Model, edit: SetField) -> str:
    """Why a number is not set: it is not legal; empty if it is. A drag stops at the last legal number by itself."""
    row = BY_PATH[edit.path]
    legal = float(row.accept(edit.value, model, edit.rows, edit.column))
    if legal == edit.value or isclose(legal, edit.value, rel_tol=1e-6, abs_tol=1e-9):
        return next(filter(None, (refusal(model, part) for part in edit.also)), "")
    rule, value = row.rule_of(model, edit.rows, edit.column), edit.value
    if row.widget == "colour":
        rule = Rule(low=0.0)
    elif any(number.at == edit.column and number.name.startswith("-") for number in row.numbers(model, edit.rows)):
        # the user's number is this one with the other sign
        rule, value = replace(rule, low=-rule.high, high=-rule.low), -value
    must = rule.legal if rule.low == rule.high else f"must be {rule.legal or 'a whole number'}"
    return f"{edit.name or row.name} {must}; {value:g} was not accepted"


def edits_with(model: Model, edits: ModelEdits, commands: Iterable[SetField | SetFlag]) -> ModelEdits:
    """Edits of a model, and those of some commands on top."""
    cells = {path: {(cell.at, cell.bit): cell for cell in known} for path, known in edits.cells.items()}
    for command in commands:
        for path, cell in edited_cells(model, command):
            cells.setdefault(path, {})[cell.at, cell.bit] = cell
    found = {path: tuple(known[at] for at in sorted(known)) for path, known in sorted(cells.items())}
    return ModelEdits(found, edits.keys)
