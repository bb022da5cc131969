"""Tooltips of editable fields and parameters: unit, meaning, effect, default, value in the file, legal values."""

from __future__ import annotations

from math import isnan
from typing import Any

import numpy as np

from app.model.angle_unit import field_unit, shown_unit
from app.model.components import Number
from app.model.editable import LOOKS, Editable
from app.model.parameters import Parameter, Read, Term
from app.model.views import ModelView

DRAGGED = "; Shift+drag: faster; Alt+drag: finer; ctrl+click: type a number"
SWEPT = "ctrl+right-click: sweep over several values"


def hint(
    row: Editable,
    rows: tuple[int, ...],
    model: ModelView,
    original: Any,
    part: Number | None = None,
    degrees: bool = False,
) -> str:
    """The tooltip of a field, or of one of its numbers; angles in degrees or in radians."""
    shown, unit, effect, name = row.numbers(model, rows), field_unit(row, model, rows), row.effect, ""
    if part is not None and part.name:
        shown, name = (part,), f": {part.name}"
        unit, effect = unit if part.unit is None else part.unit, part.effect or effect
    factor, unit = shown_unit(unit, degrees)
    in_file = " ".join(_written(row, float(np.ravel(original)[number.at]) * factor) for number in shown)
    dragged = row.widget in ("real", "count")
    legal = part.rule.scaled(factor).legal if part is not None and dragged else ""
    return "\n".join(
        filter(
            None,
            (
                f"{row.attribute}{name}{f'   [{unit}]' if unit else ''}",
                row.meaning,
                effect,
                f"default {row.default}, in the file {in_file}{f'; legal {legal}' if legal else ''}",
                f"right-click: the file's value{DRAGGED if dragged else ''}",
                SWEPT if row.path not in LOOKS and row.widget != "colour" else "",
            ),
        )
    )


def parameter_hint(parameter: Parameter, in_file: Read, degrees: bool = False) -> str:
    """The tooltip of a parameter; angles in degrees or in radians."""
    factor, unit = shown_unit(parameter.unit, degrees)
    rule = parameter.rule.scaled(factor)
    number, legal = parameter.number(in_file) * factor, f"; legal {rule.legal}" if rule.legal else ""
    lines = (
        f"{parameter.attribute}{f'   [{unit}]' if unit else ''}",
        parameter.meaning,
        parameter.effect,
        f"in the file {'none' if isnan(number) else f'{number:.6g}'}{legal}",
        ("sets " if parameter.scale else "") + " and ".join(_place(term) for term in parameter.terms),
        f"right-click: the file's value{DRAGGED}",
        *(() if parameter.scale else (SWEPT,)),
    )
    return "\n".join(lines)


def _place(term: Term) -> str:
    """A term as Python writes it."""
    rows = str(term.rows[0]) if len(term.rows) == 1 else f"{term.rows[0]}:{term.rows[-1] + 1}"
    column = "" if term.column is None else f", {term.column}"
    return f"{'-' if term.sign < 0 else ''}m.{term.path}[{rows}{column}]"


def _written(row: Editable, number: float) -> str:
    """A number as MJCF writes it."""
    names = {value: name for name, value in row.choices}
    if row.widget == "switch":
        return "true" if number else "false"
    return names.get(int(number), "?") if names else f"{number:.6g}"
