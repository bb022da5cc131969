"""Columns of a table: values, how they are written, and a table as text or CSV."""

from __future__ import annotations

import csv
import io
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.ui.quantities import Scale, column_scale, heading

# what a column is sorted by at first
UP, DOWN = "up", "down"
HELP = "rows must contain all words or parts of words; -word excludes; force>10 compares a column, in plain units"
COMPARED = re.compile(r"(?P<name>[^<>=]+)(?P<sign>[<>]=?)(?P<bound>.+)")
SIGNS = {">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le}


@dataclass(frozen=True)
class Column:
    """One column: its name, the values of all rows, by which it is sorted, and how one is written.

    Numbers with a `unit` share one prefix, which stands in the heading; "" is a number without unit. A `wide` column
    has the room that the others leave. `draw` draws a cell with widgets instead of its text.
    """

    name: str
    values: NDArray[Any]
    text: Callable[[Any], str] = str
    hint: str = ""
    unit: str | None = None
    wide: bool = False
    # text, though its values are numbers
    left: bool = False
    # UP or DOWN if the table is sorted by it at first
    first: str = ""
    # row -> tooltip of its cell
    tip: Callable[[int], str] | None = None
    # row, text
    draw: Callable[[int, str], None] | None = None

    @cached_property
    def right(self) -> bool:
        """Whether its texts end at the right: numbers do."""
        return self.unit is not None or (not self.left and np.issubdtype(self.values.dtype, np.number))

    def heading(self, scale: Scale | None) -> str:
        """The name, with the unit."""
        return heading(self.name, scale.unit) if scale is not None else self.name

    def written(self, row: int, scale: Scale | None) -> str:
        """The text of a cell."""
        value = self.values[row]
        return scale.text(float(value)) if scale is not None else self.text(value)


Scales = Mapping[str, Scale]


def column_scales(columns: Sequence[Column], rows: NDArray[np.int64], before: Scales) -> dict[str, Scale]:
    """How the numbers of each column with a unit are written."""
    return {
        column.name: column_scale(column.values[rows], column.unit, before=before.get(column.name))
        for column in columns
        if column.unit is not None
    }


def as_text(columns: Sequence[Column], rows: Sequence[int], scales: Scales) -> str:
    """Rows as they are shown, in aligned columns under their headings."""
    shown = [column for column in columns if column.name]
    lines = [[column.heading(scales.get(column.name)) for column in shown]]
    lines += [[column.written(row, scales.get(column.name)).strip() for column in shown] for row in rows]
    widths = [max(map(len, texts)) for texts in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            text.rjust(width) if column.right else text.ljust(width)
            for column, text, width in zip(shown, line, widths, strict=True)
        ).rstrip()
        for line in lines
    )


def as_csv(columns: Sequence[Column], rows: Sequence[int]) -> str:
    """Rows for a program: numbers with all digits, in units without prefix."""
    shown = [column for column in columns if column.name]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([heading(column.name, column.unit or "") for column in shown])
    for row in rows:
        writer.writerow(
            [
                repr(float(column.values[row])) if column.unit is not None else column.text(column.values[row])
                for column in shown
            ]
        )
    return file.getvalue()


def matching_rows(columns: Sequence[Column], query: str) -> NDArray[np.int64]:
    """The rows that a filter leaves."""
    chosen = np.ones(len(columns[0].values), bool)
    for word in query.lower().split():
        excluded = word.startswith("-") and len(word) > 1
        chosen &= _matches(columns, word.removeprefix("-") if excluded else word) != excluded
    return np.flatnonzero(chosen)


def _matches(columns: Sequence[Column], word: str) -> NDArray[np.bool_]:
    """Which rows match one word."""
    compared = COMPARED.fullmatch(word)
    if compared is not None:
        named = [column for column in columns if column.name.lower() == compared["name"] and column.right]
        try:
            bound = float(compared["bound"])
        except ValueError:
            named = []
        if named:
            return np.asarray(SIGNS[compared["sign"]](named[0].values, bound), bool)
    found = np.zeros(len(columns[0].values), bool)
    for column in columns:
        if column.unit is None and column.name:
            found |= _contains(column, word)
    return found


def _contains(column: Column, word: str) -> NDArray[np.bool_]:
    """Where a word is in the texts of a column."""
    values, at = column.values, None
    if values.dtype != object:
        # each text is made once: rows are many, what they say is often the same
        values, at = np.unique(values, return_inverse=True)
    found = np.array([word in column.text(value).lower() for value in values.tolist()], bool)
    return found if at is None else found[at]
