"""Makes the commands that edit a number together with the numbers linked to it, or reset them.

Both numbers of solref take the same form, the ends of a range keep their order, and a parameter such as a servo's kp is
in several terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

from app.model.components import DIRECTIONS, solref_set
from app.model.editable import Editable
from app.model.parameters import Parameter, Term, in_file
from app.model.views import ModelLike, ModelView
from app.run.commands import SetField

# components that keep their order
ENDS = (("lower", "upper"), ("shortest", "longest"))
GAP = 1e-4
# shorter vectors have no direction
TINY = 1e-12
# columns of eq_data of a weld: relative pose, and whether that is computed from qpos0
RELPOSE, FROM_QPOS0 = range(3, 10), 11


def set_parameter(parameter: Parameter, number: float, model: ModelLike) -> SetField:
    """The edit of a parameter: all terms that it is in."""
    return replace(_set_terms(parameter.values(number, model.read)), name=parameter.name)


def reset_parameter(parameter: Parameter, model: ModelView, file_values: Mapping[str, Any]) -> SetField:
    """The edit that gives a parameter its value in the file."""
    edit = _set_terms(parameter.originals(model.read, in_file(model, file_values)))
    return replace(edit, name=parameter.name)


def _set_terms(values: Iterable[tuple[Term, float]]) -> SetField:
    first, *others = (SetField(term.path, value, term.rows, term.column) for term, value in values)
    return replace(first, also=tuple(others))


def set_number(
    row: Editable, rows: tuple[int, ...], model: ModelView, at: int, answer: float, first: tuple[float, ...]
) -> SetField:
    """The edit of one number, with the edits of those linked to it; `first` are the values before the drag."""
    edit = set_alone(row, rows, at, answer)
    if row.group == "solref":
        return replace(edit, also=(set_alone(row, rows, 1 - at, solref_set(first, at, answer)[1 - at]),))
    if row.group in DIRECTIONS:
        return set_vector(row.path, rows, _unit(first, at, answer))
    if row.components in ENDS:
        # the ends of a range push each other along
        gap = _gap(row, rows, model)
        other = min(first[0], answer - gap) if at else max(first[1], answer + gap)
        return replace(edit, also=(set_alone(row, rows, 1 - at, other),))
    return edit


def set_vector(path: str, rows: tuple[int, ...], values: Sequence[float]) -> SetField:
    """The edit of all numbers of a vector."""
    edit, *also = (SetField(path, float(value), rows, column) for column, value in enumerate(values))
    return replace(edit, also=tuple(also))


def _unit(vector: tuple[float, ...], at: int, value: float) -> tuple[float, ...]:
    """A vector of length 1 of which one number is set; the others share what is left of the length."""
    value = min(max(value, -1.0), 1.0)
    rest = sqrt(sum(x * x for k, x in enumerate(vector) if k != at))
    left = sqrt(1.0 - value * value)
    if rest < TINY:
        # there is no direction to share it
        return tuple(1.0 if k == at else 0.0 for k in range(len(vector))) if value else vector
    return tuple(value if k == at else x * left / rest for k, x in enumerate(vector))


def _gap(row: Editable, rows: tuple[int, ...], model: ModelView) -> float:
    """The smallest distance between the ends of a range: a limit needs some, a dead band none."""
    limited = row.path.replace("range", "limited")
    return GAP if limited != row.path and model.read(limited)[rows[0]] else 0.0


def set_alone(row: Editable, rows: tuple[int, ...], at: int, value: float) -> SetField:
    """The edit of one number without linked ones; a weld whose pose is edited takes it no longer from qpos0."""
    if not rows:
        return SetField(row.path, value, (at,) if row.is_vector else ())
    also = (SetField(row.path, 0.0, rows, FROM_QPOS0),) if row.path == "eq_data" and at in RELPOSE else ()
    return SetField(row.path, value, rows, at if row.is_vector else None, also)
