"""Makes the commands that edit a number together with the numbers linked to it, or reset them.

Both numbers of solref take the same form, the ends of a range keep their order, and a servo's kp is both in its gain
and in its bias.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.model.components import linked, solref_set
from app.model.editable import BY_TYPE, Editable
from app.model.views import ModelView
from app.run.commands import ResetField, Send, SetField

# components that keep their order
ENDS = (("lower", "upper"), ("shortest", "longest"))
GAP = 1e-4


def reset_field(row: Editable, rows: tuple[int, ...], model: ModelView, send: Send) -> None:
    """Reset a field to the file's values, with the fields linked to it."""
    send(ResetField(row.path, rows))
    also = (path for part in row.numbers(model, rows) for path, _, _ in _linked(row, rows, model, part.at))
    for path in dict.fromkeys(also):
        send(ResetField(path, rows))


def set_number(
    row: Editable, rows: tuple[int, ...], model: ModelView, at: int, answer: float, first: tuple[float, ...]
) -> SetField:
    """The edit of one number, with the edits of those linked to it; `first` are the values before the drag."""
    edit = set_alone(row, rows, at, answer)
    if row.group == "solref":
        return replace(edit, also=(set_alone(row, rows, 1 - at, solref_set(first, at, answer)[1 - at]),))
    if row.components in ENDS:
        # the ends of a range push each other along
        gap = _gap(row, rows, model)
        other = min(first[0], answer - gap) if at else max(first[1], answer + gap)
        return replace(edit, also=(set_alone(row, rows, 1 - at, other),))
    also = (SetField(path, value, rows, k) for path, k, value in _linked(row, rows, model, at, answer))
    return replace(edit, also=tuple(also))


def _gap(row: Editable, rows: tuple[int, ...], model: ModelView) -> float:
    """The smallest distance between the ends of a range: a limit needs some, a dead band none."""
    limited = row.path.replace("range", "limited")
    return GAP if limited != row.path and model.read(limited)[rows[0]] else 0.0


def _linked(row: Editable, rows: tuple[int, ...], model: ModelView, at: int, value: float = 0.0) -> Sequence[Any]:
    """What changes with a number: path, index, value."""
    return linked(row.group, model, rows[0], at, value) if row.group in BY_TYPE else ()


def set_alone(row: Editable, rows: tuple[int, ...], at: int, value: float) -> SetField:
    """The edit of one number without linked ones."""
    if not rows:
        return SetField(row.path, value, (at,) if row.is_vector else ())
    return SetField(row.path, value, rows, at if row.is_vector else None)
