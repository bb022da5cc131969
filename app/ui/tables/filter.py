"""The filter of a table: words that all have to be in a row, `force>10` for its numbers, a minus to exclude."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.ui.tables.column import Column

HELP = "rows must contain every word, in part; -word excludes it; force>10 compares a column, without prefix"
COMPARED = re.compile(r"(?P<name>[^<>=]+)(?P<sign>[<>]=?)(?P<bound>.+)")
SIGNS = {">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le}


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
