"""Tooltips of editable fields: unit, meaning, effect, default, value in the file, legal values."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.model.components import Number
from app.model.editable import Editable
from app.model.views import ModelView

DRAGGED = "; drag with Shift: faster, with Alt: finer; ctrl+click: type a number"


def hint(row: Editable, rows: tuple[int, ...], model: ModelView, original: Any, part: Number | None = None) -> str:
    """The tooltip of a field, or of one of its numbers."""
    shown, unit, effect, name = row.numbers(model, rows), row.unit(model, rows), row.effect, ""
    if part is not None and part.name:
        shown, name = (part,), f": {part.name}"
        unit, effect = unit if part.unit is None else part.unit, part.effect or effect
    in_file = " ".join(_written(row, float(np.ravel(original)[number.at])) for number in shown)
    dragged = row.widget in ("real", "count")
    legal = part.rule.legal if part is not None and dragged else ""
    return "\n".join(
        filter(
            None,
            (
                f"{row.attribute}{name}{f'   [{unit}]' if unit else ''}",
                row.meaning,
                effect,
                f"default {row.default}, in the file {in_file}{f'; legal {legal}' if legal else ''}",
                f"right-click: the file's value{DRAGGED if dragged else ''}",
            ),
        )
    )


def _written(row: Editable, number: float) -> str:
    """A number as MJCF writes it."""
    names = {value: name for name, value in row.choices}
    if row.widget == "switch":
        return "true" if number else "false"
    return names.get(int(number), "?") if names else f"{number:.6g}"
